"""The job of a replay: keys of trials become verdicts. A worker reads what is stored by itself, and only reads."""

import asyncio
from collections.abc import Mapping
from types import TracebackType

from recfw.engine.deadline import Passing
from recfw.engine.replay import Difference, replay_stored
from recfw.engine.stage import Setting
from recfw.errors import DataError, words_of
from recfw.executors.parcels import ReplayOrder, Verdict
from recfw.executors.worker import Worker
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.serialize import dumps, loads

ALTERED_LINE = "the stored line is not the one that was recorded (checksum)"
ALTERED = "what is stored is not what was recorded (checksum)"


class ReplayingWorker(Worker):
    """Replays stored trials: a :class:`ReplayOrder` and keys of trials in, :class:`Verdict` records out."""

    def __init__(
        self, order: bytes, registry: Registry | None = None, settings: Mapping[str, Setting] | None = None
    ) -> None:
        from recfw.store.repository import Store  # noqa: PLC0415 - loads a database's libraries; workers that play need none

        told = loads(order, ReplayOrder, "work order")
        super().__init__(told.spec, told.cache, registry, settings, replaying=True)
        self._run = told.run
        self._store = Store.open(told.store, create=False, read_only=True)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, where)
        finally:
            self._store.close()

    async def run(self, assignment: bytes) -> bytes:
        """Replay one trial; return its packed verdict, whatever happens in it."""
        key = loads(assignment, TrialKey, "assignment")
        try:
            verdict = Verdict(key, await self._replay(key))
        except (asyncio.CancelledError, Passing):
            raise
        except DataError as error:
            verdict = Verdict(key, failure=str(error))
        except BaseException as error:  # noqa: BLE001 - nothing that happens in one trial can end the replay of others
            verdict = Verdict(key, failure=f"{key}: it cannot be replayed: {words_of(error)}")
        return dumps(verdict)

    async def _replay(self, key: TrialKey) -> Difference | None:
        """Return the first thing that differs; DataError where the trial cannot be read."""
        stored = self._store.stored(self._run, key)
        faults = {} if stored.altered_event is None else {stored.altered_event: ALTERED_LINE}
        apart = await replay_stored(self._stage, stored.trial, faults, lambda sha: self._store.attachment(sha).data)
        if apart is None and stored.altered_scores:
            score = stored.altered_scores[0]
            return Difference(key, -1, fault=ALTERED, part=f"{score.metric} by {score.scorer}")
        return apart

    @staticmethod
    def shared(order: bytes, processes: int) -> bytes:  # noqa: ARG004 - the signature of every job
        """Return the same: replays share no limit."""
        return order

    @staticmethod
    def again(assignment: bytes) -> bytes:
        """Return the same: a replay leaves nothing behind."""
        return assignment

    @staticmethod
    def given_up(order: bytes, assignment: bytes, deaths: int, cause: str) -> bytes:  # noqa: ARG004 - the signature of every job
        """Return the verdict that the trial cannot be replayed."""
        key = loads(assignment, TrialKey)
        words = f"{deaths} worker processes died while they replayed this trial{cause}"
        return dumps(Verdict(key, failure=f"{key}: it cannot be replayed: {words}"))
