"""A store's file, opened for reading: one connection a thread; ids, keys, items and arrays, kept once read."""

import sqlite3
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from recfw.errors import DataError
from recfw_orchestration.data.codec import READERS
from recfw_orchestration.data.records import Domain, Item, UnknownItemError, UnknownUserError
from recfw_orchestration.data.schema import FORMAT, first_key, span_of

_ITEMS, _ROWS, _USERS = 50_000, 4_096, 4_096
"""How many items, posting lists or neighbour rows, and tastes are kept in memory; the least used leave first."""
_HINT = "Make one with 'recfw orchestration import', or leave the option out for the embedded world."


class Reader:
    """
    A store's rows by key; every method may be called from any thread.

    Args:
        path: The file.

    Raises:
        DataError: It is missing, no store, of another format, or its import has not been finished.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        self._closed = False
        if path.is_dir():
            raise DataError(f"{path}: is a folder, not a store.", _HINT)
        if not path.is_file():
            partial = path.with_name(f"{path.name}.partial").exists()
            unfinished = "its import was not finished; run the same command again, it continues"
            raise DataError(f"{path}: {unfinished if partial else 'no such file'}.", "" if partial else _HINT)
        try:
            self.meta: dict[str, str] = dict(self.rows("SELECT name, value FROM meta"))
        except sqlite3.Error as error:
            self.close()
            raise DataError(f"{path}: no orchestration store ({error}).", _HINT) from error
        if self.meta.get("format") != FORMAT:
            self.close()
            raise DataError(f"{path}: written by another version ({self.meta.get('format')!r}).", "Import it again.")
        self.manifest: dict[str, Any] = orjson.loads(self.meta["manifest"])
        self.item = lru_cache(_ITEMS)(self._item)
        self.array = lru_cache(None)(self._array)
        self.postings = lru_cache(_ROWS)(self._postings)
        self.neighbours = lru_cache(_ROWS)(self._neighbours)
        self.taste = lru_cache(_USERS)(self._taste)

    @property
    def db(self) -> sqlite3.Connection:
        """The calling thread's connection."""
        found: sqlite3.Connection | None = getattr(self._local, "db", None)
        if found is None:
            found = self._connect()
            self._local.db = found
        return found

    def _connect(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise DataError(f"{self.path}: the store has been closed.")
            # The file never changes in place (an import replaces it), so that nothing need be locked.
            uri = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            db = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
            db.execute("PRAGMA mmap_size = 1073741824")
            self._connections.append(db)
        return db

    def close(self) -> None:
        """Close every thread's connection; later reads raise DataError."""
        with self._lock:
            self._closed = True
            for db in self._connections:
                db.close()
            self._connections.clear()
        self._local = threading.local()

    def rows(self, asked: str, given: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a query."""
        return self.db.execute(asked, given).fetchall()

    def row(self, asked: str, given: Sequence[object] = ()) -> Any:
        """Return the first row of a query, or None."""
        return self.db.execute(asked, given).fetchone()

    def size(self, domain: Domain) -> int:
        """Return how many items a domain has."""
        return len(self.array(f"{domain}/popularity", "<i4"))

    def item_key(self, domain: Domain, item_id: str) -> int:
        """Return an item's key; UnknownItemError."""
        found = self.find_item(domain, item_id)
        if found is None:
            raise UnknownItemError(
                f"no item {_short(item_id)} in domain {domain}.", "Use item_id values as the tools return them."
            )
        return found

    def find_item(self, domain: Domain, item_id: str) -> int | None:
        """Return an item's key, or None."""
        row = self.row("SELECT key FROM items WHERE domain = ? AND item_id = ?", (domain, storable(item_id)))
        return row[0] if row else None

    def user_key(self, domain: Domain, user_id: str) -> int:
        """Return a user's key; UnknownUserError."""
        found = self.find_user(domain, user_id)
        if found is None:
            raise UnknownUserError(
                f"no user {_short(user_id)} in domain {domain}.", "Use the user id that the task or request names."
            )
        return found

    def find_user(self, domain: Domain, user_id: str) -> int | None:
        """Return a user's key, or None."""
        row = self.row("SELECT key FROM users WHERE domain = ? AND user_id = ?", (domain, storable(user_id)))
        return row[0] if row else None

    def _item(self, domain: Domain, key: int) -> Item:
        item_id, record = self.row("SELECT item_id, record FROM items WHERE key = ?", (key,))
        return READERS[domain](item_id, record)

    def items(self, domain: Domain, numbers: Sequence[int]) -> list[Item]:
        """Return the items with some numbers (key less the domain's first key)."""
        first = first_key(domain)
        return [self.item(domain, first + number) for number in numbers]

    def _array(self, name: str, kind: str) -> NDArray[Any]:
        row = self.row("SELECT data FROM arrays WHERE name = ?", (name,))
        return np.frombuffer(row[0] if row else b"", dtype=kind)

    def _postings(self, corpus: str, term: str) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
        asked = "SELECT docs, impacts FROM postings WHERE corpus = ? AND term = ?"
        row = self.row(asked, (corpus, storable(term)))
        return (np.frombuffer(row[0], dtype="<i4"), np.frombuffer(row[1], dtype="<i4")) if row else None

    def _neighbours(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
        row = self.row("SELECT items, weights FROM neighbours WHERE item = ?", (key,))
        return (np.frombuffer(row[0], dtype="<i4"), np.frombuffer(row[1], dtype="<i4")) if row else None

    def _taste(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        row = self.row("SELECT items, weights FROM tastes WHERE user = ?", (key,))
        items, weights = row or (b"", b"")
        return np.frombuffer(items, dtype="<i4"), np.frombuffer(weights, dtype="<i4")

    def count(self, table: str, domain: Domain) -> int:
        """Return how many rows of a table belong to a domain."""
        found: int = self.row(f"SELECT count(*) FROM {table} WHERE key >= ? AND key < ?", span_of(domain))[0]  # noqa: S608 - our own table names
        return found


def storable(text: str) -> str:
    """Return a text that SQLite can be asked for: lone surrogates, which it never holds, become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
