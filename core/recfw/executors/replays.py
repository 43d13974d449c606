"""Replaying a stored run: whether it can be, its trials handed to workers, and what differs, in the order of trials."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from recfw.engine.replay import Difference, compare_tasks
from recfw.engine.request import find_track
from recfw.engine.stage import Setting, settings_of
from recfw.errors import DataError
from recfw.executors.conductor import content_digest
from recfw.executors.local import LocalExecutor, LocalOptions
from recfw.executors.parcels import ReplayOrder, Verdict
from recfw.executors.replaying import ALTERED
from recfw.model.draws import derive_seed
from recfw.model.results import RunInfo
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.serialize import dumps, loads
from recfw.store.repository import Store

TRIALS_A_WORKER = 250
"""Fewest trials for which a worker process repays what it takes to start."""


@frozen
class Finding:
    """
    Something that differs, or a trial that cannot be replayed.

    Args:
        words: It in a sentence.
        key: Of which trial; None where it is of a task.
        difference: What differs; None where the trial cannot be replayed.
    """

    words: str
    key: TrialKey | None = None
    difference: Difference | None = None

    @classmethod
    def of(cls, apart: Difference) -> "Finding":
        """Return a difference as a finding."""
        return cls(str(apart), apart.key, apart)


def sample(keys: Collection[TrialKey], size: int, seed: int) -> list[TrialKey]:
    """Return so many of a run's trials, in their order: the same for equal keys and seeds."""
    drawn = sorted(keys, key=lambda key: (derive_seed(seed, "replay", str(key)), key))
    return sorted(drawn[:size])


class Replay:
    """
    The replay of a stored run.

    Args:
        store: An open store that holds it.
        place: The store's path or address, by which workers open it.
        registry: Where components are found by name.
        run: The run.
        cache: Folder for what can be rebuilt.

    Raises:
        DataError: The run was played on other content than what is installed.
    """

    def __init__(self, store: Store, place: str, registry: Registry, run: RunInfo, cache: Path) -> None:
        find_track(registry, run.spec.plugin, run.spec.track)
        self._store, self._registry, self._run = store, registry, run
        self._order = dumps(ReplayOrder(run.spec, place, run.id, str(cache)))
        self._settings: Mapping[str, Setting] = settings_of(registry, run.spec)
        self._verdicts: dict[TrialKey, Finding] = {}
        self._altered: dict[TrialKey, int] = {}
        self._replayed: set[TrialKey] = set()
        if content_digest(self._settings) != run.content_digest:
            told = (
                f"run {run.id} was played on other content (catalog, tasks, prompts or rules) than what is installed."
            )
            raise DataError(told, "Restore that content, or the plugin's version, to replay it.")

    @property
    def done(self) -> int:
        """How many trials were replayed so far."""
        return len(self._replayed)

    def tasks(self) -> list[Finding]:
        """Return what differs between the run's stored tasks and the content's."""
        try:
            content = {task.id: task for setting in self._settings.values() for task in setting.tasks.values()}
            return [Finding(line) for line in compare_tasks(self._store.tasks(self._run.id), content)]
        except DataError as error:
            return [Finding(str(error))]

    async def replay(self, keys: Sequence[TrialKey], workers: int, step: Callable[[], None]) -> None:
        """
        Replay trials.

        Args:
            keys: Which.
            workers: Worker processes; 0 replays in this one.
            step: Is called after each.

        Raises:
            RecfwError: The components cannot be opened.
        """
        self._altered = self._store.altered_rows(self._run.id)
        executor = LocalExecutor(LocalOptions(concurrency=workers or 1, workers=workers))
        if workers:
            self._settings = {}  # each worker builds its own; a large catalog need not be held here too
        else:
            executor.lend(self._registry, self._settings)

        def deliver(parcel: bytes) -> None:
            self._take(loads(parcel, Verdict, "a worker's result"))
            step()

        await executor.execute(self._order, (dumps(key) for key in keys), deliver)

    def _take(self, verdict: Verdict) -> None:
        key = verdict.key
        self._replayed.add(key)
        if verdict.failure:
            self._verdicts[key] = Finding(verdict.failure, key)
        elif verdict.apart is not None:
            self._verdicts[key] = Finding.of(verdict.apart)
        elif key in self._altered:
            self._verdicts[key] = self._altered_record(key)

    def findings(self, *, others: bool) -> Iterator[Finding]:
        """Yield what was found in the trials, in their order; then altered records of ``others``, not replayed ones."""
        for key in sorted(self._verdicts):
            yield self._verdicts[key]
        if others:
            yield from (self._altered_record(key) for key in sorted(self._altered.keys() - self._replayed))

    def _altered_record(self, key: TrialKey) -> Finding:
        return Finding.of(Difference(key, -1, fault=ALTERED, part=f"record of attempt {self._altered[key]}"))
