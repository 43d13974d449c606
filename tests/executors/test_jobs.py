"""The jobs that workers can have: an order names its own, and each says what becomes of an assignment."""

import subprocess
import sys

import pytest

from recfw.engine.replay import Difference
from recfw.errors import DataError
from recfw.executors.jobs import JOBS, job_of
from recfw.executors.parcels import Assignment, ReplayOrder, Verdict, WorkOrder, unpack_trial
from recfw.executors.wire import split_ticket, with_ticket
from recfw.model.run import Cell, ComponentSpec, RunSpec, TrialKey
from recfw.serialize import dumps, loads

SPEC = RunSpec("p", "t", (Cell("c", {"agent": ComponentSpec("a")}),))
PLAY, REPLAY = dumps(WorkOrder(SPEC, "/j", "/c")), dumps(ReplayOrder(SPEC, "/s.db", "r1", "/c"))
KEY = TrialKey("c", "d1", 0)


@pytest.mark.parametrize(("order", "name"), [(PLAY, "play"), (REPLAY, "replay")])
def test_an_order_names_its_job(order: bytes, name: str) -> None:
    """Whoever carries an order as bytes knows from it alone what is to be done."""
    assert job_of(order) is JOBS[name]


@pytest.mark.parametrize("order", [b'{"job":"dance"}', b"{}", b"[]"])
def test_an_order_of_no_known_job_is_refused(order: bytes) -> None:
    """The message names the jobs there are."""
    with pytest.raises(DataError, match=r"work order: no job '.*' \(known: play, replay\)\."):
        job_of(order)


def test_a_worker_that_plays_loads_no_database() -> None:
    """The libraries of the store would be most of what each worker process of a run imports."""
    code = "import sys, recfw.executors.child, recfw.executors.jobs; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_trial_is_played_again_as_its_next_attempt() -> None:
    """What the dead worker left of the first attempt in the journal is kept apart."""
    assert loads(JOBS["play"].again(dumps(Assignment(KEY, 1))), Assignment) == Assignment(KEY, 2)


def test_a_trial_is_replayed_again_as_it_was() -> None:
    """A replay leaves nothing behind."""
    assert JOBS["replay"].again(dumps(KEY)) == dumps(KEY)


def test_an_assignment_that_is_given_up_has_a_result() -> None:
    """A run gets a failed trial, a replay a verdict; both say how many workers died."""
    trial = unpack_trial(JOBS["play"].given_up(PLAY, dumps(Assignment(KEY, 2)), 2, ""))
    assert (trial.key, trial.attempt, trial.stop) == (KEY, 2, "worker_died")
    assert trial.error == "2 worker processes died while they played this trial"
    verdict = loads(JOBS["replay"].given_up(REPLAY, dumps(KEY), 2, "; it blocked"), Verdict)
    words = "c/d1/0: it cannot be replayed: 2 worker processes died while they replayed this trial; it blocked"
    assert verdict == Verdict(KEY, failure=words)


def test_only_a_run_shares_limits_among_processes() -> None:
    """Each process of a run is told how many there are; a replay asks no service."""
    assert loads(JOBS["play"].shared(PLAY, 3), WorkOrder).facilities.processes == 3
    assert JOBS["replay"].shared(REPLAY, 3) == REPLAY


def test_a_verdict_survives() -> None:
    """What a worker found crosses as bytes."""
    verdict = Verdict(KEY, Difference(KEY, 3, "a = 1", "a = 2", "why"))
    assert loads(dumps(verdict), Verdict) == verdict


def test_a_ticket_comes_back() -> None:
    """A payload behind its ticket is given back with it."""
    assert split_ticket(with_ticket(7, b"payload")) == (7, b"payload")
