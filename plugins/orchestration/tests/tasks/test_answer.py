"""The answer rule, on results made by hand."""

import pytest

from recfw_orchestration.tasks.answer import answer, arguments_of, named, ranking, value_of
from recfw_orchestration.tasks.records import Allowed, AnswerRule, Best, GoldCall, Keep, Origin

CANDIDATES = ["A", "B", "C", "D"]
RESULTS = {
    "c1": {"items": [{"item_id": "B"}, {"item_id": "A"}, {"item_id": "X"}]},
    "c2": {
        "items": [
            {"item_id": "A", "price": 5.0, "hours": [9, 12], "open": True},
            {"item_id": "B", "price": 3.0, "hours": [12], "open": None},
            {"item_id": "C", "price": None, "hours": [], "open": False},
            {"item_id": "D", "price": 3.0, "hours": [20], "open": True},
        ]
    },
    "c3": {"page_id": "p", "item_ids": ["C", "D"]},
}


@pytest.mark.parametrize(
    ("keep", "left"),
    [
        (Keep("c1"), ["A", "B"]),
        (Keep("c1", "unlisted"), ["C", "D"]),
        (Keep("c3"), ["C", "D"]),
        (Keep("c2", "le", "price", 3), ["B", "D"]),
        (Keep("c2", "lt", "price", 3), []),
        (Keep("c2", "ge", "price", 5), ["A"]),
        (Keep("c2", "gt", "price", 5), []),
        (Keep("c2", "eq", "open", value=True), ["A", "D"]),
        (Keep("c2", "has", "hours", 12), ["A", "B"]),
    ],
)
def test_each_test_keeps_what_passes_in_candidate_order(keep, left):
    """Null and missing fields pass nothing."""
    assert left == answer(AnswerRule((keep,)), RESULTS, CANDIDATES)


def test_tests_add_up():
    """A candidate must pass all of them."""
    assert answer(AnswerRule((Keep("c1"), Keep("c2", "le", "price", 3))), RESULTS, CANDIDATES) == ["B"]


def test_a_tie_for_the_best_is_no_unique_answer():
    """All that share the extreme are answers."""
    assert answer(AnswerRule((), Best("c2", "price", descending=False)), RESULTS, CANDIDATES) == ["B", "D"]


def test_the_best_is_taken_among_those_that_stay():
    """The cheapest of all does not count where it failed a test."""
    rule = AnswerRule((Keep("c2", "eq", "open", value=True),), Best("c2", "price"))
    assert answer(rule, RESULTS, CANDIDATES) == ["A"]


def test_a_call_without_result_demands_nothing():
    """So a rule tells what it would answer without one of its calls."""
    rule = AnswerRule((Keep("c1"), Keep("c9")), Best("c8", "price"))
    assert answer(rule, RESULTS, CANDIDATES) == ["A", "B"]


def test_a_ranking_goes_on_after_the_answer():
    """By the deciding field, then by id."""
    rule = AnswerRule((), Best("c2", "price"))
    assert ranking(rule, RESULTS, CANDIDATES) == ["A", "B", "D"]


def test_named_reads_both_keys():
    """``item_id`` of entries and ``item_ids`` of pages."""
    assert (named(RESULTS["c1"]), named(RESULTS["c3"])) == (["B", "A", "X"], ["C", "D"])


@pytest.mark.parametrize(
    ("origin", "value"),
    [
        (Origin(("c1",), "item_id"), "B"),
        (Origin(("c2",), "item_id", "max", "price"), "A"),
        (Origin(("c4",), "item_id", "most"), "V"),
        (Origin(("c1", "c2"), "item_id", "ids"), ["B"]),
        (Origin(("c3",), "user_id"), None),
    ],
)
def test_values_are_picked_from_results(origin, value):
    """Where nothing stands there, None."""
    results = {
        **RESULTS,
        "c2": {"items": [{"item_id": "A", "price": 5.0}, {"item_id": "B", "price": 3.0}]},
        "c4": {"items": [{"item_id": each} for each in "UVWV"]},
    }
    rule = AnswerRule((Keep("c1"), Keep("c2", "le", "price", 3)))
    assert value == value_of(origin, rule, results, CANDIDATES)


def test_one_value_of_a_set_is_sent_as_a_list():
    """Tools that take ids take a list of one."""
    call = GoldCall(
        "c5", "t", {"item_ids": Allowed((), "set", origin=Origin(("c1",), "item_id")), "n": Allowed((3,))}, limit=50
    )
    assert arguments_of(call, AnswerRule(), RESULTS, CANDIDATES) == {"item_ids": ["B"], "n": 3, "limit": 50}
