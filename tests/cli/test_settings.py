"""Configuration files and variables: what they may say, what wins, and that a resume is asked nothing by them."""

import os
from pathlib import Path
from typing import Any

import orjson
import pytest

from recfw.cli.settings import config_files, read_settings
from recfw.errors import ExitCode

RUN = """
[run]
plugin = "fakes.plugin"
track = "fake-dialogue"
agent = ["fake-asker", "fake-model"]
trials = 2
seed = 9
set = ["track.size=3"]
"""


@pytest.fixture
def write(recfw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give what writes the project's file, in a home with none."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RECFW_CONFIG_FILE", raising=False)
    return (tmp_path / "recfw.toml").write_text


def planned(recfw, *words: str) -> Any:
    """Return what a run would be."""
    done = recfw("run", "--dry-run", "--json", *words)
    assert done.status == 0, done.err
    return orjson.loads(done.out)


def test_a_file_gives_defaults(recfw, write) -> None:
    """A run without words plays what the file says."""
    write(RUN)
    plan = planned(recfw)
    assert (plan["track"], plan["planned"], plan["seed"]) == ("fake-dialogue", 12, 9)


def test_typed_then_variable_then_project_then_person(recfw, write, tmp_path: Path, monkeypatch) -> None:
    """The documented precedence, one step after the other."""
    own = tmp_path / "home" / "recfw" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[run]\ntrack = "fake-dialogue"\ntrials = 2\nseed = 2\n')
    assert planned(recfw)["trials"] == 2
    write("[run]\ntrials = 3\n")
    assert (planned(recfw)["trials"], planned(recfw)["seed"]) == (3, 2)
    monkeypatch.setenv("RECFW_RUN_TRIALS", "4")
    assert planned(recfw)["trials"] == 4
    assert planned(recfw, "--trials", "5")["trials"] == 5


def test_a_run_file_wins_over_defaults_key_by_key(recfw, write, tmp_path: Path, monkeypatch) -> None:
    """What a run file says replaces defaults of files and variables; what it leaves open stays theirs."""
    write(RUN)
    monkeypatch.setenv("RECFW_RUN_TRIALS", "5")
    (tmp_path / "r.yaml").write_text("roles: {agent: fake-model}\ntrials: 1\nset: {track: {size: 2}}\n")
    plan = planned(recfw, "--config", "r.yaml")
    assert (list(plan["cells"]), plan["trials"], plan["seed"], len(plan["tasks"])) == (["fake-model"], 1, 9, 2)
    assert planned(recfw, "--config", "r.yaml", "--set", "track.size=4")["planned"] == 4


@pytest.mark.parametrize(
    ("words", "cells", "tasks"),
    [
        (("--role", "agent=fake-model"), ["fake-model"], 3),
        (("--agent", "fake-model"), ["fake-model"], 3),
        (("--set", "track.size=5"), ["fake-asker", "fake-model"], 5),
    ],
)
def test_words_replace_defaults_and_do_not_add_to_them(recfw, write, words: Any, cells: Any, tasks: int) -> None:
    """A typed agent, in whichever way, is the only one; a typed option of the track replaces that one."""
    write(RUN)
    plan = planned(recfw, *words)
    assert (list(plan["cells"]), len(plan["tasks"])) == (cells, tasks)


def test_another_track_leaves_the_default_plugin_out(recfw, write) -> None:
    """A typed track does not fail for a default plugin that does not offer it."""
    write('[run]\nplugin = "core"\ntrials = 3\n')
    assert planned(recfw, "--track", "fake-dialogue")["trials"] == 3


def test_what_was_chosen_for_one_track_is_not_used_for_another(recfw, write) -> None:
    """Agents, options and settings of the file belong to the plugin that it names; seed and trials to any run."""
    write('[run]\nplugin = "nothing"\nagent = ["nobody"]\nset = ["agent.model=x"]\ntasks = ["none"]\ntrials = 3\n')
    plan = planned(recfw, "--plugin", "fakes.plugin", "--track", "fake-dialogue")
    assert (list(plan["cells"]), plan["trials"]) == (["fake-asker"], 3)


def test_defaults_ask_nothing_of_a_resumed_run(recfw, write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on whatever defaults have become since; typed words are compared."""
    assert recfw("run", "--track", "fake-dialogue").status == 0
    write(RUN)
    monkeypatch.setenv("RECFW_RUN_SEED", "77")
    assert "Nothing to do." in recfw("run", "--resume", "latest").out
    assert recfw("run", "--resume", "latest", "--seed", "77").status == ExitCode.USAGE


def test_the_store_of_a_file_is_seen_from_it(recfw, write, tmp_path: Path, monkeypatch) -> None:
    """A relative store lies beside the file that names it, wherever one stands; RECFW_STORE wins over it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "below").mkdir()
    write('store = "kept/r.db"\n[run]\ntrack = "fake-dialogue"\n')
    monkeypatch.chdir(tmp_path / "below")
    assert recfw("run", "--tasks", "d0").status == 0
    assert (tmp_path / "runs.db").exists()
    monkeypatch.delenv("RECFW_STORE")
    assert recfw("run", "--tasks", "d0").status == 0
    assert (tmp_path / "kept" / "r.db").exists()
    assert "RECFW_STORE" not in read_settings().values


def test_only_a_checkout_is_searched_upwards(tmp_path: Path) -> None:
    """A file above is read within a checkout of git, and nowhere else, as anybody may write above."""
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "recfw.toml").touch()
    (tmp_path / "a" / "recfw.toml").touch()
    environ = {"HOME": str(tmp_path)}
    assert config_files(environ, below) == []
    (tmp_path / "a" / ".git").mkdir()
    assert config_files(environ, below) == [tmp_path / "a" / "recfw.toml"]
    assert config_files({**environ, "RECFW_CONFIG_FILE": "/dev/null"}, below) == [Path("/dev/null")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stor = 'x'", "unknown key 'stor' (known outside sections: store, disable-plugins, registries"),
        ("[run]\nconcurency = 3", "unknown key 'run.concurency' (known: plugin, track, "),
        ("[rum]\nseed = 3", "no command has the section [rum]. Did you mean 'run'?"),
        ("[run.more]\nseed = 3", "no command has the section [run.more]."),
        ("[run]\nconcurrency = 'x'", "'run.concurrency' must be a whole number, not 'x'."),
        ("[run]\nconcurrency = true", "'run.concurrency' must be a whole number, not True."),
        ("[run]\nconcurrency = 0", "'run.concurrency': 0 is not in the range x>=1."),
        ("[run]\nstrict = 'yes'", "'run.strict' must be true or false, not 'yes'."),
        ("[run]\ntasks = [1]", "'run.tasks' must be a text, or a list of such, not [1]."),
        ("[run]\ntasks = ''", "'run.tasks' must be a text, or a list of such, not ''."),
        ("[run]\nstore = 'x'", "'run.store': the store is the same for all commands. Write it above all sections."),
        ("[run]\nresume = 'x'", "'run.resume' has no default: it is said each time."),
        ("[runs.delete]\nyes = true", "'runs.delete.yes' has no default: it is said each time."),
        ("[run]\nset = ['agent.api_key=abc']", "'run.set' holds what looks like a password or a key"),
        ("store = 'postgresql://me:pw@host/x'", "'store' holds what looks like a password or a key"),
        ("color = 'pink'", "'color' must be one of auto, always, never, not 'pink'."),
        ("quiet = 1", "'quiet' must be true or false, not 1."),
        ("store = '~nobody-of-that-name/x'", "'~nobody-of-that-name/x' names the home of a user who is not known"),
        ('store = "a\\u0000b"', "'store' holds a zero character, which no value may."),
        ("[run]\nmax-cost = nan", "'run.max-cost': nan is no number."),
        ("store = 3", "'store' must be a text, not 3."),
        ("disable-plugins = 'x'", "'disable-plugins' must be a list of names, not 'x'."),
        ("[run\n", "no valid TOML ("),
    ],
)  # fmt: skip
def test_what_is_off_is_named_with_file_and_key(recfw, write, tmp_path: Path, text: str, words: str) -> None:
    """`recfw config show` checks files whole: one line with file and key, and status 4."""
    write(text)
    done = recfw("config", "show")
    assert done.err.startswith(f"Error: {tmp_path}/recfw.toml: {words}")
    assert (done.status, done.out, done.err.count("\n")) == (ExitCode.DATA, "", 1)


