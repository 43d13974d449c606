"""Structured search: conjunctive filters as boolean masks, pages in precomputed order (paper, section 4.1)."""

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from recfw.errors import DataError
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import FORMATS, GENRES, Book

PAGE = 20
SORTS = ("popularity", "recency")

_LISTED = 200
"""Most labels that an error lists; beyond it the commonest are."""

Mask = NDArray[np.bool_]


class UnknownValueError(DataError):
    """A filter names a value that the catalog does not have; the words hold the valid vocabulary."""


@frozen
class Filters:
    """
    What to search for; None and empty mean no restriction, all that is given must hold.

    ``genre``, ``language`` and ``country`` are labels in any case, a parent label covers its children; ``formats`` asks
    for any of them; ``page`` counts from 1.
    """

    genre: str | None = None
    language: str | None = None
    country: str | None = None
    year_min: int | None = None
    year_max: int | None = None
    formats: Sequence[str] = ()
    sort: str = "popularity"
    page: int = 1


@frozen
class Page:
    """One page of matches: how many there are in all, this page's number, how many pages, and its books in order."""

    total: int
    page: int
    pages: int
    books: tuple[Book, ...] = field(repr=False)


class StructuredSearch:
    """
    The filters over one catalog.

    Orders: ``popularity`` is by sitelinks, most first; ``recency`` by year, latest first; both break ties by id.
    """

    def __init__(self, catalog: BookCatalog) -> None:
        books = catalog.books
        self._books = books
        self._years = np.array([book.year for book in books], dtype=np.int64)
        self._orders = {
            "popularity": _order(books, lambda book: -book.sitelinks),
            "recency": _order(books, lambda book: -book.year),
        }
        size = len(books)
        self._vocabularies = {
            "genre": _Vocabulary("genre", (book.genres for book in books), size, always=GENRES),
            "formats": _Vocabulary("format", (book.formats for book in books), size, always=FORMATS),
            **{
                name: _Vocabulary(name, ((getattr(book, name),) for book in books), size, covers=tree.children())
                for name, tree in sorted(catalog.trees.items())
            },
        }

    def search(self, filters: Filters) -> Page:
        """
        Return one page of the books that meet every filter; a page past the last is empty.

        Raises:
            UnknownValueError: A label, format or order does not exist.
        """
        mask = self._mask(filters)
        order = self._orders.get(filters.sort)
        if order is None:
            raise UnknownValueError(f"there is no sort {filters.sort!r}.", f"Use one of: {', '.join(SORTS)}.")
        ranks = np.flatnonzero(mask[order]) if mask is not None else np.arange(len(order))
        start = (filters.page - 1) * PAGE
        found = order[ranks[start : start + PAGE]].tolist() if 0 <= start < len(ranks) else []
        books = tuple([self._books[position] for position in found])
        return Page(len(ranks), filters.page, -(-len(ranks) // PAGE), books)

    def labels(self, name: str) -> tuple[str, ...]:
        """Return the valid values of ``genre``, ``language``, ``country`` or ``formats``, sorted."""
        return self._vocabularies[name].labels

    def _mask(self, filters: Filters) -> Mask | None:
        mask: Mask | None = None
        for name in ("genre", "language", "country"):
            value = getattr(filters, name)
            if value is not None:
                mask = _both(mask, self._vocabularies[name].mask(value))
        if filters.formats:
            wanted = [self._vocabularies["formats"].mask(value) for value in filters.formats]
            mask = _both(mask, np.logical_or.reduce(wanted) if len(wanted) > 1 else wanted[0])
        if filters.year_min is not None:
            mask = _both(mask, self._years >= filters.year_min)
        if filters.year_max is not None:
            mask = _both(mask, self._years <= filters.year_max)
        return mask


def _both(mask: Mask | None, other: Mask) -> Mask:
    return other if mask is None else mask & other


def _order(books: Sequence[Book], rank: Callable[[Book], int]) -> NDArray[np.intp]:
    return np.array(sorted(range(len(books)), key=lambda i: (rank(books[i]), books[i].id)), dtype=np.intp)


def _key(label: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


class _Vocabulary:
    """
    The labels of one field and the books that each covers.

    Args:
        noun: What an error calls one of them.
        carried: Each book's own labels, in catalog order.
        size: How many books there are.
        covers: Parent label -> labels under it; a parent counts where a book carries it or one of those.
        always: Labels that are valid even where no book carries them.
    """

    def __init__(
        self,
        noun: str,
        carried: Iterable[Sequence[str]],
        size: int,
        covers: Mapping[str, Sequence[str]] | None = None,
        always: Sequence[str] = (),
    ) -> None:
        self._noun = noun
        below = covers or {}
        positions: dict[str, list[int]] = {}
        for position, labels in enumerate(carried):
            for label in labels:
                positions.setdefault(label, []).append(position)
        self._masks: dict[str, Mask] = {}
        counts: dict[str, int] = {}
        for label in sorted({*positions, *below, *always}):
            mask = np.zeros(size, dtype=np.bool_)
            for each in (label, *below.get(label, ())):
                mask[positions.get(each, [])] = True
            key = _key(label)
            if mask.any() or label in always:
                self._masks[key] = mask | self._masks[key] if key in self._masks else mask
                counts[label] = int(mask.sum())
        self.labels = tuple(counts)
        self._commonest = tuple(sorted(sorted(counts, key=lambda label: (-counts[label], label))[:_LISTED]))

    def mask(self, label: str) -> Mask:
        """Return which books carry a label or one under it; UnknownValueError where there is no such label."""
        try:
            return self._masks[_key(label)]
        except KeyError:
            raise UnknownValueError(
                f"there is no {self._noun} {label[:80]!r} in this catalog.", self._hint(label)
            ) from None

    def _hint(self, label: str) -> str:
        keys = {_key(known): known for known in self.labels}
        close = [keys[key] for key in difflib.get_close_matches(_key(label[:80]), keys, n=3, cutoff=0.65)]
        meant = f"Did you mean {' or '.join(map(repr, close))}? " if close else ""
        which = (
            "Valid values"
            if len(self._commonest) == len(self.labels)
            else f"The {len(self._commonest)} commonest values"
        )
        return f"{meant}{which}: {', '.join(self._commonest)}."
