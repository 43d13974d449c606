"""Stored results in memory, for tests of analyses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, field, frozen

from recfw.errors import DataError
from recfw.model.results import ResultRow, RunInfo
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
