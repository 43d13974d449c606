"""The solids of fixtures: boards, panels, doors' frames, and the sign above."""

from collections.abc import Callable, Mapping

from recfw_situated.scenes.fixtures import EDGE
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.kinds import KINDS, FixtureKind
from recfw_situated.scenes.records import Color, Fixture, Part, Point2

BOARD = 3.0
SIGN_BASE, SIGN_HEIGHT = 216.0, 34.0
WHITE: Color = (250, 250, 250)


class _Maker:
    """Collects a fixture's parts, in its own frame."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.kind = KINDS[fixture.kind]
        x, y, _ = fixture.box.center
        self.frame = Frame(x, y, fixture.facing)
        self.parts: list[Part] = []

    def add(
        self,
        forward: Point2,
        right: Point2,
        up: Point2,
        color: Color,
        label: str = "",
        faces: str = "",
        turn: float = 0,
    ) -> None:
        """Add a box of three local ranges; with a turn of 90 its label looks to the local right."""
        middle = self.frame.point(sum(forward) / 2, sum(right) / 2, sum(up) / 2)
        size = (forward[1] - forward[0], right[1] - right[0], up[1] - up[0])
        if turn % 180:
            size = (size[1], size[0], size[2])
        yaw = self.frame.moved(0, 0, turn).yaw
        self.parts.append(
            Part("box", middle, size, color, self.fixture.object, yaw, label, faces, WHITE, None)  # type: ignore[arg-type]
        )

    def hang(self, forward: Point2, right: Point2, up: Point2) -> None:
        """Add a thin post that carries a sign and is no part of the fixture in masks."""
        box = self.frame.box(forward, right, up)
        self.parts.append(Part("box", box.center, box.size, (120, 120, 124), "hangers"))


def fixture_parts(fixture: Fixture, ceiling: float) -> list[Part]:
    """Return a fixture's solids; none of them reaches into the room of the goods on its boards."""
    maker = _Maker(fixture)
    _BODIES[fixture.kind](maker, maker.kind)
    _sign(maker, ceiling)
    return maker.parts


def _sign(maker: _Maker, ceiling: float) -> None:
    """Hang the sign over the fixture, readable from both sides, and a smaller one across, for who comes along."""
    kind, words = maker.kind, maker.fixture.sign
    high = (SIGN_BASE, SIGN_BASE + SIGN_HEIGHT)
    free = len(kind.sides) > 1
    middle = 0.0 if free else kind.depth / 2 - 8.0
    maker.add((middle - 3, middle + 3), (-90, 90), high, kind.sign_paint, words, "both")
    for right in (-80.0, 80.0):
        maker.hang((middle - 1, middle + 1), (right - 1, right + 1), (high[1], ceiling))
    if not free:
        blade = (kind.depth / 2, kind.depth / 2 + 84)
        maker.add(blade, (-3, 3), (high[1] + 4, high[1] + 4 + SIGN_HEIGHT), kind.sign_paint, words, "both", 90)


def _island(maker: _Maker, kind: FixtureKind) -> None:
    """A shelf with boards on both sides of a middle wall, and names on its ends."""
    half, wide = kind.depth / 2, kind.width / 2
    maker.add((-1.5, 1.5), (-wide + 3, wide - 3), (12, kind.height), kind.paint)
    for board in kind.boards:
        maker.add((-half, half), (-wide + 3, wide - 3), (board.height - BOARD, board.height), kind.board_paint)
    maker.add((-half + 4, half - 4), (-wide + 3, wide - 3), (0, kind.boards[-1].height - BOARD), kind.paint)
    for end, turn in ((wide - 3, 90), (-wide, -90)):
        maker.add((-half, half), (end, end + 3), (0, kind.height), kind.paint)
        outer = (end + 3, end + 4) if turn > 0 else (end - 1, end)
        maker.add((-38, 38), outer, (132, 162), kind.sign_paint, maker.fixture.sign, "front", turn)


def _wall_unit(maker: _Maker, kind: FixtureKind) -> None:
    """A shelf or cabinet with a back, two sides and boards, open to the front."""
    half, wide = kind.depth / 2, kind.width / 2
    maker.add((-half, -half + 3), (-wide, wide), (0, kind.height), kind.paint)
    maker.add((-half + 3, half), (-wide, -wide + 3), (0, kind.height), kind.paint)
    maker.add((-half + 3, half), (wide - 3, wide), (0, kind.height), kind.paint)
    for board in kind.boards:
        maker.add((-half + 3, half), (-wide + 3, wide - 3), (board.height - BOARD, board.height), kind.board_paint)
    base = kind.boards[-1].height - BOARD
    maker.add((-half + 3, half - 2), (-wide + 3, wide - 3), (0, base), kind.paint)
    top = kind.boards[0].height + kind.boards[0].headroom + 2
    if kind.height > top:
        maker.add((-half + 3, half), (-wide + 3, wide - 3), (top, kind.height), kind.paint)


def _doors(maker: _Maker, kind: FixtureKind) -> None:
    """A wall unit with glass doors, of which only the thin frames are drawn."""
    _wall_unit(maker, kind)
    half = kind.depth / 2
    maker.add((half - 1, half), (-0.8, 0.8), (kind.boards[-1].height, kind.height - 12), (92, 104, 112))


def _chest(maker: _Maker, kind: FixtureKind) -> None:
    """An open chest, filled nearly to the rim."""
    half, wide, floor = kind.depth / 2, kind.width / 2, kind.boards[0].height
    maker.add((-half, half), (-wide, wide), (0, floor), kind.paint)
    for forward, right in (
        ((-half, -half + 4), (-wide, wide)),
        ((half - 4, half), (-wide, wide)),
        ((-half + 4, half - 4), (-wide, -wide + EDGE)),
        ((-half + 4, half - 4), (wide - EDGE, wide)),
    ):
        maker.add(forward, right, (floor, kind.height), (118, 150, 190))
    for side, turn in ((1, 0), (-1, 180)):
        face = (half, half + 1) if side > 0 else (-half - 1, -half)
        maker.add(face, (-70, 70), (28, 58), kind.sign_paint, maker.fixture.sign, "front", turn)
    maker.add((-1, 1), (-wide + EDGE, wide - EDGE), (floor, kind.height - 2), (176, 190, 204))


def _tiers(maker: _Maker, kind: FixtureKind) -> None:
    """A wooden stand whose tiers rise towards the middle on both sides."""
    half, wide = kind.depth / 2, kind.width / 2
    below = 0.0
    for board in reversed(kind.boards):
        front = half - board.setback + 1
        maker.add((-front, front), (-wide, wide), (below, board.height), kind.board_paint)
        below = board.height


_BODIES: Mapping[str, Callable[[_Maker, FixtureKind], None]] = {
    "shelf": _island,
    "wall shelf": _wall_unit,
    "upright freezer": _doors,
    "open cooler": _wall_unit,
    "chest freezer": _chest,
    "produce stand": _tiers,
}
