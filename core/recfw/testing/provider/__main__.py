"""``python -m recfw.testing.provider``: the stub in a process of its own, its URL on the first line."""

import argparse
import asyncio
import gc
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from recfw.errors import RecfwError
from recfw.testing.provider.brains import BRAINS
from recfw.testing.provider.faults import KINDS, WAYS
from recfw.testing.provider.script import Script
from recfw.testing.provider.server import StubProvider


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m recfw.testing.provider", description=__doc__)
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on")
    add("--port", type=int, default=0, help="port to listen on; 0 for a free one")
    add("--script", type=Path, metavar="FILE", help="JSON file of the script's fields; options go before it")
    add("--brain", help=f"what the model says: {', '.join(BRAINS)} or module:function")
    add("--latency", type=float, metavar="SECONDS", help="before the first byte of an answer")
    add("--spread", type=float, metavar="SECONDS", help="further latency, drawn from 0 to this")
    add("--pace", type=float, metavar="SECONDS", help="between the pieces of a streamed answer")
    add("--fault-rate", type=float, metavar="SHARE", help="share of requests that go wrong")
    add("--ways", metavar="NAMES", help="ways or kinds of --list, with commas between; all where this is left out")
    add("--seed", type=int, help="seed by which faults are drawn")
    add("--attempts", type=int, help="attempts at a request that may go wrong; 0 for all")
    add("--slow", type=float, metavar="SECONDS", help="what the ways slow and trickle take")
    add("--retry-after", type=int, metavar="SECONDS", help="what Retry-After asks for")
    add("--requests-per-second", type=float, metavar="N", help="beyond this, 429")
    add("--concurrent", type=int, metavar="N", help="beyond this many at a time, 429")
    add("--key", help="the key that requests must bear")
    add("--record", type=int, metavar="N", help="newest requests to keep for GET /requests")
    add("--list", action="store_true", help="print the ways to go wrong and exit")
    add("--until-stdin-ends", action="store_true", help="end with whoever holds the other end of standard input")
    return parser


_FAULTS = {
    "fault_rate": "rate", "seed": "seed", "attempts": "attempts", "slow": "slow", "retry_after": "retry_after",
}  # fmt: skip
_FIELDS = ("brain", "latency", "spread", "pace", "requests_per_second", "concurrent", "key", "record")


def _script(given: argparse.Namespace) -> Script:
    """Return the script of a command line: that of the file, changed by the options."""
    fields: dict[str, Any] = orjson.loads(given.script.read_bytes()) if given.script else {}
    options = vars(given)
    fields |= {name: options[name] for name in _FIELDS if options[name] is not None}
    faults = {field: options[name] for name, field in _FAULTS.items() if options[name] is not None}
    if given.ways:
        faults["ways"] = given.ways.split(",")
    if faults:
        fields["faults"] = fields.get("faults", {}) | faults
    return Script().changed(fields)


def _list() -> None:
    for kind, meaning in KINDS.items():
        print(f"{kind}: {meaning}")
        for way in WAYS.values():
            if way.kind == kind:
                print(f"  {way.name:26}{way.sentence}")


async def _serve(script: Script, given: argparse.Namespace) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    if given.until_stdin_ends:
        loop.add_reader(0, lambda: None if os.read(0, 1024) else ended.set())
    async with StubProvider(script, host=given.host, port=given.port) as stub:
        print(stub.url, flush=True)
        gc.freeze()
        await ended.wait()


def main(words: Sequence[str] | None = None) -> int:
    """Serve until interrupted; return the exit status."""
    given = _parser().parse_args(words)
    if given.list:
        _list()
        return 0
    try:
        asyncio.run(_serve(_script(given), given))
    except (RecfwError, OSError, ValueError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
