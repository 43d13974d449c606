"""Cumulative goal visibility on trajectories whose counts were made by hand."""

import pytest
from trajectories import did, episode, goal, neutral, observed, said, task

from recfw.model.trace import Trace, WorldEvent
from recfw_situated.metrics.component import SituatedConduct
from recfw_situated.metrics.visibility import homes
from recfw_situated.scenes.records import Scene


def seen(trace: Trace, scene: str = "supermarket") -> list[float | None]:
    """Return goals, then those in view by horizons 0 to 5, then by the end."""
    found = SituatedConduct().score(task(scene), trace)
    return [found["goals"], *(found[f"goals_seen_{h}"] for h in range(6)), found["goals_seen_end"]]


def walk(turns: int, *views: str, goals: dict[int, str]) -> Trace:
    """Return an episode whose n-th view shows a fixture or nothing (-), and whose goals are by turn."""
    events: list[WorldEvent] = []
    for turn in range(1, turns + 1):
        named = goal("fixture", goals[turn]) if turn in goals else None
        act = "Navigate" if turn in goals else "Explain"
        view = views[turn - 1]
        events += [observed(turn, *(() if view == "-" else (f"fixture:{view}",))), said(turn, act, goal=named)]
        events.append(did(turn))
    last = views[turns]
    events.append(observed(turns + 1, *(() if last == "-" else (f"fixture:{last}",)), final=True))
    return episode(*events)


def test_goals_are_pooled_over_one_denominator() -> None:
    """Dairy comes into view two turns after turn 1, and is there at turn 3; bakery of turn 2 never comes."""
    trace = walk(4, "-", "-", "dairy", "-", "-", goals={1: "dairy", 2: "bakery", 3: "dairy"})
    assert seen(trace) == [3.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]


def test_a_window_cut_by_the_end_stays_in() -> None:
    """A goal of the last turn has one later view; at every horizon it is still one of the denominator."""
    assert seen(walk(2, "-", "-", "dairy", goals={2: "dairy"})) == [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


def test_the_end_lies_beyond_the_fifth_turn() -> None:
    """What comes into view after seven turns counts through the end alone."""
    assert seen(walk(7, *"-------", "dairy", goals={1: "dairy"})) == [1.0, *[0.0] * 6, 1.0]


def test_earlier_views_do_not_count() -> None:
    """A goal that was in view before it was named, and never after, was not seen."""
    assert seen(walk(2, "dairy", "-", "-", goals={2: "dairy"})) == [1.0, *[0.0] * 7]


def test_a_goal_that_names_no_place_is_left_out_and_counted() -> None:
    """It is no goal of the denominator, but it is told."""
    trace = episode(observed(1), said(1, "Navigate", goal=goal(None, None)), did(1), observed(2))
    assert (seen(trace)[0], SituatedConduct().score(task(), trace)["goals_unresolved"]) == (0.0, 1.0)


def test_a_goal_without_a_current_observation_is_left_out() -> None:
    """Without a saved view of the turn that named it, there is nothing to begin with."""
    trace = episode(said(1, "Navigate", goal=goal("fixture", "dairy")), did(1), observed(2, "fixture:dairy"))
    assert seen(trace) == [0.0] * 8


def test_kinds_are_told_apart() -> None:
    """A store is not seen because an area of the same id is."""
    trace = episode(observed(1, "area:x"), said(1, "Navigate", goal=goal("store", "x")), did(1), observed(2))
    assert seen(trace, "furnishings")[:2] == [1.0, 0.0]


@pytest.mark.parametrize("kind", ["area", "store"])
def test_a_product_of_the_destination_makes_it_visible(furnishings: Scene, kind: str) -> None:
    """In the furnishings store a product in view stands for its display area and for its store."""
    instance = furnishings.instances[0]
    place = instance.place if kind == "area" else furnishings.area_by_id[instance.place].store
    named = goal(kind, place)
    trace = episode(observed(1, f"product:{instance.product}"), said(1, "Navigate", goal=named), did(1), observed(2))
    assert seen(trace, "furnishings")[:2] == [1.0, 1.0]


def test_a_product_of_another_store_does_not(furnishings: Scene) -> None:
    """A product stands for its own places only."""
    instance = furnishings.instances[0]
    own = furnishings.area_by_id[instance.place].store
    other = next(store.id for store in furnishings.stores if store.id not in homes("furnishings")[instance.product])
    trace = episode(
        observed(1, f"product:{instance.product}"), said(1, "Navigate", goal=goal("store", other)), did(1), observed(2)
    )
    assert (own != other, seen(trace, "furnishings")[:2]) == (True, [1.0, 0.0])


def test_in_the_supermarket_a_product_does_not(supermarket: Scene) -> None:
    """There only the fixture itself counts."""
    instance = supermarket.instances[0]
    named = goal("fixture", instance.place)
    trace = episode(observed(1, f"product:{instance.product}"), said(1, "Navigate", goal=named), did(1), observed(2))
    assert seen(trace)[:2] == [1.0, 0.0]


def test_invalid_replies_name_no_goal() -> None:
    """A neutral turn adds nothing."""
    assert seen(episode(observed(1, "fixture:dairy"), neutral(1), did(1), observed(2)))[0] == 0.0
