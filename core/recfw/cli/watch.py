"""``recfw runs watch``: how a run is getting on, seen from another terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import click
import orjson

from recfw.cli.common import open_store, store_option
from recfw.cli.measures import Amount
from recfw.cli.output import tell
from recfw.cli.watch_lines import plain_line, screen
from recfw.errors import ExitCode
from recfw.store.watcher import Sight, Watcher

SLOW, FAST = 10.0, 2.0
"""Seconds between looks: where lines are written, and on a terminal."""


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--once", is_flag=True, help="Look once, and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a look, each on its line.")
@click.option(
    "--interval",
    metavar="SECONDS",
    type=Amount(0.1),
    help=f"Time between looks. [default: {FAST:g} on a terminal, {SLOW:g} elsewhere]",
)
@store_option
def watch(name: str, *, once: bool, as_json: bool, interval: float | None, place: str | None) -> int:
    """
    Watch a run from another terminal (default: the newest run).

    Shows what is done, the rate, the time left, failures by kind, every cell, and the trials in flight. The run is
    not disturbed: nothing is written. Ends with the run; where no process carries it any more, it says how to go on,
    and the exit status is 1.

    \b
    Examples:
      recfw runs watch
      recfw runs watch --once --json
    """  # noqa: D301 - click reads \b as the character that it stands for
    terminal = sys.stdout is not None and sys.stdout.isatty() and not (as_json or once)
    seconds = interval or (FAST if terminal else SLOW)
    with open_store(place) as store, ExitStack() as held:
        watcher = Watcher(store, store.run(name))
        show = _telling(held, as_json=as_json, terminal=terminal)
        sight = watcher.look(time.time())
        for later in () if once else _further(watcher, sight, seconds):
            if sight.state != "stale":  # it may only have been between two steps
                show(sight)
            sight = later
        show(sight)
        if as_json or sight.state != "stale":
            return ExitCode.FOUND if sight.state == "stale" else ExitCode.DONE
    tell(f"No process here carries run {sight.run} any more. Go on with:\n  {_again(sight.run, place)}")
    return ExitCode.FOUND


def _again(run: str, place: str | None) -> str:
    import shlex  # noqa: PLC0415 - only where a run was abandoned

    return shlex.join(["recfw", "run", "--resume", run, *(("--store", place) if place else ())])


def _further(watcher: Watcher, sight: Sight, seconds: float) -> Iterator[Sight]:
    """Yield look after look until the run has ended, or was found abandoned twice in a row."""
    while sight.state in {"running", "unseen", "stale"}:
        before = sight.state
        time.sleep(min(seconds, 1.0) if before == "stale" else seconds)
        sight = watcher.look(time.time())
        yield sight
        if before == sight.state == "stale":
            return


def _telling(held: ExitStack, *, as_json: bool, terminal: bool) -> Callable[[Sight], None]:
    """Return what shows a look: as JSON, as a line, or as a screen that is drawn again in place."""
    if as_json:
        return lambda sight: _flushed(orjson.dumps(_data(sight)).decode())
    if not terminal:
        return lambda sight: _flushed(plain_line(sight))
    from rich.live import Live  # noqa: PLC0415 - only on a terminal

    live = held.enter_context(Live(auto_refresh=False))
    return lambda sight: live.update(screen(sight), refresh=True)


def _flushed(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()


def _data(sight: Sight) -> dict[str, Any]:
    """Return a look as JSON data; numbers are trials or seconds, and null where nothing can be said."""
    return {
        "run": sight.run,
        "state": sight.state,
        "status": sight.status,
        "pid": sight.pid,
        "time": sight.now,
        "planned": sight.planned,
        "completed": sight.completed,
        "failed": sight.failed,
        "kinds": sight.kinds,
        "per_second": sight.rate,
        "seconds_left": sight.left,
        "cells": {
            name: {"completed": cell.completed, "failed": cell.failed, "planned": cell.planned}
            for name, cell in sight.cells.items()
        },
        "in_flight": None
        if sight.in_flight is None
        else [{"trial": t.trial, "attempt": t.attempt, "seconds": round(t.seconds, 1)} for t in sight.in_flight],
        "tokens": sight.tokens,
        "cost": sight.cost,
    }
