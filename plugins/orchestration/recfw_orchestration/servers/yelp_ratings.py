"""Server ``yelp-ratings``: local businesses by the stars that people gave."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import rating
from recfw_orchestration.servers.arguments import ItemIds, Limit, MinRating, MinReviews
from recfw_orchestration.servers.lookup import Lookup
from recfw_orchestration.servers.results import Listed, Rated, RatingStats
from recfw_orchestration.servers.strict import StrictServer


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = YelpRatings(data)
    tools = (own.filter_businesses_by_rating, own.get_business_rating_stats)
    return StrictServer(
        "yelp-ratings", "Filter local businesses by their ratings, and read the statistics.", tools, data
    )


class YelpRatings:
    """The tools of ``yelp-ratings``."""

    def __init__(self, data: Data) -> None:
        self._lookup = Lookup(data, "local")

    def filter_businesses_by_rating(
        self, item_ids: ItemIds, min_rating: MinRating, min_reviews: MinReviews = None, limit: Limit = 10
    ) -> Listed[Rated]:
        """Keep the businesses whose mean rating, and number of ratings, suffices; the best mean first."""
        return rating.filtered(self._lookup, item_ids, min_rating, min_reviews, limit)

    def get_business_rating_stats(self, item_ids: ItemIds) -> Listed[RatingStats]:
        """Give mean, number, histogram and 90-day trend of the ratings of businesses, in the order asked."""
        return rating.statistics(self._lookup, item_ids)
