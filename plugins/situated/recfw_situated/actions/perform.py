"""
Carrying an allowed action out in the store.

Paths are planned here, on the scene's records; the store only executes primitives with collision. A check stays open
while the user stands where it is (idle, turn, look) and is closed by adding, declining, another check or a step.
"""

import math
from typing import Protocol

from attrs import frozen

from recfw.errors import InfrastructureError
from recfw_situated.actions.state import Interaction
from recfw_situated.actions.user import FREE_MOVES, GUIDED_MOVES, Call
from recfw_situated.driver.store import Done, Moved, Store
from recfw_situated.scenes.records import Pose, Scene
from recfw_situated.views.observe import Marker

Point = tuple[float, float]
PITCH = 60.0
"""Most degrees that the eyes are raised or lowered."""


class Planner(Protocol):
    """Plans walks on the scene's records."""

    def path(self, start: Point, goal: Point) -> tuple[Point, ...] | None:
        """Return the points of a walk, its end included; None where there is none."""
        ...

    def closest_reachable(self, place: str, start: Point) -> Point | None:
        """Return the reachable point beside a place that is nearest to where one stands; None where there is none."""
        ...


@frozen
class Effect:
    """What an action did: where the user is, how far it came (cm), what was in the way, whose facts were revealed."""

    pose: Pose
    moved: float = 0.0
    blocked: bool = False
    inspected: str = ""


async def perform(
    call: Call, marker: Marker | None, pose: Pose, store: Store, planner: Planner, state: Interaction
) -> Effect:
    """
    Carry an allowed action out; the state is changed with it.

    Args:
        call: The action.
        marker: What its label stands for.
        pose: Where the user is.
        store: Where it happens.
        planner: Plans walks to fixed points.
        state: What is held, checked and in the cart.
    """
    if state.checked and (call.name in FREE_MOVES or call.name in GUIDED_MOVES):
        await _close(store, state)
    if call.name in FREE_MOVES:
        return _moved(pose, await _walk(call, store))
    if call.name in GUIDED_MOVES:
        assert marker is not None
        return _moved(pose, await _go(call, marker, pose, store, planner))
    if call.name == "turn":
        return Effect(await store.turn(_signed(call)))
    if call.name == "look_up_down":
        wanted = pose.pitch + (1 if call.get("direction") == "up" else -1) * float(call.get("angle_deg"))
        return Effect(await store.look(max(-PITCH, min(PITCH, wanted)) - pose.pitch))
    return Effect(pose, inspected=await _handle(call, marker, store, state))


def _moved(before: Pose, moved: Moved) -> Effect:
    after = moved.pose
    return Effect(after, math.dist((before.x, before.y), (after.x, after.y)), moved.blocked)


def _signed(call: Call) -> float:
    return (1 if call.get("direction") == "right" else -1) * float(call.get("angle_deg"))


async def _walk(call: Call, store: Store) -> Moved:
    length = float(call.get("distance_cm"))
    if call.name == "turn_and_move":
        await store.turn(_signed(call))
        return await store.move(length, 0.0)
    if call.name == "move_and_turn":
        moved = await store.move(length, 0.0)
        return Moved(await store.turn(_signed(call)), moved.distance, moved.blocked, moved.hit)
    if call.name == "side_step":
        return await store.move(0.0, length if call.get("direction") == "right" else -length)
    return await store.move(length if call.name == "move_forward" else -length, 0.0)


async def _go(call: Call, marker: Marker, pose: Pose, store: Store, planner: Planner) -> Moved:
    goal, yaw = _goal(call, marker, pose, store.scene, planner)
    path = planner.path((pose.x, pose.y), goal) if goal is not None else None
    return await store.follow(path, yaw) if path else Moved(pose, 0.0, blocked=True)


def _goal(call: Call, marker: Marker, pose: Pose, scene: Scene, planner: Planner) -> tuple[Point | None, float | None]:
    """Return where to walk (None: nowhere), and which way to face there; None for no facing of its own."""
    if call.name == "move_to_fixture" and call.get("approach") == "nearest":
        return planner.closest_reachable(marker.id, (pose.x, pose.y)), None
    point = scene.waypoint_by_id[waypoint_of(scene, marker, call.get("approach"))]
    return (point.x, point.y), point.yaw


def waypoint_of(scene: Scene, marker: Marker, approach: str | None) -> str:
    """Return the id of the fixed viewpoint that a walk to a place by an approach ends at."""
    if marker.kind == "area":
        return scene.area_by_id[marker.id].waypoint
    if marker.kind == "store":
        store = scene.store_by_id[marker.id]
        return store.outside_doorway if approach == "outside_doorway" else store.inside_doorway
    fixture = scene.fixture_by_id[marker.id]
    return fixture.back or fixture.front if approach == "back" else fixture.front


async def _handle(call: Call, marker: Marker | None, store: Store, state: Interaction) -> str:
    """Do what concerns a product; return the id of the product whose facts it revealed."""
    if call.name == "pick_up_item":
        assert marker is not None
        _expect(await store.pick(marker.instance), "pick up")
        state.held = marker.instance
        return marker.id
    if call.name == "check_item":
        assert marker is not None
        await _close(store, state)
        _expect(await store.show_item(marker.instance), "show")
        state.checked = marker.instance
        return marker.id
    if call.name == "drop_item":
        _expect(await store.drop(), "put back")
        state.held = ""
    elif call.name == "add_to_cart":
        await _add(store, state)
    elif call.name == "do_not_add_to_cart":
        await _close(store, state)
    return ""


async def _add(store: Store, state: Interaction) -> None:
    instance = state.held or state.checked
    _expect(await store.cart(None if state.held else instance), "add to the cart")
    state.held = ""
    await _close(store, state)
    state.cart.append(instance)


async def _close(store: Store, state: Interaction) -> None:
    if state.checked:
        _expect(await store.show_item(None), "put away")
        state.checked = ""


def _expect(done: Done, what: str) -> None:
    """Raise where the store does not do what the rules allow: then its build is at odds with the records."""
    if not done.success:
        words = f"The store could not {what} an item: {done.reason or 'it gave no reason'}"
        raise InfrastructureError(words, "See what it offers with: recfw situated check", kind="protocol")
