"""``recfw orchestration serve``: the MCP servers for any MCP client, over stdio or HTTP."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click

from recfw.cli.output import tell
from recfw.errors import UsageError
from recfw.known import suggestion
from recfw_orchestration.servers import SERVERS

ALL = "all"
HERE = "127.0.0.1"
"""Where an HTTP server listens if nobody says so: for this machine's own clients."""


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1)
@click.option("--http", "port", metavar="PORT", type=click.IntRange(0, 65535), help="Serve over HTTP; 0: a free port.")
@click.option("--host", metavar="HOST", help=f"With --http: where to listen. [default: {HERE}]")
@click.option("--data", "path", metavar="STORE", type=Path, help="An imported store. [default: the generated world]")
def serve(names: tuple[str, ...], port: int | None, host: str | None, path: Path | None) -> None:
    """
    Offer a server's tools to any MCP client, over standard input and output.

    Several names, or all, make one server that has the tools of each. It ends when its client closes its standard
    input or is gone; over HTTP with Ctrl-C or SIGTERM. `recfw orchestration tools` lists servers and tools.

    \b
    Examples:
      recfw orchestration serve amazon-catalog
      recfw orchestration serve all --http 8000     # http://127.0.0.1:8000/mcp
      recfw orchestration serve yelp-catalog yelp-geo --data my-store
    """  # noqa: D301 - click reads \b as the character that it stands for
    wanted = named(names)
    if host is not None and port is None:
        raise UsageError("--host is for HTTP.", "Give --http PORT as well.")
    from recfw_orchestration.servers.serving import combined, serve_http, serve_stdio  # noqa: PLC0415 - heavy, and
    from recfw_orchestration.stores import open_told  # noqa: PLC0415 - help does not need them

    with redirect_stdout(sys.stderr):
        server = combined(open_told(path), wanted)
    if port is None:
        if sys.stdin.isatty():
            tell("Waiting for an MCP client on standard input; Ctrl-C or Ctrl-D ends it. For people: --http PORT.")
        serve_stdio(server)
    else:
        serve_http(server, host or HERE, port)


def named(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the servers that are named; UsageError for an unknown name, or none at all."""
    for name in names:
        if name != ALL and name not in SERVERS:
            hint = suggestion(name, (*SERVERS, ALL)) or f"Known: {', '.join(SERVERS)}, {ALL}."
            raise UsageError(f"There is no server '{name}'.", hint)
    if not names:
        raise UsageError("Which server?", f"Name one or several of {', '.join(SERVERS)}, or {ALL}.")
    return tuple(SERVERS) if ALL in names else names
