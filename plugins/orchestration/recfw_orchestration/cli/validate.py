"""``recfw orchestration validate``: every property of a task set, found again from its store on live servers."""

import time
from collections import Counter
from pathlib import Path

import click

from recfw.cli.progress import progress
from recfw.errors import ExitCode
from recfw.model.document import Column, Table
from recfw_orchestration.cli.common import data_option, opened, print_table, tasks_of, tasks_option


@click.command()
@data_option
@tasks_option
@click.option(
    "--whole/--part",
    default=None,
    help="Whether the set must have the paper's counts, all tools and enough phrasings; part of a set needs none of "
    "these. [default: whole, where the file holds 1,000 tasks or more and all that were made together]",
)
@click.option("--rules", is_flag=True, help="List the rules, and stop.")
def validate(store: Path | None, file: Path | None, *, whole: bool | None, rules: bool) -> int:
    """
    Check a task set against its store, by code that shares nothing with the generator.

    Every gold workflow is run on live servers; each of its calls, and each argument that may be left out, is left out
    in turn, and every tolerance is tried at both ends. Each problem is a line `task: rule: words`; the exit status is 1
    when there is any.

    \b
    Examples:
      recfw orchestration validate
      recfw orchestration validate --data my.db --tasks my-tasks.jsonl.gz
    """  # noqa: D301 - click reads \b as the character that it stands for
    from recfw_orchestration.validate import RULES  # noqa: PLC0415 - loads the SDK, which --help must not
    from recfw_orchestration.validate import validate as find_problems  # noqa: PLC0415
    from recfw_orchestration.validate.whole import WANTED, size  # noqa: PLC0415

    if rules:
        print_table(Table((Column("rule"), Column("what it demands")), tuple(RULES.items())))
        return ExitCode.DONE
    start = time.monotonic()
    pool, named = tasks_of(file)
    data = opened(store, pool, named)
    with progress("tasks checked", len(pool.tasks)) as shown:
        cells, complete = pool.head.cells or None, True if whole is None and file is None else whole
        problems = find_problems(data, pool.tasks, complete=complete, cells=cells, step=shown.step)
    for problem in problems:
        click.echo(f"{problem.where}: {problem.rule}: {problem.words}")
    counts = ", ".join(f"{rule} {many}" for rule, many in Counter(problem.rule for problem in problems).most_common())
    found = f"{len(problems):,} problems ({counts})" if problems else "No problem"
    made = size(pool.head.cells or WANTED)
    part = f" of the {made:,} that were made together" if len(pool.tasks) < made else ""
    spent = time.monotonic() - start
    click.echo(f"{found} in {len(pool.tasks):,} tasks{part} ({named}); {len(RULES)} rules; {spent:.1f} s.")
    return ExitCode.FOUND if problems else ExitCode.DONE
