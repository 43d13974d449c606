"""
Outside code, contained: deadlines that hold, and nothing raised that could pass for the engine's own control flow.

Code that swallows cancellation, blocks a thread, or raises SystemExit cannot hold or end the run. Code that blocks the
event loop itself cannot be stopped from within; :func:`overdue` lets another thread see it.
"""

import asyncio
import ctypes
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Any, Generic, TypeVar

from recfw.errors import words_of

T = TypeVar("T")


class DeadlineError(Exception):
    """The time given to an outside call is over; the call was abandoned."""


class Passing(BaseException):
    """Control flow of the framework's own that outside code is in the midst of; no containment takes it for a fault."""


class Interrupted(Passing, KeyboardInterrupt):
    """The run is to stop while outside code blocks the event loop; raised in it by a signal handler."""


LINGER = 1.0
"""Seconds that an abandoned call has to clean up before it is closed; a loop at its end would wait for it for ever."""

_PENDING: dict[int, float] = {}
"""When each call that is awaited now must be over, by the monotonic clock."""


def overdue(now: float) -> float:
    """
    Return for how many seconds every awaited call has been past its deadline; 0 where one is not, or none is awaited.

    A loop that turns ends a call at its deadline. So this grows only while something blocks the loop, and whatever that
    is has had its time.
    """
    latest = max(list(_PENDING.values()), default=now)
    return max(0.0, now - latest)


@contextmanager
def allowing(seconds: float) -> Iterator[None]:
    """Let code that runs in the loop's own thread take this long before :func:`overdue` tells of it."""
    mark = object()
    _PENDING[id(mark)] = time.monotonic() + seconds
    try:
        yield
    finally:
        del _PENDING[id(mark)]


async def within(seconds: float, work: Callable[[], Awaitable[T]], excused: Callable[[], float] = lambda: 0.0) -> T:
    """
    Call and await outside code, at most this long.

    The code runs in a task of its own, which is cancelled and abandoned when its time is over, so that code which
    swallows cancellation cannot hold the caller. What it raises beside ordinary exceptions (SystemExit, GeneratorExit,
    a BaseException of its own) becomes RuntimeError.

    Args:
        seconds: How long.
        work: Makes what is awaited.
        excused: How many seconds so far do not count.

    Raises:
        DeadlineError: The time is over.
    """
    if seconds <= 0:
        raise DeadlineError("no time left")
    call = _Call(work)
    task = asyncio.get_running_loop().create_task(call.run())
    started = time.monotonic()
    end = started + seconds
    try:
        while not task.done() and (left := end - time.monotonic()) > 0:
            _PENDING[id(call)] = end
            await asyncio.wait((task,), timeout=left)
            end = started + seconds + excused()
    except asyncio.CancelledError:
        call.abandon(task)
        raise
    finally:
        _PENDING.pop(id(call), None)
    if task.done():
        return _result(task)
    call.abandon(task)
    raise DeadlineError(f"more than {seconds:g} s")


def _result(task: asyncio.Task[T]) -> T:
    if task.cancelled():
        raise RuntimeError("the call cancelled itself")
    return task.result()


