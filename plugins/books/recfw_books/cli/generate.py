"""``recfw books generate``: fresh task families for a catalog."""

from pathlib import Path

import click

from recfw.cli.progress import progress
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.cli.common import catalog_option, out_options, say_written, set_folder
from recfw_books.families.generate import draw_families, variants
from recfw_books.families.index import CatalogIndex
from recfw_books.families.plan import make_plan
from recfw_books.model import BookTask


@click.command()
@click.option("--seed", metavar="N", required=True, type=int, help="Seed of all draws: equal seeds give equal tasks.")
@out_options
@catalog_option
def generate(seed: int, out: Path, source: str | None, *, force: bool) -> None:
    """
    Draw 150 fresh task families for a catalog and write them with it.

    The folder holds catalog.jsonl, labels.json and tasks.jsonl, as `recfw books export` writes them.

    \b
    Example:
      recfw books generate --seed 7 --out fresh
      recfw books validate --catalog fresh
    """  # noqa: D301 - click reads \b as the character that it stands for
    with set_folder(out, force=force) as write:
        catalog = load_catalog(source)
        tasks = _draw(catalog, seed)
        write(catalog, tasks)
    say_written(out, catalog, len(tasks))


def _draw(catalog: BookCatalog, seed: int) -> list[BookTask]:
    """Draw the families, with progress."""
    total = len(make_plan(seed))
    click.echo(f"Drawing {total} families for {len(catalog.books):,} books, seed {seed} …", err=True)
    tasks: list[BookTask] = []
    with progress("families", total) as shown:
        for family in draw_families(CatalogIndex(catalog), seed):
            tasks += variants(family)
            shown.step()
    return tasks
