"""The generator's rules, each on a catalog small enough to count by hand."""

from collections.abc import Sequence

import pytest

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Op, Predicate
from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.families.history import draw_format, draw_history
from recfw_books.families.index import CatalogIndex
from recfw_books.families.reveal import Disclosure, is_bounded, is_fair
from recfw_books.families.rules import is_impossible, is_material
from recfw_books.model import GENRES, Book

WAR, FRANCE, UNITED_KINGDOM = (
    Predicate("genre", Op.CONTAINS, "War"),
    Predicate("country", Op.EQ, "France"),
    Predicate("country", Op.EQ, "United Kingdom"),
)


def index(*rows: tuple[str, str, int, str], times: int = 1) -> CatalogIndex:
    """Return the index of books given as (genres, country, year, formats), each repeated; words separated by commas."""
    books = [
        Book(f"wd_Q{i}", f"T{i}", ("A",), year, tuple(genres.split(",")), "English", country, 0, tuple(have.split(",")))
        for i, (genres, country, year, have) in enumerate(row for row in rows for _ in range(times))
    ]
    trees = {"country": LabelTree({"United Kingdom": ["England"]}), "language": LabelTree()}
    return CatalogIndex(BookCatalog(tuple(books), trees))


def many(*rows: tuple[int, str, str, int]) -> CatalogIndex:
    """Return the index of rows (how many, genres, country, year), all as e-books."""
    return index(*((genres, country, year, "ebook") for n, genres, country, year in rows for _ in range(n)))


def ids(catalog: CatalogIndex, bits: int) -> list[str]:
    """Return the ids of a bit set's books."""
    return [catalog.books[i].id for i in catalog.positions(bits)]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (WAR, ["wd_Q0", "wd_Q2"]),
        (UNITED_KINGDOM, ["wd_Q0", "wd_Q1"]),
        (FRANCE, ["wd_Q2"]),
        (Predicate("country", Op.EQ, "Atlantis"), []),
        (Predicate("year", Op.LE, 1900), ["wd_Q0", "wd_Q1"]),
        (Predicate("year", Op.GE, 1901), ["wd_Q2"]),
        (Predicate("year", Op.LE, 1500), []),
        (Predicate("year", Op.GE, 1500), ["wd_Q0", "wd_Q1", "wd_Q2"]),
    ],
)
def test_bits_of_a_predicate(predicate: Predicate, expected: list[str]) -> None:
    """A predicate selects its books: labels with those below them, years in the catalog or not."""
    catalog = index(
        ("War,Drama", "England", 1890, "ebook"),
        ("Drama", "United Kingdom", 1900, "ebook"),
        ("War", "France", 1950, "ebook"),
    )
    assert ids(catalog, catalog.bits(predicate)) == expected


@pytest.mark.parametrize(("others", "expected"), [(1, True), (0, False)])
def test_material_needs_an_added_book(others: int, expected: bool) -> None:
    """A predicate that adds no book when dropped is not material."""
    catalog = many((5, "War", "France", 1900), (5, "Drama", "France", 1900), (others, "War", "Spain", 1900))
    assert is_material(catalog, (WAR, FRANCE)) == expected


@pytest.mark.parametrize(("others", "expected"), [(2, True), (1, False)])
def test_material_needs_five_per_cent(others: int, expected: bool) -> None:
    """A predicate that adds 2 of 40 when dropped is material, one that adds 1 of 39 is not."""
    catalog = many((38, "War", "France", 1900), (9, "Drama", "France", 1900), (others, "War", "Spain", 1900))
    assert is_material(catalog, (WAR, FRANCE)) == expected


def test_material_holds_in_every_nested_catalog() -> None:
    """A predicate that adds books only beyond the first 5,000 is not material."""
    early, late = (2_500, "War", "France", 1900), (2_500, "Drama", "France", 1900)
    assert not is_material(many(early, late, (2_500, "War", "Spain", 1900)), (WAR, FRANCE))
    assert not is_material(many((2_500, "War", "Spain", 1900), early, late), (WAR, FRANCE))
    assert is_material(many((1_000, "War", "Spain", 1900), early, late), (WAR, FRANCE))


@pytest.mark.parametrize(("soldiers", "meeting", "expected"), [(3, 0, True), (2, 0, False), (3, 1, False)])
def test_impossible(soldiers: int, meeting: int, expected: bool) -> None:
    """A request without answers has none at all, and three matches or more without any one predicate."""
    catalog = many((soldiers, "War", "Spain", 1900), (3, "Drama", "France", 1900), (meeting, "War", "France", 1900))
    assert is_impossible(catalog, (WAR, FRANCE)) == expected


@pytest.mark.parametrize(
    ("answers", "others", "expected"),
    [(10, 90, True), (11, 90, False), (1, 99, True), (1, 100, False), (300, 2_700, True), (300, 2_701, False)],
)
def test_fair_share_and_size(answers: int, others: int, expected: bool) -> None:
    """One withheld predicate leaves 1 to 10 % of at most 3,000 revealed matches."""
    catalog = many((answers, "War", "France", 1900), (others, "War", "Spain", 1900))
    assert is_fair(catalog, [WAR], [FRANCE]) == expected


@pytest.mark.parametrize(("most", "expected"), [(0.1, False), (0.3, True), (0.29, False)])
def test_the_share_of_answers_can_be_bounded_otherwise(most: float, expected: bool) -> None:
    """30 answers among 100 revealed matches are fair where so many may be."""
    catalog = many((30, "War", "France", 1900), (70, "War", "Spain", 1900))
    assert is_fair(catalog, [WAR], [FRANCE], most) == expected


