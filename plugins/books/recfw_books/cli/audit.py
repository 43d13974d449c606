"""``recfw books audit``: sheets for two annotators, and how far they agree."""

from pathlib import Path
from typing import Any

import click

from recfw.cli.common import registry_of
from recfw.model.run import ComponentSpec
from recfw_books import tasks as task_sets
from recfw_books.audit.agreement import agreement_report, compare
from recfw_books.audit.sample import sample as draw
from recfw_books.audit.sheets import ANNOTATORS, FILES, INSTRUCTIONS, KEY, read_answers, write_sheets
from recfw_books.catalog.folder import whole_folder
from recfw_books.catalog.load import load_catalog
from recfw_books.cli.common import catalog_option


@click.group()
def audit() -> None:
    """Have two people judge records and task families, and see how far they agree."""


@audit.command()
@click.option("--n", metavar="N", default=60, show_default=True, help="How many records.")
@click.option("--families", metavar="N", type=int, help="How many task families. [default: half as many]")
@click.option("--seed", metavar="N", default=0, show_default=True, help="Seed of the draws.")
@click.option("--out", metavar="DIR", required=True, type=Path, help="Folder to make.")
@click.option("--force", is_flag=True, help="Replace a sample that was written before.")
@catalog_option
def sample(n: int, families: int | None, seed: int, out: Path, source: str | None, *, force: bool) -> None:
    """
    Write a stratified sample of records and task families as sheets for two annotators.

    Half of the records come in turn from every genre, half from the 500 most popular books; families are NVR ones up to
    half, the others in turn from every tier. Each annotator gets the same items in another order, with empty answers;
    instructions.txt says what is asked, key.csv what each item is.

    \b
    Example:
      recfw books audit sample --n 60 --out audit
    """  # noqa: D301 - click reads \b as the character that it stands for
    with whole_folder(out, force=force, ours=FILES) as new:
        catalog = load_catalog(source)
        tasks = task_sets.own(source or "") or task_sets.generated(catalog, 0)
        items = draw(catalog, tasks, n, n // 2 if families is None else families, seed)
        write_sheets(new, items, seed)
    click.echo(f"{out}: {len(items)} items for two annotators ({', '.join(ANNOTATORS)}), {KEY}, {INSTRUCTIONS}.")
    click.echo(
        f"When both are filled in: recfw books audit agreement {' '.join(str(out / name) for name in ANNOTATORS)}"
    )


@audit.command()
@click.argument("first", metavar="A.csv", type=Path)
@click.argument("second", metavar="B.csv", type=Path)
@click.option(
    "--format", "renderer", metavar="NAME", default="terminal", show_default=True, help="terminal, markdown, json …"
)
@click.pass_context
def agreement(ctx: click.Context, first: Path, second: Path, renderer: str) -> None:
    """
    Compare two filled sheets: raw agreement and Cohen's kappa of every question, and each disagreement.

    \b
    Example:
      recfw books audit agreement audit/annotator-a.csv audit/annotator-b.csv
    """  # noqa: D301 - click reads \b as the character that it stands for
    made: Any = registry_of(ctx).create("renderers", ComponentSpec(renderer, {}))
    names = (first.name, second.name) if first.name != second.name else (str(first), str(second))
    report = agreement_report(compare(read_answers(first), read_answers(second), names), names)
    click.echo(made.render(report), nl=False)
