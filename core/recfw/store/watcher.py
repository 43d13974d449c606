"""Watching a run from outside: what is stored and journalled, counted anew at every look, and nothing written."""

from collections import Counter, deque
from collections.abc import Iterable
from typing import Literal

from attrs import Factory, define, frozen

from recfw.model.results import RunInfo
from recfw.model.run import Status
from recfw.store.holders import RUNNING
from recfw.store.progress import Attempt, attempts_after, status_of
from recfw.store.repository import Store

WINDOW = 60.0
"""Seconds that count as recent, for the rate."""

State = Literal["running", "ended", "stale", "unseen", "deleted"]


@define
class CellCount:
    """How far one cell has come; ``planned`` is None where cells have different numbers of trials."""

    completed: int = 0
    failed: int = 0
    planned: int | None = None


@frozen
class Flying:
    """A trial in flight, and how long it has been."""

    trial: str
    attempt: int
    seconds: float


@frozen
class Sight:
    """
    What one look showed.

    Args:
        run: The run's id.
        state: ``running``: a process here carries it. ``ended``: as ``status`` tells. ``stale``: it did not end, and no
            process here carries it. ``unseen``: it did not end, and its journal is elsewhere. ``deleted``: it is stored
            no more.
        status: The stored status.
        pid: The process that carries it, where one is seen.
        now: When, in seconds since the epoch.
        planned, completed, failed: Trials; a failed one has no completed attempt.
        kinds: Kind of failure -> trials, the most frequent first.
        rate: Attempts that ended per second, recently.
        left: Seconds to the end at this rate; None where nothing ended recently.
        cells: Cell -> how far it has come.
        in_flight: The trials being played; None where the journal is elsewhere.
        tokens: Input and output tokens of all attempts.
        cost: What they cost in USD, as far as it is known.
    """

    run: str
    state: State
    status: str
    pid: int | None
    now: float
    planned: int
    completed: int
    failed: int
    kinds: dict[str, int]
    rate: float
    left: float | None
    cells: dict[str, CellCount]
    in_flight: tuple[Flying, ...] | None
    tokens: int = 0
    cost: float = 0.0


@define
class _Counts:
    number: int = 0
    completed: set[tuple[str, str, int]] = Factory(set)
    failed: dict[tuple[str, str, int], str] = Factory(dict)
    recent: deque[float] = Factory(deque)
    tokens: int = 0
    cost: float = 0.0

    def add(self, attempt: Attempt) -> None:
        key = (attempt.cell, attempt.task, attempt.trial)
        self.number = attempt.number
        self.recent.append(attempt.ended)
        if attempt.status == Status.COMPLETED.value:
            self.completed.add(key)
            self.failed.pop(key, None)
        elif key not in self.completed:
            self.failed[key] = attempt.stop
        for used in attempt.usage.values():
            self.tokens += int(used.get("input_tokens", 0) + used.get("output_tokens", 0))
            self.cost += used.get("cost", 0.0)

    def rate(self, now: float) -> float:
        """Return how many attempts ended per second within the window."""
        ended = sorted(at for at in self.recent if now - WINDOW <= at <= now)
        self.recent = deque(ended)
        return len(ended) / max(now - ended[0], 1.0) if ended else 0.0


class Watcher:
    """
    Looks at one run again and again, reading each time only what is new.

    Args:
        store: Where it is stored; opened for reading is enough.
        run: The run.
    """

    def __init__(self, store: Store, run: RunInfo) -> None:
        self._store, self._run = store, run
        self._journal = store.journal(run.id)
        self._counts = _Counts()

    def look(self, now: float) -> Sight:
        """Return how the run is getting on; ``now`` is in seconds since the epoch."""
        carrier = self._journal.carrier()  # before the status, which is written before the run is let go
        status = status_of(self._store, self._run.id)
        for attempt in attempts_after(self._store, self._run.id, self._counts.number):
            self._counts.add(attempt)
        counts, state = self._counts, self._state(carrier, status)
        rate = counts.rate(now) if state in {"running", "unseen"} else 0.0
        todo = self._run.planned - len(counts.completed) - len(counts.failed)
        return Sight(
            run=self._run.id,
            state=state,
            status=status or "deleted",
            pid=carrier,
            now=now,
            planned=self._run.planned,
            completed=len(counts.completed),
            failed=len(counts.failed),
            kinds=_by_kind(counts.failed.values()),
            rate=round(rate, 3),
            left=round(max(todo, 0) / rate, 1) if rate else None,
            cells=self._cells(),
            in_flight=self._in_flight(now, state),
            tokens=counts.tokens,
            cost=round(counts.cost, 6),
        )

    def _state(self, carrier: int | None, status: str | None) -> State:
        if status is None:
            return "deleted"
        if carrier is not None:
            return "running"
        if status != RUNNING:
            return "ended"
        here = self._store.database.path is not None or self._journal.folder.is_dir()
        return "stale" if here else "unseen"

    def _cells(self) -> dict[str, CellCount]:
        names = [cell.name for cell in self._run.spec.cells]
        each = self._run.planned // len(names) if names and self._run.planned % len(names) == 0 else None
        found = {name: CellCount(planned=each) for name in names}
        for cell, _, _ in self._counts.completed:
            found.setdefault(cell, CellCount()).completed += 1
        for cell, _, _ in self._counts.failed:
            found.setdefault(cell, CellCount()).failed += 1
        if any(each is not None and count.completed + count.failed > each for count in found.values()):
            for count in found.values():
                count.planned = None
        return found

    def _in_flight(self, now: float, state: State) -> tuple[Flying, ...] | None:
        if state != "running":
            return None if state == "unseen" else ()
        flying = self._journal.in_flight()
        return tuple(Flying(str(one.key), one.attempt, round(max(0.0, now - one.started), 3)) for one in flying)


def _by_kind(stops: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(stops).items(), key=lambda item: (-item[1], item[0])))
