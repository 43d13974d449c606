"""``recfw runs list``: which runs are stored, and how far each got."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from recfw.cli.common import open_store, store_option
from recfw.cli.wrapping import width
from recfw.report.words import one_line
from recfw.store.glance import summaries
from recfw.store.holders import carried_in, journals_beside, state_of
from recfw.store.names import default_store
from recfw.store.records import RunSummary

_CELLS, _FEWEST, _TAGS = 40, 8, 24
"""Letters of the cells' names where no terminal sets a limit, at least, and of the tags."""


@click.command("list")
@click.option("--track", metavar="NAME", help="Only runs of this track.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Only runs with this tag; repeat for several.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs as a JSON list.")
@store_option
def list_runs(track: str | None, tags: tuple[str, ...], *, as_json: bool, place: str | None) -> None:
    """List stored runs, the oldest first."""
    default = default_store(os.environ)
    fresh = place is None and "://" not in default and not Path(default).exists()
    states: dict[str, str] = {}
    runs: list[RunSummary] = []
    if not fresh:
        runs, states = _stored(place, default)
    found = [run for run in runs if track in {None, run.info.spec.track} and {*tags} <= {*run.tags}]
    if as_json:
        told = [run_data(run) | {"state": states[run.info.id]} for run in found]
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2))
    elif not runs:
        click.echo("No runs are stored yet. Start one with: recfw run --plugin NAME")
    elif not found:
        click.echo(f"None of the {len(runs)} stored runs has that track and those tags.")
    else:
        _table(found, states)


def _stored(place: str | None, default: str) -> tuple[list[RunSummary], dict[str, str]]:
    """Return all runs and their states: at a glance where the store can be read so, else by what names its faults."""
    where = place or default
    if place != "" and "://" not in where:
        journals = journals_beside(Path(where))
        carried = carried_in(journals)  # before what is stored, which is written before a run is let go
        found = summaries(Path(where))
        if found is not None:
            return found, _states(found, journals, carried, local=True)
    with open_store(place) as store:
        carried = carried_in(store.journals)
        found = store.runs()
        return found, _states(found, store.journals, carried, local=store.database.path is not None)


def _states(runs: list[RunSummary], journals: Path, carried: frozenset[str], *, local: bool) -> dict[str, str]:
    return {run.info.id: state_of(run.info.id, run.info.status, journals, carried, local=local) for run in runs}


def status_words(status: str, state: str) -> str:
    """Return what becomes of a stored status where no process carries the run any more: ``abandoned``."""
    return "abandoned" if state == "stale" else one_line(status)


def _table(found: list[RunSummary], states: Mapping[str, str]) -> None:
    titles = ("run", "track", "status", "done", "failed", *(("tags",) if any(run.tags for run in found) else ()))
    rows = [titles, *(_row(run, states[run.info.id])[: len(titles)] for run in found)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(titles))]
    room = width()
    cells = ["cells", *(one_line(", ".join(cell.name for cell in run.info.spec.cells)) for run in found)]
    for row, names in zip(rows, cells, strict=True):
        told = [
            text.rjust(most) if title in {"done", "failed"} else text.ljust(most)
            for title, text, most in zip(titles, row, widths, strict=True)
        ]
        line = "  ".join((*told, ""))
        click.echo(line + _short(names, _CELLS if room is None else max(_FEWEST, room - len(line))))


def _row(run: RunSummary, state: str) -> tuple[str, ...]:
    info, done = run.info, f"{run.completed}/{run.info.planned}"
    status = status_words(info.status, state)
    return (info.id, one_line(info.spec.track), status, done, f"{run.failed}", _short(",".join(run.tags), _TAGS))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def run_data(summary: RunSummary) -> dict[str, Any]:
    """Return what a script would want to know of a run."""
    info = summary.info
    return {
        "id": info.id,
        "created": info.created,
        "plugin": info.spec.plugin,
        "track": info.spec.track,
        "status": info.status,
        "planned": info.planned,
        "completed": summary.completed,
        "failed": summary.failed,
        "tags": list(summary.tags),
        "note": summary.note,
        "cells": [cell.name for cell in info.spec.cells],
        "spec_digest": info.spec_digest,
        "content_digest": info.content_digest,
        "versions": info.versions,
    }
