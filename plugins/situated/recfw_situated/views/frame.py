"""One moment of the store as the eyes saw it, and the geometry between its pixels and the world."""

import math
from functools import cached_property

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from recfw_situated.scenes.records import Point3, Pose

Floats = NDArray[np.float64]


@attrs.frozen(eq=False)
class Frame:
    """
    Pictures of one moment from one camera.

    Args:
        mask: (height, width, 3) uint8: mask colours.
        depth: (height, width) float32: planar distance along the view axis, cm; infinite where nothing is.
        pose: Where the shopper stands and looks.
        eye: The camera's place in the world, cm.
        fov: Horizontal field of view, degrees.
        rgb: (height, width, 3) uint8, where the picture was asked for.
    """

    mask: NDArray[np.uint8]
    depth: NDArray[np.float32]
    pose: Pose
    eye: Point3
    fov: float
    rgb: NDArray[np.uint8] | None = None

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.mask.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.mask.shape[0])

    @cached_property
    def focal(self) -> float:
        """The focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(self.fov) / 2)

    @cached_property
    def axes(self) -> Floats:
        """Rows: the camera's forward, right and up directions in the world."""
        yaw, pitch = math.radians(self.pose.yaw), math.radians(self.pose.pitch)
        flat = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        up = np.array([0.0, 0.0, 1.0])
        return np.stack(
            [
                math.cos(pitch) * flat + math.sin(pitch) * up,
                np.array([-math.sin(yaw), math.cos(yaw), 0.0]),
                math.cos(pitch) * up - math.sin(pitch) * flat,
            ]
        )

    def project(self, points: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Return columns, rows and planar depths (cm) of (n, 3) world points; depths are <= 0 behind the camera."""
        seen = (np.asarray(points, dtype=float) - np.asarray(self.eye)) @ self.axes.T
        depth = seen[:, 0]
        scale = self.focal / np.where(depth > 1e-6, depth, 1e-6)
        return self.width / 2 + seen[:, 1] * scale, self.height / 2 - seen[:, 2] * scale, depth

    def unproject(self, column: float, row: float, depth: float) -> Floats:
        """Return the world point that a pixel shows at a planar depth."""
        right = (column - self.width / 2) * depth / self.focal
        up = (self.height / 2 - row) * depth / self.focal
        return np.asarray(self.eye) + np.array([depth, right, up]) @ self.axes

    def bearing(self, column: float) -> float:
        """Return a column's direction in degrees from straight ahead, positive to the right."""
        return math.degrees(math.atan2(column - self.width / 2, self.focal))

    def inside(self, columns: Floats, rows: Floats, depths: Floats) -> NDArray[np.bool_]:
        """Tell which projected points lie in the picture."""
        return (depths > 1.0) & (columns >= 0) & (columns < self.width) & (rows >= 0) & (rows < self.height)
