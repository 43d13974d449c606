"""``recfw leaderboard``: a static page of ranked bundles."""

from pathlib import Path

import click

from recfw.cli.common import registry_of
from recfw.cli.measures import read_size
from recfw.cli.objects import json_option, print_json
from recfw.cli.output import chatter, tell
from recfw.cli.progress import progress
from recfw.errors import UsageError
from recfw.report.words import one_line
from recfw.submission.board import rows_of, tables_of
from recfw.submission.entries import ENDING, Gathered, bundles_in, gather
from recfw.submission.site import check_place, write_site


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--out", metavar="SITE", required=True, help="Folder to write: new, or an earlier leaderboard.")
@click.option("--title", metavar="WORDS", default="Leaderboard", help="Title of the page. [default: Leaderboard]")
@click.option("--verdicts", metavar="FOLDER", help="Verdicts that you kept with `recfw verify --record FOLDER`.")
@click.option("--max-size", metavar="SIZE", callback=read_size, help="Most that one run may unpack to, such as 20GB.")
@json_option
@click.pass_context
def leaderboard(
    ctx: click.Context, folder: str, out: str, title: str, verdicts: str | None, max_size: int | None, *, as_json: bool
) -> None:
    """
    Render a static page from the bundles (*.tar) in DIR: tables with intervals and tiers, and a page for each bundle.

    Runs of another track, content or task set, with other participants or another scorer, stand in tables of their
    own and are never ranked together. Figures are computed from the scores in each bundle; a bundle that contradicts
    itself, or that a verdict found to differ, is left out and named. The pages ask no network and need no server.

    \b
    Examples:
      recfw leaderboard bundles/ --out site/
      recfw leaderboard bundles/ --out site/ --verdicts verdicts/
    """  # noqa: D301 - click reads \b as the character that it stands for
    place, kept = Path(out), _folder("--verdicts", verdicts) if verdicts is not None else None
    if not out:
        raise UsageError("--out is empty.", "Give it the name of a folder.")
    check_place(place)
    paths, registry = bundles_in(_folder("DIR", folder)), registry_of(ctx)
    found = Gathered()
    with progress("bundles", len(paths)) as shown:
        for found in gather(paths, registry, kept, max_size):  # noqa: B007 - the last one holds all
            shown.step()
    for one in found.left_out:
        tell(f"Left out {one_line(one.file)}: {one_line(one.why)}")
    if not paths:
        chatter(f"{folder} holds no file that ends in {ENDING}.")
    tables = tables_of(rows_of(found.entries), registry)
    pages = write_site(place, title, tables, found)
    bundles, ranked = len(found.entries), sum(len(table.lines) for table in tables)
    if as_json:
        told = {"out": out, "pages": pages, "bundles": bundles, "rows": ranked, "tables": len(tables)}
        print_json(told | {"left_out": [{"file": one.file, "why": one.why} for one in found.left_out]})
        return
    click.echo(
        f"Wrote {pages} page{'s'[: pages != 1]} to {out}: {ranked} rows of {bundles} bundle{'s'[: bundles != 1]}"
        f" in {len(tables)} table{'s'[: len(tables) != 1]}."
    )
    chatter(f"Look at it: {(place / 'index.html').absolute().as_uri()}")


def _folder(what: str, name: str) -> Path:
    path = Path(name)
    if not name or not path.is_dir():
        raise UsageError(f"{what}: there is no folder '{name}'.", "Name the folder that holds the files.")
    return path
