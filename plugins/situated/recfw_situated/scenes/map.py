"""Draws a scene from above: walls, fixtures or stores and areas with their names, waypoints, and the shopper."""

import math
from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

from recfw_situated.scenes.building import THEMES
from recfw_situated.scenes.kinds import KINDS
from recfw_situated.scenes.obstacles import instance_box
from recfw_situated.scenes.records import Box, Color, Point2, Pose, Scene
from recfw_situated.scenes.rooms import DOOR_HEIGHT

Labels = Mapping[tuple[str, str], str]

PAPER, WALL, PROP, INK, PALE = (250, 249, 246), (70, 70, 74), (205, 203, 198), (30, 32, 38), (255, 255, 255)
SHOPPER, GOODS = (214, 38, 46), (150, 140, 128)
DOTS: Mapping[str, Color] = {
    "front": (20, 112, 190),
    "back": (196, 112, 20),
    "outside_doorway": (20, 112, 190),
    "inside_doorway": (196, 112, 20),
    "area": (44, 140, 70),
}
MARGIN, TITLE = 24, 34
STANDING = 60.0  # cm; what begins higher stands on a display shelf or hangs
LEAST_FONT, MOST_FONT = 8, 17


def draw_map(
    scene: Scene, *, pose: Pose | None = None, labels: Labels | None = None, waypoints: bool = True, width: int = 1400
) -> Image.Image:
    """
    Return the layout map as an RGB picture: X to the right, Y down, so that a right turn turns right on paper.

    Args:
        scene: What is drawn.
        pose: The shopper, drawn as an arrow with its field of view; none where it is None.
        labels: (kind, id) -> what a role calls a fixture, store or area; written before the name.
        waypoints: Whether the fixed viewpoints are marked.
        width: Of the picture in pixels.
    """
    sheet = _Sheet(scene, width)
    sheet.title(scene.title)
    _floor(sheet, scene)
    if waypoints:
        for waypoint in scene.waypoints:
            sheet.dot((waypoint.x, waypoint.y), waypoint.yaw, DOTS[waypoint.kind])
    _names(sheet, scene, {key: f"{text} " for key, text in (labels or {}).items()})
    sheet.start((scene.start.x, scene.start.y))
    if pose is not None:
        sheet.shopper(pose)
    return sheet.image


def _floor(sheet: "_Sheet", scene: Scene) -> None:
    for store in scene.stores:
        sheet.box(store.box, _pale(_theme(scene, store.id), 0.86))
    for area in scene.areas:
        sheet.box(area.box, _pale(_theme(scene, area.store), 0.72))
    for one in scene.instances:
        if scene.areas and one.position[2] < STANDING:
            sheet.box(instance_box(scene, one), GOODS)
    for wall in scene.walls:
        if wall.low[2] < DOOR_HEIGHT:
            sheet.box(wall, WALL)
    for prop in scene.props:
        if prop.kind != "podium":
            sheet.box(prop.box, PROP)


def _names(sheet: "_Sheet", scene: Scene, labels: Labels) -> None:
    for fixture in scene.fixtures:
        sheet.box(fixture.box, KINDS[fixture.kind].sign_paint)
        sheet.name(fixture.box, labels.get(("fixture", fixture.id), "") + fixture.name, PALE)
    for area in scene.areas:
        sheet.name(area.box, labels.get(("area", area.id), "") + area.name, INK, ground=PAPER)
    for store in scene.stores:
        words = labels.get(("store", store.id), "") + store.name
        sheet.name(_middle(store.box), words, _theme(scene, store.id), ground=PAPER)


def _theme(scene: Scene, store: str) -> Color:
    return THEMES[[one.id for one in scene.stores].index(store) % len(THEMES)][0]


def _pale(color: Color, share: float) -> Color:
    red, green, blue = (round(value + (255 - value) * share) for value in color)
    return (red, green, blue)


def _middle(box: Box) -> Box:
    """Return the strip of a room in which its name has space."""
    (x0, y0, z0), (x1, y1, z1) = box.low, box.high
    middle, half = (y0 + y1) / 2, 60.0
    third = (x1 - x0) / 3.4
    return Box((x0 + third, middle - half, z0), (x1 - third, middle + half, z1))


