"""
The file of a bundle: a plain tar of named parts, the same bytes for the same parts, no byte of which can change unseen.

Every tar program unpacks it. It is read strictly, part by part and never by an index: a header is what recfw would
write of that name and size, or it is refused. So there are no links, paths, devices, extended headers or compression
that could be turned against the reader; and what is not read is skipped, not kept.
"""

import hashlib
import os
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from attrs import define, field

from recfw.errors import DataError, UsageError

BLOCK = tarfile.BLOCKSIZE
CHUNK = 1 << 20
NO_BUNDLE = "A bundle is a file as `recfw submit` writes it."
_END = bytes(2 * BLOCK)


def header(name: str, size: int) -> bytes:
    """Return a part's header: an ordinary file without a date or an owner."""
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o644
    return info.tobuf(tarfile.GNU_FORMAT, "ascii", "strict")


def write_part(file: BinaryIO, name: str, size: int, pieces: Iterator[bytes]) -> None:
    """Write a part, a piece at a time."""
    file.write(header(name, size))
    file.writelines(pieces)
    file.write(bytes(-size % BLOCK))


def write_end(file: BinaryIO) -> None:
    """Write what ends a tar."""
    file.write(_END)


def pieces_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file's bytes, a megabyte at a time."""
    while piece := file.read(CHUNK):
        yield piece


class Sink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take them."""
        ...


@define
class Reader:
    """
    Reads a bundle's file once, from its beginning; every error is a DataError.

    Args:
        file: The file, at its beginning.
        digest: SHA-256 of all that was read so far.
    """

    file: BinaryIO
    digest: "hashlib._Hash" = field(factory=hashlib.sha256)

    def part(self, name: str, most: int | None, out: Sink) -> tuple[int, str]:
        """Copy the part that comes next, which must have this name; return its size and its SHA-256 (hex)."""
        size = self._size(name)
        if most is not None and size > most:
            raise DataError(f"{name} has {size:,} bytes, more than {most:,}.", "No bundle of recfw has such a part.")
        found, left = hashlib.sha256(), size
        while left:
            piece = self._take(min(CHUNK, left))
            left -= len(piece)
            found.update(piece)
            out.write(piece)
        if any(self._take(-size % BLOCK)):
            raise DataError(f"something stands behind {name}.")
        return size, found.hexdigest()

    def end(self) -> str:
        """Return the SHA-256 (hex) of the whole file, which ends here."""
        if self._take(len(_END)) != _END or self.file.read(1):
            raise DataError("something stands behind its last part.")
        return self.digest.hexdigest()

    def _size(self, name: str) -> int:
        block = self._take(BLOCK)
        try:
            size = tarfile.TarInfo.frombuf(block, "ascii", "strict").size
            same = size >= 0 and header(name, size) == block
        except (tarfile.TarError, ValueError, OverflowError) as error:
            raise DataError(f"the part {name} was to come, and what comes is none.", NO_BUNDLE) from error
        if not same:
            raise DataError(f"the part {name} was to come, and what comes is another, or was altered.", NO_BUNDLE)
        return size

    def _take(self, size: int) -> bytes:
        data = self.file.read(size)
        if len(data) < size:
            raise DataError("the file is cut off.", f"Get a whole copy. {NO_BUNDLE}")
        self.digest.update(data)
        return data


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """
    Open a bundle's file: an ordinary one, no device or pipe.

    Raises:
        UsageError: There is none, or it cannot be read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}).") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UsageError(f"{path}: is no ordinary file.", "Name the file that `recfw submit` wrote.")
    with os.fdopen(handle, "rb") as file:
        yield file
