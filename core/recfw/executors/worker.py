"""A worker: builds its own manager and components from a work order, and turns assignments into finished trials."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from recfw.engine.stage import Setting, Stage
from recfw.executors.parcels import Assignment, WorkOrder, pack_trial
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import loads
from recfw.store.journal import Journal


class Worker:
    """
    Plays assignments, several at a time; an async context manager, entered and left by one task.

    Args:
        order: A packed :class:`WorkOrder`.
        registry: The caller's own, when the worker lives in the caller's process; a new one otherwise.
        settings: The caller's own tracks and tasks, likewise.
    """

    def __init__(
        self, order: bytes, registry: Registry | None = None, settings: Mapping[str, Setting] | None = None
    ) -> None:
        self._order = loads(order, WorkOrder, "work order")
        self._registry = registry or Registry(build_manager())
        self._journal = Journal(Path(self._order.journal))
        self._stage = Stage(self._registry, self._order.spec, Path(self._order.cache), settings)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._stage)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, where)

    async def run(self, assignment: bytes) -> bytes:
        """Play one packed assignment; return the packed trial."""
        asked = loads(assignment, Assignment, "assignment")
        trial = await self._stage.run(asked.key, asked.attempt, self._journal.recorder())
        return pack_trial(trial)
