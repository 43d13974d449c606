"""
Ctrl-C and SIGTERM while a run is played: the first stops it in an orderly way, the second at once.

Outside code that blocks the event loop cannot be cancelled. So, after the first signal, a thread asks the loop again
and again whether it turns; where it does not, an exception is raised in whatever the main thread is doing.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from recfw.engine.deadline import Interrupted

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that the loop may take to turn after a signal."""
LAST = 10.0
"""Seconds from the first signal after which the process ends even without the main thread: code in C may hold that."""


def run_interruptible(work: Callable[[], Coroutine[Any, Any, T]], signals: list[int], farewell: str) -> T:
    """
    Run a coroutine as :func:`asyncio.run` does, and cancel it when SIGINT or SIGTERM comes.

    A second signal ends the process at once, with status 128 + its number. Call it in the main thread; in another one,
    where no signal can be received, it merely runs.

    Args:
        work: Makes the coroutine.
        signals: Takes the number of the signal that came.
        farewell: Is written to stderr when the process is ended at once.

    Raises:
        asyncio.CancelledError: It was interrupted.
        KeyboardInterrupt: It was interrupted while something blocked the loop.
    """
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(work())
    with asyncio.Runner() as runner:
        return _Watched(runner.get_loop(), signals, farewell).run(runner, work)


class _Watched:
    """One run of a loop, and what signals do to it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, signals: list[int], farewell: str) -> None:
        self._loop, self._signals, self._farewell = loop, signals, farewell
        self._task: asyncio.Task[Any] | None = None
        self._watcher: threading.Thread | None = None
        self._over = threading.Event()
        self._turns = 0
        self._forcing = False

    def run(self, runner: asyncio.Runner, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run to the end, the clean-up of everything that still runs included."""

        async def main() -> T:
            self._task = asyncio.current_task()
            return await work()

        before = {number: signal.signal(number, self._receive) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            try:
                return runner.run(main())
            finally:
                runner.close()
        finally:
            self._over.set()
            if self._watcher is not None:
                self._watcher.join()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal, in the main thread and in the midst of whatever it does."""
        if self._forcing:
            self._forcing = False
            if not self._over.is_set():
                raise Interrupted
            return
        self._signals.append(number)
        if len(self._signals) > 1:
            self._leave(number)
        self._loop.call_soon_threadsafe(self._cancel)
        self._watcher = threading.Thread(target=self._watch, args=(number,), daemon=True, name="recfw-interrupt")
        self._watcher.start()

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _watch(self, number: int) -> None:
        """Break what blocks the loop, as often as it does; leave when nothing helps."""
        end = time.monotonic() + LAST
        while not self._over.is_set():
            if time.monotonic() > end:
                self._leave(number)
            turns = self._turns
            try:
                self._loop.call_soon_threadsafe(self._turn)
            except RuntimeError:
                return  # it is closed
            patience = time.monotonic() + PATIENCE
            while self._turns == turns and time.monotonic() < patience and not self._over.wait(0.02):
                pass
            if self._turns == turns and not self._over.is_set():
                self._forcing = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                self._over.wait(PATIENCE / 4)

    def _turn(self) -> None:
        self._turns += 1

    def _leave(self, number: int) -> None:
        os.write(2, f"\n{self._farewell}\n".encode())
        os._exit(128 + number)
