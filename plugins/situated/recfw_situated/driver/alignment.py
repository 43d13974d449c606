"""Whether a build's level lies where the mapping file says: where its things are is held against the records."""

import math
from collections.abc import AsyncIterator, Callable, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw.errors import InfrastructureError
from recfw_situated.driver.build import refused, wrapped
from recfw_situated.driver.masks import palette_colors
from recfw_situated.driver.unreal import OCCUPIED, UnrealStore
from recfw_situated.scenes.obstacles import instance_box
from recfw_situated.scenes.records import Box, Pose, Scene
from recfw_situated.views.frame import Frame
from recfw_situated.views.palette import Entity, Palette, curves, fit_curve

Floats = NDArray[np.float64]
Origin = tuple[float, float, float, float]
Expected = Callable[[Floats], Floats]
"""Where things should be, given where they seem to be: both (n, 2), in the records' frame."""

ASKED = 150
"""How many objects are asked for their places at most."""

ENOUGH = 3
"""How many things must be found for a verdict."""

SIZE, STEP = (160, 120), 2
"""Size of the pictures, and every how many rows and columns a pixel is looked at."""

FAR, COMPACT = 2500.0, 200.0
"""Farthest that a pixel's depth is believed; how far apart the instances of a product may stand to mark one place."""

NEAR, STRAIGHT = 20.0, 1.0
"""cm along the floor and degrees by which an origin may be off: meshes have their pivots anywhere."""

STRAY = 50.0
"""cm by which things may be off their places under the best origin."""

PLACES, PICTURES = "places", "pictures"

ROUNDS = 40

RAISED = 60.0
"""cm upwards that may be the height of a mesh's pivot; less is told by the floor, when depth is measured."""

VIEWPOINTS, AROUND = 3, range(0, 360, 90)


@attrs.frozen
class Alignment:
    """
    How the level and the records lie to one another.

    Args:
        origin: The mapping file's ``origin`` that fits best: x, y, z in cm, yaw in degrees.
        shift: How far the records' origin is from where the mapping has it, in cm along the floor.
        raised: How much higher things are than under the mapping, where that is more than :data:`RAISED`; else 0.
        turned: By how many degrees the records are turned beyond what the mapping says.
        off: Median distance (cm) of things from their places under the mapping as it is.
        left: The same under the origin that fits best.
        things: How many things were found.
        source: ``places`` of objects as the build tells them, or ``pictures``.
    """

    origin: Origin
    shift: float
    raised: float
    turned: float
    off: float
    left: float
    things: int
    source: str

    @property
    def praise(self) -> str:
        """What speaks for the origin as it is."""
        return f"{self._seen} within {max(self.off, 0.1):.1f} cm of where the records have them (median)"

    def trouble(self, scene: str) -> str:
        """Return what is wrong, by how much, and what to write; empty where nothing is."""
        if self.left > STRAY:
            words = f"{self._seen} are {self.left:.0f} cm from their places (median) even under the best origin"
            return f"{words}; does the build show the records of '{scene}'?"
        if self.shift <= NEAR and abs(self.turned) <= STRAIGHT and not self.raised:
            return ""
        turned = f", turned by {self.turned:.1f} degrees" if abs(self.turned) > STRAIGHT else ""
        raised = f", {abs(self.raised):.0f} cm {'up' if self.raised > 0 else 'down'}" if self.raised else ""
        return f"off by {self.shift:.0f} cm along the floor{turned}{raised}; write `{self.written}` in the mapping"

    @property
    def written(self) -> str:
        """The origin that fits best as a line of a mapping file, as exact as it was seen."""
        digits, parts = (1, 10) if self.source == PLACES else (0, 2)
        values = [*(round(value, digits) for value in self.origin[:3]), round(self.origin[3] * parts) / parts]
        return f"origin: [{', '.join(f'{value + 0.0:g}' for value in values)}]"

    @property
    def _seen(self) -> str:
        return f"{self.things} {'objects' if self.source == PLACES else 'things in view'}"


