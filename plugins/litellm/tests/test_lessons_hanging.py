"""Hanging, seen by who runs a model: nothing holds a run, and what was given up is not tried for ever."""

import asyncio
import socket
import threading
import time
from collections import Counter

import pytest
from attrs import evolve
from faults_runs import Runs, faults_of

from recfw.protocols import Facilities
from recfw.testing.provider import StubProvider
from recfw_litellm.client import Client
from recfw_litellm.options import ModelOptions
from recfw_litellm.transports.endpoint import Endpoint
from recfw_litellm.transports.litellm import LiteLLM
from recfw_litellm.wire import Request

BRIEF = ("timeout=0.3", "retries=1", "max_wait=0.05")


@pytest.fixture
def silent_peer():
    """Give the address of a peer that accepts connections and is dead: it never reads and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        server.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in held:
        connection.close()


def test_i2487_i2605_a_dead_peer_holds_a_run_for_its_deadlines_and_no_longer(silent_peer, tmp_path):
    """Four trials, two attempts of two requests each, 0.3 s a request: failed as time-outs within seconds, no score."""
    runs = Runs(tmp_path, silent_peer)
    ended = runs.type(*runs.words(4, *BRIEF, more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 4)
    assert {"timeout": 4} == ended.told["kinds"]
    assert ended.seconds < 8


def test_i5165_trials_that_hang_are_not_run_again_for_ever(model, runs):
    """A trial that hung twice is left alone; the run ends, and says how to go on."""
    model.faulty(1.0, ("hang",))
    ended = runs.type(*runs.words(3, *BRIEF, more=("--no-preflight",)))
    assert Counter({("failed", "timeout", 1): 3, ("failed", "timeout", 2): 3}) == Counter(
        (one.status, one.stop, one.attempt) for one in runs.attempts()
    )
    assert (6, 12) == (ended.status, model.stub.stats.requests)
    assert "3 trials failed (3 timeout), kept apart and never scored as the agent's. Run them again with:" in ended.said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # litellm leaves its first coroutine
def test_l21947_a_deadline_holds_through_litellm_too(model, runs, library):
    """A body that trickles past every read's own time-out is a time-out all the same."""
    model.faulty(1.0, ("trickle",))
    runs.component = "litellm"
    ended = runs.type(*runs.words(1, "retries=0", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 1)
    assert {"timeout": 1} == ended.told["kinds"]


def test_i5138_a_provider_that_asks_for_an_hour_does_not_get_it(model, runs):
    """Retry-After: 3600 once for every request: the run goes on after the longest wait that the options allow."""
    from recfw.testing.provider import Faults

    model.faulty(1.0, ("http_429_seconds",), attempts=1)
    model.stub.change(faults=Faults(retry_after=3600))
    ended = runs.type(*runs.words(5, "max_wait=0.05"))
    assert [] == faults_of(runs, ended, 5)
    assert (0, 5) == (ended.status, ended.told["completed"])
    assert ended.seconds < 20


@pytest.mark.parametrize("kind", [Endpoint, LiteLLM])
def test_i847_connections_are_as_many_as_requests_may_be_under_way(kind, library):
    """No pool of ten or a hundred below the limit: 150 requests are with the provider at a time."""
    with StubProvider() as stub:
        stub.change(latency=3.0)
        options = ModelOptions("openai/stub", stub.url, concurrency=150, timeout=60)
        asked = Request("openai/stub", ({"role": "user", "content": "Hello"},), endpoint=stub.url)

        async def play():
            made = Client(kind(options), options, Facilities())
            async with made.open():
                started = time.monotonic()
                await asyncio.gather(*(made.ask(evolve(asked, params={"seed": n})) for n in range(150)))
                return time.monotonic() - started

        asyncio.run(play())
        assert 150 == stub.stats.peak_in_flight
