"""``recfw orchestration stats``: a task set in numbers, beside the paper's."""

from pathlib import Path
from typing import Any

import click

from recfw.cli.common import registry_of
from recfw.model.run import ComponentSpec
from recfw_orchestration.cli.common import tasks_of, tasks_option
from recfw_orchestration.tasks.counts import counts_report


@click.command()
@tasks_option
@click.option(
    "--format", "renderer", metavar="NAME", default="terminal", show_default=True, help="terminal, markdown, json …"
)
@click.pass_context
def stats(ctx: click.Context, file: Path | None, renderer: str) -> None:
    """
    Count a set's tasks by level and domain beside the paper's, its ambiguity, tools and phrasings.

    \b
    Examples:
      recfw orchestration stats
      recfw orchestration stats --tasks my-tasks.jsonl.gz --format json
    """  # noqa: D301 - click reads \b as the character that it stands for
    made: Any = registry_of(ctx).create("renderers", ComponentSpec(renderer, {}))
    pool, named = tasks_of(file)
    click.echo(made.render(counts_report(pool, named)), nl=False)
