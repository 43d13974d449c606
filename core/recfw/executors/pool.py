"""
Worker processes: started afresh (nothing live is inherited), fed one assignment at a time, replaced when they die.

A worker that dies takes its trials in flight with it: each is handed out again, and one that has seen several workers
die is recorded as a failure of infrastructure. A worker whose code blocks it past every deadline ends itself
(:mod:`recfw.executors.child`), which is a death like another.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

import orjson
from attrs import define, evolve, field

from recfw.engine.limits import INFRASTRUCTURE
from recfw.engine.stage import CLOSE_SECONDS
from recfw.errors import ExitCode, InfrastructureError, RecfwError
from recfw.executors.child import BLOCKED
from recfw.executors.parcels import Assignment, WorkOrder, pack_trial
from recfw.executors.wire import Tag, frame, read_frame
from recfw.model.run import Status, Trial
from recfw.model.trace import EndEvent
from recfw.serialize import dumps, event_line, loads, pack_trace

DEATHS = 2
"""How many workers a trial may see die before it is given up."""

GRACE = 1.0
"""Seconds that a worker has to leave before it is killed, beside those in which its components may close."""


@define
class _Pool:
    order: bytes
    waiting: Iterator[bytes]
    deliver: Callable[[bytes], None]
    each: int
    returned: deque[bytes] = field(factory=deque)
    deaths: dict[str, int] = field(factory=dict)

    def next(self) -> bytes | None:
        """Return the next assignment: first those that came back from a dead worker."""
        return self.returned.popleft() if self.returned else next(self.waiting, None)

    def beside(self, first: bytes) -> bytes | None:
        """
        Return a further assignment for a process that was started for ``first``.

        A process that plays trials which saw a worker die plays nothing else, and one at a time, so that the one that
        kills takes no other with it.
        """
        if self.suspect(first):
            return self.returned.popleft() if self.returned else None
        return next(self.waiting, None)

    def suspect(self, assignment: bytes) -> bool:
        """Tell whether a worker died while it played this trial."""
        return str(loads(assignment, Assignment).key) in self.deaths

    def give_back(self, assignment: bytes, *, blocked: bool) -> None:
        """Take an assignment back from a dead worker; ``blocked`` tells whether it ended itself as code blocked it."""
        asked = loads(assignment, Assignment)
        key = str(asked.key)
        self.deaths[key] = self.deaths.get(key, 0) + 1
        if self.deaths[key] < DEATHS:
            self.returned.append(dumps(evolve(asked, attempt=asked.attempt + 1)))
            return
        seed = asked.key.seed(loads(self.order, WorkOrder).spec.seed)
        why = "; the last one ended itself because code in it blocked past its deadline" if blocked else ""
        error = f"{DEATHS} worker processes died while they played this trial{why}"
        trace = pack_trace([event_line(EndEvent(INFRASTRUCTURE, {}, error))])
        failed = Trial(asked.key, asked.attempt, seed, Status.FAILED, "worker_died", error, events=1, trace=trace)
        self.deliver(pack_trial(failed))


async def run_pool(
    order: bytes, keys: Iterable[bytes], deliver: Callable[[bytes], None], *, workers: int, each: int
) -> None:
    """
    Run every assignment in worker processes.

    Args:
        order: A packed work order.
        keys: Packed assignments.
        deliver: Takes packed trials, in this process.
        workers: How many processes.
        each: How many episodes one process plays at a time.

    Raises:
        RecfwError: A worker could not set itself up, or workers die before they play anything.
    """
    pool = _Pool(order, iter(keys), deliver, each)
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


async def _serve(pool: _Pool, first: bytes) -> None:
    """Feed one process until there is nothing for it to do, or it dies."""
    async with _process() as (child, reader, writer):
        writer.write(frame(Tag.ORDER, pool.order))
        busy: dict[str, bytes] = {}
        ready = False
        try:
            tag, payload = await read_frame(reader)
            if tag is Tag.ERROR:
                pool.returned.append(first)
                raise _as_error(payload)
            ready = True
            _assign(writer, busy, first)
            each = 1 if pool.suspect(first) else pool.each
            while len(busy) < each and (more := pool.beside(first)) is not None:
                _assign(writer, busy, more)
            while busy:
                tag, payload = await read_frame(reader)
                busy.pop(_name_of(payload), None)
                pool.deliver(payload)
                if (more := pool.beside(first)) is not None:
                    _assign(writer, busy, more)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            if not ready:
                pool.returned.append(first)
                message = "A worker process died while it was setting up."
                raise InfrastructureError(message, "Run with --workers 0 to see why.") from None
            blocked = await _status(child) == BLOCKED
            for assignment in busy.values():
                pool.give_back(assignment, blocked=blocked)


def _assign(writer: asyncio.StreamWriter, busy: dict[str, bytes], assignment: bytes) -> None:
    busy[str(loads(assignment, Assignment).key)] = assignment
    writer.write(frame(Tag.ASSIGNMENT, assignment))


def _name_of(payload: bytes) -> str:
    length = int.from_bytes(payload[:4], "big")
    key = orjson.loads(payload[4 : 4 + length])["trial"]["key"]
    return f"{key['cell']}/{key['task']}/{key['trial']}"


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
