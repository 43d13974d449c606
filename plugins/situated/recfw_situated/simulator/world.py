"""
The world behind the port: the shopper's pose, hand and cart, the engine objects, the cameras, and the pictures of them.

Everything here is used by one thread. Nothing changes but by a call.
"""

import math
from collections import OrderedDict
from collections.abc import Sequence

import attrs

from recfw_situated.scenes.records import Box, Part, Pose, Scene
from recfw_situated.simulator.atlas import Atlas
from recfw_situated.simulator.body import Obstacles, Walk
from recfw_situated.simulator.camera import View
from recfw_situated.simulator.closeup import HELD, SHOWN, Manner, closeup
from recfw_situated.simulator.render import Shot
from recfw_situated.simulator.solids import Solids, solids
from recfw_situated.simulator.things import Stand, Things

LOWEST, HIGHEST = -80.0, 80.0  # degrees of pitch
USER = "User"
_KEPT = 6  # renders kept for more commands about the same moment


@attrs.define
class Camera:
    """A camera: camera 0 has no place of its own (it is the shopper's eyes), others fly freely."""

    name: str
    width: int = 640
    height: int = 480
    fov: float = 90.0
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0


def wrapped(yaw: float) -> float:
    """A yaw within [-180, 180)."""
    return (yaw + 180.0) % 360.0 - 180.0


