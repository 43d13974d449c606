"""A quick look at an SQLite store by a process that cannot wait for the whole of :mod:`recfw.store` to be imported."""

import sqlite3
from contextlib import closing
from pathlib import Path


def newest_runs(path: Path, most: int) -> list[str]:
    """
    Return the ids of the newest runs, the newest first; nothing is changed, and no lock is waited for.

    Raises:
        sqlite3.Error: The file cannot be read, or is no result store.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.1)) as connection:
        query = "SELECT id FROM run ORDER BY created DESC, id DESC LIMIT ?"
        return [str(row[0]) for row in connection.execute(query, (most,))]
