"""`recfw replay` in worker processes: the same differences in the same order, and a trial that kills is named."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.bench import Bench, alive, descendants, wait_until

from recfw.engine.request import OptionValue
from recfw.errors import ExitCode
from recfw.executors.replays import sample
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.testing.project import Typed, hear_interrupts

Recfw = Callable[..., Typed]
NEVER = (OptionValue("agent", "times", 0),)
NOTED = (OptionValue("agent", "seconds", 0.0), OptionValue("agent", "times", 99))


@pytest.fixture
def bench(trouble_registry: Registry, trouble: Path, tmp_path: Path) -> Bench:
    """A bench on the store that the command has by default."""
    return Bench(trouble_registry, tmp_path)


def altered(bench: Bench, *tasks: str) -> None:
    """Alter the stored endings of tasks."""
    with sqlite3.connect(bench.place) as connection:
        for task in tasks:
            connection.execute("UPDATE trial SET stop = 'gone' WHERE task_id = ?", (task,))
    connection.close()


def test_workers_find_the_same(bench: Bench, recfw: Recfw) -> None:
    """Differences come in the order of trials, however many processes find them."""
    bench.run(bench.spec("fake-dialogue", trials=3))
    altered(bench, "d7", "d2", "d5")
    alone = recfw("replay", "--workers", "0")
    assert (alone.status, len(alone.out.splitlines())) == (ExitCode.FOUND, 10)
    assert recfw("replay", "--workers", "2").out == alone.out


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_trial_that_cannot_be_replayed_is_named(bench: Bench, recfw: Recfw, workers: str) -> None:
    """What breaks in one trial's world is a finding of that trial; the others are replayed."""
    bench.run(bench.spec("fake-dialogue", "fake-flaky", settings=NEVER))
    with sqlite3.connect(bench.place) as connection:
        connection.execute("UPDATE run SET spec = replace(spec, '\"times\":0', '\"times\":-1')")
    connection.close()
    found = recfw("replay", "--workers", workers)
    assert found.status == ExitCode.FOUND
    assert found.out.splitlines()[0].startswith("fake-flaky/d1/0: it cannot be replayed: ")
    assert "the provider is down" in found.out
    assert found.out.splitlines()[1].endswith(": 8 trials replayed, 1 difference.")


def test_a_trial_that_kills_its_worker_is_named(bench: Bench, recfw: Recfw) -> None:
    """A trial whose replay kills every worker is told as one that cannot be replayed; no other trial suffers."""
    bench.run(bench.spec("fake-dialogue", "fake-killer", settings=NEVER))
    with sqlite3.connect(bench.place) as connection:
        connection.execute("UPDATE run SET spec = replace(spec, '\"times\":0', '\"times\":-1')")
    connection.close()
    found = recfw("replay", "--workers", "1", "--json")
    *findings, summary = map(json.loads, found.out.splitlines())
    words = "fake-killer/d1/0: it cannot be replayed: 2 worker processes died while they replayed this trial"
    assert [(finding["kind"], finding["trial"], finding["words"]) for finding in findings] == [
        ("failure", "fake-killer/d1/0", words)
    ]
    assert summary == {"kind": "summary", "run": "r1", "asked": 8, "replayed": 8, "differences": 1}


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_model_that_cannot_be_opened_is_not_needed(
    bench: Bench, recfw: Recfw, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """A replay opens neither models nor judges: what they said is in the store."""
    bench.run(bench.spec("fake-dialogue", "fake-distant"))
    monkeypatch.setenv("FAKES_DOWN", "1")
    assert "8 trials replayed, no difference" in recfw("replay", "--workers", workers).out
    assert "the model server is not up" in recfw("run", "--track", "fake-dialogue", "--agent", "fake-distant").err


def test_json_says_what_differs(bench: Bench, recfw: Recfw) -> None:
    """Every difference is a line of JSON with its trial, its place and both sides; the last line counts."""
    bench.run(bench.spec("fake-dialogue"))
    altered(bench, "d2")
    found = recfw("replay", "--json")
    first, summary = map(json.loads, found.out.splitlines())
    assert {name: first[name] for name in ("kind", "event", "part", "stored", "replayed")} == {
        "kind": "difference",
        "event": None,
        "part": "record",
        "stored": 'stop = "gone"',
        "replayed": 'stop = "chosen"',
    }
    assert (first["trial"].split("/")[1], summary["differences"]) == ("d2", 1)


def test_only_the_first_are_told_to_people(bench: Bench, recfw: Recfw) -> None:
    """Of many differences twenty are printed, with how to get all; scripts get all."""
    bench.run(bench.spec("fake-dialogue", trials=3))
    altered(bench, *(f"d{number}" for number in range(8)))
    *lines, more, last = recfw("replay").out.splitlines()
    assert (len(lines), more) == (20, "… and 4 more (--json gives all)")
    assert last.endswith(": 24 trials replayed, 24 differences.")
    assert len(recfw("replay", "--json").out.splitlines()) == 25


def test_a_sample_is_always_the_same() -> None:
    """A sample is drawn by the trials' names alone and kept in their order."""
    keys = [TrialKey("c", f"t{number}", trial) for number in range(30) for trial in range(2)]
    drawn = sample(keys, 7, seed=0)
    assert (len(drawn), drawn) == (7, sorted(drawn))
    assert drawn == sample(keys[::-1], 7, seed=0)
    assert drawn != sample(keys, 7, seed=1)
    assert sample(keys, 99, seed=0) == sorted(keys)


def test_sample_and_trial_exclude_each_other(bench: Bench, recfw: Recfw) -> None:
    """Both say which trials are replayed."""
    bench.run(bench.spec("fake-dialogue"))
    assert "3 trials replayed, no difference" in recfw("replay", "--sample", "3").out
    refused = recfw("replay", "--sample", "3", "--trial", "d1")
    assert (refused.status, refused.err) == (
        ExitCode.USAGE,
        "Error: --trial and --sample exclude each other. Leave one of them out.\n",
    )


@pytest.mark.parametrize("workers", ["0", "2"])
def test_ctrl_c_stops_a_replay(bench: Bench, trouble: Path, workers: str) -> None:
    """One Ctrl-C ends a replay in words with status 130, and no worker is left."""
    bench.run(bench.spec("fake-dialogue", "fake-slow", settings=NOTED))
    with sqlite3.connect(bench.place) as connection:
        connection.execute("UPDATE run SET spec = replace(spec, '\"seconds\":0.0', '\"seconds\":0.4')")
    connection.close()
    played = len(list(trouble.iterdir()))
    command = [sys.executable, "-m", "recfw.cli.main", "replay", "--store", bench.place, "--workers", workers]
    pipes: dict[str, Any] = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "env": dict(os.environ),
    }
    process = subprocess.Popen(command, **pipes, preexec_fn=hear_interrupts)
    wait_until(lambda: len(list(trouble.iterdir())) > played, 30, "a replayed reply")
    below = [process.pid, *descendants(process.pid)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "replayed, no difference." in out
    assert err.startswith("Interrupted: ")
    wait_until(lambda: not any(map(alive, below)), 2, "no orphan")
