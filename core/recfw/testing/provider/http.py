"""
The wire: HTTP/1.1 with keep-alive, whole or chunked bodies, and every way to break off.

A protocol class over a transport, not streams: it costs half the CPU, and a reset needs the transport anyway.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Literal

from attrs import define, field

MAX_HEAD = 64 * 1024
MAX_BODY = 64 * 1024 * 1024
_TRICKLED = 200  # pieces into which a slow body is cut
_REASONS = {status.value: status.phrase for status in HTTPStatus} | {529: "Site Is Overloaded"}
_RESET = struct.pack("ii", 1, 0)  # linger on, for no time: closing sends RST


@define
class Request:
    """One request; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


@define
class Outgoing:
    """
    A response and how it is sent.

    Args:
        status: HTTP status.
        body: The whole body, where there are no pieces.
        pieces: The pieces of a chunked body.
        media: Content-Type.
        headers: Further header lines.
        head: Whether anything is sent at all.
        share: The share of the body, 0 to 1, that is sent before the end.
        end: What follows: the connection is kept, closed, reset, or neither another byte nor an end comes.
        delay: Seconds before the first byte.
        spread: Seconds over which a whole body is sent in small pieces.
        pace: Seconds before each piece of a chunked body but the first.
    """

    status: int = 200
    body: bytes = b""
    pieces: tuple[bytes, ...] = ()
    media: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    head: bool = True
    share: float = 1.0
    end: Literal["keep", "close", "reset", "silence"] = "keep"
    delay: float = 0.0
    spread: float = 0.0
    pace: float = 0.0

    def opening(self) -> bytes:
        """Return the status line and the headers."""
        length = "Transfer-Encoding: chunked" if self.pieces else f"Content-Length: {len(self.body)}"
        more = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        line = f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Unknown')}\r\n"
        return f"{line}Content-Type: {self.media}\r\n{length}\r\n{more}\r\n".encode("latin-1")

    def frames(self) -> Iterator[tuple[float, bytes]]:
        """Yield (seconds to wait, bytes to write) of the body, of which ``share`` is sent."""
        if self.pieces:
            frames = [(self.pace, b"%x\r\n%b\r\n" % (len(piece), piece)) for piece in self.pieces]
            if self.spread:
                frames = [(self.spread / len(frames), frame) for _, frame in frames]
            frames[0] = (0.0, frames[0][1])
            frames.append((0.0, b"0\r\n\r\n"))
            yield from frames[: int(len(frames) * self.share)]
        elif self.spread:
            step = max(1, len(self.body) // _TRICKLED)
            for start in range(0, len(self.body), step):
                yield self.spread * step / len(self.body), self.body[start : start + step]
        else:
            yield 0.0, self.body[: int(len(self.body) * self.share)]


class BadRequest(Exception):  # noqa: N818 - named after the status that answers it
    """What a client sent is no HTTP that this server speaks."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


Handler = Callable[[Request, "Connection"], Awaitable[None]]


@define(eq=False)
class Connection(asyncio.Protocol):
    """
    One connection: requests in, one at a time, and what ``handler`` sends.

    Args:
        handler: Answers a request through :meth:`send`; cancelled when the client leaves.
        connections: The set of open connections, to which this one belongs while it is open.
    """

    handler: Handler
    connections: set["Connection"]
    transport: asyncio.Transport | None = None
    task: asyncio.Task[None] | None = None
    _buffer: bytearray = field(factory=bytearray)
    _head: Request | None = None
    _needed: int = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's signature
        """End, and with it whatever was being answered."""
        self.connections.discard(self)
        if self.task is not None:
            self.task.cancel()

    def data_received(self, data: bytes) -> None:
        """Take bytes; a complete request is answered in a task unless one is being answered."""
        self._buffer += data
        if self.task is None:
            self._next()

    def _next(self) -> None:
        try:
            request = self._parse()
        except BadRequest as error:
            request = Request("", "", {})
            refusal = Outgoing(error.status, str(error).encode(), media="text/plain", end="close")
            self.task = asyncio.get_running_loop().create_task(self.send(refusal))
            return
        if request is not None:
            self.task = asyncio.get_running_loop().create_task(self._answer(request))

    def _parse(self) -> Request | None:
        """Return the next complete request, taken from the buffer; None while bytes are missing."""
        if self._head is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > MAX_HEAD:
                    raise BadRequest(431, "The head of the request is too long.")
                return None
            self._head = _head(self._buffer[:end].decode("latin-1"))
            self._needed = _length(self._head.headers)
            del self._buffer[: end + 4]
            if "expect" in self._head.headers and self.transport is not None:
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if len(self._buffer) < self._needed:
            return None
        request, self._head = self._head, None
        request.body = bytes(self._buffer[: self._needed])
        del self._buffer[: self._needed]
        return request

    async def _answer(self, request: Request) -> None:
        await self.handler(request, self)
        self.task = None
        if request.headers.get("connection", "").lower() == "close":
            self._close()
        elif self._buffer:
            self._next()

    async def send(self, out: Outgoing) -> None:
        """Send a response as it says."""
        if out.delay:
            await asyncio.sleep(out.delay)
        write = self._write
        if out.head:
            opening = out.opening()
            for wait, frame in out.frames():
                if wait:
                    write(opening)
                    opening = b""
                    await asyncio.sleep(wait)
                write(opening + frame)
                opening = b""
        if out.end == "silence":
            await asyncio.Event().wait()
        elif out.end != "keep":
            self._close(reset=out.end == "reset")

    def _write(self, data: bytes) -> None:
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def _close(self, *, reset: bool = False) -> None:
        if self.transport is None:
            return
        if reset:
            wire: socket.socket = self.transport.get_extra_info("socket")
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.transport.abort()
        else:
            self.transport.close()


def _head(text: str) -> Request:
    first, *lines = text.split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise BadRequest(400, "This is not HTTP/1.1.")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return Request(words[0], words[1], headers)


def _length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise BadRequest(411, "Send the request with a Content-Length.")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or not length.isascii():
        raise BadRequest(400, "The Content-Length is no number.")
    if int(length) > MAX_BODY:
        raise BadRequest(413, "The body of the request is too long.")
    return int(length)
