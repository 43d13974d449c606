"""Real tables: rows of somebody's library become a catalog by a preset's columns and the rules of spec section 1."""

import csv
import gzip
import hashlib
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TextIO

from attrs import field, frozen

from recfw.elicitation.labels import LabelTree
from recfw.errors import DataError, UsageError
from recfw.known import suggestion
from recfw.model.draws import Draws
from recfw_books.catalog.formats import formats_of
from recfw_books.catalog.normalise import work_key
from recfw_books.catalog.records import BookCatalog, parse_labels
from recfw_books.model import FIRST_YEAR, GENRES, LAST_YEAR, Book

SHUFFLE_SEED = 20_000  # fixed, so that one table always gives one order

_REQUIRED = ("title", "authors", "year", "genres", "language", "country")
_QID = re.compile(r"Q[1-9][0-9]*")
_YEAR = re.compile(r"-?[0-9]{1,6}")
_COUNT = re.compile(r"[0-9]{1,9}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


@frozen
class Preset:
    """
    A table's layout: the column of each field, how values are parted, and the kinds of work that are left out.

    ``popularity`` lists columns of sitelink counts, the first filled one counts; ``prefix`` begins the ids of rows
    without a Wikidata id.
    """

    about: str
    delimiter: str
    separator: str
    row_id: str
    wikidata_id: str
    title: str
    authors: str
    year: str
    genres: str
    language: str
    country: str
    popularity: tuple[str, ...] = field(converter=tuple)
    kind: str
    dropped_kinds: tuple[str, ...] = field(converter=tuple)
    prefix: str

    def columns(self) -> tuple[str, ...]:
        """Return every column that the table must have."""
        fields = (self.row_id, self.wikidata_id, self.title, self.authors, self.year, self.genres, self.language)
        return (*fields, self.country, *self.popularity, self.kind)


def presets() -> Mapping[str, Preset]:
    """Return name -> preset, from ``data/presets.json``."""
    raw = json.loads((files("recfw_books") / "data" / "presets.json").read_text(encoding="utf-8"))
    return {name: Preset(**layout) for name, layout in raw.items()}


def build_from_table(
    path: Path, preset: str, labels: Path | None = None, size: int | None = None
) -> tuple[BookCatalog, Mapping[str, int]]:
    """
    Build a catalog from a table, in a fixed shuffled order.

    Args:
        path: The table: UTF-8, a header, one work a line, no quoting; gzip where the name ends with ``.gz``.
        preset: The layout's name in ``data/presets.json``.
        labels: A file of label trees like a catalog's ``labels.json``; the plugin's own where none is given.
        size: Keep the first so many works of the shuffled order; all where none is given or there are fewer.

    Returns:
        The catalog, and counts of rows by what became of them: ``rows`` = ``kept`` + every ``dropped: …``; each
        ``noted: …`` counts kept rows.

    Raises:
        UsageError: There is no such preset.
        DataError: The table cannot be read, lacks a column, or leaves no work.
    """
    known = presets()
    if preset not in known:
        hint = suggestion(preset, known) or "Choose one of these."
        raise UsageError(f"no preset {preset!r} (known: {', '.join(sorted(known))}).", hint)
    trees = read_label_file(labels)
    counts: Counter[str] = Counter()
    rows = _Rows(known[preset], counts)
    with _opened(path) as file:
        books = list(rows.books(file, path.name))
    if not books:
        raise DataError(f"{path.name}: no row makes a book ({_told(counts)}).", "Check that the preset fits the table.")
    Draws(SHUFFLE_SEED, "table order").shuffle(books)
    if size is not None and size < len(books):
        counts["dropped: beyond the size asked for"] = len(books) - size
        del books[size:]
    counts["kept"] = len(books)
    return BookCatalog(tuple(books), trees), dict(sorted(counts.items()))


def read_label_file(labels: Path | None) -> dict[str, LabelTree]:
    """Return the label trees of a file, or the default ones for real tables (``data/table_labels.json``)."""
    if labels is None:
        default = files("recfw_books") / "data" / "table_labels.json"
        return parse_labels(default.read_bytes(), default.name)
    try:
        return parse_labels(labels.read_bytes(), labels.name)
    except OSError as error:
        raise DataError(f"{labels}: the labels cannot be read ({error.strerror or error}).") from error


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Open a plain or gzipped table as text; whatever goes wrong while it is read becomes one sentence."""
    try:
        zipped = path.name.endswith(".gz")
        with (
            gzip.open(path, "rt", encoding="utf-8", newline="")
            if zipped
            else path.open(encoding="utf-8", newline="") as text
        ):
            yield text
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path.name}: damaged gzip file ({error}).", "Copy the table again.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path.name}: not UTF-8 ({error.reason}).", "Save the table as UTF-8.") from error
    except OSError as error:
        raise DataError(f"{path}: the table cannot be read ({error.strerror or error}).") from error


class _Rows:
    """One pass over a table's rows; counts what becomes of each."""

    def __init__(self, preset: Preset, counts: Counter[str]) -> None:
        self._preset = preset
        self._counts = counts
        self._works: set[tuple[str, tuple[str, ...]]] = set()
        self._ids: set[str] = set()

    def books(self, file: TextIO, name: str) -> Iterator[Book]:
        reader = csv.reader(file, delimiter=self._preset.delimiter, quoting=csv.QUOTE_NONE)
        try:
            header = next(reader, [])
            missing = [column for column in self._preset.columns() if column not in header]
            if missing:
                raise DataError(f"{name}: line 1: no column {missing[0]!r}.", "Choose the preset that fits the table.")
            for cells in reader:
                if not cells:
                    continue
                self._counts["rows"] += 1
                if len(cells) != len(header):
                    self._counts["dropped: wrong number of cells"] += 1
                    continue
                book = self._book(dict(zip(header, (cell.strip() for cell in cells), strict=True)))
                if book is not None:
                    yield book
        except csv.Error as error:
            raise DataError(f"{name}: line {reader.line_num}: {error}.") from error

    def _book(self, row: Mapping[str, str]) -> Book | None:
        """Return the row's book; None, and a count of the reason, where it makes none."""
        preset = self._preset
        many = {name: self._values(row[getattr(preset, name)]) for name in _REQUIRED}
        many["genres"] = [label for label in GENRES if label in many["genres"]]
        title = " ".join(row[preset.title].split())
        book_id = self._id(row)
        key = work_key(title, many["authors"])
        reason = self._unfit(row, many) or self._twin(key, book_id)
        if reason:
            self._counts[f"dropped: {reason}"] += 1
            return None
        self._works.add(key)
        self._ids.add(book_id)
        self._note("first of several languages", len(many["language"]) > 1)
        self._note("first of several countries", len(many["country"]) > 1)
        return Book(
            book_id,
            title,
            tuple(many["authors"]),
            int(row[preset.year]),
            tuple(many["genres"]),
            sys.intern(many["language"][0]),
            sys.intern(many["country"][0]),
            self._popularity(row),
            formats_of(book_id),
        )

    def _unfit(self, row: Mapping[str, str], many: Mapping[str, list[str]]) -> str:
        """Return why the row by itself makes no book; empty where it does."""
        kind, year = row[self._preset.kind], row[self._preset.year]
        if kind in self._preset.dropped_kinds:
            return f"kind {kind}"
        for name in _REQUIRED:
            if not many[name]:
                return f"no {name}"
        if not _YEAR.fullmatch(year):
            return "year is no whole number"
        return "" if FIRST_YEAR <= int(year) <= LAST_YEAR else f"year outside {FIRST_YEAR}-{LAST_YEAR}"

    def _twin(self, key: tuple[str, tuple[str, ...]], book_id: str) -> str:
        """Return why an earlier row stands for this one already; empty where none does."""
        if key in self._works:
            return "same title and authors"
        if not book_id:
            return "no id"
        return "same id" if book_id in self._ids else ""

    def _note(self, what: str, happened: bool) -> None:
        self._counts[f"noted: {what}"] += happened

    def _values(self, cell: str) -> list[str]:
        """Return a cell's values in order, spaces collapsed, none twice."""
        values = (" ".join(value.split()) for value in cell.split(self._preset.separator))
        return list(dict.fromkeys(value for value in values if value))

    def _popularity(self, row: Mapping[str, str]) -> int:
        for column in self._preset.popularity:
            if _COUNT.fullmatch(row[column]):
                return int(row[column])
        self._note("no popularity, counted as 0", happened=True)
        return 0

    def _id(self, row: Mapping[str, str]) -> str:
        """Return ``wd_`` and the Wikidata id, or the prefix and the row's id with unsafe characters replaced."""
        qid, own = row[self._preset.wikidata_id], row[self._preset.row_id]
        if _QID.fullmatch(qid):
            return f"wd_{qid}"
        if not own:
            return ""
        safe = _UNSAFE.sub("-", own)
        # What was replaced could collide with another row's id; a few digits of the original's hash keep them apart.
        mark = "" if safe == own else f"-{hashlib.sha256(own.encode()).hexdigest()[:8]}"
        return f"{_UNSAFE.sub('-', self._preset.prefix)}{safe}{mark}"


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items())) or "it has no rows"
