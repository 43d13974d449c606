"""`recfw run --executor`: chosen by words, file or variable, recorded, resumed with, and blamed for its faults."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.bench import figures

from recfw.cli.executor import choose
from recfw.engine.request import OptionValue, RunRequest
from recfw.errors import ExitCode, UsageError
from recfw.model.run import ComponentSpec
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.store.carrying import executor_of, keep_executor
from recfw.store.repository import Store

PLUGINS = "fakes.plugin,fakes.carrying"
TRACK = ("run", "--track", "fake-dialogue", "--quiet")
CARRIED = (*TRACK, "--executor", "fake-carrying")


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the fake executor."""
    monkeypatch.setenv("RECFW_PLUGINS", PLUGINS)


def told(note: Path) -> list[dict[str, Any]]:
    """Return the options that the fake executor had each time that it was asked."""
    return [json.loads(line) for line in note.read_text().splitlines()] if note.is_file() else []


def test_a_run_is_carried_by_the_executor_that_is_named(recfw: Any, tmp_path: Path) -> None:
    """It gets its options and how many at a time; the run's record names it, and the figures are the local one's."""
    note = tmp_path / "note"
    words = ("--set", f"executor.note={note}", "--concurrency", "3")
    assert recfw(*CARRIED, *words).status == ExitCode.DONE
    assert told(note) == [{"concurrency": 3, "note": str(note), "fault": ""}]
    run = json.loads(recfw("runs", "show", "--json").out)
    assert run["executor"] == {"name": "fake-carrying", "options": {"note": str(note)}}
    assert f"executor        fake-carrying (note={note})\n" in recfw("runs", "show").out
    assert recfw(*TRACK).status == ExitCode.DONE
    assert "executor        local\n" in recfw("runs", "show").out
    here = json.loads(recfw("runs", "show", "--json").out)
    assert run["spec_digest"] == here["spec_digest"]
    place = str(tmp_path / "runs.db")
    assert figures(place, run["id"]) == figures(place, here["id"])


def test_a_run_goes_on_with_the_executor_that_it_had(recfw: Any, monkeypatch: Any, tmp_path: Path) -> None:
    """Resuming asks for nothing: neither words nor a default that nobody typed; another one may be named."""
    note = tmp_path / "note"
    recfw(*CARRIED, "--set", f"fake-carrying.note={note}", "--calibrate", "2")
    monkeypatch.setenv("RECFW_RUN_EXECUTOR", "local")
    assert recfw("run", "--resume", "latest", "--calibrate", "2").status == ExitCode.DONE
    assert len(told(note)) == 2
    assert recfw("run", "--resume", "latest", "--executor", "local").status == ExitCode.DONE
    assert len(told(note)) == 2
    assert json.loads(recfw("runs", "show", "--json").out)["executor"] == {"name": "local", "options": {}}
    assert json.loads(recfw("runs", "show", "--json").out)["completed"] == 8


def test_an_executor_that_is_gone_is_named_with_a_way_on(recfw: Any, monkeypatch: Any) -> None:
    """The run that it carried can be resumed without it."""
    recfw(*CARRIED, "--calibrate", "2")
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin")
    done = recfw("run", "--resume", "latest")
    assert done.status == ExitCode.USAGE
    assert "no executor 'fake-carrying' (known: local)" in done.err
    assert "--executor local goes on without it" in done.err
    assert recfw("run", "--resume", "latest", "--executor", "local").status == ExitCode.DONE


@pytest.mark.parametrize("where", ["file", "variable"])
def test_a_file_or_a_variable_names_it(recfw: Any, monkeypatch: Any, tmp_path: Path, where: str) -> None:
    """A run file names it with its options, a variable or configuration file alone; what is shown before tells it."""
    if where == "variable":
        monkeypatch.setenv("RECFW_RUN_EXECUTOR", "fake-carrying")
        monkeypatch.setenv("RECFW_RUN_WORKERS", "2")  # nobody typed it, so it is left out where it does not fit
        words, options = TRACK, {}
    else:
        text = "track: fake-dialogue\nexecutor: fake-carrying\nset: {executor: {note: told}}\n"
        (tmp_path / "run.yaml").write_text(text)
        words, options = ("run", "--config", "run.yaml", "--quiet"), {"note": "told"}
    planned = json.loads(recfw(*words, "--dry-run", "--json").out)
    assert planned["executor"] == {"name": "fake-carrying", "options": options}
    assert "carried by the executor fake-carrying" in recfw(*words, "--dry-run").out
    assert json.loads(recfw(*words, "--json").out)["executor"] == planned["executor"]


