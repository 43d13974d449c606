"""Server ``yelp-reviews``: what people write about local businesses."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import reviewing
from recfw_orchestration.servers.arguments import ItemId, ItemIds, Limit, LocalAspect, Order
from recfw_orchestration.servers.lookup import Lookup, listed
from recfw_orchestration.servers.results import Listed, ReviewEntry, SentimentEntry, TipEntry
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = YelpReviews(data)
    tools = (own.get_business_reviews, own.analyze_business_sentiment, own.get_business_tips)
    return StrictServer("yelp-reviews", "Read and weigh what people write about local businesses.", tools, data)


class YelpReviews:
    """The tools of ``yelp-reviews``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "local")

    def get_business_reviews(self, item_id: ItemId, sort: Order, limit: Limit = 10) -> Listed[ReviewEntry]:
        """Give the reviews of one business."""
        return reviewing.reviews(self._lookup, item_id, sort, limit)

    def analyze_business_sentiment(self, item_ids: ItemIds, aspect: LocalAspect = None) -> Listed[SentimentEntry]:
        """Tell how reviews speak of businesses, or of one aspect of them, from -1 to 1; in the order asked."""
        return reviewing.sentiment(self._lookup, item_ids, aspect)

    def get_business_tips(self, item_id: ItemId, limit: Limit = 10) -> Listed[TipEntry]:
        """Give short hints that visitors left for others, the latest first."""
        self._lookup.item(item_id)
        found = self._data.tips_of(item_id)
        tips: list[TipEntry] = [
            {
                "item_id": tip.item_id,
                "user_id": tip.user_id,
                "text": tip.text,
                "likes": tip.likes,
                "local_time": tip.time,
            }
            for tip in found[:limit]
        ]
        return listed(tips, limit, len(found))
