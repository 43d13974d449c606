"""
The pinhole camera: its axes in the world and the lines of sight of its pixels.

Vectors in camera coordinates are ordered (ahead, right, up); "ahead" is the planar depth. Pixel (x, y) has its centre
at (x + 0.5, y + 0.5), y grows downwards.
"""

import math

import attrs
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NEAR = 1.0  # cm; nothing nearer is drawn


@attrs.frozen
class View:
    """What one picture is taken with: a place (cm), a direction (degrees), a size in pixels, the horizontal angle."""

    x: float
    y: float
    z: float
    pitch: float
    yaw: float
    width: int
    height: int
    fov: float

    @property
    def focal(self) -> float:
        """The focal length in pixels."""
        return self.width / 2.0 / math.tan(math.radians(self.fov) / 2.0)

    @property
    def origin(self) -> Floats:
        """The optical centre, shape (3,)."""
        return np.array((self.x, self.y, self.z))

    def axes(self) -> Floats:
        """Rows: the directions ahead, right and up in the world, shape (3, 3)."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
        return np.array(((cp * cy, cp * sy, sp), (-sy, cy, 0.0), (-sp * cy, -sp * sy, cp)))


def turned(axes: Floats, vectors: Floats) -> Floats:
    """
    Give world vectors (N, 3) in camera coordinates.

    Written out, not as a matrix product: BLAS may sum in another order with other threads, and pictures are byte-equal.
    """
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    found: Floats = np.empty((len(vectors), 3))
    for row in range(3):
        found[:, row] = axes[row, 0] * x + axes[row, 1] * y + axes[row, 2] * z
    return found