class World:
    """One store with one shopper in it."""

    def __init__(self, scene: Scene, parts: Sequence[Part], obstacles: Sequence[tuple[str, Box]]) -> None:
        """Open a scene with the shopper at its start."""
        self.scene = scene
        self._atlas = Atlas()
        stands = {one.id: Stand(one.position, one.yaw) for one in scene.instances}
        goods = frozenset(stands)
        self.things = Things(parts, stands, scene.object_colors, goods, self._atlas)
        self.obstacles = Obstacles(obstacles, scene.radius)
        self.cameras = [Camera("Camera_0")]
        self.pose: Pose = scene.start
        self.held = ""
        self.shown = ""
        self.cart: list[str] = []
        self.collisions: dict[str, int] = {}
        self.path: list[tuple[float, float]] = []
        self.speed = 100.0  # cm/s, of SimWorld's timed steps
        self.port = 0
        self._shots: OrderedDict[tuple[View, int, str, bool], Shot] = OrderedDict()
        self._closeups: OrderedDict[tuple[str, bool, tuple[float, float]], tuple[Solids, Atlas]] = OrderedDict()

    # --- the body -----------------------------------------------------------------------------------------------

    def place(self, x: float, y: float, yaw: float) -> bool:
        """Put the body somewhere, looking level, if it fits there."""
        if not self._inside(x, y) or not self.obstacles.free(x, y):
            return False
        self.pose = Pose(x, y, wrapped(yaw), 0.0)
        return True

    def walk(self, x: float, y: float) -> Walk:
        """Walk towards a point with collision; the pose is where the walk ended."""
        walk = self.obstacles.walk(self.pose.x, self.pose.y, x, y)
        self.pose = attrs.evolve(self.pose, x=walk.x, y=walk.y)
        if walk.hit:
            self.collisions[walk.hit] = self.collisions.get(walk.hit, 0) + 1
        return walk

    def step(self, forward: float, right: float) -> Walk:
        """Walk relative to where the body faces."""
        yaw = math.radians(self.pose.yaw)
        cos, sin = math.cos(yaw), math.sin(yaw)
        return self.walk(self.pose.x + forward * cos - right * sin, self.pose.y + forward * sin + right * cos)

    def face(self, yaw: float) -> None:
        """Turn the body."""
        self.pose = attrs.evolve(self.pose, yaw=wrapped(yaw))

    def is_building(self, name: str) -> bool:
        """Tell whether what was run into is a wall."""
        return name.startswith("Wall")

    def look(self, pitch: float) -> None:
        """Tilt the head, within what a neck allows."""
        self.pose = attrs.evolve(self.pose, pitch=min(max(pitch, LOWEST), HIGHEST))

    def _inside(self, x: float, y: float) -> bool:
        """Tell whether a point lies within the building."""
        low, high, radius = self.scene.bounds.low, self.scene.bounds.high, self.scene.radius
        return low[0] + radius <= x <= high[0] - radius and low[1] + radius <= y <= high[1] - radius

    # --- the hand and the cart ----------------------------------------------------------------------------------

    def pick_up(self, name: str) -> str:
        """Take an instance into the empty hand. Returns why not, or ""."""
        if refusal := self._missing(name):
            return refusal
        if self.held:
            return f"The hand holds {self.held} already; drop it first."
        self.held, self.shown = name, ""
        self.things.take(name, True)
        return ""

    def drop(self) -> str:
        """Put the held instance back in its place. Returns why not, or ""."""
        if not self.held:
            return "The hand is empty."
        self.things.take(self.held, False)
        self.held = ""
        return ""

    def put_in_cart(self, name: str = "") -> str:
        """Put the held instance, or a note of one on display, into the cart. Returns why not, or ""."""
        if name in ("", self.held):
            if not self.held:
                return "The hand is empty."
            self.cart.append(self.held)
            self.held = ""
            self.things.version += 1
            return ""
        if refusal := self._missing(name):
            return refusal
        if name in self.cart:
            return f"{name} is in the cart already."
        self.cart.append(name)
        return ""

    def remove_from_cart(self, name: str) -> str:
        """Take an instance out of the cart; it is back in its place. Returns why not, or ""."""
        if name not in self.cart:
            return f"{name} is not in the cart."
        self.cart.remove(name)
        self.things.take(name, False)
        return ""

    def show_item(self, name: str) -> str:
        """Show an instance close up ("" ends it). Returns why not, or ""."""
        if name and (refusal := self._missing(name)):
            return refusal
        if name and self.held:
            return f"The hand holds {self.held}; drop it first."
        self.shown = name
        self.things.version += 1
        return ""

    def _missing(self, name: str) -> str:
        """Why an instance cannot be taken or shown, or ""."""
        if name not in self.scene.instance_by_id:
            return f"There is no item {name}."
        return "" if self.things.present(name) else f"{name} is not in its place."

    def reset(self) -> None:
        """The scene as loaded, shopper and cameras' settings included."""
        self.things.reset()
        self.pose = self.scene.start
        self.held = self.shown = ""
        self.cart.clear()
        self.collisions.clear()
        self.path.clear()
        self.speed = 100.0

    # --- pictures -----------------------------------------------------------------------------------------------

    def view(self, number: int) -> View:
        """What a camera sees with."""
        camera = self.cameras[number]
        if number == 0:
            pose = self.pose
            return View(
                pose.x, pose.y, self.scene.eye_height, pose.pitch, pose.yaw, camera.width, camera.height, camera.fov
            )
        return View(camera.x, camera.y, camera.z, camera.pitch, camera.yaw, camera.width, camera.height, camera.fov)

    def shot(self, number: int) -> Shot:
        """The render of a camera's present view; the same object as long as nothing that it shows has changed."""
        view = self.view(number)
        item, manner = self._before_eyes(view)
        key = (view, self.things.version, item, manner is HELD)
        known = self._shots.get(key)
        if known is None:
            known = self._shots[key] = self.render(number)
            while len(self._shots) > _KEPT:
                self._shots.popitem(last=False)
        return known

    def render(self, number: int) -> Shot:
        """A new render of a camera's present view."""
        view = self.view(number)
        return Shot(self.things.drawn(), view, self._atlas, self._close(view, *self._before_eyes(view)))

    def _before_eyes(self, view: View) -> tuple[str, Manner]:
        """What is held or shown before a view, "" for nothing: only a camera at the shopper's eyes sees it."""
        eyes = self.view(0)
        near = math.dist((view.x, view.y, view.z), (eyes.x, eyes.y, eyes.z)) < 1.0
        near = near and abs(wrapped(view.yaw - eyes.yaw)) < 1.0 and abs(view.pitch - eyes.pitch) < 1.0
        return (self.held or self.shown if near else ""), (HELD if self.held else SHOWN)

    def _close(self, view: View, name: str, manner: Manner) -> tuple[Solids, Atlas] | None:
        """The close-up of an item with its texts, None when there is none."""
        if not name:
            return None
        half = math.tan(math.radians(view.fov) / 2.0)
        slope = (half, half * view.height / view.width)
        key = (name, manner is HELD, slope)
        known = self._closeups.get(key)
        if known is None:
            stand = self.things.home(name)
            product = self.scene.product_by_id[self.scene.instance_by_id[name].product]
            made = closeup(self.things.parts(name), stand.location, stand.yaw, product.name, manner, slope)
            atlas = Atlas()
            known = solids(made, self.things.rows(), atlas, frozenset([name]), sharp=True), atlas
            self._closeups[key] = known
            while len(self._closeups) > _KEPT:
                self._closeups.popitem(last=False)
        return known
