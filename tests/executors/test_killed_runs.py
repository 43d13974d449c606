"""A run that is killed with -9 and resumed ends with the figures of one that was not; and each fake track replays."""

import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from subprocess import Popen

import pytest
from fakes.bench import Bench, wait_until

from recfw.engine.request import OptionValue
from recfw.store.repository import Store

Command = Callable[..., Popen[str]]
AGENTS = {"fake-dialogue": "fake-model", "fake-pictures": "fake-guide-model", "fake-rounds": "fake-planner-model"}


def stored(bench: Bench, what: str = "trial WHERE status = 'completed'") -> int:
    """Return how many trials are completed so far, asking the database itself: it is asked a hundred times a second."""
    try:
        with closing(sqlite3.connect(f"file:{bench.place}?mode=ro", uri=True)) as connection:
            return int(connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0])
    except sqlite3.OperationalError:  # no database yet, or no table in it
        return 0


def run_id(bench: Bench) -> str:
    """Return the newest run's id."""
    with Store.open(bench.place, create=False, read_only=True) as store:
        return store.run("latest").id


def kill_when(bench: Bench, process: Popen[str], trials: int) -> None:
    """Kill a run with -9 as soon as so many trials are stored."""
    wait_until(lambda: stored(bench) >= trials or process.poll() is not None, 60, f"{trials} trials")
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize(("workers", "moments"), [("0", (1, 25)), ("2", (10,))])
def test_a_run_killed_again_and_again_loses_and_doubles_nothing(
    bench: Bench, command: Command, workers: str, moments: tuple[int, ...]
) -> None:
    """Killed at such moments and resumed each time: no finished trial lost, none doubled, figures equal."""
    slow = ("--agent", "fake-slow", "--set", "agent.seconds=0.02", "--trials", "6", "--concurrency", "2")
    process = command("run", "--track", "fake-dialogue", *slow, "--workers", workers)
    kept = 0
    for trials in moments:
        kill_when(bench, process, trials)
        assert stored(bench) >= max(kept, trials)
        kept = stored(bench)
        process = command("run", "--resume", run_id(bench), "--workers", workers)
    out, _ = process.communicate(timeout=90)
    assert process.returncode == 0, out
    attempts = bench.attempts(run_id(bench))
    words = [word for task in attempts.values() for _, word, _ in task]
    assert words.count("completed") == 48
    assert "failed" not in words
    spec = bench.spec("fake-dialogue", "fake-slow", trials=6, settings=(OptionValue("agent", "seconds", 0.02),))
    killed = bench.figures(run_id(bench))
    bench.concurrency = 16
    bench.run(spec, "whole")
    assert killed == bench.figures("whole")


@pytest.mark.parametrize("moment", [0.0, 0.4])
def test_a_run_killed_before_its_first_trial_can_be_resumed(bench: Bench, command: Command, moment: float) -> None:
    """A run that was stored but had not begun goes on; one that was not stored is not there."""
    slow = ("--agent", "fake-slow", "--set", "agent.seconds=0.3", "--tasks", "d0")
    process = command("run", "--track", "fake-dialogue", *slow)
    wait_until(lambda: stored(bench, "run"), 30, "the run")
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = command("run", "--resume", "latest")
    out, _ = again.communicate(timeout=60)
    assert (again.returncode, stored(bench)) == (0, 1), out


@pytest.mark.parametrize("track", AGENTS)
def test_each_fake_track_runs_is_killed_resumes_and_replays(bench: Bench, command: Command, track: str) -> None:
    """The command plays, is killed with -9, resumes and replays a track that the engine does not know."""
    run = ("run", "--track", track, "--agent", AGENTS[track], "--trials", "25", "--concurrency", "1")
    process = command(*run)
    kill_when(bench, process, 3)
    planned = {"fake-dialogue": 200, "fake-pictures": 225, "fake-rounds": 200}[track]
    assert 3 <= stored(bench) < planned
    resumed = command("run", "--resume", "latest")
    out, _ = resumed.communicate(timeout=90)
    assert (resumed.returncode, stored(bench)) == (0, planned), out
    replayed = command("replay", "latest")
    out, _ = replayed.communicate(timeout=90)
    assert replayed.returncode == 0
    assert f"{planned} trials replayed, no difference." in out


def test_resuming_a_finished_run_says_so(bench: Bench, command: Command) -> None:
    """The command says that nothing is left, and exits with 0."""
    bench.run(bench.spec("fake-dialogue"))
    process = command("run", "--resume", "r1")
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "Run r1 is finished: all 8 trials are stored. Nothing to do.\n")


def test_ctrl_c_stops_within_two_seconds(bench: Bench, command: Command) -> None:
    """SIGINT ends a run with status 130 and the command that resumes it."""
    slow = ("--agent", "fake-slow", "--set", "agent.seconds=0.3", "--trials", "50", "--workers", "1")
    process = command("run", "--track", "fake-dialogue", *slow)
    wait_until(lambda: stored(bench) >= 1 or process.poll() is not None, 60, "a trial")
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130, out
    assert time.monotonic() - started < 2
    assert f"run --resume {run_id(bench)}" in out
