"""Ingredients of the domain local: businesses, where they are and when they are open."""

import math
from datetime import datetime, timedelta

from recfw_orchestration.data.records import Business
from recfw_orchestration.tasks.answer import named
from recfw_orchestration.tasks.synthesize.common import PICKS, anchored
from recfw_orchestration.tasks.synthesize.draft import MOST, Draft, Source, exactly, ids, near, taken

KM_PER_DEGREE = 111.195
MARGIN = 30
"""Minutes by which a time may be missed."""


def business(draft: Draft) -> Business:
    """Return the target."""
    item = draft.item
    assert isinstance(item, Business)
    return item


def stand(draft: Draft, radius: float) -> None:
    """Put the user somewhere within two thirds of a radius of the target, where he or she does not stand already."""
    if "lat" in draft.place:
        return
    item = draft.item
    km = radius * (0.2 + 0.45 * draft.draws.random())
    angle = draft.draws.random() * 2 * math.pi
    lat = item.lat + km * math.cos(angle) / KM_PER_DEGREE  # type: ignore[union-attr]
    lon = item.lon + km * math.sin(angle) / (KM_PER_DEGREE * math.cos(math.radians(lat)))  # type: ignore[union-attr]
    draft.place["lat"], draft.place["lon"] = round(lat, 5), round(lon, 5)


async def search(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand a kind of business in the user's city and, at times, a price level."""
    item = business(draft)
    if not item.category or item.closed:
        return None
    category = draft.draws.choice(item.categories)
    level = item.price_level
    most = None
    if level is not None and draft.draws.below(2):
        most = draft.value("price_level", lambda value, _: level <= value)
    call = draft.call(
        "search_businesses",
        MOST,
        query=exactly(category.lower(), kind="text"),
        city=exactly(item.city),
        category=exactly(category, optional=True),
        max_price_level=exactly(most) if most is not None else None,
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("search_local" if most is None else "search_level", category=category, price_level=most)
    return (call,)


async def recommend(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand what is recommended to the user in the city."""
    item = business(draft)
    category = draft.draws.choice(item.categories) if item.categories and draft.draws.below(2) else None
    call = draft.call(
        "recommend_businesses",
        MOST,
        user_id=exactly(draft.user),
        city=exactly(item.city),
        category=exactly(category) if category else None,
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("recommended_kind" if category else "recommended", category=category)
    return (call,)


async def nearby(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand nearness to where the user is."""
    item = business(draft)
    radius = draft.value("radius", lambda value, _: value > 0)
    category = draft.draws.choice(item.categories) if item.categories and draft.draws.below(2) else None
    stand(draft, radius)
    call = draft.call(
        "find_businesses_nearby",
        MOST,
        lat=exactly(draft.place["lat"], kind="coordinate"),
        lon=exactly(draft.place["lon"], kind="coordinate"),
        radius_km=near("radius", radius, "radius"),
        category=exactly(category) if category else None,
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("near_kind" if category else "near", radius=radius, category=category)
    return (call,)


async def around(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand nearness to a place that the user went to: history, its details, what lies round it."""
    if not (begun := await anchored(draft)):
        return None
    history, word, _ = begun
    pick, by = PICKS[word]
    details = draft.call("get_business_details", item_ids=taken(history, "item_id", pick, by, "set"))
    if not await draft.look(details):
        return None
    radius = draft.value("radius", lambda value, _: value > 0)
    call = draft.call(
        "find_businesses_nearby",
        MOST,
        lat=taken(details, "lat", kind="coordinate"),
        lon=taken(details, "lon", kind="coordinate"),
        radius_km=near("radius", radius, "radius"),
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish(f"around_{word}", radius=radius)
    return (call,)


async def opened(draft: Draft, source: Source) -> Source | None:
    """Demand that it is open at a time."""
    if draft.time is None and not set_time(draft):
        return None
    call = draft.call("check_open", item_ids=ids(source), local_time=exactly(draft.time, kind="time"))
    draft.keep(call, "eq", "open", value=True)
    draft.wish("open", time=draft.time)
    return (call,)


def set_time(draft: Draft) -> bool:
    """Choose a time in the week before the held-out visit at which the target is open, not close to either end."""
    held = draft.data.held_out(draft.domain, draft.user)
    spans = [(day, *span) for day, of in sorted(business(draft).hours.items()) for span in of]
    wide = [(day, a, b) for day, a, b in spans if b - a > 3 * MARGIN]
    if held is None or not wide:
        return False
    day, opens, closes = draft.draws.choice(wide)
    minute = draft.draws.between((opens + MARGIN) // 15 + 1, (closes - MARGIN) // 15 - 1) * 15
    last = datetime.fromisoformat(held.time).replace(hour=0, minute=0, second=0)
    midnight = last - timedelta(days=(last.weekday() - day) % 7)
    draft.time = (midnight + timedelta(minutes=minute)).isoformat(timespec="minutes")
    return True


async def nearest(draft: Draft, source: Source) -> Source | None:
    """Take the one nearest to the business at which the user is."""
    if "at" not in draft.place:
        found = draft.data.near("local", business(draft).lat, business(draft).lon, 3.0)
        others = [item_id for item_id, _ in found if item_id != draft.target]
        if not others:
            return None
        draft.place["at"] = draft.draws.choice(others[:20])
    call = draft.call("measure_business_distances", origin_id=exactly(draft.place["at"]), item_ids=ids(source))
    draft.decide(call, "distance_km", descending=False)
    draft.wish("nearest")
    return (call,)


async def closest_to_known(draft: Draft, source: Source) -> Source | None:
    """Take the one nearest to a place that the user went to."""
    if not (begun := await anchored(draft)):
        return None
    history, word, _ = begun
    pick, by = PICKS[word]
    call = draft.call("measure_business_distances", origin_id=taken(history, "item_id", pick, by), item_ids=ids(source))
    draft.decide(call, "distance_km", descending=False)
    draft.wish(f"closest_{word}")
    return (call,)


async def affordable(draft: Draft, source: Source) -> Source | None:
    """Demand a price level that the details show."""
    level = business(draft).price_level
    if level is None:
        return None
    most = draft.value("price_level", lambda value, _: level <= value)
    if most is None:
        return None
    call = draft.call("get_business_details", item_ids=ids(source))
    draft.keep(call, "le", "price_level", most)
    draft.wish("level", price_level=most)
    return (call,)
