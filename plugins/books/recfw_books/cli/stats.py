"""``recfw books stats``: a catalog's shape beside the paper's, as tables and as a picture."""

from pathlib import Path
from typing import Any

import click

from recfw.cli.common import registry_of
from recfw.model.run import ComponentSpec
from recfw_books.catalog.load import load_catalog
from recfw_books.cli.common import catalog_option
from recfw_books.stats.document import stats_report
from recfw_books.stats.figures import shape_of
from recfw_books.stats.picture import check_picture, draw_picture


@click.command()
@catalog_option
@click.option(
    "--format", "renderer", metavar="NAME", default="terminal", show_default=True, help="terminal, markdown, json …"
)
@click.option("--picture", metavar="FILE", type=Path, help="Draw it, too, into a .png or .svg file.")
@click.pass_context
def stats(ctx: click.Context, source: str | None, renderer: str, picture: Path | None) -> None:
    """
    Show a catalog's genres, languages, countries, decades, formats and popularity beside the paper's.

    \b
    Examples:
      recfw books stats
      recfw books stats --catalog my-catalog --format json
      recfw books stats --picture shape.svg
    """  # noqa: D301 - click reads \b as the character that it stands for
    if picture is not None:
        check_picture(picture)
    made: Any = registry_of(ctx).create("renderers", ComponentSpec(renderer, {}))
    name = source or "the embedded one"
    shape = shape_of(load_catalog(source))
    click.echo(made.render(stats_report(shape, name)), nl=False)
    if picture is not None:
        draw_picture(shape, f"Catalog: {name}", picture)
        click.echo(f"Picture: {picture}", err=True)
