"""The tables of a store, its format, and the numbers by which rows know their domain."""

from recfw_orchestration.data.records import DOMAINS, Domain

FORMAT = "recfw-orchestration store 1"

_SHIFT = 40
SPAN = 1 << _SHIFT
"""Keys a domain has: its n-th item, user, review … (by id, from 0) has the key ``first_key(domain) + n``."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
    key INTEGER PRIMARY KEY, domain TEXT NOT NULL, item_id TEXT NOT NULL, record BLOB NOT NULL,
    n INTEGER NOT NULL DEFAULT 0, total REAL NOT NULL DEFAULT 0,
    h1 INTEGER NOT NULL DEFAULT 0, h2 INTEGER NOT NULL DEFAULT 0, h3 INTEGER NOT NULL DEFAULT 0,
    h4 INTEGER NOT NULL DEFAULT 0, h5 INTEGER NOT NULL DEFAULT 0, trend REAL
);
CREATE UNIQUE INDEX items_by_id ON items (domain, item_id);
CREATE TABLE users (key INTEGER PRIMARY KEY, domain TEXT NOT NULL, user_id TEXT NOT NULL, record BLOB);
CREATE UNIQUE INDEX users_by_id ON users (domain, user_id);
CREATE TABLE reviews (
    key INTEGER PRIMARY KEY, item INTEGER NOT NULL, user INTEGER NOT NULL, review_id TEXT NOT NULL,
    rating REAL NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, time TEXT NOT NULL, helpful INTEGER NOT NULL
);
CREATE INDEX reviews_by_item ON reviews (item, time);
CREATE INDEX reviews_by_user ON reviews (user, time);
CREATE TABLE tips (
    key INTEGER PRIMARY KEY, item INTEGER NOT NULL, user_id TEXT NOT NULL, text TEXT NOT NULL, time TEXT NOT NULL,
    likes INTEGER NOT NULL
);
CREATE INDEX tips_by_item ON tips (item, time);
CREATE TABLE checkins (
    key INTEGER PRIMARY KEY, item INTEGER NOT NULL, user INTEGER, time TEXT NOT NULL, utc TEXT NOT NULL
);
CREATE INDEX checkins_by_item ON checkins (item, utc);
CREATE INDEX checkins_by_user ON checkins (user, utc);
CREATE TABLE visits (
    item INTEGER PRIMARY KEY, checkins INTEGER NOT NULL, visitors INTEGER NOT NULL, hours TEXT NOT NULL,
    weekdays TEXT NOT NULL
);
CREATE TABLE categories (domain TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (domain, name))
WITHOUT ROWID;
CREATE TABLE held_out (user INTEGER PRIMARY KEY, item INTEGER NOT NULL, time TEXT NOT NULL, rating REAL);
CREATE TABLE sentiments (
    item INTEGER NOT NULL, aspect TEXT NOT NULL, positive INTEGER NOT NULL, negative INTEGER NOT NULL,
    n INTEGER NOT NULL, PRIMARY KEY (item, aspect)
) WITHOUT ROWID;
CREATE TABLE tastes (user INTEGER PRIMARY KEY, items BLOB NOT NULL, weights BLOB NOT NULL);
CREATE TABLE neighbours (item INTEGER PRIMARY KEY, items BLOB NOT NULL, weights BLOB NOT NULL);
CREATE TABLE pages (
    key INTEGER PRIMARY KEY, page_id TEXT NOT NULL, domain TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    item_ids TEXT NOT NULL
);
CREATE UNIQUE INDEX pages_by_id ON pages (page_id);
CREATE TABLE postings (key INTEGER PRIMARY KEY, corpus TEXT NOT NULL, term TEXT NOT NULL, docs BLOB NOT NULL,
    impacts BLOB NOT NULL);
CREATE UNIQUE INDEX postings_by_term ON postings (corpus, term);
CREATE TABLE arrays (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""

STAGED = """
CREATE TABLE sources (
    path TEXT PRIMARY KEY, domain TEXT NOT NULL, kind TEXT NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
    offset INTEGER NOT NULL, lines INTEGER NOT NULL, done INTEGER NOT NULL
);
CREATE TABLE counts (domain TEXT NOT NULL, kind TEXT NOT NULL, fate TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (domain, kind, fate)) WITHOUT ROWID;
CREATE TABLE items (no INTEGER PRIMARY KEY, domain TEXT NOT NULL, item_id TEXT NOT NULL, record BLOB NOT NULL);
CREATE TABLE sightings (no INTEGER PRIMARY KEY, item_id TEXT NOT NULL, category TEXT NOT NULL, lat REAL NOT NULL,
    lon REAL NOT NULL, city TEXT NOT NULL);
CREATE TABLE users (no INTEGER PRIMARY KEY, domain TEXT NOT NULL, user_id TEXT NOT NULL, record BLOB NOT NULL);
CREATE TABLE reviews (
    no INTEGER PRIMARY KEY, domain TEXT NOT NULL, review_id TEXT NOT NULL, item_id TEXT NOT NULL, user_id TEXT NOT NULL,
    rating REAL NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, time TEXT NOT NULL, helpful INTEGER NOT NULL
);
CREATE TABLE tips (
    no INTEGER PRIMARY KEY, item_id TEXT NOT NULL, user_id TEXT NOT NULL, text TEXT NOT NULL, time TEXT NOT NULL,
    likes INTEGER NOT NULL
);
CREATE TABLE checkins (
    no INTEGER PRIMARY KEY, domain TEXT NOT NULL, item_id TEXT NOT NULL, user_id TEXT NOT NULL, time TEXT NOT NULL,
    utc TEXT NOT NULL
);
"""
"""Tables of the file beside a store in which an import keeps what it has read so far."""


def first_key(domain: Domain) -> int:
    """Return the lowest key of a domain's rows."""
    return DOMAINS.index(domain) << _SHIFT


def span_of(domain: Domain) -> tuple[int, int]:
    """Return the lowest key of a domain's rows and the first above them."""
    first = first_key(domain)
    return first, first + SPAN


def corpus(domain: Domain, kind: str) -> str:
    """Return the name of an index: ``items``, ``reviews`` or ``pages`` of a domain."""
    return f"{domain}/{kind}"
