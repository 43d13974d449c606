"""Amazon Reviews of 2014 (McAuley), 2018 (Ni) and 2023 (Hou): items and reviews, told apart by their keys."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from recfw_orchestration.data.importers.values import american, amount, clean, count, moment, name, stars, texts, tidy
from recfw_orchestration.data.records import Product, Review

_LONGEST_NAME = 120
"""Characters beyond which a brand or category is page junk."""


def release_of(keys: Collection[str]) -> tuple[str, str] | None:
    """Return kind (``item`` or ``review``) and release of records with such keys; None where they are neither."""
    if "parent_asin" in keys:
        return ("review", "2023") if "timestamp" in keys or "user_id" in keys else ("item", "2023")
    if "asin" not in keys:
        return None
    if "reviewerID" in keys:
        return "review", "2014" if "helpful" in keys else "2018"
    old = {"categories", "imUrl", "related", "salesRank"}
    new = {"category", "feature", "also_buy", "main_cat", "tech1", "rank"}
    return "item", "2018" if new & set(keys) or not old & set(keys) else "2014"


def item(read: Mapping[str, Any]) -> Product | str:
    """Return a record's product, or why there is none."""
    item_id = name(read.get("parent_asin") or read.get("asin"))
    title = clean(read.get("title"))
    if not item_id:
        return "no id"
    if not title:
        return "no title"
    details = tidy(read.get("details")) if isinstance(read.get("details"), dict) else {}
    categories = _categories(read)
    brand = _short(read.get("brand") or read.get("store") or details.get("Brand"))
    main = _short(read.get("main_category") or read.get("main_cat"))
    return Product(
        item_id,
        title,
        brand,
        categories[-1] if categories else main,
        categories or ((main,) if main else ()),
        amount(read.get("price")),
        " ".join(texts(read.get("description"))),
        texts(read.get("features") or read.get("feature")),
        details,
        _together(read, item_id),
    )


def _categories(read: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the category path; of several paths (2014) the first."""
    found = read.get("categories") or read.get("category") or ()
    if found and isinstance(found, list) and isinstance(found[0], list):
        found = found[0]
    return tuple(dict.fromkeys(filter(None, map(_short, found)))) if isinstance(found, list | tuple) else ()


def _short(value: Any) -> str:
    text = clean(value)
    return text if len(text) <= _LONGEST_NAME else ""


def _together(read: Mapping[str, Any], item_id: str) -> tuple[str, ...]:
    """Return what is bought with an item: ``bought_together``, then ``also_bought`` (2014) or ``also_buy`` (2018)."""
    related = read.get("related") if isinstance(read.get("related"), dict) else read
    found: list[str] = []
    for key in ("bought_together", "also_bought", "also_buy"):
        listed = related.get(key) if related else None
        found += [one for one in map(name, listed) if one] if isinstance(listed, list) else []
    return tuple(one for one in dict.fromkeys(found) if one != item_id)


def review(read: Mapping[str, Any]) -> Review | str:
    """Return a record's review, or why there is none; its id follows from the user and the item."""
    new = "parent_asin" in read
    item_id = name(read.get("parent_asin") if new else read.get("asin"))
    user_id = name(read.get("user_id") if new else read.get("reviewerID"))
    if not item_id or not user_id:
        return "no item id" if not item_id else "no user id"
    rating = stars(read.get("rating") if new else read.get("overall"))
    if rating is None:
        return "no rating from 1 to 5"
    time = _time(read)
    if not time:
        return "no valid time"
    title = clean(read.get("title") if new else read.get("summary"))
    text = clean(read.get("text") if new else read.get("reviewText"))
    key = hashlib.blake2b(f"{user_id}\0{item_id}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return Review(f"R{key}", item_id, user_id, rating, title, text, time, _votes(read))


def _time(read: Mapping[str, Any]) -> str:
    if "timestamp" in read:
        stamp = read["timestamp"]
        return moment(stamp / 1000) if isinstance(stamp, int | float) else ""
    return moment(read.get("unixReviewTime")) or american(read.get("reviewTime"))


def _votes(read: Mapping[str, Any]) -> int:
    """Return the helpful votes: ``helpful_vote`` (2023), ``vote`` (2018), the first of ``helpful`` (2014)."""
    pair = read.get("helpful")
    if isinstance(pair, list | tuple) and pair:
        return count(pair[0])
    return count(read.get("helpful_vote") or read.get("vote"))
