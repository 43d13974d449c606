"""Lays out themed stores: rooms with a doorway, display areas along their walls, and the goods in them."""

from typing import Any

import attrs

from recfw_situated.scenes.draft import Draft, Goods
from recfw_situated.scenes.files import Entry
from recfw_situated.scenes.fixtures import facing_of, facings
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.records import BACKGROUND, Area, Prop, Store
from recfw_situated.scenes.rows import spread

WALL = 20.0
DOOR_WIDTH, DOOR_HEIGHT = 320.0, 240.0
OUTSIDE, INSIDE = 200.0, 150.0  # from the doorway to its two waypoints
AREA_WIDTH = 430.0
BACK_GAP, ROW_GAP = 6.0, 22.0  # behind the back row, and between the rows
STAND_OFF = 185.0  # from the front row to the area's waypoint
PODIUM = 32.0  # height of the platform under the back row, which lifts it over the front row
SHELF_BOARDS = (150.0, 110.0, 70.0)  # heights of a display shelf's boards, from the top down
SHELF_ROOM = (60.0, 37.0, 37.0)
SHELF_DEPTH, SHELF_BOARD, SHELF_SIDE = 34.0, 3.0, 3.0
HANG_TOP = 222.0  # the upper end of a pendant
FREE_HEIGHT = 110.0  # of an area's fixed point


def lay_store(draft: Draft, entry: Entry, ceiling: float) -> None:
    """Add a store of a scene file with its walls, doorway waypoints, areas and instances."""
    name = entry.text("id")
    x, y = entry.numbers("doorway", 2)
    width, depth = entry.numbers("size", 2)
    frame = Frame(x, y, facing_of(entry))
    title = entry.text("name")
    _walls(draft, frame, width, depth, ceiling)
    outside = draft.waypoint(f"{name}-outside", frame, OUTSIDE, "outside_doorway", name)
    inside = draft.waypoint(f"{name}-inside", frame, -WALL - INSIDE, "inside_doorway", name)
    draft.stores.append(
        Store(
            id=name,
            name=title,
            sign=entry.text("sign", title),
            theme=entry.text("theme"),
            box=frame.box((-depth, 0), (-width / 2, width / 2), (0.0, ceiling)),
            facing=frame.yaw,
            outside_doorway=outside,
            inside_doorway=inside,
            color=BACKGROUND,
            object=f"store_{name}",
        )
    )
    for number, fields in enumerate(entry.take("areas", list), 1):
        _lay_area(draft, Entry(f"{entry.where}: area {number}", fields), name, frame, (width, depth))
    entry.done()


def _walls(draft: Draft, frame: Frame, width: float, depth: float, ceiling: float) -> None:
    half, door = width / 2, DOOR_WIDTH / 2
    tall = (0.0, ceiling)
    draft.walls += [
        frame.box((-WALL, 0), (-half, -door), tall),
        frame.box((-WALL, 0), (door, half), tall),
        frame.box((-WALL, 0), (-door, door), (DOOR_HEIGHT, ceiling)),
        frame.box((-depth, -WALL), (-half, -half + WALL / 2), tall),
        frame.box((-depth, -WALL), (half - WALL / 2, half), tall),
        frame.box((-depth, -depth + WALL / 2), (-half + WALL / 2, half - WALL / 2), tall),
    ]


def _lay_area(draft: Draft, entry: Entry, store: str, room: Frame, size: tuple[float, float]) -> None:
    name, title = entry.text("id"), entry.text("name")
    frame = _stretch(entry, room, size)
    front = _rows(draft, entry, name, frame)
    waypoint = draft.waypoint(name, frame, front + STAND_OFF, "area", name)
    draft.areas.append(
        Area(
            id=name,
            store=store,
            name=title,
            sign=entry.text("sign", title),
            point=frame.point(front + 5.0, 0.0, FREE_HEIGHT),
            box=frame.box((0.0, front), (-AREA_WIDTH / 2, AREA_WIDTH / 2), (0.0, 300.0)),
            waypoint=waypoint,
            color=BACKGROUND,
            object=f"area_{name}",
        )
    )
    entry.done()


def _stretch(entry: Entry, room: Frame, size: tuple[float, float]) -> Frame:
    """Return the frame of an area: the middle of its stretch of wall, facing the room."""
    wall, along = entry.text("wall"), entry.number("along")
    width, depth = size[0] / 2 - WALL / 2, size[1] - WALL / 2
    if wall == "left":
        return room.moved(-along, width, -90)
    if wall == "right":
        return room.moved(-along, -width, 90)
    if wall == "back":
        return room.moved(-depth, along, 0)
    raise entry.error(f"'wall' must be left, right or back (as seen on entering), not '{wall}'.")


