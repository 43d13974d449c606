"""The rule-based user's sentences, and that their grammar reads back every label."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import Answer, Fact, Predicate
from recfw.errors import DataError
from recfw_books.user.wording import opening_text, reply_text

SCIENCE_FICTION = Predicate("genre", "contains", "Science Fiction")
YOUNG_ADULT = Predicate("genre", "contains", "Young Adult", "on_ask")
BY_2001 = Predicate("year", "<=", 2001, "on_ask")

_LABEL = r'("(?:[^"\\]|\\.)*"|[^";.]+)'
_CLAUSE = re.compile(
    rf"[Ii]t should (?:include {_LABEL}|be in {_LABEL}|come from {_LABEL}"
    r"|have been published no later than (-?\d+)|have been published no earlier than (-?\d+))"
)
_KINDS = (("genre", "contains"), ("language", "=="), ("country", "=="), ("year", "<="), ("year", ">="))


def read(text: str) -> list[tuple[str, str, Any]]:
    """Read the clauses of a sentence as the documented grammar says."""
    found = []
    for match in _CLAUSE.finditer(text):
        (index,) = (i for i, group in enumerate(match.groups()) if group is not None)
        value = match.groups()[index]
        (field, op) = _KINDS[index]
        found.append((field, op, int(value) if field == "year" else json.loads(value) if value[0] == '"' else value))
    return found


labels = st.one_of(
    st.text(min_size=1, max_size=20),
    st.sampled_from(
        [
            "Humor & Satire",
            "Children's",
            "Bosnia and Herzegovina",
            "Korea, South",
            "St. Lucia",
            'the "Isle"',
            "A; and it should be in B",
            "A. It should come from C",
            "back\\slash",
            " lead",
            "trail ",
        ]
    ),
)
wishes = st.lists(
    st.one_of(
        st.builds(Predicate, st.just("genre"), st.just("contains"), labels),
        st.builds(Predicate, st.sampled_from(["language", "country"]), st.just("=="), labels),
        st.builds(Predicate, st.just("year"), st.sampled_from(["<=", ">="]), st.integers(-800, 2026)),
    ),
    min_size=1,
    max_size=5,
)


def test_the_opening_is_the_papers() -> None:
    """One stated genre gives the paper's opening sentence for sentence."""
    assert opening_text(Answer((SCIENCE_FICTION,))) == "I'm looking for one book. It should include Science Fiction."


def test_a_volunteer_states_everything() -> None:
    """All clauses in one sentence, then the formats."""
    answer = Answer(
        (
            SCIENCE_FICTION,
            Predicate("language", "==", "French"),
            Predicate("country", "==", "Canada"),
            Predicate("year", ">=", 1950),
        ),
        (Fact("format", ("ebook",)),),
    )
    expected = (
        "I'm looking for one book. It should include Science Fiction; and it should be in French; and it should come "
        "from Canada; and it should have been published no earlier than 1950. I can only read it as an ebook."
    )
    assert opening_text(answer) == expected


def test_every_row_of_the_reply_table() -> None:
    """All kinds of reply at once, in the documented order."""
    answer = Answer(
        (YOUNG_ADULT, BY_2001),
        (Fact("format", ()),),
        declined=("genre",),
        no_preference=("country",),
        settled=("language",),
    )
    expected = (
        "As for that, it should include Young Adult; and it should have been published no later than 2001. Any "
        "format is fine. I'd rather not say more about the genre. I have no preference about the country. I've "
        "said all I need about the language."
    )
    assert reply_text(answer) == expected


def test_nothing_asked_is_answered_by_a_filler() -> None:
    """An empty answer still is a sentence, and the opening then asks for a book only."""
    found = (reply_text(Answer()), opening_text(Answer()))
    assert found == ("I have nothing to add.", "I'm looking for one book.")


@pytest.mark.parametrize(
    ("formats", "expected"),
    [
        (("audiobook",), "I can only read it as an audiobook."),
        (("hardcover",), "I can only read it as a hardcover."),
        (("ebook", "paperback"), "I can only read it as an ebook or a paperback."),
        ((), "Any format is fine."),
    ],
)
def test_formats_have_their_articles(formats: tuple[str, ...], expected: str) -> None:
    """One, several or all formats."""
    assert reply_text(Answer(extras=(Fact("format", formats),))) == expected


@pytest.mark.parametrize(
    "label", ["Humor & Satire", "Children's", "Bosnia and Herzegovina", "Korea, South", "Français"]
)
def test_usual_labels_stay_plain(label: str) -> None:
    """Commas, "and", apostrophes and ampersands need no quotes."""
    assert reply_text(Answer((Predicate("genre", "contains", label),))) == f"As for that, it should include {label}."


@pytest.mark.parametrize("label", ["St. Lucia", "A; B", 'the "Isle"', "Who?", " A", "A  B", "A\nB", ""])
def test_other_labels_are_quoted(label: str) -> None:
    """What could end a clause or hide stands as a JSON string."""
    quoted = json.dumps(label, ensure_ascii=False)
    assert reply_text(Answer((Predicate("country", "==", label),))) == f"As for that, it should come from {quoted}."


@given(wishes)
def test_the_grammar_reads_back_every_wish(predicates: list[Predicate]) -> None:
    """The documented pattern recovers field, operator and value from opening and reply, whatever the labels hold."""
    answer = Answer(tuple(predicates), declined=("genre",))
    expected = [(p.field, p.op.value, p.value) for p in predicates]
    assert (read(opening_text(answer)), read(reply_text(answer))) == (expected, expected)


@pytest.mark.parametrize(
    "answer",
    [
        Answer((Predicate("genre", "not_contains", "War"),)),
        Answer((Predicate("pages", "<=", 300),)),
        Answer((Predicate("year", "<=", 1950.5),)),
        Answer((Predicate("year", "<=", float("inf")),)),
        Answer((Predicate("country", "==", 7),)),
        Answer(extras=(Fact("format", ("scroll",)),)),
        Answer(extras=(Fact("shop", ()),)),
    ],
)
def test_what_has_no_sentence_is_refused(answer: Answer) -> None:
    """A predicate or format outside the table is a data error, never a wrong sentence."""
    with pytest.raises(DataError):
        reply_text(answer)
