"""
The flat faces of boxes: which of them look at the camera, their outlines on the screen, their depth as a plane.

The inverse of the planar depth, and a texture's coordinates over the depth, are linear on the screen; so a face is
three coefficients, and a row of its pixels a start and a step.
"""

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.simulator.camera import NEAR, Floats, View, turned
from recfw_situated.simulator.solids import BACK, BOX, FRONT, LEFT, RIGHT, TOP, Solids

Ints = NDArray[np.int32]

# of a face (axis, side): the axis its text runs along and the sign of the way, the axis the text's lines run down
_U_AXIS = np.array(((1, 1), (0, 0), (1, 1)))
_U_SIGN = np.array(((1.0, -1.0), (-1.0, 1.0), (1.0, -1.0)))  # [axis][0: low side, 1: high side]
_V_AXIS = np.array(((2, 2), (2, 2), (0, 0)))
_V_SIGN = np.array(((-1.0, -1.0), (-1.0, -1.0), (1.0, 1.0)))
_BIT = np.array(((BACK, FRONT), (LEFT, RIGHT), (0, TOP)), dtype=np.uint8)


@attrs.frozen(eq=False)
class Faces:
    """
    K faces: the part of each, its axis and side (0 low, 1 high), inverse depth and outline on the screen.

    `plane` holds what the inverse depth grows by along x and y, and a constant.
    """

    part: Ints
    axis: NDArray[np.int64]
    side: NDArray[np.int64]
    plane: Floats  # (K, 3)
    outline: Floats  # (K, V, 2), V corners on the screen in order, some repeated

    def __len__(self) -> int:
        """The number of faces."""
        return len(self.part)


def part_axes(solids: Solids, rows: Ints, axes: Floats) -> Floats:
    """The three own axes of parts in camera coordinates, (N, 3 axes, 3)."""
    cos, sin = solids.turn[rows, 0], solids.turn[rows, 1]
    found = np.empty((len(rows), 3, 3))
    for row in range(3):
        found[:, 0, row] = axes[row, 0] * cos + axes[row, 1] * sin
        found[:, 1, row] = axes[row, 1] * cos - axes[row, 0] * sin
        found[:, 2, row] = axes[row, 2]
    return found


def faces(solids: Solids, rows: Ints, view: View) -> Faces:
    """Find the faces of the boxes in `rows` that look at the camera, with their outlines."""
    rows = rows[solids.shape[rows] == BOX]
    camera = view.axes()
    center = turned(camera, solids.center[rows] - view.origin)
    own = part_axes(solids, rows, camera)
    half = solids.half[rows]
    # where the camera is, in the part's own coordinates
    seen = -(own[:, :, 0] * center[:, None, 0] + own[:, :, 1] * center[:, None, 1] + own[:, :, 2] * center[:, None, 2])
    part, axis = np.nonzero(np.abs(seen) > half + 1e-9)
    side = (seen[part, axis] > 0).astype(np.int64)
    sign = side * 2.0 - 1.0
    normal = own[part, axis] * sign[:, None]
    height = np.abs(seen[part, axis]) - half[part, axis]  # the camera's height above the face
    middle = center[part] + normal * half[part, axis][:, None]
    first, second = (axis + 1) % 3, (axis + 2) % 3
    one = own[part, first] * half[part, first][:, None]
    two = own[part, second] * half[part, second][:, None]
    corners = np.stack((middle - one - two, middle + one - two, middle + one + two, middle - one + two), axis=1)
    plane = np.empty((len(part), 3))
    plane[:, 0] = normal[:, 1] / (-height * view.focal)
    plane[:, 1] = -normal[:, 2] / (-height * view.focal)
    plane[:, 2] = normal[:, 0] / -height - plane[:, 0] * view.width / 2.0 - plane[:, 1] * view.height / 2.0
    return _outlined(view, rows[part].astype(np.int32), axis, side, plane, corners)


def _outlined(
    view: View, part: Ints, axis: NDArray[np.int64], side: NDArray[np.int64], plane: Floats, corners: Floats
) -> Faces:
    """Drop faces behind the camera or off the screen, cut those that reach behind it."""
    ahead = corners[:, :, 0]
    cut = (ahead < NEAR).any(axis=1)
    gone = (ahead < NEAR).all(axis=1)
    if cut.any():
        wide = np.repeat(corners, 2, axis=1)
        wide[cut] = _cut(corners[cut])
        corners = wide
    depth = np.maximum(corners[:, :, 0], NEAR)
    outline = np.empty((*depth.shape, 2))
    outline[:, :, 0] = view.width / 2.0 + view.focal * corners[:, :, 1] / depth
    outline[:, :, 1] = view.height / 2.0 - view.focal * corners[:, :, 2] / depth
    low, high = outline.min(axis=1), outline.max(axis=1)
    kept = ~gone & (high > 0.0).all(axis=1) & (low[:, 0] < view.width) & (low[:, 1] < view.height)
    order = np.nonzero(kept)[0]
    return Faces(part[order], axis[order], side[order], plane[order], outline[order])