def test_words_win_over_a_file(recfw: Any, tmp_path: Path) -> None:
    """The local executor is named only where another one was asked for before."""
    (tmp_path / "run.yaml").write_text("track: fake-dialogue\nexecutor: fake-carrying\n")
    done = recfw("run", "--config", "run.yaml", "--executor", "local", "--dry-run")
    assert (done.status, "carried by" in done.out) == (ExitCode.DONE, False)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--executor", "fake-carryin"), "no executor 'fake-carryin' (known: fake-carrying, local)."),
        (("--executor", ""), "--executor is empty."),
        (("--executor", "fake-carrying", "--workers", "2"), "the executor 'fake-carrying' takes no --workers (it has:"),
        (("--executor", "fake-carrying", "--set", "executor.nte=x"), "has no option 'nte' (it has: concurrency, note"),
        (("--executor", "fake-carrying", "--set", "executor.fault=x"), "executor 'fake-carrying': "),
        (("--set", "executor.workers=2"), "executor.workers is said by --workers."),
        (("--executor", "fake-carrying", "--set", "executor.note=a", "--set", "executor.note=b"), "several values"),
        (("--set", "fake-carrying.note=x"), "this run has no component 'fake-carrying'"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_stored(
    recfw: Any, tmp_path: Path, words: Any, told: str
) -> None:
    """Names, options and numbers are checked when they are typed."""
    done = recfw(*TRACK, *words)
    assert (done.status, (tmp_path / "runs.db").exists()) == (ExitCode.USAGE, False)
    assert told in done.err


@pytest.mark.parametrize(
    ("fault", "words", "stored"),
    [
        ("raises", "fails: ValueError: no such machine", 8),
        ("exits", "fails: SystemExit: 0", 8),
        ("loses", "is done, but 1 of 8 trials were not delivered (one is ", 7),
        ("doubles", "which it was not given, or for the second time", 8),
        ("invents", "/dreamt/0, which it was not given, or for the second time", 8),
        ("mangles", "delivers what is no trial: ", 8),
    ],
)
def test_an_executor_that_breaks_its_protocol_is_named(recfw: Any, fault: str, words: str, stored: int) -> None:
    """What came before is stored, nothing else is, and no run is called complete for what was not delivered."""
    done = recfw(*CARRIED, "--set", f"executor.fault={fault}")
    assert done.status == ExitCode.PLUGIN
    assert "executor 'fake-carrying' (plugin fakes.carrying) " in done.err
    assert words in done.err
    run = json.loads(recfw("runs", "show", "--json").out)
    assert (run["completed"], run["status"]) == (stored, "interrupted")


def test_a_role_of_that_name_keeps_its_settings() -> None:
    """Where a track has a role `executor`, that word sets the role's options; the executor's own name sets its."""
    registry = Registry(build_manager())
    settings = (OptionValue("executor", "note", "role's"), OptionValue("fake-carrying", "note", "mine"))
    chosen, left = choose(registry, RunRequest(settings=settings), {"executor"}, "fake-carrying", None)
    assert (chosen.options, left.settings) == ({"note": "mine"}, settings[:1])
    with pytest.raises(UsageError, match="is said by --concurrency"):
        choose(registry, RunRequest(settings=(OptionValue("executor", "concurrency", 2),)), (), None, None)


def test_the_record_is_the_runs(tmp_path: Path) -> None:
    """What is written down replaces what was, and goes with the run."""
    with Store.open(tmp_path / "runs.db") as store:
        database = store.database
        for name in ("one", "two"):
            keep_executor(database, "r1", ComponentSpec(name, {"n": 1}))
        keep_executor(database, "r10", ComponentSpec("ten"))
        assert executor_of(database, "r1") == ComponentSpec("two", {"n": 1})
        store.delete_run("r1")  # that the run itself is not there makes no difference
        assert (executor_of(database, "r1"), executor_of(database, "r10")) == (None, ComponentSpec("ten"))
