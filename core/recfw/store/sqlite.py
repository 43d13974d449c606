"""What only SQLite needs: how a file is opened, what its connections are told, and its errors in words."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event

from recfw.errors import StoreError
from recfw.store.faults import FULL_HINT, READ_ONLY_HINT, disk_fault

BUSY_MS = 30_000
"""How long a connection waits for another process's write, in milliseconds."""

PAGE_SIZE = 8192
"""In bytes. Packed traces are a few KB, of which pages of 4096 would waste half."""


def sqlite_engine(path: Path, *, read_only: bool) -> Engine:
    """
    Return an engine on a database file.

    Write-ahead logging with ``synchronous=NORMAL``: a committed trial outlives this process whatever happens to it; a
    power cut may lose the last ones but never damages the file. A write begins as one (``BEGIN IMMEDIATE``), so that
    two processes wait for each other and do not fail half-way.

    Raises:
        StoreError: The folder cannot be made, or the file is missing or a folder.
    """
    if sqlite3.sqlite_version_info < (3, 35):
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old.", "Use a Python with SQLite 3.35 or newer.")
    if path.is_dir():
        raise StoreError(f"{path}: is a folder, not a result store.", "Name the file within it, such as runs.db.")
    if not read_only:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise disk_fault(error, path.parent) from error
    address = f"{path.absolute().as_uri()}?{_mode(path, read_only=read_only)}"
    engine = create_engine(
        "sqlite://", poolclass=QueuePool, creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False)
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        if not read_only:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _mode(path: Path, *, read_only: bool) -> str:
    """
    Return how the file is opened.

    Reading a log-ahead file needs a second file beside it. Where that may not be made, or has no room on the disk, and
    no log is there, nobody is writing, and the file is read as it stands.
    """
    if not read_only:
        return "mode=rwc"
    effective = os.access in os.supports_effective_ids
    locked = not all(os.access(place, os.W_OK, effective_ids=effective) for place in (path, path.parent))
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return "mode=ro"
    return "mode=ro&immutable=1" if (locked and not log.exists()) or _has_no_room(path) else "mode=ro"


def _has_no_room(path: Path) -> bool:
    """Tell whether a file cannot be read because the disk has no room for the second file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return str(getattr(error, "sqlite_errorname", "")) in _NO_ROOM
    return False


def reclaim(engine: Engine, where: str) -> None:
    """Give the space of deleted rows back to the disk."""
    pooled = engine.raw_connection()
    try:
        connection = cast("sqlite3.Connection", pooled.driver_connection)
        connection.executescript("PRAGMA incremental_vacuum")  # a script runs to its end; execute() would free one page
    except sqlite3.Error as error:
        raise sqlite_fault(error, where) from error
    finally:
        pooled.close()


_NO_ROOM = {"SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_SHMOPEN", "SQLITE_FULL"}

_FAULTS = {
    "FULL": ("the disk is full.", FULL_HINT),
    "READONLY": ("the result store is read-only.", READ_ONLY_HINT),
    "CANTOPEN": ("the result store cannot be opened or created.", READ_ONLY_HINT),
    "PERM": ("the result store may not be opened.", READ_ONLY_HINT),
    "NOTADB": ("is not a result store.", "Name another file with --store or RECFW_STORE."),
    "BUSY": (
        f"another process has been writing to the result store for {BUSY_MS // 1000} seconds.",
        "Wait for it or end it, then try again.",
    ),
    "CORRUPT": ("the file is damaged.", "Restore a copy of it, or name another with --store or RECFW_STORE."),
    "IOERR": ("the disk failed.", "Check its free space and its health."),
}


def sqlite_fault(error: BaseException, where: str) -> StoreError:
    """Return an SQLite error as a StoreError that names the file and the next step."""
    name = str(getattr(error, "sqlite_errorname", None) or "").removeprefix("SQLITE_")
    if f"SQLITE_{name}" in _NO_ROOM:
        name = "FULL"
    words, hint = _FAULTS.get(name.partition("_")[0], (f"{error}.", ""))
    return StoreError(f"{where}: {words}", hint)
