"""
Colours of surfaces: paint under a fixed light, texts from the atlas, and thin dark seams between parts.

Pixels are packed as little-endian RGBA in uint32; two channels at a time are scaled or blended in one multiplication.
"""

import numpy as np
from numpy.typing import NDArray

from recfw_situated.simulator.atlas import LEVELS, Atlas
from recfw_situated.simulator.camera import Floats, View
from recfw_situated.simulator.curved import Rays, normals
from recfw_situated.simulator.planes import Faces, text_lines
from recfw_situated.simulator.solids import BACK, FRONT, ROUND, Solids

Packed = NDArray[np.uint32]

_TILE, _FADE, _FLOOR = (
    60.0,
    1500.0,
    200.0,
)  # cm: a floor tile's side, how far joints are seen, half a floor's least side
_ALPHA = np.uint32(0xFF000000)
_PAIR = np.uint32(0x00FF00FF)
_EIGHT = np.uint32(8)
# of each shape: the shares of half width and half height that a text's panel covers, and the height of its middle
PATCHES = np.array(((1.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.66, 0.46, 0.0), (0.5, 0.42, -0.45)))
_LIGHT = np.array((0.36, -0.48, 0.80))  # towards the light, of unit length
_DIM, _BRIGHT = 0.87, 0.16


def packed(color: NDArray[np.float32]) -> Packed:
    """Pack RGB (N, 3) of 0..255 with full alpha."""
    whole = np.clip(color + 0.5, 0, 255).astype(np.uint32)
    found: Packed = whole[:, 0] | (whole[:, 1] << 8) | (whole[:, 2] << 16) | _ALPHA
    return found


def scaled(color: Packed, factor: NDArray[np.uint32]) -> Packed:
    """Multiply the three channels by factor / 256 (at most 256), alpha stays full."""
    pair = (((color & _PAIR) * factor) >> _EIGHT) & _PAIR
    green = (((color >> _EIGHT) & np.uint32(0xFF)) * factor) & np.uint32(0xFF00)
    found: Packed = pair | green | _ALPHA
    return found


def blended(one: Packed, two: Packed, share: NDArray[np.uint32]) -> Packed:
    """Mix two colours, `share` / 256 of the second."""
    rest = np.uint32(256) - share
    pair = (((one & _PAIR) * rest + (two & _PAIR) * share) >> _EIGHT) & _PAIR
    green = ((((one >> _EIGHT) & np.uint32(0xFF)) * rest) + (((two >> _EIGHT) & np.uint32(0xFF)) * share)) & np.uint32(
        0xFF00
    )
    found: Packed = pair | green | _ALPHA
    return found


