"""Counts of a catalog's books, beside what the paper says of its own catalog."""

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from recfw_books.catalog.records import BookCatalog
from recfw_books.model import FORMATS

QUANTILES = (0, 25, 50, 75, 90, 95, 99, 100)
"""Percentiles of the sitelinks, each the smallest value that so many per cent of the books do not exceed."""


@frozen
class Shape:
    """
    A catalog's shape; every mapping is label -> number of books, the most frequent first.

    Args:
        books: How many there are.
        sizes: Of how many books its nested catalogs are.
        genres, languages, countries: By the label that a book carries; a book counts in each of its genres.
        covered: Field -> parent label -> books that carry it or a label below it.
        decades: First year of a decade -> books, by decade, empty ones between them too.
        formats: By format, in the order of ``FORMATS``.
        formats_each: In how many formats a book comes -> books.
        years: First and last year.
        sitelinks: Percentile -> sitelinks.
        without_sitelinks: Books with none.
    """

    books: int
    sizes: tuple[int, ...]
    genres: Mapping[str, int] = field(repr=False)
    languages: Mapping[str, int] = field(repr=False)
    countries: Mapping[str, int] = field(repr=False)
    covered: Mapping[str, Mapping[str, int]] = field(repr=False)
    decades: Mapping[int, int] = field(repr=False)
    formats: Mapping[str, int]
    formats_each: Mapping[int, int]
    years: tuple[int, int]
    sitelinks: Mapping[int, int]
    without_sitelinks: int

    def share(self, name: str, label: str) -> float:
        """Return the share of books, in [0, 1], that carry a language or country label or one below it."""
        own = {"language": self.languages, "country": self.countries}[name]
        return self.covered[name].get(label, own.get(label, 0)) / self.books


def shape_of(catalog: BookCatalog) -> Shape:
    """Count a catalog's books."""
    books = catalog.books
    languages, countries = _ranked(b.language for b in books), _ranked(b.country for b in books)
    own = {"language": languages, "country": countries}
    links, years = sorted(b.sitelinks for b in books), [b.year for b in books]
    formats = Counter(name for b in books for name in b.formats)
    decades = Counter(year // 10 * 10 for year in years)
    return Shape(
        books=len(books),
        sizes=catalog.sizes,
        genres=_ranked(genre for b in books for genre in b.genres),
        languages=languages,
        countries=countries,
        covered={
            name: {parent: sum(own[name].get(label, 0) for label in (parent, *kids)) for parent, kids in tree.items()}
            for name, tree in catalog.labels().items()
        },
        decades={decade: decades[decade] for decade in range(min(decades), max(decades) + 1, 10)},
        formats={name: formats[name] for name in FORMATS},
        formats_each=dict(sorted(Counter(len(b.formats) for b in books).items())),
        years=(min(years), max(years)),
        sitelinks={percent: links[max(0, -(-percent * len(links) // 100) - 1)] for percent in QUANTILES},
        without_sitelinks=links.count(0),
    )


def _ranked(values: Iterable[str]) -> dict[str, int]:
    counts = Counter(values)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
