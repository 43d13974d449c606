"""Server ``yelp-recommender``: local businesses for one diner."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.records import Item
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import personal
from recfw_orchestration.servers.arguments import Category, ExcludedIds, ItemIds, Limit, SomeCity, UserId
from recfw_orchestration.servers.lookup import MOST_RANKED, Lookup, business, in_category, in_order, listed
from recfw_orchestration.servers.results import BusinessHit, HistoryEntry, Listed, Scored
from recfw_orchestration.servers.strict import StrictServer
from recfw_orchestration.servers.yelp_catalog import business_hit


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = YelpRecommender(data)
    tools = (own.get_diner_history, own.recommend_businesses, own.rank_businesses_for_user)
    return StrictServer("yelp-recommender", "What suits one diner, learnt from what people rated.", tools, data)


class YelpRecommender:
    """The tools of ``yelp-recommender``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "local")

    def get_diner_history(self, user_id: UserId, limit: Limit = 10) -> Listed[HistoryEntry]:
        """List what a diner has rated, the latest first."""
        return personal.history(self._lookup, user_id, limit)

    def recommend_businesses(
        self,
        user_id: UserId,
        city: SomeCity = None,
        category: Category = None,
        exclude_ids: ExcludedIds = None,
        limit: Limit = 10,
    ) -> Listed[BusinessHit]:
        """Recommend businesses that a diner has not rated yet, what suits best first; ranks up to 100.

        Those closed for good are left out.
        """
        place, wanted = self._lookup.city(city), self._lookup.category(category)

        def keep(item: Item) -> bool:
            one = business(item)
            return not one.closed and (place is None or one.city == place) and in_category(one, wanted)

        user = self._lookup.user(user_id)
        best = self._data.recommend("local", user, keep, self._lookup.ids(exclude_ids), MOST_RANKED)
        found = in_order(best, relative=True)
        hits = [business_hit(business(self._lookup.item(item_id)), score) for item_id, score in found[:limit]]
        return listed(hits, limit, len(found))

    def rank_businesses_for_user(self, user_id: UserId, item_ids: ItemIds) -> Listed[Scored]:
        """Order given businesses by how well they suit a diner, the best first."""
        return personal.ranked(self._lookup, user_id, item_ids)
