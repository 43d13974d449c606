"""
The scripted oracle ``situated-oracle``: a user that knows the target and where it stands, walks there, inspects, adds.

It shows that every task can be done; it is no shopper. It reads the shipped pool for its target, plans on the scene's
records, and reckons its pose from its own steps.
"""

import math
from collections.abc import Sequence
from typing import ClassVar

from attrs import define, evolve, field, frozen

from recfw.errors import UsageError
from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import PATH, Context, Player, UserSimulator
from recfw_situated import playing
from recfw_situated.actions.user import SUPERMARKET, Call
from recfw_situated.planning.paths import Planner
from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.records import Instance, Pose, Scene, Waypoint
from recfw_situated.tasks import pool
from recfw_situated.tasks.records import SituatedTask

LEGS = 500.0
LOOKS = (("down", 25.0), ("up", 50.0))


@frozen
class OracleOptions:
    """
    Args:
        tasks_file: The pool of tasks that is played; empty for the one that ships, or the store's own.
        scene: The folder of a store of one's own; empty for those that ship.
    """

    tasks_file: str = field(default="", metadata=PATH)
    scene: str = field(default="", metadata=PATH)


@define
class _Walk:
    """The oracle in one episode."""

    context: Context
    target: str
    scene: Scene
    pose: Pose = field(init=False)
    looked: int = field(default=0, init=False)
    tried: list[str] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.pose = self.scene.start

    async def reply(self, view: View) -> Reply:
        """Do the next thing; say next to nothing."""
        await playing.look(self.context, view)
        call = self._next(view.facts)
        said = f"{call.name}."
        data = {"utterance": said, "tool_calls": [{"name": call.name, "arguments": call.arguments}]}
        return Reply(said, data=data)

    def _next(self, facts: dict[str, object]) -> Call:
        if facts["held"] or facts["checked"]:
            return Call("add_to_cart", {})
        name = self.scene.product_by_id[self.target].name
        visible = facts["visible"]
        assert isinstance(visible, dict)
        for seen in visible["products"]:
            if seen["name"] == name and seen["reach"]:
                pick = "pick_up_item" if self.scene.kind == SUPERMARKET else "check_item"
                return Call(pick, {"item": seen["handle"]})
        return self._walk()

    def _walk(self) -> Call:
        point = self._viewpoint()
        if math.dist((self.pose.x, self.pose.y), (point.x, point.y)) > 5.0:
            planner = _planner(self.scene)
            path = planner.path((self.pose.x, self.pose.y), (point.x, point.y))
            assert path is not None
            return self._leg(path[0])
        turn = _wrapped(point.yaw - self.pose.yaw)
        if abs(turn) > 1.0:
            self.pose = evolve(self.pose, yaw=point.yaw)
            return Call("turn", {"direction": _side(turn), "angle_deg": abs(turn)})
        if self.looked < len(LOOKS):
            direction, angle = LOOKS[self.looked]
            self.looked += 1
            return Call("look_up_down", {"direction": direction, "angle_deg": angle})
        self.tried.append(point.id)
        self.looked = 0
        return Call("look_up_down", {"direction": "down", "angle_deg": 25.0})

    def _leg(self, to: tuple[float, float]) -> Call:
        """Return the turn and walk to a point, at most :data:`LEGS` of it."""
        dx, dy = to[0] - self.pose.x, to[1] - self.pose.y
        yaw, length = math.degrees(math.atan2(dy, dx)), min(LEGS, max(10.0, math.hypot(dx, dy)))
        turn = _wrapped(yaw - self.pose.yaw)
        self.pose = Pose(
            self.pose.x + length * math.cos(math.radians(yaw)),
            self.pose.y + length * math.sin(math.radians(yaw)),
            yaw,
        )
        if abs(turn) < 1.0:
            return Call("move_forward", {"distance_cm": length})
        return Call("turn_and_move", {"direction": _side(turn), "angle_deg": abs(turn), "distance_cm": length})

    def _viewpoint(self) -> Waypoint:
        """Return the fixed viewpoint that is nearest to an instance of the target, of its place, not tried in vain."""
        places = [one for one in self.scene.instances if one.product == self.target]
        found = [
            (_gap(point, one), point.id, point)
            for one in places
            for point in self.scene.waypoints
            if point.of == one.place and point.id not in self.tried
        ]
        if not found:
            self.tried.clear()
            return self._viewpoint()
        return min(found, key=lambda each: each[:2])[2]


def _gap(point: Waypoint, one: Instance) -> float:
    """Return how far an instance is from a viewpoint; one that shows its other side counts as much farther."""
    away = math.degrees(math.atan2(one.position[1] - point.y, one.position[0] - point.x))
    behind = abs(_wrapped(one.yaw + 180.0 - away)) > 90.0
    return round(math.dist((point.x, point.y), one.position[:2]), 3) + (500.0 if behind else 0.0)


_PLANNERS: dict[str, Planner] = {}


def _planner(scene: Scene) -> Planner:
    if scene.digest not in _PLANNERS:
        _PLANNERS[scene.digest] = Planner(scene)
    return _PLANNERS[scene.digest]


def _wrapped(angle: float) -> float:
    return (angle + 180.0) % 360.0 - 180.0


def _side(turn: float) -> str:
    return "right" if turn > 0 else "left"


def _pool(options: OracleOptions) -> Sequence[SituatedTask]:
    if options.scene:
        return pool.read_own(load_scene(options.scene), options.scene, options.tasks_file)
    return pool.read_pool(options.tasks_file) if options.tasks_file else pool.shipped()


class SituatedOracle(UserSimulator):
    """Walks to the target, inspects it, adds it to the cart."""

    name: ClassVar[str] = "situated-oracle"
    summary: ClassVar[str] = "knows the target: walks there, inspects it, buys it (shows that a task can be done)"
    Options: ClassVar[type] = OracleOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("situated",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: OracleOptions) -> None:
        self._scene = options.scene
        self._tasks = {task.id: task for task in _pool(options)}

    def episode(self, context: Context) -> Player:
        """Return the oracle for one episode; UsageError of a task that its pool does not hold."""
        task = self._tasks.get(context.task)
        if task is None:
            hint = "Set user.tasks_file to the pool, or user.scene to the folder of a store of your own."
            raise UsageError(f"the oracle's pool has no task '{context.task}'.", hint)
        return _Walk(context, task.target, load_scene(self._scene or task.scene))
