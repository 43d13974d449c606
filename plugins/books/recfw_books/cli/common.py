"""What several commands share: the catalog option, the folder that a set is written to, and tables on the terminal."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from recfw.model.document import Document, Report, Table
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw_books.catalog.build import OURS
from recfw_books.catalog.folder import whole_folder
from recfw_books.catalog.records import LABELS_FILE, RECORDS_FILE, BookCatalog, write_catalog
from recfw_books.model import BookTask
from recfw_books.taskfile import TASKS_FILE, write_tasks

F = TypeVar("F", bound=Callable[..., Any])


def catalog_option(command: F) -> F:
    """Add ``--catalog``."""
    return click.option(
        "--catalog", "source", metavar="PATH", help="A built or exported catalog. [default: the embedded one]"
    )(command)


def out_options(command: F) -> F:
    """Add ``--out`` and ``--force`` of a set."""
    command = click.option("--force", is_flag=True, help="Replace a set or catalog that was written before.")(command)
    return click.option("--out", metavar="DIR", required=True, type=Path, help="Folder to make.")(command)


@contextmanager
def set_folder(out: Path, *, force: bool) -> Iterator[Callable[[BookCatalog, Iterable[BookTask]], None]]:
    """Give what writes a catalog, its labels and tasks into ``out``, whole or not at all (:func:`whole_folder`)."""
    with whole_folder(out, force=force, ours=OURS) as new:

        def write(catalog: BookCatalog, tasks: Iterable[BookTask]) -> None:
            write_catalog(catalog, new)
            write_tasks(tasks, new / TASKS_FILE)

        yield write


def say_written(out: Path, catalog: BookCatalog, tasks: int) -> None:
    """Print what was written and how to play it."""
    click.echo(
        f"{out}: {len(catalog.books):,} books ({RECORDS_FILE}), labels ({LABELS_FILE}), {tasks} tasks ({TASKS_FILE})."
    )
    click.echo(f"Play them: recfw run --plugin books --catalog {out}")


def print_table(table: Table) -> None:
    """Print a table within the terminal's width."""
    renderer = TerminalRenderer(TerminalOptions(color="never" if os.environ.get("NO_COLOR") else "auto"))
    click.echo(renderer.render(Report(Document((table,)))), nl=False)
