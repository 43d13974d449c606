"""
What a family must hold, as tests over bit sets (spec section 2, paper section 3), each in its strictest reading.

Where the sources leave a reading open, a property holds on the whole catalog and on every nested one, and a dropped
predicate adds at least 5 % of what matches *after* the drop, which implies 5 % of the answers.
"""

from collections.abc import Sequence

from recfw.elicitation.predicates import Predicate
from recfw_books.families.index import CatalogIndex

LEAST_WITHOUT_ONE = 3
"""Matches that dropping any one predicate of a family without answers leaves, at least."""


def leave_one_out(index: CatalogIndex, predicates: Sequence[Predicate]) -> list[int]:
    """Return, for each predicate in order, the books that meet all the others."""
    return [index.matching((*predicates[:i], *predicates[i + 1 :])) for i in range(len(predicates))]


def is_material(index: CatalogIndex, predicates: Sequence[Predicate]) -> bool:
    """Tell whether dropping any predicate adds at least one book and at least 5 %, in every nested catalog."""
    answers = index.counts(index.matching(predicates))
    return all(
        20 * (wider - kept) >= wider > kept
        for without in leave_one_out(index, predicates)
        for kept, wider in zip(answers, index.counts(without), strict=True)
    )


def is_impossible(index: CatalogIndex, predicates: Sequence[Predicate]) -> bool:
    """Tell whether no book meets all predicates, and at least three meet any all but one, in every nested catalog."""
    return index.matching(predicates) == 0 and all(
        min(index.counts(without)) >= LEAST_WITHOUT_ONE for without in leave_one_out(index, predicates)
    )
