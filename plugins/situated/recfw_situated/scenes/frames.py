"""A local frame on the floor: something with a front, so that layouts are written once for all directions."""

import attrs

from recfw_situated.scenes.records import Box, Point2, Point3

_TURNS = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}


def turned(yaw: float) -> float:
    """Return a yaw within (-180, 180]."""
    within = yaw % 360.0
    return within - 360.0 if within > 180.0 else within


@attrs.frozen
class Frame:
    """
    A place on the floor that faces `yaw`, a multiple of 90 degrees.

    Local coordinates are (forward, right, up): forward is the direction it faces; who stands before it and looks at it
    has its right on the left hand.
    """

    x: float
    y: float
    yaw: float

    @property
    def _axes(self) -> tuple[float, float]:
        return _TURNS[round(self.yaw) % 360]

    def at(self, forward: float, right: float) -> Point2:
        """Return a local point of the floor in world coordinates."""
        cos, sin = self._axes
        return (self.x + forward * cos - right * sin, self.y + forward * sin + right * cos)

    def point(self, forward: float, right: float, up: float) -> Point3:
        """Return a local point in world coordinates."""
        return (*self.at(forward, right), up)

    def moved(self, forward: float, right: float, turn: float = 0.0) -> "Frame":
        """Return the frame at a local point, turned by some degrees."""
        return Frame(*self.at(forward, right), turned(self.yaw + turn))

    def box(self, forward: Point2, right: Point2, up: Point2) -> Box:
        """Return the world's box of three local ranges."""
        (x0, y0), (x1, y1) = self.at(forward[0], right[0]), self.at(forward[1], right[1])
        return Box((min(x0, x1), min(y0, y1), up[0]), (max(x0, x1), max(y0, y1), up[1]))
