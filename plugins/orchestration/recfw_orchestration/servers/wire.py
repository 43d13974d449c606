"""
Standard input and output as the protocol's wire: every line is answered, and nothing else is written to it.

The SDK passes over a line that it cannot read, so that whoever sent it waits for ever: here it gets the protocol's own
error. While the wire is held, what anybody prints goes to standard error.
"""

import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from threading import Lock
from typing import Any

import anyio
import orjson
from anyio import to_thread
from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from pydantic import ValidationError

_FIRST = re.compile(rb'\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")')
_LAST = re.compile(rb'"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")\s*\}\s*$')
"""Where clients write a request's id: behind the version, or at the end."""
_END = 200
"""Bytes of a line's end in which an id is sought."""


class Wire:
    """The process's standard streams, taken from everybody else until the process ends; lines in, lines out."""

    def __init__(self) -> None:
        self._in, self._out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        self._lock = Lock()
        with suppress(OSError, ValueError):
            os.dup2(sys.stderr.fileno(), 1)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield lines that hold a message; answer those that do not."""
        async for line in anyio.wrap_file(self._in):
            fault = fault_of(line)
            if fault is None:
                yield line
            elif line.strip():
                await self.write(f"{orjson.dumps(fault).decode()}\n")

    async def write(self, text: str) -> None:
        """Write a line at once."""
        await to_thread.run_sync(self._write, text)

    def _write(self, text: str) -> None:
        with self._lock:
            self._out.write(text.encode())
            self._out.flush()

    async def flush(self) -> None:
        """Do nothing: a line is written at once."""


def fault_of(line: bytes) -> dict[str, Any] | None:
    """Return the protocol's answer to a line that is no message of it; None where it is one."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        is_json = all(each["type"] != "json_invalid" for each in error.errors(include_input=False, include_url=False))
        code, words = (INVALID_REQUEST, "Invalid request") if is_json else (PARSE_ERROR, "Parse error")
        return {"jsonrpc": "2.0", "id": id_of(line), "error": {"code": code, "message": words}}
    return None


def id_of(line: bytes) -> int | str | None:
    """Return the id of a request that cannot be read as a whole, where clients write it; None where it is not found."""
    found = _FIRST.match(line) or _LAST.search(line[-_END:])
    value: int | str | None = None if found is None else orjson.loads(found[1])
    return value
