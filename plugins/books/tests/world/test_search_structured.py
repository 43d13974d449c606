"""The structured filters against a plain reading of the records."""

import pytest

from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import FORMATS, GENRES, Book
from recfw_books.search.structured import Filters, StructuredSearch, UnknownValueError

from .conftest import COUNTRIES, LANGUAGES


def plain(catalog: BookCatalog, filters: Filters) -> list[Book]:
    """Return the matches in order, read off the records one by one."""
    names = {name.casefold(): name for name in (*LANGUAGES, *COUNTRIES, "Europe")}

    def same(tree: str, wanted: str | None, label: str) -> bool:
        return wanted is None or catalog.trees[tree].covers(names[wanted.casefold()], label)

    found = [
        book
        for book in catalog.books
        if (filters.genre is None or filters.genre.casefold() in {genre.casefold() for genre in book.genres})
        and same("language", filters.language, book.language)
        and same("country", filters.country, book.country)
        and (filters.year_min is None or book.year >= filters.year_min)
        and (filters.year_max is None or book.year <= filters.year_max)
        and (not filters.formats or set(filters.formats) & set(book.formats))
    ]
    rank = (lambda book: -book.sitelinks) if filters.sort == "popularity" else (lambda book: -book.year)
    return sorted(found, key=lambda book: (rank(book), book.id))


def random_filters(draws: Draws) -> Filters:
    """Return filters of which each is there half of the time."""

    def maybe(value: object) -> object:
        return value if draws.below(2) else None

    return Filters(
        genre=maybe(draws.choice(GENRES).upper()),
        language=maybe(draws.choice(LANGUAGES).lower()),
        country=maybe(draws.choice((*COUNTRIES, "Europe"))),
        year_min=maybe(draws.between(1890, 2030)),
        year_max=maybe(draws.between(1890, 2030)),
        formats=draws.sample(FORMATS, draws.below(3)),
        sort=draws.choice(("popularity", "recency")),
        page=draws.between(1, 4),
    )


@pytest.fixture(scope="module")
def search(catalog: BookCatalog) -> StructuredSearch:
    """Return the filters over the random catalog."""
    return StructuredSearch(catalog)


def test_random_filters_give_the_plain_reading(catalog: BookCatalog, search: StructuredSearch) -> None:
    """Total, pages, books and their order agree with the records for 500 random combinations."""
    draws = Draws(3, "filters")
    for _ in range(500):
        filters = random_filters(draws)
        expected = plain(catalog, filters)
        page = search.search(filters)
        start = (filters.page - 1) * 20
        assert (page.total, page.pages) == (len(expected), -(-len(expected) // 20)), filters
        assert list(page.books) == expected[start : start + 20], filters


def test_a_parent_label_covers_its_children(search: StructuredSearch, catalog: BookCatalog) -> None:
    """The United Kingdom finds England and Scotland besides itself; a child does not find its parent."""
    wide = {book.country for book in catalog.books if book.country in {"England", "Scotland", "United Kingdom"}}
    pages = [search.search(Filters(country="united kingdom", page=page)) for page in range(1, 60)]
    assert {book.country for page in pages for book in page.books} == wide
    assert {book.country for book in search.search(Filters(country="England")).books} == {"England"}


def test_a_parent_that_no_book_carries_is_valid(search: StructuredSearch) -> None:
    """Europe, which labels no book itself, finds the books of its countries."""
    assert search.search(Filters(country="EUROPE")).total > 0


def test_a_page_past_the_last_is_empty(search: StructuredSearch) -> None:
    """The total stays, the books end, however large the number."""
    for page in (101, 10_000):
        found = search.search(Filters(page=page))
        assert (found.total, found.books) == (2000, ())


def test_an_unknown_value_names_close_ones_and_the_vocabulary(search: StructuredSearch) -> None:
    """The words hold what was asked, what may have been meant, and every valid value."""
    with pytest.raises(UnknownValueError) as caught:
        search.search(Filters(language="Frensh"))
    expected = (
        "there is no language 'Frensh' in this catalog. Did you mean 'French'? "
        "Valid values: British English, English, French, Old French, Welsh."
    )
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "filters", [Filters(genre="Sci-Fi"), Filters(formats=("vinyl",)), Filters(country="Atlantis"), Filters(sort="size")]
)
def test_every_kind_of_unknown_value_is_refused(search: StructuredSearch, filters: Filters) -> None:
    """Genres, formats, countries and orders that do not exist are refused."""
    with pytest.raises(UnknownValueError):
        search.search(filters)


def test_every_genre_and_format_is_valid_even_where_no_book_has_it(few: BookCatalog) -> None:
    """A genre of the fixed list that the catalog lacks finds nothing and is no error."""
    assert StructuredSearch(few).search(Filters(genre="Poetry", formats=("audiobook",))).total == 0


def test_labels_of_one_name_in_two_cases_are_one(few: BookCatalog) -> None:
    """Spaces and case do not matter."""
    assert StructuredSearch(few).search(Filters(language="  british   ENGLISH ")).total == 1
