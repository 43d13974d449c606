"""A book, a catalog's labels, and a task family's variant: the records that every part of the track shares."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from recfw.elicitation.predicates import Predicate

GENRES = (
    "Adventure",
    "Biography & Memoir",
    "Children's",
    "Crime",
    "Drama",
    "Dystopian",
    "Fantasy",
    "Historical Fiction",
    "Horror",
    "Humor & Satire",
    "Literary Fiction",
    "Mystery",
    "Non-fiction",
    "Poetry",
    "Romance",
    "Science Fiction",
    "Thriller",
    "War",
    "Young Adult",
)
FORMATS = ("audiobook", "ebook", "hardcover", "paperback")
FIRST_YEAR, LAST_YEAR = 1460, 2026


@frozen
class Book:
    """One work of the catalog (spec section 1); ``sitelinks`` is the popularity proxy."""

    id: str
    title: str
    authors: tuple[str, ...]
    year: int
    genres: tuple[str, ...]
    language: str
    country: str
    sitelinks: int
    formats: tuple[str, ...]

    def fields(self) -> Mapping[str, Any]:
        """Return the fields that predicates read."""
        return {"genre": self.genres, "language": self.language, "country": self.country, "year": self.year}


@frozen
class BookTask:
    """
    One variant of a task family (spec section 2).

    ``accepted_formats`` is empty where the user takes any; ``history`` holds ids already read; ``nvr`` marks a family
    with no valid recommendation.
    """

    id: str
    family: str
    condition: str
    tier: str
    template: str
    nvr: bool
    predicates: tuple[Predicate, ...]
    accepted_formats: tuple[str, ...]
    history: tuple[str, ...]
    persona: str
    panel: bool
    reliability: bool
