"""What commands on tasks share: their options, and tables on the terminal."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from recfw.errors import DataError
from recfw.model.document import Document, Report, Table
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw_orchestration.data.store import Data
from recfw_orchestration.stores import open_told
from recfw_orchestration.tasks.pool import Pool, read

F = TypeVar("F", bound=Callable[..., Any])


def data_option(command: F) -> F:
    """Add ``--data``."""
    words = "A store of imported data. [default: the embedded world]"
    return click.option("--data", "store", metavar="STORE", type=Path, help=words)(command)


def tasks_option(command: F) -> F:
    """Add ``--tasks``."""
    words = "A task file. [default: the shipped one]"
    return click.option("--tasks", "file", metavar="FILE", type=Path, help=words)(command)


def opened(store: Path | None, pool: Pool, named: str) -> Data:
    """Return a store; DataError where the tasks were made on another."""
    data = open_told(store)
    if data.digest != pool.head.data:
        raise DataError(
            f"{named}: these tasks were made on other data ({pool.head.data[:12]}, not {data.digest[:12]}).",
            "Name their store with --data, or make tasks for this one with 'recfw orchestration generate'.",
        )
    return data


def tasks_of(file: Path | None) -> tuple[Pool, str]:
    """Return a task file's tasks, and what to call it."""
    return read(file), "the shipped tasks" if file is None else str(file)


def print_table(table: Table) -> None:
    """Print a table within the terminal's width."""
    renderer = TerminalRenderer(TerminalOptions(color="never" if os.environ.get("NO_COLOR") else "auto"))
    click.echo(renderer.render(Report(Document((table,)))), nl=False)
