"""The local web: one page for each item, and guides to the best of each category, written from the store alone."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from recfw_orchestration.data.codec import READERS
from recfw_orchestration.data.records import WEEKDAYS, Business, Domain, Item, Page, Product, Venue
from recfw_orchestration.data.schema import span_of

MOST_PAGES = 20_000
"""Items of a domain that get a page of their own: those with most reviews or check-ins (ties: by id)."""
_LISTED, _LEAST = 10, 4
_PRIOR = 5
"""Reviews of average rating that a guide adds to each item's own, so that one happy owner does not head the list."""


@frozen
class _Known:
    """An item with what its page says of it: number and mean of ratings (or visits), liked and disliked aspects."""

    item: Item
    n: int
    mean: float | None
    liked: tuple[str, ...]
    disliked: tuple[str, ...]


def pages_of(db: sqlite3.Connection, domain: Domain) -> Iterator[Page]:
    """Yield a domain's pages: items by id, then guides by title."""
    known = list(_known(db, domain))
    write: Callable[[_Known], tuple[str, str]] = {"electronics": _product, "local": _business, "places": _venue}[domain]
    for found in known:
        title, text = write(found)
        yield Page(f"{domain}-{found.item.item_id}", domain, title, text, (found.item.item_id,))
    yield from _guides(domain, known)


def _known(db: sqlite3.Connection, domain: Domain) -> Iterator[_Known]:
    span = span_of(domain)
    liked: dict[int, list[str]] = defaultdict(list)
    disliked: dict[int, list[str]] = defaultdict(list)
    told = "SELECT item, aspect, positive, negative FROM sentiments WHERE item >= ? AND item < ? AND aspect <> ''"
    for item, aspect, positive, negative in db.execute(told, span):
        if positive != negative:
            (liked if positive > negative else disliked)[item].append(aspect)
    asked = """
        SELECT key, item_id, record, max(n, coalesce(v.checkins, 0)) AS weight, n, total FROM items
        LEFT JOIN visits AS v ON v.item = key
        WHERE key IN (
            SELECT key FROM items LEFT JOIN visits AS w ON w.item = key WHERE key >= ? AND key < ?
            ORDER BY max(n, coalesce(w.checkins, 0)) DESC, key LIMIT ?)
        ORDER BY key
    """
    for key, item_id, record, weight, n, total in db.execute(asked, (*span, MOST_PAGES)):
        item = READERS[domain](item_id, record)
        mean = total / n if n else None
        yield _Known(item, weight, mean, tuple(liked[key]), tuple(disliked[key]))


def _opinions(found: _Known, who: str) -> str:
    """Return sentences on rating and aspects; empty where nobody has said anything."""
    said = []
    if found.mean is not None:
        said.append(f"{who} rate it {found.mean:.1f} of 5 over {found.n} {'review' if found.n == 1 else 'reviews'}.")
    if found.liked:
        said.append(f"They praise the {listed(found.liked)}.")
    if found.disliked:
        said.append(f"They find fault with the {listed(found.disliked)}.")
    return " ".join(said)


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _product(found: _Known) -> tuple[str, str]:
    item = found.item
    assert isinstance(item, Product)
    made = f" by {item.brand}" if item.brand else ""
    cost = f"It costs ${item.price:.2f}." if item.price is not None else "No price is known."
    where = f"Filed under {' > '.join(item.categories)}." if item.categories else ""
    text = _joined(f"{item.title}{made}.", where, cost, item.description, *item.features, _opinions(found, "Owners"))
    return f"{item.title}: what owners say", text


def _business(found: _Known) -> tuple[str, str]:
    item = found.item
    assert isinstance(item, Business)
    kinds = f"Listed under {listed(item.categories)}." if item.categories else ""
    level = f"Price level {item.price_level} of 4." if item.price_level else ""
    closed = "It has closed for good." if item.closed else ""
    opens = [WEEKDAYS[day] for day in range(7) if item.hours.get(day)]
    hours = f"Open on {listed(opens)}." if opens else ""
    place = ", ".join(filter(None, (item.address, item.city, item.state)))
    text = _joined(f"{item.name}, {place}.", kinds, level, hours, closed, _opinions(found, "Guests"))
    return f"{item.name} in {item.city}", text


def _venue(found: _Known) -> tuple[str, str]:
    item = found.item
    assert isinstance(item, Venue)
    seen = f"{found.n} check-ins are known." if found.n else "No check-in is known."
    return f"{item.name} ({item.city})", f"A {item.category} in {item.city} at {item.lat:.4f}, {item.lon:.4f}. {seen}"


def _guides(domain: Domain, known: Sequence[_Known]) -> Iterator[Page]:
    """Yield one guide for each category (and city) with at least ``_LEAST`` items."""
    groups: dict[tuple[str, str], list[_Known]] = defaultdict(list)
    rated = [(found.mean, found.n) for found in known if found.mean is not None]
    total = sum(n for _, n in rated)
    usual = sum(mean * n for mean, n in rated) / total if total else 0.0
    for found in known:
        item = found.item
        kinds = (item.category,) if isinstance(item, Venue | Product) else item.categories
        for kind in kinds:
            if kind and not (isinstance(item, Business) and item.closed):
                groups["" if isinstance(item, Product) else item.city, kind].append(found)
    written: set[str] = set()
    for (city, kind), members in sorted(groups.items(), key=lambda pair: pair[0]):
        if len(members) < _LEAST:
            continue
        best = sorted(members, key=lambda found: (-_worth(found, usual), found.item.item_id))[:_LISTED]
        title = f"The best of {kind}" + (f" in {city}" if city else "")
        lines = " ".join(f"{n}. {_line(found)}." for n, found in enumerate(best, 1))
        slug = "-".join("".join(c if c.isalnum() else " " for c in f"{kind} {city}".casefold()).split())
        slug = slug if slug not in written else f"{slug}-{len(written)}"
        written.add(slug)
        ids = tuple(found.item.item_id for found in best)
        yield Page(f"{domain}-guide-{slug}", domain, title, f"{title}, by what people say of them. {lines}", ids)


def _worth(found: _Known, usual: float) -> float:
    """Return the damped mean rating, or the number of visits where nobody rates."""
    if found.mean is None:
        return float(found.n) if isinstance(found.item, Venue) else 0.0
    return (found.mean * found.n + usual * _PRIOR) / (found.n + _PRIOR)


def _line(found: _Known) -> str:
    said = [found.item.name]
    if isinstance(found.item, Product) and found.item.price is not None:
        said.append(f"${found.item.price:.2f}")
    if found.mean is not None:
        said.append(f"rated {found.mean:.1f}")
    elif found.n:
        said.append(f"{found.n} check-ins")
    return ", ".join(said)
