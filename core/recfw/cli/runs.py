"""``recfw runs``: what is stored."""

import os
import time
from pathlib import Path
from typing import Any

import click
import orjson

from recfw.cli.common import open_store, store_option
from recfw.cli.measures import size_words
from recfw.cli.runs_manage import delete, merge, note, prune, tag
from recfw.cli.watch import watch
from recfw.report.words import one_line, printable
from recfw.serialize import to_data
from recfw.store.records import RunSummary
from recfw.store.repository import default_store
from recfw.store.space import Space, space_of


@click.group()
def runs() -> None:
    """List, show, watch, tag, merge and delete stored runs."""


@runs.command("list")
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
        with open_store(place) as store:
            stored = store.runs()
    found = [run for run in stored if track in {None, run.info.spec.track} and {*tags} <= {*run.tags}]
    if as_json:
        click.echo(orjson.dumps([_data(run) for run in found], option=orjson.OPT_INDENT_2))
    elif not stored:
        click.echo("No runs are stored yet. Start one with: recfw run --plugin NAME")
    elif not found:
        click.echo(f"None of the {len(stored)} stored runs has that track and those tags.")
    else:
        _table(found)


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


def _data(summary: RunSummary) -> dict[str, Any]:
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


@runs.command("show")
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with the whole specification.")
@store_option
def show_run(name: str, *, as_json: bool, place: str | None) -> None:
    """
    Show what one run was asked, of what, how far it got and how much of the disk it takes.

    Without RUN it is the newest.
    """
    with open_store(place) as store:
        run = store.run(name).id
        summary = next(summary for summary in store.runs() if summary.info.id == run)
        endings, space = store.endings(run), space_of(store.database, run)
    if as_json:
        told = {"spec": to_data(summary.info.spec), "endings": endings, "bytes": _bytes(space)}
        click.echo(orjson.dumps(_data(summary) | told, option=orjson.OPT_INDENT_2))
        return
    for title, text in _lines(summary, space):
        shown = text if title == "note" else one_line(text)  # what was imported may hold words that steer a terminal
        click.echo(f"{title:15} {shown}")
    for ending, count in sorted(endings.items(), key=lambda item: (-item[1], item[0])):
        click.echo(f"{'ending':15} {count} {one_line(ending)}")


def _lines(summary: RunSummary, space: Space) -> list[tuple[str, str]]:
    info, spec = summary.info, summary.info.spec
    labels = [("tags", ", ".join(summary.tags))] if summary.tags else []
    labels += [("note", printable(summary.note).replace("\n", f"\n{'':16}"))] if summary.note else []
    cells = [
        (cell.name, ", ".join(f"{role} {component.name}" for role, component in cell.roles.items()))
        for cell in spec.cells
    ]
    return [
        ("run", info.id),
        *labels,
        ("created", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(info.created))),
        ("plugin, track", f"{spec.plugin}, {spec.track}"),
        ("status", f"{info.status}: {summary.completed} of {info.planned} completed, {summary.failed} failed"),
        ("tasks", ", ".join(spec.tasks) or "all"),
        ("trials, seed", f"{spec.trials}, {spec.seed}"),
        ("spec digest", info.spec_digest),
        ("content digest", info.content_digest),
        ("versions", ", ".join(f"{n} {v}" for n, v in sorted(info.versions.items()) if " " not in n)),
        ("disk", _disk(space)),
        *(("cell", f"{name}: {roles}") for name, roles in cells),
    ]


def _disk(space: Space) -> str:
    shared = f" ({size_words(space.shared)} of it shared with other runs)" if space.shared else ""
    parts = f"traces {size_words(space.traces)}, attachments {size_words(space.attachments)}{shared}"
    return f"{size_words(space.total)}: {parts}, records {size_words(space.rows)}; {space.attempts} attempts"


def _bytes(space: Space) -> dict[str, int]:
    return {
        "total": space.total,
        "traces": space.traces,
        "attachments": space.attachments,
        "shared": space.shared,
        "rows": space.rows,
        "attempts": space.attempts,
    }


for _command in (watch, delete, prune, tag, note, merge):
    runs.add_command(_command)
