"""All eight operators, over label trees, missing fields, fields of several values and values of the wrong kind."""

from typing import Any

import cattrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.elicitation import Fact, LabelTree, Op, Predicate, Preference, Reveal, failed, holds
from recfw.elicitation.goal import Goal
from recfw.elicitation.records import read_fact, read_predicate
from recfw.errors import DataError

TREES = {"place": LabelTree({"Isles": ["North", "South"]})}
LABELS = ["Isles", "North", "South", "Elsewhere"]
labels = st.sampled_from(LABELS)
numbers = st.one_of(st.integers(-3000, 3000), st.floats(allow_nan=False, width=32))
LABEL_OPS = {Op.EQ, Op.NE, Op.CONTAINS, Op.NOT_CONTAINS}
LIST_OPS = {Op.IN, Op.CONTAINS_ANY}


@given(number=numbers, bound=numbers)
def test_bounds_compare_as_numbers_do(number: float, bound: float) -> None:
    """<= and >= hold exactly where Python's comparison does."""
    record = {"size": number}
    found = [holds(Predicate("size", op, bound), record) for op in ("<=", ">=")]
    assert found == [number <= bound, number >= bound]


@given(wanted=labels, value=labels)
def test_positive_label_operators_follow_the_tree(wanted: str, value: str) -> None:
    """==, contains, in and contains_any hold where the wanted label covers the record's."""
    covered = value == wanted or (wanted == "Isles" and value in {"North", "South"})
    record = {"place": value}
    found = {
        op: holds(Predicate("place", op, wanted if op in LABEL_OPS else [wanted]), record, TREES)
        for op in (Op.EQ, Op.CONTAINS, Op.IN, Op.CONTAINS_ANY)
    }
    assert found == dict.fromkeys(found, covered)


@given(wanted=labels, values=st.lists(labels, max_size=3))
def test_negative_operators_are_the_complements(wanted: str, values: list[str]) -> None:
    """!= and not_contains hold exactly where == and contains do not, trees included."""
    record = {"place": values}
    pairs = [
        (holds(Predicate("place", no, wanted), record, TREES), holds(Predicate("place", yes, wanted), record, TREES))
        for no, yes in ((Op.NE, Op.EQ), (Op.NOT_CONTAINS, Op.CONTAINS))
    ]
    assert all(negative is not positive for negative, positive in pairs)


@given(wanted=st.lists(labels, min_size=1, max_size=3), values=st.lists(labels, max_size=3))
def test_list_operators_are_unions(wanted: list[str], values: list[str]) -> None:
    """The operators in and contains_any hold where == or contains does for one of the listed values."""
    record = {"place": tuple(values)}
    found = [holds(Predicate("place", op, wanted), record, TREES) for op in (Op.IN, Op.CONTAINS_ANY)]
    one = any(holds(Predicate("place", Op.EQ, each), record, TREES) for each in wanted)
    assert found == [one, one]


@pytest.mark.parametrize("record", [{}, {"place": None}, {"place": []}, {"elsewhere": "North"}])
def test_a_missing_field_meets_only_the_negative_operators(record: dict[str, Any]) -> None:
    """No value is not a value: only != and not_contains hold."""
    met = {
        op
        for op in Op
        if holds(Predicate("place", op, ["North"] if op in LIST_OPS else 1 if op in {"<=", ">="} else "North"), record)
    }
    assert met == {Op.NE, Op.NOT_CONTAINS}


@pytest.mark.parametrize("value", ["1999", None, True, float("nan"), {"n": 1}, [None, "x"]])
@pytest.mark.parametrize("op", ["<=", ">="])
def test_bounds_pass_over_what_is_no_number(op: str, value: Any) -> None:
    """A text, a truth value or NaN in the record never meets a bound, and never raises."""
    assert holds(Predicate("size", op, 0 if op == ">=" else 3000), {"size": value}) is False


@given(
    op=st.sampled_from(Op),
    value=st.one_of(st.none(), st.booleans(), numbers, labels, st.dictionaries(labels, numbers, max_size=2)),
)
def test_no_record_value_raises(op: Op, value: Any) -> None:
    """Whatever a record holds, an operator answers yes or no."""
    wanted: Any = ["North", 3] if op in LIST_OPS else 3 if op in {Op.LE, Op.GE} else "North"
    assert holds(Predicate("place", op, wanted), {"place": value}, TREES) in {True, False}


