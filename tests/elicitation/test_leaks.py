"""Leak detection: labels, bounds in their sense, and what does not count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import LabelTree, Predicate, leaked

GENRE = Predicate("kind", "contains", "Humor & Satire", "hidden")
NONFICTION = Predicate("kind", "contains", "Non-fiction", "hidden")
UPPER = Predicate("year", "<=", 2001, "hidden")
LOWER = Predicate("year", ">=", 1950, "hidden")
ISLES = Predicate("place", "==", "Isles", "hidden")
TREES = {"place": LabelTree({"Isles": ["North Isle"]})}

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäéñø", min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("predicate", "text", "expected"),
    [
        (GENRE, "I like humor and satire.", True),
        (GENRE, "HUMOR & SATIRE!", True),
        (GENRE, "Humor? No, satire.", False),
        (NONFICTION, "some nonfiction", True),
        (NONFICTION, "non fiction", True),
        (NONFICTION, "fiction", False),
        (Predicate("tongue", "==", "Français", "hidden"), "in francais please", True),
        (Predicate("tongue", "==", "French", "hidden"), "in _French_", True),
        (Predicate("place", "==", "Iran", "hidden"), "I ran home", False),
        (Predicate("kind", "contains", "War", "hidden"), "a warm thing", False),
        (Predicate("kind", "not_contains", "War", "hidden"), "nothing about war", True),
        (Predicate("kind", "contains_any", ["War", "Crime"], "hidden"), "crime", True),
        (Predicate("size", "==", 12, "hidden"), "size 12", True),
        (Predicate("size", "==", 12, "hidden"), "size 120", False),
        (Predicate("open", "==", True, "hidden"), "true or 1", False),
        (Predicate("kind", "contains", "???", "hidden"), "what???", False),
    ],
)
def test_labels_and_numbers_count_as_whole_words(predicate: Predicate, text: str, expected: bool) -> None:
    """Case, diacritics and inner punctuation do not matter; parts of words do."""
    assert leaked([predicate], text) == ((predicate,) if expected else ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no later than 2001", (UPPER,)),
        ("not after 2001", (UPPER,)),
        ("2001 or earlier", (UPPER,)),
        ("at most 2001", (UPPER,)),
        ("2001 at the latest", (UPPER,)),
        ("before 2002", (UPPER,)),
        ("pre-2002", (UPPER,)),
        ("<= 2001", (UPPER,)),
        ("after 2001", ()),
        ("2001 or later", ()),
        ("Space Odyssey, 2001", ()),
        ("no earlier than 1950", (LOWER,)),
        ("not before 1950", (LOWER,)),
        ("since the year 1950", (LOWER,)),
        ("1950 onwards", (LOWER,)),
        ("after 1949", (LOWER,)),
        ("before 1950", ()),
        ("1950 or older", ()),
        ("the 1950s", ()),
        ("no later than 1950", ()),
        ("not before 2001", ()),
        ("between 1950 and 2001", (LOWER, UPPER)),
        ("1950-2001", (LOWER, UPPER)),
        ("from 1950 to 1999", (LOWER,)),
        ("no later than 12001", ()),
    ],
)
def test_a_bound_counts_in_its_sense(text: str, expected: tuple[Predicate, ...]) -> None:
    """A number counts only where it is spoken of as that bound."""
    assert leaked([LOWER, UPPER], text) == expected


def test_thousands_are_read() -> None:
    """A comma between thousands does not split a number."""
    bound = Predicate("price", "<=", 1200, "hidden")
    assert leaked([bound], "under $1,200") == (bound,)


def test_a_narrower_label_gives_the_wider_one_away() -> None:
    """A covered label counts, one above does not."""
    narrow = Predicate("place", "==", "North Isle", "hidden")
    found = (leaked([ISLES], "from the North Isle", trees=TREES), leaked([narrow], "from the Isles", trees=TREES))
    assert found == ((ISLES,), ())


def test_words_of_a_revealed_value_do_not_count() -> None:
    """A mention that lies within a revealed value's is passed over, another one is not."""
    tongue = Predicate("tongue", "==", "English", "hidden")
    revealed = [Predicate("tongue", "==", "Old English", "on_ask")]
    found = [bool(leaked([tongue], text, revealed=revealed)) for text in ("in Old English", "Old English or English")]
    assert found == [False, True]


def test_a_bound_that_is_revealed_elsewhere_does_not_count() -> None:
    """The same bound on another field excuses the words."""
    assert leaked([UPPER], "no later than 2001", revealed=[Predicate("bought", "<=", 2001, "on_ask")]) == ()


def test_synonyms_count() -> None:
    """Other words for a label are found where they are handed in."""
    assert leaked([ISLES], "something Islander", synonyms={"Isles": ["islander"]}) == (ISLES,)


@given(label=words, before=words, after=words)
def test_a_label_between_other_words_is_found_in_any_case(label: str, before: str, after: str) -> None:
    """Wherever a label stands as a word, it is found, whatever its case."""
    predicate = Predicate("kind", "contains", label, "hidden")
    assert leaked([predicate], f"{before}, {label.upper()}; {after}") == (predicate,)


@given(label=words, prefix=words)
def test_a_label_inside_a_word_is_not_found(label: str, prefix: str) -> None:
    """Letters that touch the label make it another word."""
    assert leaked([Predicate("kind", "contains", label + "x", "hidden")], f"{prefix}{label}xy") == ()


@given(text=st.text(max_size=60), bound=st.integers(0, 3000), label=st.text(max_size=8))
def test_no_text_raises(text: str, bound: int, label: str) -> None:
    """Any text, label and bound give an answer, and nothing is found in silence."""
    hidden = [Predicate("year", op, bound, "hidden") for op in ("<=", ">=", "==")]
    hidden.append(Predicate("kind", "==", label, "hidden"))
    assert (set(leaked(hidden, text)) <= set(hidden), leaked(hidden, "")) == (True, ())


@given(bound=st.integers(1000, 2999), other=st.integers(1000, 2999))
def test_another_number_in_the_same_words_is_no_leak(bound: int, other: int) -> None:
    """Only the bound's own number counts."""
    found = bool(leaked([Predicate("year", "<=", bound, "hidden")], f"no later than {other}"))
    assert found == (bound == other)
