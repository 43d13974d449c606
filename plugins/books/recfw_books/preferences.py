"""
The soft preferences of a family: drawn for it once, the same in all variants and at every catalog size from 5,000.

The paper leaves soft preferences to later work, so all of this is ours. One of the acceptable books of the smallest
nested catalog is drawn as the user's ideal, and up to three of its properties that the requirements do not fix become
preferences, with weights 3, 2 and 1. So all of them can be met at once; a property that no acceptable book lacks is
taken only where nothing else is left. A family without a valid recommendation has none.
"""

from functools import cached_property

from recfw.elicitation import Op, Predicate, Preference, Reveal
from recfw.elicitation.preferences import PLAIN, SLIGHT, STRONG
from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.families.index import CatalogIndex
from recfw_books.goal import Goal
from recfw_books.model import Book

WEIGHTS = (STRONG, PLAIN, SLIGHT)
PREFERENCES = "1"
"""Version of these rules; part of the content digest."""

_DECADE = 10


class FamilyPreferences:
    """
    The preferences of every family of one catalog, drawn when they are first asked for.

    Args:
        catalog: The catalog in play.
    """

    def __init__(self, catalog: BookCatalog) -> None:
        self._catalog = catalog
        self._drawn: dict[str, tuple[Preference, ...]] = {}

    @cached_property
    def _index(self) -> CatalogIndex:
        return CatalogIndex(self._catalog.prefix(self._catalog.sizes[0]))

    def of(self, family: str, goal: Goal) -> tuple[Preference, ...]:
        """Return a family's preferences, the heaviest first; none where no book is acceptable."""
        if family not in self._drawn:
            self._drawn[family] = self._draw(family, goal)
        return self._drawn[family]

    def _draw(self, family: str, goal: Goal) -> tuple[Preference, ...]:
        acceptable = self._acceptable(goal)
        if not acceptable:
            return ()
        draws = Draws(0, "soft", family)
        ideal = draws.choice([self._index.books[position] for position in self._index.positions(acceptable)])
        properties = draws.sample(found := _properties(ideal, goal), len(found))
        telling = [each for each in properties if acceptable & ~self._index.bits(each)]
        chosen = (telling or properties)[: len(WEIGHTS)]
        return tuple(Preference(each, weight) for each, weight in zip(chosen, WEIGHTS, strict=False))

    def _acceptable(self, goal: Goal) -> int:
        found = self._index.matching(goal.predicates)
        if goal.accepted_formats:
            in_format = 0
            for name in goal.accepted_formats:
                in_format |= self._index.formats[name]
            found &= in_format
        read = {position for position in self._index.positions(found) if self._index.books[position].id in goal.history}
        return found & ~sum(1 << position for position in read)


def _properties(book: Book, goal: Goal) -> list[Predicate]:
    """Return what of a book the requirements leave open, in a fixed order."""
    fixed = {(p.field, p.op) for p in goal.predicates}
    genres = {p.value for p in goal.predicates if p.field == "genre"}
    decade = book.year - book.year % _DECADE
    options = [
        *(("genre", Op.CONTAINS, genre) for genre in book.genres if genre not in genres),
        ("language", Op.EQ, book.language),
        ("country", Op.EQ, book.country),
        ("year", Op.GE, decade),
        ("year", Op.LE, decade + _DECADE - 1),
    ]
    open_ones = [each for each in options if each[0] == "genre" or (each[0], each[1]) not in fixed]
    return [Predicate(*each, Reveal.ON_ASK) for each in open_ones]
