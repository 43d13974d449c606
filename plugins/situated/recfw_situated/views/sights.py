"""
What can be made out in a frame: products, fixtures, stores and areas, with their distance and direction.

The same list serves both roles, the marker maps, the overlays and the trace. It is computed from a small mask and depth
picture, whether or not anybody looks at a picture, so that figures do not depend on who looks.
"""

import math
from collections.abc import Iterable, Mapping

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recfw_situated.scenes.records import Box, Instance, Pose, Scene
from recfw_situated.scenes.records import Role as Kind
from recfw_situated.views.frame import Frame
from recfw_situated.views.palette import Palette

SIZE = (320, 240)
"""Width and height of the pictures that decide what is visible."""

CLOSE_UP = 30.0
"""Planar depth (cm) nearer than which only the held or shown item can be: the shopper's own radius is larger."""

POINT_SLACK = 25.0
"""How far (cm) before an area's fixed point something may stand without hiding it, such as what stands on that spot."""


@attrs.frozen
class Ranges:
    """
    How far each kind is marked, as planar depth in cm, and how much of a 320x240 picture it must cover: so many pixels,
    within a box whose shorter side has so many.

    A product is marked as far away as its shape and mark can be told apart in a 640x480 picture: 5 m for groceries, and
    where what is sold is so large that it is inspected from further away, twice as far as that. Places, which carry
    signs, are marked across the hall.
    """

    product: float = 500.0
    fixture: float = 2500.0
    store: float = 4000.0
    area: float = 1200.0
    product_pixels: int = 24
    place_pixels: int = 100
    product_side: int = 3
    place_side: int = 6

    @classmethod
    def of(cls, scene: Scene) -> "Ranges":
        """Return a scene's ranges."""
        return cls(product=max(500.0, 2 * scene.reach))

    def depth(self, kind: Kind) -> float:
        """Return a kind's range."""
        return {"product": self.product, "fixture": self.fixture, "store": self.store}.get(kind, self.area)

    def pixels(self, kind: Kind) -> int:
        """Return how many pixels a kind must cover."""
        return self.product_pixels if kind == "product" else self.place_pixels

    def side(self, kind: Kind) -> int:
        """Return how long the shorter side of its box must be."""
        return self.product_side if kind == "product" else self.place_side


@attrs.frozen
class Sight:
    """
    One visible thing.

    Args:
        kind: ``product``, ``fixture``, ``store`` or ``area``.
        id: Id of the scene record.
        distance: From the shopper along the floor, in cm: to the nearest visible instance of a product, to the outline
            of a fixture or store, to the fixed point of an area.
        bearing: Direction of what is visible of it, in degrees, positive to the right.
        pixels: How many pixels of a 320x240 picture it covers.
        instance: The nearest visible instance of a product.
    """

    kind: Kind
    id: str
    distance: float
    bearing: float
    pixels: int
    instance: str = ""


@attrs.frozen
class Sights:
    """What is visible from a pose, nearest first, and the product of a close-up where there is one."""

    pose: Pose
    all: tuple[Sight, ...]
    close_up: str = ""

    def of(self, kind: Kind) -> tuple[Sight, ...]:
        """Return those of one kind, nearest first."""
        return tuple(sight for sight in self.all if sight.kind == kind)


