"""
Worker processes: started afresh (nothing live is inherited), fed one assignment at a time, replaced when they die.

A worker that dies takes its assignments in flight with it: each is handed out again, and one that has seen several
workers die is given up, with the result that its job has for that. A worker whose code blocks it past every deadline
ends itself (:mod:`recfw.executors.child`), which is a death like another.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import starmap
from typing import Any

import orjson
from attrs import define

from recfw.engine.stage import CLOSE_SECONDS
from recfw.errors import ExitCode, InfrastructureError, RecfwError
from recfw.executors.child import BLOCKED
from recfw.executors.jobs import job_of
from recfw.executors.wire import Tag, frame, read_frame, split_ticket, with_ticket

LOG = logging.getLogger(__name__)
DEATHS = 2
"""How many workers a trial may see die before it is given up."""

GRACE = 1.0
"""Seconds that a worker has to leave before it is killed, beside those in which its components may close."""


@define
class _Ticket:
    """An assignment that was handed out, and how many workers it has seen die."""

    number: int
    assignment: bytes
    deaths: int = 0


class _Pool:
    """What is to be done and what came back from dead workers."""

    def __init__(self, order: bytes, waiting: Iterable[bytes], deliver: Callable[[bytes], None], each: int) -> None:
        self.order, self.deliver, self.each = order, deliver, each
        self.returned: deque[_Ticket] = deque()
        self._job = job_of(order)
        self._waiting = starmap(_Ticket, enumerate(waiting))

    def next(self) -> _Ticket | None:
        """Return the next assignment: first those that came back from a dead worker."""
        return self.returned.popleft() if self.returned else next(self._waiting, None)

    def beside(self, first: _Ticket) -> _Ticket | None:
        """
        Return a further assignment for a process that was started for ``first``.

        A process that plays trials which saw a worker die plays nothing else, and one at a time, so that the one that
        kills takes no other with it.
        """
        if first.deaths:
            return self.returned.popleft() if self.returned else None
        return next(self._waiting, None)

    def give_back(self, ticket: _Ticket, *, blocked: bool) -> None:
        """Take an assignment back from a dead worker; ``blocked`` tells whether it ended itself as code blocked it."""
        ticket.deaths += 1
        if ticket.deaths < DEATHS:
            ticket.assignment = self._job.again(ticket.assignment)
            self.returned.append(ticket)
            return
        cause = "; the last one ended itself because code in it blocked past its deadline" if blocked else ""
        self.deliver(self._job.given_up(self.order, ticket.assignment, ticket.deaths, cause))


async def run_pool(
    order: bytes, keys: Iterable[bytes], deliver: Callable[[bytes], None], *, workers: int, each: int
) -> None:
    """
    Have every assignment carried out by worker processes.

    Args:
        order: A packed order, of any job.
        keys: Packed assignments.
        deliver: Takes packed results, in this process.
        workers: How many processes.
        each: How many assignments one process carries out at a time.

    Raises:
        RecfwError: A worker could not set itself up, or workers die before they play anything.
    """
    pool = _Pool(order, keys, deliver, each)
    tasks = [asyncio.create_task(_keep_one(pool)) for _ in range(workers)]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
    while pool.returned:
        await _keep_one(pool)


async def _keep_one(pool: _Pool) -> None:
    """Keep one worker process alive until there is nothing left to do."""
    while (first := pool.next()) is not None:
        await _serve(pool, first)


async def _serve(pool: _Pool, first: _Ticket) -> None:
    """Feed one process until there is nothing for it to do, or it dies."""
    async with _process() as (child, reader, writer):
        LOG.info("worker %d started", child.pid)
        writer.write(frame(Tag.ORDER, pool.order))
        busy: dict[int, _Ticket] = {}
        ready = False
        try:
            tag, payload = await read_frame(reader)
            if tag is Tag.ERROR:
                pool.returned.append(first)
                raise _as_error(payload)
            ready = True
            _assign(writer, busy, first)
            each = 1 if first.deaths else pool.each
            while len(busy) < each and (more := pool.beside(first)) is not None:
                _assign(writer, busy, more)
            while busy:
                tag, payload = await read_frame(reader)
                number, result = split_ticket(payload)
                del busy[number]
                pool.deliver(result)
                if (more := pool.beside(first)) is not None:
                    _assign(writer, busy, more)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            if not ready:
                pool.returned.append(first)
                message = "A worker process died while it was setting up."
                raise InfrastructureError(message, "Run with --workers 0 to see why.") from None
            status = await _status(child)
            LOG.info("worker %d died (status %s), with %d assignments in flight", child.pid, status, len(busy))
            blocked = status == BLOCKED
            for ticket in busy.values():
                pool.give_back(ticket, blocked=blocked)


def _assign(writer: asyncio.StreamWriter, busy: dict[int, _Ticket], ticket: _Ticket) -> None:
    busy[ticket.number] = ticket
    writer.write(frame(Tag.ASSIGNMENT, with_ticket(ticket.number, ticket.assignment)))


def _as_error(payload: bytes) -> RecfwError:
    data: dict[str, Any] = orjson.loads(payload)
    error = RecfwError(data["message"], data["hint"])
    error.code = ExitCode(data["code"])
    return error


@contextlib.asynccontextmanager
async def _process() -> AsyncIterator[tuple[asyncio.subprocess.Process, asyncio.StreamReader, asyncio.StreamWriter]]:
    ours, theirs = socket.socketpair()
    alive, lifeline = os.pipe()
    try:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "recfw.executors.child", str(theirs.fileno()), str(alive)),
            pass_fds=(theirs.fileno(), alive),
            stdin=asyncio.subprocess.DEVNULL,
            process_group=0,  # Ctrl-C reaches the run's own process alone, which decides
        )
    finally:
        theirs.close()
        os.close(alive)
    try:
        reader, writer = await asyncio.open_connection(sock=ours, limit=1 << 20)
        try:
            yield child, reader, writer
        finally:
            writer.close()  # and with it the socket, by which the worker knows that there is no more work
    except BaseException:
        await _reap(child, GRACE)
        raise
    else:
        await _reap(child, CLOSE_SECONDS + GRACE)  # its components may have something to close
    finally:
        os.close(lifeline)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # whatever its components started and did not stop


async def _status(child: asyncio.subprocess.Process) -> int | None:
    """Return the exit status of a worker that is about to end; None where it takes too long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            return await child.wait()
    return None


async def _reap(child: asyncio.subprocess.Process, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await child.wait()
    except (TimeoutError, asyncio.CancelledError):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)  # Process.kill polls first, and takes the status from the loop's waiter
        await child.wait()
