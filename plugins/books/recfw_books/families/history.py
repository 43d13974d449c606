"""What the user has read and in which formats the user takes a book: the facts of a family beside its predicates."""

from collections.abc import Sequence

from recfw.elicitation.predicates import Predicate
from recfw.model.draws import Draws
from recfw_books.families.index import CatalogIndex
from recfw_books.families.reveal import Disclosure
from recfw_books.families.rules import leave_one_out


def draw_format(index: CatalogIndex, request: Sequence[Predicate], draws: Draws, *, history: bool) -> tuple[str, ...]:
    """
    Draw the one format that the user accepts: at least one answer of the smallest catalog has it and one lacks it.

    Where the user has a history, two answers have it, so that one is left unread. Empty where no format suits.
    """
    answers = index.matching(request) & index.nested[0]
    suiting = [
        name
        for name, having in index.formats.items()
        if answers & ~having and (answers & having).bit_count() > int(history)
    ]
    return (draws.choice(suiting),) if suiting else ()


def draw_history(
    index: CatalogIndex, request: Sequence[Predicate], disclosure: Disclosure, formats: Sequence[str], draws: Draws
) -> tuple[str, ...]:
    """
    Draw a reading history: one answer, and for each withheld predicate one book that fails it and nothing else.

    All are of the smallest catalog, so that every nested one has them, and in an accepted format, so that nothing but
    the predicate tells the near misses from the answer. One other answer at least stays unread. In random order; empty
    where there is no such history.
    """
    suitable = index.nested[0]
    if formats:
        suitable &= index.formats[formats[0]]
    answers = index.matching(request) & suitable
    if answers.bit_count() < 2:
        return ()
    without = leave_one_out(index, request)
    piles = [answers, *(without[i] & ~answers & suitable for i in disclosure.hidden)]
    if not all(piles):
        return ()
    read = [index.books[draws.choice(index.positions(pile))].id for pile in piles]
    draws.shuffle(read)
    return tuple(read)
