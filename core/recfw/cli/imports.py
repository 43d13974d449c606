"""``recfw import``: runs of exports and other stores, checked from beginning to end before anything is stored."""

import os
from typing import Any

import click
from attrs import asdict

from recfw.cli.common import open_store, store_option
from recfw.cli.measures import read_size
from recfw.cli.objects import json_option, printed_at_last
from recfw.cli.output import chatter
from recfw.errors import UsageError
from recfw.store.names import default_store
from recfw.store.transfer.entering import Arrived, check, import_runs
from recfw.store.transfer.sources import Source, open_source


@click.command("import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--max-size", metavar="SIZE", callback=read_size, help="Most to read of each export, unpacked, such as 20GB."
)
@json_option
@store_option
def import_(paths: tuple[str, ...], max_size: int | None, *, as_json: bool, place: str | None) -> None:
    """
    Read runs of `recfw export`, or of another store, into this store.

    PATH is an exported file or folder, an SQLite store, or postgresql://…. Everything is checked before anything is
    stored: lines, digests, checksums, pictures. A run that is here already is given what it lacks: trials, scores,
    tags. One that is here with other content is refused, with the difference.

    \b
    Examples:
      recfw import run.jsonl.gz
      recfw import ../other/.recfw/runs.db
    """  # noqa: D301 - click reads \b as the character that it stands for
    if "" in paths:
        raise UsageError("a PATH is empty.", "Name a file, a folder or a store.")
    told: list[dict[str, Any]] = []
    with printed_at_last({"runs": told}, as_json=as_json):
        for path in paths:
            with open_source(path, max_size) as source:
                bring_in(source, place, told, as_json=as_json)


def bring_in(source: Source, place: str | None, told: list[dict[str, Any]], *, as_json: bool) -> None:
    """Check a source, then bring its runs into the store that was named; what came of each is added to ``told``."""
    chatter(f"Checking {source.name} …")
    check(source)
    with open_store(place or default_store(os.environ), create=True, read_only=False) as store:
        for arrived in import_runs(store, source):
            told.append(asdict(arrived))
            if not as_json:
                click.echo(_words(arrived))


def _words(arrived: Arrived) -> str:
    kept = f" ({arrived.note})" if arrived.note else ""
    if arrived.new:
        return f"Run {arrived.run}: imported, {_count(arrived.attempts, 'attempt')}{kept}."
    if not (arrived.attempts or arrived.scores):
        return f"Run {arrived.run}: is here already, {_count(arrived.held, 'attempt')}{kept}."
    added = f"{_count(arrived.attempts, 'attempt')} and {_count(arrived.scores, 'score')}"
    return f"Run {arrived.run}: added {added} to the {arrived.held} that were here{kept}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
