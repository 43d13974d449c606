"""Where runs come from: an export's file or folder, or another store. Nothing that is named there is trusted."""

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from attrs import field, frozen

from recfw.errors import DataError, RecfwError, UsageError
from recfw.store.postgres import is_postgres
from recfw.store.repository import Store
from recfw.store.transfer.leaving import parts_of
from recfw.store.transfer.pack import CHUNK, Limit, lines_in, unpack
from recfw.store.transfer.reading import read_parts
from recfw.store.transfer.records import Part
from recfw.store.transfer.writing import ATTACHMENTS, LONGEST

_SQLITE, _GZIP = b"SQLite format 3\0", b"\x1f\x8b"
_SECTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.jsonl")
_SHA = re.compile(r"[0-9a-f]{64}")


@frozen
class Source:
    """
    Runs that may be read more than once.

    Args:
        name: What people call it.
        parts: Gives the parts of one run after the other, from the beginning each time; ``thorough`` says whether every
            event is read, as it is the first time.
    """

    name: str
    parts: Callable[[bool], Iterator[Part]] = field(repr=False)


def store_source(store: Store, runs: Sequence[str]) -> Source:
    """Return runs of another store; they are checked as those of an export are."""

    def parts(thorough: bool) -> Iterator[Part]:  # noqa: ARG001 - checksums are looked at each time
        for run in runs:
            yield from parts_of(store, run)

    return Source(store.where, parts)


@contextmanager
def open_source(place: str, limit: Limit = None) -> Iterator[Source]:
    """
    Give what is at a place: an export (by its content, not its name), or a store with all its runs.

    Args:
        place: A file, a folder or a PostgreSQL address.
        limit: Most bytes to read of an export, unpacked.

    Raises:
        UsageError: There is nothing.
        DataError: It is no export, or not a sound one.
    """
    kind = _kind(place)
    if kind == "store":
        with Store.open(place, create=False, read_only=True) as store:
            yield store_source(store, [summary.info.id for summary in store.runs()])
    else:
        path = Path(place)
        read = {"folder": _folder, "packed": _packed, "lines": _plain}[kind]
        yield Source(place, lambda thorough: _named(read(path, limit, thorough), place))


def _kind(place: str) -> str:
    if is_postgres(place) or place.startswith("sqlite:///"):
        return "store"
    path = Path(place)
    try:
        if path.is_dir():
            return "folder"
        with _open(path) as file:
            head = file.read(len(_SQLITE))
    except FileNotFoundError:
        raise UsageError(f"{place}: there is no such file.") from None
    except OSError as error:
        raise DataError(f"{place}: cannot be read ({error.strerror}).") from error
    if head == _SQLITE:
        return "store"
    if head.startswith(_GZIP):
        return "packed"
    if head.startswith(b"{"):
        return "lines"
    raise DataError(f"{place}: is neither an export of recfw nor a result store.")


def _named(parts: Iterator[Part], name: str) -> Iterator[Part]:
    """Yield parts; errors name where they came from."""
    try:
        yield from parts
    except RecfwError as error:
        error.message = f"{name}: {error.message}"
        raise
    except OSError as error:
        raise DataError(f"{name}: cannot be read ({error.strerror}).") from error


def _packed(path: Path, limit: Limit, thorough: bool) -> Iterator[Part]:
    with _open(path) as file:
        pieces = unpack(file, os.fstat(file.fileno()).st_size, limit)
        yield from read_parts(lines_in(pieces, LONGEST), thorough=thorough)


def _plain(path: Path, limit: Limit, thorough: bool) -> Iterator[Part]:
    with _open(path) as file:
        yield from read_parts(lines_in(_pieces(file, Budget(limit)), LONGEST), thorough=thorough)


class Budget:
    """How many bytes may still be read of an export."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._read = limit, 0

    def take(self, size: int) -> None:
        """Count bytes that are about to be read; DataError when they are too many."""
        self._read += size
        if self._limit is not None and self._read > self._limit:
            raise DataError(
                f"holds more than {self._limit:,} bytes.", "Say --max-size with a larger size if you trust it."
            )


def _pieces(file: BinaryIO, budget: Budget) -> Iterator[bytes]:
    while piece := file.read(CHUNK):
        budget.take(len(piece))
        yield piece


# --- Folders ----------------------------------------------------------------------------------------------------------


def _folder(path: Path, limit: Limit, thorough: bool) -> Iterator[Part]:
    sections, kept = _check_folder(path)
    if not sections:
        raise DataError("holds no run: there is no file RUN.jsonl in it.")
    budget = Budget(limit)

    def fetch(sha: str, size: int) -> bytes:
        if sha not in kept:
            raise DataError(f"there is no file {ATTACHMENTS}/{sha}.")
        with _open(path / ATTACHMENTS / sha) as file:
            if os.fstat(file.fileno()).st_size != size:
                raise DataError(f"{ATTACHMENTS}/{sha} does not have the {size:,} bytes that it had.")
            budget.take(size)
            return file.read(size + 1)

    for name in sections:
        with _open(path / name) as file:
            parts = read_parts(lines_in(_pieces(file, budget), LONGEST), fetch, thorough=thorough)
            yield from _named(parts, name)


def _check_folder(path: Path) -> tuple[list[str], frozenset[str]]:
    """Return a folder's sections and attachments; DataError where anything else is in it."""
    sections, kept = [], frozenset[str]()
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if entry.name == ATTACHMENTS and entry.is_dir(follow_symlinks=False):
            kept = frozenset(_attachment(item) for item in os.scandir(entry.path))
        elif _SECTION.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
            sections.append(entry.name)
        else:
            raise _foreign(entry.name, entry)
    return sections, kept


def _attachment(entry: "os.DirEntry[str]") -> str:
    if not _SHA.fullmatch(entry.name) or not entry.is_file(follow_symlinks=False):
        raise _foreign(f"{ATTACHMENTS}/{entry.name}", entry)
    return entry.name


def _foreign(name: str, entry: "os.DirEntry[str]") -> DataError:
    what = "a link" if entry.is_symlink() else "a file or folder"
    return DataError(f"holds {name!r}, {what} that no export of recfw has.", "Remove it if you trust the rest.")


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file: no device or pipe, and below a folder no link."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DataError(f"{path}: is no ordinary file.")
        yield file
