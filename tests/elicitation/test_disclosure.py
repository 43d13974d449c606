"""Rule-based disclosure: opening, questions, what is left, and the state as a value."""

import cattrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import Answer, Disclosure, Fact, Predicate, Told
from recfw.errors import DataError

FIELDS = ("kind", "tongue", "place", "size", "delivery")
STATED = Predicate("kind", "contains", "odd", "stated")
ASKED = Predicate("size", "<=", 9, "on_ask")
HIDDEN = Predicate("kind", "contains", "even", "hidden")
DELIVERY = Fact("delivery", ("post",), "on_ask")
RULES = Disclosure(FIELDS, (STATED, ASKED, HIDDEN), (DELIVERY,))

predicates = st.lists(
    st.builds(
        Predicate,
        st.sampled_from(FIELDS),
        st.just("=="),
        st.integers(0, 5),
        st.sampled_from(["stated", "on_ask", "hidden"]),
    ),
    max_size=6,
)
questions = st.lists(st.sets(st.sampled_from(FIELDS)), max_size=6)


def test_the_opening_states_what_is_stated() -> None:
    """Stated predicates and extras only."""
    stated = Fact("delivery", ())
    assert Disclosure(FIELDS, (ASKED, STATED), (stated,)).opening() == Answer((STATED,), (stated,))


def test_a_question_for_every_field_tells_each_kind_of_reply() -> None:
    """On-ask facts come, hidden fields are declined, bare ones have no preference."""
    expected = Answer((ASKED,), (DELIVERY,), declined=("kind",), no_preference=("tongue", "place"))
    assert RULES.ask(FIELDS) == expected


def test_a_field_can_be_revealed_and_declined() -> None:
    """An askable and a hidden predicate on one field give both."""
    both = Predicate("kind", "contains", "prime", "on_ask")
    assert Disclosure(FIELDS, (both, HIDDEN)).ask(["kind"]) == Answer((both,), declined=("kind",))


def test_a_stated_field_is_settled() -> None:
    """Asked again about what the opening said, nothing new is told and nothing false."""
    assert Disclosure(FIELDS, (STATED,)).ask({"kind"}) == Answer(settled=("kind",))


def test_an_extra_without_values_is_an_answer_but_no_requirement() -> None:
    """Every way of delivery is fine: told when asked, not counted as askable."""
    rules = Disclosure(FIELDS, (), (Fact("delivery", (), "on_ask"),))
    found = (rules.ask(["delivery"]).extras, rules.askable(), rules.elicitation_share(Told()))
    assert found == (rules.extras, (), None)


def test_a_hidden_extra_is_declined() -> None:
    """Extras obey the same tags as predicates."""
    assert Disclosure(FIELDS, (), (Fact("delivery", ("post",), "hidden"),)).ask(FIELDS).declined == ("delivery",)


def test_the_share_counts_askable_facts_once() -> None:
    """Half of two askable facts, however often it was asked."""
    told = Told().after(RULES.ask(["size"])).after(RULES.ask(["size"]))
    assert (RULES.elicitation_share(told), RULES.outstanding(told)) == (0.5, (DELIVERY,))


def test_an_unknown_field_is_refused() -> None:
    """Neither a question nor a predicate may name a field that is not known."""
    with pytest.raises(DataError, match="no field 'colour' to ask about"):
        RULES.ask(["colour"])
    with pytest.raises(DataError, match="no field 'colour' to ask about"):
        Disclosure(FIELDS, (Predicate("colour", "==", "red"),))


def test_a_text_is_no_list_of_values() -> None:
    """One value without its brackets is refused, not split into letters."""
    with pytest.raises(DataError, match="a list is needed, not the text 'post'"):
        Fact("delivery", "post")


@given(wishes=predicates, asked=questions)
def test_hidden_predicates_are_never_told(wishes: list[Predicate], asked: list[set[str]]) -> None:
    """No sequence of questions discloses a hidden predicate."""
    rules = Disclosure(FIELDS, wishes)
    told = Told().after(rules.opening())
    for fields in asked:
        told = told.after(rules.ask(fields))
    assert [p for p in told.predicates if p.reveal == "hidden"] == []


@given(wishes=predicates)
def test_one_question_for_all_fields_leaves_nothing_outstanding(wishes: list[Predicate]) -> None:
    """After it, the share is 1 wherever something was askable."""
    rules = Disclosure(FIELDS, wishes)
    told = Told().after(rules.ask(FIELDS))
    assert (rules.outstanding(told), rules.elicitation_share(told) in {1.0, None}) == ((), True)


@given(wishes=predicates, fields=st.sets(st.sampled_from(FIELDS)))
def test_every_asked_field_gets_exactly_one_kind_of_reply(wishes: list[Predicate], fields: set[str]) -> None:
    """Each asked field is told, declined, settled or without preference; told and declined alone may go together."""
    answer = Disclosure(FIELDS, wishes).ask(fields)
    told = {p.field for p in answer.revealed}
    kinds = [told | set(answer.declined), set(answer.settled), set(answer.no_preference)]
    assert (set.union(*kinds), sum(len(kind) for kind in kinds)) == (fields, len(fields))


@given(wishes=predicates, fields=st.lists(st.sampled_from(FIELDS), unique=True))
def test_the_order_of_a_question_does_not_matter(wishes: list[Predicate], fields: list[str]) -> None:
    """Asked in any order, the same reply."""
    rules = Disclosure(FIELDS, wishes)
    assert rules.ask(fields) == rules.ask(frozenset(reversed(fields)))


def test_rules_answers_and_state_survive_plain_data() -> None:
    """Each reads back equal from plain data."""
    answer = RULES.ask(FIELDS)
    for value in (RULES, answer, Told().after(answer)):
        assert cattrs.structure(cattrs.unstructure(value), type(value)) == value
