"""Hanging: every outside call has a deadline of ours, and what was given up is not tried for ever."""

import socket
import time

import pytest
from fakes.pain import Pain

LIMIT = ("--set", "limits.seconds.agent=0.4")


@pytest.fixture
def silent_peer(monkeypatch: pytest.MonkeyPatch) -> object:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("PAIN_PORT", str(server.getsockname()[1]))
        yield server


@pytest.mark.parametrize("workers", ["0", "1"])
def test_i2605_a_deadline_stops_a_step_that_does_not_listen(pain: Pain, workers: str) -> None:
    """An agent that swallows its cancellation is left behind: its trial has its ending, and the others theirs."""
    started = time.monotonic()
    done = pain.run("pain-deaf", *LIMIT, "--workers", workers)
    assert time.monotonic() - started < 40
    assert (done.status, pain.stored()) == (0, 8)
    assert pain.endings("d1") == {("completed", "agent_time_limit"): 1}
    assert pain.noted("asked-to-stop") >= 1


def test_i2487_a_dead_peer_holds_a_trial_for_its_limit_and_no_longer(pain: Pain, silent_peer: object) -> None:
    """An agent that waits on a connection for ever ends at its role's limit."""
    assert pain.run("pain-dead-peer", *LIMIT).status == 0
    assert pain.endings("d1") == {("completed", "agent_time_limit"): 1}
    assert pain.stored() == 8


def test_l21947_a_timeout_that_its_library_ignores_is_not_needed(pain: Pain) -> None:
    """Our own wall clock ends a call whose own time-out goes unheard."""
    assert pain.run("pain-own-timeout", *LIMIT).status == 0
    assert pain.endings("d1") == {("completed", "agent_time_limit"): 1}


def test_i5165_a_trial_that_hung_is_not_run_again_and_again(pain: Pain) -> None:
    """Its ending is final: it is played once, and a resume has nothing to do."""
    pain.run("pain-deaf", *LIMIT)
    again = pain.typed("run", "--resume", "latest")
    assert (again.status, pain.noted("begun-d1")) == (0, 1)
    assert "Nothing to do" in again.out
