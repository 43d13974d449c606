"""The second half of building a store: indexes, sentiments, neighbours and web pages, from the rows that are left."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from recfw_orchestration.data import model, pages
from recfw_orchestration.data.codec import READERS
from recfw_orchestration.data.okapi import IndexWriter
from recfw_orchestration.data.records import Business, Domain, Item, Product
from recfw_orchestration.data.schema import corpus, first_key, span_of
from recfw_orchestration.data.sentiment import WHOLE, lean, lexicon
from recfw_orchestration.data.text import Whole

ITEM_FIELDS = ("name", "brand", "category", "text")
_BATCH = 20_000


def derive(db: sqlite3.Connection, domain: Domain, told: Callable[[str], None]) -> None:
    """Add everything to a store that follows from a domain's rows."""
    told(f"{domain}: search index")
    _index_items(db, domain)
    if domain != "places":
        told(f"{domain}: review index and sentiments")
        _index_reviews(db, domain)
    told(f"{domain}: recommender")
    model.train(db, domain)
    told(f"{domain}: pages")
    _index_pages(db, domain)


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


def keep_array(db: sqlite3.Connection, domain: Domain, name: str, values: Whole | Sequence[float], kind: str) -> None:
    """Store an array of one value per item or review; ``kind`` is numpy's, little-endian."""
    data = np.asarray(values).astype(kind).tobytes()
    db.execute("INSERT INTO arrays VALUES (?, ?)", (f"{domain}/{name}", data))


def _index_items(db: sqlite3.Connection, domain: Domain) -> None:
    index = IndexWriter(db, corpus(domain, "items"), ITEM_FIELDS)
    lat: list[float] = []
    lon: list[float] = []
    rows = db.cursor().execute(
        "SELECT item_id, record FROM items WHERE key >= ? AND key < ? ORDER BY key", span_of(domain)
    )
    for batch in _batches(rows):
        items = [READERS[domain](item_id, packed) for item_id, packed in batch]
        texts = [words_of(item) for item in items]
        index.add({field: [words[i] for words in texts] for i, field in enumerate(ITEM_FIELDS)})
        if domain != "electronics":
            lat += [item.lat for item in items if not isinstance(item, Product)]
            lon += [item.lon for item in items if not isinstance(item, Product)]
    index.close()
    if domain != "electronics":
        keep_array(db, domain, "lat", lat, "<f8")
        keep_array(db, domain, "lon", lon, "<f8")


def words_of(item: Item) -> tuple[str, str, str, str]:
    """Return what the item index reads of an item: name, brand, categories, everything else that describes it."""
    if isinstance(item, Product):
        return item.title, item.brand, " ; ".join(item.categories), " ; ".join((item.description, *item.features))
    if isinstance(item, Business):
        return item.name, "", " ; ".join(item.categories), " ; ".join((*_said(item), item.address, item.city))
    return item.category, "", item.category, item.city


def _said(item: Business) -> Iterator[str]:
    """Yield the attributes that hold, as words: ``OutdoorSeating`` becomes ``Outdoor Seating``."""
    for name, value in item.attributes.items():
        words = "".join(f" {c}" if c.isupper() else c for c in name).strip()
        if value is True:
            yield words
        elif isinstance(value, str) and value not in {"no", "none"}:
            yield f"{words} {value.replace('_', ' ')}"
        elif isinstance(value, dict):
            yield from (f"{words} {key}" for key, holds in value.items() if holds is True)


def _index_reviews(db: sqlite3.Connection, domain: Domain) -> None:
    index = IndexWriter(db, corpus(domain, "reviews"), ("title", "text"))
    aspects = lexicon().aspects.get(domain, {})
    names = (*sorted(aspects), WHOLE)
    first, items = first_key(domain), _size(db, domain)
    of_review: list[Whole] = []
    tallies = np.zeros((len(names), 3, max(items, 1)), dtype=np.int64)
    rows = db.cursor().execute(
        "SELECT item, title, text FROM reviews WHERE key >= ? AND key < ? ORDER BY key", span_of(domain)
    )
    for batch in _batches(rows):
        item = np.array([row[0] for row in batch], dtype=np.int64) - first
        of_review.append(item)
        read = index.add({"title": [row[1] for row in batch], "text": [row[2] for row in batch]})
        found = lean(read["text"], aspects)
        for name, tally in zip(names, tallies, strict=True):
            said = found[name]
            tally += [
                np.bincount(item[said.mentions & chosen], minlength=max(items, 1))
                for chosen in (said.lean > 0, said.lean < 0, True)
            ]
    index.close()
    keep_array(db, domain, "review_items", np.concatenate(of_review) if of_review else [], "<i4")
    for name, (positive, negative, n) in zip(names, tallies, strict=True):
        told = np.flatnonzero(n)
        columns = (told + first, positive[told], negative[told], n[told])
        db.executemany(
            "INSERT INTO sentiments VALUES (?, ?, ?, ?, ?)",
            ((i, name, p, m, k) for i, p, m, k in zip(*(column.tolist() for column in columns), strict=True)),
        )


def _size(db: sqlite3.Connection, domain: Domain) -> int:
    found: int = db.execute("SELECT count(*) FROM items WHERE key >= ? AND key < ?", span_of(domain)).fetchone()[0]
    return found


def _index_pages(db: sqlite3.Connection, domain: Domain) -> None:
    first = first_key(domain)
    made = enumerate(pages.pages_of(db, domain))
    db.executemany(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)",
        ((first + n, page.page_id, domain, page.title, page.text, "\n".join(page.item_ids)) for n, page in made),
    )
    index = IndexWriter(db, corpus(domain, "pages"), ("title", "text"))
    rows = db.cursor().execute("SELECT title, text FROM pages WHERE key >= ? AND key < ? ORDER BY key", span_of(domain))
    for batch in _batches(rows):
        index.add({"title": [row[0] for row in batch], "text": [row[1] for row in batch]})
    index.close()
