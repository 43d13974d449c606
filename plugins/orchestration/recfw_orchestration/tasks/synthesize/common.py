"""Ingredients that domains share, with their tools' names: ratings, opinions, taste, companions and the web."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from attrs import frozen

from recfw_orchestration.data.records import Domain, Product
from recfw_orchestration.tasks.answer import entries, named, value_of
from recfw_orchestration.tasks.records import Kind
from recfw_orchestration.tasks.synthesize.draft import MOST, Draft, Source, exactly, ids, near, taken

Ingredient = Callable[[Draft, Source], Coroutine[Any, Any, Source | None]]
"""Adds calls, tests and a wish to a draft; returns the calls whose survivors come next, None where it does not fit."""

LIKED = 0.1
"""Opinion score above which reviewers of the target count as pleased."""
LEAST_OPINIONS = 2
PICKS = {"last": ("first", ""), "favourite": ("max", "rating"), "usual": ("most", "")}
"""Which entry of a history a later step starts from: word -> pick and what it compares."""


@frozen
class Names:
    """What a domain's tools are called."""

    rating: str
    stats: str
    sentiment: str
    reviews: str
    history: str
    recommend: str
    rank: str


_ELECTRONICS = Names(
    "filter_products_by_rating",
    "get_product_rating_stats",
    "analyze_product_sentiment",
    "get_product_reviews",
    "get_shopper_history",
    "recommend_products",
    "rank_products_for_user",
)
_LOCAL = Names(
    "filter_businesses_by_rating",
    "get_business_rating_stats",
    "analyze_business_sentiment",
    "get_business_reviews",
    "get_diner_history",
    "recommend_businesses",
    "rank_businesses_for_user",
)
NAMES: Mapping[Domain, Names] = {"electronics": _ELECTRONICS, "local": _LOCAL}


async def rating(draft: Draft, source: Source) -> Source | None:
    """Demand a mean rating and, mostly, a number of ratings."""
    stats = draft.data.stats(draft.domain, draft.target)
    if stats.mean is None:
        return None
    mean, n = stats.mean, stats.n
    stars = draft.value("min_rating", lambda value, slack: value + slack <= mean)
    if stars is None:
        return None
    many = draft.value("min_reviews", lambda value, slack: value + slack <= n) if draft.draws.below(4) else None
    call = draft.call(
        NAMES[draft.domain].rating,
        MOST,
        item_ids=ids(source),
        min_rating=near("min_rating", stars),
        min_reviews=near("min_reviews", many),
    )
    draft.keep(call)
    draft.wish("rating" if many is None else "rating_many", min_rating=stars, min_reviews=many)
    return (call,)


async def liked(draft: Draft, source: Source) -> Source | None:
    """Demand that more reviewers praise an aspect than blame it."""
    found = _opinion(draft, source)
    if found is None:
        return None
    call, slot, aspect = found
    draft.keep(call, "gt", "score", 0)
    draft.wish("liked", **{slot: aspect})
    return (call,)


async def most_liked(draft: Draft, source: Source) -> Source | None:
    """Take the one whose aspect reviewers praise most."""
    found = _opinion(draft, source)
    if found is None:
        return None
    call, slot, aspect = found
    draft.decide(call, "score")
    draft.wish("most_liked", **{slot: aspect})
    return (call,)


def _opinion(draft: Draft, source: Source) -> tuple[str, str, str] | None:
    def pleased(aspect: str, _: float) -> bool:
        said = draft.data.sentiment(draft.domain, draft.target, aspect)
        return said.n_reviews >= LEAST_OPINIONS and said.score > LIKED

    slot = "aspect" if draft.domain == "electronics" else "local_aspect"
    aspect = draft.value(slot, pleased)
    if aspect is None:
        return None
    # Of products it is free text; of businesses, one of four words.
    kind: Kind = "text" if draft.domain == "electronics" else "exact"
    call = draft.call(NAMES[draft.domain].sentiment, item_ids=ids(source), aspect=exactly(aspect, kind=kind))
    return call, slot, str(aspect)


async def rising(draft: Draft, source: Source) -> Source | None:
    """Demand ratings that have gone up lately."""
    trend = draft.data.stats(draft.domain, draft.target).trend_90d
    if trend is None or trend <= 0:
        return None
    call = draft.call(NAMES[draft.domain].stats, item_ids=ids(source))
    draft.keep(call, "gt", "trend_90d", 0)
    draft.wish("rising")
    return (call,)


