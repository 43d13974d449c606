"""What several commands share: the store option, the registry, and finding a trial by words."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recfw.cli.root import manager_of
from recfw.errors import UsageError
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.store.names import default_store

if TYPE_CHECKING:
    from recfw.store.repository import Store

F = TypeVar("F", bound=Callable[..., Any])


def store_option(command: F) -> F:
    """Add ``--store``."""
    return click.option(
        "--store",
        "place",
        metavar="PATH",
        help="Result store: an SQLite file or postgresql://… [default: RECFW_STORE, or .recfw/runs.db]",
    )(command)


def open_store(place: str | None, *, create: bool = False, read_only: bool = True) -> "Store":
    """
    Open the store that was named, or the default one; it is closed when the command ends.

    Raises:
        UsageError: The name is empty, as that of a shell's variable that was not set.
    """
    if place == "":
        raise UsageError("--store is empty.", "Give it a value, or leave it out.")
    from recfw.store.repository import Store  # noqa: PLC0415 - a third of a second, which `runs list` does without

    store = Store.open(place or default_store(os.environ), create=create, read_only=read_only)
    ctx = click.get_current_context(silent=True)
    if ctx is not None:
        ctx.call_on_close(store.close)
    return store


def cache_folder(place: str | None) -> Path:
    """Return where what can be rebuilt is kept: beside the store's file, or under ``.recfw`` here for PostgreSQL."""
    where = place or default_store(os.environ)
    return Path(".recfw/cache").absolute() if "://" in where else Path(where).absolute().parent / "cache"


def registry_of(ctx: click.Context) -> Registry:
    """Return what the installed plugins offer."""
    return Registry(manager_of(ctx))


def find_trial(store: "Store", run: str, words: str) -> TrialKey:
    """
    Return a trial by ``cell/task/number``, ``task/number``, ``cell/task`` or ``task``; number 0 where none is given.

    Raises:
        UsageError: It names no trial of the run, or trials of several cells.
    """
    matches = store.keys_named(run, words)
    cells = list(dict.fromkeys(key.cell for key in matches))
    if not matches:
        first = next((str(info.key) for info in store.trials(run)), "")
        example = f"Name one as cell/task/number, such as '{first}'." if first else "The run has no trials yet."
        raise UsageError(f"run {run} has no trial '{words}'.", example)
    if len(cells) > 1:
        raise UsageError(f"'{words}' was played in several cells.", f"Name one: {', '.join(map(str, matches[:6]))}.")
    return matches[0]
