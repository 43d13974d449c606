"""Servers and processes: nothing outlives what started it, and what is printed is not taken for what is said."""

import os
import signal

import pytest
from fakes.bench import alive, descendants, wait_until
from fakes.pain import Pain

SERVING = ("run", "--track", "fake-dialogue", "--agent", "pain-serving", "--trials", "200", "--workers", "1")


def server_of(pain: Pain) -> int:
    """Return the process id of the server that an agent in a worker has started."""
    (note,) = wait_until(lambda: list(pain.notes.glob("server-*")), 60, "a server")
    return int(note.name.split("-")[1])


@pytest.mark.parametrize("victim", ["run", "worker"])
def test_python_sdk526_no_server_outlives_its_client(pain: Pain, victim: str) -> None:
    """A server that a component started in a worker is gone when the run or the worker is killed with -9."""
    process = pain.start(*SERVING, "--set", "agent.seconds=0.05")
    server = server_of(pain)
    assert alive(server)
    worker = next(pid for pid in descendants(process.pid) if pid != server)
    os.kill(process.pid if victim == "run" else worker, signal.SIGKILL)
    wait_until(lambda: not alive(server), 30, "the server's end")
    process.kill()
    process.wait()


def test_python_sdk526_a_server_that_was_forgotten_ends_with_the_run(pain: Pain) -> None:
    """A run that ends by itself leaves no process of its workers, though a component never stopped its own."""
    process = pain.start("run", "--track", "fake-dialogue", "--agent", "pain-serving", "--workers", "1")
    server = server_of(pain)
    assert process.wait(60) == 0
    wait_until(lambda: not alive(server), 30, "the server's end")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_esp_idf19087_what_a_component_prints_is_no_protocol(pain: Pain, workers: str) -> None:
    """An agent that prints, even what looks like a frame or a trace, spoils neither its worker nor its trial."""
    process = pain.start("run", "--track", "fake-dialogue", "--agent", "pain-loud", "--workers", workers)
    process.wait(60)
    assert (process.returncode, pain.stored()) == (0, 8)
    assert pain.start("replay").wait(60) == 0


def test_esp_idf19087_a_worker_needs_no_standard_output(pain: Pain, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that closes its process's standard output takes nothing from the run."""
    monkeypatch.setenv("PAIN_CLOSE", "1")
    process = pain.start("run", "--track", "fake-dialogue", "--agent", "pain-loud", "--workers", "1")
    process.wait(60)
    assert (process.returncode, pain.stored()) == (0, 8)
