"""Small seeded catalogs, tasks and environments for the tests of the track's world."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Op, Predicate, Reveal
from recfw.model.draws import Draws
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import BooksEnvironment
from recfw_books.goal import to_task
from recfw_books.model import FORMATS, GENRES, Book, BookTask
from recfw_books.search.structured import StructuredSearch
from recfw_books.tools import StructuredTool, Tools

WORDS = (
    *("the", "night", "of", "glass", "river", "Écho", "straße", "winter", "1984", "moon's", "atlas"),
    *("home", "a", "stone", "\u216b", "\ufb01re", "naïve", "war_and", "peace"),
)
NAMES = ("Ann", "Bo", "Çelik", "Dvořák", "Eve", "O'Hara", "Ng", "English", "Moon")
LANGUAGES = ("English", "British English", "French", "Welsh", "Old French")
COUNTRIES = ("England", "Scotland", "United Kingdom", "France", "United States", "Côte d'Ivoire")
TREES = {
    "language": LabelTree({"English": ["British English"]}),
    "country": LabelTree(
        {"United Kingdom": ["England", "Scotland"], "Europe": ["England", "Scotland", "France", "United Kingdom"]}
    ),
}


def random_book(draws: Draws, number: int) -> Book:
    """Return a book whose words and labels repeat a lot, so that scores tie."""
    return Book(
        id=f"wd_Q{draws.below(10**9)}{number}",
        title=" ".join(draws.choice(WORDS) for _ in range(draws.between(1, 5))),
        authors=tuple(f"{draws.choice(NAMES)} {draws.choice(NAMES)}" for _ in range(draws.between(1, 2))),
        year=draws.between(1900, 2020),
        genres=tuple(sorted(draws.sample(GENRES, draws.between(1, 3)))),
        language=draws.choice(LANGUAGES),
        country=draws.choice(COUNTRIES),
        sitelinks=draws.below(6),
        formats=tuple(sorted(draws.sample(FORMATS, draws.between(1, 4)))),
    )


@pytest.fixture(scope="session")
def catalog() -> BookCatalog:
    """Return 2,000 random books."""
    draws = Draws(7, "catalog")
    return BookCatalog(tuple(random_book(draws, number) for number in range(2000)), TREES)


def _book(number: int, **more: Any) -> Book:
    base = Book(
        f"wd_Q{number}", f"Title {number}", ("Ann Bo",), 2000, ("Horror",), "English", "France", number, ("ebook",)
    )
    return evolve(base, **more)


@pytest.fixture(scope="session")
def few() -> BookCatalog:
    """Return six books: 1 and 2 are good, 3 has been read, 4 is a paperback, 5 is too old, 6 is no horror."""
    return BookCatalog(
        (
            _book(1),
            _book(2, genres=("Horror", "War"), language="British English"),
            _book(3),
            _book(4, formats=("paperback",)),
            _book(5, year=1950),
            _book(6, genres=("War",)),
        ),
        TREES,
    )


@pytest.fixture
def book_task() -> BookTask:
    """Return a mixed task: horror stated, English and from 1990 on ask, an ebook, one book read."""
    return BookTask(
        id="b001-mixed",
        family="001",
        condition="mixed",
        tier="medium",
        template="genre_language_from",
        nvr=False,
        predicates=(
            Predicate("genre", Op.CONTAINS, "Horror", Reveal.STATED),
            Predicate("language", Op.EQ, "English", Reveal.ON_ASK),
            Predicate("year", Op.GE, 1990, Reveal.HIDDEN),
        ),
        accepted_formats=("ebook",),
        history=("wd_Q3",),
        persona="You are brief.",
        panel=True,
        reliability=False,
    )


@pytest.fixture
def environment(few: BookCatalog, book_task: BookTask) -> BooksEnvironment:
    """Return an environment for the mixed task over the six books."""
    return make(few, book_task)


def make(catalog: BookCatalog, task: BookTask) -> BooksEnvironment:
    """Return an environment on the structured interface."""
    return BooksEnvironment(to_task(task), catalog, Tools(catalog, StructuredTool(StructuredSearch(catalog))), "PROMPT")


@pytest.fixture
def new_environment() -> Callable[[BookCatalog, BookTask], BooksEnvironment]:
    """Return what makes environments."""
    return make
