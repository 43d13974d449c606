"""The rules of the pipeline that are data: kinds of work, mapped genres, label corrections, exclusions."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from recfw.errors import DataError, UsageError
from recfw_books.catalog.records import ReadableFile
from recfw_books.model import FIRST_YEAR, GENRES, LAST_YEAR

FILES = ("classes.tsv", "genres.tsv", "corrections.tsv", "exclusions.tsv")
LABEL = "label"
CORRECTED = (LABEL, "title", "author", "year", "genres", "language", "country")
"""Fields that a correction may name: ``label`` is that of a person, language or country, the others are a work's."""
EXCLUDED = ("id", "title", "author")

_QID = re.compile(r"Q[1-9][0-9]{0,14}")
_YEAR = re.compile(r"[0-9]{4}")
_COLUMNS = {
    "classes.tsv": ("class", "label", "verdict", "kind", "as_genre", "reason"),
    "genres.tsv": ("genre", "label", "genres", "reason"),
    "corrections.tsv": ("entity", "field", "from", "to", "reason"),
    "exclusions.tsv": ("rule", "field", "pattern", "reason"),
}

T = TypeVar("T")
Cells = Mapping[str, str]


@frozen
class Kind:
    """
    What a class of works means for the catalog.

    Args:
        kept: Whether such works are kept.
        name: What they are called where they are dropped: edition, series, play …
        as_genre: Whether a work that has the class as a genre is dropped, too.
    """

    kept: bool
    name: str
    as_genre: bool


@frozen
class Correction:
    """One value that is put right: only where it is ``wrong`` does it become ``right``."""

    entity: str
    field: str
    wrong: str
    right: str
    reason: str


@frozen
class Exclusion:
    """A rule by which works are left out: those of which a value of ``field`` holds the pattern, in any case."""

    name: str
    field: str
    pattern: re.Pattern[str]
    reason: str


@frozen
class Rules:
    """
    All rules.

    Args:
        kinds: Class -> what it means.
        genres: Genre -> labels of the catalog, in the order of ``GENRES``; none where it is left unmapped on purpose.
        names: Class or genre -> its label in the files, for people.
        corrections: In the order of the file.
        exclusions: In the order of the file.
        hashes: File -> SHA-256 (hex).
    """

    kinds: Mapping[str, Kind]
    genres: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    corrections: Sequence[Correction]
    exclusions: Sequence[Exclusion]
    hashes: Mapping[str, str]


def read_rules(folder: Path | None = None) -> Rules:
    """
    Read the rules of the plugin, or those of a folder; what the folder lacks is the plugin's.

    Raises:
        UsageError: The folder is none, or holds none of the files.
        DataError: A file cannot be read, or a row does not hold what it must; the sentence names file and line.
    """
    if folder is not None and not any((folder / name).is_file() for name in FILES):
        raise UsageError(f"{folder} holds none of {', '.join(FILES)}.", "Copy one from recfw_books/wikidata/rules.")
    tables, hashes = {}, {}
    for name in FILES:
        own = None if folder is None else folder / name
        file: ReadableFile = own if own is not None and own.is_file() else files(__package__) / "rules" / name
        try:
            data = file.read_bytes()
        except OSError as error:
            raise DataError(f"{name}: the rules cannot be read ({error.strerror or error}).") from error
        tables[name], hashes[name] = _Table(name, data), hashlib.sha256(data).hexdigest()
    classes, genres = tables["classes.tsv"], tables["genres.tsv"]
    kinds, mapped = classes.each("class", _kind), genres.each("genre", _mapped)
    names = {**genres.each("genre", _label), **classes.each("class", _label)}
    corrections = tables["corrections.tsv"].all(_correction, lambda one: (one.entity, one.field, one.wrong))
    exclusions = tables["exclusions.tsv"].all(_exclusion, lambda one: one.name)
    return Rules(kinds, mapped, names, corrections, exclusions, hashes)


class _Wrong(Exception):  # noqa: N818 - never leaves this module
    """What is wrong with a row, as the end of a sentence."""


