"""The solids of what is not for sale: display shelves, tills, columns, benches, counters."""

from collections.abc import Callable, Mapping

from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.records import Color, Part, Point2, Prop
from recfw_situated.scenes.rooms import SHELF_BOARD, SHELF_BOARDS, SHELF_DEPTH, SHELF_SIDE

INK: Color = (44, 52, 64)
OUTER, DOOR = (226, 222, 214), (150, 156, 162)
WOOD, DARK, PALE, STEEL = (176, 150, 118), (88, 74, 62), (238, 234, 226), (150, 156, 162)


class _Maker:
    """Makes a prop's parts in its own frame, whose origin is the middle of its footprint."""

    def __init__(self, prop: Prop) -> None:
        self.prop = prop
        x, y, _ = prop.box.center
        self.frame = Frame(x, y, prop.facing)
        size = prop.box.size
        turned = round(prop.facing / 90) % 2
        self.half = (size[turned] / 2, size[1 - turned] / 2)
        self.low, self.high = prop.box.low[2], prop.box.high[2]

    def add(self, forward: Point2, right: Point2, up: Point2, color: Color, label: str = "") -> Part:
        """Return a box of three local ranges; a label is on its front."""
        middle = self.frame.point(sum(forward) / 2, sum(right) / 2, sum(up) / 2)
        size = (forward[1] - forward[0], right[1] - right[0], up[1] - up[0])
        name = f"prop_{self.prop.id}"
        return Part("box", middle, size, color, name, self.frame.yaw, label, "front" if label else "", INK)


def prop_parts(prop: Prop) -> list[Part]:
    """Return a prop's solids; a kind that has none of its own is one block of its box."""
    return _KINDS.get(prop.kind, _block)(_Maker(prop))


def _block(maker: _Maker) -> list[Part]:
    deep, wide = maker.half
    return [maker.add((-deep, deep), (-wide, wide), (maker.low, maker.high), PALE, maker.prop.text)]


def _shelf(maker: _Maker) -> list[Part]:
    deep, wide = SHELF_DEPTH / 2, maker.half[1]
    top = SHELF_BOARDS[0]
    held = [
        maker.add((-deep, -deep + 2), (-wide, wide), (0, top), DARK),
        maker.add((-deep + 2, deep), (-wide, -wide + SHELF_SIDE), (0, top), DARK),
        maker.add((-deep + 2, deep), (wide - SHELF_SIDE, wide), (0, top), DARK),
        maker.add((-deep + 2, deep - 2), (-wide + SHELF_SIDE, wide - SHELF_SIDE), (0, SHELF_BOARDS[-1] - 3), WOOD),
    ]
    for height in SHELF_BOARDS:
        inner = wide if height == top else wide - SHELF_SIDE
        held.append(maker.add((-deep + 2, deep), (-inner, inner), (height - SHELF_BOARD, height), WOOD))
    return held


def _staff_room(maker: _Maker) -> list[Part]:
    """A closed room: its walls as one block, and a door with what it says, if it says something."""
    deep, wide = maker.half
    held = [maker.add((-deep, deep), (-wide, wide), (maker.low, maker.high), OUTER)]
    if maker.prop.text:
        held.append(maker.add((deep, deep + 2), (-50, 50), (0, 210), DOOR))
        held.append(maker.add((deep + 2, deep + 3), (-42, 42), (150, 176), PALE, maker.prop.text))
    return held


def _till(maker: _Maker) -> list[Part]:
    deep, wide = maker.half
    top = maker.high
    return [
        maker.add((-deep, deep), (-wide, wide), (0, top - 6), PALE),
        maker.add((-deep + 4, deep - 4), (-wide + 6, wide - 40), (top - 6, top - 2), (52, 54, 58)),
        maker.add((-deep, deep), (wide - 40, wide), (top - 6, top), STEEL),
        maker.add((-8, 8), (wide - 30, wide - 10), (top, top + 28), (40, 44, 50)),
    ]


def _bench(maker: _Maker) -> list[Part]:
    deep, wide = maker.half
    return [
        maker.add((-deep, deep), (-wide, wide), (maker.high - 8, maker.high), WOOD),
        maker.add((-deep + 4, deep - 4), (-wide + 8, -wide + 16), (0, maker.high - 8), STEEL),
        maker.add((-deep + 4, deep - 4), (wide - 16, wide - 8), (0, maker.high - 8), STEEL),
    ]


_KINDS: Mapping[str, Callable[[_Maker], list[Part]]] = {
    "display shelf": _shelf,
    "staff room": _staff_room,
    "till": _till,
    "bench": _bench,
}
