"""The arguments that tools share: types, bounds, units, and the words that a caller reads about them."""

from typing import Annotated, Literal

from pydantic import Field

LONGEST_ID, LONGEST_WORDS, MOST_IDS, MOST_LISTED = 64, 300, 50, 50
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$"

Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]

ItemId = Annotated[
    str, Field(min_length=1, max_length=LONGEST_ID, description="The item_id of one item, as results name it.")
]
ItemIds = Annotated[
    list[Id], Field(min_length=1, max_length=MOST_IDS, description="1 to 50 item_id, as results name them.")
]
SomeItemIds = Annotated[
    list[Id] | None,
    Field(min_length=1, max_length=MOST_IDS, description="Look only at these 1 to 50 item_id."),
]
ExcludedIds = Annotated[
    list[Id] | None, Field(min_length=1, max_length=MOST_IDS, description="1 to 50 item_id to leave out.")
]
UserId = Annotated[
    str, Field(min_length=1, max_length=LONGEST_ID, description="The id of the user for whom this is done.")
]
Limit = Annotated[int, Field(ge=1, le=MOST_LISTED, description="Most items to list, 1 to 50.")]

Query = Annotated[
    str, Field(min_length=1, max_length=LONGEST_WORDS, description="Words to look for, most telling ones first.")
]
Phrase = Annotated[
    str, Field(min_length=1, max_length=LONGEST_WORDS, description="Words that a review must hold, all of them.")
]
Category = Annotated[
    str | None,
    Field(min_length=1, max_length=100, description="A category by its whole name, in any letter case."),
]
Brand = Annotated[
    str | None, Field(min_length=1, max_length=100, description="A brand by its whole name, in any letter case.")
]
MinPrice = Annotated[float | None, Field(ge=0, le=1_000_000, description="Lowest price in dollars.")]
MaxPrice = Annotated[float | None, Field(ge=0, le=1_000_000, description="Highest price in dollars.")]
Basis = Annotated[
    Literal["content", "co_purchase"],
    Field(description="content: alike in words and category; co_purchase: bought by the same people."),
]

Order = Annotated[
    Literal["recent", "helpful", "critical"],
    Field(description="recent: latest first; helpful: most votes first; critical: lowest rating first."),
]
Aspect = Annotated[
    str | None,
    Field(
        min_length=1, max_length=50, description="One aspect, such as battery or comfort; left out: all that is said."
    ),
]
LocalAspect = Annotated[
    Literal["food", "service", "ambience", "value"] | None,
    Field(description="food, service, ambience or value; left out: all that is said."),
]
MinRating = Annotated[float, Field(ge=1, le=5, description="Lowest mean rating, 1 to 5 stars.")]
MinReviews = Annotated[int | None, Field(ge=0, le=1_000_000, description="Fewest ratings that an item must have.")]

CityName = Annotated[str, Field(min_length=1, max_length=100, description="A city by its name, in any letter case.")]
SomeCity = Annotated[
    str | None, Field(min_length=1, max_length=100, description="A city by its name, in any letter case.")
]
PriceLevel = Annotated[int | None, Field(ge=1, le=4, description="Highest price level: 1 cheap to 4 expensive.")]
Attributes = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=100)]] | None,
    Field(
        min_length=1,
        max_length=10,
        description="Attributes that must all hold, by name (OutdoorSeating) or name=value (WiFi=free).",
    ),
]
LocalTime = Annotated[
    str,
    Field(pattern=TIME, description="Local date and time, YYYY-MM-DDTHH:MM."),
]

Lat = Annotated[float, Field(ge=-90, le=90, description="Latitude in degrees.")]
Lon = Annotated[float, Field(ge=-180, le=180, description="Longitude in degrees.")]
SomeLat = Annotated[float | None, Field(ge=-90, le=90, description="Latitude of the destination in degrees.")]
SomeLon = Annotated[float | None, Field(ge=-180, le=180, description="Longitude of the destination in degrees.")]
Radius = Annotated[float, Field(ge=0.1, le=25, description="Radius in km, 0.1 to 25.")]

VenueCategory = Annotated[
    str, Field(min_length=1, max_length=100, description="A venue category by its whole name, in any letter case.")
]
VenueCity = Annotated[Literal["NYC", "TKY"], Field(description="NYC: New York; TKY: Tokyo.")]
MinCheckins = Annotated[int | None, Field(ge=0, le=1_000_000, description="Fewest check-ins that a venue must have.")]
Hour = Annotated[int | None, Field(ge=0, le=23, description="Local hour of the visit, 0 to 23.")]
Weekday = Annotated[
    Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] | None,
    Field(description="Day of the visit: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday or Sunday."),
]

PageDomain = Annotated[
    Literal["electronics", "local", "places"] | None,
    Field(description="Only pages of this domain: electronics, local or places."),
]
PageId = Annotated[
    str, Field(min_length=1, max_length=LONGEST_ID, description="The page_id of one page, as web_search names it.")
]
