"""Server ``yelp-catalog``: finds local businesses, tells what is known of them and whether they are open."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.records import Business, Item
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import (
    Attributes,
    Category,
    CityName,
    ItemIds,
    Limit,
    LocalTime,
    PriceLevel,
    Query,
)
from recfw_orchestration.servers.lookup import (
    Lookup,
    asked,
    business,
    degrees,
    in_category,
    in_order,
    listed,
    pairs,
    words,
)
from recfw_orchestration.servers.opening import moment, open_state, openings
from recfw_orchestration.servers.results import BusinessDetails, BusinessHit, Listed, OpenState
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = YelpCatalog(data)
    tools = (own.search_businesses, own.get_business_details, own.check_open)
    return StrictServer(
        "yelp-catalog", "Find local businesses, read their details, see whether they are open.", tools, data
    )


class YelpCatalog:
    """The tools of ``yelp-catalog``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "local")

    def search_businesses(
        self,
        query: Query,
        city: CityName,
        category: Category = None,
        max_price_level: PriceLevel = None,
        attributes: Attributes = None,
        limit: Limit = 10,
    ) -> Listed[BusinessHit]:
        """Search businesses of a city by words in name, categories and reviews; the best match first.

        A price bound leaves out businesses without a known price level, those closed for good are never listed.
        """
        place, wanted = self._lookup.city(city), self._lookup.category(category)
        wishes = [_wish(attribute) for attribute in attributes or ()]

        def keep(item: Item) -> bool:
            one = business(item)
            return (
                one.city == place
                and not one.closed
                and in_category(one, wanted)
                and (max_price_level is None or (one.price_level is not None and one.price_level <= max_price_level))
                and _has(one.attributes, wishes)
            )

        found, total = self._data.search("local", asked(query), keep, limit)
        hits = [business_hit(business(self._lookup.item(item_id)), score) for item_id, score in in_order(found)]
        return listed(hits, limit, total)

    def get_business_details(self, item_ids: ItemIds) -> Listed[BusinessDetails]:
        """Give address, coordinates, categories, attributes and hours of businesses, in the order asked."""
        return listed([_details(business(item)) for item in self._lookup.items(item_ids)], len(item_ids))

    def check_open(self, item_ids: ItemIds, local_time: LocalTime) -> Listed[OpenState]:
        """Tell whether businesses are open at a local time, and until when, in the order asked."""
        at = moment(local_time)
        return listed([open_state(business(item), at) for item in self._lookup.items(item_ids)], len(item_ids))


def business_hit(one: Business, score: float) -> BusinessHit:
    """Return a business as lists show it."""
    return {
        "item_id": one.item_id,
        "name": one.name,
        "city": one.city,
        "category": one.category,
        "price_level": one.price_level,
        "score": score,
    }


def _details(one: Business) -> BusinessDetails:
    return {
        "item_id": one.item_id,
        "name": one.name,
        "address": one.address,
        "city": one.city,
        "state": one.state,
        "lat": degrees(one.lat),
        "lon": degrees(one.lon),
        "price_level": one.price_level,
        "categories": list(one.categories),
        "attributes": pairs(one.attributes),
        "hours": list(openings(one.hours)),
        "closed_for_good": one.closed,
    }


def _wish(attribute: str) -> tuple[str, str]:
    """Split ``name=value``; without a value, any that is not a no. A value without a letter or digit is none's."""
    name, _, value = attribute.partition("=")
    return _plain(name), _plain(value) or value.strip()


def _has(attributes: Mapping[str, Any], asked: Sequence[tuple[str, str]]) -> bool:
    if not asked:
        return True
    known = {_plain(name): _plain(words(value)) for name, value in attributes.items()}
    return all(
        known.get(name) == value if value else known.get(name, "no") not in ("no", "none", "") for name, value in asked
    )


def _plain(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())