def test_truth_values_are_no_numbers() -> None:
    """True and 1 differ, although Python says that they are equal."""
    found = [holds(Predicate("open", "==", wanted), {"open": value}) for wanted, value in ((True, 1), (1, True))]
    assert found == [False, False]


def test_a_wider_label_in_the_record_does_not_meet_a_narrower_wish() -> None:
    """The tree covers downwards only."""
    assert holds(Predicate("place", "==", "North"), {"place": "Isles"}, TREES) is False


def test_a_tree_belongs_to_its_field() -> None:
    """Another field of the same labels compares them as they are."""
    assert holds(Predicate("home", "==", "Isles"), {"home": "North"}, TREES) is False


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("<=", "2001"),
        (">=", True),
        (">=", float("nan")),
        ("<=", None),
        ("<=", [1]),
        ("==", None),
        ("==", ["a"]),
        ("!=", {"a": 1}),
        ("contains", ("a", "b")),
        ("not_contains", {"a"}),
        ("contains_any", "North"),
        ("in", []),
        ("in", "North"),
        ("in", {"a": 1}),
        ("contains_any", [["a"]]),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(op: str, value: Any) -> None:
    """Each operator names the field, itself and the kind of value that it needs."""
    with pytest.raises(DataError, match=rf"predicate on 'place': {op} needs"):
        Predicate("place", op, value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("place", "=", "x"), "no operator '='. Use one of <=, >=, ==, !=, contains"),
        (("place", "==", "x", "maybe"), "no reveal tag 'maybe'. Use one of stated, on_ask, hidden."),
        (("", "==", "x"), "a predicate's field is a name, not ''."),
    ],
)
def test_bad_words_are_refused_by_name(arguments: tuple[Any, ...], words: str) -> None:
    """An unknown operator or tag, or an empty field, is one sentence with the known ones."""
    with pytest.raises(DataError) as caught:
        Predicate(*arguments)
    assert str(caught.value).startswith(words)


def test_failed_keeps_the_order() -> None:
    """The predicates that a record does not meet come back in the given order."""
    wishes = (Predicate("size", ">=", 5), Predicate("place", "==", "North"), Predicate("size", "<=", 1))
    assert failed(wishes, {"size": 3, "place": "North"}) == (wishes[0], wishes[2])


@given(op=st.sampled_from(Op), reveal=st.sampled_from(Reveal))
def test_a_predicate_survives_plain_data(op: Op, reveal: Reveal) -> None:
    """Unstructured to JSON's kinds and back, it equals itself, lists included."""
    wanted: Any = ["North", "South"] if op in LIST_OPS else 3 if op in {Op.LE, Op.GE} else "North"
    predicate = Predicate("place", op, wanted, reveal)
    plain = cattrs.unstructure(predicate) | ({"value": wanted} if op in LIST_OPS else {})
    assert cattrs.structure(plain, Predicate) == predicate


def test_volunteer_is_stated() -> None:
    """Tasks may use tau-Rec's word for what the opening states, in requirements and facts; written anew it is ours."""
    wish = read_predicate({"field": "genre", "op": "==", "value": "war", "reveal": "volunteer"})
    fact = read_fact({"field": "age", "values": [34], "reveal": "volunteer"})
    assert (wish.reveal, fact.reveal) == (Reveal.STATED, Reveal.STATED)
    assert Goal(("genre",), (wish,)).private()["predicates"][0]["reveal"] == "stated"


def test_a_goal_is_read_from_the_rows_of_a_task_file() -> None:
    """Requirements, facts and preferences stand side by side, each known by its keys; anything else is named."""
    rows = [
        {"field": "age", "values": [34], "reveal": "on_ask"},
        {"field": "genre", "op": "==", "value": "war"},
        {"field": "minutes", "op": "<=", "value": 90, "weight": 3},
    ]
    goal = Goal.of(["genre", "minutes", "age"], rows)
    assert goal == Goal(
        ("genre", "minutes", "age"),
        (Predicate("genre", "==", "war"),),
        (Fact("age", (34,), "on_ask"),),
        (Preference(Predicate("minutes", "<=", 90, "on_ask"), 3),),
    )
    assert goal == Goal.read(goal.private())
    for row, words in ((3, "a predicate is an object"), ({"field": "age"}, "without 'op'")):
        with pytest.raises(DataError, match=words):
            Goal.of(["age"], [row])
