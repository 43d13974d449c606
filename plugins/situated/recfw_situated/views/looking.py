"""Looks at a store for an episode: the cheap look that decides what is visible, and pictures when somebody asks."""

from collections import OrderedDict
from typing import Protocol

from recfw_situated.scenes.records import Pose
from recfw_situated.views.frame import Frame
from recfw_situated.views.observe import Observation
from recfw_situated.views.overlay import overlay
from recfw_situated.views.sights import SIZE, Eyes, Sights

PICTURE = (640, 480)
"""Width and height of pictures."""


class Seen(Protocol):
    """What a look needs of a store."""

    @property
    def taken(self) -> frozenset[str]:
        """Instances that are not in their places."""
        ...

    def state(self) -> tuple[object, ...]:
        """Return what decides the picture besides the pose."""
        ...

    async def frame(self, width: int, height: int, *, rgb: bool = False) -> Frame:
        """Take pictures."""
        ...


class Memory:
    """
    Sights by pose and state of the store, shared by all episodes of a process.

    A deterministic store shows the same at the same pose, and shoppers meet at the fixed viewpoints, so most looks are
    found here. It must not be given to stores that move by themselves.

    Args:
        most: How many are kept; the longest unused goes first.
    """

    def __init__(self, most: int = 4096) -> None:
        self._held: OrderedDict[tuple[object, ...], Sights] = OrderedDict()
        self._most = most
        self.hits = self.misses = 0

    def get(self, key: tuple[object, ...]) -> Sights | None:
        """Return what was seen, and count whether it was there."""
        found = self._held.get(key)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._held.move_to_end(key)
        return found

    def put(self, key: tuple[object, ...], sights: Sights) -> None:
        """Keep what was seen."""
        self._held[key] = sights
        if len(self._held) > self._most:
            self._held.popitem(last=False)


async def look(store: Seen, eyes: Eyes, pose: Pose, memory: Memory | None = None) -> Sights:
    """
    Return what is visible now: mask and depth at 320x240, and no colours.

    Args:
        store: The store.
        eyes: Decodes its masks.
        pose: Where the shopper is, as the store said last.
        memory: Where earlier looks are found, of this scene and these eyes.
    """
    key = (pose, *store.state())
    found = memory.get(key) if memory is not None else None
    if found is None:
        found = eyes.see(await store.frame(*SIZE), store.taken)
        if memory is not None:
            memory.put(key, found)
    return found


async def annotated(
    store: Seen, eyes: Eyes, sights: Sights, observation: Observation, size: tuple[int, int] = PICTURE
) -> bytes:
    """Return the view with a role's marks, as PNG. Both roles' pictures of one look share a capture."""
    if eyes.shot is None or eyes.shot[0] is not sights or eyes.shot[1] != size:
        eyes.shot = (sights, size, await store.frame(*size, rgb=True))
    return overlay(eyes.shot[2], eyes, sights, observation.labels).png()
