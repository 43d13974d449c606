"""``recfw books validate``: every property of a task set, recomputed from its catalog."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from recfw.errors import ExitCode
from recfw.model.document import Column, Table
from recfw_books import tasks as task_sets
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.cli.common import catalog_option, print_table
from recfw_books.model import BookTask
from recfw_books.search.structured import Filters, StructuredSearch
from recfw_books.taskfile import TASKS_FILE
from recfw_books.validate import RULES
from recfw_books.validate import validate as find_problems


class StructuredTool:
    """The structured tool over every nested size of a catalog, each indexed when it is first asked."""

    def __init__(self, catalog: BookCatalog) -> None:
        self._catalog = catalog
        self._searches: dict[int, StructuredSearch] = {}

    def __call__(self, size: int, filters: Mapping[str, Any]) -> tuple[int, Sequence[str]]:
        """Return how many of the first ``size`` books match, and the ids of the first page."""
        if size not in self._searches:
            self._searches[size] = StructuredSearch(self._catalog.prefix(size))
        page = self._searches[size].search(Filters(**filters))
        return page.total, [book.id for book in page.books]


@click.command()
@catalog_option
@click.option(
    "--tasks",
    "file",
    metavar="FILE",
    help="A tasks.jsonl. [default: the tasks that a run would play]",
)
@click.option("--rules", is_flag=True, help="List the rules, and stop.")
def validate(source: str | None, file: str | None, *, rules: bool) -> int:
    """
    Check a task set against its catalog, at every nested size, by code that shares nothing with the generator.

    Each problem is a line `family: rule: words`; the exit status is 1 when there is any.

    \b
    Examples:
      recfw books validate
      recfw books validate --catalog fresh --tasks fresh/tasks.jsonl
    """  # noqa: D301 - click reads \b as the character that it stands for
    if rules:
        print_table(Table((Column("rule"), Column("what it demands")), tuple(RULES.items())))
        return ExitCode.DONE
    start = time.monotonic()
    catalog = load_catalog(source)
    tasks, origin = _tasks(catalog, source, file)
    problems = find_problems(catalog, tasks, StructuredTool(catalog))
    for problem in problems:
        click.echo(str(problem))
    click.echo("; ".join(_summary(catalog, tasks, origin, len(problems), time.monotonic() - start)))
    return ExitCode.FOUND if problems else ExitCode.DONE


def _tasks(catalog: BookCatalog, source: str | None, file: str | None) -> tuple[Sequence[BookTask], str]:
    """Return the tasks to check, and where they are from."""
    if file is not None:
        return task_sets.from_file(file), file
    kept = task_sets.own(source or "")
    if kept is not None:
        return kept, str(Path(source) / TASKS_FILE) if source else "the shipped tasks"
    return task_sets.generated(catalog, 0), "families drawn with seed 0"


def _summary(
    catalog: BookCatalog, tasks: Sequence[BookTask], origin: str, problems: int, seconds: float
) -> Iterator[str]:
    families = len({task.family for task in tasks})
    sizes = ", ".join(f"{size:,}" for size in catalog.sizes)
    found = {0: "No problem", 1: "1 problem"}.get(problems, f"{problems} problems")
    yield f"{found} in {families} families, {len(tasks)} tasks ({origin})"
    yield f"sizes {sizes}; {len(RULES)} rules checked; {seconds:.1f} s."