def _cut(corners: Floats) -> Floats:
    """Cut quadrilaterals (C, 4, 3) at the near plane: eight corners each, those behind it replaced by neighbours."""
    following = np.roll(corners, -1, axis=1)
    inside, inside_next = corners[:, :, 0] >= NEAR, following[:, :, 0] >= NEAR
    span = following[:, :, 0] - corners[:, :, 0]
    share = np.where(inside == inside_next, 0.0, (NEAR - corners[:, :, 0]) / np.where(span == 0.0, 1.0, span))
    crossing = corners + share[:, :, None] * (following - corners)
    crossing[:, :, 0] = np.where(inside != inside_next, NEAR, crossing[:, :, 0])
    found = np.empty((len(corners), 8, 3))
    valid = np.empty((len(corners), 8), dtype=np.bool_)
    found[:, 0::2], found[:, 1::2] = corners, crossing
    valid[:, 0::2], valid[:, 1::2] = inside, inside != inside_next
    place = np.arange(16)
    twice = np.where(np.concatenate((valid, valid), axis=1), place, -1)  # round once, so that the first has a neighbour
    latest = np.maximum.accumulate(twice, axis=1)[:, 8:] % 8
    cut: Floats = np.take_along_axis(found, latest[:, :, None], axis=1)
    return cut


@attrs.frozen(eq=False)
class Spans:
    """Rows of pixels: `of` whom, the row `y`, the first pixel `x` and how many."""

    of: Ints
    y: Ints
    x: Ints
    count: Ints


def spans(outline: Floats, width: int, height: int) -> Spans:
    """
    Find the pixels whose centres lie within convex outlines, row by row.

    Of a convex outline, a row begins at the greatest crossing of its left edges' lines and ends at the least of its
    right ones', so no edge needs to be asked whether the row meets it.
    """
    xs, ys = outline[:, :, 0].T, outline[:, :, 1].T  # (V, K)
    top = np.clip(np.ceil(ys.min(axis=0) - 0.5), 0, height).astype(np.int32)
    end = np.clip(np.ceil(ys.max(axis=0) - 0.5), 0, height).astype(np.int32)
    rows = np.maximum(end - top, 0)
    next_x, next_y = np.roll(xs, -1, axis=0), np.roll(ys, -1, axis=0)
    area = (xs * next_y - next_x * ys).sum(axis=0)
    rise = (next_y - ys) * np.sign(area)
    slope = np.where(rise != 0.0, (next_x - xs) / np.where(rise == 0.0, 1.0, next_y - ys), 0.0)
    offset = xs - slope * (ys - 0.5)  # so that an integer row gives the crossing at its centre
    of = np.repeat(np.arange(len(rows), dtype=np.int32), rows)
    y = np.arange(len(of), dtype=np.int32) - np.repeat(np.cumsum(rows, dtype=np.int32) - rows - top, rows)
    left, right = _crossings(slope, offset, rise, rows, y, width)
    x = np.ceil(left - 0.5).astype(np.int32)
    count = np.ceil(right - 0.5).astype(np.int32) - x
    kept = np.nonzero(count > 0)[0]
    return Spans(of[kept], y[kept], x[kept], count[kept])


def _crossings(slope: Floats, offset: Floats, rise: Floats, rows: Ints, y: Ints, width: int) -> tuple[Floats, Floats]:
    """Where rows begin and end, held within the picture."""
    line = y.astype(np.float64)
    left, right = np.zeros(len(y)), np.full(len(y), float(width))
    for edge in range(len(slope)):
        for sign, bound, free in ((-1.0, left, -1e9), (1.0, right, 1e9)):
            mine = rise[edge] * sign > 0.0
            if not mine.any():
                continue
            crossing = np.repeat(np.where(mine, slope[edge], 0.0), rows)
            crossing *= line
            crossing += np.repeat(np.where(mine, offset[edge], free), rows)
            (np.maximum if sign < 0 else np.minimum)(bound, crossing, out=bound)
    return left, right


def text_lines(solids: Solids, found: Faces, view: View) -> Floats:
    """
    The texture coordinates of faces as functions of the screen: (K, 8).

    u = line[0] + depth * (line[1] x + line[2] y + line[3]), v likewise from line[4] on; x and y at pixel centres.
    """
    camera = view.axes()
    rows = found.part
    center = turned(camera, solids.center[rows] - view.origin)
    own = part_axes(solids, rows, camera)
    each = np.arange(len(rows))
    lines = np.empty((len(rows), 8))
    for first, (axes, signs) in ((0, (_U_AXIS, _U_SIGN)), (4, (_V_AXIS, _V_SIGN))):
        along = axes[found.axis, found.side]
        way = own[each, along] * signs[found.axis, found.side][:, None]
        way = way * (0.5 / solids.half[rows][each, along])[:, None]
        lines[:, first] = 0.5 - (center * way).sum(axis=1)
        lines[:, first + 1] = way[:, 1] / view.focal
        lines[:, first + 2] = -way[:, 2] / view.focal
        lines[:, first + 3] = (
            way[:, 0] - lines[:, first + 1] * view.width / 2.0 - lines[:, first + 2] * view.height / 2.0
        )
    return lines


def shows_text(solids: Solids, found: Faces) -> NDArray[np.bool_]:
    """Tell which faces bear their part's texture."""
    bits = solids.faces[found.part] & _BIT[found.axis, found.side]
    shown: NDArray[np.bool_] = (bits != 0) & (solids.texture[found.part] >= 0)
    return shown
