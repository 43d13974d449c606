"""The local executor: the same results in this process and in worker processes, and trouble told in words."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest
from fakes.bench import Bench, alive, descendants, wait_until
from fakes.trouble import note

from recfw.engine.request import OptionValue
from recfw.errors import ExitCode, RecfwError
from recfw.executors.local import LocalExecutor, LocalOptions
from recfw.executors.parcels import Assignment, WorkOrder, unpack_trial
from recfw.executors.pool import DEATHS, _Pool, _Ticket
from recfw.model.run import TrialKey
from recfw.serialize import dumps

Command = Callable[..., Popen[str]]
ONCE = (OptionValue("agent", "times", 1),)


@pytest.mark.parametrize("track", ["fake-dialogue", "fake-pictures", "fake-rounds"])
def test_worker_processes_give_the_same_results(bench: Bench, track: str) -> None:
    """A run in worker processes, started afresh, has the results of one in this process apart from durations."""
    spec = bench.spec(track, trials=2)
    bench.run(spec, "r1")
    bench.workers = 2
    tally = bench.run(spec, "r2")
    assert (tally.failed, tally.completed) == (0, tally.pending)
    assert bench.figures("r2") == bench.figures("r1")


def test_a_killed_worker_loses_nothing(bench: Bench, trouble: Path) -> None:
    """A worker that is killed in mid-run: its trials are played again, the others are not touched."""
    expected = bench.run(bench.spec("fake-dialogue"), "calm")
    bench.workers, bench.concurrency = 1, 4
    tally = bench.run(bench.spec("fake-dialogue", "fake-killer", settings=ONCE), "r1")
    attempts = bench.attempts("r1")
    assert (tally.completed, tally.failed) == (expected.completed, 0)
    assert [figure[1:4] for figure in bench.figures("r1")] == [figure[1:4] for figure in bench.figures("calm")]
    assert attempts["d1"] == [(1, "interrupted", "interrupted"), (2, "completed", "chosen")]


def test_a_trial_that_kills_every_worker_is_given_up(bench: Bench, trouble: Path) -> None:
    """It is recorded as failed, worker_died; those that were played beside it are completed."""
    bench.workers, bench.concurrency = 1, 8
    tally = bench.run(bench.spec("fake-dialogue", "fake-killer"))
    assert (tally.completed, tally.failed, tally.kinds) == (7, 1, {"worker_died": 1})
    last = bench.attempts()["d1"][-1]
    assert last[1:] == ("failed", "worker_died")
    assert [row[1] for row in bench.figures() if "/d1/" not in row[0]] == ["completed"] * 7


def test_a_worker_whose_code_blocks_ends_itself(bench: Bench, trouble: Path) -> None:
    """Code that blocks a worker's loop past its deadline costs the worker; its trial is played again."""
    limits = (OptionValue("limits", "seconds.agent", 0.2), OptionValue("limits", "world_seconds", 0.5))
    bench.workers, bench.concurrency = 1, 1
    tally = bench.run(bench.spec("fake-dialogue", "fake-blocker", tasks=("d1",), settings=(*ONCE, *limits)))
    assert (tally.completed, tally.failed) == (1, 0)
    assert bench.attempts()["d1"] == [(1, "interrupted", "interrupted"), (2, "completed", "chosen")]


def test_a_trial_that_blocks_every_worker_is_given_up_in_words(bench: Bench) -> None:
    """The failed trial says that its code blocked."""
    spec = bench.spec("fake-dialogue")
    key = TrialKey(spec.cells[0].name, "d1", 0)
    delivered: list[bytes] = []
    pool = _Pool(dumps(WorkOrder(spec, "", "")), (), delivered.append, 1)
    pool.give_back(_Ticket(0, dumps(Assignment(key, 2)), DEATHS - 1), blocked=True)
    assert unpack_trial(delivered[0]).error == (
        "2 worker processes died while they played this trial; "
        "the last one ended itself because code in it blocked past its deadline"
    )


def test_components_that_cannot_open_are_told_from_a_worker(bench: Bench) -> None:
    """What is wrong names the component and its plugin, whatever the process that found it."""
    bench.workers = 1
    with pytest.raises(RecfwError, match=r"agent 'fake-unmade' \(plugin fakes.trouble\) cannot be made: SystemExit: 0"):
        bench.run(bench.spec("fake-dialogue", "fake-unmade"))


def test_a_worker_closes_what_it_opened(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    """When all trials are played, a worker's components are closed; what fails then is a warning."""
    bench.workers = 1
    trouble = (OptionValue("agent", "what", "raise at close"),)
    tally = bench.run(bench.spec("fake-dialogue", "fake-opened", settings=trouble))
    words = "Warning: agent 'fake-opened' (plugin fakes.trouble) fails to close: ZeroDivisionError: close.\n"
    assert (tally.completed, capfd.readouterr().err) == (8, words)


def test_a_worker_that_cannot_be_set_up_is_told(bench: Bench) -> None:
    """What a component says when it opens reaches the caller in its own words, with its exit status."""
    bench.workers = 2
    with pytest.raises(RecfwError) as caught:
        bench.run(bench.spec("fake-dialogue", "fake-unready"))
    assert str(caught.value) == "the model server is not up. Start it with: serve up"
    assert caught.value.code is ExitCode.INFRASTRUCTURE


def test_a_worker_without_the_plugin_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process that cannot find the track says what is missing."""
    spec = bench.spec("fake-dialogue")
    monkeypatch.setenv("RECFW_PLUGINS", "")
    bench.workers = 1
    with pytest.raises(RecfwError) as caught:
        bench.run(spec)
    assert str(caught.value).startswith("no track 'fake-dialogue' (known: none).")


def test_no_worker_outlives_a_killed_run(command: Command, trouble: Path) -> None:
    """When the run's process is killed with -9, its workers are gone within two seconds."""
    slow = ("--agent", "fake-slow", "--set", "agent.seconds=30", "--workers", "2")
    process = command("run", "--track", "fake-dialogue", *slow)
    workers = wait_until(lambda: len(found := descendants(process.pid)) >= 2 and found, 30, "two workers")
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(map(alive, workers)), 2, "no orphan")


def test_concurrency_is_bounded(bench: Bench) -> None:
    """No more than so many episodes are played at a time."""
    active, most = [0], [0]

    class Worker:
        async def run(self, key: bytes) -> bytes:
            active[0] += 1
            most[0] = max(most[0], active[0])
            await asyncio.sleep(0.01)
            active[0] -= 1
            return key

    async def main() -> list[bytes]:
        delivered: list[bytes] = []
        waiting = iter([bytes([n]) for n in range(20)])
        await asyncio.gather(*(LocalExecutor._lane(Worker(), waiting, delivered.append) for _ in range(3)))
        return delivered

    assert sorted(asyncio.run(main())) == [bytes([n]) for n in range(20)]
    assert most == [3]


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"workers": -1}])
def test_impossible_options_are_refused(options: dict[str, int]) -> None:
    """At least one episode at a time, and no negative number of processes."""
    with pytest.raises(ValueError, match=next(iter(options))):
        LocalOptions(**options)


def test_notes_are_counted(trouble: Path) -> None:
    """The troublemakers count across processes by files."""
    assert [note("x"), note("x"), note("y")] == [1, 2, 1]
    assert os.environ["FAKES_NOTES"] == str(trouble)
