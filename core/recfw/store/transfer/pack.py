"""
The gzip file of an export: the same bytes for the same lines, and no byte of it that could change unnoticed.

It has two members, so that every gunzip reads it: the lines, and an empty one whose header holds the SHA-256 of the
first. (gzip's own checksum leaves its header and some bits of the compressed stream unguarded.)
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from recfw.errors import DataError

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""A member's header: deflate, no flags, no clock, no operating system."""
_TAIL_HEAD = b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff" + b"\x24\x00" + b"RF" + b"\x20\x00"
"""The last member's header, up to the digest: an extra field of 32 bytes with the name RF."""
_TAIL_END = b"\x03\x00" + bytes(8)
"""An empty deflate stream, its checksum and its size."""
TAIL = len(_TAIL_HEAD) + 32 + len(_TAIL_END)

LEVEL = 6
CHUNK = 1 << 16
FREELY = 100 << 20
"""Bytes up to which a file may grow however much when it is unpacked."""
MOST_FOLD = 400
"""How many times its size a larger one may grow; the most that deflate can do is 1,032, and dialogues come to 60."""

Limit = int | None


def pack(lines: Iterable[bytes], out: BinaryIO) -> None:
    """Write lines as a packed file."""
    packer, crc, size, digest = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS), 0, 0, hashlib.sha256()

    def put(data: bytes) -> None:
        digest.update(data)
        out.write(data)

    put(HEAD)
    for line in lines:
        crc, size = zlib.crc32(line, crc), size + len(line)
        put(packer.compress(line))
    put(packer.flush())
    put(crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"))
    out.write(_TAIL_HEAD + digest.digest() + _TAIL_END)


def unpack(file: BinaryIO, size: int, limit: Limit) -> Iterator[bytes]:
    """
    Yield a packed file's contents, a piece at a time.

    Args:
        file: The file, at its beginning.
        size: Its size in bytes.
        limit: Most bytes that it may unpack to; without one, a file that grows beyond all measure is refused.

    Raises:
        DataError: It is not as :func:`pack` writes it: cut off, changed, packed by something else; or too large.
    """
    digest, left = hashlib.sha256(), size - TAIL
    reader, crc, total = zlib.decompressobj(-zlib.MAX_WBITS), 0, 0
    head = file.read(min(len(HEAD), max(left, 0)))
    digest.update(head)
    left -= len(head)
    if head != HEAD:
        raise DataError(
            "is no gzip file as `recfw export` writes it.",
            "If you packed it yourself, unpack it and import the .jsonl.",
        )
    try:
        while not reader.eof and left > 0:
            data = file.read(min(CHUNK, left))
            left -= len(data)
            digest.update(data)
            while data and not reader.eof:
                piece = reader.decompress(data, CHUNK)
                data = reader.unconsumed_tail
                crc, total = zlib.crc32(piece, crc), total + len(piece)
                _check_growth(total, size, limit)
                yield piece
    except zlib.error as error:
        raise DataError(f"is damaged ({error}).", "Get a whole copy.") from error
    rest = reader.unused_data + file.read(min(max(left, 0), 9))  # eight follow; more would not fit anyway
    digest.update(rest[len(reader.unused_data) :])
    sums = crc.to_bytes(4, "little") + (total & 0xFFFFFFFF).to_bytes(4, "little")
    if not reader.eof or rest != sums or file.read(TAIL + 1) != _TAIL_HEAD + digest.digest() + _TAIL_END:
        raise DataError("is cut off or was changed.", "Get a whole copy.")


def _check_growth(total: int, size: int, limit: Limit) -> None:
    if limit is not None and total > limit:
        raise DataError(f"holds more than {limit:,} bytes.", "Say --max-size with a larger size if you trust it.")
    if limit is None and total > FREELY and total > MOST_FOLD * size:
        raise DataError(
            f"grows more than {MOST_FOLD}-fold when it is unpacked, as a file does that is to fill a disk.",
            "Say --max-size with the size that you expect if you trust it.",
        )


def lines_in(pieces: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """
    Yield lines with their ends; of the last one there may be none.

    Raises:
        DataError: A line is longer than ``longest`` bytes.
    """
    waiting: list[bytes] = []
    held = 0
    for piece in pieces:
        first, *more = piece.split(b"\n")
        if more:
            yield b"".join((*waiting, first, b"\n"))
            *whole, rest = more
            for line in whole:
                yield line + b"\n"
            waiting, held = [rest], len(rest)
        else:
            waiting.append(first)
            held += len(first)
        if held > longest:
            raise DataError(f"holds a line of more than {longest:,} bytes.", "No export of recfw has such lines.")
    if held:
        yield b"".join(waiting)