async def alignment(store: UnrealStore) -> Alignment | None:
    """Return how level and records lie to one another; None where neither places nor pictures tell."""
    return await by_places(store) or await by_pictures(store)


async def by_places(store: UnrealStore) -> Alignment | None:
    """Ask objects for their places; None where the build does not tell enough of them."""
    every = store.scene.instances
    chosen = every[:: max(1, math.ceil(len(every) / ASKED))]
    commands = [f"vget /object/{store.mapping.engine_name(one.id)}/location" for one in chosen]
    seen: list[tuple[float, float]] = []
    wanted: list[tuple[float, float]] = []
    heights: list[float] = []
    for one, command, answer in zip(chosen, commands, await store.build.ask(commands), strict=True):
        if refused(answer):
            continue
        try:
            x, y, z = store.build.numbers(command, answer, 3)
        except InfrastructureError:
            continue  # it says something else than a place
        seen.append(store.mapping.from_level(x, y))
        wanted.append(one.position[:2])
        heights.append(z - store.mapping.origin[2] - one.position[2])
    if len(seen) < ENOUGH:
        return None
    places = np.array(wanted)
    raised = float(np.median(heights))
    raised = raised if abs(raised) > RAISED else 0.0
    return _aligned(store, np.array(seen), lambda _: places, len(seen), raised, PLACES)


async def by_pictures(store: UnrealStore) -> Alignment | None:
    """Look around, and compare what masks and depth show with the boxes of the records; None where too little is."""
    await store.measure_depth()
    colors = await palette_colors(store)
    frames = [frame async for frame in _looks(store)]
    fit = fit_curve(colors, [frame.mask for frame in frames])
    if not frames or fit.seen < ENOUGH:
        return None
    palette = Palette(colors, curves()[fit.curve])
    points, names = _points(frames, palette)
    held = _boxes(store.scene)
    kept = [n for n, name in enumerate(names) if name in held]
    points, names = points[kept], [names[n] for n in kept]
    things = sorted(set(names))
    if len(things) < ENOUGH:
        return None
    owner = np.array([things.index(name) for name in names])
    boxes = [held[name] for name in things]

    def nearest(at: Floats) -> Floats:
        found = np.empty_like(at)
        for n, of in enumerate(boxes):
            found[owner == n] = _on_boxes(at[owner == n], of)
        return found

    return _aligned(store, points, nearest, len(things), 0.0, PICTURES, _start(points, owner, boxes))


def _aligned(
    store: UnrealStore,
    seen: Floats,
    expected: Expected,
    things: int,
    raised: float,
    source: str,
    start: tuple[float, Floats] = (0.0, np.zeros(2)),
) -> Alignment:
    """Find the turn and shift under which what is seen lies where it is expected, and what `origin` they come to."""
    angle, shift = start
    for _ in range(ROUNDS):
        wanted = expected(_moved(seen, angle, shift))
        gaps = np.hypot(*(wanted - _moved(seen, angle, shift)).T)
        near = gaps <= max(3.0 * float(np.median(gaps)), 1.0)
        new_angle, new_shift = _rigid(seen[near], wanted[near])
        done = abs(new_angle - angle) < 1e-6 and float(np.hypot(*(new_shift - shift))) < 1e-3
        angle, shift = new_angle, new_shift
        if done:
            break
    x, y, z, yaw = store.mapping.origin
    level = math.radians(yaw) - angle
    right = np.array([x, y]) - _moved(shift[None, :], level, np.zeros(2))[0]
    left = expected(_moved(seen, angle, shift)) - _moved(seen, angle, shift)
    return Alignment(
        origin=(float(right[0]), float(right[1]), z + raised, wrapped(math.degrees(level))),
        shift=math.dist(right, (x, y)),
        raised=raised,
        turned=wrapped(-math.degrees(angle)),
        off=float(np.median(np.hypot(*(expected(seen) - seen).T))),
        left=float(np.median(np.hypot(*left.T))),
        things=things,
        source=source,
    )


