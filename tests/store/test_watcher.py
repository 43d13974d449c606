"""Watching a run from outside: counts by look, what is in flight, and how a run is told from one that was abandoned."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.model.run import Status, Trial, TrialKey
from recfw.store import progress
from recfw.store.journal import Journal
from recfw.store.repository import Store
from recfw.store.watcher import Flying, Sight, Watcher

Make = Callable[..., Trial]


def key(number: int) -> TrialKey:
    """Return a trial's key."""
    return TrialKey("a", "t1", number)


@pytest.fixture
def look(store: Store) -> Callable[[float], Sight]:
    """Give a watcher's look at the run ``r1``."""
    return Watcher(store, store.run("r1")).look


def test_counts_grow_with_what_is_stored(store: Store, look: Any, make_trial: Make) -> None:
    """Every look adds what is new: completed trials, failures by kind, rate, time left, tokens and cost."""
    used = {"agent": {"input_tokens": 100, "output_tokens": 20, "cost": 0.5}, "user": {"replies": 3}}
    with store.journal("r1").lock():
        empty = look(100.0)
        assert (empty.state, empty.completed, empty.failed, empty.rate, empty.left) == ("running", 0, 0, 0.0, None)
        plain = evolve(make_trial(), started=90.0, seconds=5.0, usage=used)
        store.add_trial("r1", evolve(plain, key=key(0)))
        one = look(100.0)
        assert (one.completed, one.rate, one.left, one.tokens, one.cost) == (1, 0.2, 10.0, 120, 0.5)
        store.add_trial("r1", evolve(plain, key=key(1), status=Status.FAILED, stop="outage", scores=()))
        two = look(100.0)
        assert (two.completed, two.failed, two.kinds, two.tokens) == (1, 1, {"outage": 1}, 240)
        store.add_trial("r1", evolve(plain, key=key(1), attempt=2))
        three = look(100.0)
        assert (three.completed, three.failed, three.kinds) == (2, 0, {})
        assert (three.cells["a"].completed, three.cells["a"].planned) == (2, 3)


def test_interrupted_attempts_do_not_count(store: Store, look: Any, make_trial: Make) -> None:
    """What was cut off is neither completed nor failed."""
    store.add_trial("r1", evolve(make_trial(), key=key(0), status=Status.INTERRUPTED, scores=()))
    assert (look(100.0).completed, look(100.0).failed) == (0, 0)


def test_only_what_is_recent_makes_the_rate(store: Store, look: Any, make_trial: Make) -> None:
    """Trials that ended more than a minute ago say nothing about now."""
    with store.journal("r1").lock():
        store.add_trial("r1", evolve(make_trial(), key=key(0), started=0.0, seconds=1.0))
        assert (look(1000.0).completed, look(1000.0).rate, look(1000.0).left) == (1, 0.0, None)


def test_pages_lose_nothing(store: Store, make_trial: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many attempts one transaction reads, every one is seen once and in order."""
    for number in range(7):
        store.add_trial("r1", evolve(make_trial(), key=key(number)))
    for page in (1, 3, 7, 100):
        monkeypatch.setattr(progress, "PAGE", page)
        found = list(progress.attempts_after(store, "r1", 0))
        assert [attempt.trial for attempt in found] == list(range(7))
        assert list(progress.attempts_after(store, "r1", found[-1].number)) == []


def test_attempts_in_flight_are_seen_with_their_age(store: Store, look: Any) -> None:
    """What the journal holds is in flight; a foreign file in it is passed over."""
    journal = store.journal("r1")
    with journal.lock():
        recorder = journal.recorder()
        recorder.begin(key(2), 3)
        (journal.folder / "other.jsonl").write_text("what?\n")
        started = next(journal.in_flight()).started
        assert look(started + 4.0).in_flight == (Flying("a/t1/2", 3, 4.0),)
        recorder.close()
        journal.clear()


def test_a_run_that_ended_is_told_from_one_that_was_abandoned(store: Store, look: Any) -> None:
    """Held: running, whatever its status. Free: ended by its status, or abandoned; deleted when it is gone."""
    store.set_run_status("r1", "running")
    folder = store.journal("r1").folder
    folder.mkdir(parents=True)
    assert look(0.0).state == "stale"
    with store.journal("r1").lock():
        assert (look(0.0).state, look(0.0).pid) == ("running", os.getpid())
        store.set_run_status("r1", "completed")
        assert look(0.0).state == "running"
    assert (look(0.0).state, look(0.0).status) == ("ended", "completed")
    store.delete_run("r1")
    assert look(0.0).state == "deleted"


def test_a_journal_that_is_elsewhere_is_not_taken_for_an_abandoned_run(
    postgres_place: str, spec: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL the run may be carried on another machine, whose journal cannot be seen."""
    monkeypatch.chdir(tmp_path)
    with Store.open(postgres_place) as store:
        store.create_run("r1", spec, "content", {}, 3)
        sight = Watcher(store, store.run("r1")).look(0.0)
        assert (sight.state, sight.in_flight) == ("unseen", None)


def test_looking_takes_no_lock_and_writes_nothing(tmp_path: Path, spec: Any, make_trial: Make) -> None:
    """A store opened for reading is enough, and a run can be taken up while it is watched."""
    place = tmp_path / "runs.db"
    with Store.open(place) as store:
        store.create_run("r1", spec, "content", {}, 3)
        store.add_trial("r1", evolve(make_trial(), key=key(0)))
    before = place.read_bytes()
    with Store.open(place, create=False, read_only=True) as store:
        assert Watcher(store, store.run("r1")).look(0.0).completed == 1
    assert (place.read_bytes(), list(tmp_path.glob("journal/*"))) == (before, [])


def test_who_died_or_never_held_it_carries_nothing(tmp_path: Path) -> None:
    """The number of a process that is gone, or that merely lives and does not have the file open, is no carrier."""
    journal = Journal(tmp_path / "r1")
    assert journal.carrier() is None
    journal.folder.mkdir()
    lock = journal.folder / "lock"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for text in ("", "what", "0", "-1", str(gone.pid), str(os.getpid()), "9" * 19):
        lock.write_text(text)
        assert journal.carrier() is None, text
    with journal.lock():
        assert journal.carrier() == os.getpid()
