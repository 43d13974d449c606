"""The job of a run: assignments become finished trials."""

import logging
from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

from recfw.engine.limits import INFRASTRUCTURE
from recfw.engine.stage import Setting
from recfw.executors.parcels import Assignment, WorkOrder, pack_trial
from recfw.executors.worker import Worker
from recfw.model.run import Status, Trial
from recfw.model.trace import EndEvent
from recfw.registry import Registry
from recfw.serialize import dumps, event_line, loads, pack_trace
from recfw.store.journal import Journal

LOG = logging.getLogger(__name__)


class PlayingWorker(Worker):
    """Plays attempts of trials: a :class:`WorkOrder` and :class:`Assignment` records in, packed trials out."""

    def __init__(
        self, order: bytes, registry: Registry | None = None, settings: Mapping[str, Setting] | None = None
    ) -> None:
        told = loads(order, WorkOrder, "work order")
        super().__init__(told.spec, told.cache, registry, settings, told.facilities)
        self._journal = Journal(Path(told.journal))

    async def run(self, assignment: bytes) -> bytes:
        """Play one attempt; return the packed trial."""
        asked = loads(assignment, Assignment, "assignment")
        LOG.debug("%s, attempt %d: begins", asked.key, asked.attempt)
        trial = await self._stage.run(asked.key, asked.attempt, self._journal.recorder())
        return pack_trial(trial)

    @staticmethod
    def shared(order: bytes, processes: int) -> bytes:
        """Tell among how many processes the limits of the whole run are shared."""
        opened = loads(order, WorkOrder, "work order")
        return dumps(evolve(opened, facilities=evolve(opened.facilities, processes=processes)))

    @staticmethod
    def again(assignment: bytes) -> bytes:
        """Return the trial's next attempt: what its journal holds of this one is kept."""
        asked = loads(assignment, Assignment)
        return dumps(evolve(asked, attempt=asked.attempt + 1))

    @staticmethod
    def given_up(order: bytes, assignment: bytes, deaths: int, cause: str) -> bytes:
        """Return a trial that failed as infrastructure: ``worker_died``."""
        asked = loads(assignment, Assignment)
        seed = asked.key.seed(loads(order, WorkOrder).spec.seed)
        error = f"{deaths} worker processes died while they played this trial{cause}"
        trace = pack_trace([event_line(EndEvent(INFRASTRUCTURE, {}, error))])
        return pack_trial(
            Trial(asked.key, asked.attempt, seed, Status.FAILED, "worker_died", error, events=1, trace=trace)
        )