@attrs.frozen
class _Shelf:
    """A display shelf for small goods: its boards from the top down, and how wide it must be."""

    boards: tuple[tuple[Goods, ...], ...]
    width: float


def _rows(draft: Draft, entry: Entry, area: str, frame: Frame) -> float:
    """Place an area's goods; return how far its front edge is from the wall."""
    back = _units(draft, entry, "back")
    shelf = _shelf(draft, entry)
    depth = max([SHELF_DEPTH if shelf.boards else 0.0, *(one.depth for one in back)], default=0.0)
    widths = [one.width for one in back] + ([shelf.width] if shelf.boards else [])
    middles = spread([(width, 1) for width in widths], AREA_WIDTH, f"{entry.where}: back row")
    for one, (middle,) in zip(back, middles, strict=False):
        draft.put(one.id, area, frame, BACK_GAP + one.depth / 2, AREA_WIDTH / 2 - middle, PODIUM)
    if back:
        end = middles[len(back) - 1][0] + back[-1].width / 2 + 2.0
        box = frame.box((0.0, BACK_GAP + max(one.depth for one in back) + 4.0),
                        (AREA_WIDTH / 2 - end, AREA_WIDTH / 2), (0.0, PODIUM))  # fmt: skip
        draft.props.append(Prop(f"podium-{area}", "podium", box, frame.yaw))
    if shelf.boards:
        _stand_shelf(draft, shelf, area, frame.moved(BACK_GAP, AREA_WIDTH / 2 - middles[-1][0]))
    edge = BACK_GAP + depth + ROW_GAP
    row = _units(draft, entry, "front")
    front = edge + max((one.depth for one in row), default=0.0)
    for one, (middle,) in zip(
        row, spread([(one.width, 1) for one in row], AREA_WIDTH, f"{entry.where}: front row"), strict=True
    ):
        draft.put(one.id, area, frame, edge + one.depth / 2, AREA_WIDTH / 2 - middle, 0.0)
    hung = _units(draft, entry, "hanging")
    for one, (middle,) in zip(
        hung, spread([(one.width, 1) for one in hung], AREA_WIDTH, f"{entry.where}: pendants"), strict=True
    ):
        draft.put(one.id, area, frame, edge + 30.0, AREA_WIDTH / 2 - middle, HANG_TOP - one.height)
    return front


def _units(draft: Draft, entry: Entry, row: str) -> list[Goods]:
    where = f"{entry.where}: {row} row"
    pairs = facings(entry, entry.take(row, list, []), where)
    return [draft.size_of(product, where) for product, count in pairs for _ in range(count)]


def _shelf(draft: Draft, entry: Entry) -> _Shelf:
    held: list[Any] = entry.take("shelf", list, [])
    if held and len(held) != len(SHELF_BOARDS):
        raise entry.error(f"'shelf' must list {len(SHELF_BOARDS)} boards, from the top down.")
    boards: list[tuple[Goods, ...]] = []
    for number, (goods, room) in enumerate(zip(held, SHELF_ROOM, strict=False), 1):
        where = f"{entry.where}: shelf board {number}"
        units = [draft.size_of(one, where) for one, count in facings(entry, goods, where) for _ in range(count)]
        for unit in units:
            if unit.height > room or unit.depth > SHELF_DEPTH:
                raise entry.error(
                    f"'{unit.id}' is {unit.height:g} cm high and {unit.depth:g} cm deep; shelf board {number} has "
                    f"{room:g} and {SHELF_DEPTH:g} cm."
                )
        boards.append(tuple(units))
    widest = max((sum(one.width + 4.0 for one in board) + 6.0 for board in boards), default=0.0)
    return _Shelf(tuple(boards), widest + 2 * SHELF_SIDE)


def _stand_shelf(draft: Draft, shelf: _Shelf, area: str, frame: Frame) -> None:
    """Put a display shelf whose back's middle is the frame's origin, with its goods at the boards' front edge."""
    half = shelf.width / 2
    box = frame.box((0.0, SHELF_DEPTH), (-half, half), (0.0, SHELF_BOARDS[0]))
    draft.props.append(Prop(f"display-{area}", "display shelf", box, frame.yaw))
    run = shelf.width - 2 * SHELF_SIDE
    for height, board in zip(SHELF_BOARDS, shelf.boards, strict=True):
        for one, (middle,) in zip(board, spread([(one.width, 1) for one in board], run, area), strict=True):
            draft.put(one.id, area, frame, SHELF_DEPTH - one.depth / 2, run / 2 - middle, height)
