"""Server ``foursquare-geo``: venues by distance, and along a way."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from recfw_orchestration.data.geo import distance_km
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import Category, ItemIds, Lat, Limit, Lon, Radius, SomeLat, SomeLon
from recfw_orchestration.servers.lookup import Lookup, in_category, listed, rounded, venue
from recfw_orchestration.servers.results import Detour, Listed, Near
from recfw_orchestration.servers.strict import StrictServer
from recfw_orchestration.servers.yelp_geo import nearest


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = FoursquareGeo(data)
    tools = (own.find_venues_nearby, own.rank_venues_by_route)
    return StrictServer("foursquare-geo", "Find venues around a point, and order them along a way.", tools, data)


class FoursquareGeo:
    """The tools of ``foursquare-geo``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "places")

    def find_venues_nearby(
        self, lat: Lat, lon: Lon, radius_km: Radius, category: Category = None, limit: Limit = 10
    ) -> Listed[Near]:
        """List venues within a radius of a point, the nearest first."""
        wanted = self._lookup.category(category)
        around = self._data.near("places", lat, lon, radius_km)
        found = [(venue(self._lookup.item(item_id)), km) for item_id, km in around]
        return nearest([(one, km) for one, km in found if in_category(one, wanted)], limit)

    def rank_venues_by_route(
        self,
        from_lat: Lat,
        from_lon: Lon,
        item_ids: ItemIds,
        to_lat: SomeLat = None,
        to_lon: SomeLon = None,
    ) -> Listed[Detour]:
        """Order venues by how much a stop there adds to a way, the shortest detour first.

        Without a destination they are ordered by distance from the start.
        """
        if to_lat is not None and to_lon is not None:
            destination = (to_lat, to_lon)
            direct = distance_km(from_lat, from_lon, to_lat, to_lon)
        elif to_lat is None and to_lon is None:
            destination, direct = None, 0.0
        else:
            raise ToolError("to_lat and to_lon belong together. Give both, or neither for a start alone.")
        found: list[Detour] = []
        for one in map(venue, self._lookup.items(item_ids)):
            km = distance_km(from_lat, from_lon, one.lat, one.lon)
            rest = distance_km(one.lat, one.lon, *destination) if destination else 0.0
            detour = rounded(max(0.0, km + rest - direct))
            found.append({"item_id": one.item_id, "name": one.name, "distance_km": rounded(km), "detour_km": detour})
        found.sort(key=lambda entry: (entry["detour_km"], entry["item_id"]))
        return listed(found, len(found))
