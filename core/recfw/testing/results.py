"""Stored results in memory, for tests of analyses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, evolve, field, frozen

from recfw.errors import DataError
from recfw.model.results import ResultRow, Results, RunInfo
from recfw.model.run import Cell, RunSpec
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending, add_usage


def memory_run(
    rows: Iterable[ResultRow],
    tasks: Iterable[Task],
    cells: Sequence[str],
    trials: int = 1,
    run: str = "run-1",
    **changes: Any,
) -> "MemoryResults":
    """
    Return results of one run.

    Args:
        rows: Its trials; whatever run they name, in whatever order.
        tasks: Its tasks, which all cells share.
        cells: Names of its cells.
        trials: Planned trials of each task.
        run: Its id.
        changes: Fields of the run's :class:`RunInfo` that are to differ from what is made up here.
    """
    by_id = {task.id: task for task in tasks}
    spec = RunSpec("fake", "fake-track", tuple(Cell(name, {}) for name in cells), trials=trials)
    fields = {
        "id": run,
        "spec": spec,
        "spec_digest": "5" * 64,
        "content_digest": "c" * 64,
        "versions": {"recfw": "0.0"},
        "status": "completed",
        "created": 0.0,
        "planned": len(by_id) * trials * len(cells),
    }
    return MemoryResults((RunInfo(**{**fields, **changes}),), {run: by_id}, {run: tuple(rows)})


@frozen
class MemoryResults:
    """
    A :class:`recfw.model.results.Results` of records that are given.

    Rows are yielded in the order given, which the store would not do: no analysis may depend on it.

    Args:
        runs: The runs.
        tasks_of: Run id -> its tasks by id.
        rows_of: Run id -> its rows.
        given: Analysis settings.
        traces: (cell, task, trial) -> trace.
    """

    runs: tuple[RunInfo, ...]
    tasks_of: Mapping[str, Mapping[str, Task]] = field(repr=False)
    rows_of: Mapping[str, Sequence[ResultRow]] = field(repr=False)
    given: Mapping[str, Any] = Factory(dict)
    traces: Mapping[tuple[str, str, int], Trace] = field(factory=dict, repr=False)

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the run's tasks by id."""
        return self.tasks_of[run]

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the run's rows as they were given."""
        return iter(self.rows_of[run])

    def spending(self, run: str) -> Spending:
        """Return the sums of what the rows consumed."""
        total: Spending = {}
        for row in self.rows_of[run]:
            add_usage(total, row.usage)
        return total

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace; DataError where none was given."""
        try:
            return self.traces[row.cell, row.task, row.trial]
        except KeyError:
            raise DataError(f"{row.run}: no trace of trial {row.cell}/{row.task}/{row.trial}.") from None

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings."""
        return self.given


@frozen
class Repeated:
    """
    Results of equal outcome that were had another day: other run ids, dates, attempts, times and consumption.

    Args:
        first: What was had the first time.
    """

    first: Results

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """The runs, each under another id and a day later."""
        return tuple(evolve(info, id=_again(info.id), created=info.created + 86_400) for info in self.first.runs)

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the run's tasks by id."""
        return self.first.tasks(_before(run))

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the run's rows: each took an attempt more, twice the time, and twice of what was consumed."""
        for row in self.first.rows(_before(run)):
            usage = {role: {name: 2 * number for name, number in used.items()} for role, used in row.usage.items()}
            yield evolve(row, run=run, attempts=row.attempts + 1, seconds=2 * row.seconds + 1, usage=usage)

    def spending(self, run: str) -> Spending:
        """Return twice of what all attempts consumed."""
        spent = self.first.spending(_before(run))
        return {role: {name: 2 * number for name, number in used.items()} for role, used in spent.items()}

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace, which is the same."""
        return self.first.trace(evolve(row, run=_before(row.run)))

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings."""
        return self.first.settings()


def _again(run: str) -> str:
    return f"{run}-again"


def _before(run: str) -> str:
    return run.removesuffix("-again")