class _Call(Generic[T]):
    """One call of outside code, driven step by step, so that it can be left behind for good."""

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._steps: Any = None
        self._left = False

    async def run(self) -> T:
        """Run it to its end."""
        return await self

    def __await__(self) -> Generator[Any, Any, T]:
        step, value = self._first, None
        while True:
            try:
                waits = step(value)
            except StopIteration as end:
                result: T = end.value
                return result
            except (Exception, asyncio.CancelledError, Passing):
                raise
            except BaseException as error:
                raise RuntimeError(f"{type(error).__name__} raised by outside code: {error}") from error
            try:
                value = yield waits
                step = self._steps.send
            except BaseException as error:  # cancelled, or closed
                if self._left:
                    self._drop()
                    raise
                step, value = self._steps.throw, error

    def _first(self, _: None) -> Any:
        try:
            found: Any = self._work()
        except StopIteration as error:
            raise RuntimeError("StopIteration raised by outside code") from error
        if not isinstance(found, Awaitable):
            raise TypeError(f"{type(found).__name__} was returned, which cannot be awaited")
        self._steps = found.__await__()
        return next(self._steps)

    def abandon(self, task: asyncio.Task[Any]) -> None:
        """Cancel the call; leave it behind where it goes on for longer than ``LINGER``."""
        task.cancel()
        task.add_done_callback(_forget)
        asyncio.get_running_loop().call_later(LINGER, self._leave, task)

    def _leave(self, task: asyncio.Task[Any]) -> None:
        """Cancel code that went on after it was cancelled, and this time end it."""
        self._left = True
        task.cancel()

    def _drop(self) -> None:
        """
        Close the code, and never touch it again where it goes on even then.

        The interpreter would close it once more when it frees it, say so on stderr, and perhaps never come back:
        outside a loop, code that swallows everything turns for ever. So it is kept from being freed.
        """
        told, sys.unraisablehook = sys.unraisablehook, lambda _: None
        try:
            self._steps.close()
        except BaseException:  # noqa: BLE001 - whatever such code raises
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._steps))
        finally:
            sys.unraisablehook = told


def _forget(task: asyncio.Task[Any]) -> None:
    """Take an abandoned task's exception, so that nobody is told that it was never read."""
    if not task.cancelled():
        task.exception()


@asynccontextmanager
async def held(
    make: Callable[[], AbstractAsyncContextManager[T]],
    *,
    opening: float,
    closing: float,
    failed: Callable[[Exception], None] | None = None,
) -> AsyncIterator[T]:
    """
    Hold an outside context manager open, entered and left by one task of its own, each within its time.

    Args:
        make: Returns the context manager.
        opening: Seconds to enter it.
        closing: Seconds to leave it; ``LINGER`` where the block raises.
        failed: Is given what leaving it raised; by default, that is raised.

    Raises:
        DeadlineError: It took longer.
    """
    holder = _Holder(make)
    value = await holder.open(opening)
    try:
        yield value
    except BaseException:
        with suppress(Exception):
            await holder.close(min(closing, LINGER))
        raise
    try:
        await holder.close(closing)
    except Exception as error:
        if failed is None:
            raise
        failed(error)


class _Holder(Generic[T]):
    """The task that enters and leaves one context manager."""

    def __init__(self, make: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self._make = make
        self._opened: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._release = asyncio.Event()
        self._call = _Call(self._hold)
        self._task = asyncio.get_running_loop().create_task(self._call.run())

    async def _hold(self) -> None:
        async with self._make() as value:
            self._opened.set_result(value)
            await self._release.wait()

    async def open(self, seconds: float) -> T:
        await self._wait((self._task, self._opened), seconds)
        if self._opened.done():
            return self._opened.result()
        _result(self._task)
        raise RuntimeError("it was left before it was entered")

    async def close(self, seconds: float) -> None:
        self._release.set()
        await self._wait((self._task,), seconds)
        _result(self._task)

    async def _wait(self, things: tuple[asyncio.Future[Any], ...], seconds: float) -> None:
        try:
            with allowing(seconds):
                done, _ = await asyncio.wait(things, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._call.abandon(self._task)
            raise
        if not done:
            self._call.abandon(self._task)
            raise DeadlineError(f"more than {seconds:g} s")


async def in_thread(function: Callable[..., T], *arguments: object) -> T:
    """
    Run blocking code in a daemon thread of its own and await it.

    A pool's threads would be joined at exit, so one that never returns would hold the process for ever. A thread whose
    result nobody awaits any more is asked to end; one that computes in Python does, one that waits in C goes on.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)  # type: ignore[arg-type]  # the function's own result, None included
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            future.set_exception(error)
        else:
            future.set_exception(RuntimeError(f"{words_of(error)}, raised by outside code"))

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

    thread = threading.Thread(target=work, daemon=True, name="recfw-blocking")
    thread.start()
    try:
        return await future
    except asyncio.CancelledError:
        _ask_to_end(thread)
        raise


def _ask_to_end(thread: threading.Thread) -> None:
    """Raise SystemExit in a thread at its next step in Python: `threading` lets that end a thread in silence."""
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
