"""The file beside a store in which an import keeps what it has read: rows, how far each source was read, counts."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import evolve, frozen

from recfw.errors import StoreError
from recfw_orchestration.data.codec import pack
from recfw_orchestration.data.records import CheckIn, Domain, Item, Profile, Review, Tip
from recfw_orchestration.data.schema import STAGED

_FULL = 20_000
"""Rows that are written in one transaction."""


@frozen
class Sighting:
    """What one check-in says of its venue; check-ins of the same venue may differ."""

    item_id: str
    category: str
    lat: float
    lon: float
    city: str


@frozen
class Source:
    """A file to read: its kind, its size and date (so that a changed one is noticed), and how far it was read."""

    path: str
    domain: Domain
    kind: str
    size: int
    changed: int
    offset: int = 0
    """Bytes of the file's text (after decompression) that are done."""
    lines: int = 0
    done: bool = False


Row = Item | Sighting | Profile | Review | Tip | CheckIn


class Staging:
    """
    Collects rows in transactions, each with the place that its source has reached: after kill -9 the rest follows.

    Args:
        path: The file; made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._waiting = 0
        self._counts: Counter[tuple[str, str, str]] = Counter()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.db = sqlite3.connect(path, isolation_level=None)
            # A killed process loses nothing of what it has handed to the system; only a power cut would.
            self.db.execute("PRAGMA synchronous = OFF")
            self.db.execute("PRAGMA cache_size = -32000")
            if not self.db.execute("PRAGMA user_version").fetchone()[0]:
                self.db.executescript(f"BEGIN; {STAGED} PRAGMA user_version = 1; COMMIT;")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: cannot be written ({error}).", "Name another --store.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; rows that no transaction holds are lost."""
        self.db.close()

    def source(self, path: str) -> Source | None:
        """Return how far a file was read; None where it was not begun."""
        row = self.db.execute(
            "SELECT path, domain, kind, size, changed, offset, lines, done FROM sources WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            return None
        *of_file, done = row
        return evolve(Source(*of_file), done=bool(done))

    def add(self, domain: Domain, row: Row) -> None:
        """Take a row of a domain."""
        match row:
            case Review():
                said = (row.rating, row.title, row.text, row.time, row.helpful)
                fields: tuple[object, ...] = (domain, row.review_id, row.item_id, row.user_id, *said)
                table = "reviews"
            case CheckIn():
                table, fields = "checkins", (domain, row.item_id, row.user_id, row.time, row.utc)
            case Sighting():
                table, fields = "sightings", (row.item_id, row.category, row.lat, row.lon, row.city)
            case Tip():
                table, fields = "tips", (row.item_id, row.user_id, row.text, row.time, row.likes)
            case Profile():
                table, fields = "users", (domain, row.user_id, pack(row))
            case _:
                table, fields = "items", (domain, row.item_id, pack(row))
        self._rows.setdefault(table, []).append(fields)
        self._waiting += 1

    def count(self, domain: Domain, kind: str, fate: str, n: int = 1) -> None:
        """Count lines by what became of them: ``read``, or why they were dropped."""
        self._counts[domain, kind, fate] += n

    @property
    def full(self) -> bool:
        """Whether it is time to :meth:`commit`."""
        return self._waiting >= _FULL

    def commit(self, source: Source | None = None) -> None:
        """Write what is waiting, and how far its source has come, in one transaction."""
        try:
            with self.db:
                self.db.execute("BEGIN IMMEDIATE")
                self._write(source)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: cannot be written ({error}).", "See that the disk has room.") from error
        self._rows.clear()
        self._counts.clear()
        self._waiting = 0

    def _write(self, source: Source | None) -> None:
        for table, rows in self._rows.items():
            marks = ", ".join("?" * len(rows[0]))
            self.db.executemany(f"INSERT INTO {table} VALUES (NULL, {marks})", rows)  # noqa: S608 - our own table names
        self.db.executemany(
            "INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
            [(*key, n) for key, n in self._counts.items()],
        )
        if source is not None:
            self.db.execute(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (source.path, source.domain, source.kind, source.size, source.changed, source.offset, source.lines,
                 source.done),
            )  # fmt: skip

    def extend(self, domain: Domain, rows: Iterable[Row], kind: str) -> None:
        """Take and write many rows that come from no file."""
        for row in rows:
            self.add(domain, row)
            self.count(domain, kind, "read")
            if self.full:
                self.commit()
        self.commit()

    def domains(self) -> tuple[Domain, ...]:
        """Return the domains that have any row."""
        return tuple(row[0] for row in self.db.execute("SELECT DISTINCT domain FROM counts ORDER BY domain"))


def staging_path(store: Path) -> Path:
    """Return where the import into a store keeps what it has read."""
    return store.with_name(f"{store.name}.partial")