async def most_rising(draft: Draft, source: Source) -> Source | None:
    """Take the one whose ratings have gone up most."""
    trend = draft.data.stats(draft.domain, draft.target).trend_90d
    if trend is None or trend <= 0:
        return None
    call = draft.call(NAMES[draft.domain].stats, item_ids=ids(source))
    draft.decide(call, "trend_90d")
    draft.wish("most_rising")
    return (call,)


async def least_known(draft: Draft, source: Source) -> Source | None:
    """Take the one with the fewest ratings."""
    if draft.data.stats(draft.domain, draft.target).n < 1:
        return None
    call = draft.call(NAMES[draft.domain].stats, item_ids=ids(source))
    draft.decide(call, "n", descending=False)
    draft.wish("least_known")
    return (call,)


async def taste(draft: Draft, source: Source) -> Source | None:
    """Take the one that suits the user best."""
    call = draft.call(NAMES[draft.domain].rank, user_id=exactly(draft.user), item_ids=ids(source))
    draft.decide(call, "score")
    draft.wish("taste")
    return (call,)


async def web(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand that a web search for the kind of thing names it."""
    call = _searched(draft)
    found = await draft.look(call)
    if found is None or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("web", query=draft.calls[-1].arguments["query"].values[0])
    return (call,)


async def page(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand that the first page on the kind of thing names it: search, then read."""
    search = _searched(draft)
    query = draft.calls[-1].arguments["query"].values[0]
    if not (found := await draft.look(search)) or not entries(found):
        return None
    call = draft.call("read_page", page_id=taken(search, "page_id"))
    read = await draft.look(call)
    if read is None or draft.target not in named(read) or len(named(read)) < 3:
        return None
    draft.keep(call)
    draft.wish("page", query=query)
    return (call,)


def _searched(draft: Draft) -> str:
    item = draft.item
    query = f"best {item.category}" if isinstance(item, Product) else f"best {item.category} {item.city}"
    return draft.call("web_search", query=exactly(query, kind="text"), domain=exactly(draft.domain, optional=True))


async def anchored(draft: Draft, words: tuple[str, ...] = ("last", "favourite")) -> tuple[str, str, str] | None:
    """Add the call for the user's history; return it, the word for the entry to start from, and that item's id."""
    tool = "get_checkin_history" if draft.domain == "places" else NAMES[draft.domain].history
    call = draft.call(tool, MOST, user_id=exactly(draft.user))
    found = await draft.look(call)
    if not found or not entries(found):
        return None
    word = draft.draws.choice(words)
    item = value_of(_anchor(call, word).origin, draft.rule, draft.results, ())
    return None if item is None or item == draft.target else (call, word, str(item))


def _anchor(call: str, word: str) -> Any:
    pick, by = PICKS[word]
    return taken(call, "item_id", pick, by)


async def companion(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand that whoever wrote the first review of something the user had has also had it: three calls in a row."""
    if not (begun := await anchored(draft)):
        return None
    history, word, anchor = begun
    sort = draft.draws.choice(("helpful", "recent", "critical"))
    names = NAMES[draft.domain]
    reviews = draft.call(names.reviews, item_id=_anchor(history, word), sort=exactly(sort))
    return await _had_too(draft, reviews, f"companion_{word}", {"sort": sort}, anchor)


async def tipster(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand that whoever left the latest tip for a place the user went to has also been there."""
    if not (begun := await anchored(draft)):
        return None
    history, word, anchor = begun
    tips = draft.call("get_business_tips", item_id=_anchor(history, word))
    return await _had_too(draft, tips, f"tipster_{word}", {}, anchor)


async def _had_too(draft: Draft, told: str, wish: str, values: dict[str, Any], anchor: str) -> Source | None:
    found = await draft.look(told)
    if not found or not entries(found) or entries(found)[0]["user_id"] == draft.user:
        return None
    call = draft.call(NAMES[draft.domain].history, MOST, user_id=taken(told, "user_id"))
    theirs = await draft.look(call)
    if theirs is None or draft.target not in named(theirs) or anchor == draft.target:
        return None
    draft.keep(call)
    draft.wish(wish, **values)
    return (call,)
