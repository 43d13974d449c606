"""The solids of the building: floor, ceiling, lights, walls, doorways, and the signs of stores and areas."""

from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.records import Area, Box, Color, Part, Point2, Scene, Store
from recfw_situated.scenes.rooms import DOOR_HEIGHT, DOOR_WIDTH, WALL

WHITE: Color = (250, 250, 250)
FLOOR, CEILING, OUTER, LAMP = (206, 202, 194), (236, 236, 234), (226, 222, 214), (255, 252, 240)
THEMES: tuple[tuple[Color, Color, Color], ...] = (  # of the stores in turn: sign, walls, floor
    ((46, 52, 64), (226, 224, 220), (186, 172, 152)),
    ((96, 52, 30), (214, 196, 174), (140, 104, 76)),
    ((176, 124, 20), (232, 228, 214), (170, 168, 164)),
    ((44, 92, 130), (238, 238, 234), (214, 190, 156)),
    ((178, 44, 92), (236, 226, 214), (156, 186, 204)),
    ((36, 104, 62), (222, 232, 216), (190, 180, 160)),
    ((110, 26, 42), (220, 206, 186), (120, 80, 60)),
)
LAMP_SPACING = 600.0


def building_parts(scene: Scene) -> list[Part]:
    """Return the solids of the building and of the signs that hang in it."""
    (_, _, _), (wide, deep, high) = scene.bounds.low, scene.bounds.high
    held = [
        _block(Box((-WALL, -WALL, -10.0), (wide + WALL, deep + WALL, 0.0)), FLOOR, "floor"),
        _block(Box((-WALL, -WALL, high), (wide + WALL, deep + WALL, high + 10.0)), CEILING, "ceiling"),
    ]
    held += _lamps(wide, deep, high)
    for number, wall in enumerate(scene.walls):
        held.append(_block(wall, _wall_paint(scene, wall), f"Wall_{number}"))
    for number, store in enumerate(scene.stores):
        held += _store_parts(store, THEMES[number % len(THEMES)])
    for area in scene.areas:
        held += _area_sign(scene, area)
    return held


def _block(box: Box, color: Color, name: str) -> Part:
    return Part("box", box.center, box.size, color, name)


def _lamps(wide: float, deep: float, high: float) -> list[Part]:
    across, along = max(1, round(wide / LAMP_SPACING)), max(1, round(deep / LAMP_SPACING))
    return [
        Part(
            "box",
            ((column + 0.5) * wide / across, (row + 0.5) * deep / along, high - 2.0),
            (220.0, 26.0, 4.0),
            LAMP,
            "lights",
        )
        for row in range(along)
        for column in range(across)
    ]


def _wall_paint(scene: Scene, wall: Box) -> Color:
    for number, store in enumerate(scene.stores):
        if store.box.overlaps(wall):
            return THEMES[number % len(THEMES)][1]
    return OUTER


class _Local:
    """Makes boxes in a frame for one engine object."""

    def __init__(self, frame: Frame, name: str) -> None:
        self.frame, self.name = frame, name

    def box(self, forward: Point2, right: Point2, up: Point2, color: Color) -> Part:
        """Return a plain box of three local ranges."""
        return _block(self.frame.box(forward, right, up), color, self.name)

    def sign(
        self, forward: Point2, right: Point2, up: Point2, color: Color, words: str, *, across: bool = False
    ) -> Part:
        """Return a board with words on both faces, looking forward and back or, across, to the sides."""
        box = self.frame.box(forward, right, up)
        yaw = self.frame.moved(0, 0, 90 if across else 0).yaw
        size = box.size if round(yaw / 90) % 2 == 0 else (box.size[1], box.size[0], box.size[2])
        return Part("box", box.center, size, color, self.name, yaw, words, "both", WHITE)


def _store_parts(store: Store, theme: tuple[Color, Color, Color]) -> list[Part]:
    """Return a store's floor, doorway frame and signs: one over the door, one that stands out into the corridor."""
    sign, _, floor = theme
    frame = front_of(store)
    local, half = _Local(frame, store.object), DOOR_WIDTH / 2
    inner = store.box
    carpet = Box((inner.low[0], inner.low[1], 0.0), (inner.high[0], inner.high[1], 0.3))
    return [
        _block(carpet, floor, "floor"),
        local.box((-WALL - 2, 3), (-half, -half + 10), (0, DOOR_HEIGHT), sign),
        local.box((-WALL - 2, 3), (half - 10, half), (0, DOOR_HEIGHT), sign),
        local.box((-WALL - 2, 3), (-half, half), (DOOR_HEIGHT - 8, DOOR_HEIGHT), sign),
        local.sign((0, 6), (-half, half), (DOOR_HEIGHT + 8, DOOR_HEIGHT + 58), sign, store.sign),
        local.sign((-WALL - 6, -WALL), (-half, half), (DOOR_HEIGHT + 8, DOOR_HEIGHT + 58), sign, store.sign),
        local.sign(
            (8, 168), (half + 30, half + 38), (DOOR_HEIGHT - 4, DOOR_HEIGHT + 44), sign, store.sign, across=True
        ),
    ]


def front_of(store: Store) -> Frame:
    """Return the frame of a store's doorway: its middle, looking out."""
    (x0, y0, _), (x1, y1, _) = store.box.low, store.box.high
    frame = Frame((x0 + x1) / 2, (y0 + y1) / 2, store.facing)
    depth = x1 - x0 if round(store.facing / 90) % 2 == 0 else y1 - y0
    return frame.moved(depth / 2, 0)


def _area_sign(scene: Scene, area: Area) -> list[Part]:
    number = next(place for place, store in enumerate(scene.stores) if store.id == area.store)
    paint = THEMES[number % len(THEMES)][0]
    waypoint = scene.waypoint_by_id[area.waypoint]
    x, y, _ = area.point
    frame = Frame(x, y, waypoint.yaw).moved(0, 0, 180)
    local, high = _Local(frame, area.object), scene.bounds.high[2]
    posts = _Local(frame, "hangers")
    return [
        local.sign((-20, -14), (-100, 100), (234, 266), paint, area.sign),
        local.sign((-112, -28), (-3, 3), (238, 266), paint, area.sign, across=True),
        posts.box((-18, -16), (-91, -89), (266, high), (120, 120, 124)),
        posts.box((-18, -16), (89, 91), (266, high), (120, 120, 124)),
    ]
