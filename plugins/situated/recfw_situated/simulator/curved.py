"""
Cylinders, spheres and cones: lines of sight against unit solids in each part's own, scaled coordinates.

A ray is seen from the part: origin (one a part) and direction (linear on the screen). With directions of planar depth
one, the parameter of a hit is the planar depth itself.
"""

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.simulator.camera import NEAR, Floats, View, turned
from recfw_situated.simulator.planes import Ints, part_axes
from recfw_situated.simulator.solids import BOX, CONE, CYLINDER, SPHERE, Solids

Depths = NDArray[np.float32]


@attrs.frozen(eq=False)
class Rays:
    """C curved parts: `part`, `kind`, the eye `origin` (C, 3) in own scaled coordinates, `way` (C, 3 terms, 3 axes).

    The direction of the ray through pixel centre (x, y) is way[0] x + way[1] y + way[2]. `frame` (C, 4): left, top,
    right, bottom of the part's bounds on the screen, in pixels, end exclusive.
    """

    part: Ints
    kind: NDArray[np.uint8]
    origin: Floats
    way: Floats
    frame: Ints

    def __len__(self) -> int:
        """The number of parts."""
        return len(self.part)


def rays(solids: Solids, rows: Ints, view: View) -> Rays:
    """Prepare the curved parts among `rows`: those of which at least a pixel may be on the screen."""
    rows = rows[solids.shape[rows] != BOX]
    camera = view.axes()
    center = turned(camera, solids.center[rows] - view.origin)
    own = part_axes(solids, rows, camera)
    half = solids.half[rows]
    frame = _frames(view, center, own * half[:, :, None])
    seen = (frame[:, 2] > frame[:, 0]) & (frame[:, 3] > frame[:, 1])
    order = np.nonzero(seen)[0]
    rows, center, own, half, frame = rows[order], center[order], own[order], half[order], frame[order]
    origin = -(own * center[:, None, :]).sum(axis=2) / half
    way = np.empty((len(rows), 3, 3))
    way[:, 0] = own[:, :, 1] / half / view.focal
    way[:, 1] = -own[:, :, 2] / half / view.focal
    way[:, 2] = own[:, :, 0] / half - way[:, 0] * view.width / 2.0 - way[:, 1] * view.height / 2.0
    return Rays(rows.astype(np.int32), solids.shape[rows], origin, way, frame)


def _frames(view: View, center: Floats, arms: Floats) -> Ints:
    """Bounds on the screen from the eight corners of each part's box; the whole screen if it reaches behind the eye."""
    signs = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64)
    corners = center[:, None, :] + (signs[None, :, :, None] * arms[:, None, :, :]).sum(axis=2)
    ahead = corners[:, :, 0]
    depth = np.maximum(ahead, NEAR)
    x = view.width / 2.0 + view.focal * corners[:, :, 1] / depth
    y = view.height / 2.0 - view.focal * corners[:, :, 2] / depth
    found = np.stack(
        (
            np.ceil(np.clip(x.min(axis=1), 0, view.width) - 0.5),
            np.ceil(np.clip(y.min(axis=1), 0, view.height) - 0.5),
            np.ceil(np.clip(x.max(axis=1), 0, view.width) - 0.5),
            np.ceil(np.clip(y.max(axis=1), 0, view.height) - 0.5),
        ),
        axis=1,
    ).astype(np.int32)
    around = (ahead < NEAR).any(axis=1)
    found[around] = (0, 0, view.width, view.height)
    found[(ahead < NEAR).all(axis=1)] = 0
    return found


def hits(solid: Rays, kind: int, members: Ints, width: int) -> tuple[Ints, Ints, Depths]:
    """
    Meet every pixel in the bounds of the members (rows of `solid`, all of one kind) with its part.

    Returns:
        For each pixel that is hit: its flat index, the row of `solid`, the planar depth.
    """
    frame = solid.frame[members]
    wide, tall = frame[:, 2] - frame[:, 0], frame[:, 3] - frame[:, 1]
    of_line = np.repeat(members, tall)
    y = np.arange(len(of_line), dtype=np.int32) - np.repeat(np.cumsum(tall) - tall - frame[:, 1], tall).astype(np.int32)
    count = np.repeat(wide, tall)
    left = np.repeat(frame[:, 0], tall)
    step = np.arange(int(count.sum()), dtype=np.int32) - np.repeat((np.cumsum(count) - count).astype(np.int32), count)
    pixel = np.repeat(y * np.int32(width) + left, count) + step
    across = step.astype(np.float32)
    way = solid.way[of_line]
    begin = way[:, 0] * (left + 0.5)[:, None] + way[:, 1] * (y + 0.5)[:, None] + way[:, 2]
    direction = [
        np.repeat(begin[:, axis].astype(np.float32), count)
        + np.repeat(way[:, 0, axis].astype(np.float32), count) * across
        for axis in range(3)
    ]
    origin = [np.repeat(solid.origin[of_line, axis].astype(np.float32), count) for axis in range(3)]
    depth = _MEET[kind](*origin, *direction)
    found = np.nonzero(depth > NEAR)[0]
    return pixel[found], np.repeat(of_line, count)[found], depth[found]


