"""
Why a trial failed: one mode for each failed trial, by rules over its ending and its figures.

The modes exclude one another, and the first that applies is taken:

1. The trial was ended from outside: the cap that was reached, the context that overflowed, the error.
2. It abstained although there was an answer, or recommended a book although there was none (NVR).
3. The ending was right, and a protocol check failed: the check.
4. It recommended a wrong book. On mixed tasks what was not elicited comes first, as in the paper's figure 3 (asked
   nothing, never asked a field, the matcher missed the question, asked but not told); then whether the book had been
   proposed (untested commitment) and whether it had been rejected.

A mixed trial is ``missed`` only where the agent asked, as far as the second look can tell, about every field that it
did not learn: with one field that it truly never asked about, the failure is its own.
"""

from collections.abc import Mapping

from attrs import frozen

from recfw.elicitation.manners import USER_LEFT
from recfw.model.results import ResultRow
from recfw.model.task import Task


@frozen
class Mode:
    """A failure mode: its name for scripts, a few words for tables, and what it means."""

    name: str
    words: str
    meaning: str


MODES = (
    Mode("asked_nothing", "asked nothing", "a wrong book; no field was asked about, by the matcher or the second look"),
    Mode(
        "never_asked", "never asked a field", "a wrong book; some askable fact undisclosed, its field never asked about"
    ),
    Mode(
        "missed",
        "matcher missed it",
        "a wrong book; of every undisclosed fact, a second look sees the field asked about",
    ),
    Mode("untold", "asked, not told", "a wrong book; the user was asked about every field that it left untold"),
    Mode("untested", "untested commitment", "a wrong book that was never proposed for a verdict"),
    Mode("rejected", "rejected commitment", "a wrong book that had been proposed and rejected"),
    Mode("abstained", "abstained wrongly", "no book, although an acceptable one exists"),
    Mode("recommended_on_nvr", "recommended on NVR", "a book, although none meets the request"),
    Mode("second_recommendation", "recommended twice", "a right ending, but recommend was called more than once"),
    Mode("from_history", "already read", "a book that meets the predicates and that the user has read"),
    Mode("formats_unchecked", "formats unchecked", "a right book whose formats were not checked though one was named"),
    Mode("turn_cap", "turn cap", "ended at the cap on agent turns"),
    Mode("time_cap", "time cap", "ended at the cap on agent time"),
    Mode("tool_cap", "tool cap", "ended by calls past the tool budget of a turn"),
    Mode("context", "context overflow", "the dialogue no longer fitted the agent's context"),
    Mode("reply_cap", "reply cap", "ended at the cap on replies within a turn"),
    Mode("repair_cap", "repair cap", "ended after too many refused replies in a row"),
    Mode("user_left", "user left", "the user left, out of patience for questions"),
    Mode("error", "agent error", "the agent's component raised"),
    Mode("unclassified", "unclassified", "scored before the figures that tell the mode existed, or for another reason"),
)
"""Every mode, in the order in which tables list them."""

BY_NAME: Mapping[str, Mode] = {mode.name: mode for mode in MODES}
CODES: Mapping[str, float] = {mode.name: float(code) for code, mode in enumerate(MODES)}
"""Mode -> the number by which a figure holds it."""

OVERFLOW, BUDGET = "context_overflow", "agent_call_limit"
"""Stop reasons of the endings without which interface tests are repeated."""

_CAPS = {
    "agent_turn_limit": "turn_cap",
    "agent_time_limit": "time_cap",
    BUDGET: "tool_cap",
    OVERFLOW: "context",
    "agent_reply_limit": "reply_cap",
    "agent_repair_limit": "repair_cap",
    USER_LEFT: "user_left",
    "agent_error": "error",
}
_CHECKS = {
    "one_recommendation": "second_recommendation",
    "not_from_history": "from_history",
    "formats_checked": "formats_unchecked",
}


def failure_mode(task: Task, row: ResultRow) -> str | None:
    """Return a trial's mode; None where it succeeded or has no score."""
    scores = row.scores
    if scores.get("success") != 0:
        return None
    if row.stop not in {"recommended", "abstained"}:
        return _CAPS.get(row.stop, "unclassified")
    if scores.get("correct_ending") == 1:
        return next((mode for check, mode in _CHECKS.items() if scores.get(check) == 0), "unclassified")
    if row.stop == "abstained":
        return "abstained"
    if task.facets.get("nvr") == "yes":
        return "recommended_on_nvr"
    return (_unelicited(scores) if task.facets.get("condition") == "mixed" else None) or _commitment(scores)


def _unelicited(scores: Mapping[str, float | None]) -> str | None:
    """Return what was not elicited in a mixed trial with a wrong book; None where everything was."""
    if "fields_unasked" not in scores:
        return "unclassified"
    unasked, missed = scores["fields_unasked"] or 0, scores.get("fields_missed") or 0
    if unasked:
        return "never_asked" if scores.get("fields_asked") or missed else "asked_nothing"
    if missed:
        return "missed"
    return "untold" if scores.get("fields_untold") else None


def _commitment(scores: Mapping[str, float | None]) -> str:
    if scores.get("proposed_before_commit") == 0:
        return "untested"
    return "rejected" if scores.get("accepted_before_commit") == 0 else "unclassified"
