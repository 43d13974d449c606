"""The figures of users beyond the paper: critiques, patience, and the grade by soft preferences."""

from collections.abc import Mapping
from typing import Any, ClassVar

from recfw.elicitation.manners import USER_LEFT
from recfw.elicitation.predicates import Reveal
from recfw.elicitation.records import demand, read_predicate
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import NoOptions
from recfw_books.goal import Goal

Told = list[dict[str, Any]]


class BooksManners:
    """
    What a critiquing user said, what a costly one put up with, how well a soft one was served.

    A trial with any other user gets no figure at all, so that the paper's own trials are not stored with empty ones; a
    figure of another manner than the user's is None.
    """

    name: ClassVar[str] = "books-manners"
    summary: ClassVar[str] = "critiques, patience and soft preferences, of users that have them"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    figures: ClassVar[Mapping[str, str]] = {
        "critiques": "requirements that the user stated after a proposal violated them; None unless it critiques",
        "hidden_told": "share of the hidden requirements that critiques told; None likewise or where none is hidden",
        "patience_used": "fields that the user answered questions about; None unless its patience is limited",
        "fields_refused": "questions about a field that it had no patience for; None likewise",
        "user_left": "1 where the user left for want of patience; None likewise",
        "preferences_told": "distinct preferences that the user told; None unless it has any",
        "grade": "share of the preferences' weight that the recommended book meets; None unless the user has any and "
        "the book is acceptable",
        "graded_success": "the grade, and 0 where no acceptable book was recommended; None unless the user has any",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return the figures of a finished trial whose user has a manner; none of another."""
        told = [event.data for event in (*trace.world("opening"), *trace.world("asked"))]
        found = {**_critiques(task, told), **_patience(told, trace), **_grades(task, told, trace)}
        return {name: found.get(name) for name in self.figures} if found else {}


def _critiques(task: Task, told: Told) -> dict[str, float | None]:
    if not any("critiqued" in one for one in told):
        return {}
    critiqued = [each for one in told for each in one.get("critiqued", ())]
    hidden = {demand(p) for p in Goal.read(task.private).predicates if p.reveal is Reveal.HIDDEN}
    stated = {demand(read_predicate(each)) for each in critiqued if "op" in each}
    return {"critiques": float(len(critiqued)), "hidden_told": len(hidden & stated) / len(hidden) if hidden else None}


def _patience(told: Told, trace: Trace) -> dict[str, float | None]:
    used = [one["patience"]["used"] for one in told if "patience" in one]
    if not used:
        return {}
    return {
        "patience_used": float(max(used)),
        "fields_refused": float(sum(len(one.get("unanswered", ())) for one in told)),
        "user_left": float(trace.stop == USER_LEFT),
    }


def _grades(task: Task, told: Told, trace: Trace) -> dict[str, float | None]:
    if not any("preferred" in one for one in told):
        return {}
    known = {repr(sorted(each.items())) for one in told for each in one.get("preferred", ())}
    if task.private["nvr"]:
        return {"preferences_told": float(len(known)), "grade": None, "graded_success": None}
    endings = [event.data for event in trace.world("recommended")]
    grade = endings[0].get("grade") if endings else None
    return {"preferences_told": float(len(known)), "grade": grade, "graded_success": grade or 0.0}
