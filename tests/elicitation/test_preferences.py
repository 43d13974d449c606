"""Soft preferences: grades, weights, and their words as JSON values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import LabelTree, Predicate, Preference, grade
from recfw.elicitation.records import (
    demand,
    fact_data,
    preference_data,
    read_fact,
    read_predicate,
    read_preference,
    read_requirement,
    requirement_data,
)
from recfw.errors import DataError

HEAVY = Preference(Predicate("color", "==", "red", "on_ask"), 3)
LIGHT = Preference(Predicate("weight", "<=", 2, "on_ask"), 1)


def test_the_grade_is_the_share_of_weight_that_is_met() -> None:
    """Each preference counts by its weight, and nothing else does."""
    records = [{"color": c, "weight": w} for c, w in (("red", 1), ("red", 3), ("blue", 1), ("blue", 3))]
    assert [grade((HEAVY, LIGHT), record) for record in records] == [1.0, 0.75, 0.25, 0.0]


def test_there_is_no_grade_without_preferences() -> None:
    """None is not 0."""
    assert grade((), {"color": "red"}) is None


def test_a_wider_label_is_liked_with_the_narrower() -> None:
    """Label trees count as in requirements."""
    assert grade((HEAVY,), {"color": "pink"}, {"color": LabelTree({"red": ["pink"]})}) == 1.0


@given(st.lists(st.floats(0.1, 9), min_size=1, max_size=5))
def test_grades_lie_between_0_and_1(weights: list[float]) -> None:
    """Whatever the weights, meeting all is 1 and meeting none is 0."""
    wishes = [Preference(Predicate("a", "==", 1), weight) for weight in weights]
    assert (grade(wishes, {"a": 1}), grade(wishes, {"a": 2})) == (1.0, 0.0)


@pytest.mark.parametrize("weight", [0, -1, float("inf"), float("nan"), True, "3"])
def test_a_weight_is_a_number_above_0(weight: object) -> None:
    """Anything else is refused in words."""
    with pytest.raises(DataError, match="a preference's weight is a number above 0"):
        Preference(HEAVY.predicate, weight)  # type: ignore[arg-type]


def test_records_read_back() -> None:
    """Predicates, facts and preferences survive as JSON values."""
    predicate = Predicate("size", "in", (1, 2), "hidden")
    fact = read_fact({"field": "delivery", "values": ["post"], "reveal": "on_ask"})
    assert read_preference(preference_data(HEAVY)) == HEAVY
    assert demand(read_requirement(requirement_data(predicate))) == demand(predicate)
    assert demand(read_requirement(requirement_data(fact))) == demand(fact)
    assert fact_data(fact) == {"field": "delivery", "values": ["post"]}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"op": "==", "value": 1}, "without 'field'"),
        ({"field": "a", "value": 1}, "without 'op'"),
        ({"field": "a", "op": "=="}, "without 'value'"),
        ({"field": "a", "op": "~", "value": 1}, "no operator '~'"),
        ({"field": "a", "op": "==", "value": 1, "reveal": "later"}, "no reveal tag 'later'"),
        ("a == 1", "is an object with field, op, value"),
    ],
)
def test_a_malformed_predicate_is_told_by_its_key(data: object, told: str) -> None:
    """The error names the key that is missing or off."""
    with pytest.raises(DataError, match=told):
        read_predicate(data)
