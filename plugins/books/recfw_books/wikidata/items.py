"""What Wikidata says of a work, before and after one value of each property is settled on."""

from attrs import frozen

from recfw_books.catalog.formats import formats_of
from recfw_books.model import Book


@frozen
class Term:
    """An entity that is named: a person, a language or a country, with its English label."""

    id: str
    label: str


@frozen
class Item:
    """
    One work with every value that the responses hold, each list in the order of entity numbers.

    Args:
        id: ``Q…``.
        title: The English label; empty where there is none.
        classes: What it is an instance of.
        forms: Its forms of creative work.
        authors: Those with an English label.
        nameless: How many authors have none.
        years: Years of publication, ascending; negative before the common era.
        vague: How many dates are less precise than a year.
        genres: All genres, mapped or not.
        languages: Those with an English label.
        countries: Those with an English label.
        sitelinks: How many pages of Wikimedia projects it has; None where no response says.
    """

    id: str
    title: str
    classes: tuple[str, ...]
    forms: tuple[str, ...]
    authors: tuple[Term, ...]
    nameless: int
    years: tuple[int, ...]
    vague: int
    genres: tuple[str, ...]
    languages: tuple[Term, ...]
    countries: tuple[Term, ...]
    sitelinks: int | None


@frozen
class Work:
    """One work with the values that its record will have; ``genres`` are labels of the catalog."""

    id: str
    title: str
    authors: tuple[Term, ...]
    year: int
    genres: tuple[str, ...]
    language: Term
    country: Term
    sitelinks: int

    def book(self) -> Book:
        """Return its record, whose id is ``wd_`` and the entity's."""
        book_id = f"wd_{self.id}"
        names = tuple(dict.fromkeys(author.label for author in self.authors))
        return Book(
            book_id,
            self.title,
            names,
            self.year,
            self.genres,
            self.language.label,
            self.country.label,
            self.sitelinks,
            formats_of(book_id),
        )


def number(entity: str) -> int:
    """Return an entity's number, by which all lists are ordered."""
    return int(entity[1:])
