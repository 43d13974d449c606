"""Stored results as an analysis reads them."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from attrs import Factory, frozen

from recfw.model.run import RunSpec, Status
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending


@frozen
class RunInfo:
    """A stored run: what was asked, what it was asked of, and its state."""

    id: str
    spec: RunSpec
    spec_digest: str
    content_digest: str
    versions: dict[str, str]
    status: str
    created: float
    planned: int


@frozen
class ResultRow:
    """
    One trial's last word: its newest completed attempt, or else its newest failed one.

    Args:
        run: The run's id.
        cell, task, trial: Which trial.
        status: Completed or failed; a failed one stays inside n and has no scores.
        stop: Stop reason or kind of failure.
        attempts: How many attempts are stored.
        seconds: Wall-clock time of this attempt.
        usage: Role -> what it consumed, and under ``judge`` what the judges of this attempt did.
        scores: Figure -> value, of the newest scorer of each figure.
        scorers: Figure -> identity of the scorer that gave this value (:attr:`recfw.model.score.Score.scorer`).
    """

    run: str
    cell: str
    task: str
    trial: int
    status: Status
    stop: str
    attempts: int
    seconds: float
    usage: dict[str, dict[str, float]] = Factory(dict)
    scores: dict[str, float | None] = Factory(dict)
    scorers: dict[str, str] = Factory(dict)


class Results(Protocol):
    """Read access to stored runs, without loading them whole."""

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """The runs under analysis, in the order asked for."""
        ...

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the run's tasks by id."""
        ...

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the run's trials, ordered by cell, task and trial number."""
        ...

    def spending(self, run: str) -> Spending:
        """Return what all attempts of a run consumed: role -> sums, and under ``judge`` that of its judges."""
        ...

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace; DataError where its blob is damaged."""
        ...

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings given on the command line."""
        ...
