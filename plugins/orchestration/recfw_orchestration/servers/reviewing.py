"""What the review servers of two domains share: lists of reviews and sentiment."""

from collections.abc import Sequence

from recfw_orchestration.data.records import Review
from recfw_orchestration.servers.lookup import Lookup, listed, rounded
from recfw_orchestration.servers.results import Listed, ReviewEntry, SentimentEntry


def reviews(lookup: Lookup, item_id: str, sort: str, limit: int) -> Listed[ReviewEntry]:
    """Return an item's reviews in an order: recent, helpful or critical; ties by time, then by id."""
    lookup.item(item_id)
    found: Sequence[Review] = lookup.data.reviews_of(lookup.domain, item_id)
    if sort == "helpful":
        found = sorted(found, key=lambda review: -review.helpful)
    elif sort == "critical":
        found = sorted(found, key=lambda review: review.rating)
    return listed([_entry(review) for review in found[:limit]], limit, len(found))


def _entry(review: Review) -> ReviewEntry:
    return {
        "item_id": review.item_id,
        "review_id": review.review_id,
        "user_id": review.user_id,
        "rating": rounded(review.rating),
        "title": review.title,
        "text": review.text,
        "helpful": review.helpful,
        "local_time": review.time,
    }


def sentiment(lookup: Lookup, item_ids: Sequence[str], aspect: str | None) -> Listed[SentimentEntry]:
    """Return how reviews speak of items, or of an aspect of them, in the order asked."""
    found: list[SentimentEntry] = []
    for item in lookup.items(item_ids):
        said = lookup.data.sentiment(lookup.domain, item.item_id, aspect)
        found.append(
            {
                "item_id": item.item_id,
                "name": item.name,
                "score": rounded(said.score),
                "positive": said.positive,
                "negative": said.negative,
                "n_reviews": said.n_reviews,
            }
        )
    return listed(found, len(found))