def _nearer(a: Depths, b: Depths, under: Depths) -> Depths:
    """The nearer root of a t² + 2 b t + c = 0 given b² - a c, 0 where there is none."""
    root: Depths = np.where((under > 0) & (a != 0), (-b - np.sqrt(np.maximum(under, 0))) / np.where(a == 0, 1, a), 0)
    return root


def _cap(oz: Depths, dz: Depths, level: float) -> Depths:
    """Where a ray meets the plane z = level, 0 where it runs along it."""
    flat = dz == 0
    found: Depths = np.where(flat, 0, (np.float32(level) - oz) / np.where(flat, 1, dz))
    return found


def _cylinder(ox: Depths, oy: Depths, oz: Depths, dx: Depths, dy: Depths, dz: Depths) -> Depths:
    """A cylinder of radius one between z = -1 and 1."""
    a, moment = dx * dx + dy * dy, ox * dy - oy * dx  # b² - a c written so that nothing large cancels
    side = _nearer(a, ox * dx + oy * dy, a - moment * moment)
    side = np.where(np.abs(oz + side * dz) <= 1, side, 0)
    cap = _cap(oz, dz, 1.0)
    low = _cap(oz, dz, -1.0)
    cap = np.where(oz > 1, cap, np.where(oz < -1, low, 0))
    px, py = ox + cap * dx, oy + cap * dy
    cap = np.where(px * px + py * py <= 1, cap, 0)
    found: Depths = np.where(cap > 0, cap, side)
    return found


def _sphere(ox: Depths, oy: Depths, oz: Depths, dx: Depths, dy: Depths, dz: Depths) -> Depths:
    """A ball of radius one."""
    a = dx * dx + dy * dy + dz * dz
    mx, my, mz = oy * dz - oz * dy, oz * dx - ox * dz, ox * dy - oy * dx
    return _nearer(a, ox * dx + oy * dy + oz * dz, a - mx * mx - my * my - mz * mz)


def _cone(ox: Depths, oy: Depths, oz: Depths, dx: Depths, dy: Depths, dz: Depths) -> Depths:
    """A cone of radius one at z = -1, its tip at z = 1."""
    rise, fall = (1 - oz) / 2, -dz / 2
    a = dx * dx + dy * dy - fall * fall
    b = ox * dx + oy * dy - rise * fall
    c = ox * ox + oy * oy - rise * rise
    under = np.maximum(b * b - a * c, 0)
    safe = np.where(a == 0, 1, a)
    root = np.sqrt(under)
    first, second = (-b - root) / safe, (-b + root) / safe
    first, second = np.minimum(first, second), np.maximum(first, second)
    fits = (b * b - a * c > 0) & (a != 0)
    side = np.where(fits & (np.abs(oz + second * dz) <= 1) & (second > 0), second, 0)
    side = np.where(fits & (np.abs(oz + first * dz) <= 1) & (first > 0), first, side)
    low = _cap(oz, dz, -1.0)
    px, py = ox + low * dx, oy + low * dy
    low = np.where((oz < -1) & (px * px + py * py <= 1), low, 0)
    found: Depths = np.where(low > 0, low, side)
    return found


_MEET = {CYLINDER: _cylinder, SPHERE: _sphere, CONE: _cone}


def normals(kind: NDArray[np.uint8], local: Floats) -> Floats:
    """Outward normals (not of unit length) in own scaled coordinates at surface points (N, 3) of unit solids."""
    found = local.copy()
    upright = kind == CYLINDER
    cap = upright & (np.abs(local[:, 2]) > 0.999)
    found[upright, 2] = 0.0
    found[cap] = 0.0
    found[cap, 2] = np.sign(local[cap, 2])
    cone = kind == CONE
    found[cone, 2] = np.hypot(local[cone, 0], local[cone, 1]) / 2.0
    low = cone & (local[:, 2] < -0.999)
    found[low] = (0.0, 0.0, -1.0)
    return found
