"""A quick look at an SQLite store by a process that cannot wait for the whole of :mod:`recfw.store` to be imported."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from recfw.errors import DataError
from recfw.model.results import RunInfo
from recfw.model.run import RunSpec
from recfw.serialize import from_data, parse
from recfw.store.names import run_named
from recfw.store.records import RunSummary

SCHEMA = 2
"""The one schema that is read here; any other is left to the store itself."""
_KEYS = "run_id, cell, task_id, trial"
_COUNTS = f"""
SELECT run_id, sum(done), sum(lost AND NOT done) FROM (
  SELECT {_KEYS}, max(status = 'completed') AS done, max(status = 'failed') AS lost FROM trial GROUP BY {_KEYS}
) GROUP BY run_id
"""  # noqa: S608 - of constants


def newest_runs(path: Path, most: int) -> list[str]:
    """
    Return the ids of the newest runs, the newest first; nothing is changed, and no lock is waited for.

    Raises:
        sqlite3.Error: The file cannot be read, or is no result store.
    """
    with _opened(path) as connection:
        query = "SELECT id FROM run ORDER BY created DESC, id DESC LIMIT ?"
        return [str(row[0]) for row in connection.execute(query, (most,))]


def tags_in(path: Path) -> list[str]:
    """Return the tags of a store's runs, in order; sqlite3.Error where the file is no result store."""
    with _opened(path) as connection:
        return [str(row[0]) for row in connection.execute("SELECT DISTINCT tag FROM run_tag ORDER BY tag")]


def trials_in(path: Path, name: str, beginning: str, most: int) -> list[str]:
    """
    Return the first trials of a run, by name, whose names begin so.

    Args:
        path: The store's file.
        name: The run, as it can be typed.
        beginning: Of ``cell/task/number``.
        most: How many at most.

    Raises:
        sqlite3.Error: The file cannot be read, or is no result store.
        UsageError: There is no such run.
    """
    with _opened(path) as connection:
        ids = [str(row[0]) for row in connection.execute("SELECT id FROM run ORDER BY created, id")]
        tags: dict[str, tuple[str, ...]] = {}
        for run, tag in connection.execute("SELECT run_id, tag FROM run_tag"):
            tags[run] = (*tags.get(run, ()), tag)
        query = (
            "SELECT DISTINCT cell || '/' || task_id || '/' || trial AS name FROM trial"
            " WHERE run_id = ? AND substr(name, 1, ?) = ? ORDER BY cell, task_id, trial LIMIT ?"
        )
        asked = (run_named(name, ids, str(path), tags), len(beginning), beginning, most)
        return [str(row[0]) for row in connection.execute(query, asked)]


def summaries(path: Path) -> list[RunSummary] | None:
    """
    Return what :meth:`recfw.store.repository.Store.runs` does, all of one state of the store.

    Returns:
        All runs, the oldest first; None where it takes more than a glance (an older schema, a file that is locked,
        damaged or no store): then the store itself says what is the matter.
    """
    try:
        with _opened(path) as connection:
            connection.execute("BEGIN")
            version = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchall()
            if version != [(str(SCHEMA),)]:
                return None
            counts = {run: (done, lost) for run, done, lost in connection.execute(_COUNTS)}
            tags: dict[str, tuple[str, ...]] = {}
            for run, tag in connection.execute("SELECT run_id, tag FROM run_tag ORDER BY run_id, tag"):
                tags[run] = (*tags.get(run, ()), tag)
            notes = dict(connection.execute("SELECT run_id, note FROM run_note").fetchall())
            rows = connection.execute(
                "SELECT id, spec, spec_digest, content_digest, versions, status, created, planned FROM run"
                " ORDER BY created, id"
            ).fetchall()
        return [RunSummary(_info(row), *counts.get(row[0], (0, 0)), tags.get(row[0], ()), notes.get(row[0], ""))
                for row in rows]  # fmt: skip
    except (sqlite3.Error, DataError):
        return None


def _info(row: tuple[Any, ...]) -> RunInfo:
    run, spec, spec_digest, content_digest, versions, status, created, planned = row
    told = from_data(parse(spec, "a stored record"), RunSpec, f"run {run}, stored specification")
    versions = parse(versions, "a stored record")
    return RunInfo(run, told, spec_digest, content_digest, versions, status, created, planned)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=0.1, isolation_level=None)) as connection:
        yield connection
