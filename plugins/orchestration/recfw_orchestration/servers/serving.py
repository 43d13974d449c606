"""
Servers for outside clients: over stdio, which ends with its client, or over streamable HTTP.

On stdio nothing but the protocol is written to standard output; words for people go to standard error.
"""

import errno
import logging
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Any

import anyio
from mcp.server.stdio import stdio_server

from recfw.errors import UsageError
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.strict import StrictServer, StrictTool
from recfw_orchestration.servers.wire import Wire

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "::1")
LARGEST = 16 * 2**20
"""Bytes of a request over HTTP that are read and answered in words (the SDK's 4 MiB would refuse without any)."""
BACKLOG = 2048
"""Connections that may wait to be taken."""
GRACE = 1
"""Seconds that open connections get when an HTTP server is told to end."""


def combined(data: Data, names: Sequence[str]) -> StrictServer:
    """Return one server that has the tools of several, or the one that is named."""
    built = [SERVERS[name].build(data) for name in dict.fromkeys(names)]
    servers = [server for server in built if isinstance(server, StrictServer)]
    if len(servers) == 1:
        return servers[0]
    tools: list[StrictTool] = [tool for server in servers for tool in server.strict_tools]
    words = " ".join(str(server.instructions) for server in servers)
    return StrictServer("recfw-orchestration", words, tools)


def serve_stdio(server: StrictServer) -> None:
    """Serve until the client closes standard input or is gone."""
    _log_in_lines()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # a thread that waits for the client's next line would hold up the end
    try:
        anyio.run(_talk, server)
    except* (BrokenPipeError, ConnectionResetError):  # the client left while an answer was on its way
        pass


async def _talk(server: StrictServer) -> None:
    wire: Any = Wire()
    async with stdio_server(wire, wire) as (sent, answers):
        await server.exchange(sent, answers)


def serve_http(server: StrictServer, host: str, port: int) -> None:
    """
    Serve over streamable HTTP until SIGINT or SIGTERM.

    Raises:
        UsageError: The address cannot be had.
    """
    import uvicorn  # noqa: PLC0415 - 50 ms that stdio does not need

    _log_in_lines()
    with _listening(host, port) as listening:
        bound = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        print(f"Serving {server.name} at http://{shown}:{bound}{PATH} (Ctrl-C ends it).", file=sys.stderr, flush=True)
        if host not in LOCAL:
            print("Anybody who reaches this machine can call it: there is no log-in.", file=sys.stderr, flush=True)
        app: Any = server.streamable_http_app(
            streamable_http_path=PATH, json_response=True, host=host, max_request_body_size=LARGEST
        )
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE, log_config=None
        )
        uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; UsageError where it is taken, refused or no address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, since asyncio switches off Nagle's delay (40 ms an answer) only where it is.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        what = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be had: {error.strerror or error}"
        hint = "Name another port or --host; --http 0 takes a free one."
        raise UsageError(f"{host}:{port} {what}.", hint) from None
    return listening


def _log_in_lines() -> None:
    """Log warnings to standard error, a line each, without the traceback of anything."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)


class _Lines(logging.Formatter):
    """A line a record: of an exception its kind and words alone."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the base class's name
        kind, error, _ = ei
        return f"{kind.__name__}: {error}" if kind else ""

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(super().format(record).splitlines())
