"""The cheap look: asked of the store only when pose or world changed."""

import asyncio

import pytest

from recfw_situated.scenes.records import Pose
from recfw_situated.views.looking import Memory, annotated, look
from recfw_situated.views.observe import Labeller
from recfw_situated.views.sights import Eyes


class Still:
    """A store of frames that counts what is asked of it."""

    def __init__(self, shoot):
        self.shoot, self.at, self.held, self.asked = shoot, Pose(0.0, 0.0, 0.0), "", []

    @property
    def taken(self):
        return frozenset([self.held] if self.held else [])

    def state(self):
        return ("tiny", self.held)

    async def frame(self, width, height, *, rgb=False):
        self.asked.append((width, height, rgb))
        return self.shoot(self.at, (width, height), self.taken)


@pytest.fixture
def store(shoot):
    """Return a store at the start."""
    return Still(shoot)


def test_a_look_is_remembered_until_the_pose_or_the_world_changes(scene, store):
    """Looking again at the same pose asks nothing; another pose or a taken item does."""
    eyes, memory = Eyes(scene), Memory()

    async def go():
        for pose, held in ((store.at, ""), (store.at, ""), (Pose(0.0, 60.0, 0.0), ""), (store.at, "bread-1")):
            store.at, store.held = pose, held
            await look(store, eyes, pose, memory)
        return [s.id for s in (await look(store, eyes, store.at, memory)).of("product")]

    assert "bread" not in asyncio.run(go())
    assert (len(store.asked), memory.hits, memory.misses) == (3, 2, 3)


def test_a_look_asks_for_no_colours_and_a_picture_does(scene, store):
    """Colours are captured for pictures only."""
    eyes = Eyes(scene)

    async def go():
        sights = await look(store, eyes, store.at)
        return await annotated(store, eyes, sights, Labeller(scene).observe(sights, "user"))

    assert asyncio.run(go()).startswith(b"\x89PNG")
    assert store.asked == [(320, 240, False), (640, 480, True)]


def test_both_roles_pictures_of_a_look_share_a_capture_and_those_of_the_next_do_not(scene, store):
    """One capture serves user and assistant; another look is captured anew."""
    eyes = Eyes(scene)

    async def go():
        for _ in range(2):
            sights = await look(store, eyes, store.at)
            for role in ("user", "assistant"):
                await annotated(store, eyes, sights, Labeller(scene).observe(sights, role))

    asyncio.run(go())
    assert [rgb for *_, rgb in store.asked] == [False, True, False, True]


def test_a_full_memory_forgets_the_longest_unused(scene, store):
    """Memory is bounded."""
    memory, eyes = Memory(most=2), Eyes(scene)

    async def go():
        for y in (0.0, 1.0, 0.0, 2.0, 0.0, 1.0):
            store.at = Pose(0.0, y, 0.0)
            await look(store, eyes, store.at, memory)

    asyncio.run(go())
    assert (memory.hits, memory.misses) == (2, 4)
