"""Server ``foursquare-venues``: venues by category and city, and how they are visited."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.records import Item, Venue
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import ItemIds, Limit, MinCheckins, VenueCategory, VenueCity
from recfw_orchestration.servers.lookup import Lookup, degrees, listed, venue
from recfw_orchestration.servers.results import Listed, VenueDetails, VenueHit
from recfw_orchestration.servers.strict import StrictServer

BUSIEST = 3
"""Hours that details name at most."""


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = FoursquareVenues(data)
    tools = (own.search_venues, own.get_venue_details)
    return StrictServer(
        "foursquare-venues", "Find venues of New York and Tokyo, and how they are visited.", tools, data
    )


class FoursquareVenues:
    """The tools of ``foursquare-venues``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "places")

    def search_venues(
        self, category: VenueCategory, city: VenueCity, min_checkins: MinCheckins = None, limit: Limit = 10
    ) -> Listed[VenueHit]:
        """List the venues of a category in a city, the most visited first."""
        wanted = self._lookup.category(category)

        def keep(item: Item) -> bool:
            return item.city == city and item.category == wanted if isinstance(item, Venue) else False

        everywhere, _ = self._data.search("places", "", keep, len(self._data.item_ids("places")))
        found: list[VenueHit] = []
        for item_id, _score in everywhere:
            checkins = self._lookup.visits(item_id).checkins
            if checkins >= (min_checkins or 0):
                one = venue(self._lookup.item(item_id))
                found.append(
                    {
                        "item_id": item_id,
                        "name": one.name,
                        "category": one.category,
                        "city": one.city,
                        "checkins": checkins,
                    }
                )
        found.sort(key=lambda hit: (-hit["checkins"], hit["item_id"]))
        return listed(found, limit)

    def get_venue_details(self, item_ids: ItemIds) -> Listed[VenueDetails]:
        """Give category, coordinates, check-ins, visitors and busiest hours of venues, in the order asked."""
        return listed([self._details(venue(item)) for item in self._lookup.items(item_ids)], len(item_ids))

    def _details(self, one: Venue) -> VenueDetails:
        visits = self._lookup.visits(one.item_id)
        busy = sorted(
            (hour for hour, count in enumerate(visits.by_hour) if count), key=lambda h: (-visits.by_hour[h], h)
        )
        return {
            "item_id": one.item_id,
            "name": one.name,
            "category": one.category,
            "city": one.city,
            "lat": degrees(one.lat),
            "lon": degrees(one.lon),
            "checkins": visits.checkins,
            "unique_visitors": visits.visitors,
            "busiest_hours": busy[:BUSIEST],
        }
