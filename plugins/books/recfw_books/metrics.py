"""The figures of the track: success, its ending, five protocol checks, proposals and elicitation (spec 5 and 7)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import NoOptions
from recfw_books.disclosed import state
from recfw_books.goal import Goal
from recfw_books.second_look import seen_asked

CHECKS = ("one_recommendation", "not_from_history", "formats_checked", "abstains_on_nvr", "recommends_otherwise")
"""The paper's five protocol checks (section 3), each a figure: 1, 0, or None where there is nothing to check."""


class BooksSuccess:
    """Success by identifiers alone: a correct ending, and no protocol check failed."""

    name: ClassVar[str] = "books-success"
    summary: ClassVar[str] = "success, the five protocol checks, proposals and elicitation"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "2"
    figures: ClassVar[Mapping[str, str]] = {
        "success": "1 where the ending is correct and no protocol check failed",
        "correct_ending": "1 for a book that meets every predicate in an accepted format, or abstention on NVR",
        "one_recommendation": "1 unless recommend was called more than once",
        "not_from_history": "1 unless a recommended book had been read; None without a book or a history",
        "formats_checked": "1 where the recommended book's formats were checked; None unless the user named a format",
        "abstains_on_nvr": "1 for abstention on NVR; None on other tasks",
        "recommends_otherwise": "1 where a book was recommended; None on NVR",
        "proposals": "proposals that drew a verdict",
        "rejections": "proposals that were rejected",
        "proposals_to_success": "proposals of a successful trial; None of others",
        "rejections_to_success": "rejections before the first acceptance of a successful trial (all where none was "
        "accepted); None of others",
        "fields_asked": "distinct fields that the agent asked about",
        "elicited_share": "share of the askable facts that were disclosed; None where nothing was askable",
        "fields_unasked": "fields of undisclosed askable facts about which nobody saw a question; None likewise",
        "fields_missed": "fields of undisclosed askable facts that only a second look saw asked about; None likewise",
        "fields_untold": "fields of undisclosed askable facts that the user was asked about; None likewise",
        "fields_declined": "distinct fields about which the user declined to say (more)",
        "proposed_before_commit": "1 where the recommended book had been proposed; None without a book",
        "accepted_before_commit": "1 where the recommended book had been accepted; None without a book",
        "returned_by_search": "1 where search had returned the recommended book; None without a book",
        "named_untagged": "distinct acceptable books that the agent named to the user without a tag",
        "exposure_rank": "the recommended book's rank by popularity, 1 for the most popular; None without a book",
        "exposure_share": "that rank as a share of the catalog in play, in (0, 1]; None without a book",
        "leaks": "user turns that gave away a hidden value",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return every figure of a finished trial."""
        endings = trace.world("recommended")
        ending = endings[0].data if endings else None
        book = ending if ending is not None and ending["item"] is not None else None
        told = [event.data for event in (*trace.world("opening"), *trace.world("asked"))]
        nvr = bool(task.private["nvr"])
        correct = _correct(nvr, ending, book)
        checks = _checks(task, ending, book, told)
        success = correct and all(value != 0 for value in checks.values())
        verdicts = [event.data["verdict"] for event in trace.world("proposal")]
        return {
            "success": float(success),
            "correct_ending": float(correct),
            **checks,
            "proposals": float(len(verdicts)),
            "rejections": float(verdicts.count("rejected")),
            "proposals_to_success": float(len(verdicts)) if success else None,
            "rejections_to_success": float(_before_acceptance(verdicts)) if success else None,
            "fields_asked": float(len({name for one in told for name in one["asked"]})),
            **_elicitation(task, trace, told),
            "fields_declined": float(len({name for one in told for name in one["declined"]})),
            "proposed_before_commit": _flag(book, "proposed"),
            "accepted_before_commit": _flag(book, "accepted"),
            "returned_by_search": _flag(book, "returned"),
            "named_untagged": float(len({item for event in trace.world("named") for item in event.data["items"]})),
            **_exposure(book),
            "leaks": float(len(trace.world("leak"))),
        }


def _correct(nvr: bool, ending: Mapping[str, Any] | None, book: Mapping[str, Any] | None) -> bool:
    if ending is None:
        return False
    if nvr or book is None:
        return nvr and book is None
    return not book["violated"] and bool(book["format_accepted"])


def _checks(
    task: Task, ending: Mapping[str, Any] | None, book: Mapping[str, Any] | None, told: list[dict[str, Any]]
) -> dict[str, float | None]:
    nvr, history = bool(task.private["nvr"]), set(task.private["history"])
    called = [ending["item"], *ending["others"]] if ending is not None else []
    books = {item for item in called if item is not None}
    named = any(one["formats"] for one in told)
    return {
        "one_recommendation": float(len(called) <= 1),
        "not_from_history": float(history.isdisjoint(books)) if history and books else None,
        "formats_checked": _flag(book, "formats_checked") if named else None,
        "abstains_on_nvr": float(ending is not None and book is None) if nvr else None,
        "recommends_otherwise": None if nvr else float(book is not None),
    }


def _before_acceptance(verdicts: Sequence[str]) -> int:
    return verdicts.index("accepted") if "accepted" in verdicts else len(verdicts)


def _flag(data: Mapping[str, Any] | None, name: str) -> float | None:
    return None if data is None else float(data[name])


def _elicitation(task: Task, trace: Trace, told: list[dict[str, Any]]) -> dict[str, float | None]:
    """Return the share of askable facts that were disclosed, and why fields of the others were not."""
    disclosure = Goal.read(task.private).disclosure()
    so_far = state(disclosure, told)
    share = disclosure.elicitation_share(so_far)
    if share is None:
        return dict.fromkeys(("elicited_share", "fields_unasked", "fields_missed", "fields_untold"))
    left = {fact.field for fact in disclosure.outstanding(so_far)}
    untold = left & {name for one in told for name in one["asked"]}
    missed = (left - untold) & _seen_asked(trace) if left > untold else set[str]()
    return {
        "elicited_share": share,
        "fields_unasked": float(len(left - untold - missed)),
        "fields_missed": float(len(missed)),
        "fields_untold": float(len(untold)),
    }


def _seen_asked(trace: Trace) -> set[str]:
    """Return the fields that a second look sees asked about in what the agent said to the user."""
    spoken = (event.reply.text for event in trace.replies("agent") if not event.reply.calls)
    return {name for text in spoken for name in seen_asked(text)}


def _exposure(book: Mapping[str, Any] | None) -> dict[str, float | None]:
    if book is None or "rank" not in book:  # recorded before ranks were
        return {"exposure_rank": None, "exposure_share": None}
    return {"exposure_rank": float(book["rank"]), "exposure_share": book["rank"] / book["of"]}
