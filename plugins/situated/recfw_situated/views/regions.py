"""Regions of a mask: what is drawn around. Products by contour, fixtures and stores by box."""

from collections.abc import Iterable

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recfw_situated.scenes.records import Role as Kind
from recfw_situated.views.frame import Frame
from recfw_situated.views.sights import Eyes

GAP = 7.0
"""Distance (cm) up to which neighbouring instances of one product are adjacent and share a contour."""

REACHES = (3, 9)
"""Least and most pixels of the dilation that bridges such a gap in a 640x480 picture."""

SMALLEST = 60
"""Pixels of a 640x480 picture under which a region is skipped, unless it is the largest of its product."""

FULL = 640 * 480

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom lie outside."""


@attrs.frozen
class Region:
    """
    One connected part of what is visible of a thing, or the whole of a fixture's or store's.

    Args:
        kind: Kind of the thing.
        id: Its id.
        box: Its bounds.
        center: Column and row of its middle.
        pixels: How many pixels of the mask it covers.
        depth: Mean planar depth in cm.
        part: Number in the picture of contours; 0 where it has a box only.
    """

    kind: Kind
    id: str
    box: Box
    center: tuple[float, float]
    pixels: int
    depth: float
    part: int = 0


@attrs.frozen(eq=False)
class Regions:
    """All regions of a frame, and a picture in which each product region has its ``part`` number."""

    all: tuple[Region, ...]
    parts: NDArray[np.int32]


def spread(ids: NDArray[np.int16], reach: int) -> NDArray[np.int16]:
    """Return indices grown by ``reach`` pixels over pixels that hold none, nearer neighbours first."""
    grown = ids.copy()
    for _ in range(reach):
        for to, of in (
            (grown[1:], grown[:-1]),
            (grown[:-1], grown[1:]),
            (grown[:, 1:], grown[:, :-1]),
            (grown[:, :-1], grown[:, 1:]),
        ):
            np.copyto(to, of.copy(), where=to == 0)
    return grown


def regions(frame: Frame, eyes: Eyes, wanted: Iterable[tuple[Kind, str]]) -> Regions:
    """
    Return the regions of the things that are to be drawn.

    Args:
        frame: The frame, of any size.
        eyes: Decodes its mask.
        wanted: (kind, id) of what is visible; everything else is left out.
    """
    keep = np.zeros(len(eyes.palette.entities) + 1, dtype=bool)
    kinds: list[Kind] = ["product", *(kind for kind, _ in eyes.palette.entities)]
    for entity in wanted:
        index = eyes.palette.index.get(entity)
        if index is not None:
            keep[index] = True
    ids = eyes.indices(frame)
    ids = np.where(keep[ids], ids, np.int16(0))
    is_product = np.array([kind == "product" for kind in kinds])
    is_product[0] = False
    products = np.where(is_product[ids], ids, np.int16(0))
    found: list[Region] = []
    parts = np.zeros(ids.shape, dtype=np.int32)
    _products(frame, eyes, products, parts, found)
    _boxes(frame, eyes, np.where(is_product[ids], np.int16(0), ids), found)
    return Regions(tuple(found), parts)


def _products(frame: Frame, eyes: Eyes, ids: NDArray[np.int16], parts: NDArray[np.int32], found: list[Region]) -> None:
    grown = spread(ids, _reach(frame, ids))
    least = SMALLEST * frame.width * frame.height / FULL
    for index, window in enumerate(ndimage.find_objects(grown), 1):
        if window is None:
            continue
        mine = grown[window] == index
        pieces, _ = ndimage.label(mine)
        true = ids[window] == index
        counts = np.bincount(pieces[true])
        largest = int(np.argmax(counts))
        for n in np.flatnonzero((counts >= least) | (np.arange(len(counts)) == largest)):
            if n == 0 or counts[n] == 0:
                continue
            piece = pieces == n
            number = len(found) + 1
            parts[window][piece] = number
            kind, name = eyes.palette.entities[index - 1]
            found.append(_region(frame, kind, name, piece & true, window, number))


def _reach(frame: Frame, ids: NDArray[np.int16]) -> int:
    """Return how many pixels half a gap is where most of the products stand, and one more, so that contours meet."""
    depths = frame.depth[::4, ::4][ids[::4, ::4] > 0]
    middle = float(np.median(depths)) if depths.size else 1e6
    least, most = (max(1, round(edge * frame.width / 640)) for edge in REACHES)
    return min(most, max(least, round(frame.focal * GAP / 2 / middle) + 1))


def _boxes(frame: Frame, eyes: Eyes, ids: NDArray[np.int16], found: list[Region]) -> None:
    for index, window in enumerate(ndimage.find_objects(ids), 1):
        if window is not None:
            kind, name = eyes.palette.entities[index - 1]
            found.append(_region(frame, kind, name, ids[window] == index, window, 0))


def _region(
    frame: Frame, kind: Kind, name: str, mine: NDArray[np.bool_], window: tuple[slice, ...], number: int
) -> Region:
    rows, columns = np.flatnonzero(mine.any(axis=1)), np.flatnonzero(mine.any(axis=0))
    top, left = window[0].start, window[1].start
    box = (left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1)
    pixels = int(np.count_nonzero(mine))
    down = float(mine.sum(axis=1) @ np.arange(mine.shape[0])) / pixels + top
    across = float(mine.sum(axis=0) @ np.arange(mine.shape[1])) / pixels + left
    depth = float(frame.depth[window][mine].mean())
    return Region(kind, name, box, (across, down), pixels, depth, number)
