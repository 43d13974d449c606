"""``recfw runs list``: which runs are stored, and how far each got."""

import os
from pathlib import Path
from typing import Any

import click
import orjson

from recfw.cli.common import open_store, store_option
from recfw.report.words import one_line
from recfw.store.glance import summaries
from recfw.store.names import default_store
from recfw.store.records import RunSummary


@click.command("list")
@click.option("--track", metavar="NAME", help="Only runs of this track.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Only runs with this tag; repeat for several.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs as a JSON list.")
@store_option
def list_runs(track: str | None, tags: tuple[str, ...], *, as_json: bool, place: str | None) -> None:
    """List stored runs, the oldest first."""
    default = default_store(os.environ)
    fresh = place is None and "://" not in default and not Path(default).exists()
    stored: list[RunSummary] = []
    if not fresh:
        stored = _stored(place, default)
    found = [run for run in stored if track in {None, run.info.spec.track} and {*tags} <= {*run.tags}]
    if as_json:
        click.echo(orjson.dumps([run_data(run) for run in found], option=orjson.OPT_INDENT_2))
    elif not stored:
        click.echo("No runs are stored yet. Start one with: recfw run --plugin NAME")
    elif not found:
        click.echo(f"None of the {len(stored)} stored runs has that track and those tags.")
    else:
        _table(found)


def _stored(place: str | None, default: str) -> list[RunSummary]:
    """Return all runs: at a glance where the store can be read so, else through what names its faults."""
    where = place or default
    found = summaries(Path(where)) if place != "" and "://" not in where else None
    if found is not None:
        return found
    with open_store(place) as store:
        return store.runs()


def _table(found: list[RunSummary]) -> None:
    width = max(len(summary.info.id) for summary in found)
    tagged = max(len(",".join(summary.tags)) for summary in found)
    tagged = min(24, max(tagged, len("tags"))) if tagged else 0
    tags = f"  {'tags':{tagged}}" if tagged else ""
    click.echo(f"{'run':{width}}  {'track':16} {'status':12} {'done':>15} {'failed':>7}{tags}  cells")
    for summary in found:
        info = summary.info
        done = f"{summary.completed}/{info.planned}"
        cells = _short(one_line(", ".join(cell.name for cell in info.spec.cells)), 40)
        tags = f"  {_short(','.join(summary.tags), tagged):{tagged}}" if tagged else ""
        said = f"{one_line(info.spec.track):16} {one_line(info.status):12} {done:>15} {summary.failed:>7}"
        click.echo(f"{info.id:{width}}  {said}{tags}  {cells}")


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
