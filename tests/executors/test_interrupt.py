"""Ctrl-C and SIGTERM while outside code blocks the event loop: one stops the run in order, two at once."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest
from fakes.bench import wait_until

from recfw.executors.interrupt import run_interruptible

Command = Callable[..., Popen[str]]
BLOCKED = ("run", "--track", "fake-dialogue", "--agent", "fake-blocker", "--set", "agent.times=99")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_one_signal_stops_a_blocked_run(command: Command, trouble: Path, number: int, status: int) -> None:
    """Code that blocks the loop for a minute is broken off within two seconds; what was finished is shown, and kept."""
    process = command(*BLOCKED, "--concurrency", "1")
    wait_until(lambda: any(trouble.iterdir()), 30, "the loop is blocked")
    started = time.monotonic()
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == status, out
    assert time.monotonic() - started < 3
    assert "Interrupted: 1 of 8 trials are stored. Go on with:\n  recfw " in out
    assert "Traceback" not in out


def test_two_signals_end_a_run_at_once(command: Command, trouble: Path) -> None:
    """The second signal does not wait for anything, and still says how to go on."""
    process = command(*BLOCKED)
    wait_until(lambda: any(trouble.iterdir()), 30, "the loop is blocked")
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130, out
    assert time.monotonic() - started < 0.9
    assert "Stopped at once. What was finished is stored; go on with:\n  recfw " in out


def test_a_run_that_is_left_alone_gives_its_result() -> None:
    """Without a signal nothing is changed, the handlers of signals included."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    signals: list[int] = []
    assert run_interruptible(lambda: asyncio.sleep(0.01, "done"), signals, "") == "done"
    assert (signals, before) == ([], (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)))


def test_a_signal_cancels_a_run_that_turns() -> None:
    """A loop that is not blocked is cancelled, its clean-up is run to the end, and the signal is told."""
    signals: list[int] = []
    seen: list[str] = []

    async def work() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.05)
            seen.append("cleaned up")

    with pytest.raises(asyncio.CancelledError):
        run_interruptible(work, signals, "")
    assert (signals, seen) == ([signal.SIGTERM], ["cleaned up"])


def test_in_another_thread_it_merely_runs() -> None:
    """A thread that cannot receive signals needs none of this."""
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(run_interruptible(lambda: asyncio.sleep(0, "x"), [], "")))
    thread.start()
    thread.join()
    assert found == ["x"]
