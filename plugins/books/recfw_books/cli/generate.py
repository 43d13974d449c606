"""``recfw books generate``: fresh task families for a catalog."""

from pathlib import Path

import click

from recfw.cli.progress import progress
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.cli.common import catalog_option, out_options, say_written, set_folder
from recfw_books.families.generate import draw_families, variants
from recfw_books.families.index import CatalogIndex
from recfw_books.families.plan import MOST_SHARE, MOST_VALUES, make_plan
from recfw_books.model import BookTask


@click.command()
@click.option("--seed", metavar="N", required=True, type=int, help="Seed of all draws: equal seeds give equal tasks.")
@click.option(
    "--most-values",
    metavar="N",
    type=click.IntRange(min=2),
    default=MOST_VALUES,
    show_default=True,
    help="Values that a field withheld on a task without answers may have among the books that meet the rest; with "
    "more than the default, `recfw books validate` names what is out of bounds.",
)
@click.option(
    "--most-share",
    metavar="SHARE",
    type=click.FloatRange(min=0.02, max=0.5),
    default=MOST_SHARE,
    show_default=True,
    help="Share of the books matching what is revealed that may be answers to a hidden task; the paper says half.",
)
@out_options
@catalog_option
def generate(seed: int, most_values: int, most_share: float, out: Path, source: str | None, *, force: bool) -> None:
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
        tasks = _draw(catalog, seed, most_values, most_share)
        write(catalog, tasks)
    say_written(out, catalog, len(tasks))


def _draw(catalog: BookCatalog, seed: int, most_values: int, most_share: float) -> list[BookTask]:
    """Draw the families, with progress."""
    total = len(make_plan(seed))
    click.echo(f"Drawing {total} families for {len(catalog.books):,} books, seed {seed} …", err=True)
    tasks: list[BookTask] = []
    with progress("families", total) as shown:
        for family in draw_families(CatalogIndex(catalog), seed, most_values=most_values, most_share=most_share):
            tasks += variants(family)
            shown.step()
    return tasks
