"""The generator's view of a catalog: one whole number a label, whose bit i tells whether book i carries it."""

from collections.abc import Callable, Iterable
from functools import reduce

from recfw.elicitation.predicates import Op, Predicate
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import FORMATS, Book


class CatalogIndex:
    """
    Bit sets over a catalog's books in catalog order, so that a nested catalog is the low bits.

    Attributes:
        books: Every book, in catalog order.
        sizes: Number of books of each nested catalog, ascending; the last is the whole catalog.
        nested: The bit set of each nested catalog; the first is the smallest (5,000 books where there are as many).
        labels: Field ("genre", "language", "country") -> label -> bit set; a parent label holds its children's books.
        formats: Format -> bit set.
    """

    def __init__(self, catalog: BookCatalog) -> None:
        self.books: tuple[Book, ...] = catalog.books
        self.sizes = catalog.sizes
        self.nested = tuple((1 << size) - 1 for size in self.sizes)
        self.trees = catalog.trees
        self.labels = {"genre": self._bits(lambda book: book.genres)}
        for name in ("language", "country"):
            self.labels[name] = self._bits(self._covering(name))
        formats = self._bits(lambda book: book.formats)
        self.formats = {name: formats.get(name, 0) for name in FORMATS}
        self._until = self._cumulative_years()

    def _covering(self, name: str) -> Callable[[Book], tuple[str, ...]]:
        """Return the function from a book to its label of a field and every label above it."""
        known: dict[str, tuple[str, ...]] = {}

        def labels(book: Book) -> tuple[str, ...]:
            label: str = getattr(book, name)
            if label not in known:
                known[label] = (label, *sorted(self.trees[name].above(label)))
            return known[label]

        return labels

    def _bits(self, labels_of: Callable[[Book], tuple[str, ...]]) -> dict[str, int]:
        rows: dict[str, bytearray] = {}
        width = len(self.books) // 8 + 1
        for i, book in enumerate(self.books):
            for label in labels_of(book):
                rows.setdefault(label, bytearray(width))[i >> 3] |= 1 << (i & 7)
        return {label: int.from_bytes(rows[label], "little") for label in sorted(rows)}

    def _cumulative_years(self) -> dict[int, int]:
        """Return year -> bit set of the books of that year or before, for every year of the catalog."""
        years = {int(year): bits for year, bits in self._bits(lambda book: (str(book.year),)).items()}
        until, seen = {}, 0
        for year in sorted(years):
            seen |= years[year]
            until[year] = seen
        return until

    def until(self, year: int) -> int:
        """Return the books of a year or before; the year is any number, in the catalog or not."""
        if year not in self._until:
            earlier = [known for known in self._until if known < year]
            self._until[year] = self._until[max(earlier)] if earlier else 0
        return self._until[year]

    def bits(self, predicate: Predicate) -> int:
        """Return the books that meet a predicate on genre, language, country or year."""
        if predicate.op is Op.LE:
            return self.until(predicate.value)
        if predicate.op is Op.GE:
            return self.nested[-1] & ~self.until(predicate.value - 1)
        return self.labels[predicate.field].get(predicate.value, 0)

    def matching(self, predicates: Iterable[Predicate]) -> int:
        """Return the books that meet every predicate (all books where there is none)."""
        return reduce(lambda found, predicate: found & self.bits(predicate), predicates, self.nested[-1])

    def counts(self, bits: int) -> tuple[int, ...]:
        """Return how many of these books each nested catalog has."""
        return tuple((bits & nested).bit_count() for nested in self.nested)

    def positions(self, bits: int) -> list[int]:
        """Return the positions of these books in the catalog, ascending."""
        found = []
        text = f"{bits:b}"[::-1]
        at = text.find("1")
        while at >= 0:
            found.append(at)
            at = text.find("1", at + 1)
        return found

    def years(self, bits: int) -> list[int]:
        """Return the publication years of these books, ascending, one a book."""
        return sorted(self.books[i].year for i in self.positions(bits))
