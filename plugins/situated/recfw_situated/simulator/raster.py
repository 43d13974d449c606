"""
The picture of surfaces: for every pixel the nearest surface and its inverse depth, exact, in one array.

A cell's high half is the inverse depth as float32 (whose bits sort like the number while it is positive), its low half
the surface's number; the greatest key wins, so the order of drawing and of ties never matters.
"""

import math

import numpy as np
from numpy.typing import NDArray

from recfw_situated.simulator.camera import NEAR, View, turned
from recfw_situated.simulator.curved import Rays, hits
from recfw_situated.simulator.planes import Faces, Ints, spans
from recfw_situated.simulator.solids import CONE, CYLINDER, SPHERE, Solids

TILE = 8  # pixels a side of the coarse picture that hidden parts are dropped by


class Canvas:
    """What is nearest at every pixel: `depth_inverse` (H*W float32, 0 where nothing is) and `surface` (H*W uint32)."""

    def __init__(self, width: int, height: int) -> None:
        """Start with nothing."""
        self.width, self.height = width, height
        self._cells: NDArray[np.uint64] = np.zeros(width * height, dtype=np.uint64)
        halves = self._cells.view(np.uint32).reshape(-1, 2)
        self.surface = halves[:, 0]
        self.depth_inverse: NDArray[np.float32] = halves[:, 1].view(np.float32)

    def draw_faces(self, found: Faces, number: int) -> None:
        """Draw flat faces; face k is surface number + k."""
        rows = spans(found.outline, self.width, self.height)
        if not len(rows.of):
            return
        plane = found.plane[rows.of]
        value = plane[:, 0] * (rows.x + 0.5) + plane[:, 1] * (rows.y + 0.5) + plane[:, 2]
        begin = (np.cumsum(rows.count) - rows.count).astype(np.int32)
        total = int(rows.count.sum())
        step = np.arange(total, dtype=np.int32) - np.repeat(begin, rows.count)
        pixel = np.repeat((rows.y * np.int32(self.width) + rows.x).astype(np.intp), rows.count)
        pixel += step
        inverse = np.repeat(plane[:, 0].astype(np.float32), rows.count)
        inverse *= step.astype(np.float32)
        inverse += np.repeat(value.astype(np.float32), rows.count)
        self._put(pixel, inverse, np.repeat((rows.of + np.int32(number)).astype(np.uint32), rows.count))

    def draw_rays(self, found: Rays, number: int) -> None:
        """Draw curved parts; part c is surface number + c."""
        for kind in (CYLINDER, SPHERE, CONE):
            members = np.nonzero(found.kind == kind)[0].astype(np.int32)
            if len(members):
                pixel, owner, depth = hits(found, kind, members, self.width)
                self._put(pixel.astype(np.intp), 1.0 / depth, (owner + np.int32(number)).astype(np.uint32))

    def _put(self, pixel: NDArray[np.intp], inverse: NDArray[np.float32], surface: NDArray[np.uint32]) -> None:
        """Let every fragment contend for its pixel."""
        keys = np.empty(len(pixel), dtype=np.uint64)
        halves = keys.view(np.uint32).reshape(-1, 2)
        halves[:, 0] = surface
        halves[:, 1] = inverse.view(np.uint32)
        np.maximum.at(self._cells, pixel, keys)

    def hidden(self, solids: Solids, rows: Ints, view: View) -> NDArray[np.bool_]:
        """Tell which parts lie behind what is drawn already, or off the screen, by spheres about them: (N,)."""
        center = turned(view.axes(), solids.center[rows] - view.origin)
        radius = np.sqrt((solids.half[rows] ** 2).sum(axis=1))
        away = center[:, 0] + radius < NEAR
        for axis, slope in ((1, view.width / 2.0 / view.focal), (2, view.height / 2.0 / view.focal)):
            # beyond a side of the pyramid of sight: as far from its plane as the sphere's radius
            away |= np.abs(center[:, axis]) - slope * center[:, 0] > radius * math.hypot(1.0, slope)
        left = np.nonzero(~away & (center[:, 0] - radius > NEAR))[0]
        ahead, nearest = center[left, 0], center[left, 0] - radius[left]
        x = view.width / 2.0 + view.focal * center[left, 1] / ahead
        y = view.height / 2.0 - view.focal * center[left, 2] / ahead
        reach = view.focal * radius[left] / nearest
        away[left] = self._covered(x - reach, y - reach, x + reach, y + reach, 1.0 / nearest)
        found: NDArray[np.bool_] = away
        return found

    def _covered(
        self,
        left: NDArray[np.float64],
        top: NDArray[np.float64],
        right: NDArray[np.float64],
        bottom: NDArray[np.float64],
        inverse: NDArray[np.float64],
    ) -> NDArray[np.bool_]:
        """Tell which rectangles are filled by nearer things, on a pyramid of farthest depths (four cells each)."""
        tall, wide = self.height // TILE, self.width // TILE
        used = self.depth_inverse.reshape(self.height, self.width)[: tall * TILE, : wide * TILE]
        level = used.reshape(tall, TILE, wide * TILE).min(axis=1).reshape(tall, wide, TILE).min(axis=2)
        covered = np.zeros(len(left), dtype=np.bool_)
        extent = np.maximum(right - left, bottom - top)
        size, least = float(TILE), -1.0
        while min(level.shape) > 1:
            mine = np.nonzero((extent > least) & (extent <= size))[0]
            if len(mine):
                x0, x1 = (_cell(edge[mine], size, level.shape[1]) for edge in (left, right))
                y0, y1 = (_cell(edge[mine], size, level.shape[0]) for edge in (top, bottom))
                farthest = np.minimum(
                    np.minimum(level[y0, x0], level[y0, x1]), np.minimum(level[y1, x0], level[y1, x1])
                )
                covered[mine] = inverse[mine] < farthest * (1.0 - 1e-5)
            level, least, size = _halved(level), size, size * 2.0
        return covered


def _cell(edge: NDArray[np.float64], size: float, count: int) -> NDArray[np.int64]:
    """The cell of an edge's pixel, held within the pyramid."""
    found: NDArray[np.int64] = np.clip(edge // size, 0, count - 1).astype(np.int64)
    return found


def _halved(level: NDArray[np.float32]) -> NDArray[np.float32]:
    """The next coarser level: the farthest of each two by two cells, odd edges repeated."""
    tall, wide = level.shape
    padded = np.pad(level, ((0, tall % 2), (0, wide % 2)), mode="edge")
    found: NDArray[np.float32] = padded.reshape(padded.shape[0] // 2, 2, -1, 2).min(axis=(1, 3))
    return found
