"""The shopper's body: an upright capsule, on the floor a circle, that is swept against boxes and slides along them."""

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.scenes.records import Box

Floats = NDArray[np.float64]

SKIN = 0.02  # cm that a sweep stops short of contact, so that rounding never ends inside
ARRIVED = 0.5  # cm within which a walk counts as arrived
_SLIDES = 4  # changes of direction in one walk
_STEP = 5.0  # cm; what is lower is stepped over
_TALL = 175.0  # cm; what begins higher is walked under


@attrs.frozen
class Walk:
    """Where a straight walk ended, whether that is short of its aim, and the first thing that it met ("" for none)."""

    x: float
    y: float
    blocked: bool
    hit: str


class Obstacles:
    """The boxes that a body of some radius cannot enter, each under the name of what it is."""

    def __init__(self, boxes: Sequence[tuple[str, Box]], radius: float) -> None:
        """Keep the boxes that stand in the way of somebody on the floor."""
        standing = [(name, box) for name, box in boxes if box.low[2] < _TALL and box.high[2] > _STEP]
        self.radius = radius
        self.names = [name for name, _ in standing]
        low = np.array([box.low[:2] for _, box in standing], dtype=np.float64).reshape(-1, 2)
        high = np.array([box.high[:2] for _, box in standing], dtype=np.float64).reshape(-1, 2)
        self._x0, self._y0, self._x1, self._y1 = low[:, 0], low[:, 1], high[:, 0], high[:, 1]
        # a box grown by the radius has round corners: two slabs and four discs
        grow_x, grow_y = np.array((radius, 0.0)), np.array((0.0, radius))
        self._slab_low = np.concatenate((low - grow_x, low - grow_y))
        self._slab_high = np.concatenate((high + grow_x, high + grow_y))
        self._discs = np.concatenate(
            [
                np.stack(pair, axis=1)
                for pair in ((self._x0, self._y0), (self._x0, self._y1), (self._x1, self._y0), (self._x1, self._y1))
            ]
        )

    def clearance(self, x: float, y: float) -> float:
        """The distance from a point to the nearest box, 0 inside one, infinite when there is none."""
        if not self.names:
            return math.inf
        dx = np.maximum(np.maximum(self._x0 - x, x - self._x1), 0.0)
        dy = np.maximum(np.maximum(self._y0 - y, y - self._y1), 0.0)
        return float(np.sqrt((dx * dx + dy * dy).min()))

    def free(self, x: float, y: float) -> bool:
        """Tell whether the body fits at a point."""
        return self.clearance(x, y) >= self.radius

    def walk(self, x: float, y: float, to_x: float, to_y: float) -> Walk:
        """Walk towards a point in a straight line; where something is in the way, slide along it with what is left."""
        dx, dy = to_x - x, to_y - y
        first_hit = ""
        for _ in range(_SLIDES):
            length = math.hypot(dx, dy)
            if length < 1e-9:
                break
            share, met = self._sweep(x, y, dx, dy)
            go = share if met < 0 else max(0.0, share - SKIN / length)
            x, y = x + dx * go, y + dy * go
            if met < 0:
                break
            first_hit = first_hit or self.names[met]
            nx, ny = self._normal(met, x, y)
            dx, dy = dx * (1 - go), dy * (1 - go)
            into = dx * nx + dy * ny
            dx, dy = dx - into * nx, dy - into * ny
        return Walk(x, y, math.hypot(to_x - x, to_y - y) > ARRIVED, first_hit)

    def _normal(self, met: int, x: float, y: float) -> tuple[float, float]:
        """The direction from the nearest point of a box to a point outside it."""
        nx = x - min(max(x, float(self._x0[met])), float(self._x1[met]))
        ny = y - min(max(y, float(self._y0[met])), float(self._y1[met]))
        length = math.hypot(nx, ny)
        return (nx / length, ny / length) if length > 0 else (0.0, 0.0)

    def _sweep(self, x: float, y: float, dx: float, dy: float) -> tuple[float, int]:
        """The share of a displacement until first contact and the box met; (1, -1) when nothing is."""
        if not self.names:
            return 1.0, -1
        reached = np.concatenate((self._slabs(x, y, dx, dy), self._corners(x, y, dx, dy)))
        best = int(reached.argmin())
        if reached[best] > 1.0:
            return 1.0, -1
        return float(reached[best]), best % len(self.names)

    def _slabs(self, x: float, y: float, dx: float, dy: float) -> Floats:
        """The share until each grown box is entered through a flat side, infinite when it is not."""
        enter = np.full(len(self._slab_low), -np.inf)
        leave = np.full(len(self._slab_low), np.inf)
        for axis, (at, way) in enumerate(((x, dx), (y, dy))):
            low, high = self._slab_low[:, axis] - at, self._slab_high[:, axis] - at
            if abs(way) < 1e-12:
                enter = np.where((low < 0.0) & (high > 0.0), enter, np.inf)
                continue
            one, two = low / way, high / way
            enter = np.maximum(enter, np.minimum(one, two))
            leave = np.minimum(leave, np.maximum(one, two))
        return np.where((enter < leave) & (enter >= -1e-9), enter, np.inf)

    def _corners(self, x: float, y: float, dx: float, dy: float) -> Floats:
        """The share until each corner's disc is entered, infinite when it is not."""
        ox, oy = x - self._discs[:, 0], y - self._discs[:, 1]
        a = dx * dx + dy * dy
        b = ox * dx + oy * dy
        under = b * b - a * (ox * ox + oy * oy - self.radius * self.radius)
        share = (-b - np.sqrt(np.maximum(under, 0.0))) / a
        return np.where((under > 0.0) & (b < 0.0) & (share >= -1e-9), share, np.inf)
