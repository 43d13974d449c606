"""The validator's own answer sets: label closure, bounds, prefixes, and agreement with the core's predicates."""

import random

import pytest

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate, holds
from recfw_books.model import FORMATS, GENRES, Book
from recfw_books.validate.index import Index

TREES = {
    "language": LabelTree({"English": ["British English", "Scottish English"]}),
    "country": LabelTree(
        {"Europe": ["England", "Leeds", "United Kingdom"], "United Kingdom": ["England", "Leeds"], "England": ["Leeds"]}
    ),
}


def book(number: int, **fields: object) -> Book:
    """Return a book that is like all others but for what is named."""
    usual = {
        "title": f"Work {number}",
        "authors": ("A. Writer",),
        "year": 2000,
        "genres": ("War",),
        "language": "English",
        "country": "Leeds",
        "sitelinks": 1,
        "formats": ("ebook",),
    }
    return Book(id=f"wd_Q{number}", **{**usual, **fields})  # type: ignore[arg-type]


def places(books: int) -> list[int]:
    """Return the places of a set's books."""
    return [place for place in range(books.bit_length()) if books >> place & 1]


def test_a_parent_label_covers_what_lies_below_it_at_any_depth() -> None:
    """A book of Leeds meets Europe; a book of the United Kingdom does not meet England."""
    index = Index([book(1, country="Leeds"), book(2, country="United Kingdom")], TREES, [2])
    met = {label: places(index.meeting(Predicate("country", "==", label))) for label in ("Europe", "England", "Leeds")}
    assert met == {"Europe": [0, 1], "England": [0], "Leeds": [0]}


def test_a_tree_that_lists_children_only_is_closed_here() -> None:
    """Grandchildren are covered although the tree's data names them under the child alone."""

    class ChildrenOnly:
        def children(self) -> dict[str, list[str]]:
            return {"Europe": ["England"], "England": ["Leeds"]}

    index = Index([book(1)], {"country": ChildrenOnly()}, [1])  # type: ignore[dict-item]
    assert places(index.meeting(Predicate("country", "==", "Europe"))) == [0]


def test_year_bounds_include_the_year_itself() -> None:
    """Both bounds are closed."""
    index = Index([book(1, year=1999), book(2, year=2000), book(3, year=2001)], {}, [3])
    met = [places(index.meeting(Predicate("year", op, 2000))) for op in ("<=", ">=")]
    assert met == [[0, 1], [1, 2]]


def test_an_illegal_predicate_is_met_by_no_book() -> None:
    """A field or an operator that the track does not have selects nothing."""
    index = Index([book(1)], TREES, [1])
    illegal = [Predicate("genre", "==", "War"), Predicate("title", "==", "Work 1"), Predicate("year", "==", 2000)]
    assert [index.meeting(p) for p in illegal] == [0, 0, 0]


def test_a_smaller_catalog_is_a_prefix() -> None:
    """Only the first books count at a smaller size."""
    index = Index([book(n) for n in range(10)], TREES, [3, 10])
    war = [Predicate("genre", "contains", "War")]
    assert [index.meeting_all(war, size).bit_count() for size in (3, 10)] == [3, 10]


def test_naming_no_format_accepts_every_book() -> None:
    """An empty list of formats is no filter; a named one is."""
    index = Index([book(1), book(2, formats=("hardcover", "paperback"))], TREES, [2])
    assert [places(index.in_formats(f)) for f in ((), ("ebook",), ("paperback",), ("scroll",))] == [
        [0, 1],
        [0],
        [1],
        [],
    ]


def test_ids_that_the_catalog_lacks_are_left_out() -> None:
    """An unknown id is in no set and in no size."""
    index = Index([book(1), book(2)], TREES, [1, 2])
    found = index.of(["wd_Q2", "wd_Q9"]), index.contains("wd_Q2", 1), index.contains("wd_Q2", 2), index.contains("x", 2)
    assert found == (0b10, False, True, False)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("Europe", "Leeds", True), ("Leeds", "Europe", True), ("Leeds", "Leeds", True), ("Leeds", "France", False)],
)
def test_labels_are_related_upwards_and_downwards(one: str, other: str, expected: bool) -> None:
    """Two labels are related where either covers the other."""
    assert Index([book(1)], TREES, [1]).related("country", one, other) is expected


def test_it_agrees_with_the_core_predicates_on_random_books() -> None:
    """On 300 random books and every kind of predicate the two readings select the same books."""
    draw = random.Random(7)
    books = [
        book(
            number,
            year=draw.randint(1990, 2010),
            genres=tuple(draw.sample(GENRES, draw.randint(1, 3))),
            language=draw.choice(["English", "British English", "Scottish English", "French"]),
            country=draw.choice(["Leeds", "England", "United Kingdom", "France"]),
            formats=(draw.choice(FORMATS),),
        )
        for number in range(300)
    ]
    index = Index(books, TREES, [300])
    asked = [
        *(Predicate("genre", "contains", genre) for genre in GENRES),
        *(Predicate("language", "==", label) for label in ("English", "British English", "French", "Latin")),
        *(Predicate("country", "==", label) for label in ("Europe", "United Kingdom", "England", "Leeds", "France")),
        *(Predicate("year", op, year) for op in ("<=", ">=") for year in (1989, 1995, 2010)),
    ]
    expected = [[place for place, b in enumerate(books) if holds(p, b.fields(), TREES)] for p in asked]
    assert [places(index.meeting(p)) for p in asked] == expected
