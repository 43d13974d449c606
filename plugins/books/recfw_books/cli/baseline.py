"""``recfw books baseline``: signatures of a task set, and what has drifted since they were written."""

from pathlib import Path
from typing import Any

import click
import orjson

from recfw.errors import DataError, ExitCode, UsageError
from recfw_books import tasks as task_sets
from recfw_books.audit.baseline import baseline as signatures
from recfw_books.audit.baseline import drift
from recfw_books.catalog.load import load_catalog
from recfw_books.cli.common import catalog_option


@click.command()
@catalog_option
@click.option("--tasks", "file", metavar="FILE", help="A tasks.jsonl. [default: the tasks that a run would play]")
@click.option("--write", "target", metavar="FILE", type=Path, help="Write the signatures there.")
@click.option("--check", "known", metavar="FILE", type=Path, help="Name what differs from the signatures there.")
def baseline(source: str | None, file: str | None, target: Path | None, known: Path | None) -> int:
    """
    Print the signatures of a task set: each task's, and digests of catalog, prompts, tools and rules.

    With --check, each difference is a line that names the task and the field, with what was and what is; the exit
    status is 1 when there is any.

    \b
    Example:
      recfw books baseline --write baseline.json
      recfw books baseline --check baseline.json
    """  # noqa: D301 - click reads \b as the character that it stands for
    if target is not None and known is not None:
        raise UsageError("--write and --check are two commands.", "Give one of them.")
    before = _read(known) if known is not None else None
    catalog = load_catalog(source)
    if file is not None:
        tasks = task_sets.from_file(file)
    else:
        tasks = task_sets.own(source or "") or task_sets.generated(catalog, 0)
    found = signatures(catalog, tasks)
    if before is not None:
        return _check(known, before, found)
    data = orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    if target is None:
        click.echo(data.decode(), nl=False)
        return ExitCode.DONE
    try:
        target.write_bytes(data)
    except OSError as error:
        raise DataError(f"{target}: cannot be written ({error.strerror or error}).") from error
    click.echo(f"{target}: signatures of {len(tasks)} tasks. Check: recfw books baseline --check {target}")
    return ExitCode.DONE


def _read(path: Path) -> dict[str, Any]:
    try:
        found = orjson.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except orjson.JSONDecodeError as error:
        raise DataError(
            f"{path}: not JSON ({error}).", "Write one with 'recfw books baseline --write FILE'."
        ) from error
    if not isinstance(found, dict):
        raise DataError(f"{path}: no baseline.", "Write one with 'recfw books baseline --write FILE'.")
    return found


def _check(path: Path | None, before: dict[str, Any], found: dict[str, Any]) -> int:
    try:
        lines = list(drift(before, found))
    except DataError as error:
        raise DataError(f"{path}: {error.message}", error.hint) from None
    for line in lines:
        click.echo(line)
    differences = {0: "No drift", 1: "1 difference"}.get(len(lines), f"{len(lines)} differences")
    click.echo(f"{differences}: {len(found['tasks'])} tasks beside {path}.")
    return ExitCode.FOUND if lines else ExitCode.DONE
