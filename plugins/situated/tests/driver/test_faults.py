"""A server that misbehaves: each fault is an infrastructure failure within the deadline, and the next try works."""

import asyncio
import socket
import threading
import time

import pytest
from tiny_scene import tiny_scene

from recfw.errors import InfrastructureError
from recfw_situated.driver.link import Link
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.views.frame import Frame

DEADLINE = 1.0


def look(server, **faults):
    """Open a store, let the server misbehave from then on, and take a picture twice, the second time without faults."""

    async def go():
        store = UnrealStore(tiny_scene(), "127.0.0.1", server.port, seconds=DEADLINE, trusted=True)
        await store.open()
        await store.frame(64, 48, rgb=True)
        server.faults.update(faults)
        started = time.monotonic()
        try:
            await store.frame(64, 48, rgb=True)
        except InfrastructureError as error:
            failure, took = error, time.monotonic() - started
        else:
            failure, took = None, 0.0
        server.faults.clear()
        again = await store.frame(64, 48, rgb=True)
        await store.close()
        return failure, took, again

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("hang", "timeout", "did not answer"),
        ("drop", "connection", "broke off"),
        ("half", "connection", "broke off"),
        ("wrong id", "connection", "ID mismatch"),
        ("wrong size", "picture", "32x24"),
    ],
)
def test_a_fault_of_the_server_ends_the_request_in_words_within_the_deadline(serve, fault, kind, words):
    """Whatever the server does to a picture, the request fails in time, and a new client works afterwards."""
    failure, took, again = look(serve(), object_mask=fault)
    assert (failure.kind, words in str(failure), took < DEADLINE + 1.0) == (kind, True, True)
    assert isinstance(again, Frame)


@pytest.mark.parametrize(
    ("what", "fault", "words"),
    [
        ("object_mask", "broken png", "mask picture is no readable PNG"),
        ("lit", "broken png", "colour picture is no readable PNG"),
        ("depth", "truncated npy", "depth picture is no readable NPY"),
        ("depth", "wrong size", "depth picture is 32x24"),
    ],
)
def test_a_broken_picture_is_told_by_name(serve, what, fault, words):
    """A picture that cannot be decoded is an infrastructure failure that names the picture."""
    failure, _, _ = look(serve(), **{what: fault})
    assert (failure.kind, words in str(failure)) == ("picture", True)


def test_an_error_message_in_place_of_a_picture_is_quoted(serve):
    """A server that answers in words has its words shown."""
    server = serve()
    server.lacks = ("object_mask",)
    failure, _, _ = look_once(server)
    assert "No handler found" in str(failure)


def look_once(server):
    """Take one picture that must fail."""

    async def go():
        store = UnrealStore(tiny_scene(), "127.0.0.1", server.port, seconds=DEADLINE, trusted=True)
        await store.open()
        with pytest.raises(InfrastructureError) as caught:
            await store.frame(64, 48)
        await store.close()
        return caught.value, 0.0, None

    return asyncio.run(go())


def test_each_failure_makes_a_new_client(serve):
    """After a time-out the old connection is never used again: its late answers would be taken for later ones."""
    server = serve()
    look(server, object_mask="hang")
    assert server.connections == 2


def test_the_loop_turns_while_a_server_hangs(serve):
    """A blocking client runs in a thread, so other episodes go on."""
    server = serve(faults={"hang me": "hang"})

    async def go():
        link, ticks = Link("127.0.0.1", server.port, seconds=DEADLINE), 0
        task = asyncio.create_task(link.ask(["vget /hang me"]))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await link.close()
        return ticks, isinstance(task.exception(), InfrastructureError)

    ticks, failed = asyncio.run(go())
    assert (ticks > 10, failed) == (True, True)


def test_a_cancelled_request_leaves_no_thread_behind(serve):
    """Cancelling a trial lets go of the connection and of the threads that served it."""
    server = serve(faults={"hang me": "hang"})

    async def go():
        link = Link("127.0.0.1", server.port, seconds=30.0)
        await link.open()
        task = asyncio.create_task(link.ask(["vget /hang me"]))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    before = threading.active_count()
    asyncio.run(go())
    end = time.monotonic() + 3
    while threading.active_count() > before + 1 and time.monotonic() < end:  # + 1: the server's own sleeps on
        time.sleep(0.02)
    assert threading.active_count() <= before + 1


def nobody():
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def connect_failure(port, seconds=0.5):
    """Return the error of connecting to a port."""

    async def go():
        with pytest.raises(InfrastructureError) as caught:
            await Link("127.0.0.1", port).open(seconds)
        return str(caught.value)

    return asyncio.run(go())


def test_a_port_where_nobody_listens_is_told_as_such():
    """A refused connection says so, with the address."""
    port = nobody()
    assert f"Nothing answers at 127.0.0.1:{port}" in connect_failure(port)


def test_another_service_on_the_port_is_quoted(serve):
    """Another magic than UnrealCV's is another service, whose first line is shown."""
    words = connect_failure(serve(greeting=b"SSH-2.0-OpenSSH_9.2\r\n").port)
    assert "Another service listens" in words
    assert "SSH-2.0-OpenSSH_9.2" in words


def test_a_silent_service_is_told_after_the_deadline(serve):
    """A server that accepts and says nothing does not hold the run."""
    server = serve(greeting=None)
    assert "hangs up at once" in connect_failure(server.port) or "says nothing" in connect_failure(server.port)


def test_nothing_is_printed(serve, capfd):
    """The client's chatter reaches neither stdout nor stderr, even when connections fail."""
    look(serve(), object_mask="drop")
    connect_failure(nobody())
    assert capfd.readouterr() == ("", "")
