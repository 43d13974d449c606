"""Server ``foursquare-recommender``: venues for one visitor, at an hour and on a day."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.records import WEEKDAYS, Item
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import Category, Hour, Limit, UserId, Weekday
from recfw_orchestration.servers.lookup import MOST_RANKED, Lookup, in_category, in_order, listed, venue
from recfw_orchestration.servers.results import CheckInEntry, Listed, VenueScored
from recfw_orchestration.servers.strict import StrictServer

AROUND = 1
"""Hours before and after the one asked that count as the same time of day."""


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = FoursquareRecommender(data)
    tools = (own.get_checkin_history, own.recommend_venues)
    return StrictServer("foursquare-recommender", "What suits one visitor, learnt from check-ins.", tools, data)


class FoursquareRecommender:
    """The tools of ``foursquare-recommender``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "places")

    def get_checkin_history(self, user_id: UserId, limit: Limit = 10) -> Listed[CheckInEntry]:
        """List a visitor's check-ins, the latest first."""
        past = self._data.checkins_by(self._lookup.user(user_id))
        entries: list[CheckInEntry] = []
        for visit in past[:limit]:
            one = self._lookup.item(visit.item_id)
            entries.append(
                {"item_id": one.item_id, "name": one.name, "category": one.category, "local_time": visit.time}
            )
        return listed(entries, limit, len(past))

    def recommend_venues(
        self,
        user_id: UserId,
        hour: Hour = None,
        weekday: Weekday = None,
        category: Category = None,
        limit: Limit = 10,
    ) -> Listed[VenueScored]:
        """Recommend venues to a visitor, also known ones, what suits best first; ranks up to 100.

        With an hour or a weekday, the score is weighted by how many of a venue's check-ins fall on that hour (one
        before and after included) and that day.
        """
        wanted = self._lookup.category(category)

        def keep(item: Item) -> bool:
            return in_category(item, wanted)

        user = self._lookup.user(user_id)
        best = self._data.recommend("places", user, None if wanted is None else keep, (), MOST_RANKED)
        day = None if weekday is None else WEEKDAYS.index(weekday)
        if hour is not None or day is not None:
            best = [(item_id, score * self._share(item_id, hour, day)) for item_id, score in best]
        found = in_order(best, relative=True)
        return listed([self._hit(item_id, score) for item_id, score in found[:limit]], limit, len(found))

    def _share(self, item_id: str, hour: int | None, day: int | None) -> float:
        """Return which share of a venue's check-ins falls on a time of day, times that of a weekday."""
        visits = self._lookup.visits(item_id)
        if not visits.checkins:
            return 0.0
        share = 1.0
        if hour is not None:
            near = {(hour + offset) % 24 for offset in range(-AROUND, AROUND + 1)}
            share *= sum(visits.by_hour[each] for each in near) / visits.checkins
        if day is not None:
            share *= visits.by_weekday[day] / visits.checkins
        return share

    def _hit(self, item_id: str, score: float) -> VenueScored:
        one = venue(self._lookup.item(item_id))
        return {
            "item_id": item_id,
            "name": one.name,
            "category": one.category,
            "city": one.city,
            "score": score,
        }
