"""Stored trials with figures that need several of a trial's own at once: success where all was elicited, and such."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from recfw.model.results import ResultRow, Results, RunInfo
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending
from recfw_books.analysis.failure_modes import BUDGET, CODES, OVERFLOW, failure_mode

KEPT = "success_kept"
"""Success of the trials that ended neither by an overflow nor at the tool budget."""

FULL, NOTHING = "elicited_everything", "elicited_nothing"
SUCCESS_FULL, SUCCESS_REST = "success_if_everything", "success_if_not_everything"
FAILURE = "failure"
UNTESTED, UNTESTED_FIRST, UNTESTED_DECLINED = "untested", "untested_before_proposal", "untested_after_decline"
FAILED_NAMED = "failed_after_naming"
UNRETURNED_SUCCESS = "unreturned_success"

MADE: Mapping[str, str] = {
    KEPT: "success, of trials that ended neither by a context overflow nor at the tool budget",
    FULL: "1 where every askable fact was disclosed; None where nothing was askable",
    NOTHING: "1 where no askable fact was disclosed; None where nothing was askable",
    SUCCESS_FULL: "success, of trials in which every askable fact was disclosed",
    SUCCESS_REST: "success, of trials in which some askable fact was not disclosed",
    FAILURE: "number of a failed trial's mode; None of others",
    UNTESTED: "of failed trials: 1 where a book was recommended that had never been proposed",
    UNTESTED_FIRST: "of those: 1 where nothing had been proposed",
    UNTESTED_DECLINED: "of those: 1 where the user had declined a field",
    FAILED_NAMED: "of failed trials: 1 where an acceptable book had been named without a tag",
    UNRETURNED_SUCCESS: "success, of trials whose recommended book search had not returned",
}
"""Every figure that is made here, with a sentence each."""


def made(task: Task, row: ResultRow) -> dict[str, float | None]:
    """Return the made figures of a completed trial that has a score; those that do not apply are left out."""
    scores = row.scores
    success = scores.get("success")
    if success is None:
        return {}
    found: dict[str, float | None] = {} if row.stop in {OVERFLOW, BUDGET} else {KEPT: success}
    share = scores.get("elicited_share")
    if share is not None:
        found |= {
            FULL: float(share == 1),
            NOTHING: float(share == 0),
            SUCCESS_FULL if share == 1 else SUCCESS_REST: success,
        }
    if scores.get("returned_by_search") == 0:
        found[UNRETURNED_SUCCESS] = success
    mode = failure_mode(task, row)
    if mode is not None:
        found[FAILURE] = CODES[mode]
        found |= _of_failure(scores)
    return found


def _of_failure(scores: Mapping[str, float | None]) -> dict[str, float | None]:
    named, untested = scores.get("named_untagged"), scores.get("proposed_before_commit") == 0
    found: dict[str, float | None] = {} if named is None else {FAILED_NAMED: float(named > 0)}
    found[UNTESTED] = float(untested)
    if untested:
        declined = scores.get("fields_declined")
        found[UNTESTED_FIRST] = float(scores.get("proposals") == 0)
        found[UNTESTED_DECLINED] = None if declined is None else float(declined > 0)
    return found


@frozen
class Enriched:
    """A :class:`recfw.model.results.Results` whose rows hold the made figures beside their own."""

    stored: Results

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """The runs under analysis."""
        return self.stored.runs

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the run's tasks by id."""
        return self.stored.tasks(run)

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the run's trials, one at a time."""
        tasks = self.stored.tasks(run)
        for row in self.stored.rows(run):
            task = tasks.get(row.task)
            yield row if task is None else evolve(row, scores={**row.scores, **made(task, row)})

    def spending(self, run: str) -> Spending:
        """Return what all attempts of a run consumed."""
        return self.stored.spending(run)

    def trace(self, row: ResultRow) -> Trace:
        """Return one trial's trace."""
        return self.stored.trace(row)

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings."""
        return self.stored.settings()
