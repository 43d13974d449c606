"""A thread that does blocking work in order, and that a caller can leave behind."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """
    One daemon thread for blocking calls, so that the event loop never waits for a socket.

    A pool's threads would be joined at exit, and a call that never returns would hold the process for ever.
    """

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True, name=name).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    async def run(self, function: Callable[[], T], seconds: float) -> T:
        """
        Call a function in the thread and await it.

        Raises:
            TimeoutError: It takes longer than this; the thread goes on and is of no further use.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def job() -> None:
            value: Any = None
            failure: Exception | None = None
            try:
                value = function()
            except Exception as error:  # noqa: BLE001 - carried to whoever awaits
                failure = error
            try:
                loop.call_soon_threadsafe(_settle, future, value, failure)
            except RuntimeError:
                return  # the loop closed meanwhile: nobody waits any more

        self._jobs.put(job)
        async with asyncio.timeout(seconds):
            return await future

    def end(self, last: Callable[[], object] = lambda: None) -> None:
        """Let the thread end when it has done what it was given, and one thing more, whose failure nobody hears of."""

        def finish() -> None:
            with contextlib.suppress(Exception):
                last()

        self._jobs.put(finish)
        self._jobs.put(None)


def _settle(future: asyncio.Future[Any], value: Any, failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(value)
    else:
        future.set_exception(failure)
