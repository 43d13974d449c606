"""Stored results as an analysis reads them: some of the store's runs, and how to look at them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recfw.model.results import ResultRow, RunInfo
from recfw.model.run import TrialKey
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending
from recfw.store.repository import Store


class StoredResults:
    """
    Read access to some runs of a store: a :class:`recfw.model.results.Results`.

    Args:
        store: Where they are.
        runs: Their names, as :meth:`Store.run` takes them, in the order to report them; one named twice counts once.
        settings: Analysis settings.

    Raises:
        UsageError: A name means no run, or more than one.
    """

    def __init__(self, store: Store, runs: Sequence[str], settings: Mapping[str, Any] | None = None) -> None:
        self._store = store
        found = [store.run(name) for name in runs]
        self._runs = tuple({run.id: run for run in found}.values())
        self._settings = dict(settings or {})
        self._tasks: dict[str, dict[str, Task]] = {}

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """The runs under analysis, in the order asked for."""
        return self._runs

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the run's tasks by id."""
        if run not in self._tasks:
            self._tasks[run] = self._store.tasks(run)
        return self._tasks[run]

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the run's trials, ordered by cell, task and trial number."""
        return self._store.rows(run)

    def spending(self, run: str) -> Spending:
        """Return what all attempts of a run consumed, judges included."""
        return self._store.spending(run)

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace; DataError where its blob is damaged."""
        return self._store.trace(row.run, TrialKey(row.cell, row.task, row.trial))

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings given on the command line."""
        return self._settings
