"""The catalog as a component that any track can name: ``resources.catalog("books", {"source": …})``."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from attrs import field, frozen

from recfw.protocols import PATH, Catalog
from recfw_books.catalog.load import load_catalog


@frozen
class BooksCatalogOptions:
    """
    Options of the books catalog.

    Args:
        source: A built or exported catalog (folder or file); empty for the embedded one.
        size: Keep the first so many books; 0 keeps all.
    """

    source: str = field(default="", metadata=PATH)
    size: int = 0


class BooksCatalog(Catalog):
    """Books by id, in catalog order: title, authors, year, genres, language, country, formats."""

    name: ClassVar[str] = "books"
    summary: ClassVar[str] = "the embedded 20,000 books, or a catalog that was built from a table"
    Options: ClassVar[type] = BooksCatalogOptions
    version: ClassVar[str] = "1"

    def __init__(self, options: BooksCatalogOptions) -> None:
        whole = load_catalog(options.source or None)
        self._books = whole.prefix(options.size) if options.size else whole

    def ids(self) -> Sequence[str]:
        """Return every book's id, in catalog order."""
        return tuple(book.id for book in self._books.books)

    def get(self, item: str) -> Mapping[str, Any] | None:
        """Return a book's fields, or None."""
        book = self._books.by_id.get(item)
        if book is None:
            return None
        return {"title": book.title, "authors": book.authors, **book.fields(), "formats": book.formats}

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the records and labels."""
        return self._books.digest
