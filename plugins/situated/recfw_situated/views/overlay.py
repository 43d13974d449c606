"""The Set-of-Mark picture: contours, boxes and labels on the first-person view (paper, section 3.3, appendix B.2)."""

import io
from collections.abc import Mapping, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from recfw_situated.scenes.records import Color
from recfw_situated.scenes.records import Role as Kind
from recfw_situated.views.badges import Board, Box, Wish, badge
from recfw_situated.views.frame import Frame
from recfw_situated.views.regions import Regions, regions
from recfw_situated.views.sights import CLOSE_UP, Eyes, Sights

INKS: tuple[Color, ...] = (
    (230, 25, 75),
    (0, 130, 200),
    (245, 130, 48),
    (145, 30, 180),
    (0, 150, 60),
    (240, 50, 230),
    (0, 128, 128),
    (170, 110, 40),
    (128, 0, 0),
    (0, 0, 160),
)
"""Colours of contours and their badges, in turn: all dark enough for white letters."""

PLACE_PAPER: Mapping[str, Color] = {"fixture": (255, 225, 25), "store": (255, 225, 25), "area": (120, 240, 170)}
WHITE, BLACK = (255, 255, 255), (0, 0, 0)

Labels = Mapping[tuple[Kind, str], str]


@attrs.frozen(eq=False)
class Overlay:
    """
    A drawn picture.

    Args:
        image: The annotated view.
        badges: Where each badge went: (kind, id, bounds).
    """

    image: Image.Image
    badges: tuple[tuple[Kind, str, Box], ...]

    def png(self) -> bytes:
        """Return it as PNG."""
        held = io.BytesIO()
        self.image.save(held, format="PNG", compress_level=1)
        return held.getvalue()


def overlay(frame: Frame, eyes: Eyes, sights: Sights, labels: Labels) -> Overlay:
    """
    Draw marks on a frame's colours.

    Args:
        frame: With colours; of any size.
        eyes: Decodes its mask.
        sights: What is marked: nothing else is, whatever the picture shows.
        labels: The role's labels by (kind, id).
    """
    assert frame.rgb is not None
    wanted = [(sight.kind, sight.id) for sight in sights.all if (sight.kind, sight.id) in labels]
    made = regions(frame, eyes, wanted)
    inks = {entity: INKS[n % len(INKS)] for n, entity in enumerate(sorted(e for e in wanted if e[0] == "product"))}
    pixels = frame.rgb.copy()
    _contours(pixels, made, inks)
    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    _place_boxes(draw, made)
    areas = [name for kind, name in wanted if kind == "area"]
    wishes = _wishes(made, labels, inks, _area_marks(frame, eyes, made, areas), image.width)
    near = frame.depth < CLOSE_UP
    board = Board(near)
    placed = [(*wish, at) for wish in wishes if (at := board.place(wish[2])) is not None]
    for _, _, wish, _, at in placed:
        _lead(draw, wish, at)
    image.paste(Image.fromarray(frame.rgb), (0, 0), Image.fromarray(near))  # no line crosses the item in the hand
    for _, _, _, plate, at in placed:
        image.paste(plate, at[:2], plate)
    return Overlay(image, tuple((kind, name, at) for kind, name, _, _, at in placed))


def _contours(pixels: NDArray[np.uint8], made: Regions, inks: Mapping[tuple[Kind, str], Color]) -> None:
    """Paint the outlines of the product regions, two pixels wide: their own colour, with a light rim outside."""
    parts = made.parts
    colors = np.zeros((len(made.all) + 1, 3), dtype=np.uint8)
    for region in made.all:
        if region.part:
            colors[region.part] = inks[region.kind, region.id]
    edge = np.zeros(parts.shape, dtype=bool)
    down, across = parts[1:] != parts[:-1], parts[:, 1:] != parts[:, :-1]
    edge[1:] |= down
    edge[:-1] |= down
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    rows, columns = np.nonzero(edge)
    own = parts[rows, columns]
    pixels[rows, columns] = np.where(own[:, None] > 0, colors[own], np.uint8(255))


