"""When an argument is right, and how predicted calls are paired with gold calls."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw_orchestration.metrics.matching import matches, near, token_f1
from recfw_orchestration.metrics.parameters import pair_worth, paired, parameter_accuracy
from recfw_orchestration.metrics.played import Call
from recfw_orchestration.tasks.records import Allowed, GoldCall


def call(tool: str, **arguments: Any) -> Call:
    """Return a call as it was sent."""
    return Call(1, tool, arguments, True, True, "ok", 0, None)


def gold(tool: str, **arguments: Allowed) -> GoldCall:
    """Return a gold call."""
    return GoldCall("c1", tool, arguments)


@pytest.mark.parametrize(
    ("kind", "allowed", "value", "right"),
    [
        ("exact", "B1", "B1", True),
        ("exact", "B1", "b1", False),
        ("exact", 4, 4.0, True),
        ("exact", 1, True, False),
        ("exact", "4", 4, False),
        ("set", ["a", "b"], ["b", "a"], True),
        ("set", ["a", "b"], ["b", "a", "a"], True),
        ("set", ["a", "b"], ["a"], False),
        ("set", ["a"], "a", False),
        ("set", ["a"], ["a", "b"], False),
        ("radius", 2.0, 2.4, True),
        ("radius", 2.0, 2.41, False),
        ("radius", 2.0, 1.6, True),
        ("radius", 2.0, True, False),
        ("time", "2024-05-01T19:30", "2024-05-01T20:00", True),
        ("time", "2024-05-01T19:30", "2024-05-01T20:01", False),
        ("time", "2024-05-01T23:50", "2024-05-02T00:10", True),
        ("time", "2024-05-01T19:30", "tonight", False),
        ("text", "battery life", "batteries", True),
        ("text", "noise cancelling headphones", "headphone with noise cancellation", True),
        ("text", "noise cancelling headphones", "cheap camera", False),
        ("text", "light camera", "light tripod", True),
        ("text", "light camera", "light steel tripod", False),
        ("text", "battery life", 5, False),
    ],
)
def test_each_kind_has_its_rule(kind: str, allowed: Any, value: Any, right: bool) -> None:
    """As orchestration-servers.md defines them, at both sides of each tolerance."""
    assert matches(kind, (allowed,), value) is right


@pytest.mark.parametrize(("value", "right"), [(3.75, True), (4.25, True), (4.26, False), (3.7, False), ("4", False)])
def test_numbers_are_right_within_the_tasks_tolerance(value: Any, right: bool) -> None:
    """A tolerance of 0.25 about 4, both ends included."""
    assert matches("number", (4.0,), value, 0.25) is right


def test_any_of_several_allowed_values_will_do() -> None:
    """Gold may hold several."""
    assert matches("exact", ("recent", "helpful"), "helpful")
    assert not matches("exact", ("recent", "helpful"), "critical")


def test_token_f1_counts_stems_as_often_as_they_occur() -> None:
    """Of 'light cameras' and 'camera light light' two stems are shared: 2 * 2 / (2 + 3)."""
    assert token_f1("light cameras", "camera light light") == 0.8
    assert token_f1("light light", "light camera light") == 0.8
    assert token_f1("", "...") == 1.0


def test_coordinates_are_right_or_wrong_together() -> None:
    """49 m north-east is right though neither axis alone says so; a right latitude does not save a wrong longitude."""
    place = {"lat": Allowed((40.0,), "coordinate"), "lon": Allowed((-74.0,), "coordinate")}
    assert pair_worth(gold("near", **place), call("near", lat=40.00031, lon=-73.9996)) == 1.0
    assert pair_worth(gold("near", **place), call("near", lat=40.00031, lon=-73.9994)) == 0.0
    assert pair_worth(gold("near", **place), call("near", lat=40.0, lon=-73.0)) == 0.0
    assert pair_worth(gold("near", **place), call("near", lat=40.0)) == 0.5
    assert near((40.0, -74.0), (40.00044, -74.0)) is True
    assert near((40.0, -74.0), (40.00046, -74.0)) is False


@pytest.mark.parametrize(
    ("sent", "worth"),
    [
        ({"a": 1, "b": 2}, 1.0),
        ({"a": 1}, 1.0),
        ({"a": 1, "b": None}, 1.0),
        ({"a": 1, "b": 3}, 0.5),
        ({"b": 2}, 0.5),
        ({"a": 1, "b": 2, "c": 3}, 2 / 3),
        ({"a": 1, "b": 2, "limit": 50}, 1.0),
        ({}, 0.0),
    ],
)
def test_missing_and_added_arguments_are_wrong(sent: dict[str, Any], worth: float) -> None:
    """b may be left out, but is judged where it is sent; what gold does not have is wrong, except for a limit."""
    wanted = gold("t", a=Allowed((1,)), b=Allowed((2,), optional=True))
    assert pair_worth(wanted, call("t", **sent)) == pytest.approx(worth)


def test_a_limit_that_gold_fixes_counts() -> None:
    """Then it is an argument like another."""
    assert pair_worth(gold("t", limit=Allowed((5,))), call("t", limit=10)) == 0.0


def test_a_call_without_arguments_is_right() -> None:
    """Where gold has none either; another tool is worth nothing."""
    assert pair_worth(gold("t"), call("t")) == 1.0
    assert pair_worth(gold("t"), call("u")) == 0.0


def test_pairing_is_optimal_where_greedy_is_not() -> None:
    """The first call fits both gold calls; taking its best partner first would lose the second pair."""
    wanted = [
        GoldCall("c1", "t", {"a": Allowed((1,)), "b": Allowed((1,))}),
        GoldCall("c2", "t", {"a": Allowed((1,)), "b": Allowed((2, 1))}),
    ]
    sent = [call("t", a=1, b=1), call("t", a=1, b=2)]
    assert parameter_accuracy(sent, wanted) == 1.0
    assert parameter_accuracy(list(reversed(sent)), wanted) == 1.0
    assert parameter_accuracy(sent[1:], wanted) == 0.5


CALLS = st.lists(st.builds(call, st.sampled_from("tu"), a=st.integers(0, 2), b=st.integers(0, 2)), max_size=4)
ALLOWED = st.lists(st.integers(0, 2), min_size=1, max_size=2).map(lambda values: Allowed(tuple(values)))
GOLD = st.lists(st.builds(gold, st.sampled_from("tu"), a=ALLOWED, b=ALLOWED), min_size=1, max_size=3)


@given(CALLS, GOLD)
@settings(deadline=None)
def test_no_pairing_is_worth_more(calls: list[Call], wanted: list[GoldCall]) -> None:
    """The figure is the best over all one-to-one pairings, found here by trying every one."""
    places = [*range(len(calls)), *[None] * len(wanted)]
    best = max(
        sum(pair_worth(one, calls[place]) for one, place in zip(wanted, chosen, strict=True) if place is not None)
        for chosen in set(itertools.permutations(places, len(wanted)))
    )
    assert parameter_accuracy(calls, wanted) == pytest.approx(best / len(wanted))
    assert len({row for row, _, _ in paired(calls, wanted)}) == min(len(calls), len(wanted))
