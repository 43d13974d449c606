"""Rules of reading histories: one valid answer and one near miss for each hidden predicate, in 48 families."""

from collections.abc import Iterator, Sequence

from recfw.elicitation.predicates import Predicate
from recfw_books.validate.index import Index
from recfw_books.validate.subject import (
    WHOLE_SET,
    Family,
    Subject,
    family_rule,
    in_words,
    same_request,
    whole_set_rule,
)

HISTORIES = 48
WITH_TWO_HIDDEN = range(12, 23)
"""The spec says about 17 of the 48."""


def _failed(book_id: str, predicates: Sequence[Predicate], index: Index) -> tuple[Predicate, ...]:
    book = index.of((book_id,))
    return tuple(p for p in predicates if not book & index.meeting(p))


@whole_set_rule("history-count", "48 families have a reading history.")
def history_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count the families with a history."""
    count = sum(bool(family.lead.history) for family in subject.families)
    if count != HISTORIES:
        yield WHOLE_SET, f"{count} families have a history, not {HISTORIES}."


@whole_set_rule("history-two-hidden", "About 17 of the families with a history (12 to 22) hide two predicates.")
def history_two_hidden(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count the histories of families that hide two predicates."""
    count = sum(bool(family.lead.history) and len(family.hidden) == 2 for family in subject.families)
    if count not in WITH_TWO_HIDDEN:
        yield WHOLE_SET, f"{count} families with a history hide two predicates, not about 17."


@family_rule("nvr-no-history", "An NVR family has no reading history.", only="nvr")
def nvr_no_history(family: Family, _index: Index) -> Iterator[str]:
    """Look for a history in an NVR family."""
    if family.lead.history:
        yield f"it has no answer and a history of {len(family.lead.history)} books."


@family_rule("history-ids", "A history's ids are books of the smallest catalog, each there once.")
def history_ids(family: Family, index: Index) -> Iterator[str]:
    """Look ids up: at any size the agent must be able to read about what the user has read."""
    history = family.lead.history
    for book_id in dict.fromkeys(history):
        if not index.contains(book_id, index.smallest):
            yield f"the history holds {book_id!r}, which is none of the first {index.smallest} books."
        if history.count(book_id) > 1:
            yield f"the history holds {book_id!r} more than once."


@family_rule("history-one-valid", "Exactly one book of a history meets every predicate.", only="satisfiable")
def history_one_valid(family: Family, index: Index) -> Iterator[str]:
    """Count the valid answers among the books read."""
    history = family.lead.history
    valid = [i for i in history if index.of((i,)) and not _failed(i, family.predicates, index)]
    if history and len(valid) != 1:
        yield f"{len(valid)} books of its history meet every predicate."


@family_rule(
    "history-near-misses",
    "A history holds, for each hidden predicate, one book that fails that predicate and no other.",
    only="satisfiable",
)
def history_near_misses(family: Family, index: Index) -> Iterator[str]:
    """Count the near misses of each hidden predicate."""
    history = family.lead.history
    failures = [_failed(book_id, family.predicates, index) for book_id in history]
    for secret in family.hidden if history else ():
        count = sum(len(failed) == 1 and same_request(failed[0], secret) for failed in failures)
        if count != 1:
            yield f"{count} books of its history fail the hidden {in_words(secret)!r} alone."


@family_rule(
    "history-nothing-else",
    "Each book of a history meets every predicate, or all but one hidden one.",
    only="satisfiable",
)
def history_nothing_else(family: Family, index: Index) -> Iterator[str]:
    """Look for a book that fails a revealed predicate, or two."""
    for book_id in family.lead.history:
        failed = _failed(book_id, family.predicates, index)
        is_near_miss = len(failed) == 1 and any(same_request(failed[0], secret) for secret in family.hidden)
        if failed and not is_near_miss:
            yield f"{book_id!r} in its history fails {', '.join(map(in_words, failed))}."


@family_rule(
    "history-tells-nothing",
    "A history has a book that meets and a book that fails each hidden predicate, so that none gives its value away.",
    only="satisfiable",
)
def history_tells_nothing(family: Family, index: Index) -> Iterator[str]:
    """Look for a hidden predicate on which all books of a history agree."""
    read = index.of(family.lead.history)
    for secret in family.hidden if read else ():
        meeting = (read & index.meeting(secret)).bit_count()
        if meeting in {0, read.bit_count()}:
            yield f"{meeting} of {read.bit_count()} books of its history meet the hidden {in_words(secret)!r}."


RULES = (
    history_count,
    history_two_hidden,
    nvr_no_history,
    history_ids,
    history_one_valid,
    history_near_misses,
    history_nothing_else,
    history_tells_nothing,
)
