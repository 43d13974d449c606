"""
A worker process: ``python -m recfw.executors.child SOCKET LIFELINE``.

The order that comes first says which job it has (:mod:`recfw.executors.jobs`). It ends when its work does, when the
socket closes, or at once when the process that started it is gone: a thread watches the lifeline, a pipe whose other
end only that process holds. It also ends when code blocks its event loop past the deadline of everything that is
awaited in it: another thread sees that, and its trials are handed out again.
"""

import asyncio
import gc
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable

import orjson

from recfw.engine.deadline import overdue
from recfw.errors import RecfwError, words_of
from recfw.executors.logs import inherit_logging
from recfw.executors.wire import Tag, frame, read_frame, split_ticket, with_ticket

BLOCKED = 75
"""Exit status of a worker that ended itself because code blocked it."""

STRIKES = 3
"""How many seconds in a row every awaited call must be overdue: a loop that was merely late has turned by then."""


def _watch(lifeline: int) -> None:
    os.read(lifeline, 1)
    _end_group()


def _end_group() -> None:
    """End this process at once, and with it the servers that its components started."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _watch_loop() -> None:
    """End the process when its loop has been blocked for so long that every awaited call is past its deadline."""
    strikes = 0
    while strikes < STRIKES:
        time.sleep(1.0)
        strikes = strikes + 1 if overdue(time.monotonic()) > 0 else 0
    sys.stderr.write("A worker process ends itself: code in it blocks past its deadline, and cannot be stopped.\n")
    os._exit(BLOCKED)


async def _serve(connection: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    _, order = await read_frame(reader)
    from recfw.executors.jobs import job_of  # noqa: PLC0415 - after the socket stands, so that failures can be told

    tasks: set[asyncio.Task[None]] = set()
    async with job_of(order)(order) as worker:
        gc.freeze()  # what is open now stays as long as this process; a catalog is much for the collector to go through
        writer.write(frame(Tag.READY))

        async def carry_out(payload: bytes) -> None:
            ticket, assignment = split_ticket(payload)
            writer.write(frame(Tag.RESULT, with_ticket(ticket, await worker.run(assignment))))
            await writer.drain()

        while True:
            try:
                _, payload = await read_frame(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            task = asyncio.create_task(carry_out(payload))
            tasks.add(task)
            task.add_done_callback(_finished(tasks))
        for task in tasks:
            task.cancel()


def _finished(tasks: set[asyncio.Task[None]]) -> Callable[[asyncio.Task[None]], None]:
    def settle(task: asyncio.Task[None]) -> None:
        tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            if not isinstance(task.exception(), ConnectionError):  # the run's process is gone
                traceback.print_exception(task.exception())
            _end_group()  # the run's process takes a dead worker's trials back; a half-working one would lose them

    return settle


def _tell(connection: socket.socket, error: BaseException) -> None:
    known = isinstance(error, RecfwError)
    message = error.message if isinstance(error, RecfwError) else f"A worker failed: {words_of(error)}."
    data = {
        "message": message,
        "hint": error.hint if isinstance(error, RecfwError) else "Run with --workers 0 to see where.",
        "code": int(error.code) if isinstance(error, RecfwError) else 6,
    }
    if not known:
        traceback.print_exception(error)
    connection.setblocking(True)
    connection.sendall(frame(Tag.ERROR, orjson.dumps(data)))


def main() -> None:
    """Serve one run until its process lets go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the run's process decides
    inherit_logging(os.environ)
    connection = socket.socket(fileno=int(sys.argv[1]))
    lifeline = int(sys.argv[2])
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    threading.Thread(target=_watch_loop, daemon=True).start()
    told = connection.dup()
    try:
        asyncio.run(_serve(connection))
    except BaseException as error:  # noqa: BLE001 - told to the run's process, which reports it
        _tell(told, error)
    finally:
        if select.select([lifeline], [], [], 0)[0]:  # the socket told first that the run's process is gone
            _end_group()


if __name__ == "__main__":
    main()
