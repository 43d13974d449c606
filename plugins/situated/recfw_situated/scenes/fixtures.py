"""Lays out fixtures: their footprints, their viewpoints, and the goods on their boards."""

from typing import Any

from recfw_situated.scenes.draft import Draft
from recfw_situated.scenes.files import Entry
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.kinds import KINDS, Board, FixtureKind
from recfw_situated.scenes.records import BACKGROUND, Fixture
from recfw_situated.scenes.rows import spread

EDGE = 4.0  # what the side panels take of a board's length, on each end

FACINGS = {0.0, 90.0, 180.0, 270.0, -90.0}


def lay_fixture(draft: Draft, entry: Entry) -> None:
    """Add a fixture of a scene file with its waypoints and instances."""
    name = entry.text("id")
    kind = kind_of(entry)
    x, y = entry.numbers("at", 2)
    frame = Frame(x, y, facing_of(entry))
    title = entry.text("name")
    half, wide = kind.depth / 2, kind.width / 2
    sides = entry.take("boards", dict)
    front = draft.waypoint(f"{name}-front", frame, half + kind.stand_off, "front", name)
    back = None
    if "back" in kind.sides:
        back = draft.waypoint(f"{name}-back", frame.moved(0, 0, 180), half + kind.stand_off, "back", name)
    draft.fixtures.append(
        Fixture(
            id=name,
            name=title,
            sign=entry.text("sign", title),
            kind=kind.name,
            box=frame.box((-half, half), (-wide, wide), (0.0, kind.height)),
            facing=frame.yaw,
            front=front,
            back=back,
            color=BACKGROUND,
            object=f"fixture_{name}",
        )
    )
    for side, boards in sides.items():
        if side not in kind.sides:
            raise entry.error(f"a {kind.name} has no side '{side}' (it has {', '.join(kind.sides)}).")
        _fill(draft, entry, kind, frame if side == "front" else frame.moved(0, 0, 180), side, boards)
    entry.done()


def kind_of(entry: Entry) -> FixtureKind:
    """Return the fixture kind that an entry names."""
    name = entry.text("kind")
    if name not in KINDS:
        raise entry.error(f"no fixture kind '{name}' (known: {', '.join(KINDS)}).")
    return KINDS[name]


def facing_of(entry: Entry) -> float:
    """Return the direction an entry's front looks to."""
    yaw = entry.number("facing")
    if yaw not in FACINGS:
        raise entry.error(f"'facing' must be 0, 90, 180 or -90 degrees, not {yaw:g}.")
    return Frame(0, 0, yaw).moved(0, 0).yaw


def _fill(draft: Draft, entry: Entry, kind: FixtureKind, frame: Frame, side: str, boards: Any) -> None:
    if not isinstance(boards, list) or len(boards) != len(kind.boards):
        raise entry.error(f"side '{side}' must list {len(kind.boards)} boards, from the top down.")
    face = frame.moved(kind.depth / 2, 0)
    for number, (board, goods) in enumerate(zip(kind.boards, boards, strict=True), 1):
        _load(draft, entry, face, kind.width - 2 * EDGE, board, goods, f"{entry.where}: {side} board {number}")


def _load(draft: Draft, entry: Entry, face: Frame, run: float, board: Board, goods: Any, where: str) -> None:
    pairs = facings(entry, goods, where)
    sizes = [draft.size_of(product, where) for product, _ in pairs]
    for size in sizes:
        if size.height > board.headroom or size.depth > board.depth:
            raise entry.error(
                f"'{size.id}' is {size.height:g} cm high and {size.depth:g} cm deep; {where.rsplit(': ', 1)[1]} has "
                f"{board.headroom:g} and {board.depth:g} cm."
            )
    middles = spread([(size.width, count) for size, (_, count) in zip(sizes, pairs, strict=True)], run, where)
    for size, row in zip(sizes, middles, strict=True):
        for middle in row:
            # who stands before a board and reads it from left to right goes from its right end to its left one
            forward, right = -board.setback - size.depth / 2, run / 2 - middle
            draft.put(size.id, draft.fixtures[-1].id, face, forward, right, board.height)


def facings(entry: Entry, goods: Any, where: str) -> list[tuple[str, int]]:
    """Return (product, number of facings) of a board; a bare product id counts once."""
    pairs: list[tuple[str, int]] = []
    for one in goods if isinstance(goods, list) else [goods]:
        if isinstance(one, str):
            pairs.append((one, 1))
        elif isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and type(one[1]) is int and one[1] > 0:
            pairs.append((one[0], one[1]))
        else:
            raise entry.error(
                f"{where.rsplit(': ', 1)[-1]}: must be product ids or [product id, facings], not {one!r}."
            )
    return pairs