class Eyes:
    """
    Makes out what is visible in frames of one scene.

    Args:
        scene: The scene's records.
        palette: How its masks are decoded; by default as painted.
        ranges: How far and how large things must be to be marked; by default the scene's.
    """

    def __init__(self, scene: Scene, palette: Palette | None = None, ranges: Ranges | None = None) -> None:
        self.scene = scene
        self.palette = palette or Palette.of(scene)
        self.shot: tuple[Sights, tuple[int, int], Frame] | None = None  # the last picture that was taken for a look
        self.ranges = ranges or Ranges.of(scene)
        kinds: list[Kind] = [kind for kind, _ in self.palette.entities]
        self._far = np.array([0.0, *map(self.ranges.depth, kinds)], dtype=np.float32)
        self._least = np.array([1 << 30, *map(self.ranges.pixels, kinds)], dtype=float)
        held = scene.instances
        products = scene.product_by_id
        self._instances: tuple[Instance, ...] = held
        self._place_of = {one.id: one.place for one in held}
        heights = np.array([products[one.product].size[2] for one in held])
        self._centers = np.array([one.position for one in held], dtype=float).reshape(-1, 3)
        self._centers[:, 2] += heights / 2
        self._halves = np.array([math.hypot(*products[one.product].size) / 2 for one in held])
        self._owner = np.array([self.palette.index["product", one.product] for one in held])
        self._points = np.array([area.point for area in scene.areas], dtype=float).reshape(-1, 3)

    def indices(self, frame: Frame) -> NDArray[np.int16]:
        """Return each pixel's palette index, 0 where nothing is to be marked: background, close-up or out of range."""
        ids = self.palette.decode(frame.mask)
        return np.where((frame.depth > CLOSE_UP) & (frame.depth <= self._far[ids]), ids, np.int16(0))

    def see(self, frame: Frame, taken: Iterable[str] = ()) -> Sights:
        """
        Return what is visible.

        Args:
            frame: Mask and depth; thresholds are scaled to its size.
            taken: Instances that are not in their places (held, or in the cart).
        """
        ids = self.indices(frame)
        flat = ids.ravel()
        where = np.flatnonzero(flat)
        found = flat[where]
        size = len(self.palette.entities) + 1
        counts = np.bincount(found, minlength=size)
        columns = np.bincount(found, weights=where % frame.width, minlength=size)
        scale = frame.width * frame.height / (SIZE[0] * SIZE[1])
        large = self._large(ids, counts, scale)
        at, near = self._visible_instances(frame, ids, frozenset(taken))
        sights: list[Sight] = []
        shown: dict[str, int] = {}
        for index in large:
            kind, name = self.palette.entities[index - 1]
            pixels = round(float(counts[index]) / scale)
            bearing = frame.bearing(float(columns[index] / counts[index]) + 0.5)
            if kind == "product":
                instance = near.get(index) or self._fallback(frame, ids, index, frozenset(taken))
                sights.append(Sight(kind, name, *self._to(instance, frame.pose), bearing, pixels, instance.id))
                for place in at.get(index) or (instance.place,):
                    shown[place] = max(shown.get(place, 0), pixels)
            elif kind != "area":
                sights.append(Sight(kind, name, _along(self._box(kind, name), frame.pose), bearing, pixels))
        sights += self._areas(frame, shown)
        sights.sort(key=lambda sight: (round(sight.distance, 1), sight.kind, sight.id))
        return Sights(frame.pose, tuple(sights), self._close_up(frame))

    def _large(self, ids: NDArray[np.int16], counts: NDArray[np.int64], scale: float) -> list[int]:
        """Return the indices that cover enough of the picture to be marked."""
        boxes = ndimage.find_objects(ids)
        held = []
        for index in map(int, np.flatnonzero(counts >= self._least * scale)):
            rows, columns = boxes[index - 1]
            shorter = min(rows.stop - rows.start, columns.stop - columns.start)
            if shorter >= self.ranges.side(self.palette.entities[index - 1][0]) * math.sqrt(scale):
                held.append(index)
        return held

    def _to(self, instance: Instance, pose: Pose) -> tuple[float]:
        return (math.dist(instance.position[:2], (pose.x, pose.y)),)

    def _box(self, kind: Kind, name: str) -> Box:
        return (self.scene.fixture_by_id[name] if kind == "fixture" else self.scene.store_by_id[name]).box

    def _visible_instances(
        self, frame: Frame, ids: NDArray[np.int16], taken: frozenset[str]
    ) -> tuple[Mapping[int, set[str]], Mapping[int, Instance]]:
        """Return, by palette index, the places of the instances whose middle is visible, and the nearest of these."""
        columns, rows, depths = frame.project(self._centers)
        inside = np.flatnonzero(frame.inside(columns, rows, depths))
        row, column = rows[inside].astype(int), columns[inside].astype(int)
        hit = ids[row, column] == self._owner[inside]
        hit &= np.abs(frame.depth[row, column] - depths[inside]) <= self._halves[inside] + 5.0
        places: dict[int, set[str]] = {}
        nearest: dict[int, tuple[float, Instance]] = {}
        for n in inside[hit]:
            instance, owner = self._instances[n], int(self._owner[n])
            if instance.id in taken:
                continue
            places.setdefault(owner, set()).add(instance.place)
            offer = (math.dist(instance.position[:2], (frame.pose.x, frame.pose.y)), instance)
            if owner not in nearest or offer[0] < nearest[owner][0]:
                nearest[owner] = offer
        return places, {owner: instance for owner, (_, instance) in nearest.items()}

    def _fallback(self, frame: Frame, ids: NDArray[np.int16], index: int, taken: frozenset[str]) -> Instance:
        """Return the instance that owns the nearest pixel of a product of which no instance shows its middle."""
        rows, columns = np.nonzero(ids == index)
        best = int(np.argmin(frame.depth[rows, columns]))
        row, column = int(rows[best]), int(columns[best])
        world = frame.unproject(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        mine = np.flatnonzero(self._owner == index)
        free = [n for n in mine if self._instances[n].id not in taken] or list(mine)
        gaps = np.linalg.norm(self._centers[free] - world, axis=1)
        return self._instances[free[int(np.argmin(gaps))]]

    def _areas(self, frame: Frame, shown: Mapping[str, int]) -> list[Sight]:
        """Return the areas whose fixed point is in view, in range and unhidden, or one of whose products is visible."""
        if not len(self._points):
            return []
        columns, rows, depths = frame.project(self._points)
        inside = frame.inside(columns, rows, depths) & (depths <= self.ranges.area)
        sights = []
        for n, area in enumerate(self.scene.areas):
            open_view = False
            if inside[n]:
                open_view = bool(frame.depth[int(rows[n]), int(columns[n])] >= depths[n] - POINT_SLACK)
            if open_view or area.id in shown:
                distance = math.dist(area.point[:2], (frame.pose.x, frame.pose.y))
                bearing = _bearing_of(area.point[:2], frame.pose)
                sights.append(Sight("area", area.id, distance, bearing, shown.get(area.id, 0)))
        return sights

    def _close_up(self, frame: Frame) -> str:
        """Return the product that is held or shown before the eyes, or nothing."""
        near = frame.depth < CLOSE_UP
        if not near.any():
            return ""
        ids = self.palette.decode(frame.mask[near].reshape(1, -1, 3)).ravel()
        index = int(np.argmax(np.bincount(ids, minlength=1)[1:])) + 1 if ids.any() else 0
        return self.palette.entities[index - 1][1] if index else ""


def _along(box: Box, pose: Pose) -> float:
    """Return the distance along the floor from a pose to a box, 0 within it."""
    dx = max(box.low[0] - pose.x, 0.0, pose.x - box.high[0])
    dy = max(box.low[1] - pose.y, 0.0, pose.y - box.high[1])
    return math.hypot(dx, dy)


def _bearing_of(point: tuple[float, float], pose: Pose) -> float:
    angle = math.degrees(math.atan2(point[1] - pose.y, point[0] - pose.x)) - pose.yaw
    return (angle + 180.0) % 360.0 - 180.0
