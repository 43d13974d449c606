"""Where an upright capsule of some radius fits, and along which straight lines: vectorised tests against boxes."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from recfw_situated.scenes.records import Box

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

STEP = 5.0  # cm; what is lower is stepped over, as in the simulator
TALL = 175.0  # cm; what begins higher is walked under
CLEAR = 0.005  # cm beyond the radius that a way keeps, so that rounding never touches


class Clearance:
    """
    The floor seen by a walker of some radius.

    Args:
        boxes: Everything solid; heights that do not concern a walker are left out here.
        radius: The walker's, in cm.
        bounds: The inside of the building.
    """

    def __init__(self, boxes: Iterable[Box], radius: float, bounds: Box) -> None:
        standing = [box for box in boxes if box.low[2] < TALL and box.high[2] > STEP]
        self.radius = radius
        self.low: Floats = np.array([box.low[:2] for box in standing], dtype=float).reshape(-1, 2)
        self.high: Floats = np.array([box.high[:2] for box in standing], dtype=float).reshape(-1, 2)
        self._inner = (np.array(bounds.low[:2]) + radius, np.array(bounds.high[:2]) - radius)
        reach = radius + CLEAR
        self._slabs = [(self.low - grown, self.high + grown) for grown in (np.array([reach, 0]), np.array([0, reach]))]
        corners = [(self.low[:, 0], self.low[:, 1]), (self.low[:, 0], self.high[:, 1])]
        corners += [(self.high[:, 0], self.low[:, 1]), (self.high[:, 0], self.high[:, 1])]
        self._discs = self._bare(np.concatenate([np.stack(pair, axis=1) for pair in corners]))

    def _bare(self, corners: Floats) -> Floats:
        """Return the corners whose discs another box's slabs do not cover entirely: only these decide anything."""
        reach = self.radius + CLEAR
        held = np.zeros(len(corners), dtype=bool)
        for low, high in self._slabs:
            within = (corners[:, None, :] - reach >= low) & (corners[:, None, :] + reach <= high)
            held |= np.any(np.all(within, axis=2), axis=1)
        found: Floats = np.unique(corners[~held], axis=0)
        return found

    def free(self, points: Floats) -> Flags:
        """Tell of points (N, 2) whether the walker fits there."""
        inside = np.all((points >= self._inner[0]) & (points <= self._inner[1]), axis=1)
        nearest = np.clip(points[:, None, :], self.low, self.high) - points[:, None, :]
        squared = np.einsum("nbk,nbk->nb", nearest, nearest)
        found: Flags = inside & np.all(squared >= self.radius**2, axis=1)
        return found

    def clear(self, origin: Floats, targets: Floats) -> Flags:
        """Tell of straight ways from a point (2,) to points (N, 2) whether the walker can take them."""
        hit = np.zeros(len(targets), dtype=bool)
        along = targets - origin
        for low, high in self._slabs:
            hit |= np.any(_crosses(origin, along, low, high), axis=1)
        hit |= np.any(_touches(origin, along, self._discs, self.radius + CLEAR), axis=1)
        return ~hit


def _crosses(origin: Floats, along: Floats, low: Floats, high: Floats) -> Flags:
    """Tell of N segments and B boxes whether they meet, (N, B)."""
    enter: Floats = np.full((len(along), len(low)), 0.0)
    leave: Floats = np.full((len(along), len(low)), 1.0)
    for axis in (0, 1):
        step = along[:, axis, None]
        flat = np.abs(step) < 1e-9
        safe = np.where(flat, 1.0, step)
        first, second = (low[:, axis] - origin[axis]) / safe, (high[:, axis] - origin[axis]) / safe
        outside = flat & ((origin[axis] <= low[:, axis]) | (origin[axis] >= high[:, axis]))
        enter = np.maximum(enter, np.where(flat, np.where(outside, np.inf, -np.inf), np.minimum(first, second)))
        leave = np.minimum(leave, np.where(flat, np.inf, np.maximum(first, second)))
    found: Flags = enter < leave - 1e-12
    return found


def _touches(origin: Floats, along: Floats, discs: Floats, radius: float) -> Flags:
    """Tell of N segments and D discs whether they meet, (N, D)."""
    toward = discs - origin
    length = np.maximum(np.einsum("nk,nk->n", along, along), 1e-12)[:, None]
    dot = along @ toward.T
    share = np.clip(dot / length, 0.0, 1.0)
    squared = np.einsum("dk,dk->d", toward, toward) + share * (share * length - 2.0 * dot)
    found: Flags = squared < radius**2
    return found
