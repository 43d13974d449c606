"""Rules of answer sets: none for NVR families at any size, material predicates and a 5k answer for the others."""

from collections.abc import Iterator
from itertools import product

from recfw_books.validate.index import Index
from recfw_books.validate.subject import Family, family_rule, in_words, without

LEFT_BY_DROPPING = 3
MATERIAL_SHARE = 20
"""A predicate is material when dropping it adds at least one answer in 20 (5 %)."""


@family_rule("nvr-empty", "An NVR family has no answer at any catalog size.", only="nvr")
def nvr_empty(family: Family, index: Index) -> Iterator[str]:
    """Count the answers at every size."""
    for size in index.sizes:
        count = index.meeting_all(family.predicates, size).bit_count()
        if count:
            yield f"{count} of the first {size} books meet every predicate."


@family_rule(
    "nvr-drop-one",
    "Dropping any one predicate of an NVR family leaves at least 3 matches, at every catalog size.",
    only="nvr",
)
def nvr_drop_one(family: Family, index: Index) -> Iterator[str]:
    """Count the matches without each predicate in turn, at every size."""
    for size, (place, predicate) in product(index.sizes, enumerate(family.predicates)):
        count = index.meeting_all(without(family.predicates, place), size).bit_count()
        if count < LEFT_BY_DROPPING:
            yield f"without {in_words(predicate)!r} only {count} of the first {size} books match."


@family_rule(
    "material",
    "Dropping any predicate of a satisfiable family adds a book or more and 5 % or more to its answers, at every size.",
    only="satisfiable",
)
def material(family: Family, index: Index) -> Iterator[str]:
    """Compare answers with and without each predicate, at every size."""
    for size, (place, predicate) in product(index.sizes, enumerate(family.predicates)):
        answers = index.meeting_all(family.predicates, size).bit_count()
        added = index.meeting_all(without(family.predicates, place), size).bit_count() - answers
        if added < 1 or added * MATERIAL_SHARE < answers:
            yield f"dropping {in_words(predicate)!r} adds {added} to {answers} answers among the first {size} books."


@family_rule(
    "answerable",
    "A satisfiable family has an answer in the smallest catalog that is unread and in an accepted format.",
    only="satisfiable",
)
def answerable(family: Family, index: Index) -> Iterator[str]:
    """Look for an acceptable book in the smallest catalog."""
    answers = index.meeting_all(family.predicates, index.smallest) & ~index.of(family.lead.history)
    if not answers & index.in_formats(family.lead.accepted_formats):
        yield f"none of the first {index.smallest} books meets every predicate, unread and in an accepted format."


RULES = (nvr_empty, nvr_drop_one, material, answerable)
