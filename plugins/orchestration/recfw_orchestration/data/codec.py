"""How records lie in the store: JSON of an item's fields, without the keys that are columns."""

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from recfw_orchestration.data.records import Business, Domain, Item, Product, Profile, Venue


def pack(record: Item | Profile) -> bytes:
    """Return a record's JSON; equal records give equal bytes."""
    match record:
        case Product():
            fields: dict[str, Any] = {
                "title": record.title,
                "brand": record.brand,
                "category": record.category,
                "categories": record.categories,
                "price": record.price,
                "description": record.description,
                "features": record.features,
                "details": _plain(record.details),
                "together": record.bought_together,
            }
        case Business():
            fields = {
                "name": record.name,
                "address": record.address,
                "city": record.city,
                "state": record.state,
                "at": (record.lat, record.lon),
                "price_level": record.price_level,
                "categories": record.categories,
                "attributes": _plain(record.attributes),
                "hours": [record.hours.get(day) for day in range(7)],
                "closed": record.closed,
            }
        case Venue():
            fields = {
                "name": record.name,
                "category": record.category,
                "at": (record.lat, record.lon),
                "city": record.city,
            }
        case Profile():
            fields = {"name": record.name, "since": record.since, "elite": record.elite, "friends": record.friends}
    return orjson.dumps(fields)


def product(item_id: str, packed: bytes) -> Product:
    """Return the product that :func:`pack` wrote."""
    read = orjson.loads(packed)
    return Product(
        item_id,
        read["title"],
        read["brand"],
        read["category"],
        tuple(read["categories"]),
        read["price"],
        read["description"],
        tuple(read["features"]),
        read["details"],
        tuple(read["together"]),
    )


def business(item_id: str, packed: bytes) -> Business:
    """Return the business that :func:`pack` wrote."""
    read = orjson.loads(packed)
    hours = {day: tuple((a, b) for a, b in spans) for day, spans in enumerate(read["hours"]) if spans is not None}
    lat, lon = read["at"]
    return Business(
        item_id,
        read["name"],
        read["address"],
        read["city"],
        read["state"],
        lat,
        lon,
        read["price_level"],
        tuple(read["categories"]),
        read["attributes"],
        hours,
        read["closed"],
    )


def venue(item_id: str, packed: bytes) -> Venue:
    """Return the venue that :func:`pack` wrote."""
    read = orjson.loads(packed)
    lat, lon = read["at"]
    return Venue(item_id, read["name"], read["category"], lat, lon, read["city"])


def profile(user_id: str, packed: bytes) -> Profile:
    """Return the profile that :func:`pack` wrote."""
    read = orjson.loads(packed)
    return Profile(user_id, read["name"], read["since"], tuple(read["elite"]), read["friends"])


READERS: Mapping[Domain, Callable[[str, bytes], Item]] = {"electronics": product, "local": business, "places": venue}
"""Domain -> how its items are read."""


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key): values[key] for key in sorted(values, key=str)}