def _moved(points: Floats, angle: float, shift: Floats) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    moved: Floats = points @ np.array([[c, s], [-s, c]]) + shift
    return moved


def _rigid(points: Floats, wanted: Floats) -> tuple[float, Floats]:
    """Return the turn (radians) and shift that bring points nearest to where they are wanted, by least squares."""
    here, there = points.mean(axis=0), wanted.mean(axis=0)
    a, b = points - here, wanted - there
    angle = math.atan2(float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(np.sum(a * b)))
    return angle, there - _moved(here[None, :], angle, np.zeros(2))[0]


def _start(points: Floats, owner: NDArray[np.int64], boxes: Sequence[Sequence[Box]]) -> tuple[float, Floats]:
    """Return a first turn and shift, by the middles of what stands in one place only."""
    seen, wanted = [], []
    for n, of in enumerate(boxes):
        middles = np.array([box.center[:2] for box in of])
        if float(np.ptp(middles, axis=0).max()) <= COMPACT:
            seen.append(points[owner == n].mean(axis=0))
            wanted.append(middles.mean(axis=0))
    return _rigid(np.array(seen), np.array(wanted)) if len(seen) >= ENOUGH else (0.0, np.zeros(2))


def _boxes(scene: Scene) -> dict[Entity, list[Box]]:
    """Return product or fixture -> the boxes that it fills; stores and areas are seen by their signs alone."""
    held: dict[Entity, list[Box]] = {}
    for one in scene.instances:
        held.setdefault(("product", one.product), []).append(instance_box(scene, one))
    held.update({("fixture", one.id): [one.box] for one in scene.fixtures})
    return held


def _on_boxes(points: Floats, boxes: Sequence[Box]) -> Floats:
    """Return, for each point, the nearest one on the floor plan of any of the boxes."""
    low, high = (np.array([getattr(box, side)[:2] for box in boxes]) for side in ("low", "high"))
    there = np.clip(points[:, None, :], low[None], high[None])
    gaps = np.hypot(*np.moveaxis(there - points[:, None, :], 2, 0))
    found: Floats = there[np.arange(len(points)), np.argmin(gaps, axis=1)]
    return found


def _points(frames: Sequence[Frame], palette: Palette) -> tuple[Floats, list[Entity]]:
    """Return where the pixels of pictures lie on the floor plan, by the pose that the mapping makes of the camera's."""
    points: list[Floats] = []
    names: list[Entity] = []
    for frame in frames:
        ids, depth = palette.decode(frame.mask)[::STEP, ::STEP], frame.depth[::STEP, ::STEP].astype(float)
        rows, columns = np.nonzero((ids > 0) & np.isfinite(depth) & (depth < FAR))
        ahead = depth[rows, columns]
        right = (columns * STEP + 0.5 - frame.width / 2) * ahead / frame.focal
        up = (frame.height / 2 - rows * STEP - 0.5) * ahead / frame.focal
        points.append((np.asarray(frame.eye) + np.stack([ahead, right, up], axis=1) @ frame.axes)[:, :2])
        names += [palette.entities[index - 1] for index in ids[rows, columns]]
    return np.concatenate(points) if points else np.empty((0, 2)), names


async def _looks(store: UnrealStore) -> AsyncIterator[Frame]:
    """Take pictures all around, where the shopper stands and at some viewpoints; one that is blocked is passed over."""
    points = store.scene.waypoints
    chosen = points[:: max(1, len(points) // VIEWPOINTS)][:VIEWPOINTS]
    for at in (None, *chosen):
        if at is not None:
            try:
                await store.place(Pose(at.x, at.y, at.yaw))
            except InfrastructureError as error:
                if error.kind not in {OCCUPIED, "protocol"}:
                    raise
                continue
        for yaw in AROUND:
            await store.face(wrapped(float(yaw)))
            yield await store.frame(*SIZE)
