"""
Frames between a process and its workers: one tag byte, four bytes of length, the payload.

The payloads of assignments and results begin with a ticket, by which a result is known to be that of an assignment.
"""

import asyncio
import struct
from enum import Enum

_HEAD = struct.Struct(">cI")
_TICKET = struct.Struct(">I")


class Tag(Enum):
    """What a frame holds."""

    ORDER = b"O"
    READY = b"R"
    ASSIGNMENT = b"A"
    RESULT = b"D"
    ERROR = b"E"


def frame(tag: Tag, payload: bytes = b"") -> bytes:
    """Return a frame's bytes."""
    return _HEAD.pack(tag.value, len(payload)) + payload


def with_ticket(number: int, payload: bytes) -> bytes:
    """Return a payload behind its ticket."""
    return _TICKET.pack(number) + payload


def split_ticket(payload: bytes) -> tuple[int, bytes]:
    """Return what :func:`with_ticket` was given."""
    return _TICKET.unpack_from(payload)[0], payload[_TICKET.size :]


async def read_frame(reader: asyncio.StreamReader) -> tuple[Tag, bytes]:
    """Return the next frame; IncompleteReadError or ConnectionError when the other side is gone."""
    tag, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return Tag(tag), await reader.readexactly(length)
