"""``recfw books build``: a catalog from somebody's table."""

from pathlib import Path

import click

from recfw.model.document import CellValue, Column, Table
from recfw_books.catalog.build import MANIFEST_FILE, build_catalog
from recfw_books.catalog.table import presets
from recfw_books.cli.common import print_table


def _presets(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the presets and stop."""
    if value:
        for name, preset in sorted(presets().items()):
            click.echo(f"{name}  {preset.about}.")
        ctx.exit()


@click.command()
@click.option("--table", metavar="FILE", required=True, type=Path, help="The table; gzip where its name ends with .gz.")
@click.option("--preset", metavar="NAME", required=True, help="Its layout (--presets lists them).")
@click.option("--out", metavar="PATH", required=True, type=Path, help="Folder to make.")
@click.option("--labels", metavar="FILE", type=Path, help="Label trees. [default: the plugin's, for real tables]")
@click.option("--force", is_flag=True, help="Replace a catalog that was built before.")
@click.option("--presets", is_flag=True, is_eager=True, expose_value=False, callback=_presets, help="List presets.")
def build(table: Path, preset: str, out: Path, labels: Path | None, *, force: bool) -> None:
    """
    Build a catalog from a table of works, and count what became of every row.

    The folder holds catalog.jsonl, labels.json and manifest.json (counts, source and SHA-256 of each file).

    \b
    Example:
      recfw books build --table works.tsv.gz --preset librarydata --out my-catalog
      recfw run --plugin books --catalog my-catalog
    """  # noqa: D301 - click reads \b as the character that it stands for
    counts = build_catalog(table, preset, out, labels=labels, force=force)
    steps = ("rows", *(name for name in counts if name.startswith("dropped")), "kept")
    others = [name for name in counts if name not in steps]
    rows: list[tuple[CellValue, ...]] = [(name, counts[name]) for name in (*steps, *others)]
    print_table(
        Table((Column("step"), Column("rows", ",d")), tuple(rows), "rows = dropped + kept; noted rows are kept")
    )
    click.echo(f"\nManifest: {out / MANIFEST_FILE}")
    click.echo(f"Play it: recfw run --plugin books --catalog {out}")
