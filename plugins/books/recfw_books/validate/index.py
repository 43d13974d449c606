"""The validator's own reading of a catalog: which books meet a predicate, as sets of positions held in integers."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate
from operator import or_
from typing import Any, TypeVar

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Op, Predicate
from recfw_books.model import Book

LEGAL_OPS: Mapping[str, frozenset[Op]] = {
    "genre": frozenset({Op.CONTAINS}),
    "language": frozenset({Op.EQ}),
    "country": frozenset({Op.EQ}),
    "year": frozenset({Op.GE, Op.LE}),
}


class Index:
    """
    Answer sets over a catalog and its prefixes.

    A set of books is an integer whose bit ``i`` stands for the ``i``-th book, so that a smaller catalog's part of it is
    one mask away and a count is one instruction. Labels are closed here, over the tree's data and by code of its own: a
    fault in the library's reading of trees or predicates shows up as a difference.

    Args:
        books: The catalog in its fixed order.
        trees: Field name -> its label tree.
        sizes: The nested catalogs' sizes; the largest is the whole catalog.
    """

    def __init__(self, books: Sequence[Book], trees: Mapping[str, LabelTree], sizes: Sequence[int]) -> None:
        self.books = tuple(books)
        self.sizes = tuple(sorted(sizes))
        self.smallest, self.largest = self.sizes[0], self.sizes[-1]
        self._position = {book.id: place for place, book in enumerate(books)}
        by_year = _by_value([(book.year,) for book in books])
        self._years = sorted(by_year)
        self._before = tuple(accumulate((by_year[year] for year in self._years), or_, initial=0))
        self._formats = _by_value([book.formats for book in books])
        self._carried = {
            "genre": _by_value([book.genres for book in books]),
            "language": _by_value([(book.language,) for book in books]),
            "country": _by_value([(book.country,) for book in books]),
        }
        self._reached = {
            field: _closure({*sets}, trees[field].children() if field in trees else {})
            for field, sets in self._carried.items()
        }
        self._covered = {
            field: {label: _union(sets.get(name, 0) for name in names) for label, names in self._reached[field].items()}
            for field, sets in self._carried.items()
        }

    def covers_any(self, field: str, label: str) -> bool:
        """Tell whether a label of a field, or a label under it, occurs in the catalog."""
        return bool(self._covered[field].get(label, 0))

    def related(self, field: str, one: Any, other: Any) -> bool:
        """Tell whether two labels of a field are one, or either covers the other; years are no labels."""
        reached = self._reached.get(field, {})
        return other in reached.get(one, ()) or one in reached.get(other, ())

    def meeting(self, predicate: Predicate) -> int:
        """Return the books that meet a predicate; none where field and operator make no legal pair."""
        if predicate.op not in LEGAL_OPS.get(predicate.field, frozenset()):
            return 0
        if predicate.field != "year":
            return self._covered[predicate.field].get(predicate.value, 0)
        if predicate.op is Op.LE:
            return self._before[bisect_right(self._years, predicate.value)]
        return self._before[-1] & ~self._before[bisect_left(self._years, predicate.value)]

    def meeting_all(self, predicates: Iterable[Predicate], size: int | None = None) -> int:
        """Return the books among the first ``size`` (default: all) that meet every predicate."""
        books = _first(self.largest if size is None else size)
        for predicate in predicates:
            books &= self.meeting(predicate)
        return books

    def in_formats(self, formats: Collection[str]) -> int:
        """Return the books offered in at least one of these formats; all books where none is named."""
        return _union(self._formats.get(name, 0) for name in formats) if formats else _first(len(self.books))

    def of(self, ids: Iterable[str]) -> int:
        """Return the set of the books with these ids; ids that the catalog lacks are left out."""
        return _union(1 << self._position[book_id] for book_id in ids if book_id in self._position)

    def contains(self, book_id: str, size: int) -> bool:
        """Tell whether an id is among the first ``size`` books."""
        return self._position.get(book_id, size) < size

    def labels_among(self, books: int, field: str) -> frozenset[str]:
        """Return the labels of a field that some books carry themselves."""
        return frozenset(label for label, carriers in self._carried[field].items() if carriers & books)


Value = TypeVar("Value", bound=Hashable)


def _first(size: int) -> int:
    return (1 << size) - 1


def _union(sets: Iterable[int]) -> int:
    union = 0
    for books in sets:
        union |= books
    return union


def _by_value(values: Sequence[Sequence[Value]]) -> dict[Value, int]:
    bits: dict[Value, bytearray] = {}
    width = (len(values) + 7) // 8
    for place, of_book in enumerate(values):
        for value in of_book:
            bits.setdefault(value, bytearray(width))[place >> 3] |= 1 << (place & 7)
    return {value: int.from_bytes(held, "little") for value, held in bits.items()}


def _closure(labels: Collection[str], below: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return label -> itself and every label below it, at whatever depth."""
    closure: dict[str, frozenset[str]] = {}
    for label in {*labels, *below}:
        reached: set[str] = set()
        waiting = [label]
        while waiting:
            current = waiting.pop()
            if current not in reached:
                reached.add(current)
                waiting.extend(below.get(current, ()))
        closure[label] = frozenset(reached)
    return closure
