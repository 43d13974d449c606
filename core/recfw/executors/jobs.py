"""Which job an order is of: the kinds of workers, by the name that every order carries."""

from collections.abc import Mapping
from typing import Any, Protocol

from recfw.engine.stage import Setting
from recfw.errors import DataError
from recfw.executors.playing import PlayingWorker
from recfw.executors.replaying import ReplayingWorker
from recfw.executors.worker import Worker
from recfw.registry import Registry
from recfw.serialize import parse


class Job(Protocol):
    """A kind of worker, as whoever hands out assignments sees it; its functions as :class:`Worker` describes them."""

    def __call__(
        self, order: bytes, registry: Registry | None = None, settings: Mapping[str, Setting] | None = None
    ) -> Worker:
        """Return a worker."""
        ...

    def shared(self, order: bytes, processes: int) -> bytes:
        """Return the order that each of several processes gets."""
        ...

    def again(self, assignment: bytes) -> bytes:
        """Return what is handed out when a worker died of this assignment."""
        ...

    def given_up(self, order: bytes, assignment: bytes, deaths: int, cause: str) -> bytes:
        """Return the packed result of an assignment that saw so many workers die."""
        ...


JOBS: Mapping[str, Job] = {"play": PlayingWorker, "replay": ReplayingWorker}


def job_of(order: bytes) -> Job:
    """Return the job that a packed order is of; DataError where there is none of its name."""
    told: Any = parse(order, "work order")
    name = str(told.get("job")) if isinstance(told, dict) else ""
    if name not in JOBS:
        raise DataError(f"work order: no job {name!r} (known: {', '.join(JOBS)}).")
    return JOBS[name]
