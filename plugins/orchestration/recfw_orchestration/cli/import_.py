"""``recfw orchestration import``: downloads of the public data sets, into one store."""

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from recfw_orchestration.cli.data import show
from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
from recfw_orchestration.data.store import Data

Command = Callable[..., Any]

_EVERY = 10.0
"""Seconds between two lines of progress where no bar can be drawn."""


class Progressing:
    """Shows how an import goes on: a bar on a terminal, a line now and then elsewhere. Writes to stderr."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = self._console.is_terminal
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        self._bars = Progress(*columns, console=self._console, disable=not self._live)
        self._tasks: dict[Path, TaskID] = {}
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bars.stop()

    def reading(self, path: Path, done: int, size: int, lines: int) -> None:
        """Show how far a file is."""
        if self._live:
            if path not in self._tasks:
                self._tasks[path] = self._bars.add_task(path.name, total=size, completed=done)
            self._bars.update(self._tasks[path], completed=done)
        elif done == size or time.monotonic() - self._last > _EVERY:
            self._last = time.monotonic()
            share = 100 if not size else 100 * done // size
            click.echo(f"{path.name}: {share} %, {lines:,} lines", err=True)

    def step(self, name: str) -> None:
        """Show a step of building the store."""
        if self._live:
            self._bars.console.print(f"building: {name}")
        else:
            click.echo(f"building: {name}", err=True)


def _paths(option: str, about: str) -> Callable[[Command], Command]:
    return click.option(option, option[2:], metavar="PATH", multiple=True, type=Path, help=f"{about} Repeatable.")


@click.command("import")
@_paths("--amazon", "Amazon Reviews of 2014, 2018 or 2023: a folder, or one file.")
@_paths("--yelp", "Yelp Open Dataset: a folder, or one file.")
@_paths("--foursquare", "Foursquare check-ins (TSMC2014): a folder, or one file.")
@click.option("--store", metavar="FILE", required=True, type=Path, help="The store to make, or to add domains to.")
@click.option("--force", is_flag=True, help="Begin anew; replace domains that the store already has.")
@click.option("--skip-broken", is_flag=True, help="Count lines that are no JSON instead of stopping at the first.")
def import_data(
    amazon: tuple[Path, ...],
    yelp: tuple[Path, ...],
    foursquare: tuple[Path, ...],
    store: Path,
    *,
    force: bool,
    skip_broken: bool,
) -> None:
    """
    Read downloads of public data sets into one store, for `run --data` and `generate --data`.

    Files may be gzip or plain; what they are is told by what they hold, not by their names. Memory stays bounded. An
    import that was interrupted (even by kill -9) continues when the same command is given again. Each user's latest
    interaction is held out: no tool shows it, nor anything that follows from it.

    \b
    Example:
      recfw orchestration import --amazon ~/amazon --yelp ~/yelp --store my.db
      recfw run --plugin orchestration --data my.db
    """  # noqa: D301 - click reads \b as the character that it stands for
    planned = plan({"amazon": amazon, "yelp": yelp, "foursquare": foursquare})
    for note in planned.notes:
        click.echo(f"note: {note}", err=True)
    with Progressing() as watcher:
        import_files(planned, store, watcher, force=force, skip_broken=skip_broken)
    data = Data.open(store)
    show(data)
    data.close()
