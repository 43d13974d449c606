"""``recfw books export``: a catalog and its tasks as plain files."""

from pathlib import Path

import click

from recfw_books import tasks as task_sets
from recfw_books.catalog.load import load_catalog
from recfw_books.cli.common import catalog_option, out_options, say_written, set_folder


@click.command()
@out_options
@catalog_option
def export(out: Path, source: str | None, *, force: bool) -> None:
    """
    Write catalog.jsonl, labels.json and tasks.jsonl: what `recfw run --plugin books` plays.

    The embedded catalog has its shipped tasks, a folder with a tasks.jsonl has those, any other one the families of
    seed 0.

    \b
    Example:
      recfw books export --out plain
    """  # noqa: D301 - click reads \b as the character that it stands for
    with set_folder(out, force=force) as write:
        catalog = load_catalog(source)
        tasks = task_sets.own(source or "") or task_sets.generated(catalog, 0)
        write(catalog, tasks)
    say_written(out, catalog, len(tasks))
