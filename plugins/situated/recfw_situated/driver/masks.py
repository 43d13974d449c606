"""Mask self-test: the scene's colours are painted or the build's own read, and what is seen is held against them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw.errors import InfrastructureError
from recfw_situated.driver.link import Link
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.scenes.records import Color, Pose, Scene
from recfw_situated.views.frame import Frame
from recfw_situated.views.palette import Entity, Palette, curves, fit_curve

ENOUGH = 6
"""How many colours must be seen for a verdict on what the build does to them."""

VIEWPOINTS = 8
"""How many waypoints are visited at most until so many were seen."""

WORST = 12.0
"""Largest distance of a colour to its entry that still passes."""


class Painted(Protocol):
    """What the self-test needs of a store."""

    scene: Scene
    mapping: BuildMap
    link: Link

    async def place(self, pose: Pose) -> Pose:
        """Put the shopper somewhere."""
        ...

    async def frame(self, width: int, height: int, *, rgb: bool = False) -> Frame:
        """Take pictures."""
        ...

    async def colors(self, names: Sequence[str]) -> Mapping[str, Color]:
        """Return mask colours."""
        ...

    async def paint(self, colors: Mapping[str, Color]) -> bool:
        """Give objects mask colours."""
        ...


@attrs.frozen(eq=False)
class Masks:
    """
    How a build's masks are decoded.

    Args:
        palette: The palette as the build shows it.
        curve: What the build does to colours, by name.
        worst: Largest distance of a colour that was seen to its entry.
        seen: How many colours were seen.
    """

    palette: Palette
    curve: str
    worst: float
    seen: int


async def masks_of(store: Painted) -> Masks:
    """
    Paint the scene's colours where the build lets them be, look around, and find how colours come out.

    Raises:
        InfrastructureError: Two things share a colour, or what is seen resembles no colour of the palette.
    """
    colors = await palette_colors(store)
    frames: list[NDArray[np.uint8]] = []
    points = store.scene.waypoints
    fit = None
    for waypoint in points[:: max(1, len(points) // VIEWPOINTS)][:VIEWPOINTS]:
        await store.place(Pose(waypoint.x, waypoint.y, waypoint.yaw))
        frames.append((await store.frame(320, 240)).mask)
        fit = fit_curve(colors, frames)
        if fit.seen >= ENOUGH:
            break
    if fit is None or fit.seen == 0:
        raise _failed(store, "show no colour at any viewpoint", "Are they painted, and is mask.view right?")
    curve = fit.curve if store.mapping.mask.curve == "auto" else store.mapping.mask.curve
    if store.mapping.mask.curve == "auto" and (fit.worst > WORST or not fit.clear):
        trouble = f"show colours that are up to {fit.worst:.0f} levels away from any that was painted"
        raise _failed(store, trouble, "Turn off anti-aliasing and tone mapping of masks in the build.")
    return Masks(Palette(colors, curves()[curve]), curve, fit.worst, fit.seen)


async def palette_colors(store: Painted) -> Mapping[Color, Entity]:
    """Return colour -> what it stands for, painted by us where that is allowed, else as the build has them."""
    wanted = store.scene.object_colors
    if store.mapping.mask.paint and await store.paint(wanted):
        return store.scene.palette
    entity = {one.id: ("product", one.product) for one in store.scene.instances}
    entity |= {one.object: ("fixture", one.id) for one in store.scene.fixtures}
    entity |= {one.object: ("store", one.id) for one in store.scene.stores}
    entity |= {one.object: ("area", one.id) for one in store.scene.areas}
    colors: dict[Color, Entity] = {}
    for name, color in (await store.colors(list(wanted))).items():
        known = colors.setdefault(color, entity[name])  # type: ignore[arg-type]  # kinds are literals
        if known != entity[name]:
            trouble = f"show {known[1]} and {entity[name][1]} in one colour, {color}"
            raise _failed(store, trouble, "Give every product and place a colour of its own, or let the driver paint.")
    return colors


def _failed(store: Painted, trouble: str, hint: str) -> InfrastructureError:
    return InfrastructureError(f"The masks of the store at {store.link.where} {trouble}.", hint, kind="calibration")