def lit_text(bright: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Texts are printed brightly: they lose little of their light to the direction that they look in."""
    found: NDArray[np.uint32] = np.uint32(256) - (np.uint32(256) - bright) // np.uint32(3)
    return found


def light(normal: Floats) -> Floats:
    """How bright a surface with a unit normal is: one slanting light, and sides a little dimmer by direction."""
    slant = normal[:, 0] * _LIGHT[0] + normal[:, 1] * _LIGHT[1] + normal[:, 2] * _LIGHT[2]
    found: Floats = np.clip(_DIM + _BRIGHT * np.maximum(slant, 0) - 0.07 * np.abs(normal[:, 1]), 0.3, 1.0)
    return found


def face_normals(solids: Solids, found: Faces) -> Floats:
    """Unit normals of flat faces in the world, (K, 3)."""
    sign = found.side * 2.0 - 1.0
    cos, sin = solids.turn[found.part, 0], solids.turn[found.part, 1]
    normal = np.zeros((len(found), 3))
    normal[:, 0] = np.where(found.axis == 0, cos, np.where(found.axis == 1, -sin, 0.0)) * sign
    normal[:, 1] = np.where(found.axis == 0, sin, np.where(found.axis == 1, cos, 0.0)) * sign
    normal[:, 2] = np.where(found.axis == 2, sign, 0.0)
    return normal


def face_light(solids: Solids, found: Faces, lamp: bool) -> NDArray[np.uint32]:
    """How bright each flat face is, of 256; under a lamp, faces that look at it are fully lit."""
    normal = face_normals(solids, found)
    bright = np.where(normal[:, 0] < -0.7, 1.0, light(normal)) if lamp else light(normal)
    return (bright * 256.0).astype(np.uint32)


def ray_normals(
    solids: Solids,
    found: Rays,
    view: View,
    owner: NDArray[np.int64],
    pixel: NDArray[np.int64],
    depth: NDArray[np.float32],
) -> tuple[Floats, Floats]:
    """Of pixels that show curved parts: where they lie in own scaled coordinates, and unit normals in the world."""
    x, y = (pixel % view.width) + 0.5, (pixel // view.width) + 0.5
    way = found.way[owner]
    local = found.origin[owner] + depth[:, None] * (way[:, 0] * x[:, None] + way[:, 1] * y[:, None] + way[:, 2])
    part = found.part[owner]
    normal = normals(found.kind[owner], local) / solids.half[part]
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1)), 1e-9)[:, None]
    cos, sin = solids.turn[part, 0], solids.turn[part, 1]
    world = np.empty_like(normal)
    world[:, 0] = normal[:, 0] * cos - normal[:, 1] * sin
    world[:, 1] = normal[:, 0] * sin + normal[:, 1] * cos
    world[:, 2] = normal[:, 2]
    return local, world


def ray_pixels(
    solids: Solids,
    found: Rays,
    view: View,
    atlas: Atlas,
    owner: NDArray[np.int64],
    pixel: NDArray[np.int64],
    depth: NDArray[np.float32],
) -> Packed:
    """The colours of pixels that show curved parts (rows `owner` of `found`)."""
    local, world = ray_normals(solids, found, view, owner, pixel, depth)
    part = found.part[owner]
    factor = (light(world) * 256.0).astype(np.uint32)
    color = packed(solids.color)[part]
    bits = solids.faces[part]
    front = ((bits & FRONT) != 0) & (local[:, 0] > 0.05) | ((bits & BACK) != 0) & (local[:, 0] < -0.05)
    kind = found.kind[owner]
    patch = PATCHES[kind]
    turned = (bits & ROUND) != 0
    flat = 0.5 - 0.5 * local[:, 1] * np.sign(local[:, 0]) / patch[:, 0]
    v = 0.5 - 0.5 * (local[:, 2] - patch[:, 2]) / patch[:, 1]
    inside = (flat > 0) & (flat < 1) | turned
    inside &= (v > 0) & (v < 1) & (np.abs(world[:, 2]) < 0.97)  # a cap bears no text
    chosen = np.nonzero((front | turned) & inside & (solids.texture[part] >= 0))[0]
    if len(chosen):
        at, which = local[chosen], part[chosen]
        u = np.where(turned[chosen], (np.arctan2(-at[:, 1], at[:, 0]) / np.pi * 1.5 + 0.5) % 1.0, flat[chosen])
        fineness = depth[chosen] / view.focal / (2.0 * solids.half[which, 2] * patch[chosen, 1])
        color[chosen] = sampled(atlas, solids.texture[which], u, v[chosen], fineness)
    return scaled(color, factor)


def floors(solids: Solids, found: Faces) -> NDArray[np.bool_]:
    """Tell which faces are floors: they look up and are larger than any furniture."""
    wide = np.minimum(solids.half[found.part, 0], solids.half[found.part, 1]) > _FLOOR
    spread: NDArray[np.bool_] = wide & (found.axis == 2) & (found.side == 1)
    return spread


def tile_joints(view: View, pixel: NDArray[np.int64], depth: NDArray[np.float32]) -> NDArray[np.uint32]:
    """How bright floor pixels are, of 256: joints of square tiles are darker, and fade with the distance."""
    near = np.nonzero(depth < _FADE)[0]
    axes = view.axes()
    across = ((pixel[near] % view.width + 0.5) - view.width / 2.0) / view.focal
    down = ((pixel[near] // view.width + 0.5) - view.height / 2.0) / view.focal
    joint = np.zeros(len(near), dtype=np.bool_)
    width = np.maximum(depth[near] * np.float32(1.2 / view.focal), np.float32(1.2))
    for axis, start in ((0, view.x), (1, view.y)):
        along = start + depth[near] * (axes[0, axis] + across * axes[1, axis] - down * axes[2, axis])
        joint |= np.mod(along, _TILE) < width
    found = np.full(len(pixel), 256, dtype=np.uint32)
    found[near[joint]] = 256 - ((1.0 - depth[near[joint]] / _FADE) * 40.0).astype(np.uint32)
    return found


def face_texts(
    solids: Solids,
    found: Faces,
    view: View,
    atlas: Atlas,
    shown: NDArray[np.bool_],
    owner: NDArray[np.int64],
    pixel: NDArray[np.int64],
    depth: NDArray[np.float32],
) -> Packed:
    """The colours of pixels that show a flat face's text, before light. `shown` tells the faces that bear one."""
    small = np.cumsum(shown) - 1
    chosen = np.nonzero(shown)[0]
    bearing = Faces(
        found.part[chosen], found.axis[chosen], found.side[chosen], found.plane[chosen], found.outline[chosen]
    )
    lines = text_lines(solids, bearing, view).astype(np.float32)
    face = small[owner]
    x, y = (pixel % view.width + 0.5).astype(np.float32), (pixel // view.width + 0.5).astype(np.float32)
    line = lines[face]
    u = line[:, 0] + depth * (line[:, 1] * x + line[:, 2] * y + line[:, 3])
    v = line[:, 4] + depth * (line[:, 5] * x + line[:, 6] * y + line[:, 7])
    # how much of the text's height a pixel's step covers, of the two directions the smaller
    fineness = depth * np.maximum(np.abs(line[:, 6]), np.abs(line[:, 5]))
    return sampled(atlas, solids.texture[bearing.part[face]], u, v, fineness)


def sampled(atlas: Atlas, row: NDArray[np.int32], u: Floats, v: Floats, fineness: Floats) -> Packed:
    """
    Read textures between texels.

    Args:
        atlas: the textures.
        row: the texture of each pixel.
        u: 0 at the text's beginning, 1 at its end.
        v: 0 at the top, 1 at the bottom.
        fineness: the share of the texture's height that one pixel covers; chooses the copy.
    """
    texels = fineness * atlas.tall[row, 0]
    level = np.clip(np.floor(np.log2(np.maximum(texels, 1e-6)) + 0.35), 0, LEVELS - 1).astype(np.int64)
    first, wide, tall = atlas.first[row, level], atlas.wide[row, level], atlas.tall[row, level]
    x = np.clip(u * wide - 0.5, 0, wide - 1).astype(np.float32)
    y = np.clip(v * tall - 0.5, 0, tall - 1).astype(np.float32)
    left, top = x.astype(np.int32), y.astype(np.int32)
    right = np.minimum(left + 1, wide - 1)
    upper = first + top * wide
    lower = first + np.minimum(top + 1, tall - 1) * wide
    across = ((x - left) * 256).astype(np.uint32)
    down = ((y - top) * 256).astype(np.uint32)
    take = atlas.texels.take
    return blended(
        blended(take(upper + left), take(upper + right), across),
        blended(take(lower + left), take(lower + right), across),
        down,
    )
