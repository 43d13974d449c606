"""Server ``amazon-reviews``: what people write about electronics."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import reviewing
from recfw_orchestration.servers.arguments import Aspect, ItemId, ItemIds, Limit, Order, Phrase, SomeItemIds
from recfw_orchestration.servers.lookup import Lookup, listed, rounded
from recfw_orchestration.servers.results import Listed, ReviewEntry, ReviewHit, SentimentEntry
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = AmazonReviews(data)
    tools = (own.get_product_reviews, own.analyze_product_sentiment, own.search_product_reviews)
    return StrictServer("amazon-reviews", "Read, search and weigh what people write about electronics.", tools, data)


class AmazonReviews:
    """The tools of ``amazon-reviews``."""

    def __init__(self, data: Data) -> None:
        self._data, self._lookup = data, Lookup(data, "electronics")

    def get_product_reviews(self, item_id: ItemId, sort: Order, limit: Limit = 10) -> Listed[ReviewEntry]:
        """Give the reviews of one product."""
        return reviewing.reviews(self._lookup, item_id, sort, limit)

    def analyze_product_sentiment(self, item_ids: ItemIds, aspect: Aspect = None) -> Listed[SentimentEntry]:
        """Tell how reviews speak of products, or of one aspect of them, from -1 to 1; in the order asked."""
        return reviewing.sentiment(self._lookup, item_ids, aspect)

    def search_product_reviews(
        self, phrase: Phrase, item_ids: SomeItemIds = None, limit: Limit = 10
    ) -> Listed[ReviewHit]:
        """Find reviews that hold every word of a phrase, the best match first."""
        ids = None if item_ids is None else self._lookup.ids(item_ids)
        found, total = self._data.search_reviews("electronics", phrase, ids, limit)
        hits: list[ReviewHit] = [
            {
                "item_id": review.item_id,
                "name": self._lookup.item(review.item_id).name,
                "review_id": review.review_id,
                "rating": rounded(review.rating),
                "text": review.text,
                "local_time": review.time,
                "score": rounded(score),
            }
            for review, score in found
        ]
        return listed(hits, limit, total)
