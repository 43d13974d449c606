"""Server ``yelp-geo``: local businesses by distance."""

from collections.abc import Sequence
from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.geo import distance_km
from recfw_orchestration.data.records import Business, Venue
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import Category, ItemId, ItemIds, Lat, Limit, Lon, Radius
from recfw_orchestration.servers.lookup import Lookup, business, in_category, listed, rounded
from recfw_orchestration.servers.results import Distance, Listed, Near
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = YelpGeo(data)
    tools = (own.find_businesses_nearby, own.measure_business_distances)
    return StrictServer("yelp-geo", "Find local businesses around a point, and measure distances.", tools, data)


class YelpGeo:
    """The tools of ``yelp-geo``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "local")

    def find_businesses_nearby(
        self, lat: Lat, lon: Lon, radius_km: Radius, category: Category = None, limit: Limit = 10
    ) -> Listed[Near]:
        """List businesses within a radius of a point, the nearest first; those closed for good are left out."""
        wanted = self._lookup.category(category)
        around = self._data.near("local", lat, lon, radius_km)
        found = [(business(self._lookup.item(item_id)), km) for item_id, km in around]
        return nearest([(one, km) for one, km in found if not one.closed and in_category(one, wanted)], limit)

    def measure_business_distances(self, origin_id: ItemId, item_ids: ItemIds) -> Listed[Distance]:
        """Give the distances of businesses from one business, the nearest first."""
        origin = business(self._lookup.item(origin_id))
        found: list[Distance] = []
        for one in map(business, self._lookup.items(item_ids)):
            km = rounded(distance_km(origin.lat, origin.lon, one.lat, one.lon))
            found.append({"item_id": one.item_id, "name": one.name, "distance_km": km})
        found.sort(key=lambda entry: (entry["distance_km"], entry["item_id"]))
        return listed(found, len(found))


def nearest(found: Sequence[tuple[Business | Venue, float]], limit: int) -> Listed[Near]:
    """Return items with their distances, the nearest first, what looks equally near by id."""
    ranked = sorted(found, key=lambda pair: (rounded(pair[1]), pair[0].item_id))
    entries: list[Near] = [
        {"item_id": one.item_id, "name": one.name, "category": one.category, "distance_km": rounded(km)}
        for one, km in ranked[:limit]
    ]
    return listed(entries, limit, len(found))
