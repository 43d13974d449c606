"""Deadlines that hold, whatever outside code does with its time."""

import asyncio
import threading
import time
from typing import Any

import pytest

from recfw.engine.deadline import DeadlineError, in_thread, within


async def stubborn() -> None:
    """Swallow every cancellation."""
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            continue


def test_a_result_in_time_is_given() -> None:
    """Work that ends in time gives its result."""
    assert asyncio.run(within(5, lambda: asyncio.sleep(0, "done"))) == "done"


def test_an_exception_in_time_is_raised() -> None:
    """Work that fails in time raises what it raised."""

    async def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(within(5, fail))


def test_code_that_never_was_a_coroutine() -> None:
    """A function that returns no awaitable is the caller's TypeError."""
    nothing: Any = lambda: 5  # noqa: E731 - what a component might be
    with pytest.raises(TypeError):
        asyncio.run(within(5, nothing))


def test_swallowed_cancellation_holds_nobody() -> None:
    """Code that ignores its cancellation is left behind on time, and does not hold the loop at its end."""
    started = time.monotonic()

    async def main() -> float:
        with pytest.raises(DeadlineError, match=r"more than 0\.1 s"):
            await within(0.1, stubborn)
        return time.monotonic() - started

    assert asyncio.run(main()) < 1
    assert time.monotonic() - started < 4


def test_clean_up_of_abandoned_code_is_run() -> None:
    """Code that takes its cancellation well can still clean up."""
    done: list[str] = []

    async def tidy() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            done.append("tidied")

    async def main() -> None:
        with pytest.raises(DeadlineError):
            await within(0.05, tidy)
        await asyncio.sleep(0.1)

    asyncio.run(main())
    assert done == ["tidied"]


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_a_component_cannot_end_the_process(error: BaseException) -> None:
    """SystemExit and KeyboardInterrupt raised by outside code are failures of that code."""

    async def leave() -> None:
        raise error

    with pytest.raises(RuntimeError, match=f"{type(error).__name__} raised by outside code"):
        asyncio.run(within(5, leave))


def test_a_component_cannot_leave_before_it_awaits() -> None:
    """The same holds where it raises before there is anything to await."""

    def leave() -> Any:
        raise SystemExit(3)

    with pytest.raises(RuntimeError, match="SystemExit raised by outside code"):
        asyncio.run(within(5, leave))


def test_a_component_that_cancels_itself_fails() -> None:
    """A cancellation that nobody asked for is an error of the component, not of the run."""

    async def cancel() -> None:
        raise asyncio.CancelledError

    with pytest.raises(RuntimeError, match="cancelled itself"):
        asyncio.run(within(5, cancel))


def test_no_time_left_starts_nothing() -> None:
    """With no second left the deadline is over at once: even work that would take no time is not begun."""
    begun: list[int] = []

    async def work() -> None:
        begun.append(1)

    with pytest.raises(DeadlineError):
        asyncio.run(within(0.0, work))
    assert begun == []


def test_cancelling_the_caller_cancels_the_work() -> None:
    """When the run is interrupted, the outside call is cancelled too, and the caller does not wait for it."""
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def main() -> None:
        task = asyncio.create_task(within(60, work))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert seen == ["cancelled"]


def test_a_thread_gives_its_result_and_its_error() -> None:
    """Blocking code runs beside the loop and gives back what it returns or raises."""

    def fail() -> None:
        raise ZeroDivisionError

    async def main() -> int:
        with pytest.raises(ZeroDivisionError):
            await in_thread(fail)
        ticks = 0
        work = asyncio.ensure_future(in_thread(time.sleep, 0.2))
        while not work.done():
            ticks += 1
            await asyncio.sleep(0.01)
        return ticks

    assert asyncio.run(main()) > 3


def test_a_blocked_thread_holds_nobody() -> None:
    """Blocking code that never returns is left behind on time, in a thread that does not hold the process."""
    release = threading.Event()
    started = time.monotonic()

    async def main() -> None:
        await within(0.1, lambda: in_thread(release.wait, 30))

    with pytest.raises(DeadlineError):
        asyncio.run(main())
    assert time.monotonic() - started < 2
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "recfw-blocking")
    release.set()


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_a_thread_cannot_end_the_process(error: BaseException) -> None:
    """SystemExit out of blocking code is a failure of that code."""

    def leave() -> None:
        raise error

    with pytest.raises(RuntimeError, match=type(error).__name__):
        asyncio.run(in_thread(leave))
