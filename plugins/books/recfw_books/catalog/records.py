"""The catalog's records: books in their fixed order with two label trees, and the directory that holds them."""

import gzip
import hashlib
import re
import sys
import zlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import orjson
from attrs import field, frozen

from recfw.elicitation.labels import LabelTree
from recfw.errors import DataError
from recfw_books.model import FIRST_YEAR, FORMATS, GENRES, LAST_YEAR, Book
from recfw_books.naming import Titles

TREE_FIELDS = ("country", "language")
RECORDS_FILE, LABELS_FILE = "catalog.jsonl", "labels.json"
MANIFEST_FILE = "manifest.json"

_NESTED_SIZES = (5_000, 10_000)
_FIELDS = frozenset({"id", "title", "authors", "year", "genres", "language", "country", "sitelinks", "formats"})
_GENRES, _FORMATS = frozenset(GENRES), frozenset(FORMATS)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class ReadableFile(Protocol):
    """A file that can be read: a path, or a resource of an installed package."""

    @property
    def name(self) -> str:
        """Return the file's name."""

    def read_bytes(self) -> bytes:
        """Return the file's content."""


@frozen
class BookCatalog:
    """
    Books in their fixed shuffled order, so that every smaller catalog is a prefix, and the label trees that cover them.

    ``trees`` has the keys ``country`` and ``language``. Ids are unique; whoever builds one makes sure of it.
    """

    books: tuple[Book, ...] = field(repr=lambda books: f"<{len(books)} books>")
    trees: Mapping[str, LabelTree]

    @cached_property
    def by_id(self) -> Mapping[str, Book]:
        """Return id -> book, in catalog order."""
        return {book.id: book for book in self.books}

    @cached_property
    def digest(self) -> str:
        """Return SHA-256 (hex) over the canonical JSON lines and then the labels as one canonical JSON line."""
        digest = hashlib.sha256(encode_books(self.books))
        digest.update(orjson.dumps(self.labels(), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
        return digest.hexdigest()

    @cached_property
    def popularity(self) -> Mapping[str, int]:
        """Return id -> rank by sitelinks, from 1 for the most popular book; ties are broken by id."""
        ordered = sorted(self.books, key=lambda book: (-book.sitelinks, book.id))
        return {book.id: rank for rank, book in enumerate(ordered, 1)}

    @cached_property
    def titles(self) -> Titles:
        """Return the titles, to be found in what an agent says."""
        return Titles.of(self.books)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the nested sizes that this catalog has: 5,000 and 10,000 where they are smaller than it, then all."""
        return (*(size for size in _NESTED_SIZES if size < len(self.books)), len(self.books))

    def prefix(self, n: int) -> "BookCatalog":
        """Return the catalog of the first n books; DataError where there are fewer or n < 1."""
        if not 1 <= n <= len(self.books):
            raise DataError(f"this catalog has no {n} books.", f"It holds {len(self.books)}; choose a size up to that.")
        return self if n == len(self.books) else BookCatalog(self.books[:n], self.trees)

    def labels(self) -> dict[str, dict[str, list[str]]]:
        """Return the trees as plain data: field -> parent -> sorted labels that it covers, transitively."""
        return {name: self.trees[name].children() for name in TREE_FIELDS}


def encode_books(books: Iterable[Book]) -> bytes:
    """Return books as canonical JSON lines: UTF-8 without escapes, keys sorted, no spaces, a newline after each."""
    option = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return b"".join(
        orjson.dumps(
            {
                "id": book.id,
                "title": book.title,
                "authors": book.authors,
                "year": book.year,
                "genres": book.genres,
                "language": book.language,
                "country": book.country,
                "sitelinks": book.sitelinks,
                "formats": book.formats,
            },
            option=option,
        )
        for book in books
    )


def write_catalog(catalog: BookCatalog, directory: Path, *, compress: bool = False) -> tuple[Path, Path]:
    """
    Write ``catalog.jsonl`` (compressed: ``catalog.jsonl.gz``, without a date) and ``labels.json``; return their paths.

    The directory is made where it is missing; equal catalogs give equal bytes (compressed: with the same zlib).
    """
    directory.mkdir(parents=True, exist_ok=True)
    data = encode_books(catalog.books)
    records = directory / (RECORDS_FILE + ".gz" if compress else RECORDS_FILE)
    records.write_bytes(gzip.compress(data, compresslevel=9, mtime=0) if compress else data)
    labels = directory / LABELS_FILE
    option = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    labels.write_bytes(orjson.dumps(catalog.labels(), option=option))
    return records, labels


def read_records(records: ReadableFile, labels: ReadableFile) -> BookCatalog:
    """
    Read a catalog from its two files, strictly.

    Raises:
        DataError: A line is malformed, lacks a field or has one too many, or holds a value that no book may have; an id
            occurs twice; the labels are no two trees. The sentence names file, line and field.
    """
    books = parse_books(_content(records), records.name)
    return BookCatalog(books, parse_labels(_content(labels), labels.name))


def _content(file: ReadableFile) -> bytes:
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if file.name.endswith(".gz") else data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{file.name}: damaged gzip file ({error}).", "Build or copy the catalog again.") from error
    except OSError as error:
        raise DataError(f"{file.name}: cannot be read ({error.strerror or error}).") from error


def parse_books(data: bytes, name: str) -> tuple[Book, ...]:
    """Return the books of canonical JSON lines; ``name`` is the file's, for errors (DataError as in `read_records`)."""
    reader = _Reader(name)
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    books = tuple([reader.book(number, line) for number, line in enumerate(lines, 1)])
    if not books:
        raise DataError(f"{name}: holds no books.", "Build the catalog again.")
    return books


class _Reader:
    """One pass over a file's lines: checks each value once and shares equal labels between books."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._ids: set[str] = set()
        self._genres: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._formats: dict[tuple[str, ...], tuple[str, ...]] = {}

    def book(self, number: int, line: bytes) -> Book:
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise DataError(f"{self._name}: line {number}: not JSON ({error}).") from error
        if type(row) is not dict:
            raise DataError(f"{self._name}: line {number}: must be an object with the fields of a book.")
        if row.keys() != _FIELDS:
            self._refuse_fields(number, row)
        book_id, title, authors, year, links = row["id"], row["title"], row["authors"], row["year"], row["sitelinks"]
        if type(book_id) is not str or not _ID.fullmatch(book_id):
            self._refuse(number, "id", "letters, digits, '_', '.' and '-' only", book_id)
        if book_id in self._ids:
            raise DataError(f"{self._name}: line {number}: field 'id': {book_id!r} occurs twice.")
        self._ids.add(book_id)
        if not _is_text(title):
            self._refuse(number, "title", "a text", title)
        if type(authors) is not list or not authors or not all(map(_is_text, authors)):
            self._refuse(number, "authors", "a list of one or more names", authors)
        if type(year) is not int or not FIRST_YEAR <= year <= LAST_YEAR:
            self._refuse(number, "year", f"a whole number from {FIRST_YEAR} to {LAST_YEAR}", year)
        if type(links) is not int or links < 0:
            self._refuse(number, "sitelinks", "a whole number, 0 or more", links)
        genres = self._labels(number, "genres", row["genres"], self._genres, _GENRES)
        formats = self._labels(number, "formats", row["formats"], self._formats, _FORMATS)
        language, country = self._label(number, "language", row), self._label(number, "country", row)
        return Book(book_id, title, tuple(authors), year, genres, language, country, links, formats)

    def _label(self, number: int, name: str, row: Mapping[str, Any]) -> str:
        if not _is_text(row[name]):
            self._refuse(number, name, "a label", row[name])
        return sys.intern(row[name])

    def _labels(
        self,
        number: int,
        name: str,
        value: Any,
        seen: dict[tuple[str, ...], tuple[str, ...]],
        known: frozenset[str],
    ) -> tuple[str, ...]:
        if type(value) is list and all(type(item) is str for item in value):
            labels = tuple(value)
            if labels in seen:
                return seen[labels]
            if labels and len(set(labels)) == len(labels) and known.issuperset(labels):
                return seen.setdefault(labels, labels)
        self._refuse(number, name, f"a list of one or more of {', '.join(sorted(known))}, none twice", value)
        raise AssertionError  # unreachable: _refuse always raises, which mypy cannot tell through the branches above

    def _refuse(self, number: int, name: str, wanted: str, value: Any) -> None:
        raise DataError(f"{self._name}: line {number}: field {name!r} must be {wanted}, not {value!r}.")

    def _refuse_fields(self, number: int, row: Mapping[str, Any]) -> None:
        for problem, names in (("lacks", _FIELDS - row.keys()), ("has unknown", row.keys() - _FIELDS)):
            if names:
                raise DataError(f"{self._name}: line {number}: {problem} field {min(names)!r}.")


def _is_text(value: Any) -> bool:
    return type(value) is str and bool(value) and not value.isspace()


def parse_labels(data: bytes, name: str) -> dict[str, LabelTree]:
    """
    Return field -> label tree from ``{"language": {parent: [children]}, "country": {…}}``.

    Raises:
        DataError: Another shape, labels that cover one another, or a parent that does not list its grandchildren.
    """
    try:
        raw = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{name}: not JSON ({error}).") from error
    if type(raw) is not dict or raw.keys() != set(TREE_FIELDS):
        raise DataError(f"{name}: must be an object with exactly the fields 'language' and 'country'.")
    trees = {}
    for tree_field in TREE_FIELDS:
        tree = raw[tree_field]
        if type(tree) is not dict or not all(type(kids) is list and all(map(_is_text, kids)) for kids in tree.values()):
            raise DataError(f"{name}: field {tree_field!r} must map each parent label to the list of labels it covers.")
        try:
            trees[tree_field] = LabelTree(tree)
        except DataError as error:
            raise DataError(f"{name}: field {tree_field!r}: {error.message}", error.hint) from error
    return trees