class _Sheet:
    """A picture with the scene's floor to scale."""

    def __init__(self, scene: Scene, width: int) -> None:
        wide, deep, _ = scene.bounds.high
        self.scale = (width - 2 * MARGIN) / wide
        height = round(deep * self.scale) + 2 * MARGIN + TITLE
        self.image = Image.new("RGB", (width, height), PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def at(self, point: Point2) -> Point2:
        """Return a point of the floor in pixels."""
        return (MARGIN + point[0] * self.scale, MARGIN + TITLE + point[1] * self.scale)

    def _corners(self, box: Box) -> tuple[float, float, float, float]:
        return (*self.at(box.low[:2]), *self.at(box.high[:2]))

    def title(self, words: str) -> None:
        """Write the heading."""
        self.draw.text((MARGIN, MARGIN / 2), words, fill=INK, font=_font(22))

    def box(self, box: Box, color: Color) -> None:
        """Fill a footprint."""
        self.draw.rectangle(self._corners(box), fill=color)

    def dot(self, point: Point2, yaw: float, color: Color) -> None:
        """Mark a viewpoint and where it looks."""
        x, y = self.at(point)
        angle = math.radians(yaw)
        self.draw.line((x, y, x + 11 * math.cos(angle), y + 11 * math.sin(angle)), fill=color, width=2)
        self.draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=color)

    def start(self, point: Point2) -> None:
        """Mark where episodes begin."""
        x, y = self.at(point)
        self.draw.ellipse((x - 8, y - 8, x + 8, y + 8), outline=SHOPPER, width=2)
        self.draw.text((x - 14, y + 10), "start", fill=SHOPPER, font=_font(12))

    def shopper(self, pose: Pose) -> None:
        """Draw the shopper as an arrow, with the right angle that it sees."""
        x, y = self.at((pose.x, pose.y))
        for side in (-45.0, 45.0):
            angle = math.radians(pose.yaw + side)
            self.draw.line((x, y, x + 70 * math.cos(angle), y + 70 * math.sin(angle)), fill=SHOPPER, width=1)
        tip = [(16.0, 0.0), (-10.0, 9.0), (-5.0, 0.0), (-10.0, -9.0)]
        cos, sin = math.cos(math.radians(pose.yaw)), math.sin(math.radians(pose.yaw))
        self.draw.polygon([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in tip], fill=SHOPPER, outline=PALE)

    def name(self, box: Box, words: str, ink: Color, ground: Color | None = None) -> None:
        """Write a name into a footprint as large as fits, upright ones turned; a ground makes it readable."""
        x0, y0, x1, y1 = self._corners(box)
        across, along = x1 - x0, y1 - y0
        upright = along > 1.6 * across
        label = _label(words, (along, across) if upright else (across, along), ink, ground)
        if upright:
            label = label.rotate(90, expand=True)
        corner = (round((x0 + x1 - label.width) / 2), round((y0 + y1 - label.height) / 2))
        self.image.paste(label, corner, label)


def _label(words: str, room: Point2, ink: Color, ground: Color | None) -> Image.Image:
    """Return a transparent picture of words, broken into lines to be as large as the room allows."""
    for size in range(MOST_FONT, LEAST_FONT - 1, -1):
        lines = _lines(words, room[0] - 6, size)
        wide, high = _extent(lines, size)
        if wide <= room[0] - 4 and high <= room[1] - 2:
            break
    label = Image.new("RGBA", (math.ceil(wide) + 6, math.ceil(high) + 4), (*ground, 225) if ground else (0, 0, 0, 0))
    draw = ImageDraw.Draw(label)
    draw.multiline_text((3, 1), "\n".join(lines), fill=(*ink, 255), font=_font(size), spacing=2, align="center")
    return label


def _lines(words: str, room: float, size: int) -> list[str]:
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _font(size).getlength(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _extent(lines: list[str], size: int) -> Point2:
    return (max(_font(size).getlength(line) for line in lines), len(lines) * (size * 1.15 + 2))


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
