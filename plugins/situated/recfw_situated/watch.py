"""The store of one episode as it is watched: the pose, what both roles see, and pictures that somebody looks at."""

import io

from attrs import define, field

from recfw.model.view import Picture
from recfw_situated.actions.state import Interaction
from recfw_situated.driver.store import Store
from recfw_situated.scenes.map import draw_map
from recfw_situated.scenes.records import Pose
from recfw_situated.views.labels import ASSISTANT, USER
from recfw_situated.views.looking import Memory, annotated, look
from recfw_situated.views.observe import Labeller, Observation
from recfw_situated.views.sights import Eyes, Sights

MAP = "map"
KINDS = (USER, ASSISTANT, MAP)


@define
class Watch:
    """
    Watches a store.

    Args:
        store: The store, everything in its place.
        eyes: Decodes its masks.
        labeller: Labels what is seen.
        memory: Where earlier looks of the process are found; None for stores that move by themselves.
        pose: Where the user is.
    """

    store: Store
    eyes: Eyes
    labeller: Labeller
    memory: Memory | None
    pose: Pose
    seen: dict[str, Observation] = field(factory=dict, init=False)
    captures: int = field(default=0, init=False)
    _sights: Sights | None = field(default=None, init=False)
    _at: tuple[object, ...] = field(default=(), init=False)
    _turn: int = field(default=0, init=False)
    _kept: dict[str, Picture] = field(factory=dict, init=False)

    async def observe(self, turn: int, state: Interaction) -> None:
        """Look, where anything changed since the last look; products get new labels then."""
        at = (self.pose, state.held, state.checked, tuple(state.cart))
        self._turn = turn
        if self._sights is None or at != self._at:
            self._sights = await look(self.store, self.eyes, self.pose, self.memory)
            self._at = at
            self.seen = {role: self.labeller.observe(self._sights, role) for role in (USER, ASSISTANT)}

    def move(self, pose: Pose) -> None:
        """Note where the user is now."""
        self.pose = pose

    def handle(self, kind: str, turn: int) -> str:
        """Return the handle of a role's picture, or of the map, at a turn."""
        return f"{kind}-{turn}"

    def handles(self, turn: int) -> dict[str, str]:
        """Return the handles of both roles' pictures at a turn."""
        return {role: self.handle(role, turn) for role in (USER, ASSISTANT)}

    async def picture(self, handle: str) -> Picture:
        """
        Return a picture by handle: those of this turn are made now, earlier ones were kept when they were looked at.

        Raises:
            KeyError: It is none of this episode's, or of an earlier turn at which nobody looked.
        """
        if handle not in self._kept:
            kind, _, turn = handle.partition("-")
            if kind not in KINDS or turn != str(self._turn):
                raise KeyError(handle)
            self._kept[handle] = Picture(await self._make(kind), "image/png")
            self.captures += 1
        return self._kept[handle]

    async def _make(self, kind: str) -> bytes:
        assert self._sights is not None
        if kind == MAP:
            labels = {(str(of), name): label for (of, name), label in self.labeller.places(ASSISTANT).items()}
            written = io.BytesIO()
            draw_map(self.store.scene, pose=self.pose, labels=labels, waypoints=False, width=1000).save(written, "PNG")
            return written.getvalue()
        return await annotated(self.store, self.eyes, self._sights, self.seen[kind])
