"""What several commands share: the catalog option, the folder that a set is written to, and tables on the terminal."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from recfw.errors import DataError, UsageError
from recfw.model.document import Document, Report, Table
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw_books.catalog.build import MANIFEST_FILE
from recfw_books.catalog.records import LABELS_FILE, RECORDS_FILE, BookCatalog, write_catalog
from recfw_books.model import BookTask
from recfw_books.taskfile import TASKS_FILE, write_tasks

F = TypeVar("F", bound=Callable[..., Any])

_OURS = {RECORDS_FILE, f"{RECORDS_FILE}.gz", LABELS_FILE, TASKS_FILE, MANIFEST_FILE}


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
    """
    Give what writes a catalog, its labels and tasks into ``out``, whole or not at all.

    That ``out`` can be written is found out before the block runs, which may take long.

    Raises:
        UsageError: ``out`` exists and ``force`` is not set, or it holds other things than a set.
        DataError: It cannot be written.
    """
    _check_free(out, force=force)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise _unwritable(out, error) from error

    def write(catalog: BookCatalog, tasks: Iterable[BookTask]) -> None:
        new = scratch / "new"
        try:
            write_catalog(catalog, new)
            write_tasks(tasks, new / TASKS_FILE)
            if out.exists():
                out.replace(scratch / "old")
            new.replace(out)
        except OSError as error:
            if (scratch / "old").exists() and not out.exists():
                (scratch / "old").replace(out)
            raise _unwritable(out, error) from error

    try:
        yield write
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _check_free(out: Path, *, force: bool) -> None:
    if not out.exists() and not out.is_symlink():
        return
    if not force:
        raise UsageError(f"{out} exists already.", "Choose another --out, or replace it with --force.")
    if out.is_symlink() or not out.is_dir() or {path.name for path in out.iterdir()} - _OURS:
        raise UsageError(
            f"{out} holds other things than a catalog and its tasks.", "Choose another --out; this one is left alone."
        )


def _unwritable(out: Path, error: OSError) -> DataError:
    reason = "a file is in the way" if isinstance(error, FileExistsError) else error.strerror or error
    return DataError(f"{out}: cannot be written ({reason}).", "Choose a folder that can be.")


def say_written(out: Path, catalog: BookCatalog, tasks: int) -> None:
    """Print what was written and how to play it."""
    click.echo(
        f"{out}: {len(catalog.books):,} books ({RECORDS_FILE}), labels ({LABELS_FILE}), {tasks} tasks ({TASKS_FILE})."
    )
    click.echo(f"Play them: recfw run --plugin books --catalog {out} --set track.tasks_file={out / TASKS_FILE}")


def print_table(table: Table) -> None:
    """Print a table within the terminal's width."""
    renderer = TerminalRenderer(TerminalOptions(color="never" if os.environ.get("NO_COLOR") else "auto"))
    click.echo(renderer.render(Report(Document((table,)))), nl=False)
