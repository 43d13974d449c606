"""Deadlines that hold: against code that swallows cancellation, blocks a thread, or raises SystemExit."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class DeadlineError(Exception):
    """The time given to an outside call is over; the call was abandoned."""


LINGER = 1.0
"""Seconds that an abandoned call has to clean up before it is closed; a loop at its end would wait for it for ever."""


async def within(seconds: float, work: Callable[[], Awaitable[T]]) -> T:
    """
    Call and await outside code, at most this long.

    The code runs in a task of its own, which is cancelled and abandoned when its time is over, so that code which
    swallows cancellation cannot hold the caller. SystemExit and KeyboardInterrupt raised by it become RuntimeError.

    Raises:
        DeadlineError: The time is over.
    """
    if seconds <= 0:
        raise DeadlineError("no time left")
    task = asyncio.get_running_loop().create_task(_contained(work))
    try:
        await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        _abandon(task)
        raise
    if task.done():
        if task.cancelled():
            raise RuntimeError("the call cancelled itself")
        return task.result()
    _abandon(task)
    raise DeadlineError(f"more than {seconds:g} s")


async def _contained(work: Callable[[], Awaitable[T]]) -> T:
    try:
        return await work()
    except (SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(f"{type(error).__name__} raised by outside code") from error


def _abandon(task: asyncio.Task[Any]) -> None:
    task.cancel()
    task.add_done_callback(_forget)
    asyncio.get_running_loop().call_later(LINGER, _close, task)


def _close(task: asyncio.Task[Any]) -> None:
    """End code that goes on after it was cancelled; only code that swallows even GeneratorExit survives this."""
    coroutine = task.get_coro()
    if not task.done() and inspect.iscoroutine(coroutine):
        with suppress(Exception):
            coroutine.close()
        task.cancel()


def _forget(task: asyncio.Task[Any]) -> None:
    """Take an abandoned task's exception, so that nobody is told that it was never read."""
    if not task.cancelled():
        task.exception()


async def in_thread(function: Callable[..., T], *arguments: object) -> T:
    """
    Run blocking code in a daemon thread of its own and await it.

    A pool's threads would be joined at exit, so one that never returns would hold the process for ever.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)  # type: ignore[arg-type]  # the function's own result, None included
        else:
            future.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def work() -> None:
        value, failure = None, None
        try:
            value = function(*arguments)
        except BaseException as error:  # noqa: BLE001 - carried to whoever awaits
            failure = error
        try:
            loop.call_soon_threadsafe(settle, value, failure)
        except RuntimeError:
            return  # the loop closed while this thread was still working: nobody waits any more

    threading.Thread(target=work, daemon=True, name="recfw-blocking").start()
    return await future
