"""From what an import has read to a store: duplicates and held-out interactions taken out, everything else derived."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import orjson

from recfw.errors import StoreError
from recfw_orchestration.data import derive, tables
from recfw_orchestration.data.records import DOMAINS, Domain
from recfw_orchestration.data.schema import FORMAT, TABLES, span_of

Told = Callable[[str], None]
"""Called with each step's name."""

_KEYED = ("items", "users", "reviews", "tips", "checkins", "pages")
_BY_ITEM = ("visits", "sentiments", "neighbours")
_BY_USER = ("held_out", "tastes")
_DIGESTED = (
    ("items", "key, item_id, record"),
    ("users", "key, user_id, record"),
    ("reviews", "key, item, user, review_id, rating, title, text, time, helpful"),
    ("tips", "key, item, user_id, text, time, likes"),
    ("checkins", "key, item, user, time, utc"),
    ("held_out", "user, item, time, rating"),
)


def finish(staged: Path, store: Path, told: Told = lambda _: None) -> None:
    """
    Build a store from a staging file; domains that the store already holds and the staging file does not are kept.

    The store is written beside its place and moved there at the end: whoever reads it sees the old one or the new one.
    The staging file is left alone; StoreError where there is no room.
    """
    fresh = store.with_name(f"{store.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        if store.exists():
            shutil.copyfile(store, fresh)
        with _building(fresh, staged, whole=not store.exists()) as db:
            _build(db, told)
        fresh.replace(store)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{store}: cannot be written ({error}).", "See that the disk has room.") from error


@contextmanager
def _building(fresh: Path, staged: Path, *, whole: bool) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(fresh, isolation_level=None)
    try:
        db.execute("PRAGMA page_size = 8192")
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -64000")
        if whole:
            db.executescript(TABLES)
        db.execute("ATTACH ? AS staged", (str(staged),))
        yield db
    finally:
        db.close()


def _build(db: sqlite3.Connection, told: Told) -> None:
    staged = {row[0] for row in db.execute("SELECT DISTINCT domain FROM staged.counts")}
    manifest = _manifest(db)
    for domain in (one for one in DOMAINS if one in staged):
        db.execute("BEGIN")
        clear(db, domain)
        dropped = tables.fill(db, domain, told)
        derive.derive(db, domain, told)
        manifest[domain] = _account(db, domain, dropped)
        db.execute("COMMIT")
    told("digest")
    db.execute("BEGIN")
    for name, value in (("format", FORMAT), ("digest", digest(db)), ("manifest", orjson.dumps(manifest).decode())):
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
    db.execute("COMMIT")
    db.execute("ANALYZE main")


def clear(db: sqlite3.Connection, domain: Domain) -> None:
    """Take a domain's rows out of a store that is being built."""
    span = span_of(domain)
    for names, key in ((_KEYED, "key"), (_BY_ITEM, "item"), (_BY_USER, "user")):
        for name in names:
            db.execute(f"DELETE FROM {name} WHERE {key} >= ? AND {key} < ?", span)  # noqa: S608 - our own table names
    db.execute("DELETE FROM categories WHERE domain = ?", (domain,))
    db.execute("DELETE FROM postings WHERE corpus >= ? AND corpus < ?", (f"{domain}/", f"{domain}0"))
    db.execute("DELETE FROM arrays WHERE name >= ? AND name < ?", (f"{domain}/", f"{domain}0"))


def digest(db: sqlite3.Connection) -> str:
    """Return SHA-256 over the format, the lexicon and every record, by key; what is derived from them is left out."""
    found = hashlib.sha256(FORMAT.encode())
    found.update((files("recfw_orchestration.data") / "lexicon.txt").read_bytes())
    for name, columns in _DIGESTED:
        key = columns.split(",", maxsplit=1)[0]
        found.update(f"\n{name}\n".encode())
        for row in db.execute(f"SELECT {columns} FROM {name} ORDER BY {key}"):  # noqa: S608 - our own names
            found.update(repr(row).encode())
    return found.hexdigest()


def _manifest(db: sqlite3.Connection) -> dict[str, object]:
    row = db.execute("SELECT value FROM main.meta WHERE name = 'manifest'").fetchone()
    return dict(orjson.loads(row[0])) if row else {}


def _account(db: sqlite3.Connection, domain: Domain, dropped: dict[str, dict[str, int]]) -> dict[str, object]:
    """Return what a store says of where a domain comes from: files, lines by fate, rows left out afterwards."""
    read: dict[str, dict[str, int]] = {}
    asked = "SELECT kind, fate, n FROM staged.counts WHERE domain = ? ORDER BY kind, fate"
    for kind, fate, n in db.execute(asked, (domain,)):
        read.setdefault(kind, {})[fate] = n
    for kind, fates in dropped.items():
        read.setdefault(kind, {}).update({fate: n for fate, n in fates.items() if n})
    asked = "SELECT path, kind, size FROM staged.sources WHERE domain = ? ORDER BY path"
    sources = [
        {"file": Path(path).name, "kind": kind, "bytes": size} for path, kind, size in db.execute(asked, (domain,))
    ]
    return {"lines": read, "sources": sources}
