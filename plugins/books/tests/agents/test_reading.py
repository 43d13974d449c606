"""The agents' reading of the user's sentences, on examples written out from the documented table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import Answer, Fact, Predicate
from recfw_books.agents.reading import Heard, Requirement, read
from recfw_books.user.wording import opening_text, reply_text


def _told(*pairs: tuple[str, str | int]) -> tuple[Requirement, ...]:
    return tuple(Requirement(*pair) for pair in pairs)


GOLDEN = {
    "I'm looking for one book.": Heard(),
    "I'm looking for one book. It should include Science Fiction.": Heard(
        requirements=_told(("genre", "Science Fiction"))
    ),
    "I'm looking for one book. It should include Humor & Satire; and it should be in British English; and it should "
    "come from Bosnia and Herzegovina; and it should have been published no later than 1999; and it should have been "
    "published no earlier than 1850. I can only read it as an ebook or a paperback.": Heard(
        requirements=_told(
            ("genre", "Humor & Satire"),
            ("language", "British English"),
            ("country", "Bosnia and Herzegovina"),
            ("year_max", 1999),
            ("year_min", 1850),
        ),
        formats=("ebook", "paperback"),
    ),
    "It should have been published no earlier than -750.": Heard(requirements=_told(("year_min", -750))),
    "As for that, it should include Children's; and it should come from Korea, South.": Heard(
        requirements=_told(("genre", "Children's"), ("country", "Korea, South"))
    ),
    'As for that, it should come from "St. Lucia"; and it should be in English.': Heard(
        requirements=_told(("country", "St. Lucia"), ("language", "English"))
    ),
    r'It should be in "A; and it should come from \"B\". Any format is fine."; and it should include War.': Heard(
        requirements=_told(("language", 'A; and it should come from "B". Any format is fine.'), ("genre", "War"))
    ),
    "I can only read it as an audiobook.": Heard(formats=("audiobook",)),
    "Any format is fine.": Heard(formats=()),
    "I'd rather not say more about the genre. I'd rather not say more about the year.": Heard(
        declined=("genre", "year")
    ),
    "I have no preference about the country.": Heard(),
    "I've said all I need about the language.": Heard(),
    "I have nothing to add.": Heard(),
    "###ACCEPTED### I have nothing to add.": Heard(verdict=True),
    "###REJECTED###": Heard(verdict=False),
    "###REJECTED### As for that, it should include War; and it should be in English. Any format is fine. I'd rather "
    "not say more about the genre. I have no preference about the country.": Heard(
        verdict=False,
        requirements=_told(("genre", "War"), ("language", "English")),
        formats=(),
        declined=("genre",),
    ),
    'It should include "broken': Heard(),
    "What a lovely day": Heard(),
}


@pytest.mark.parametrize(("text", "expected"), GOLDEN.items())
def test_each_sentence_is_read(text: str, expected: Heard) -> None:
    """Each kind of sentence gives what it says, and nothing else."""
    assert expected == read(text)


_labels = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
_demands = st.one_of(
    st.tuples(st.just("genre"), st.just("contains"), _labels),
    st.tuples(st.sampled_from(["language", "country"]), st.just("=="), _labels),
    st.tuples(st.just("year"), st.sampled_from(["<=", ">="]), st.integers(-800, 2026)),
)
_YEARS = {"<=": "year_max", ">=": "year_min"}


@given(
    st.lists(_demands, max_size=5),
    st.one_of(st.none(), st.lists(st.sampled_from(["audiobook", "ebook", "hardcover", "paperback"]), unique=True)),
    st.lists(st.sampled_from(["genre", "language", "country", "year", "format"]), unique=True),
)
def test_whatever_the_user_words_is_read_back(
    demands: list[tuple[str, str, str | int]], formats: list[str] | None, declined: list[str]
) -> None:
    """Opening and reply give back their requirements, formats and declined fields, whatever the labels are."""
    answer = Answer(
        revealed=tuple(Predicate(*demand) for demand in demands),
        extras=() if formats is None else (Fact("format", formats),),
        declined=tuple(declined),
    )
    requirements = _told(*((_YEARS.get(op, name), value) for name, op, value in demands))
    said = None if formats is None else tuple(formats)
    assert Heard(requirements=requirements, formats=said, declined=tuple(declined)) == read(reply_text(answer))
    assert Heard(requirements=requirements, formats=said) == read(opening_text(answer))
