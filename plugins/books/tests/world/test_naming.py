"""Titles found in what an agent says, the second look at its questions, and ranks by popularity."""

import pytest
from attrs import evolve

from recfw_books.catalog.records import BookCatalog
from recfw_books.naming import Titles, ids_named
from recfw_books.second_look import seen_asked


@pytest.fixture
def titles(few: BookCatalog) -> Titles:
    """Return titles within one another, and one that two books have."""
    names = ("War", "War and Peace", "The Night, of Glass!", "Home", "Home", "Peace")
    return Titles.of(evolve(book, title=name) for book, name in zip(few.books, names, strict=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I like War.", ["wd_Q1"]),
        ("I like War and Peace.", ["wd_Q2"]),
        ("War and War and Peace", ["wd_Q1", "wd_Q2"]),
        ("War and then?", ["wd_Q1"]),
        ('"The Night of Glass"', ["wd_Q3"]),
        ("the night of glass, a war, at home", []),
        ("Home", ["wd_Q4", "wd_Q5"]),
        ("Peace and War", ["wd_Q6", "wd_Q1"]),
        ("", []),
    ],
)
def test_titles_are_found_in_their_own_case_the_longest_first(titles: Titles, text: str, found: list[str]) -> None:
    """Punctuation does not matter, case does, and a title within a longer one is not named by it."""
    assert list(titles.named(text)) == found


def test_a_title_without_a_word_is_never_found(few: BookCatalog) -> None:
    """It would be found everywhere."""
    assert list(Titles.of([evolve(few.books[0], title="!!!")]).named("!!! what?")) == []


def test_ids_end_where_their_letters_and_digits_do() -> None:
    """A full stop or a hyphen after an id is none of it; one within is."""
    assert "wd_Q12" in set(ids_named("Take wd_Q12."))
    assert "row-1.b" in set(ids_named("(row-1.b), perhaps"))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Which language?", {"language"}),
        ("What kind of story, and from where?", {"genre", "country"}),
        ("Please say when it should be published.", {"year"}),
        ("Paperback or hardcover?", {"format"}),
        ("Anything else?", {"genre", "language", "country", "year", "format"}),
        ("I looked at the language. And the year?", {"year"}),
        ("The language is English.", set()),
        ("Is the language right? [[candidate_id:wd_Q1]]", {"language"}),
        ("Is [[candidate_id:wd_Q1]] right, its language too?", set()),
        ("", set()),
    ],
)
def test_the_second_look_is_generous(text: str, fields: set[str]) -> None:
    """Every field that an asking sentence names, and all where it asks openly; none of a proposal."""
    assert seen_asked(text) == fields


def test_popularity_ranks_break_ties_by_id(few: BookCatalog) -> None:
    """Most sitelinks first; the smaller id first among equals."""
    books = tuple(evolve(book, sitelinks=links) for book, links in zip(few.books, (1, 5, 5, 0, 9, 1), strict=True))
    ranks = BookCatalog(books, few.trees).popularity
    assert ranks == {"wd_Q5": 1, "wd_Q2": 2, "wd_Q3": 3, "wd_Q1": 4, "wd_Q6": 5, "wd_Q4": 6}
