"""What the recommenders share: histories of ratings, and items ranked for one user."""

from collections.abc import Sequence

from recfw_orchestration.servers.lookup import Lookup, in_order, listed, rounded
from recfw_orchestration.servers.results import HistoryEntry, Listed, Scored


def history(lookup: Lookup, user_id: str, limit: int) -> Listed[HistoryEntry]:
    """Return what a user has rated, the latest first."""
    past = lookup.data.reviews_by(lookup.domain, lookup.user(user_id))
    shown = past[:limit]
    entries: list[HistoryEntry] = []
    for review in shown:
        item = lookup.item(review.item_id)
        entries.append(
            {
                "item_id": item.item_id,
                "name": item.name,
                "category": item.category,
                "rating": rounded(review.rating),
                "local_time": review.time,
            }
        )
    return listed(entries, limit, len(past))


def ranked(lookup: Lookup, user_id: str, item_ids: Sequence[str]) -> Listed[Scored]:
    """Return all the items, what suits the user best first, ties by id."""
    items = {item.item_id: item for item in lookup.items(item_ids)}
    scores = in_order(lookup.data.rank(lookup.domain, lookup.user(user_id), tuple(items)), relative=True)
    found: list[Scored] = [
        {"item_id": item_id, "name": items[item_id].name, "score": score} for item_id, score in scores
    ]
    return listed(found, len(found))
