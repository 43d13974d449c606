"""Where the rule-based user goes: what it was told, what it looks out for, or what it finds by itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw_situated.actions.user import SUPERMARKET, Call
from recfw_situated.tasks.records import Goal
from recfw_situated.users.directions import AHEAD, ASIDE, BACK, LOOK, TURN, Direction, first_pair
from recfw_situated.users.hearing import Place
from recfw_situated.users.mentions import telling

Seen = Mapping[str, Any]
"""One visible entity: ``handle``, ``name``, ``distance`` in cm, ``bearing`` in degrees, and what its kind adds."""

SEARCH_ANGLE = 60.0
"""Degrees by which it turns when it looks for something."""
ARM = 100.0
"""Centimetres that it keeps from what it walks up to."""
_WALKS = {AHEAD: ("move_forward", 500.0), BACK: ("move_backward", 300.0), ASIDE: ("side_step", 200.0)}
_COMMON = frozenset(
    {"another", "course", "good", "home", "item", "like", "main", "or", "piece", "place", "product", "small", "some"}
    | {"something", "table", "thing", "work"}
)
"""Words of wishes by which no sign and no name is found fitting."""


def by_directions(found: Sequence[Direction]) -> Call:
    """Return the one action that does the first direction, or the first two where one action does both."""
    first, second = first_pair(found)
    if second is not None and first.kind == TURN:
        return Call("turn_and_move", _side(first) | {"distance_cm": _within(second.amount, 500)})
    if second is not None:
        return Call("move_and_turn", {"distance_cm": _within(first.amount, 500)} | _side(second))
    if first.kind == TURN:
        return Call("turn", _side(first))
    if first.kind == LOOK:
        return Call("look_up_down", {"direction": first.side, "angle_deg": min(60.0, max(1.0, first.amount))})
    name, most = _WALKS[first.kind]
    side = {"direction": first.side} if first.kind == ASIDE else {}
    return Call(name, side | {"distance_cm": _within(first.amount, most)})


def _side(direction: Direction) -> dict[str, Any]:
    return {"direction": direction.side, "angle_deg": min(180.0, max(1.0, direction.amount))}


def _within(amount: float, most: float) -> float:
    return min(most, max(10.0, round(amount, 1)))


def towards(bearing: float, distance: float) -> Call:
    """Return the action that walks up to something, turning to it first where it is not ahead."""
    length = _within(distance - ARM, 500)
    if abs(bearing) < 15:
        return Call("move_forward", {"distance_cm": length})
    side = "right" if bearing > 0 else "left"
    return Call("turn_and_move", {"direction": side, "angle_deg": round(abs(bearing), 1), "distance_cm": length})


def to_place(kind: str, seen: Seen, approach: str) -> Call:
    """
    Return the action that goes to a visible place.

    Args:
        kind: fixture, store or area.
        seen: The place.
        approach: As it was spoken (:class:`recfw_situated.users.hearing.Place`).
    """
    offered = list(seen.get("approaches", ()))
    if kind == "area":
        return Call("move_to_area", {"area": seen["handle"]})
    if kind == "store":
        wanted = "outside_doorway" if approach == "outside" else "inside_doorway"
        chosen = wanted if wanted in offered or not offered else offered[0]
        return Call("move_to_store", {"store": seen["handle"], "approach": chosen})
    wanted = approach if approach in {"back", "nearest"} else "front"
    return Call("move_to_fixture", {"fixture": seen["handle"], "approach": wanted if wanted in offered else "nearest"})


def pick(scene: str, seen: Seen) -> Call:
    """Return the action that inspects a visible product."""
    return Call("pick_up_item" if scene == SUPERMARKET else "check_item", {"item": seen["handle"]})


def search(side: str) -> Call:
    """Return the action that looks for something out of view."""
    return Call("turn", {"direction": side, "angle_deg": SEARCH_ANGLE})


def wished_words(goal: Goal) -> frozenset[str]:
    """Return the telling words of a goal, by which signs and names are found fitting."""
    spoken = f"{goal.category_words} {' '.join(goal.categories)}"
    return frozenset(telling(spoken)) - _COMMON


def fitting(places: Mapping[str, Seen], goal: Goal, visited: Sequence[str]) -> str | None:
    """Return the key of the visible place whose sign fits the need best and that was not visited; None without any."""
    wanted = wished_words(goal)
    scored = [
        (-len(wanted & frozenset(telling(seen["name"]))), seen["distance"], key)
        for key, seen in places.items()
        if seen["name"] not in visited
    ]
    best = min(scored, default=(0, 0.0, ""))
    return best[2] if best[0] < 0 else None


def spoken_place(places: Sequence[Place], there: Mapping[str, Seen], visited: Sequence[str]) -> Place | None:
    """Return the visible place that one is told to go to; None where one stands there already, or is told of none."""
    for place in places:
        name = there[place.key]["name"]
        if not (visited and visited[-1] == name and there[place.key]["distance"] < 2 * ARM):
            return place
    return None