def _place_boxes(draw: ImageDraw.ImageDraw, made: Regions) -> None:
    for region in sorted(made.all, key=lambda region: -region.depth):
        if region.kind in {"fixture", "store"}:
            left, top, right, bottom = region.box
            for inset, color in ((0, BLACK), (1, PLACE_PAPER[region.kind])):
                frame = (left + inset, top + inset, right - 1 - inset, bottom - 1 - inset)
                if frame[2] > frame[0] and frame[3] > frame[1]:
                    draw.rectangle(frame, outline=color)


def _area_marks(
    frame: Frame, eyes: Eyes, made: Regions, areas: Sequence[str]
) -> dict[str, tuple[Box, tuple[float, float]]]:
    """Return where each visible area is marked: its fixed point, else its sign, else its largest visible product."""
    places = {product.id: product.places for product in eyes.scene.products}
    points = np.array([eyes.scene.area_by_id[name].point for name in areas], dtype=float).reshape(-1, 3)
    columns, rows, depths = frame.project(points)
    inside = frame.inside(columns, rows, depths)
    pins = {name: (float(columns[n]), float(rows[n])) for n, name in enumerate(areas) if inside[n]}
    found: dict[str, tuple[Box, tuple[float, float]]] = {}
    for name in areas:
        if name in pins:
            x, y = pins[name]
            found[name] = ((int(x) - 6, int(y) - 6, int(x) + 6, int(y) + 6), pins[name])
            continue
        own = [r for r in made.all if (r.kind == "area" and r.id == name)]
        own = own or [r for r in made.all if r.kind == "product" and name in places[r.id]]
        if own:
            best = max(own, key=lambda region: region.pixels)
            found[name] = (best.box, best.center)
    return found


Wished = tuple[Kind, str, Wish, Image.Image]


def _wishes(
    made: Regions,
    labels: Labels,
    inks: Mapping[tuple[Kind, str], Color],
    areas: Mapping[str, tuple[Box, tuple[float, float]]],
    width: int,
) -> list[Wished]:
    """Return badges in the order in which they are placed: the largest region of each product, places, the rest."""
    size = max(10, round(width / 46))
    wishes: list[Wished] = []
    seen: set[str] = set()
    further: list[Wished] = []
    for region in sorted(made.all, key=lambda region: (-region.pixels, region.part)):
        key = (region.kind, region.id)
        if region.kind == "product":
            plate = badge(labels[key], inks[key], WHITE, "round", size)
            first = region.id not in seen
            seen.add(region.id)
            wish = Wish(region.box, region.center, plate.size, must=first)
            (wishes if first else further).append((region.kind, region.id, wish, plate))
        elif region.kind != "area":
            plate = badge(labels[key], PLACE_PAPER[region.kind], BLACK, "plate", size + 2)
            wishes.append((region.kind, region.id, Wish(region.box, region.center, plate.size, inside=True), plate))
    for name, (box, anchor) in areas.items():
        plate = badge(labels["area", name], PLACE_PAPER["area"], BLACK, "flag", size + 2)
        wishes.append(("area", name, Wish(box, anchor, plate.size), plate))
    return [*wishes, *further]


def _lead(draw: ImageDraw.ImageDraw, wish: Wish, at: Box) -> None:
    """Draw a line from a badge that had to stand apart to what it belongs to."""
    left, top, right, bottom = wish.box
    if at[0] < right and left < at[2] and at[1] < bottom and top < at[3]:
        return
    middle = ((at[0] + at[2]) / 2, (at[1] + at[3]) / 2)
    draw.line([middle, wish.anchor], fill=WHITE, width=3)
    draw.line([middle, wish.anchor], fill=BLACK, width=1)
