"""Blueprint-like calls on the user, `vbp User FUNCTION …`, answered by a JSON object of strings; see dialect.md."""

import json
import math
from collections.abc import Callable

from recfw_situated.simulator.body import Walk
from recfw_situated.simulator.dispatch import CommandError, number
from recfw_situated.simulator.world import USER, World

Fields = dict[str, str]
Call = Callable[..., Fields]

_FURTHEST = 1e5  # cm of one walk
_POINTS = 200  # of one path


def answer(world: World, name: str, function: str, *arguments: str) -> str:
    """Answer a call."""
    if name != USER:
        if name in world.things:
            raise CommandError(f"Cannot find function '{function}' of object '{name}'")
        raise CommandError("Cannot find object")
    found = CALLS.get(function)
    if found is None:
        raise CommandError(f"Cannot find function '{function}' of object '{name}'")
    least, most, call = found
    if not least <= len(arguments) <= most:
        raise CommandError("Argument Invalid")
    return json.dumps(call(world, *arguments))


def _yes(value: bool) -> str:
    """A boolean as answers have it."""
    return "true" if value else "false"


def _pose(world: World) -> Fields:
    """Where the body is and looks."""
    pose = world.pose
    named = {"X": pose.x, "Y": pose.y, "Z": 0.0, "Yaw": pose.yaw, "Pitch": pose.pitch}
    return {key: f"{value:.4f}" for key, value in named.items()}


def _numbers(*arguments: str) -> list[float]:
    """All arguments as numbers that a walk or a turn may have."""
    values = [number(text) for text in arguments]
    if any(abs(value) > _FURTHEST for value in values):
        raise CommandError("Argument Invalid")
    return values


def _walked(world: World, start: tuple[float, float], walk: Walk) -> Fields:
    """The answer to a straight walk."""
    moved = math.dist(start, (walk.x, walk.y))
    return {**_pose(world), "Moved": f"{moved:.4f}", "Blocked": _yes(walk.blocked), "Hit": walk.hit}


def place_at(world: World, x: str, y: str, yaw: str) -> Fields:
    """Put the body somewhere."""
    done = world.place(*_numbers(x, y, yaw))
    return {**_pose(world), "Success": _yes(done)}


def move_by(world: World, forward: str, right: str) -> Fields:
    """Walk relative to the body."""
    ahead, aside = _numbers(forward, right)
    start = (world.pose.x, world.pose.y)
    return _walked(world, start, world.step(ahead, aside))


def move_to(world: World, x: str, y: str) -> Fields:
    """Walk towards a point."""
    start = (world.pose.x, world.pose.y)
    return _walked(world, start, world.walk(*_numbers(x, y)))


def _points(text: str) -> list[tuple[float, float]]:
    """The points of a path written as x,y;x,y."""
    points = []
    for pair in text.strip('"').strip(";").split(";"):
        values = _numbers(*pair.split(","))
        if len(values) not in (2, 3):
            raise CommandError("Argument Invalid")
        points.append((values[0], values[1]))
    if len(points) > _POINTS:
        raise CommandError("Argument Invalid")
    return points


def set_path(world: World, path: str) -> Fields:
    """Remember a path."""
    world.path = _points(path)
    return {"Success": "true"}


def follow_path(world: World, path: str = "") -> Fields:
    """Walk a path leg by leg until one does not arrive."""
    points = _points(path) if path else world.path
    moved, reached, hit, blocked = 0.0, 0, "", False
    for x, y in points:
        start = (world.pose.x, world.pose.y)
        walk = world.walk(x, y)
        step = math.dist(start, (walk.x, walk.y))
        if step > 1.0:
            world.face(math.degrees(math.atan2(walk.y - start[1], walk.x - start[0])))
        moved, hit, blocked = moved + step, hit or walk.hit, walk.blocked
        if blocked:
            break
        reached += 1
    return {
        **_pose(world), "Moved": f"{moved:.4f}", "Blocked": _yes(blocked), "Hit": hit, "Reached": str(reached)
    }  # fmt: skip


def turn_by(world: World, degrees: str) -> Fields:
    """Turn the body by an angle."""
    world.face(world.pose.yaw + _numbers(degrees)[0])
    return _pose(world)


def turn_to(world: World, yaw: str) -> Fields:
    """Turn the body to an angle."""
    world.face(_numbers(yaw)[0])
    return _pose(world)


def look_by(world: World, degrees: str) -> Fields:
    """Tilt the head by an angle."""
    world.look(world.pose.pitch + _numbers(degrees)[0])
    return _pose(world)


