"""When two works count as one, and which formats an id comes in."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw_books.catalog.formats import formats_of
from recfw_books.catalog.normalise import normalise_author, normalise_title, work_key
from recfw_books.model import FORMATS


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("The Silver Door", "silver door"),
        ("A  SILVER-DOOR!", "silver door"),
        ("An Apple", "apple"),
        ("The", "the"),
        ("The A", "a"),
        ("\uff37\uff29\uff24\uff25 \u2163", "wide iv"),
        ("L\u2019Étranger", "létranger"),
        ("Straße", "strasse"),
        ("snow_white", "snow white"),
        ("???", "???"),
        ("Theory", "theory"),
    ],
)
def test_titles_are_compared_without_form_case_punctuation_and_article(title: str, key: str) -> None:
    """NFKC, casefold, words only, leading articles off; a title without words keeps its characters."""
    assert normalise_title(title) == key


def test_the_order_of_authors_does_not_matter() -> None:
    """Works by the same people in another order count as one."""
    assert work_key("The End", ["B. Holt", "Ana Lim"]) == work_key("End.", ["ana lim", "B Holt"])


@given(st.text(min_size=1))
def test_normalising_twice_changes_nothing(text: str) -> None:
    """A key is its own key."""
    assert (normalise_title(normalise_title(text)), normalise_author(normalise_author(text))) == (
        normalise_title(text),
        normalise_author(text),
    )


FIRST_RELEASE = {
    "wd_Q1": ("audiobook", "hardcover", "paperback"),
    "wd_Q9000000001": ("hardcover",),
    "lib_pg11": ("hardcover", "paperback"),
}


def test_formats_never_change() -> None:
    """The rule is fixed: these ids have had these formats from the first release."""
    found = {book_id: formats_of(book_id) for book_id in ("wd_Q1", "wd_Q9000000001", "lib_pg11")}
    assert found == FIRST_RELEASE


@given(st.text(min_size=1, max_size=30))
def test_a_book_comes_in_some_format(book_id: str) -> None:
    """Any id gives a non-empty subset, in the order of FORMATS."""
    formats = formats_of(book_id)
    assert formats
    assert formats == tuple(name for name in FORMATS if name in formats)


def test_each_format_is_lacking_from_a_third_to_three_fifths_of_books() -> None:
    """A user who takes one format only rules out a good part of the answers."""
    present = Counter(name for i in range(20_000) for name in formats_of(f"wd_Q{i}"))
    lacking = {name: round(1 - present[name] / 20_000, 2) for name in FORMATS}
    assert lacking == pytest.approx({"audiobook": 0.59, "ebook": 0.34, "hardcover": 0.44, "paperback": 0.34}, abs=0.015)
