"""The store as everybody reads it: items, what people said and did, search, neighbours, recommendations."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

import numpy as np
import orjson

from recfw.errors import DataError
from recfw_orchestration.data import codec, geo, recommend
from recfw_orchestration.data.okapi import SCALE, Postings, all_of, any_of, best_first
from recfw_orchestration.data.reading import Reader, storable
from recfw_orchestration.data.records import (
    DOMAINS,
    Business,
    CheckIn,
    Domain,
    HeldOut,
    Item,
    Page,
    Product,
    Profile,
    Review,
    Sentiment,
    Stats,
    Tip,
    UnknownItemError,
    Venue,
    Visits,
)
from recfw_orchestration.data.schema import corpus, first_key, span_of
from recfw_orchestration.data.sentiment import WHOLE, aspects_of, tally, weigh
from recfw_orchestration.data.text import Whole, terms, tokens
from recfw_orchestration.world.embedded import embedded_store

Scored = list[tuple[str, float]]
Keep = Callable[[Item], bool]

Counted = Literal["items", "users", "reviews", "tips", "checkins", "pages"]
"""Kinds of rows that can be counted."""

_REVIEW = """
SELECT r.review_id, i.item_id, u.user_id, r.rating, r.title, r.text, r.time, r.helpful
FROM reviews AS r JOIN items AS i ON i.key = r.item JOIN users AS u ON u.key = r.user
"""
_CHECKIN = """
SELECT i.item_id, coalesce(u.user_id, ''), c.time, c.utc
FROM checkins AS c JOIN items AS i ON i.key = c.item LEFT JOIN users AS u ON u.key = c.user
"""
_LIKE_TERMS = 12
"""Terms of an item by which others like it in content are sought: the rarest of its name and categories."""


class Data:
    """
    One read-only store, safe to share among threads; everything in it is already without the held-out interactions.

    Where a user has two interactions or more, the latest is held out. Unknown ids raise UnknownItemError or
    UnknownUserError where the method does not say None.

    Args:
        reader: The store's file.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.path = reader.path
        self.digest = reader.meta["digest"]
        """SHA-256 of the content: equal content, equal digest, whatever the version of SQLite."""
        self.domains: tuple[Domain, ...] = tuple(domain for domain in DOMAINS if domain in reader.manifest)
        self._categories = lru_cache(None)(self._read_categories)
        self._cities = lru_cache(None)(self._read_cities)

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open a store; None: the embedded world, which is built on first use. DataError where the file is no store."""
        if path is None:
            path = embedded_store()
        return cls(Reader(path))

    def close(self) -> None:
        """Close the file; later calls raise DataError."""
        self._reader.close()

    @property
    def manifest(self) -> dict[str, object]:
        """Where the content comes from: domain -> files, lines read and dropped by reason."""
        return dict(self._reader.manifest)

    def count(self, table: Counted, domain: Domain) -> int:
        """Return how many rows of a kind a domain has."""
        return self._reader.count(table, domain)

    # Items and users

    def item(self, domain: Domain, item_id: str) -> Item | None:
        """Return an item, or None."""
        key = self._reader.find_item(domain, item_id)
        return None if key is None else self._reader.item(domain, key)

    def product(self, item_id: str) -> Product:
        """Return a product."""
        found = self._reader.item("electronics", self._reader.item_key("electronics", item_id))
        assert isinstance(found, Product)
        return found

    def business(self, item_id: str) -> Business:
        """Return a business."""
        found = self._reader.item("local", self._reader.item_key("local", item_id))
        assert isinstance(found, Business)
        return found

    def venue(self, item_id: str) -> Venue:
        """Return a venue."""
        found = self._reader.item("places", self._reader.item_key("places", item_id))
        assert isinstance(found, Venue)
        return found

    def item_ids(self, domain: Domain) -> Sequence[str]:
        """Return all item ids, ascending."""
        rows = self._reader.rows("SELECT item_id FROM items WHERE domain = ? ORDER BY item_id", (domain,))
        return [row[0] for row in rows]

    def user_ids(self, domain: Domain) -> Sequence[str]:
        """Return all users with at least one interaction left, ascending."""
        rows = self._reader.rows("SELECT user_id FROM users WHERE domain = ? ORDER BY user_id", (domain,))
        return [row[0] for row in rows]

    def known_user(self, domain: Domain, user_id: str) -> bool:
        """Whether the domain has this user."""
        return self._reader.find_user(domain, user_id) is not None

    def profile(self, domain: Domain, user_id: str) -> Profile:
        """Return what the source says of a user; an empty profile where it says nothing."""
        key = self._reader.user_key(domain, user_id)
        record = self._reader.row("SELECT record FROM users WHERE key = ?", (key,))[0]
        return codec.profile(user_id, record) if record else Profile(user_id)

    def categories(self, domain: Domain) -> Sequence[str]:
        """Return all categories, ascending."""
        return tuple(self._categories(domain))

    def category_sizes(self, domain: Domain) -> dict[str, int]:
        """Return each category's number of items, by name."""
        return dict(self._categories(domain))

    def _read_categories(self, domain: Domain) -> dict[str, int]:
        return dict(self._reader.rows("SELECT name, n FROM categories WHERE domain = ? ORDER BY name", (domain,)))

    def cities(self) -> Sequence[str]:
        """Return the cities of domain local, ascending."""
        return self._cities()

    def _read_cities(self) -> tuple[str, ...]:
        asked = (
            "SELECT DISTINCT json_extract(CAST(record AS TEXT), '$.city') FROM items WHERE domain = 'local' ORDER BY 1"
        )
        return tuple(row[0] for row in self._reader.rows(asked) if row[0])

    # What people said and did

    def reviews_of(self, domain: Domain, item_id: str) -> Sequence[Review]:
        """Return an item's reviews, latest first, then by review_id."""
        key = self._reader.item_key(domain, item_id)
        return self._reviews(f"{_REVIEW} WHERE r.item = ? ORDER BY r.time DESC, r.review_id", (key,))

    def reviews_by(self, domain: Domain, user_id: str) -> Sequence[Review]:
        """Return a user's reviews, latest first, then by review_id."""
        key = self._reader.user_key(domain, user_id)
        return self._reviews(f"{_REVIEW} WHERE r.user = ? ORDER BY r.time DESC, r.review_id", (key,))

    def _reviews(self, asked: str, given: Sequence[object]) -> list[Review]:
        return [Review(*row) for row in self._reader.rows(asked, given)]

    def tips_of(self, item_id: str) -> Sequence[Tip]:
        """Return a business's tips, latest first, then by user and text."""
        key = self._reader.item_key("local", item_id)
        asked = "SELECT user_id, text, time, likes FROM tips WHERE item = ? ORDER BY time DESC, user_id, text"
        return [Tip(item_id, *row) for row in self._reader.rows(asked, (key,))]

    def checkins_by(self, user_id: str) -> Sequence[CheckIn]:
        """Return a user's check-ins at venues, latest first, then by item_id."""
        key = self._reader.user_key("places", user_id)
        asked = f"{_CHECKIN} WHERE c.user = ? ORDER BY c.utc DESC, i.item_id"
        return [CheckIn(*row) for row in self._reader.rows(asked, (key,))]

    def checkins_of(self, item_id: str) -> Sequence[CheckIn]:
        """Return the check-ins at a venue, or at a business (there without users), latest first, then by user_id."""
        asked = f"{_CHECKIN} WHERE c.item = ? ORDER BY c.utc DESC, u.user_id"
        return [CheckIn(*row) for row in self._reader.rows(asked, (self._visited(item_id),))]

    def visits(self, item_id: str) -> Visits:
        """Return when a venue or a business is visited."""
        asked = "SELECT checkins, visitors, hours, weekdays FROM visits WHERE item = ?"
        row = self._reader.row(asked, (self._visited(item_id),))
        if row is None:
            return Visits(0, 0, (0,) * 24, (0,) * 7)
        return Visits(row[0], row[1], tuple(orjson.loads(row[2])), tuple(orjson.loads(row[3])))

    def _visited(self, item_id: str) -> int:
        venue = self._reader.find_item("places", item_id)
        return self._reader.item_key("local", item_id) if venue is None else venue

    def stats(self, domain: Domain, item_id: str) -> Stats:
        """Return an item's rating statistics."""
        asked = "SELECT n, total, h1, h2, h3, h4, h5, trend FROM items WHERE key = ?"
        n, total, h1, h2, h3, h4, h5, trend = self._reader.row(asked, (self._reader.item_key(domain, item_id),))
        return Stats(total / n if n else None, n, (h1, h2, h3, h4, h5), trend)

    def sentiment(self, domain: Domain, item_id: str, aspect: str | None = None) -> Sentiment:
        """Return what reviews say; aspects of :meth:`aspects` are kept ready, other words are looked for in them."""
        key = self._reader.item_key(domain, item_id)
        named = None if aspect is None else " ".join(tokens(aspect)[:8])
        if named is None or named in aspects_of(domain):
            asked = "SELECT positive, negative, n FROM sentiments WHERE item = ? AND aspect = ?"
            return tally(*(self._reader.row(asked, (key, WHOLE if named is None else named)) or (0, 0, 0)))
        texts = self._reader.rows("SELECT text FROM reviews WHERE item = ? ORDER BY key", (key,))
        return weigh([row[0] for row in texts], named, domain)

    def aspects(self, domain: Domain) -> Sequence[str]:
        """Return the aspects whose sentiment is kept ready."""
        return aspects_of(domain)

    # Search

    def search(self, domain: Domain, query: str, keep: Keep | None = None, limit: int = 10) -> tuple[Scored, int]:
        """
        Return the best items for a query and how many match in all: Okapi over name, brand, category and text.

        Equal scores are ordered by id. A query without any word matches every item, with score 0.
        """
        asked = terms(query)
        if asked:
            docs, scores = any_of(self._found(corpus(domain, "items"), asked), self._reader.size(domain))
        else:
            docs = np.arange(self._reader.size(domain), dtype=np.int64)
            scores = np.zeros(len(docs), dtype=np.int64)
        if keep is not None:
            items = self._reader.items(domain, docs.tolist())
            chosen = np.fromiter(map(keep, items), dtype=bool, count=len(items))
            docs, scores = docs[chosen], scores[chosen]
        return self._named(domain, docs, scores, limit), len(docs)

    def _found(self, name: str, asked: Sequence[str]) -> list[Postings]:
        return [found for term in asked if (found := self._reader.postings(name, term)) is not None]

    def _named(self, domain: Domain, docs: Whole, scores: Whole, limit: int) -> Scored:
        first = [int(place) for place in best_first(docs, scores, limit)]
        items = self._reader.items(domain, [int(docs[place]) for place in first])
        return [(item.item_id, int(scores[place]) / SCALE) for item, place in zip(items, first, strict=True)]

    def search_reviews(
        self, domain: Domain, phrase: str, item_ids: Collection[str] | None = None, limit: int = 10
    ) -> tuple[list[tuple[Review, float]], int]:
        """Return the best reviews that hold every word of a phrase, and how many do; ``item_ids`` narrows them."""
        asked = terms(phrase)
        found = self._found(corpus(domain, "reviews"), asked)
        items = self._reader.array(f"{domain}/review_items", "<i4")
        wanted = (
            None if item_ids is None else [self._reader.item_key(domain, one) - first_key(domain) for one in item_ids]
        )
        if not asked or len(found) < len(asked):
            return [], 0
        docs, scores = all_of(found, len(items))
        if wanted is not None:
            chosen = np.isin(items[docs], np.array(sorted(wanted), dtype=np.int64))
            docs, scores = docs[chosen], scores[chosen]
        answer = []
        for place in best_first(docs, scores, limit).tolist():
            rows = self._reviews(f"{_REVIEW} WHERE r.key = ?", (first_key(domain) + int(docs[place]),))
            answer.append((rows[0], int(scores[place]) / SCALE))
        return answer, len(docs)

    def search_pages(
        self, query: str, domain: Domain | None = None, limit: int = 10
    ) -> tuple[list[tuple[Page, float]], int]:
        """Return the best pages of the local web for a query (of all domains, or one), and how many match."""
        asked = terms(query)
        ranked: list[tuple[int, int]] = []
        total = 0
        for name in self.domains if domain is None else (domain,):
            size = self._pages_of(name)
            docs, scores = any_of(self._found(corpus(name, "pages"), asked), size)
            total += len(docs)
            best = best_first(docs, scores, limit)
            ranked += [(-int(scores[place]), first_key(name) + int(docs[place])) for place in best.tolist()]
        pages = [(self._page("key", key), -score / SCALE) for score, key in sorted(ranked)[:limit]]
        return [(page, score) for page, score in pages if page is not None], total

    def _pages_of(self, domain: Domain) -> int:
        first, last = span_of(domain)
        found = self._reader.row("SELECT max(key) FROM pages WHERE key >= ? AND key < ?", (first, last))[0]
        return 0 if found is None else int(found) - first + 1

    def page(self, page_id: str) -> Page | None:
        """Return a page, or None."""
        return self._page("page_id", storable(page_id))

    def _page(self, column: Literal["key", "page_id"], value: object) -> Page | None:
        asked = f"SELECT page_id, domain, title, text, item_ids FROM pages WHERE {column} = ?"  # noqa: S608 - one of two names
        row = self._reader.row(asked, (value,))
        return Page(row[0], row[1], row[2], row[3], tuple(row[4].split("\n"))) if row else None

    # Neighbours and recommendations

    def similar(
        self, domain: Domain, item_id: str, basis: Literal["content", "co_purchase"] = "content", limit: int = 10
    ) -> Scored:
        """
        Return items like one, best first, without itself.

        ``content``: Okapi of the other items for the words of this one's name, brand and categories. ``co_purchase``:
        cosine of the users both have in common (and 1 more where the source lists the two as bought together).
        """
        key = self._reader.item_key(domain, item_id)
        scores = self._like(domain, key) if basis == "content" else self._beside(domain, key)
        scores[key - first_key(domain)] = 0
        docs = np.flatnonzero(scores)
        return self._named(domain, docs, scores[docs], limit)

    def _like(self, domain: Domain, key: int) -> Whole:
        item = self._reader.item(domain, key)
        brand = item.brand if isinstance(item, Product) else ""
        kinds = (item.category,) if isinstance(item, Venue) else item.categories
        found = self._found(corpus(domain, "items"), terms(" ".join((item.name, brand, *kinds))))
        rarest = sorted(range(len(found)), key=lambda n: (len(found[n][0]), n))[:_LIKE_TERMS]
        scores = np.zeros(self._reader.size(domain), dtype=np.int64)
        for n in rarest:
            scores[found[n][0]] += found[n][1]
        return scores

    def _beside(self, domain: Domain, key: int) -> Whole:
        scores = np.zeros(self._reader.size(domain), dtype=np.int64)
        found = self._reader.neighbours(key)
        if found is not None:
            # Similarities are whole multiples of 2^-24; SCALE is 2^20.
            scores[found[0]] = found[1] >> 4
        item = self._reader.item(domain, key)
        for other in item.bought_together if isinstance(item, Product) else ():
            companion = self._reader.find_item(domain, other)
            if companion is not None:
                scores[companion - first_key(domain)] += SCALE
        return scores

    def near(self, domain: Domain, lat: float, lon: float, radius_km: float) -> Scored:
        """Return (item_id, km) of what lies within a radius, nearest first, then by id; products lie nowhere."""
        lats, lons = (self._reader.array(f"{domain}/{name}", "<f8") for name in ("lat", "lon"))
        found = geo.within(lat, lon, radius_km, lats, lons)
        items = self._reader.items(domain, [number for number, _ in found])
        return [(item.item_id, km) for item, (_, km) in zip(items, found, strict=True)]

    def recommend(
        self,
        domain: Domain,
        user_id: str,
        keep: Keep | None = None,
        exclude: Collection[str] = (),
        limit: int = 10,
    ) -> Scored:
        """
        Return the best items for a user by the stored model, without ``exclude``; equal scores by id.

        In electronics and local what the user has reviewed is left out; in places it is not, for people return.
        """
        user = self._reader.user_key(domain, user_id)
        first = first_key(domain)
        barred = {key - first for one in exclude if (key := self._reader.find_item(domain, one)) is not None}
        if domain != "places":
            barred.update(self._reader.taste(user)[0].tolist())
        return recommend.best(self._reader, domain, user, keep, barred, limit)

    def rank(self, domain: Domain, user_id: str, item_ids: Collection[str]) -> Scored:
        """Return some items, best for the user first, equal scores by id."""
        user = self._reader.user_key(domain, user_id)
        of = {self._reader.item_key(domain, one): one for one in item_ids}
        return [(of[key], score) for key, score in recommend.of(self._reader, domain, user, of)]

    def held_out(self, domain: Domain, user_id: str) -> HeldOut | None:
        """Return a user's held-out interaction. Private: only the tasks' generator and validator may ask for it."""
        user = self._reader.user_key(domain, user_id)
        row = self._reader.row(
            "SELECT i.item_id, h.time, h.rating FROM held_out AS h JOIN items AS i ON i.key = h.item WHERE h.user = ?",
            (user,),
        )
        return HeldOut(*row) if row else None


__all__ = ["Data", "DataError", "Keep", "Scored", "UnknownItemError"]