def look_to(world: World, pitch: str) -> Fields:
    """Tilt the head to an angle."""
    world.look(_numbers(pitch)[0])
    return _pose(world)


def _done(refusal: str, **fields: str) -> Fields:
    """The answer to a deed that may be refused."""
    return {"Success": _yes(not refusal), "Reason": refusal, **fields}


def pick_up(world: World, name: str) -> Fields:
    """Take an instance."""
    return _done(world.pick_up(name), Held=world.held)


def drop(world: World) -> Fields:
    """Put it back."""
    return _done(world.drop(), Held=world.held)


def put_in_cart(world: World, name: str = "") -> Fields:
    """Put the held instance, or one on display, into the cart."""
    refusal = world.put_in_cart(name)
    return _done(refusal, Held=world.held, Cart=",".join(world.cart))


def remove_from_cart(world: World, name: str) -> Fields:
    """Take an instance out of the cart."""
    return _done(world.remove_from_cart(name), Cart=",".join(world.cart))


def show_item(world: World, name: str) -> Fields:
    """Show an instance close up."""
    return _done(world.show_item(name), Shown=world.shown)


def hide_item(world: World) -> Fields:
    """End that."""
    return _done(world.show_item(""), Shown=world.shown)


def state(world: World) -> Fields:
    """Everything about the shopper."""
    return {
        **_pose(world),
        "Held": world.held,
        "Shown": world.shown,
        "Cart": ",".join(world.cart),
        "Version": str(world.things.version),
    }


def reset(world: World) -> Fields:
    """The scene as loaded."""
    world.reset()
    return {**_pose(world), "Success": "true"}


def step_forward(world: World, duration: str, direction: str = "0") -> Fields:
    """SimWorld's timed step: speed times duration at once, forward, backward, left or right."""
    seconds, way = _numbers(duration, direction)
    along = {0: (1.0, 0.0), 1: (-1.0, 0.0), 2: (0.0, -1.0), 3: (0.0, 1.0)}.get(int(way))
    if along is None or seconds < 0:
        raise CommandError("Argument Invalid")
    length = seconds * world.speed
    start = (world.pose.x, world.pose.y)
    return _walked(world, start, world.step(along[0] * length, along[1] * length))


def move_forward(world: World) -> Fields:
    """SimWorld's walk until stopped, here one second of it."""
    return step_forward(world, "1")


def stop(world: World) -> Fields:
    """SimWorld's stop: nothing moves on its own here."""
    return _pose(world)


def set_speed(world: World, speed: str) -> Fields:
    """SimWorld's walking speed, cm a second."""
    value = _numbers(speed)[0]
    if value < 0:
        raise CommandError("Argument Invalid")
    world.speed = value
    return {"Success": "true"}


def turn_around(world: World, duration: str, angle: str, clockwise: str) -> Fields:
    """SimWorld's timed turn; the sign of the angle is the direction."""
    world.face(world.pose.yaw + _numbers(duration, angle, clockwise)[1])
    return _pose(world)


def collisions(world: World) -> Fields:
    """SimWorld's counters: what was run into since the last reset."""
    walls = sum(count for name, count in world.collisions.items() if world.is_building(name))
    others = sum(world.collisions.values()) - walls
    return {
        "HumanCollision": "0",
        "ObjectCollision": str(others),
        "BuildingCollision": str(walls),
        "VehicleCollision": "0",
    }


CALLS: dict[str, tuple[int, int, Call]] = {
    "GetPose": (0, 0, stop),
    "PlaceAt": (3, 3, place_at),
    "MoveBy": (2, 2, move_by),
    "MoveTo": (2, 2, move_to),
    "SetPath": (1, 1, set_path),
    "FollowPath": (0, 1, follow_path),
    "TurnBy": (1, 1, turn_by),
    "TurnTo": (1, 1, turn_to),
    "LookBy": (1, 1, look_by),
    "LookTo": (1, 1, look_to),
    "PickUp": (1, 1, pick_up),
    "DropOff": (0, 0, drop),
    "PutInCart": (0, 1, put_in_cart),
    "RemoveFromCart": (1, 1, remove_from_cart),
    "ShowItem": (1, 1, show_item),
    "HideItem": (0, 0, hide_item),
    "GetState": (0, 0, state),
    "Reset": (0, 0, reset),
    "StepForward": (1, 2, step_forward),
    "MoveForward": (0, 0, move_forward),
    "StopAgent": (0, 0, stop),
    "SetMaxSpeed": (1, 1, set_speed),
    "TurnAround": (3, 3, turn_around),
    "GetCollisionNum": (0, 0, collisions),
}
"""Function -> the least and most number of arguments, and what answers it."""
