"""What the track may ask of a store, whoever serves it. Units: cm, degrees, left-handed, as in UnrealCV."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from recfw_situated.scenes.records import Color, Pose, Scene
from recfw_situated.views.frame import Frame


@attrs.frozen
class Moved:
    """
    What a translation did.

    Args:
        pose: Where the shopper is now.
        distance: From start to end, straight, in cm.
        blocked: It did not arrive where it was to.
        hit: Engine object that was in the way, where the build tells.
    """

    pose: Pose
    distance: float
    blocked: bool
    hit: str = ""


@attrs.frozen
class Done:
    """Whether a call on an item was carried out; ``reason`` is a sentence where it was not."""

    success: bool
    reason: str = ""


class Store(Protocol):
    """
    One shopper in one store.

    Every method raises InfrastructureError when the server hangs, drops, or answers what makes no sense; then the
    episode is lost, and the next :meth:`reset` begins on a new connection. Whether an action is allowed is the track's
    business, not the store's.

    Attributes:
        scene: The records that the build was checked against.
        held: The instance in the hand, or "".
        shown: The instance that is shown close up while it stays in its place, or "".
        taken: Instances that are not in their places.
    """

    scene: Scene
    held: str
    shown: str

    @property
    def taken(self) -> frozenset[str]:
        """Instances that are not in their places."""
        ...

    async def open(self) -> None:
        """Connect, find out what the build offers, check masks and depth."""
        ...

    async def close(self) -> None:
        """Let the connection go."""
        ...

    async def reset(self) -> Pose:
        """Put everything in its place and the shopper at the start."""
        ...

    async def pose(self) -> Pose:
        """Ask where the shopper is."""
        ...

    async def place(self, pose: Pose) -> Pose:
        """Put the shopper somewhere at once; InfrastructureError where something stands there."""
        ...

    async def move(self, forward: float, right: float) -> Moved:
        """Walk straight, relative to where the shopper faces, sliding along obstacles."""
        ...

    async def turn(self, degrees: float) -> Pose:
        """Turn by an angle, positive to the right."""
        ...

    async def look(self, degrees: float) -> Pose:
        """Tilt the head by an angle, positive upwards."""
        ...

    async def face(self, yaw: float, pitch: float = 0.0) -> Pose:
        """Face a direction of the world."""
        ...

    async def follow(self, path: Sequence[tuple[float, float]], yaw: float | None = None) -> Moved:
        """Walk along points of the floor, then face a direction, or that of the last leg."""
        ...

    async def pick(self, instance: str) -> Done:
        """Take an instance into the hand."""
        ...

    async def drop(self) -> Done:
        """Put the held instance back."""
        ...

    async def show_item(self, instance: str | None) -> Done:
        """Show an instance close up while it stays in its place; None ends that."""
        ...

    async def cart(self, instance: str | None = None) -> Done:
        """Put the held instance (None) or one that stays on display into the cart."""
        ...

    async def frame(self, width: int, height: int, *, rgb: bool = False) -> Frame:
        """Take pictures of one moment from the shopper's eyes."""
        ...

    async def objects(self) -> tuple[str, ...]:
        """Return the names of the build's objects."""
        ...

    async def colors(self, names: Sequence[str]) -> Mapping[str, Color]:
        """Return the mask colours of objects by name."""
        ...

    def state(self) -> tuple[object, ...]:
        """Return what decides the picture besides the pose; equal states at one pose give equal pictures."""
        ...
