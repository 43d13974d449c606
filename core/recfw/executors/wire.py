"""Frames between a run and its worker processes: one tag byte, four bytes of length, the payload."""

import asyncio
import struct
from enum import Enum

_HEAD = struct.Struct(">cI")


class Tag(Enum):
    """What a frame holds."""

    ORDER = b"O"
    READY = b"R"
    ASSIGNMENT = b"A"
    TRIAL = b"T"
    ERROR = b"E"


def frame(tag: Tag, payload: bytes = b"") -> bytes:
    """Return a frame's bytes."""
    return _HEAD.pack(tag.value, len(payload)) + payload


async def read_frame(reader: asyncio.StreamReader) -> tuple[Tag, bytes]:
    """Return the next frame; IncompleteReadError or ConnectionError when the other side is gone."""
    tag, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return Tag(tag), await reader.readexactly(length)
