"""What the rating servers of two domains share: filters and statistics."""

from collections.abc import Sequence

from recfw_orchestration.servers.lookup import Lookup, listed, rounded
from recfw_orchestration.servers.results import Listed, Rated, RatingStats


def filtered(
    lookup: Lookup, item_ids: Sequence[str], min_rating: float, min_reviews: int | None, limit: int
) -> Listed[Rated]:
    """Return the items whose mean rating and number of ratings suffice, the best mean first, ties by id."""
    found: list[Rated] = []
    for item in lookup.items(item_ids):
        stats = lookup.data.stats(lookup.domain, item.item_id)
        mean = None if stats.mean is None else rounded(stats.mean)
        if mean is not None and mean >= min_rating and stats.n >= (min_reviews or 0):
            found.append({"item_id": item.item_id, "name": item.name, "mean": mean, "n": stats.n})
    found.sort(key=lambda rated: (-rated["mean"], rated["item_id"]))
    return listed(found, limit)


def statistics(lookup: Lookup, item_ids: Sequence[str]) -> Listed[RatingStats]:
    """Return the ratings of items, in the order asked."""
    found: list[RatingStats] = []
    for item in lookup.items(item_ids):
        stats = lookup.data.stats(lookup.domain, item.item_id)
        found.append(
            {
                "item_id": item.item_id,
                "name": item.name,
                "mean": None if stats.mean is None else rounded(stats.mean),
                "n": stats.n,
                "histogram": list(stats.histogram),
                "trend_90d": None if stats.trend_90d is None else rounded(stats.trend_90d),
            }
        )
    return listed(found, len(found))