def test_fair_withheld_is_not_implied() -> None:
    """A withheld predicate that nine in ten of the revealed matches meet is not fair, whatever the other does."""
    common = Predicate("year", Op.LE, 1950)
    catalog = many((10, "War", "France", 1900), (80, "War", "Spain", 1900), (10, "War", "Spain", 2000))
    assert not is_fair(catalog, [WAR], [FRANCE, common])
    rarer = many((10, "War", "France", 1900), (60, "War", "Spain", 1900), (30, "War", "Spain", 2000))
    assert is_fair(rarer, [WAR], [FRANCE, common])


def test_fair_withholds_one_year_bound_at_most() -> None:
    """Both bounds of a range are never withheld together."""
    catalog = many((10, "War", "France", 1960), (60, "War", "France", 1900), (60, "War", "France", 2000))
    bounds = [Predicate("year", Op.GE, 1950), Predicate("year", Op.LE, 1970)]
    assert not is_fair(catalog, [WAR], bounds)


def test_fair_withheld_value_is_among_the_twelve_commonest() -> None:
    """A country that twelve others beat among the revealed matches is not to be found in time."""

    def catalog(rivals: int) -> CatalogIndex:
        return many((2, "War", "France", 1900), *((4, "War", f"Country {i}", 1900) for i in range(rivals)))

    assert is_fair(catalog(11), [WAR], [FRANCE])
    assert not is_fair(catalog(12), [WAR], [FRANCE])


@pytest.mark.parametrize(
    ("books", "countries", "few", "expected"),
    [(25, 16, False, True), (24, 16, False, False), (25, 17, False, False), (18, 2, True, True), (19, 2, True, False)],
)
def test_bounded(books: int, countries: int, few: bool, expected: bool) -> None:
    """Without answers, 25 books or more (18 or fewer where excused) of at most 16 countries match what is revealed."""
    catalog = many(*((1, "War", f"Country {i % countries}", 1900) for i in range(books)))
    assert is_bounded(catalog, [WAR], FRANCE, few=few) == expected


@pytest.mark.parametrize(("most", "expected"), [(17, True), (16, False)])
def test_values_can_be_bounded_otherwise(most: int, expected: bool) -> None:
    """Seventeen countries are bounded where so many may be."""
    catalog = many(*((1, "War", f"Country {i % 17}", 1900) for i in range(34)))
    assert is_bounded(catalog, [WAR], FRANCE, few=False, most_values=most) == expected


def test_bounded_counts_the_largest_sets_of_genres() -> None:
    """A genre set within another is ruled out with it, and the revealed genre does not count."""
    pairs: Sequence[str] = [f"War,{a}" for a in GENRES if a not in {"War", "Drama"}]
    catalog = many((20, "War", "Spain", 1900), *((1, genres, "Spain", 1900) for genres in pairs))
    drama = Predicate("genre", Op.CONTAINS, "Drama")
    assert len(pairs) == 17
    assert not is_bounded(catalog, [WAR], drama, few=False)
    merged = many(
        (20, "War", "Spain", 1900),
        (1, "War,Crime,Horror", "Spain", 1900),
        *((1, genres, "Spain", 1900) for genres in pairs),
    )
    assert is_bounded(merged, [WAR], drama, few=False)


def test_single_format_excludes_an_answer() -> None:
    """The one accepted format is one that some answers have and some lack; two have it where one is read."""
    catalog = index(
        ("War", "France", 1900, "ebook,paperback"),
        ("War", "France", 1900, "ebook,hardcover"),
        ("War", "France", 1900, "ebook,hardcover"),
        ("Drama", "France", 1900, "audiobook"),
    )
    drawn = {draw_format(catalog, [WAR], Draws(seed), history=False) for seed in range(20)}
    assert drawn == {("paperback",), ("hardcover",)}
    assert {draw_format(catalog, [WAR], Draws(seed), history=True) for seed in range(20)} == {("hardcover",)}
    assert draw_format(catalog, [Predicate("genre", Op.CONTAINS, "Drama")], Draws(0), history=False) == ()


def test_history_holds_an_answer_and_near_misses() -> None:
    """A history holds one answer and a book that fails only the withheld predicate, in an accepted format."""
    catalog = index(
        ("War", "France", 1900, "ebook"),
        ("War", "France", 1900, "ebook"),
        ("War", "Spain", 1900, "ebook"),
        ("War", "Spain", 1900, "hardcover"),
        ("Drama", "Spain", 1900, "ebook"),
    )
    histories = {draw_history(catalog, [WAR, FRANCE], Disclosure(0, (1,)), ("ebook",), Draws(s)) for s in range(30)}
    near = "wd_Q2"
    assert histories == {("wd_Q0", near), ("wd_Q1", near), (near, "wd_Q0"), (near, "wd_Q1")}


def test_history_leaves_an_answer() -> None:
    """Where there is one answer only, or no near miss, there is no history."""
    lone = many((1, "War", "France", 1900), (1, "War", "Spain", 1900))
    assert draw_history(lone, [WAR, FRANCE], Disclosure(0, (1,)), (), Draws(0)) == ()
    alone = many((2, "War", "France", 1900))
    assert draw_history(alone, [WAR, FRANCE], Disclosure(0, (1,)), (), Draws(0)) == ()
