"""Judging stored trials again, or for the first time, without playing them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field

from recfw.engine.deadline import held
from recfw.engine.scoring import score_judges
from recfw.engine.stage import CLOSE_SECONDS, OPEN_SECONDS, judge_of, settings_of
from recfw.errors import OutageError
from recfw.executors.budget import Budget, Purse
from recfw.executors.local import gather_or_cancel
from recfw.model.results import RunInfo
from recfw.model.run import ComponentSpec, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.usage import JUDGES, Spending, judge_usage
from recfw.protocols import Facilities, Judge
from recfw.registry import Registry
from recfw.store.repository import Store

BATCH = 16
"""Most judged trials that wait for one transaction."""


@define
class Judged:
    """
    What judging has come to so far.

    Args:
        identity: Who judged.
        trials: Trials that were rated.
        already: Trials that had every score of this judge before.
        failed: Trial -> what kept it from being rated.
        values: Figure -> the scores given, None where the judge could have none.
        spent: What it consumed.
        stopped: Why it went no further, if it was stopped.
    """

    identity: str
    trials: int = 0
    already: int = 0
    failed: dict[str, str] = field(factory=dict)
    values: dict[str, list[float | None]] = field(factory=dict)
    spent: Spending = field(factory=dict)
    stopped: str = ""


class Judging:
    """
    Rates stored trials of one run by one judge; each is rated once by each identity, so it can be broken off.

    Args:
        store: Where the trials are, and the scores go.
        registry: Where components are found by name.
        run: The run.
        component: The judge.
        facilities: How it is carried out.
        budget: What it may spend.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        run: RunInfo,
        component: ComponentSpec,
        facilities: Facilities,
        budget: Budget,
    ) -> None:
        self._store, self._run, self._purse = store, run, Purse(budget)
        track = next(iter(settings_of(registry, run.spec).values())).track
        self._judge: Judge = judge_of(registry, component, track, facilities)
        self.identity = self._judge.identity
        self._tasks = store.tasks(run.id)
        self._waiting: dict[tuple[TrialKey, int], Sequence[Score]] = {}

    def pending(self, keys: Sequence[TrialKey]) -> list[TrialKey]:
        """Return those of the trials that this judge has not rated yet."""
        done = self._store.rated(self._run.id, self.identity)
        return [key for key in keys if key not in done]

    async def rate(self, keys: Sequence[TrialKey], concurrency: int, told: Callable[[bool], None]) -> Judged:
        """
        Rate trials, several at a time; what was rated is stored even when this is cancelled.

        Args:
            keys: Which trials.
            concurrency: How many at a time.
            told: Is told of each, and whether it failed.

        Raises:
            OutageError: Nothing further can be rated until a person acts.
        """
        found = Judged(self.identity)
        halts: list[str] = []
        waiting = self._begun(keys, found, halts)
        try:
            async with held(self._judge.open, opening=OPEN_SECONDS, closing=CLOSE_SECONDS, failed=lambda _: None):
                await gather_or_cancel(*(self._lane(waiting, found, halts, told) for _ in range(concurrency)))
        finally:
            self._flush()
        if halts:
            raise OutageError(halts[0])
        return found

    def _begun(self, keys: Sequence[TrialKey], found: Judged, halts: list[str]) -> Iterator[TrialKey]:
        for key in keys:
            found.stopped = found.stopped or self._purse.over()
            if halts or found.stopped:
                return
            self._purse.begin()
            yield key

    async def _lane(
        self, waiting: Iterator[TrialKey], found: Judged, halts: list[str], told: Callable[[bool], None]
    ) -> None:
        for key in waiting:
            scores, halt = await self._rate_one(key)
            used = judge_usage(scores)
            self._purse.add({JUDGES: used} if used else {})
            found.spent = self._purse.spent
            halts += [halt] if halt else []
            faults = [str(score.detail["error"]) for score in scores if "error" in score.detail]
            if faults:
                found.failed[str(key)] = faults[0]
            found.trials += 1
            for score in scores:
                if "error" not in score.detail:
                    found.values.setdefault(score.metric, []).append(score.value)
            told(bool(faults))
            await asyncio.sleep(0)  # a judge that never waits would keep Ctrl-C out

    async def _rate_one(self, key: TrialKey) -> tuple[list[Score], str]:
        info = self._store.trial(self._run.id, key)
        task: Task = self._tasks[key.task]
        scores, halt = await score_judges([self._judge], task, self._store.trace(self._run.id, key, info.attempt))
        self._waiting[key, info.attempt] = [s for s in scores if s.scorer == self.identity]
        if len(self._waiting) >= BATCH:
            self._flush()
        return scores, halt

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        if waiting:
            self._store.add_scores(self._run.id, waiting)
