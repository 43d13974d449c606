"""The Yelp Open Dataset, of 2014 to today: businesses, reviews, tips, users and check-ins."""

import ast
import re
from collections.abc import Collection, Mapping
from typing import Any

from recfw_orchestration.data.categories import split_categories
from recfw_orchestration.data.importers.values import clean, count, name, stars, texts, written
from recfw_orchestration.data.records import DAY_MINUTES, WEEKDAYS, Business, CheckIn, Hours, Profile, Review, Tip

_SPAN = re.compile(r"(\d{1,2}):(\d{1,2})-(\d{1,2}):(\d{1,2})")
_PLACE = re.compile(r"(?P<city>[^\n,]+), (?P<state>[A-Z]{2,3})\b[^\n]*$")


def kind_of(keys: Collection[str]) -> str | None:
    """Return what records with such keys are: ``item``, ``review``, ``tip``, ``checkin``, ``user``, or None."""
    if "review_id" in keys and "business_id" in keys:
        return "review"
    if "business_id" in keys and "user_id" in keys:
        return "tip"
    if "business_id" in keys:
        if "name" in keys:
            return "item"
        return "checkin" if "date" in keys or "checkin_info" in keys else None
    return "user" if "user_id" in keys and {"yelping_since", "friends", "fans", "review_count"} & set(keys) else None


def item(read: Mapping[str, Any]) -> Business | str:
    """Return a record's business, or why there is none."""
    item_id, title = name(read.get("business_id")), clean(read.get("name"))
    if not item_id or not title:
        return "no id" if not item_id else "no name"
    lat, lon = read.get("latitude"), read.get("longitude")
    if not isinstance(lat, int | float) or not isinstance(lon, int | float) or abs(lat) > 90 or abs(lon) > 180:
        return "no coordinates"
    attributes = attributes_of(read.get("attributes"))
    full = str(read.get("full_address") or "")
    placed = _PLACE.search(full)
    address = clean(read.get("address")) if "address" in read else clean(full)
    return Business(
        item_id,
        title,
        address,
        clean(read.get("city")) or (placed["city"].strip() if placed else ""),
        clean(read.get("state")) or (placed["state"] if placed else ""),
        float(lat),
        float(lon),
        _level(attributes),
        categories_of(read.get("categories")),
        attributes,
        hours_of(read.get("hours")),
        not read.get("is_open", read.get("open", 1)),
    )


def categories_of(value: Any) -> tuple[str, ...]:
    """Return the categories of one comma-joined text, or of a list as older releases have it."""
    return split_categories(clean(value)) if isinstance(value, str) else tuple(dict.fromkeys(texts(value)))


def attributes_of(value: Any) -> dict[str, Any]:
    """Return attributes as what their values spell (``"u'free'"`` is ``free``), without those that are None."""
    if not isinstance(value, dict):
        return {}
    found = {clean(str(key)): _spelt(one) for key, one in value.items()}
    return {key: one for key, one in found.items() if key and one is not None and one != {}}


def _spelt(value: Any) -> Any:
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return clean(value)
    if isinstance(value, dict):
        return attributes_of(value)
    return value if isinstance(value, bool | int | float | str) else None


def _level(attributes: Mapping[str, Any]) -> int | None:
    found = attributes.get("RestaurantsPriceRange2", attributes.get("Price Range"))
    return found if isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= 4 else None


def hours_of(value: Any) -> Hours:
    """
    Return the hours; a weekday that the source leaves out is a day off.

    ``0:0-0:0`` may mean a day off or the whole day: such a day has no key. Without any hours nothing is known.
    """
    if not isinstance(value, dict) or not value:
        return {}
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for day, weekday in enumerate(WEEKDAYS):
        span = value.get(weekday)
        if isinstance(span, dict):
            span = f"{span.get('open')}-{span.get('close')}"
        read = _SPAN.fullmatch(span) if isinstance(span, str) else None
        if span is None:
            found[day] = ()
        elif read is not None:
            opens, closes = 60 * int(read[1]) + int(read[2]), 60 * int(read[3]) + int(read[4])
            if opens or closes:
                found[day] = ((opens, closes if closes > opens else closes + DAY_MINUTES),)
    return found


def review(read: Mapping[str, Any]) -> Review | str:
    """Return a record's review, or why there is none."""
    review_id, item_id, user_id = (name(read.get(key)) for key in ("review_id", "business_id", "user_id"))
    if not review_id or not item_id or not user_id:
        return "no id"
    rating, time = stars(read.get("stars")), written(read.get("date"))
    if rating is None:
        return "no rating from 1 to 5"
    if not time:
        return "no valid time"
    votes = read.get("votes")
    useful = votes.get("useful") if isinstance(votes, dict) else read.get("useful")
    return Review(review_id, item_id, user_id, rating, "", clean(read.get("text")), time, count(useful))


def tip(read: Mapping[str, Any]) -> Tip | str:
    """Return a record's tip, or why there is none."""
    item_id, user_id, text = name(read.get("business_id")), name(read.get("user_id")), clean(read.get("text"))
    time = written(read.get("date"))
    if not item_id or not user_id:
        return "no id"
    if not text:
        return "no words"
    if not time:
        return "no valid time"
    return Tip(item_id, user_id, text, time, count(read.get("compliment_count", read.get("likes"))))


def checkins(read: Mapping[str, Any]) -> list[CheckIn] | str:
    """Return the visits of a record, without users, or why there is none."""
    item_id, joined = name(read.get("business_id")), read.get("date")
    if not isinstance(joined, str):
        return "counts by hour without dates" if "checkin_info" in read else "no dates"
    dates = [date.strip() for date in joined.split(",")]
    found = [CheckIn(item_id, "", written(date), date.replace(" ", "T")) for date in dates if written(date)]
    return found or "no dates"


def user(read: Mapping[str, Any]) -> Profile | str:
    """Return a record's profile, or why there is none."""
    user_id = name(read.get("user_id"))
    if not user_id:
        return "no id"
    return Profile(
        user_id, clean(read.get("name")), written(read.get("yelping_since")), elite_years(read.get("elite")),
        _friends(read.get("friends")),
    )  # fmt: skip


def elite_years(value: Any) -> tuple[int, ...]:
    """Return the years of ``2010,2011,20,20,2021``, in which ``20,20`` is 2020."""
    joined = ",".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
    years = re.findall(r"\d{4}", re.sub(r"\b20,20\b", "2020", joined))
    return tuple(sorted({int(year) for year in years}))


def _friends(value: Any) -> int:
    if isinstance(value, list):
        return len(value)
    return len([one for one in value.split(",") if one.strip()]) if isinstance(value, str) and value != "None" else 0
