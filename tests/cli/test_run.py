"""`recfw run`: the hold on a run, how many are played at a time, and advice that can be followed."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from recfw.cli import run as command
from recfw.errors import ExitCode, RecfwError, StoreError, UsageError
from recfw.executors.conductor import Conductor
from recfw.store.faults import FULL_HINT
from recfw.store.repository import Store

TRACK = ("run", "--track", "fake-dialogue")


def failing(monkeypatch: pytest.MonkeyPatch, error: RecfwError) -> None:
    """Let playing fail before anything is played."""

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(command, "_conduct", fail)


@pytest.mark.parametrize("words", [(*TRACK, "--store", "runs.db"), ("run", "--resume", "latest", "--store", "runs.db")])
def test_a_run_is_held_from_what_is_pending_to_the_end(recfw, monkeypatch: pytest.MonkeyPatch, words: Any) -> None:
    """Nobody else can play a trial between the reading of what is pending and the playing of it."""
    with monkeypatch.context() as patch:
        failing(patch, StoreError("the disk is full.", FULL_HINT))
        recfw(*TRACK, "--store", "runs.db")
    held = []

    def play(registry: Any, store: Store, prepared: Any, *_: Any) -> int:
        with pytest.raises(StoreError, match="carried out by another process"), store.journal(prepared.run.id).lock():
            raise AssertionError
        held.append(len(prepared.pending))
        return ExitCode.DONE

    monkeypatch.setattr(command, "_play", play)
    assert recfw(*words).status == ExitCode.DONE
    assert held == [8]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("--concurrency", "1000000", "--workers", "1000000"), {"concurrency": 8, "workers": 8}),
        (("--concurrency", "3"), {"concurrency": 3, "workers": 0}),
        (("--trials", "2"), {"concurrency": 8, "workers": 0}),
    ],
)
def test_no_more_lanes_than_trials(recfw, monkeypatch: pytest.MonkeyPatch, words: Any, options: Any) -> None:
    """However many are asked for, no more are played at a time than there are."""
    asked = []

    class Noting(Conductor):
        def __init__(self, store: Any, registry: Any, cache: Any, executor: Any, *more: Any) -> None:
            asked.append(executor.options)
            super().__init__(store, registry, cache, executor, *more)

    monkeypatch.setattr(command, "Conductor", Noting)
    failing(monkeypatch, UsageError("enough."))
    recfw(*TRACK, *words)
    assert asked == [options]


@pytest.mark.parametrize("place", ["runs.db", "my store's.db", "-x;y.db"])
def test_the_advice_can_be_typed(recfw, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """The command that is printed resumes this run, of this store, without the plugins that it went on without."""
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", "")
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.plugin,fakes.trouble")
    with monkeypatch.context() as patch:
        failing(patch, StoreError("the server is gone."))
        told = recfw("--disable-plugin", "fakes.trouble", *TRACK, "--store", place).err
    name, *typed = shlex.split(told.partition("go on with:")[2])
    with Store.open(place) as store:
        run = store.runs()[-1].info.id
    assert (name, typed) == ("recfw", ["--disable-plugin", "fakes.trouble", "run", "--resume", run, "--store", place])
    assert recfw(*typed).status == ExitCode.DONE


def test_advice_is_given_once(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk in the middle of a run: free some space, and one command to go on with."""
    failing(monkeypatch, StoreError("the disk is full.", FULL_HINT))
    told = recfw(*TRACK).err
    assert "the disk is full. Free some space. What was finished is stored; go on with: recfw " in told
    assert told.count("--resume") == 1


def test_what_would_be_refused_again_is_not_advised(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where words or options are at fault, the same run cannot go on."""
    failing(monkeypatch, UsageError("this cannot be played."))
    done = recfw(*TRACK)
    assert done.status == ExitCode.USAGE
    assert "--resume" not in done.err


def test_no_resume_is_advised_where_no_run_exists(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full before the run is stored leaves nothing to resume."""

    def full(*_: Any, **__: Any) -> None:
        raise StoreError("the disk is full.", FULL_HINT)

    monkeypatch.setattr(Store, "create_run", full)
    assert recfw(*TRACK).err == "Error: the disk is full. Free some space.\n"


def test_resuming_does_not_say_that_a_refused_run_goes_on(recfw, tmp_path: Path) -> None:
    """A resume that asks for another seed is refused with what differs, and plays nothing."""
    recfw(*TRACK)
    done = recfw("run", "--resume", "latest", "--seed", "5")
    assert done.status == ExitCode.USAGE
    assert "\n  asked for seed: 0 -> 5\n" in done.err