class _Table:
    """The rows of one file, and where they stand."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        try:
            lines = data.decode("utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise DataError(f"{name}: not UTF-8 ({error.reason}).", "Save the rules as UTF-8.") from error
        columns = _COLUMNS[name]
        if not lines or tuple(lines[0].split("\t")) != columns:
            raise DataError(f"{name}: line 1: must name the columns {', '.join(columns)}, with tabs between.")
        self._rows: list[tuple[int, Cells]] = []
        for place, line in enumerate(lines[1:], start=2):
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise DataError(f"{name}: line {place}: has {len(cells)} cells, not {len(columns)}.")
            self._rows.append((place, dict(zip(columns, (cell.strip() for cell in cells), strict=True))))

    def each(self, key: str, made: Callable[[Cells], T]) -> dict[str, T]:
        """Return what each row makes, by its entity."""
        found: dict[str, T] = {}
        for place, row in self._rows:
            if not _QID.fullmatch(row[key]):
                raise self._error(place, f"{key} must be an entity such as Q571, not {row[key]!r}")
            if row[key] in found:
                raise self._error(place, f"{row[key]} occurs twice")
            found[row[key]] = self._made(place, row, made)
        return found

    def all(self, made: Callable[[Cells], T], key: Callable[[T], object]) -> list[T]:
        """Return what each row makes, in order, each of another key."""
        found: dict[object, T] = {}
        for place, row in self._rows:
            one = self._made(place, row, made)
            if key(one) in found:
                raise self._error(place, "says the same as a line before it")
            found[key(one)] = one
        return list(found.values())

    def _made(self, place: int, row: Cells, made: Callable[[Cells], T]) -> T:
        try:
            return made(row)
        except _Wrong as error:
            raise self._error(place, str(error)) from error

    def _error(self, place: int, words: str) -> DataError:
        return DataError(f"{self._name}: line {place}: {words}.")


def _label(row: Cells) -> str:
    return row["label"]


def _kind(row: Cells) -> Kind:
    if row["verdict"] not in {"keep", "drop"}:
        raise _Wrong(f"verdict must be keep or drop, not {row['verdict']!r}")
    kept = row["verdict"] == "keep"
    if row["as_genre"] not in ({""} if kept else {"", "yes"}):
        raise _Wrong(f"as_genre must be empty, or yes where the verdict is drop, not {row['as_genre']!r}")
    if not kept and not (row["kind"] and row["reason"]):
        raise _Wrong("a dropped class needs a kind and a reason")
    return Kind(kept, row["kind"], row["as_genre"] == "yes")


def genre_labels(text: str) -> tuple[str, ...]:
    """Return genre labels of the catalog, parted by ``|``, in the order of ``GENRES``; ValueError for another label."""
    named = {name for name in text.split("|") if name}
    if named - set(GENRES):
        raise ValueError(f"{min(named - set(GENRES))!r} is no genre of the catalog")
    return tuple(name for name in GENRES if name in named)


def _genres(text: str) -> tuple[str, ...]:
    try:
        return genre_labels(text)
    except ValueError as error:
        raise _Wrong(str(error)) from error


def _mapped(row: Cells) -> tuple[str, ...]:
    if not row["genres"] and not row["reason"]:
        raise _Wrong("a genre without labels needs a reason")
    return _genres(row["genres"])


def _correction(row: Cells) -> Correction:
    if not _QID.fullmatch(row["entity"]):
        raise _Wrong(f"entity must be one such as Q571, not {row['entity']!r}")
    if row["field"] not in CORRECTED:
        raise _Wrong(f"field must be one of {', '.join(CORRECTED)}, not {row['field']!r}")
    wrong, right = row["from"], row["to"]
    if not (wrong and right and row["reason"]):
        raise _Wrong("from, to and reason must not be empty")
    if row["field"] == "year" and not (_YEAR.fullmatch(right) and FIRST_YEAR <= int(right) <= LAST_YEAR):
        raise _Wrong(f"to must be a year from {FIRST_YEAR} to {LAST_YEAR}, not {right!r}")
    if row["field"] == "genres":
        wrong, right = "|".join(_genres(wrong)), "|".join(_genres(right))
    return Correction(row["entity"], row["field"], wrong, right, row["reason"])


def _exclusion(row: Cells) -> Exclusion:
    if row["field"] not in EXCLUDED:
        raise _Wrong(f"field must be one of {', '.join(EXCLUDED)}, not {row['field']!r}")
    if not (row["rule"] and row["pattern"] and row["reason"]):
        raise _Wrong("rule, pattern and reason must not be empty")
    try:
        pattern = re.compile(row["pattern"], re.IGNORECASE)
    except re.error as error:
        raise _Wrong(f"pattern is no regular expression ({error})") from error
    return Exclusion(row["rule"], row["field"], pattern, row["reason"])
