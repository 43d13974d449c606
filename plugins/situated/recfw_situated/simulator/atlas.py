"""
The atlas: every text that stands on a part, painted once by Pillow, with its smaller copies, in one flat array.

Texels are packed as little-endian RGBA in uint32, so that a picture's row of them is its bytes.
"""

from functools import lru_cache

import attrs
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from recfw_situated.scenes.records import Color, Part

LEVELS = 7
TEXELS = 9000  # how many a small label has at its largest copy
SHARP = 90000  # how many a large sign or a close-up's card has
PER_AREA = 12.0  # texels for a square centimetre in between
CONTRAST = 4.5
PATCHES = {"box": (1.0, 1.0), "cylinder": (1.0, 1.0), "sphere": (0.66, 0.46), "cone": (0.5, 0.42)}  # see shade.PATCHES


@attrs.frozen
class Panel:
    """What is painted: a text in a colour on paper, within a border of the part's paint, at a shape and a fineness."""

    text: str
    ink: Color
    paper: Color
    paint: Color
    width: int
    height: int
    round: bool


class Atlas:
    """Textures by row: `first[row, level]`, `wide[row, level]` and `tall[row, level]` locate a copy in `texels`."""

    def __init__(self) -> None:
        """Start empty."""
        self._rows: dict[Panel, int] = {}
        self._waiting: list[Panel] = []
        self._filled = 0
        self._places: list[list[tuple[int, int, int]]] = []
        self.texels: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)
        self.first: NDArray[np.int32] = np.zeros((0, LEVELS), dtype=np.int32)
        self.wide: NDArray[np.int32] = np.zeros((0, LEVELS), dtype=np.int32)
        self.tall: NDArray[np.int32] = np.zeros((0, LEVELS), dtype=np.int32)

    def row(self, part: Part, sharp: bool = False) -> int:
        """Give the row of the texture of a part's text, -1 when it bears none; `settle` paints what is new."""
        if not part.label or not part.faces:
            return -1
        panel = _panel(part, sharp)
        known = self._rows.get(panel)
        if known is None:
            known = self._rows[panel] = len(self._rows)
            self._waiting.append(panel)
        return known

    def settle(self) -> None:
        """Paint what was asked for since the last call. Only coloured pictures need it."""
        if self._waiting:
            painted = [piece for panel in self._waiting for piece in self._copies(_painted(panel))]
            self._waiting.clear()
            self.texels = np.concatenate((self.texels, *painted))
            places = np.array(self._places, dtype=np.int32)
            self.first, self.wide, self.tall = (np.ascontiguousarray(places[:, :, axis]) for axis in range(3))

    def _copies(self, image: Image.Image) -> list[NDArray[np.uint32]]:
        """A picture and its copies, each half as fine as the one before, as long as that makes sense."""
        places: list[tuple[int, int, int]] = []
        copies = []
        for _ in range(LEVELS):
            flat = np.asarray(image, dtype=np.uint8).reshape(-1, 4).view("<u4").reshape(-1).astype(np.uint32)
            places.append((self._filled, image.width, image.height))
            copies.append(flat)
            self._filled += flat.size
            if min(image.size) < 4:
                break
            image = image.reduce(2)
        places += [places[-1]] * (LEVELS - len(places))
        self._places.append(places)
        return copies


def _panel(part: Part, sharp: bool) -> Panel:
    """Choose a texture's size in the shape of the face that shows it, finer for larger faces."""
    deep, wide, tall = part.size
    if part.faces == "top":
        tall = deep
    across, upright = PATCHES[part.shape]
    ratio = min(max(wide * across / max(tall * upright, 0.1), 0.1), 12.0)
    texels = SHARP if sharp else min(max(TEXELS, wide * tall * PER_AREA), SHARP)
    height = (texels / ratio) ** 0.5
    paper = part.color if part.paper is None else part.paper
    return Panel(
        text=part.label,
        ink=legible(part.ink, paper),
        paper=paper,
        paint=part.color,
        width=max(8, round(height * ratio / 4) * 4),
        height=max(8, round(height / 4) * 4),
        round=part.shape == "cylinder",
    )


def legible(ink: Color, paper: Color) -> Color:
    """The ink, or black or white where its contrast with the paper (WCAG 2) is below what text needs."""
    below = _luminance(paper) + 0.05

    def contrast(color: Color) -> float:
        above = _luminance(color) + 0.05
        return max(above, below) / min(above, below)

    return ink if contrast(ink) >= CONTRAST else max(((16, 16, 16), (255, 255, 255)), key=contrast)


def _luminance(color: Color) -> float:
    """The relative luminance of an sRGB colour, 0 to 1."""
    red, green, blue = (((value / 255.0 + 0.055) / 1.055) ** 2.4 if value > 10 else value / 3294.6 for value in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _painted(panel: Panel) -> Image.Image:
    """Paint the panel: a border in the part's paint, paper within, the text as large as it fits."""
    image = Image.new("RGBA", (panel.width, panel.height), (*panel.paint, 255))
    draw = ImageDraw.Draw(image)
    side = panel.width * (0.14 if panel.round else 0.04)
    edge = panel.height * (0.16 if panel.round else 0.05)
    if panel.paper != panel.paint:
        draw.rectangle(
            (side * 0.6, edge, panel.width - 1 - side * 0.6, panel.height - 1 - edge), fill=(*panel.paper, 255)
        )
    lines, size = fitted(panel.text, panel.width - 2.4 * side, panel.height - 2.4 * edge)
    font = _font(size)
    draw.multiline_text(
        (panel.width / 2, panel.height / 2),
        "\n".join(lines),
        fill=(*panel.ink, 255),
        font=font,
        anchor="mm",
        align="center",
        spacing=size * 0.12,
        stroke_width=size * 0.022,
    )
    return image


@lru_cache(maxsize=256)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own scalable typeface, so that a picture does not depend on the fonts of a machine."""
    font = ImageFont.load_default(float(size))
    assert isinstance(font, ImageFont.FreeTypeFont)  # a size asks for nothing else
    return font


@lru_cache(maxsize=4096)
def _width(text: str) -> float:
    """A line's width at a size of one."""
    return _font(64).getlength(text) / 64.0


def fitted(text: str, width: float, height: float) -> tuple[list[str], int]:
    """Break a text into one to four lines so that it is as large as it can be within a box; give lines and size."""
    words = text.split()
    best: tuple[list[str], float] = ([text], 0.0)
    for count in range(1, min(5, len(words)) + 1):
        lines = _broken(words, count)
        broadest = max(_width(line) for line in lines)
        size = min(width / max(broadest, 0.01), height / (len(lines) * 1.22))
        if size > best[1] * 1.05:
            best = (lines, size)
    return best[0], max(4, int(best[1]))


def _broken(words: list[str], count: int) -> list[str]:
    """Break words into at most `count` lines whose broadest is as narrow as a greedy fill finds."""
    low, high = max(_width(word) for word in words), _width(" ".join(words))
    for _ in range(12):
        middle = (low + high) / 2
        if len(_greedy(words, middle)) <= count:
            high = middle
        else:
            low = middle
    return _greedy(words, high)


def _greedy(words: list[str], limit: float) -> list[str]:
    """Fill lines word by word up to a width at size one."""
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if _width(longer) <= limit + 1e-9:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
