"""Runs of the fake tracks in a store of their own, conducted in this process or by the command in another."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.bench import Bench

from recfw.registry import Registry
from recfw.testing.project import hear_interrupts


@pytest.fixture
def bench(trouble_registry: Registry, trouble: Path, tmp_path: Path) -> Bench:
    """A bench that plays in this process."""
    return Bench(trouble_registry, tmp_path)


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """A function that starts the recfw command in a process of its own; what is left of it is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        place = ("--store", str(tmp_path / "runs.db"))
        process = subprocess.Popen(
            [sys.executable, "-m", "recfw.cli.main", *words, *place],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path, env=dict(os.environ),
            preexec_fn=hear_interrupts,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()
