"""``recfw books build``: a catalog from somebody's table, or from a snapshot of Wikidata's query service."""

from collections.abc import Sequence
from pathlib import Path

import click

from recfw.errors import UsageError
from recfw.model.document import CellValue, Column, Table
from recfw_books.catalog.build import build_catalog
from recfw_books.catalog.records import MANIFEST_FILE
from recfw_books.catalog.table import presets
from recfw_books.cli.common import print_table
from recfw_books.wikidata.build import build_from_snapshot
from recfw_books.wikidata.corrections import ABSENT, ALREADY, APPLIED, DIFFERENT, Use
from recfw_books.wikidata.pipeline import SIZE, Account
from recfw_books.wikidata.steps import Step

SMALL = 3_000
"""Books below which the 150 families are often not to be drawn (the first 2,000 embedded ones carry them barely)."""
_NAMED = 6


def _presets(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the presets and stop."""
    if value:
        for name, preset in sorted(presets().items()):
            click.echo(f"{name}  {preset.about}.")
        ctx.exit()


@click.command()
@click.option("--table", metavar="FILE", type=Path, help="The table; gzip where its name ends with .gz.")
@click.option("--preset", metavar="NAME", help="The table's layout (--presets lists them).")
@click.option("--snapshot", metavar="PATH", type=Path, help="What `recfw books fetch` saved, instead of a table.")
@click.option("--rules", metavar="DIR", type=Path, help="Rule files for the snapshot. [default: the plugin's]")
@click.option("--out", metavar="PATH", required=True, type=Path, help="Folder to make.")
@click.option(
    "--size", metavar="N", type=int, help=f"Keep the first N. [default: {SIZE} of a snapshot, all of a table]"
)
@click.option("--labels", metavar="FILE", type=Path, help="Label trees. [default: the snapshot's, or the plugin's]")
@click.option("--force", is_flag=True, help="Replace a catalog that was built before.")
@click.option("--presets", is_flag=True, is_eager=True, expose_value=False, callback=_presets, help="List presets.")
def build(
    table: Path | None,
    preset: str | None,
    snapshot: Path | None,
    rules: Path | None,
    out: Path,
    size: int | None,
    labels: Path | None,
    *,
    force: bool,
) -> None:
    """
    Build a catalog from a table of works, or from a snapshot of Wikidata.

    Every step is counted. The folder holds catalog.jsonl, labels.json and manifest.json (counts, source and SHA-256 of
    each file).

    \b
    Examples:
      recfw books build --table works.tsv.gz --preset librarydata --out my-catalog
      recfw books build --snapshot wikidata --size 20000 --out my-catalog
      recfw run --plugin books --catalog my-catalog
    """  # noqa: D301 - click reads \b as the character that it stands for
    if (table is None) == (snapshot is None):
        raise UsageError("a catalog is built from one source.", "Give either --table and --preset, or --snapshot.")
    if table is not None:
        if preset is None:
            raise UsageError("the table's layout is not known.", "Give --preset; --presets lists them.")
        if rules is not None:
            raise UsageError("--rules are those of a snapshot.", "Leave --rules out, or build from a --snapshot.")
        books = _from_table(table, preset, out, size, labels, force=force)
    else:
        assert snapshot is not None
        if preset is not None:
            raise UsageError("--preset is the layout of a table.", "Leave --preset out, or build from a --table.")
        built = build_from_snapshot(
            snapshot, out, size=SIZE if size is None else size, labels=labels, rules=rules, force=force
        )
        _tell(built.account)
        books = len(built.catalog.books)
    click.echo(f"\nManifest: {out / MANIFEST_FILE}")
    if books < SMALL:
        click.echo(f"{books:,} books may be too few for the 150 families that a run draws; it says so where they are.")
    click.echo(f"Play it: recfw run --plugin books --catalog {out}")


def _from_table(table: Path, preset: str, out: Path, size: int | None, labels: Path | None, *, force: bool) -> int:
    """Build from a table, print its counts and return how many books there are."""
    counts = build_catalog(table, preset, out, labels=labels, size=size, force=force)
    steps = ("rows", *(name for name in counts if name.startswith("dropped")), "kept")
    others = [name for name in counts if name not in steps]
    rows: list[tuple[CellValue, ...]] = [(name, counts[name]) for name in (*steps, *others)]
    print_table(
        Table((Column("step"), Column("rows", ",d")), tuple(rows), "rows = dropped + kept; noted rows are kept")
    )
    return counts["kept"]


def _tell(account: Account) -> None:
    """Print what became of a snapshot's rows and works, and which corrections and rules met nothing."""
    rows: list[tuple[CellValue, ...]] = [(what, count) for what, count in sorted(account.gathered.items())]
    print_table(Table((Column("responses"), Column("count", ",d")), tuple(rows)))
    lines = [line for step in account.steps for line in _lines(step)]
    columns = (Column("step"), Column("before", ",d"), Column("dropped", ",d"), Column("after", ",d"))
    print_table(Table(columns, tuple(lines), "before = dropped + after; noted works are kept"))
    for status in (APPLIED, ALREADY, DIFFERENT, ABSENT):
        uses = [use for use in account.corrections if use.status == status]
        if uses:
            click.echo(f"Corrections {status}: {len(uses)} ({_some(uses)}).")
    if account.unused_exclusions:
        click.echo(f"Exclusion rules that no work met: {', '.join(account.unused_exclusions)}.")
    if account.unmapped:
        most = ", ".join(f"{name} {count:,}" for name, count in list(account.unmapped.items())[:5])
        click.echo(f"Unmapped genres of works without a mapped one, the most frequent: {most}.")
    click.echo(f"Label trees: {account.labels}.")


def _lines(step: Step) -> list[tuple[CellValue, ...]]:
    """Return a step's line and, below it, one for each reason and remark."""
    dropped = step.before - step.after
    lines: list[tuple[CellValue, ...]] = [(step.name, step.before, dropped, step.after)]
    lines += [(f"  dropped: {reason}", None, count, None) for reason, count in step.dropped.items()]
    lines += [(f"  noted: {remark}", count, None, None) for remark, count in step.noted.items() if count]
    return lines


def _some(uses: Sequence[Use]) -> str:
    """Name the first few corrections; the manifest names all."""
    named = [f"{use.correction.entity} {use.correction.field}" for use in uses[:_NAMED]]
    return ", ".join(named if len(uses) <= _NAMED else [*named, "…"])
