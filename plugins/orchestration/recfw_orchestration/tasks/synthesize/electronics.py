"""Ingredients of the domain electronics."""

from recfw_orchestration.data.records import Product
from recfw_orchestration.data.text import tokens
from recfw_orchestration.tasks.answer import named
from recfw_orchestration.tasks.synthesize.common import PICKS, anchored
from recfw_orchestration.tasks.synthesize.draft import MOST, Draft, Source, exactly, ids, near, taken

LONG = 5
"""Letters of a word that may tell a review apart."""


def product(draft: Draft) -> Product:
    """Return the target."""
    item = draft.item
    assert isinstance(item, Product)
    return item


async def search(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand a kind of thing and, at times, a price."""
    item = product(draft)
    if not item.category:
        return None
    price = item.price
    most = least = None
    if price is not None and draft.draws.below(3):
        most = draft.value("max_price", lambda value, slack: price <= value - slack and price * 3 >= value)
        if most is None:
            least = draft.value("min_price", lambda value, slack: price >= value + slack)
    call = draft.call(
        "search_products",
        MOST,
        query=exactly(item.category.lower(), kind="text"),
        category=exactly(item.category, optional=True),
        max_price=near("max_price", most),
        min_price=near("min_price", least),
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    kind = "search_under" if most is not None else "search_over" if least is not None else "search"
    draft.wish(kind, category=item.category, max_price=most, min_price=least)
    return (call,)


async def recommend(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand what is recommended to the shopper, in the target's category or in all."""
    category = product(draft).category if draft.draws.below(2) else None
    call = draft.call(
        "recommend_products",
        MOST,
        user_id=exactly(draft.user),
        category=exactly(category) if category else None,
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("recommended_kind" if category else "recommended", category=category or None)
    return (call,)


async def similar(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand likeness to something that the shopper had: two calls in a row."""
    if not (begun := await anchored(draft)):
        return None
    history, word, _ = begun
    pick, by = PICKS[word]
    basis = draft.draws.choice(("content", "co_purchase"))
    call = draft.call("find_similar_products", MOST, item_id=taken(history, "item_id", pick, by), basis=exactly(basis))
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish(f"{'like' if basis == 'content' else 'beside'}_{word}")
    return (call,)


async def affordable(draft: Draft, source: Source) -> Source | None:
    """Demand a price that the details show."""
    price = product(draft).price
    if price is None:
        return None
    most = draft.value("max_price", lambda value, slack: price <= value - slack and price * 3 >= value)
    if most is None:
        return None
    call = draft.call("get_product_details", item_ids=ids(source))
    draft.keep(call, "le", "price", most, draft.slack_of("max_price", most))
    draft.wish("under", max_price=most)
    return (call,)


async def cheapest(draft: Draft, source: Source) -> Source | None:
    """Take the cheapest."""
    if product(draft).price is None:
        return None
    call = draft.call("get_product_details", item_ids=ids(source))
    draft.decide(call, "price", descending=False)
    draft.wish("cheapest")
    return (call,)


async def dearest(draft: Draft, source: Source) -> Source | None:
    """Take the most expensive."""
    if product(draft).price is None:
        return None
    call = draft.call("get_product_details", item_ids=ids(source))
    draft.decide(call, "price")
    draft.wish("dearest")
    return (call,)


async def mentioned(draft: Draft, source: Source) -> Source | None:
    """Demand that a review holds a word."""
    words: list[str] = []
    for review in draft.data.reviews_of("electronics", draft.target)[:10]:
        words += [word for word in tokens(review.text) if len(word) >= LONG and word.isalpha()]
    title = set(tokens(product(draft).title))
    words = sorted(set(words) - title)
    if not words:
        return None
    word = draft.draws.choice(words)
    call = draft.call("search_product_reviews", MOST, phrase=exactly(word, kind="text"), item_ids=ids(source))
    draft.keep(call)
    draft.wish("mentioned", phrase=word)
    return (call,)
