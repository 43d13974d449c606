"""Deadlines that hold, whatever outside code does with its time."""

import asyncio
import gc
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from recfw.engine.deadline import DeadlineError, Passing, allowing, held, in_thread, overdue, within


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


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), BaseException("b")])
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


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), StopIteration(3), BaseException("b")])
def test_a_thread_cannot_end_the_process(error: BaseException) -> None:
    """SystemExit out of blocking code is a failure of that code."""

    def leave() -> None:
        raise error

    with pytest.raises(RuntimeError, match=type(error).__name__):
        asyncio.run(in_thread(leave))


def test_control_flow_of_the_framework_passes() -> None:
    """What the framework itself raises through outside code is no fault of that code."""

    async def pass_on() -> None:
        raise Passing

    with pytest.raises(Passing):
        asyncio.run(within(5, pass_on))


def test_code_that_swallows_everything_ends_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    """Code that goes on even when it is closed is left behind, and neither the loop nor the interpreter complains."""

    async def swallow() -> None:
        while True:
            with suppress(BaseException):
                await asyncio.sleep(60)

    async def main() -> None:
        with pytest.raises(DeadlineError):
            await within(0.05, swallow)

    asyncio.run(main())
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_an_abandoned_thread_that_computes_is_ended() -> None:
    """A thread that would compute in Python for ever stops soon after nobody awaits it any more."""
    spins = [0]

    def spin() -> None:
        while True:
            spins[0] += 1

    async def main() -> bool:
        with pytest.raises(DeadlineError):
            await within(0.1, lambda: in_thread(spin))
        await asyncio.sleep(0.3)
        before = spins[0]
        await asyncio.sleep(0.1)
        return spins[0] == before

    assert asyncio.run(main())


def test_a_blocked_loop_is_seen_once_everything_is_overdue() -> None:
    """Code that blocks is told by another thread when it has had its own time, not when only others are late."""

    async def main() -> tuple[float, float]:
        long, short = within(0.3, lambda: asyncio.sleep(5)), within(0.01, lambda: asyncio.sleep(5))
        tasks = [asyncio.create_task(long), asyncio.create_task(short)]
        await asyncio.sleep(0)
        time.sleep(0.1)
        only_one = overdue(time.monotonic())
        time.sleep(0.3)
        both = overdue(time.monotonic())
        await asyncio.gather(*tasks, return_exceptions=True)
        return only_one, both

    only_one, both = asyncio.run(main())
    assert only_one == 0
    assert both > 0
    assert overdue(time.monotonic() + 99) == 0


def test_code_beside_the_loop_is_given_its_time() -> None:
    """What the loop's own thread computes is allowed its seconds too."""
    with allowing(5):
        assert overdue(time.monotonic()) == 0
        assert overdue(time.monotonic() + 6) > 0


class Shared:
    """A context manager that makes trouble, and notes in which task it is entered and left."""

    def __init__(self, trouble: str = "") -> None:
        self.trouble, self.tasks = trouble, []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        await self._at("open")
        yield "value"
        await self._at("close")

    async def _at(self, when: str) -> None:
        self.tasks.append(asyncio.current_task())
        if self.trouble == f"hang at {when}":
            await asyncio.sleep(60)
        if self.trouble == f"exit at {when}":
            raise SystemExit(0)

    async def hold(self, failed: Any = None) -> str:
        """Hold it open."""
        async with held(self.open, opening=0.05, closing=0.05, failed=failed) as value:
            return value


def test_what_is_held_is_entered_and_left_by_one_task() -> None:
    """The task that enters a context manager leaves it, whatever its caller is cancelled for."""
    shared = Shared()
    assert asyncio.run(shared.hold()) == "value"
    assert len(shared.tasks) == 2
    assert shared.tasks[0] is shared.tasks[1]


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        ("hang at open", DeadlineError),
        ("hang at close", DeadlineError),
        ("exit at open", RuntimeError),
        ("exit at close", RuntimeError),
    ],
)
def test_holding_has_its_deadlines(trouble: str, error: type[Exception]) -> None:
    """Entering and leaving each have their time, and what they raise is the caller's to see."""
    with pytest.raises(error):
        asyncio.run(Shared(trouble).hold())


@pytest.mark.parametrize("trouble", ["hang at close", "exit at close"])
def test_a_failure_to_leave_can_be_told_instead(trouble: str) -> None:
    """Where what was held has served, its failure to close need not be raised."""
    told: list[Exception] = []
    assert asyncio.run(Shared(trouble).hold(told.append)) == "value"
    assert len(told) == 1