@pytest.mark.parametrize(("name", "words"), [("/dev/zero", "is too large"), ("/", "a configuration file is a regular")])
def test_no_file_of_settings(recfw, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    """A device without an end is read no further than a file may be long."""
    monkeypatch.setenv("RECFW_CONFIG_FILE", name)
    done = recfw("runs", "list")
    assert (done.status, done.err[: len(name + words) + 9]) == (ExitCode.DATA, f"Error: {name}: {words}")


def test_a_folder_that_is_gone(recfw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands typed in a folder that was deleted meanwhile say so; the help answers."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = recfw("runs", "list")
    words = "Error: the current folder is not there any more. Change to one that is.\n"
    assert (done.status, done.err) == (ExitCode.DATA, words)
    assert recfw("--help").status == 0


def test_a_file_may_begin_with_a_mark(recfw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some editors put a byte-order mark before UTF-8."""
    (tmp_path / "marked.toml").write_bytes(b"\xef\xbb\xbfquiet = true\r\n")
    monkeypatch.setenv("RECFW_CONFIG_FILE", str(tmp_path / "marked.toml"))
    assert "quiet" in recfw("config", "show").out


def test_a_broken_file_stops_commands_and_not_the_help(recfw, write) -> None:
    """Nothing is played under half-understood defaults; `recfw --help` and `recfw doctor` still answer."""
    write("[run]\nconcurency = 3\n")
    assert recfw("run", "--track", "fake-dialogue").status == ExitCode.DATA
    assert recfw("--help").status == 0
    assert "'run.concurency'" in recfw("--quiet", "doctor").out


def test_max_tokens_is_no_secret(recfw, write) -> None:
    """Options whose names merely contain such words pass."""
    write('[run]\ntrack = "fake-dialogue"\nset = ["agent.max_tokens=5"]\n')
    assert recfw("config", "show").status == 0


def test_what_is_in_force_is_shown_with_its_origin(recfw, write, tmp_path: Path, monkeypatch) -> None:
    """Every value has the file or the variable that it comes from; --all adds what nothing sets."""
    write('store = "x.db"\n[run]\nseed = 3\n[runs.watch]\ninterval = 5\n')
    monkeypatch.setenv("RECFW_RUN_TRIALS", "4")
    monkeypatch.setenv("RECFW_STORE", "postgresql://me:pw@host/x")
    shown = orjson.loads(recfw("config", "show", "--json").out)
    file = str(tmp_path / "recfw.toml")
    assert shown["files"] == [file]
    found = {item["key"]: (item["value"], item["origin"]) for item in shown["settings"]}
    assert found["store"] == ("postgresql://me:***@host/x", "RECFW_STORE")
    assert found["run.trials"] == ("4", "RECFW_RUN_TRIALS")
    assert (found["run.seed"], found["runs.watch.interval"]) == ((3, file), (5, file))
    assert "run.agent" not in found
    monkeypatch.delenv("RECFW_STORE")
    lines = recfw("config", "show", "--all").out.splitlines()
    assert any(line.startswith("run.agent") and line.endswith("(default)") for line in lines)
    assert any(line.startswith("store") and "/x.db" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "RECFW_RUN_CONCURRENCY",
            "0",
            "RECFW_RUN_CONCURRENCY: 0 is not in the range x>=1. Mend the variable, or unset",
        ),
        ("RECFW_RUN_TRIALS", "two", "RECFW_RUN_TRIALS: 'two' is not a valid integer."),
        ("RECFW_RUN_STRICT", "perhaps", "RECFW_RUN_STRICT: 'perhaps' is not a valid boolean."),
        ("RECFW_PLUGINS_CHECK_FORMAT", "pdf", "RECFW_PLUGINS_CHECK_FORMAT: 'pdf' is not one of 'table', 'json'."),
        ("RECFW_REPORT_FORMAT", "pdf", "RECFW_REPORT_FORMAT: no renderer 'pdf' (known: "),
        ("RECFW_RUN_JUDGE", "fake-brevity nobody", "RECFW_RUN_JUDGE: no judge 'nobody' (known: "),
    ],
)
def test_variables_are_checked(recfw, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str) -> None:
    """`recfw config show` refuses a variable that its command would refuse, and doctor tells of it."""
    monkeypatch.setenv(name, value)
    done = recfw("config", "show")
    assert done.status in {ExitCode.USAGE, ExitCode.DATA}
    assert done.err.startswith(f"Error: {words}")
    assert name in recfw("--quiet", "doctor").out


def test_names_that_nobody_offers_are_told(recfw, write, tmp_path: Path) -> None:
    """A format that no plugin renders is told with file and key; one that is there passes."""
    write('[report]\nformat = "pdf"\n')
    done = recfw("config", "show")
    assert done.err.startswith(f"Error: {tmp_path}/recfw.toml: 'report.format': no renderer 'pdf' (known: ")
    assert done.status == ExitCode.DATA
    write('[report]\nformat = "html"\n[export]\nformat = "dir"\n')
    assert recfw("config", "show").status == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file. Mend RECFW_CONFIG_FILE, or unset it."),
        (b"store = '\xff'", "it is no UTF-8 text, from byte 9 on."),
        (b"x = " + b"[" * 5000, "it is nested too deeply."),
    ],
)
def test_why_a_file_cannot_be_read(recfw, tmp_path: Path, monkeypatch, content: bytes | None, words: str) -> None:
    """A plain clause, none of Python's words."""
    path = tmp_path / "x.toml"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("RECFW_CONFIG_FILE", str(path))
    done = recfw("runs", "list")
    assert (done.status, done.err.startswith(f"Error: {path}: the configuration file cannot be read: {words}")) == (
        ExitCode.DATA, True)  # fmt: skip


def test_options_of_one_moment_have_no_variable(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forgotten variable cannot say yes to a deletion."""
    assert recfw("run", "--track", "fake-dialogue").status == 0
    monkeypatch.setenv("RECFW_RUNS_DELETE_YES", "1")
    assert recfw("runs", "delete", "latest").status == ExitCode.USAGE


def test_a_file_that_is_none_is_not_waited_for(recfw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that nobody writes into is refused at once; /dev/null says nothing."""
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("RECFW_CONFIG_FILE", str(tmp_path / "pipe"))
    done = recfw("runs", "list")
    assert (done.status, "a configuration file is a regular file" in done.err) == (ExitCode.DATA, True)
    monkeypatch.setenv("RECFW_CONFIG_FILE", "/dev/null")
    assert recfw("runs", "list").status == 0
