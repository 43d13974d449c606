"""Server ``amazon-recommender``: electronics for one shopper."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.records import Item
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import personal
from recfw_orchestration.servers.amazon_catalog import product_hit
from recfw_orchestration.servers.arguments import Category, ExcludedIds, ItemIds, Limit, UserId
from recfw_orchestration.servers.lookup import MOST_RANKED, Lookup, in_category, in_order, listed, product
from recfw_orchestration.servers.results import HistoryEntry, Listed, ProductHit, Scored
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = AmazonRecommender(data)
    tools = (own.get_shopper_history, own.recommend_products, own.rank_products_for_user)
    return StrictServer("amazon-recommender", "What suits one shopper, learnt from what people rated.", tools, data)


class AmazonRecommender:
    """The tools of ``amazon-recommender``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "electronics")

    def get_shopper_history(self, user_id: UserId, limit: Limit = 10) -> Listed[HistoryEntry]:
        """List what a shopper has rated, the latest first."""
        return personal.history(self._lookup, user_id, limit)

    def recommend_products(
        self, user_id: UserId, category: Category = None, exclude_ids: ExcludedIds = None, limit: Limit = 10
    ) -> Listed[ProductHit]:
        """Recommend products that a shopper has not rated yet, what suits best first; ranks up to 100."""
        wanted = self._lookup.category(category)

        def keep(item: Item) -> bool:
            return in_category(item, wanted)

        user, kept = self._lookup.user(user_id), None if wanted is None else keep
        best = self._data.recommend("electronics", user, kept, self._lookup.ids(exclude_ids), MOST_RANKED)
        found = in_order(best, relative=True)
        hits = [product_hit(product(self._lookup.item(item_id)), score) for item_id, score in found[:limit]]
        return listed(hits, limit, len(found))

    def rank_products_for_user(self, user_id: UserId, item_ids: ItemIds) -> Listed[Scored]:
        """Order given products by how well they suit a shopper, the best first."""
        return personal.ranked(self._lookup, user_id, item_ids)
