"""
The close-up of a held or inspected item: the item, turned a little, and a card with its name, before the eyes.

It is built in the eyes' own frame (X ahead, Y right, Z up, the eyes at the origin), so that it reads the same whichever
way the shopper looks. Depths lie between 15 and 28 cm.
"""

import math
from collections.abc import Sequence

import attrs

from recfw_situated.scenes.records import Part, Point3

CARD_DEPTH = 16.0
ITEM_DEPTH = 21.5
ITEM_THICK = 9.5  # cm at most along the line of sight
SHEET_DEPTH = 27.0
_TURN = 180.0 - 20.0  # the front faces the eyes, one side shows


@attrs.frozen
class Frame:
    """A place on the screen, as shares of its half width and half height from the centre: right, up, then extents."""

    across: float
    up: float
    wide: float
    tall: float


@attrs.frozen
class Manner:
    """Where the item, the card and the sheet stand."""

    item: Frame
    card: Frame
    sheet: Frame | None  # a plain ground behind the item, for what is looked at but not in the hand


HELD = Manner(Frame(0.64, -0.28, 0.58, 0.62), Frame(0.64, -0.80, 0.68, 0.32), None)
SHOWN = Manner(Frame(0.53, 0.12, 0.72, 1.0), Frame(0.53, -0.73, 0.86, 0.28), Frame(0.53, -0.06, 0.90, 1.68))


def closeup(
    parts: Sequence[Part], base: Point3, yaw: float, name: str, manner: Manner, slope: tuple[float, float]
) -> list[Part]:
    """
    Build the close-up of an item.

    Args:
        parts: the item as it stands in the world.
        base: the middle of its base.
        yaw: its front.
        name: what the card says.
        manner: `HELD` or `SHOWN`.
        slope: half the picture's width and height per cm of depth.
    """
    local = [_local(part, base, yaw) for part in parts]
    lows = [min(part.center[axis] - _reach(part)[axis] for part in local) for axis in range(3)]
    highs = [max(part.center[axis] + _reach(part)[axis] for part in local) for axis in range(3)]
    middle = tuple((low + high) / 2 for low, high in zip(lows, highs, strict=True))
    deep, wide, tall = (max(high - low, 0.1) for low, high in zip(lows, highs, strict=True))
    room = (slope[0] * ITEM_DEPTH * manner.item.wide, slope[1] * ITEM_DEPTH * manner.item.tall)
    turn = math.radians(_TURN)
    across = wide * abs(math.cos(turn)) + deep * abs(math.sin(turn))
    along = deep * abs(math.cos(turn)) + wide * abs(math.sin(turn))
    scale = min(room[0] / across, room[1] / (tall + 0.25 * along), ITEM_THICK / along)
    to = (ITEM_DEPTH, slope[0] * ITEM_DEPTH * manner.item.across, slope[1] * ITEM_DEPTH * manner.item.up)
    found = [_placed(part, middle, scale, turn, to) for part in local]
    owner = parts[0].object
    found.append(_board(owner, name, manner.card, CARD_DEPTH, slope))
    if manner.sheet is not None:
        found.append(_board(owner, "", manner.sheet, SHEET_DEPTH, slope))
    return found


def _board(owner: str, words: str, frame: Frame, depth: float, slope: tuple[float, float]) -> Part:
    """A flat board that fills a place on the screen, with words or plain."""
    half_wide, half_tall = slope[0] * depth, slope[1] * depth
    return Part(
        shape="box",
        center=(depth + 0.1, half_wide * frame.across, half_tall * frame.up),
        size=(0.2, half_wide * frame.wide, half_tall * frame.tall),
        color=(250, 246, 232) if words else (222, 226, 232),
        object=owner,
        yaw=180.0,
        label=words,
        faces="front" if words else "",
        ink=(20, 24, 40),
        paper=(255, 253, 244),
    )


def _local(part: Part, base: Point3, yaw: float) -> Part:
    """A part relative to its item's base, the front along X."""
    x, y = _rotated(part.center[0] - base[0], part.center[1] - base[1], math.radians(-yaw))
    return attrs.evolve(part, center=(x, y, part.center[2] - base[2]), yaw=part.yaw - yaw)


def _placed(part: Part, middle: Sequence[float], scale: float, turn: float, to: Point3) -> Part:
    """A local part, shrunk about its item's middle, turned and put before the eyes."""
    dx, dy, dz = ((part.center[axis] - middle[axis]) * scale for axis in range(3))
    x, y = _rotated(dx, dy, turn)
    size = (part.size[0] * scale, part.size[1] * scale, part.size[2] * scale)
    return attrs.evolve(part, center=(to[0] + x, to[1] + y, to[2] + dz), size=size, yaw=part.yaw + math.degrees(turn))


def _reach(part: Part) -> Point3:
    """Half extents along X, Y and Z of a part that is turned about Z."""
    cos, sin = abs(math.cos(math.radians(part.yaw))), abs(math.sin(math.radians(part.yaw)))
    dx, dy, dz = part.size
    return ((dx * cos + dy * sin) / 2, (dx * sin + dy * cos) / 2, dz / 2)


def _rotated(x: float, y: float, turn: float) -> tuple[float, float]:
    """Turn a point about the origin; positive from X towards Y."""
    return x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
