"""Badges: the small plates that carry a label, and where they go so that none covers another."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from recfw_situated.scenes.records import Color

Box = tuple[int, int, int, int]
Style = Literal["round", "plate", "flag"]


@lru_cache(maxsize=1024)
def badge(text: str, paper: Color, ink: Color, style: Style, size: int) -> Image.Image:
    """Return a plate with a text as RGBA: ``round`` of products, ``plate`` of fixtures, stores, ``flag`` of areas."""
    font = ImageFont.load_default(size)
    left, top, right, bottom = font.getbbox(text)
    # digits and capitals have one height, so that plates of a size align
    width, height = int(right - left) + 8, size + 4
    image = Image.new("RGBA", (max(width, height), height), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    frame = (0, 0, image.width - 1, image.height - 1)
    radius = {"round": height // 2, "plate": 0, "flag": 4}[style]
    draw.rounded_rectangle(frame, radius, fill=(*paper, 255), outline=(*ink, 255))
    at = ((image.width - (right - left)) / 2 - left, (height - (bottom - top)) / 2 - top)
    draw.text(at, text, font=font, fill=(*ink, 255))
    return image


@attrs.frozen
class Wish:
    """
    A badge that wants a place.

    Args:
        box: What it belongs to.
        anchor: Point of that which a line leads to if the badge must stand apart.
        size: Width and height of the badge.
        must: It is placed even where that means standing far apart.
        inside: It prefers a corner inside the box rather than its edge.
    """

    box: Box
    anchor: tuple[float, float]
    size: tuple[int, int]
    must: bool = True
    inside: bool = False


class Board:
    """
    Places badges one after the other.

    Args:
        spared: (height, width): pixels that no badge may cover.
    """

    def __init__(self, spared: NDArray[np.bool_]) -> None:
        self.height, self.width = spared.shape
        self._spared = spared if spared.any() else None
        self.taken: list[Box] = []

    def place(self, wish: Wish) -> Box | None:
        """Return where a badge goes, or None where it need not be placed and there is no room close by."""
        for box in self._offers(wish):
            if self._free(box):
                self.taken.append(box)
                return box
        return None

    def _free(self, box: Box) -> bool:
        left, top, right, bottom = box
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            return False
        if self._spared is not None and self._spared[top:bottom, left:right].any():
            return False
        return not any(left < r and l < right and top < b and t < bottom for l, t, r, b in self.taken)  # noqa: E741

    def _offers(self, wish: Wish) -> Iterator[Box]:
        """Offer places: on the edges of the box, then inside, then in rings around, at last anywhere in the picture."""
        (left, top, right, bottom), (w, h) = wish.box, wish.size
        middle, center = int((left + right - w) / 2), int((top + bottom - h) / 2)
        edges = [(middle, top - h // 2), (middle, bottom - h // 2), (left - w // 2, center), (right - w // 2, center)]
        corners = [(left + 2, top + 2), (right - w - 2, top + 2), (left + 2, bottom - h - 2), (middle, top + 2)]
        near = [*corners, *edges] if wish.inside else [*edges, (middle, center), *corners]
        yield from (self._held(x, y, w, h) for x, y in near)
        x0, y0 = int(wish.anchor[0] - w / 2), int(wish.anchor[1] - h / 2)
        rings = 14 if wish.must else 3
        for ring in range(1, rings):
            dx, dy = ring * (w * 2 // 3), ring * (h * 2 // 3)
            around = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)]
            yield from (self._held(x0 + sx * dx, y0 + sy * dy, w, h) for sx, sy in around)
        if wish.must:
            grid = [(x, y) for y in range(0, self.height - h, h + 1) for x in range(0, self.width - w, w + 1)]
            grid.sort(key=lambda at: (at[0] - x0) ** 2 + (at[1] - y0) ** 2)
            yield from ((x, y, x + w, y + h) for x, y in grid)

    def _held(self, x: int, y: int, w: int, h: int) -> Box:
        """Return a box of this size, moved into the picture."""
        x, y = min(max(0, x), self.width - w), min(max(0, y), self.height - h)
        return x, y, x + w, y + h


def overlapping(boxes: Sequence[Box]) -> int:
    """Return how many pairs of boxes overlap."""
    pairs = ((a, b) for n, a in enumerate(boxes) for b in boxes[n + 1 :])
    return sum(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in pairs)
