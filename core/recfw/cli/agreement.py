"""``recfw agreement``: a judge's scores against people's ratings."""

from pathlib import Path

import click
from attrs import asdict

from recfw.cli.common import open_store, registry_of, store_option
from recfw.cli.objects import json_option, print_json
from recfw.errors import DataError, UsageError, reading_fault
from recfw.known import suggestion
from recfw.model.run import ComponentSpec
from recfw.report.agreement import agreement as agree
from recfw.report.agreement import agreement_report, read_ratings


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--ratings", metavar="FILE", required=True, help="CSV: trial, perhaps rater, and one column a figure.")
@click.option(
    "--column", metavar="COLUMN=FIGURE", multiple=True, help="Hold a column against a figure of another name."
)
@click.option(
    "--format", "renderer", metavar="NAME", default="terminal", show_default=True, help="Format of the table."
)
@json_option
@store_option
@click.pass_context
def agreement(
    ctx: click.Context,
    name: str,
    ratings: str,
    column: tuple[str, ...],
    renderer: str,
    *,
    as_json: bool,
    place: str | None,
) -> None:
    """
    Hold a run's scores against people's ratings of the same trials (default: the newest run).

    A trial is named cell/task/number in the column 'trial'. Several raters of a trial are averaged. Figures are those
    of `recfw report`, such as the criteria that a judge rated.

    \b
    Example:
      recfw agreement RUN --ratings ratings.csv --column overall=helpfulness
    """  # noqa: D301 - click reads \b as the character that it stands for
    registry, store = registry_of(ctx), open_store(place)
    run = store.run(name)
    try:
        text = Path(ratings).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"{ratings}: cannot be read: {reading_fault(error)}.") from error
    found = read_ratings(text, ratings)
    figures = {each: each for each in found}
    for words in column:
        left, equals, right = words.partition("=")
        if not (left and equals and right):
            raise UsageError(f"--column {words}: write COLUMN=FIGURE.")
        if left not in figures:
            message = f"{ratings} has no column '{left}' (it has: {', '.join(figures)})."
            raise UsageError(message, suggestion(left, figures))
        figures[left] = right
    if column:
        figures = {left: right for left, right in figures.items() if any(c.startswith(f"{left}=") for c in column)}
    raters = {rater for by_trial in found.values() for by in by_trial.values() for rater in by}
    agreed = agree(found, store.rows(run.id), figures)
    if as_json:
        print_json({"run": run.id, "raters": len(raters), "figures": [asdict(each) for each in agreed]})
        return
    report = agreement_report(agreed, run.id, len(raters))
    click.echo(registry.create("renderers", ComponentSpec(renderer)).render(report))
