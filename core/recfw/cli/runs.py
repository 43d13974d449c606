"""``recfw runs``: what is stored."""

import os
import sys
import time
from pathlib import Path

import click

from recfw.cli.common import open_store, store_option
from recfw.errors import UsageError
from recfw.store.repository import default_store


@click.group()
def runs() -> None:
    """List, show and delete stored runs."""


@runs.command("list")
@store_option
def list_runs(place: str | None) -> None:
    """List stored runs, the oldest first."""
    default = default_store(os.environ)
    fresh = place is None and "://" not in default and not Path(default).exists()
    found = []
    if not fresh:
        with open_store(place) as store:
            found = store.runs()
    if not found:
        click.echo("No runs are stored yet. Start one with: recfw run --plugin NAME")
        return
    width = max(len(summary.info.id) for summary in found)
    click.echo(f"{'run':{width}}  {'track':16} {'status':12} {'done':>15} {'failed':>7}  cells")
    for summary in found:
        info = summary.info
        done = f"{summary.completed}/{info.planned}"
        cells = ", ".join(cell.name for cell in info.spec.cells)
        cells = cells if len(cells) <= 40 else f"{cells[:39]}…"
        click.echo(f"{info.id:{width}}  {info.spec.track:16} {info.status:12} {done:>15} {summary.failed:>7}  {cells}")


@runs.command("show")
@click.argument("name", metavar="RUN", default="latest")
@store_option
def show_run(name: str, place: str | None) -> None:
    """Show what one run was asked, of what, and how far it got (default: the newest)."""
    with open_store(place) as store:
        info = store.run(name)
        summary = next(summary for summary in store.runs() if summary.info.id == info.id)
        endings: dict[str, int] = {}
        for row in store.rows(info.id):
            ending = f"{row.status.value}: {row.stop}"
            endings[ending] = endings.get(ending, 0) + 1
    spec = info.spec
    created = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(info.created))
    lines = [
        ("run", info.id),
        ("created", created),
        ("plugin, track", f"{spec.plugin}, {spec.track}"),
        ("status", f"{info.status}: {summary.completed} of {info.planned} completed, {summary.failed} failed"),
        ("tasks", ", ".join(spec.tasks) or "all"),
        ("trials, seed", f"{spec.trials}, {spec.seed}"),
        ("spec digest", info.spec_digest),
        ("content digest", info.content_digest),
        ("versions", ", ".join(f"{n} {v}" for n, v in sorted(info.versions.items()) if " " not in n)),
    ]
    for title, text in lines:
        click.echo(f"{title:15} {text}")
    for cell in spec.cells:
        roles = ", ".join(f"{role} {component.name}" for role, component in cell.roles.items())
        click.echo(f"{'cell':15} {cell.name}: {roles}")
    for ending, count in sorted(endings.items(), key=lambda item: (-item[1], item[0])):
        click.echo(f"{'ending':15} {count} {ending}")


@runs.command("delete")
@click.argument("names", metavar="RUN...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def delete_runs(names: tuple[str, ...], *, yes: bool, place: str | None) -> None:
    """Delete runs with all their trials, traces and pictures."""
    with open_store(place, read_only=False) as store:
        found = [store.run(name) for name in names]
        if not yes and not sys.stdin.isatty():
            raise UsageError("deleting asks first, and there is no terminal to ask on.", "Say --yes.")
        for info in found:
            if not yes and not click.confirm(f"Delete run {info.id} ({info.planned} trials planned, {info.status})?"):
                raise UsageError("nothing was deleted.")
        for info in found:
            with store.journal(info.id).lock():
                store.delete_run(info.id)
            click.echo(f"Deleted {info.id}.")
