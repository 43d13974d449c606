"""UnrealCV's framing: a magic number, a size, a payload; and the number before every message."""

import re
import socket
import struct

MAGIC = 0x9E2B83C1
LIMIT = 256 * 1024 * 1024  # bytes of one payload
_HEAD = struct.Struct("<II")
_NUMBERED = re.compile(rb"(\d{1,20}):(.*)", re.DOTALL)


class FrameError(Exception):
    """What came over the wire is no frame; the stream cannot be trusted from here on."""


def frame(payload: bytes) -> bytes:
    """Put a payload into a frame."""
    return _HEAD.pack(MAGIC, len(payload)) + payload


def receive(stream: socket.socket) -> bytes | None:
    """
    Read one payload.

    Returns:
        The payload, or None where the peer closed the connection between frames or within one.

    Raises:
        FrameError: the magic number is another one, or the size is 0 or beyond `LIMIT`.
    """
    head = _exactly(stream, _HEAD.size)
    if head is None:
        return None
    magic, size = _HEAD.unpack(head)
    if magic != MAGIC:
        raise FrameError(f"a frame must begin with 0x{MAGIC:08X}, not 0x{magic:08X}")
    if not 0 < size <= LIMIT:
        raise FrameError(f"a payload of {size} bytes is outside 1..{LIMIT}")
    return _exactly(stream, size)


def numbered(payload: bytes) -> tuple[int, str] | None:
    """Split a message into its number and its command; None when it has no number."""
    match = _NUMBERED.fullmatch(payload)
    if match is None:
        return None
    return int(match.group(1)), match.group(2).decode("utf-8", errors="replace")


def _exactly(stream: socket.socket, count: int) -> bytes | None:
    """Read so many bytes; None at the end of the stream."""
    pieces: list[bytes] = []
    while count:
        piece = stream.recv(min(count, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
