"""The command line tells whatever plugins do in one line, and exits with 3; Ctrl-C is answered from the start."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from recfw.testing.project import Typed, hear_interrupts

Recfw = Callable[..., Typed]
Write = Callable[..., str]
HEAD = """
from recfw.hookspecs import hookimpl
from recfw.protocols import CommandRef, NoOptions
"""


@pytest.fixture
def plugin(write_plugin: Write, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Give what adds a plugin of one module to the fakes; it returns the module's name."""

    def add(source: str) -> str:
        name = write_plugin("wild", HEAD + source)
        monkeypatch.setenv("RECFW_PLUGINS", f"fakes.plugin,{name}")
        return name

    return add


COMMAND = "@hookimpl\ndef recfw_register_commands(): return [{}]"


@pytest.mark.parametrize(
    ("source", "word", "words"),
    [
        (COMMAND.format("5"), "--help", "Plugin '{0}' offers int among its commands, which is no CommandRef."),
        (COMMAND.format("CommandRef(5, 'x', 'y')"), "runs", "Plugin '{0}' offers CommandRef among its commands"),
        (
            COMMAND.format("CommandRef('zap', '', 'no_such_module:x')"), "zap",
            "the command 'zap' (plugin {0}) cannot be loaded from no_such_module:x: ModuleNotFoundError: ",
        ),
        (
            COMMAND.format("CommandRef('zap', '', __name__ + ':absent')") + "\ndef __getattr__(name): exit(0)", "zap",
            "the command 'zap' (plugin {0}) cannot be loaded from {0}:absent: SystemExit: 0.",
        ),
        (
            COMMAND.format("CommandRef('zap', '', __name__ + ':HEAD')") + "\nHEAD = 5", "zap",
            "the command 'zap' (plugin {0}): {0}:HEAD is no click command.",
        ),
        ("raise BaseException('b')", "runs", "Plugin '{0}' cannot be loaded: BaseException: b."),
        (
            "raise ValueError('one\\ntwo\\x1b[31m')", "runs",
            "Plugin '{0}' cannot be loaded: ValueError: one two\\x1b[31m.",
        ),
    ],
)  # fmt: skip
def test_a_plugins_fault_is_one_line(recfw: Recfw, plugin: Write, source: str, word: str, words: str) -> None:
    """No traceback, no second line, nothing that steers a terminal: the plugin is named, and the status is 3."""
    name = plugin(source)
    done = recfw(word)
    assert done.err.startswith(f"Error: {words.format(name)}")
    assert done.err.count("\n") == 1
    assert (done.status, done.out) == (3, "")


def test_a_command_that_asks_to_exit_is_no_success(recfw: Recfw, plugin: Write) -> None:
    """A plugin's SystemExit(0) does not pass for a command that has done its work."""
    source = "import click\n@click.command()\ndef zap(): raise SystemExit(0)\n"
    plugin(source + COMMAND.format("CommandRef('zap', '', __name__ + ':zap')"))
    done = recfw("zap")
    assert (done.status, done.err) == (3, "Error: code of a plugin asked to exit (SystemExit: 0).\n")


SHOWING = """
class Wild:
    name, Options, tracks = "wild", NoOptions, ()
    def __init__(self, options): ...
    def report(self, results): {0}
    def render(self, report): {0}
@hookimpl
def recfw_register_analyses(): return [Wild]
@hookimpl
def recfw_register_renderers(): return [Wild]
"""


@pytest.mark.parametrize(
    ("body", "analysis", "renderer"),
    [
        ("raise ValueError('no')", "fails: ValueError: no", "fails: ValueError: no"),
        ("raise SystemExit(0)", "fails: SystemExit: 0", "fails: SystemExit: 0"),
        ("return 5", "gives int, not a Report", "gives int, not text"),
    ],
)
def test_a_report_that_fails_names_who_fails(
    recfw: Recfw, plugin: Write, body: str, analysis: str, renderer: str
) -> None:
    """Analyses and renderers that break are told by name, with status 3."""
    name = plugin(SHOWING.format(body))
    assert recfw("run", "--track", "fake-dialogue", "--tasks", "d0").status == 0
    done = recfw("report", "--analysis", "wild")
    assert (done.status, done.err.split(". To")[0]) == (3, f"Error: analysis 'wild' (plugin {name}) {analysis}")
    done = recfw("report", "--format", "wild")
    assert (done.status, done.err.split(". To")[0]) == (3, f"Error: renderer 'wild' (plugin {name}) {renderer}")


def test_a_run_whose_report_fails_says_that_it_is_stored(recfw: Recfw, plugin: Write) -> None:
    """The trials are not lost with the report, and whoever waits is told so."""
    plugin(
        SHOWING.format("raise ValueError")
        + "\nfrom fakes.dialogue import DialogueTrack\n"
        + "@hookimpl\ndef recfw_register_tracks():\n"
        + "    return [type('T', (DialogueTrack,), {'name': 'unshown', 'analyses': ('wild',)})]"
    )
    done = recfw("run", "--track", "unshown", "--tasks", "d0")
    assert done.status == 3
    assert "The run is stored as " in done.err
    assert "unshown" in recfw("runs", "list").out


@pytest.mark.parametrize("words", [("a\x1b[31m\nb",), ("run", "--track", "a\x1b[31m\nb"), ("--a\x1b\nb",)])
def test_a_hostile_word_is_repeated_on_one_clean_line(recfw: Recfw, words: tuple[str, ...]) -> None:
    """What was typed is quoted without its control characters and line ends."""
    done = recfw(*words)
    last = done.err.removesuffix("\n").split("\n")[-1]
    assert done.status == 2
    assert last.startswith("Error: ")
    assert "\x1b" not in done.err


def test_hostile_names_of_tasks_and_components_do_not_steer_the_terminal(recfw: Recfw, plugin: Write) -> None:
    """Tasks come from data files: what is listed before a run, and of a plugin, holds nothing that acts."""
    name = plugin(
        "EVIL = 'x\\x1b]0;x\\x07\\n'\nfrom attrs import evolve\nfrom fakes.dialogue import Asker, DialogueTrack\n"
        "class T(DialogueTrack):\n    name = 'steering'\n"
        "    def tasks(self):\n        return [evolve(task, id=task.id + EVIL) for task in super().tasks()]\n"
        "@hookimpl\ndef recfw_register_tracks():\n    return [T]\n"
        "@hookimpl\ndef recfw_register_agents():\n    return [type('A', (Asker,), {'name': EVIL})]"
    )
    for words in (("run", "--track", "steering", "--dry-run"), ("plugins", "list"), ("plugins", "info", name)):
        shown = recfw("--color", "always", *words)
        assert (shown.status, r"x\x1b]0;x\x07" in shown.out, "\x07" in shown.out) == (0, True, False)


@pytest.mark.parametrize("module", ["click", "recfw.cli.root", "recfw.plugins", "recfw.report.words"])
def test_ctrl_c_while_loading_is_answered_in_words(module: str) -> None:
    """SIGINT while a module is imported ends with status 130 and one word, not with a traceback."""
    code = f"""
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from recfw.cli.main import main
main(["runs"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=dict(os.environ),
        timeout=60,
        preexec_fn=hear_interrupts,
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
