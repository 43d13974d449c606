"""The local executor: conversations side by side in this process, or in worker processes."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from attrs import field, frozen, validators

from recfw.engine.stage import Setting
from recfw.executors.jobs import job_of
from recfw.executors.pool import run_pool
from recfw.executors.worker import Worker
from recfw.protocols import Executor
from recfw.registry import Registry


@frozen
class LocalOptions:
    """
    Options of the local executor.

    Args:
        concurrency: How many episodes are played at a time, over all workers.
        workers: Worker processes; 0 plays in this process.
    """

    concurrency: int = field(default=8, validator=validators.ge(1))
    workers: int = field(default=0, validator=validators.ge(0))


class LocalExecutor(Executor):
    """Plays trials on this machine."""

    name: ClassVar[str] = "local"
    summary: ClassVar[str] = "conversations side by side in this process, or in worker processes"
    Options: ClassVar[type] = LocalOptions

    def __init__(self, options: LocalOptions) -> None:
        self.options = options
        self._registry: Registry | None = None
        self._settings: Mapping[str, Setting] | None = None

    def lend(self, registry: Registry, settings: Mapping[str, Setting]) -> None:
        """Let an in-process worker use what the caller has built already."""
        self._registry, self._settings = registry, settings

    async def execute(self, order: bytes, keys: Iterable[bytes], deliver: Callable[[bytes], None]) -> None:
        """Carry out every assignment; return when all are delivered."""
        job = job_of(order)
        if self.options.workers:
            workers = self.options.workers
            each = -(-self.options.concurrency // workers)
            await run_pool(job.shared(order, workers), keys, deliver, workers=workers, each=each)
            return
        waiting = iter(keys)
        async with job(order, self._registry, self._settings) as worker:
            lanes = [self._lane(worker, waiting, deliver) for _ in range(self.options.concurrency)]
            await gather_or_cancel(*lanes)

    @staticmethod
    async def _lane(worker: Worker, waiting: Iterator[bytes], deliver: Callable[[bytes], None]) -> None:
        for key in waiting:
            deliver(await worker.run(key))
            await asyncio.sleep(0)  # components that never wait would otherwise keep every other lane and timer out


async def gather_or_cancel(*work: Coroutine[Any, Any, None]) -> None:
    """Await all; when one fails or this task is cancelled, cancel the rest and await them before raising."""
    tasks = [asyncio.ensure_future(item) for item in work]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
