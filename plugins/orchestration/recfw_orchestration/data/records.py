"""Records of the three domains, as the store gives them out: frozen, complete, without any held-out interaction."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen

from recfw.errors import DataError

Domain = Literal["electronics", "local", "places"]
DOMAINS: tuple[Domain, ...] = ("electronics", "local", "places")

DAY_MINUTES = 1440
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Hours = Mapping[int, tuple[tuple[int, int], ...]]
"""Weekday (0 = Monday) -> spans (opens, closes) in minutes after that day's midnight; closes > 1440 = past midnight.

A day that is open at no time maps to ``()``; a day of which nothing is known has no key.
"""


class UnknownUserError(DataError):
    """A user id that the store does not hold."""


class UnknownItemError(DataError):
    """An item id that the store does not hold."""


@frozen
class Product:
    """A thing for sale; ``price`` in dollars, None where the source holds no clean amount."""

    item_id: str
    title: str
    brand: str
    category: str
    """The most specific category; the last of ``categories`` where there is any."""
    categories: tuple[str, ...]
    price: float | None
    description: str
    features: tuple[str, ...]
    details: Mapping[str, Any]
    bought_together: tuple[str, ...]
    """Ids that the source lists as bought with this one, in its order; not all of them are in the store."""

    @property
    def name(self) -> str:
        """What lists call it."""
        return self.title


@frozen
class Business:
    """A local business; coordinates in degrees, ``price_level`` 1 (cheap) to 4, ``closed`` = for good."""

    item_id: str
    name: str
    address: str
    city: str
    state: str
    lat: float
    lon: float
    price_level: int | None
    categories: tuple[str, ...]
    attributes: Mapping[str, Any]
    hours: Hours
    closed: bool

    @property
    def category(self) -> str:
        """The first category, empty where the source holds none."""
        return self.categories[0] if self.categories else ""


@frozen
class Venue:
    """A check-in venue; its name is its category and the end of its id, for the source names none."""

    item_id: str
    name: str
    category: str
    lat: float
    lon: float
    city: str
    """``NYC`` or ``TKY``."""


Item = Product | Business | Venue


@frozen
class Review:
    """What a user wrote of an item; ``rating`` 1-5, ``time`` is ``YYYY-MM-DDTHH:MM``, ``helpful`` counts votes."""

    review_id: str
    item_id: str
    user_id: str
    rating: float
    title: str
    text: str
    time: str
    helpful: int


@frozen
class Tip:
    """A short hint that a user left for others about a business."""

    item_id: str
    user_id: str
    text: str
    time: str
    likes: int


@frozen
class CheckIn:
    """
    A visit; ``time`` is local, ``utc`` the same moment in UTC, to the second where the source tells it.

    ``user_id`` is empty where the source hides it (Yelp's check-ins; their times are given out as they stand).
    """

    item_id: str
    user_id: str
    time: str
    utc: str


@frozen
class Page:
    """A page of the local web, generated from items."""

    page_id: str
    domain: Domain
    title: str
    text: str
    item_ids: tuple[str, ...]


@frozen
class Stats:
    """
    Ratings of an item.

    ``trend_90d`` is the mean of the 90 days that end with the item's latest review, less the mean of all before; None
    where either is empty. ``histogram`` counts 1, 2, 3, 4 and 5 (halves round up).
    """

    mean: float | None
    n: int
    histogram: tuple[int, int, int, int, int]
    trend_90d: float | None


@frozen
class Sentiment:
    """
    How reviews speak of an item, or of one aspect of it.

    ``n_reviews`` mention the aspect (without an aspect: are all with words); ``positive`` and ``negative`` of them lean
    that way; ``score`` = (positive - negative) / n_reviews, 0 where there is none.
    """

    score: float
    positive: int
    negative: int
    n_reviews: int


@frozen
class Visits:
    """When an item is visited: check-ins, distinct visitors, counts by local hour (24) and weekday (7, from Monday)."""

    checkins: int
    visitors: int
    by_hour: tuple[int, ...]
    by_weekday: tuple[int, ...]


@frozen
class HeldOut:
    """A user's latest interaction, which nothing else in the store shows; ``rating`` is None for a check-in."""

    item_id: str
    time: str
    rating: float | None


@frozen
class Profile:
    """What the source says of a user; most sources say nothing."""

    user_id: str
    name: str = ""
    since: str = ""
    elite: tuple[int, ...] = field(default=())
    friends: int = 0
