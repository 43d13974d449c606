"""How a build measures: what it does to mask colours, and whether its depth runs along the axis or the ray."""

import math
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw.errors import InfrastructureError
from recfw_situated.views.frame import Frame

Convention = Literal["planar", "ray"]

CLOSE = 0.03
"""Relative error of a depth that still agrees with what is known."""

UNITS = {"cm": 1.0, "m": 100.0, "mm": 0.1}


@attrs.frozen
class DepthFit:
    """
    How a build's depth relates to planar cm.

    Args:
        convention: Along the view axis, or along the ray of each pixel.
        unit: How many cm one of its units is.
        agreeing: Share of the pixels looked at that agree; a floor that is partly hidden gives less than 1.
    """

    convention: Convention
    unit: float
    agreeing: float


def floor_depth(frame: Frame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the planar depth (cm) of the floor behind each pixel, infinite above the horizon, and ray over planar."""
    rows, columns = np.mgrid[0 : frame.height, 0 : frame.width] + 0.5
    right, up = (columns - frame.width / 2) / frame.focal, (frame.height / 2 - rows) / frame.focal
    axes = frame.axes
    fall = -(axes[0][2] + right * axes[1][2] + up * axes[2][2])
    planar = np.where(fall > 1e-6, frame.eye[2] / np.where(fall > 1e-6, fall, 1.0), np.inf)
    return planar, np.sqrt(1 + right**2 + up**2)


def fit_depth(frame: Frame, raw: NDArray[np.float32], where: str) -> DepthFit:
    """
    Find a build's convention on what is known of every store: the floor, whose height is 0, before the shopper's feet.

    Args:
        frame: A frame with the eyes cast down; its own depth is not looked at.
        raw: Its depth as the build gave it.
        where: The server, for messages.

    Raises:
        InfrastructureError: No convention makes a floor of what is seen.
    """
    planar, stretch = floor_depth(frame)
    known = np.isfinite(planar) & (planar < 1000) & np.isfinite(raw)
    best = DepthFit("planar", 1.0, 0.0)
    conventions: tuple[Convention, ...] = ("planar", "ray")
    for convention in conventions:
        expected = planar * stretch if convention == "ray" else planar
        for unit in UNITS.values():
            error = np.abs(raw[known] * unit / expected[known] - 1)
            agreeing = float(np.mean(error < CLOSE)) if error.size else 0.0
            if agreeing > best.agreeing + 0.02:
                best = DepthFit(convention, unit, agreeing)
    if best.agreeing < 0.15:
        words = f"The depth pictures of the store at {where} show no floor at the shopper's feet."
        hint = "Check camera height and origin in the mapping file, or name depth.convention and depth.unit there."
        raise InfrastructureError(words, hint, kind="calibration")
    return best


def to_planar(raw: NDArray[np.float32], convention: str, unit: float, fov: float) -> NDArray[np.float32]:
    """Return a build's depth as planar cm."""
    depth = raw if unit == 1.0 else raw * np.float32(unit)
    if convention != "ray":
        return depth
    height, width = raw.shape
    focal = width / 2 / math.tan(math.radians(fov) / 2)
    across = (np.arange(width) + 0.5 - width / 2) / focal
    down = (np.arange(height) + 0.5 - height / 2) / focal
    stretch = np.sqrt(1 + across[None, :] ** 2 + down[:, None] ** 2)
    planar: NDArray[np.float32] = (depth / stretch).astype(np.float32)
    return planar
