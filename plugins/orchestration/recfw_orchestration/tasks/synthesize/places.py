"""Ingredients of the domain places: venues, who visits them when, and ways between them."""

from datetime import datetime

from recfw_orchestration.data.records import WEEKDAYS, Venue
from recfw_orchestration.tasks.answer import entries, named
from recfw_orchestration.tasks.synthesize.common import PICKS, anchored
from recfw_orchestration.tasks.synthesize.draft import MOST, Draft, Source, exactly, ids, near, taken
from recfw_orchestration.tasks.synthesize.local import stand

WORDS = ("last", "usual")
"""Entries of a check-in history that a later step may start from; check-ins have no ratings."""


def venue(draft: Draft) -> Venue:
    """Return the target."""
    item = draft.item
    assert isinstance(item, Venue)
    return item


async def search(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand a kind of venue and, at times, how much it is visited."""
    item = venue(draft)
    visits = draft.data.visits(item.item_id).checkins
    least = draft.value("min_checkins", lambda value, slack: value + slack <= visits) if draft.draws.below(2) else None
    call = draft.call(
        "search_venues",
        MOST,
        category=exactly(item.category),
        city=exactly(item.city),
        min_checkins=near("min_checkins", least),
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("search_venue" if least is None else "search_visited", category=item.category, min_checkins=least)
    return (call,)


async def recommend(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand what is recommended to the visitor, in general or on the weekday of the visit."""
    held = draft.data.held_out("places", draft.user)
    if held is None:
        return None
    day = WEEKDAYS[datetime.fromisoformat(held.time).weekday()] if draft.draws.below(2) else None
    category = venue(draft).category if draft.draws.below(2) else None
    call = draft.call(
        "recommend_venues",
        MOST,
        user_id=exactly(draft.user),
        weekday=exactly(day) if day else None,
        category=exactly(category) if category else None,
    )
    found = await draft.look(call)
    if not found or draft.target not in [entry["item_id"] for entry in entries(found) if entry["score"] > 0]:
        return None
    draft.keep(call, "gt", "score", 0)
    kind = "recommended" + ("_kind" if category else "") + ("_day" if day else "")
    draft.wish(kind, category=category, weekday=day)
    return (call,)


async def nearby(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand nearness to where the visitor is."""
    item = venue(draft)
    radius = draft.value("radius", lambda value, _: value > 0)
    category = item.category if draft.draws.below(2) else None
    stand(draft, radius)
    call = draft.call(
        "find_venues_nearby",
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


async def been(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand that the visitor has been there."""
    call = draft.call("get_checkin_history", MOST, user_id=exactly(draft.user))
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish("been")
    return (call,)


async def new(draft: Draft, source: Source) -> Source | None:
    """Demand that the visitor has not been there."""
    call = draft.call("get_checkin_history", MOST, user_id=exactly(draft.user))
    if not (found := await draft.look(call)) or not entries(found) or draft.target in named(found):
        return None
    draft.keep(call, "unlisted")
    draft.wish("new")
    return (*source, call)


async def around(draft: Draft, source: Source) -> Source | None:  # noqa: ARG001 - it looks at no candidates
    """Demand nearness to a venue that the visitor went to: history, its details, what lies round it."""
    if not (begun := await anchored(draft, WORDS)):
        return None
    history, word, _ = begun
    pick, by = PICKS[word]
    details = draft.call("get_venue_details", item_ids=taken(history, "item_id", pick, by, "set"))
    if not await draft.look(details):
        return None
    radius = draft.value("radius", lambda value, _: value > 0)
    category = venue(draft).category if draft.draws.below(2) else None
    call = draft.call(
        "find_venues_nearby",
        MOST,
        lat=taken(details, "lat", kind="coordinate"),
        lon=taken(details, "lon", kind="coordinate"),
        radius_km=near("radius", radius, "radius"),
        category=exactly(category) if category else None,
    )
    if not (found := await draft.look(call)) or draft.target not in named(found):
        return None
    draft.keep(call)
    draft.wish(f"around_{word}" + ("_kind" if category else ""), radius=radius, category=category)
    return (call,)


async def busy(draft: Draft, source: Source) -> Source | None:
    """Demand that the hour is one of the venue's busiest."""
    item = venue(draft)
    counts = draft.data.visits(item.item_id).by_hour
    hours = sorted((hour for hour in range(24) if counts[hour]), key=lambda hour: (-counts[hour], hour))[:3]
    if not hours:
        return None
    hour = draft.draws.choice(hours)
    call = draft.call("get_venue_details", item_ids=ids(source))
    draft.keep(call, "has", "busiest_hours", hour)
    draft.wish("busy", hour=hour)
    return (call,)


async def quietest(draft: Draft, source: Source) -> Source | None:
    """Take the one with the fewest check-ins."""
    call = draft.call("get_venue_details", item_ids=ids(source))
    draft.decide(call, "checkins", descending=False)
    draft.wish("quietest")
    return (call,)


async def on_the_way(draft: Draft, source: Source) -> Source | None:
    """Take the one that adds least to the way from where the visitor is to a destination."""
    stand(draft, 2.0)
    if "to_lat" not in draft.place:
        item = venue(draft)
        near_by = draft.data.near("places", item.lat, item.lon, 5.0)
        if len(near_by) < 2:
            return None
        end = draft.data.venue(draft.draws.choice(near_by)[0])
        draft.place["to_lat"], draft.place["to_lon"] = round(end.lat, 5), round(end.lon, 5)
    call = draft.call(
        "rank_venues_by_route",
        from_lat=exactly(draft.place["lat"], kind="coordinate"),
        from_lon=exactly(draft.place["lon"], kind="coordinate"),
        to_lat=exactly(draft.place["to_lat"], kind="coordinate"),
        to_lon=exactly(draft.place["to_lon"], kind="coordinate"),
        item_ids=ids(source),
    )
    draft.decide(call, "detour_km", descending=False)
    draft.wish("on_the_way")
    return (call,)


async def closest(draft: Draft, source: Source) -> Source | None:
    """Take the one nearest to where the visitor is."""
    stand(draft, 2.0)
    call = draft.call(
        "rank_venues_by_route",
        from_lat=exactly(draft.place["lat"], kind="coordinate"),
        from_lon=exactly(draft.place["lon"], kind="coordinate"),
        item_ids=ids(source),
    )
    draft.decide(call, "distance_km", descending=False)
    draft.wish("closest")
    return (call,)
