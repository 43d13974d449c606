"""The kinds of fixtures: how large they are, and where their boards carry goods. Lengths in cm."""

from collections.abc import Mapping

import attrs

from recfw_situated.scenes.records import Color


@attrs.frozen
class Board:
    """A surface that carries goods: its height, how far behind the front edge goods begin, and the room above."""

    height: float
    setback: float
    headroom: float
    depth: float


@attrs.frozen
class FixtureKind:
    """What all fixtures of one kind share. `boards` are those of one side, from the top down."""

    name: str
    width: float
    depth: float
    height: float
    boards: tuple[Board, ...]
    sides: tuple[str, ...]
    stand_off: float  # from its face to the fixed viewpoint before it
    paint: Color
    board_paint: Color
    sign_paint: Color


def _level(setback: float, headroom: float, depth: float, *heights: float) -> tuple[Board, ...]:
    return tuple(Board(height, setback, headroom, depth) for height in heights)


_KINDS = (
    FixtureKind(
        "shelf", 220, 92, 176, _level(2, 37.5, 41, 138, 97, 56, 15), ("front", "back"), 135,
        (214, 208, 196), (232, 226, 214), (38, 84, 124),
    ),
    FixtureKind(
        "wall shelf", 240, 50, 176, _level(2, 37.5, 44, 138, 97, 56, 15), ("front",), 135,
        (206, 190, 166), (228, 216, 194), (128, 72, 38),
    ),
    FixtureKind(
        "upright freezer", 170, 80, 200, _level(6, 38, 70, 149, 108, 67, 26), ("front",), 135,
        (176, 190, 200), (224, 234, 240), (32, 108, 150),
    ),
    FixtureKind(
        "open cooler", 250, 85, 200, _level(4, 36, 74, 150, 111, 72, 33), ("front",), 135,
        (120, 132, 140), (220, 228, 232), (34, 122, 110),
    ),
    FixtureKind(
        "chest freezer", 220, 110, 82, (Board(72, 30, 40, 22), Board(72, 6, 40, 22)), ("front", "back"), 105,
        (222, 228, 232), (236, 242, 246), (52, 92, 168),
    ),
    FixtureKind(
        "produce stand", 230, 150, 96, (Board(90, 49, 60, 24), Board(68, 25, 30, 22), Board(46, 1, 30, 22)),
        ("front", "back"), 125, (150, 108, 68), (176, 132, 88), (60, 120, 52),
    ),
)  # fmt: skip

KINDS: Mapping[str, FixtureKind] = {kind.name: kind for kind in _KINDS}
