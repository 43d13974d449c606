"""Mask colours and what they stand for: the nearest entry of a scene's palette, whatever a build does to colours."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.scenes.records import BACKGROUND, Color, Role, Scene

MOST_CELLS, EVEN = 1 << 17, 8
"""Up to so many cells, a colour is put to the nearest level of each channel that entries have; else to even levels."""

Ids = NDArray[np.int16]
Levels = NDArray[np.uint8]
Entity = tuple[Role, str]

IDENTITY: Levels = np.arange(256, dtype=np.uint8)


def curves() -> Mapping[str, Levels]:
    """Return, by name, the ways in which builds are known to alter a channel between painting and picture."""
    level = np.arange(256) / 255.0
    encoded = np.where(level <= 0.0031308, 12.92 * level, 1.055 * level ** (1 / 2.4) - 0.055)
    decoded = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    shapes = {"none": level, "sRGB encoded": encoded, "sRGB decoded": decoded}
    shapes |= {"gamma 2.2": level**2.2, "gamma 1/2.2": level ** (1 / 2.2)}
    return {name: np.rint(255 * shape).astype(np.uint8) for name, shape in shapes.items()}


class Palette:
    """
    Decodes masks.

    Index 0 is background; index i stands for ``entities[i - 1]``.

    Args:
        colors: Painted colour -> what it stands for.
        curve: How the build alters each channel: 256 levels.
    """

    def __init__(self, colors: Mapping[Color, Entity], curve: Levels = IDENTITY) -> None:
        self.entities: tuple[Entity, ...] = tuple(colors.values())
        self.index: dict[Entity, int] = {entity: n for n, entity in enumerate(self.entities, 1)}
        self.painted = np.array([BACKGROUND, *colors], dtype=np.uint8)
        self.seen: NDArray[np.int32] = curve[self.painted].astype(np.int32)

    @classmethod
    def of(cls, scene: Scene, curve: Levels = IDENTITY) -> "Palette":
        """Return a scene's palette."""
        return cls(scene.palette, curve)

    @cached_property
    def _levels(self) -> list[NDArray[np.int32]]:
        """Return the levels of each channel that cells are made of: those that entries have, where these are few."""
        held = [np.unique(self.seen[:, channel]) for channel in range(3)]
        if math.prod(map(len, held)) > MOST_CELLS:
            held = [np.arange(EVEN // 2, 256, EVEN, dtype=np.int32)] * 3
        return held

    @cached_property
    def _lookup(self) -> list[NDArray[np.uint32]]:
        """Return, by channel, what each of its 256 values adds to the number of the cell."""
        _, green, blue = map(len, self._levels)
        steps = (green * blue, blue, 1)
        values = np.arange(256)[:, None]
        nearest = [np.argmin(np.abs(values - levels[None, :]), axis=1) for levels in self._levels]
        return [(index * step).astype(np.uint32) for index, step in zip(nearest, steps, strict=True)]

    @cached_property
    def _table(self) -> Ids:
        """Return the nearest entry of every cell, found plane by plane to spare memory."""
        red, green, blue = ((levels[:, None] - self.seen[None, :, c]) ** 2 for c, levels in enumerate(self._levels))
        table = np.empty((len(red), len(green), len(blue)), dtype=np.int16)
        for n, plane in enumerate(red):
            table[n] = np.argmin(plane[None, None, :] + green[:, None, :] + blue[None, :, :], axis=2)
        return table.reshape(-1)

    def decode(self, mask: NDArray[np.uint8]) -> Ids:
        """Return each pixel's index for a (height, width, 3) mask."""
        red, green, blue = self._lookup
        ids: Ids = self._table[red[mask[..., 0]] + green[mask[..., 1]] + blue[mask[..., 2]]]
        return ids

    def spacing(self) -> float:
        """Return the smallest distance between two entries as the build shows them."""
        gaps = np.linalg.norm((self.seen[:, None, :] - self.seen[None, :, :]).astype(float), axis=2)
        np.fill_diagonal(gaps, np.inf)
        return float(gaps.min())


@attrs.frozen
class Fit:
    """
    How a build's mask colours relate to those that were painted.

    Args:
        curve: Name of the curve (see :func:`curves`).
        worst: Largest distance of a colour that was seen to the entry that it is taken for.
        seen: How many colours were seen.
        clear: Every one is much nearer to its entry than to any other.
    """

    curve: str
    worst: float
    seen: int
    clear: bool


def fit_curve(colors: Mapping[Color, Entity], masks: Sequence[NDArray[np.uint8]], least: int = 20) -> Fit:
    """Return the curve under which masks lie nearest to the palette; colours on few pixels are left out."""
    flat = np.concatenate([mask.reshape(-1, 3) for mask in masks])
    found, counts = np.unique(flat, axis=0, return_counts=True)
    found = found[(counts >= least) & found.any(axis=1)].astype(float)
    if not len(found):
        return Fit("none", 0.0, 0, clear=False)
    painted = np.array([BACKGROUND, *colors], dtype=np.uint8)
    best: Fit | None = None
    for name, curve in curves().items():
        entries = curve[painted].astype(float)
        gaps = np.sort(np.linalg.norm(found[:, None, :] - entries[None, :, :], axis=2), axis=1)
        worst = float(gaps[:, 0].max())
        clear = bool(np.all(gaps[:, 0] * 2 < gaps[:, 1]))
        if best is None or worst < best.worst:
            best = Fit(name, worst, len(found), clear)
    assert best is not None
    return best
