"""Whether the places that an assistant guides to come into view: counts for cumulative goal visibility (CGV)."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from attrs import frozen

from recfw.model.task import Task
from recfw_situated.metrics.played import Entity, Played
from recfw_situated.scenes.load import load_scene

HORIZONS = (0, 1, 2, 3, 4, 5)
"""Turns after the current one through which a window reaches; beside them there is one that reaches the end."""


@frozen
class Goal:
    """A navigation goal: the turn that named it, the kind of place and its id."""

    turn: int
    kind: str
    id: str


@frozen
class Visibility:
    """
    Counts that are pooled over episodes.

    Args:
        goals: Goals with a checkable current observation: the denominator at every horizon.
        unresolved: Goals that name no place of the scene; they are left out.
        seen: For each of :data:`HORIZONS`, how many goals came into view within the window.
        seen_end: The same through the end of the episode.
    """

    goals: int
    unresolved: int
    seen: tuple[int, ...]
    seen_end: int


@cache
def homes(scene: str) -> Mapping[str, frozenset[str]]:
    """Return product -> ids of the stores and display areas that it stands in; empty of the supermarket."""
    records = load_scene(scene)
    found: dict[str, set[str]] = {}
    for instance in records.instances:
        area = records.area_by_id.get(instance.place)
        if area is not None:
            found.setdefault(instance.product, set()).update((area.id, area.store))
    return {product: frozenset(places) for product, places in found.items()}


def homes_of(task: Task) -> Mapping[str, Collection[str]]:
    """Return product -> ids of the places that it stands in: the task says so, or its scene is one that ships."""
    told: Mapping[str, Collection[str]] | None = task.public.get("homes")
    return homes(str(task.public["scene"])) if told is None else told


def goals_of(played: Played) -> tuple[list[Goal], int]:
    """Return the goals whose current observation is saved, and how many goals name no place."""
    named = [(turn.number, turn.said["goal"]) for turn in played.turns if turn.said is not None and turn.said["goal"]]
    found = [Goal(turn, goal["kind"], goal["id"]) for turn, goal in named if goal["id"] is not None]
    return [goal for goal in found if goal.turn in played.views], len(named) - len(found)


def in_view(goal: Goal, view: Collection[Entity], home: Mapping[str, Collection[str]]) -> bool:
    """Return whether a goal is in a view: itself, or a product that stands there (furnishings)."""
    if (goal.kind, goal.id) in view:
        return True
    return any(kind == "product" and goal.id in home.get(name, ()) for kind, name in view)


def visibility(played: Played, home: Mapping[str, Collection[str]]) -> Visibility:
    """
    Count an episode's goals and how many came into view by each horizon.

    A window that the episode's end cuts short stays in the denominator: nothing more could be seen.
    """
    goals, unresolved = goals_of(played)
    waits = [_wait(goal, played, home) for goal in goals]
    came = [wait for wait in waits if wait is not None]
    seen = tuple(sum(wait <= horizon for wait in came) for horizon in HORIZONS)
    return Visibility(len(goals), unresolved, seen, len(came))


def _wait(goal: Goal, played: Played, home: Mapping[str, Collection[str]]) -> int | None:
    """Return after how many turns a goal is first in view; None where it never is."""
    turns: Iterable[int] = sorted(number for number in played.views if number >= goal.turn)
    return next((turn - goal.turn for turn in turns if in_view(goal, played.views[turn], home)), None)
