"""The sentences and the matcher that suit any track."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import Answer, Fact, Predicate, Preference
from recfw.elicitation.questions import asked_about
from recfw.elicitation.wording import fact_text, opening_text, read_clauses, read_declined, read_facts, reply_text

FIELDS = ("content_rating", "genres", "runtime", "streaming_services")

single = st.one_of(
    st.integers(-50, 5000), st.text(min_size=1, max_size=12), st.floats(-9, 9).map(lambda x: round(x, 2))
)
predicates = st.one_of(
    st.builds(Predicate, st.sampled_from(FIELDS), st.sampled_from(["<=", ">="]), st.integers(0, 300)),
    st.builds(Predicate, st.sampled_from(FIELDS), st.sampled_from(["==", "!=", "contains", "not_contains"]), single),
    st.builds(
        Predicate,
        st.sampled_from(FIELDS),
        st.sampled_from(["in", "contains_any"]),
        st.lists(st.text("abc \"é,;.'", min_size=1, max_size=8), min_size=1, max_size=3),
    ),
)


@given(st.lists(predicates, max_size=4))
def test_what_is_said_reads_back(wishes: list[Predicate]) -> None:
    """Every requirement of an opening and of a reply reads back as it was, in order."""
    assert read_clauses(opening_text(Answer(tuple(wishes))), FIELDS) == tuple(wishes)
    assert read_clauses(reply_text(Answer(tuple(wishes))), FIELDS) == tuple(wishes)


facts = st.builds(
    Fact, st.sampled_from(FIELDS), st.lists(st.one_of(single, st.booleans(), st.none()), max_size=3).map(tuple)
)


@given(st.lists(predicates, max_size=2), st.lists(facts, max_size=3))
def test_facts_read_back_as_facts(wishes: list[Predicate], known: list[Fact]) -> None:
    """Every fact reads back as it was, in order, and none is taken for a requirement."""
    answer = Answer(tuple(wishes), tuple(known))
    for text in (opening_text(answer), f"Yes, that would do. {reply_text(answer)}"):
        assert read_facts(text, FIELDS) == tuple(known)
    assert read_clauses(opening_text(Answer(extras=tuple(known))), FIELDS) == ()


def test_a_fact_is_a_sentence() -> None:
    """It names its field and its values; without any, all will do."""
    assert fact_text(Fact("age", (34,))) == "Age: 34."
    assert fact_text(Fact("streaming_services", ("Lumen", "Parade"))) == 'Streaming services: "Lumen" or "Parade".'
    assert fact_text(Fact("delivery", ())) == "Any delivery will do."
    assert reply_text(Answer(critiqued=(Fact("age", (34,)),))) == "Not that one. Age: 34."


def test_what_stands_within_quotes_is_no_fact() -> None:
    """A value may look like a sentence about another field."""
    text = opening_text(Answer((Predicate("genres", "contains", "War. Runtime: 3."),)))
    assert read_facts(f"{text} Runtime: 90.", FIELDS) == (Fact("runtime", (90,)),)


def test_what_was_declined_reads_back() -> None:
    """The fields that a reply declines, in the order that they are asked for in."""
    text = reply_text(Answer(declined=("runtime", "content_rating"), no_preference=("genres",)))
    assert read_declined(text, FIELDS) == ("content_rating", "runtime")


def test_an_opening_and_a_full_reply() -> None:
    """The sentences, each only where it applies."""
    rated, short = Predicate("content_rating", "!=", "R"), Predicate("runtime", "<=", 90)
    assert opening_text(Answer((rated, short))) == (
        'I\'m looking for one item. The content rating should not be "R"; and the runtime should be at most 90.'
    )
    assert reply_text(Answer()) == "I have nothing to add."
    answer = Answer(
        extras=(Fact("delivery", ("post",)),),
        declined=("runtime",),
        no_preference=("genres",),
        settled=("content_rating",),
        critiqued=(short,),
        preferred=(Preference(Predicate("genres", "contains", "War"), 1),),
        spent=True,
        pleased=0.5,
    )
    assert reply_text(answer) == (
        'Not that one: the runtime should be at most 90. Delivery: "post". '
        "If there's a choice, I'd like the genres to include \"War\". I'd rather not say more about the runtime. "
        "I have no preference about the genres. I've said all I need about the content rating. "
        "That's enough questions for me. That will do, though not all is as I'd like it."
    )
    assert reply_text(Answer(unanswered=("runtime",))) == "No more questions, please."
    assert reply_text(Answer(unanswered=("runtime",), left=True)) == "That's one question too many. Goodbye."


def test_a_preference_reads_back_as_nothing() -> None:
    """What is merely liked is no requirement."""
    text = reply_text(Answer(preferred=(Preference(Predicate("runtime", "<=", 90), 3),)))
    assert text == "I'd very much like the runtime to be at most 90."
    assert read_clauses(text, FIELDS) == ()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Which genre do you like?", {"genres"}),
        ("What content rating, and which streaming service?", {"content_rating", "streaming_services"}),
        ("Tell me the runtime.", {"runtime"}),
        ("Could you tell me your preferred genres", {"genres"}),
        ("Anything else?", set(FIELDS)),
        ("Do you have any requirements?", set(FIELDS)),
        ("Do you have any requirements on the runtime?", {"runtime"}),
        ("I found a film with a short runtime.", set()),
        ("Is this genre fine: [[candidate_id:x]]?", set()),
        ("", set()),
    ],
)
def test_what_a_turn_asks_about(text: str, asked: set[str]) -> None:
    """Questions and requests are about the fields that they name, or about all."""
    assert asked_about(text, FIELDS) == asked


def test_other_words_for_a_field() -> None:
    """A track may name synonyms."""
    assert asked_about("How long may it be?", FIELDS, {"runtime": ["how long"]}) == {"runtime"}


@pytest.mark.parametrize(
    ("grade", "words"),
    [(1.0, "That's just what I would like."), (0.95, "That will do, though"), (0.5, "though"), (0.49, "another more")],
)
def test_words_for_a_grade(grade: float, words: str) -> None:
    """All, half or more, less."""
    assert words in reply_text(Answer(pleased=grade))
