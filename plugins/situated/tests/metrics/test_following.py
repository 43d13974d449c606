"""AFR and LNSR on trajectories whose figures were computed by hand."""

from typing import Any

import pytest
from trajectories import call, did, episode, neutral, said, task

from recfw.model.trace import Trace
from recfw_situated.metrics.component import SituatedFigures
from recfw_situated.metrics.following import LEGAL

Json = dict[str, Any]


def rates(trace: Trace, scene: str = "supermarket") -> tuple[float | None, float | None]:
    """Return AFR and LNSR."""
    found = SituatedFigures().score(task(scene), trace)
    return found["afr"], found["lnsr"]


def pairs(*turns: tuple[Json | None, Json | None]) -> Trace:
    """Return an episode of (expected, actual) actions; without an actual one the user's half is missing."""
    events = []
    for turn, (expected, actual) in enumerate(turns, 1):
        events.append(said(turn, "Navigate", expected))
        events += [did(turn, actual)] if actual is not None else []
    return episode(*events)


def test_the_sets_have_twelve_and_thirteen_names() -> None:
    """The supermarket has 12 actions, the furnishings store 13; nine are shared."""
    market, store = map(set, (LEGAL["supermarket"], LEGAL["furnishings"]))
    assert (len(market), len(store), len(market & store)) == (12, 13, 9)


def test_names_alone_decide_action_following() -> None:
    """Of four suggestions two have the same name, one of them with another direction: AFR 1/2, LNSR 1/4."""
    trace = pairs(
        (call("turn", direction="left"), call("turn", direction="left")),
        (call("turn", direction="left"), call("turn", direction="right")),
        (call("side_step", direction="left"), call("idle")),
        (call("move_to_fixture", "dairy"), call("pick_up_item", "milk")),
    )
    assert rates(trace) == (0.5, 0.25)


def test_the_outcome_is_ignored() -> None:
    """A refused action, and one that came nowhere, are followed all the same."""
    refused = call("pick_up_item", None, allowed=False)
    assert rates(pairs((call("pick_up_item", "milk"), refused))) == (1.0, None)


def test_an_absent_action_scores_zero() -> None:
    """A turn without the user's half, and one of invalid replies, count as not followed; both are comparable."""
    expected = call("turn", direction="left")
    trace = episode(said(1, "Navigate", expected), said(2, "Navigate", expected), did(2, neutral=True))
    assert rates(trace) == (0.0, 0.0)


def test_an_expected_idle_is_not_met_by_invalid_replies() -> None:
    """The neutral idle of a user that answered nonsense is no call of its own."""
    assert rates(episode(said(1, "Greet", call("idle")), did(1, neutral=True))) == (0.0, None)


def test_missing_and_illegal_expectations_are_left_out() -> None:
    """Only the third of four turns has an expected action that is legal here."""
    trace = episode(
        *(said(1), did(1)),
        *(said(2, "Greet", call("move_to_store", "plant")), did(2, call("move_to_store", "plant"))),
        *(said(3, "Greet", call("idle")), did(3, call("idle"))),
        *(neutral(4), did(4)),
    )
    assert rates(trace) == (1.0, None)


def test_no_eligible_event_gives_no_figure() -> None:
    """An episode without a suggestion is left out of both means, not counted as 0."""
    assert rates(episode(said(1), did(1))) == (None, None)


@pytest.mark.parametrize("name", ["move_forward", "move_backward", "pick_up_item", "add_to_cart", "drop_item", "idle"])
def test_other_actions_are_not_compared_locally(name: str) -> None:
    """Straight walks and everything about products count for AFR alone."""
    assert rates(pairs((call(name, "milk"), call(name, "milk")))) == (1.0, None)


@pytest.mark.parametrize("name", ["turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down"])
def test_of_directional_actions_the_direction_alone_counts(name: str) -> None:
    """Angle, distance and duration are not compared: the same direction is enough, another one is not."""
    first, other = ("up", "down") if name == "look_up_down" else ("left", "right")
    asked = call(name, direction=first, arguments={"angle_deg": 30})
    same = call(name, direction=first, arguments={"angle_deg": 90})
    assert rates(pairs((asked, same), (asked, call(name, direction=other)))) == (1.0, 0.5)


def test_another_action_in_the_same_direction_is_a_mismatch() -> None:
    """Name and direction both have to agree; so do name and target."""
    trace = pairs(
        (call("turn", direction="left"), call("turn_and_move", direction="left")),
        (call("move_to_fixture", "dairy"), call("pick_up_item", "dairy")),
    )
    assert rates(trace) == (0.0, 0.0)


def test_an_unavailable_direction_is_left_out() -> None:
    """A suggestion without a direction counts for AFR alone."""
    assert rates(pairs((call("turn"), call("turn", direction="left")))) == (1.0, None)


def test_of_a_fixture_the_identity_alone_counts() -> None:
    """The same fixture by another approach is aligned, another fixture is not, an unknown one is left out."""
    trace = pairs(
        (call("move_to_fixture", "dairy", "front"), call("move_to_fixture", "dairy", "nearest")),
        (call("move_to_fixture", "dairy", "front"), call("move_to_fixture", "bakery", "front")),
        (call("move_to_fixture", None, "front"), call("move_to_fixture", "dairy", "front")),
    )
    assert rates(trace) == (1.0, 0.5)


def test_of_a_store_the_approach_counts_where_it_is_expected() -> None:
    """The other side of the doorway is not aligned, unless the assistant named no side."""
    inside = call("move_to_store", "plant", "inside_doorway")
    trace = pairs(
        (call("move_to_store", "plant", "outside_doorway"), inside),
        (call("move_to_store", "plant"), inside),
        (call("move_to_store", "plant", "inside_doorway"), inside),
        (call("move_to_store", "nordic", "inside_doorway"), inside),
    )
    assert rates(trace, "furnishings") == (1.0, 0.5)


def test_of_an_area_the_location_counts() -> None:
    """The same area is aligned, another one is not."""
    trace = pairs(
        (call("move_to_area", "ferns"), call("move_to_area", "ferns")),
        (call("move_to_area", "ferns"), call("move_to_area", "palms")),
    )
    assert rates(trace, "furnishings") == (1.0, 0.5)


def test_an_actual_label_that_stands_for_nothing_is_a_mismatch() -> None:
    """The user named a fixture that is not in its view: the names agree, the targets do not."""
    assert rates(pairs((call("move_to_fixture", "dairy"), call("move_to_fixture", None)))) == (1.0, 0.0)
