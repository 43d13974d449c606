"""What the command line says and how: colours, quiet, logging, JSON for scripts."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import click
import orjson
import pytest

from recfw.cli.output import choose_color
from recfw.errors import ExitCode
from recfw.executors.logs import set_up_logging
from recfw.testing.project import Project

TRACK = ("run", "--track", "fake-dialogue", "--tasks", "d0")


@pytest.mark.parametrize(
    ("words", "environ", "coloured"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "", "NO_COLOR": ""}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ((), {"RECFW_COLOR": "always", "NO_COLOR": "1"}, True),
    ],
)
def test_colours_are_those_that_were_asked_for(
    recfw, monkeypatch: pytest.MonkeyPatch, words, environ, coloured
) -> None:
    """--color wins over NO_COLOR, that over FORCE_COLOR, and without any there are none outside a terminal."""
    recfw(*TRACK)
    for name in ("NO_COLOR", "FORCE_COLOR", "RECFW_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in recfw(*words, "trace", "latest", "d0").out) is coloured
    assert ("\x1b[" in recfw(*words, "report").out) is coloured
    assert {name: os.environ.get(name) for name in environ} == environ


@pytest.mark.parametrize(("environ", "colour"), [({}, None), ({"FORCE_COLOR": "1"}, True)])
def test_a_dumb_terminal_gets_no_colours(environ: dict[str, str], colour: bool | None) -> None:
    """TERM=dumb says that escapes are not understood; whoever forces colours gets them."""
    for term, expected in (("xterm", colour), ("dumb", colour or False)):
        context = click.Context(click.Command("recfw"))
        choose_color(context, "auto", {**environ, "TERM": term})
        assert context.color is expected


def test_quiet_leaves_results_and_errors(recfw) -> None:
    """No line on standard error for what goes well; the table and faults stay."""
    for words in (("--quiet", *TRACK), (*TRACK, "-q")):
        done = recfw(*words)
        assert (done.status, done.err, "fake-asker" in done.out) == (0, "", True)
    assert recfw("-q", "run", "--track", "none").err.startswith("Error: no track 'none'")
    assert "Run " in recfw(*TRACK).err


def test_a_run_tells_scripts_how_it_went(recfw) -> None:
    """One object: the run's id, status, counts, and the words that go on with it."""
    told = orjson.loads(recfw(*TRACK, "--json").out)
    assert (told["status"], told["planned"], told["completed"], told["failed"]) == ("completed", 1, 1, 0)
    again = recfw(*told["resume"][1:], "--json")
    assert (orjson.loads(again.out)["pending"], again.status) == (0, 0)


def test_failures_are_told_to_scripts(recfw, trouble) -> None:
    """Kinds of failure with their counts, and the status that says so too."""
    done = recfw(*TRACK, "--agent", "fake-flaky", "--set", "agent.task=d0", "--json")
    told: Any = orjson.loads(done.out)
    assert (done.status, told["status"], told["failed"], sum(told["kinds"].values())) == (6, "incomplete", 1, 1)


def test_plugins_are_told_to_scripts(recfw) -> None:
    """List and info as JSON hold what the texts do."""
    listed = orjson.loads(recfw("plugins", "list", "--json").out)
    assert [plugin["name"] for plugin in listed["plugins"]] == ["core", "fakes.plugin"]
    assert listed["plugins"][1]["offers"]["tracks"] == ["fake-dialogue", "fake-pictures", "fake-rounds"]
    told = orjson.loads(recfw("plugins", "info", "fake-dialogue", "--json").out)
    assert told["plugin"] is None
    assert told["components"][0]["options"]["size"] == {"type": "int", "required": False, "default": "8"}


def test_workers_log_as_their_run_does(project: Project) -> None:
    """--log-level reaches worker processes: every process is named, nothing is printed twice, results stay apart."""
    done = project.type("--log-level", "debug", *TRACK, "--workers", "1")
    lines = [line for line in done.err.splitlines() if " DEBUG recfw" in line or " INFO recfw" in line]
    begins = [line for line in lines if line.endswith("fake-asker/d0/0, attempt 1: begins")]
    assert (done.status, len(begins)) == (0, 1)
    assert len({re.search(r"\[(\d+)\]", line)[1] for line in lines}) == 2
    assert "DEBUG" not in done.out


def test_nothing_is_logged_unless_asked(project: Project) -> None:
    """Without --log-level a run says one line and no more."""
    assert len(project.type(*TRACK).err.splitlines()) == 1


def test_libraries_are_only_heard_when_they_warn(project: Project) -> None:
    """Details of others may hold keys; recfw's own and its plugins' are let through, each on one clean line."""
    code = f"import logging; from {set_up_logging.__module__} import set_up_logging; set_up_logging('debug')\n"
    code += (
        "for name in ('httpx', 'recfw_x'):\n    for level in (10, 30): logging.getLogger(name).log(level, 'a\\x1bb')"
    )
    done = subprocess.run([project.command()[0], "-c", code], capture_output=True, text=True)
    said = re.findall(r"(DEBUG|WARNING) (\w+)\[\d+\] (.*)", done.stderr)
    assert said == [("WARNING", "httpx", r"a\x1bb"), ("DEBUG", "recfw_x", r"a\x1bb"), ("WARNING", "recfw_x", r"a\x1bb")]


def test_a_reader_that_leaves_is_no_fault(project: Project) -> None:
    """Output into `head` ends quietly when that has seen enough."""
    reading, writing = os.pipe()
    os.close(reading)
    words = project.command("plugins", "list", "--hooks")
    done = subprocess.run(words, env=project.env(), stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", ["a reader that left", "a full disk"])
def test_a_run_goes_on_when_nobody_hears_it(project: Project, recfw, kind: str) -> None:
    """Progress that cannot be told (`2>&1 | head`, a log on a full disk) neither stops a run nor changes its status."""
    reading, errors = os.pipe() if kind == "a reader that left" else (os.open("/dev/full", os.O_RDONLY), -1)
    errors = errors if errors >= 0 else os.open("/dev/full", os.O_WRONLY)
    os.close(reading)
    done = subprocess.run(project.command(*TRACK), cwd=project.folder, env=project.env(), stdout=subprocess.PIPE,
                          stderr=errors, text=True)  # fmt: skip
    os.close(errors)
    assert (done.returncode, done.stdout[:18]) == (0, "fake-dialogue: run")
    assert '"completed": 1,' in recfw("runs", "list", "--json").out


def test_output_on_a_full_disk_is_told_in_words(project: Project) -> None:
    """What was printed is not there, and one line says so."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(project.command("plugins", "list"), env=project.env(), stdout=full,
                              stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert (done.returncode, done.stderr) == (
        ExitCode.DATA,
        "Error: the output cannot be written (No space left on device).\n",
    )
