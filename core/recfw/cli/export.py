"""``recfw export``: stored runs as a file or a folder that another store can import."""

import os
from pathlib import Path

import click

from recfw.cli.common import open_store, store_option
from recfw.cli.measures import size_words
from recfw.cli.objects import json_option, print_json
from recfw.cli.progress import progress
from recfw.errors import UsageError
from recfw.secrets import Secrets
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.records import Part, TrialPart
from recfw.store.transfer.writing import FOLDER, FORMATS, export_runs, format_of


@click.command()
@click.argument("names", metavar="RUN...", nargs=-1, required=True)
@click.option("--out", metavar="PATH", required=True, help="File (.jsonl.gz, .jsonl) or new folder to write.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Which format. [default: by the name of PATH]")
@click.option("--redact", is_flag=True, help="Replace what looks like a credential, instead of refusing.")
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
@json_option
@store_option
def export(
    names: tuple[str, ...],
    out: str,
    form: str | None,
    *,
    redact: bool,
    overwrite: bool,
    as_json: bool,
    place: str | None,
) -> None:
    """
    Write runs, with all their trials, traces and pictures, to a file or a folder.

    `recfw import` reads it into another store and checks every byte. The same run gives the same bytes each time.
    A run that holds what looks like a credential is not exported, unless --redact replaces it.

    \b
    Examples:
      recfw export latest --out run.jsonl.gz
      recfw export 20260101 20260102 --out runs/
    """  # noqa: D301 - click reads \b as the character that it stands for
    form = format_of(Path(out), form or "")
    path = _free(out, overwrite=overwrite, form=form)
    guard = Guard(Secrets(os.environ), redact=redact)
    with open_store(place) as store:
        runs = [store.run(name) for name in names]
        ids = list(dict.fromkeys(run.id for run in runs))
        with progress("trials", sum(run.planned for run in runs)) as shown:

            def passed(part: Part) -> None:
                if isinstance(part, TrialPart):
                    shown.step()

            done = export_runs(store, ids, path, form, guard, passed)
    if as_json:
        told = {"runs": ids, "out": out, "format": form, "bytes": done.size, "redacted": done.redacted}
        print_json(told)
        return
    what = f"run {ids[0]}" if len(ids) == 1 else f"{len(ids)} runs"
    click.echo(f"Exported {what} to {out} ({size_words(done.size)}).")
    if redact:
        click.echo(f"Replaced {done.redacted} values that look like credentials.")


def _free(out: str, *, overwrite: bool, form: str) -> Path:
    """Return where to write; UsageError where something is that must not be lost, or no folder to write in."""
    if not out:
        raise UsageError("--out is empty.", "Give it the name of a file or a folder.")
    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {path.parent}.", "Make it first.")
    if form == FOLDER:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(f"{out}: exists already, and is no empty folder.", "Name another one.")
    elif path.is_dir():
        raise UsageError(f"{out}: is a folder.", "Name a file, or say --format dir.")
    elif path.exists() and not overwrite:
        raise UsageError(f"{out}: exists already.", "Name another file, or say --overwrite.")
    return path
