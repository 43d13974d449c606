"""What servers look up for callers: items, users, categories, cities; errors say where to find one."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from mcp.server.mcpserver.exceptions import ToolError

from recfw_orchestration.data.records import Business, Domain, Item, Product, Venue, Visits
from recfw_orchestration.data.store import Data
from recfw_orchestration.data.text import terms
from recfw_orchestration.servers.faults import short
from recfw_orchestration.servers.results import Listed, Pair

T = TypeVar("T")

MOST_KEPT = 16_384
"""Items that a server keeps at hand."""
MOST_RANKED = 100
"""How many a recommendation or a search for the like ranks; ``total`` counts these."""

NOUNS: dict[Domain, str] = {"electronics": "product", "local": "business", "places": "venue"}
FINDERS: dict[Domain, str] = {
    "electronics": "search_products, recommend_products or web_search",
    "local": "search_businesses, find_businesses_nearby or web_search",
    "places": "search_venues, find_venues_nearby or web_search",
}


def listed(items: Sequence[T], limit: int, total: int | None = None) -> Listed[T]:
    """Return the first of some items as the answer of a tool; ``total`` where more matched than are given."""
    matched = len(items) if total is None else total
    shown = list(items[:limit])
    return {"items": shown, "total": matched, "truncated": matched > len(shown)}


def rounded(value: float) -> float:
    """Round as all tools do, to 3 places; -0.0 becomes 0."""
    return round(float(value), 3) + 0.0


def asked(query: str) -> str:
    """Return a query that holds a word to look for; ToolError for one that would match everything."""
    if not terms(query):
        raise ToolError(f"query {short(query)} holds no word to look for. Name a kind of item, a brand or a feature.")
    return query


def in_order(found: Iterable[tuple[str, float]], *, relative: bool = False) -> list[tuple[str, float]]:
    """
    Return ids with rounded scores in the order that a caller can check: best first, what looks equal by id.

    Args:
        found: Ids and scores.
        relative: Whether the best becomes 1 and the others parts of it, for scores that three places would level.
    """
    scores = dict(found)
    best = max(scores.values(), default=0.0)
    unit = best if relative and best > 0 else 1.0
    ranked = [(item_id, rounded(score / unit)) for item_id, score in scores.items()]
    return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))


def degrees(value: float) -> float:
    """Round a coordinate to 6 places, 0.1 m: three would move a place by up to 79 m."""
    return round(float(value), 6) + 0.0


class Lookup:
    """
    One domain of the store, as its servers ask it.

    Args:
        data: The store.
        domain: Whose items and users.
    """

    def __init__(self, data: Data, domain: Domain) -> None:
        self.data, self.domain = data, domain
        self._found = lru_cache(MOST_KEPT)(self._find)
        self.visits = lru_cache(MOST_KEPT)(self._visits)

    def _find(self, item_id: str) -> Item | None:
        return self.data.item(self.domain, item_id)

    def _visits(self, item_id: str) -> Visits:
        return self.data.visits(item_id)

    def items(self, item_ids: Iterable[str]) -> list[Item]:
        """Return items by id, each once, in the order asked; ToolError naming the unknown."""
        ids = list(dict.fromkeys(item_ids))
        found = [self._found(item_id) for item_id in ids]
        unknown = [item_id for item_id, item in zip(ids, found, strict=True) if item is None]
        if unknown:
            named = ", ".join(short(item_id) for item_id in unknown[:3])
            more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
            noun, finders = NOUNS[self.domain], FINDERS[self.domain]
            raise ToolError(f"No {noun} has the id {named}{more}. Take item_id from results of {finders}.")
        return [item for item in found if item is not None]

    def item(self, item_id: str) -> Item:
        """Return one item; ToolError for an unknown id."""
        return self._found(item_id) or self.items((item_id,))[0]

    def ids(self, item_ids: Iterable[str] | None) -> tuple[str, ...]:
        """Return ids, each once and all known; none where none are given."""
        return tuple(item.item_id for item in self.items(item_ids or ()))

    def user(self, user_id: str) -> str:
        """Return a user's id; ToolError for an unknown one."""
        if not self.data.known_user(self.domain, user_id):
            raise ToolError(
                f"No user has the id {short(user_id)} in the domain {self.domain}. Take the user id of the request."
            )
        return user_id

    @cached_property
    def _categories(self) -> dict[str, str]:
        return {name.casefold(): name for name in self.data.categories(self.domain)}

    @cached_property
    def _cities(self) -> dict[str, str]:
        return {name.casefold(): name for name in self.data.cities()}

    def category(self, name: str | None) -> str | None:
        """Return a category as the store writes it; ToolError for an unknown one."""
        return name if name is None else _known(name, self._categories, "category")

    def city(self, name: str | None) -> str | None:
        """Return a city as the store writes it; ToolError for an unknown one."""
        return name if name is None else _known(name, self._cities, "city")


def _known(name: str, known: dict[str, str], noun: str) -> str:
    found = known.get(name.strip().casefold())
    if found is not None:
        return found
    close = difflib.get_close_matches(name.casefold(), known, 3, 0.5)
    near = close or [key for key in known if key in name.casefold() or name.casefold() in key][:5]
    if near:
        raise ToolError(f"There is no {noun} {short(name)}. Close ones: {', '.join(known[key] for key in near)}.")
    some = list(known.values())[:8]
    raise ToolError(f"There is no {noun} {short(name)}. Some of the {len(known)}: {', '.join(some)}.")


def in_category(item: Item, category: str | None) -> bool:
    """Tell whether an item belongs to a category; any does where none is asked."""
    if category is None or item.category == category:
        return True
    return not isinstance(item, Venue) and category in item.categories


def pairs(values: Mapping[str, Any]) -> list[Pair]:
    """Return properties as name and value, both strings, in their order."""
    return [{"name": str(name), "value": words(value)} for name, value in values.items()]


def words(value: Any) -> str:
    """Return a value of the source in words: yes, no, a list with commas, or as it stands."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {words(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(words(each) for each in value)
    return str(value)


def product(item: Item) -> Product:
    """Narrow an item of the domain electronics."""
    assert isinstance(item, Product)
    return item


def business(item: Item) -> Business:
    """Narrow an item of the domain local."""
    assert isinstance(item, Business)
    return item


def venue(item: Item) -> Venue:
    """Narrow an item of the domain places."""
    assert isinstance(item, Venue)
    return item
