"""What workers of every job share: an open stage, and what becomes of an assignment when its worker dies."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from recfw.engine.stage import Setting, Stage
from recfw.model.run import RunSpec
from recfw.plugins import build_manager
from recfw.protocols import NO_FACILITIES, Facilities
from recfw.registry import Registry


class Worker(ABC):
    """
    Carries out assignments of one job, several at a time; an async context manager, entered and left by one task.

    Only bytes cross: a packed order in, packed assignments in, packed results out. It is made from the order alone, as
    ``kind(order, registry, settings)``; the last two only where it lives in the caller's own process.

    Args:
        spec: What the run was asked.
        cache: Folder for what can be rebuilt.
        registry: The caller's own; a new one otherwise.
        settings: The caller's own tracks and tasks, likewise.
        facilities: How the run is carried out.
        replaying: Only what a replay runs is opened.
    """

    def __init__(
        self,
        spec: RunSpec,
        cache: str,
        registry: Registry | None = None,
        settings: Mapping[str, Setting] | None = None,
        facilities: Facilities = NO_FACILITIES,
        *,
        replaying: bool = False,
    ) -> None:
        registry = registry or Registry(build_manager())
        self._stage = Stage(registry, spec, Path(cache), settings, facilities=facilities, replaying=replaying)

    async def __aenter__(self) -> Self:
        await self._stage.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._stage.__aexit__(kind, error, where)

    @abstractmethod
    async def run(self, assignment: bytes) -> bytes:
        """Carry out one packed assignment; return the packed result."""

    @staticmethod
    @abstractmethod
    def shared(order: bytes, processes: int) -> bytes:
        """Return the order that each of several processes gets."""

    @staticmethod
    @abstractmethod
    def again(assignment: bytes) -> bytes:
        """Return what is handed out when a worker died of this assignment."""

    @staticmethod
    @abstractmethod
    def given_up(order: bytes, assignment: bytes, deaths: int, cause: str) -> bytes:
        """Return the packed result of an assignment that saw so many workers die; ``cause`` tells more."""
