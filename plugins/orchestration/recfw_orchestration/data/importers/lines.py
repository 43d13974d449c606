"""Reading a file's lines as a stream, plain or gzip, from any place on, with errors that name the line."""

import ast
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from attrs import define

from recfw.errors import DataError

LONGEST = 64 << 20
"""Bytes of the longest line that is read; a longer one is no line of any known format."""
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
"""A byte-order mark, which some editors set before the first line."""


@define
class Place:
    """How far a file has been read: lines and bytes of its text, and bytes of the file itself (for progress)."""

    lines: int = 0
    offset: int = 0
    raw: int = 0


class LineReader:
    """
    A file's lines, without their ends and without a byte-order mark.

    Args:
        path: The file; gzip is told by its first bytes, whatever its name.
        place: Where to begin; moved on with each line.

    Raises:
        DataError: The file cannot be read, its gzip data is broken or ends early, or a line is too long.
    """

    def __init__(self, path: Path, place: Place | None = None) -> None:
        self.path = path
        self.place = place or Place()
        self._raw: BinaryIO | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as raw:
                packed = raw.read(2) == _GZIP
                raw.seek(0)
                file: Any = gzip.GzipFile(fileobj=raw) if packed else raw
                self._raw = raw
                self._skip(file, packed=packed)
                while line := file.readline(LONGEST):
                    if len(line) == LONGEST and not line.endswith(b"\n"):
                        raise self.error("is longer than 64 MB", "Give a file with one record a line.", ahead=1)
                    first = not self.place.offset
                    self.place.lines += 1
                    self.place.offset += len(line)
                    yield (line.removeprefix(_MARK) if first else line).rstrip(b"\r\n")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            whole = f"{self.path}: the gzip data is cut off or damaged after line {self.place.lines:,} ({error})."
            raise DataError(whole, "Fetch the file again, then import with --force.") from error
        except OSError as error:
            raise DataError(f"{self.path}: cannot be read ({error.strerror or error}).") from error

    def _skip(self, file: BinaryIO, *, packed: bool) -> None:
        if not packed:
            file.seek(self.place.offset)
            return
        left = self.place.offset
        while left and (read := file.read(min(left, _CHUNK))):
            left -= len(read)

    def raw(self) -> int:
        """Return how many bytes of the file itself have been read."""
        if self._raw is None or self._raw.closed:
            return self.place.raw
        self.place.raw = self._raw.tell()
        return self.place.raw

    def error(self, what: str, hint: str = "", *, ahead: int = 0) -> DataError:
        """Return an error about the current line (``ahead`` lines further)."""
        return DataError(f"{self.path}: line {self.place.lines + ahead:,} {what}.", hint)


def size_of(path: Path) -> tuple[int, int]:
    """Return a file's size and the nanosecond of its last change."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def record(line: bytes) -> dict[str, Any]:
    """
    Return a line's record: JSON, or a Python literal as in the 2014 release of Amazon's metadata.

    Nothing is ever evaluated. ValueError where the line is neither, or holds something else than a record.
    """
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = _lenient(line)
    if not isinstance(found, dict):
        raise ValueError(f"holds no record but {type(found).__name__}")  # noqa: TRY004 - a value, not a caller's type
    return found


def _lenient(line: bytes) -> Any:
    text = line.decode("utf-8", "replace")
    try:
        # Half of a surrogate pair, or NaN: JSON to its own module, not to orjson.
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError("is not JSON") from None
    return _whole(found)


def _whole(value: Any) -> Any:
    """Return a JSON value with whole surrogate pairs joined and half ones replaced."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return value
