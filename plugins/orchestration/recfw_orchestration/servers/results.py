"""What tools answer: the records of their results, from which output schemas are made.

Distances are km, prices dollars, coordinates degrees (6 places), other floats rounded to 3 places; ``local_time`` is
``YYYY-MM-DDTHH:MM``. ``total`` counts what matched, ``truncated`` tells whether more matched than is listed.
"""

from typing import Annotated, Generic, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

Score = Annotated[float, Field(description="Higher is better; comparable within one result only.")]
Km = Annotated[float, Field(description="Great-circle distance in km.")]
Time = Annotated[str, Field(description="Local time, YYYY-MM-DDTHH:MM.")]
Price = Annotated[float | None, Field(description="Dollars; null where unknown.")]
PriceLevel = Annotated[int | None, Field(description="1 cheap to 4 expensive; null where unknown.")]

T = TypeVar("T")


class Listed(TypedDict, Generic[T]):
    """A list with how much there was to list."""

    items: list[T]
    total: int
    truncated: bool


class Named(TypedDict):
    """An item as every list of items begins."""

    item_id: str
    name: str


class Pair(TypedDict):
    """A property that the source states in its own words."""

    name: str
    value: str


class Scored(Named):
    """An item with its place in a ranking."""

    score: Score


class ProductHit(Named):
    """A product as searches and recommendations list it."""

    brand: str
    category: str
    price: Price
    score: Score


class ProductDetails(Named):
    """All that is known of a product."""

    brand: str
    category: str
    categories: list[str]
    price: Price
    description: str
    features: list[str]
    details: list[Pair]


class BusinessHit(Named):
    """A business as searches and recommendations list it."""

    city: str
    category: str
    price_level: PriceLevel
    score: Score


class Opening(TypedDict):
    """One span of opening hours; ``closes`` at or before ``opens`` is on the next day."""

    day: str
    opens: Annotated[str, Field(description="HH:MM.")]
    closes: Annotated[str, Field(description="HH:MM; not later than opens: on the next day.")]


class BusinessDetails(Named):
    """All that is known of a business."""

    address: str
    city: str
    state: str
    lat: float
    lon: float
    price_level: PriceLevel
    categories: list[str]
    attributes: list[Pair]
    hours: list[Opening]
    closed_for_good: bool


class OpenState(Named):
    """Whether a business is open at a moment."""

    open: Annotated[bool | None, Field(description="null where its hours are unknown.")]
    closes_at: Annotated[str | None, Field(description="Local time, YYYY-MM-DDTHH:MM; null where not open.")]


class ReviewEntry(TypedDict):
    """One review of an item."""

    item_id: str
    review_id: str
    user_id: str
    rating: float
    title: str
    text: str
    helpful: Annotated[int, Field(description="Votes.")]
    local_time: Time


class ReviewHit(Named):
    """A review that a search found."""

    review_id: str
    rating: float
    text: str
    local_time: Time
    score: Score


class TipEntry(TypedDict):
    """A short hint that a user left."""

    item_id: str
    user_id: str
    text: str
    likes: int
    local_time: Time


class SentimentEntry(Named):
    """How reviews speak of an item."""

    score: Annotated[float, Field(description="-1 (all negative) to 1 (all positive); 0 where nobody speaks of it.")]
    positive: Annotated[int, Field(description="Reviews that lean to the good.")]
    negative: Annotated[int, Field(description="Reviews that lean to the bad.")]
    n_reviews: Annotated[int, Field(description="Reviews that speak of it.")]


class Rated(Named):
    """An item with its mean rating."""

    mean: Annotated[float, Field(description="Mean of 1 to 5 stars.")]
    n: Annotated[int, Field(description="Ratings.")]


class RatingStats(Named):
    """The ratings of an item."""

    mean: Annotated[float | None, Field(description="Mean of 1 to 5 stars; null without a rating.")]
    n: Annotated[int, Field(description="Ratings.")]
    histogram: Annotated[list[int], Field(description="Counts of 1, 2, 3, 4 and 5 stars.")]
    trend_90d: Annotated[
        float | None, Field(description="Mean of the last 90 days less the mean before; null where either is empty.")
    ]


class HistoryEntry(Named):
    """Something that a user has rated."""

    category: str
    rating: float
    local_time: Time


class CheckInEntry(Named):
    """A visit."""

    category: str
    local_time: Time


class Near(Named):
    """An item and how far it is."""

    category: str
    distance_km: Km


class Distance(Named):
    """How far an item is."""

    distance_km: Km


class Detour(Named):
    """How far an item is from the start, and what going there adds to the way."""

    distance_km: Km
    detour_km: Annotated[
        float, Field(description="km that a stop adds to the way; without a destination, the distance.")
    ]


class VenueHit(Named):
    """A venue as searches list it."""

    category: str
    city: str
    checkins: int


class VenueScored(Named):
    """A venue as recommendations list it."""

    category: str
    city: str
    score: Score


class VenueDetails(Named):
    """All that is known of a venue."""

    category: str
    city: str
    lat: float
    lon: float
    checkins: int
    unique_visitors: int
    busiest_hours: Annotated[list[int], Field(description="Up to three local hours, busiest first.")]


class PageHit(TypedDict):
    """A page that a search found."""

    page_id: str
    title: str
    domain: str
    snippet: str
    item_ids: Annotated[list[str], Field(description="Items that the page is about.")]


class PageText(TypedDict):
    """A page as it reads."""

    page_id: str
    title: str
    domain: str
    text: str
    item_ids: Annotated[list[str], Field(description="Items that the page is about.")]
