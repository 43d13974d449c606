"""The recommender: item-item cosine by the library ``implicit``, trained when a store is built, in whole numbers."""

import sqlite3
from itertools import pairwise

import numpy as np

from recfw_orchestration.data.records import Domain
from recfw_orchestration.data.schema import first_key, span_of
from recfw_orchestration.data.text import Whole

NEIGHBOURS = 200
"""Items kept for each item, itself among them."""
UNIT = 1 << 12
"""Weights are rounded to 1/UNIT before they are multiplied, so that similarities are whole multiples of 1/UNIT²."""
MOST_VISITS = 8
"""Visits of one user to one place beyond these count no more."""


def train(db: sqlite3.Connection, domain: Domain) -> None:
    """
    Fit a domain's model on the interactions that are left, and store users' tastes and items' neighbours.

    A review of 3, 4 or 5 stars weighs 1, 2 or 3, a lower one nothing; a place weighs the number of its visits, at most
    ``MOST_VISITS``. Two items are as similar as the cosine of their columns (Sarwar et al., WWW 2001).
    """
    user, item, weight = _interactions(db, domain)
    first = first_key(domain)
    users, items = (_size(db, name, domain) for name in ("users", "items"))
    if len(user):
        _keep_tastes(db, first, user, item, weight)
    popularity = np.bincount(item, minlength=items) if len(item) else np.zeros(items)
    db.execute("INSERT INTO arrays VALUES (?, ?)", (f"{domain}/popularity", popularity.astype("<i4").tobytes()))
    liked = weight > 0
    if liked.any():
        _keep_neighbours(db, first, user[liked], item[liked], weight[liked], (users, items))


def _size(db: sqlite3.Connection, table: str, domain: Domain) -> int:
    asked = f"SELECT count(*) FROM {table} WHERE key >= ? AND key < ?"  # noqa: S608 - our own table names
    found: int = db.execute(asked, span_of(domain)).fetchone()[0]
    return found


def _interactions(db: sqlite3.Connection, domain: Domain) -> tuple[Whole, Whole, Whole]:
    """Return the user, the item (both from 0) and the weight of each pair, ordered by user and item."""
    if domain == "places":
        weight = f"min(count(*), {MOST_VISITS})"
        asked = f"SELECT user, item, {weight} FROM checkins WHERE key >= ? AND key < ? GROUP BY user, item ORDER BY user, item"  # noqa: S608, E501 - our own words
    else:
        weight = "max(0, CAST(rating AS INTEGER) - 2)"
        asked = f"SELECT user, item, {weight} FROM reviews WHERE key >= ? AND key < ? ORDER BY user, item"  # noqa: S608
    read = db.execute(asked, span_of(domain))
    parts = [np.zeros((0, 3), dtype=np.int64)]
    while rows := read.fetchmany(100_000):
        parts.append(np.array(rows, dtype=np.int64))
    found = np.concatenate(parts)
    first = first_key(domain)
    return found[:, 0] - first, found[:, 1] - first, found[:, 2]


def _keep_tastes(db: sqlite3.Connection, first: int, user: Whole, item: Whole, weight: Whole) -> None:
    known, starts = np.unique(user, return_index=True)
    edges = pairwise([*(starts * 4).tolist(), len(user) * 4])
    items, weights = item.astype("<i4").tobytes(), weight.astype("<i4").tobytes()
    db.executemany(
        "INSERT INTO tastes VALUES (?, ?, ?)",
        ((first + n, items[a:b], weights[a:b]) for n, (a, b) in zip(known.tolist(), edges, strict=True)),
    )


def _keep_neighbours(
    db: sqlite3.Connection, first: int, user: Whole, item: Whole, weight: Whole, shape: tuple[int, int]
) -> None:
    # Heavy, and needed only here.
    from implicit.nearest_neighbours import ItemItemRecommender  # noqa: PLC0415
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    norms = np.sqrt(np.bincount(item, weights=weight * weight, minlength=shape[1]))
    scaled = np.rint(weight / norms[item] * UNIT)
    fitted = ItemItemRecommender(K=NEIGHBOURS, num_threads=1)
    fitted.fit(csr_matrix((scaled, (user, item)), shape=shape), show_progress=False)
    rows = fitted.similarity
    rows.sort_indices()
    db.executemany(
        "INSERT INTO neighbours VALUES (?, ?, ?)",
        (
            (
                first + number,
                rows.indices[a:b].astype("<i4").tobytes(),
                rows.data[a:b].astype("<i4").tobytes(),
            )
            for number, (a, b) in enumerate(zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True))
            if b > a
        ),
    )
