"""The real client on the embedded simulator: what comes through the port agrees with the scene's records."""

import asyncio

import numpy as np
import pytest

from recfw_situated.driver.calibrate import floor_depth
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.driver.process import start
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.records import Pose
from recfw_situated.views.looking import look
from recfw_situated.views.sights import Eyes

SCENES = ("supermarket", "furnishings")


def tour(name, act, **options):
    """Act on a store of a scene in a simulator of its own."""

    async def go():
        served = await start(name)
        store = UnrealStore(load_scene(name), served.host, served.port, **options)
        try:
            await store.open()
            return await act(store)
        finally:
            await store.close()
            served.stop()

    return asyncio.run(go())


@pytest.mark.parametrize("name", SCENES)
def test_probing_and_self_tests_find_what_the_simulator_does(name):
    """Taken for a foreign build, our own is found to offer all calls, exact colours and planar centimetres."""

    async def act(store):
        ways = {line.way for line in store.offers.lines}
        return ways <= {"vbp", "camera", "object"}, store.masks.curve, store.masks.worst, store.depth

    assert tour(name, act) == (True, "none", 0.0, ("planar", 1.0))


@pytest.mark.parametrize("name", SCENES)
def test_objects_and_colours_are_the_records(name):
    """Every instance, fixture, store and area is there, in its colour."""

    async def act(store):
        wanted = store.scene.object_colors
        return set(wanted) <= set(await store.objects()), await store.colors(list(wanted)) == dict(wanted)

    assert tour(name, act, trusted=True) == (True, True)


@pytest.mark.parametrize("name", SCENES)
def test_the_floor_lies_where_its_depth_says(name):
    """Depth of the floor at the shopper's feet is that of a plane at height 0, to the mm."""

    async def act(store):
        await store.face(store.scene.start.yaw, -50.0)
        frame = await store.frame(320, 240)
        planar, _ = floor_depth(frame)
        return np.median(np.abs(frame.depth - planar)[-40:])

    assert tour(name, act, trusted=True) < 0.1


def test_an_episode_s_acts_have_their_effects():
    """Walk, turn, look, pick up, drop, put in the cart: each changes what it should."""

    async def act(store):
        point = store.scene.waypoint_by_id["cereal-front"]
        pose = await store.place(Pose(point.x, point.y, point.yaw))
        eyes = Eyes(store.scene)
        first = (await look(store, eyes, pose)).of("product")[0]
        picked = await store.pick(first.instance)
        held = await look(store, eyes, pose)
        twice = await store.pick(first.instance)
        await store.drop()
        dropped = await look(store, eyes, pose)
        await store.pick(first.instance)
        await store.cart()
        return picked.success, held.close_up == first.id, twice.success, dropped.close_up, store.held, len(store.taken)

    assert tour("supermarket", act, trusted=True) == (True, True, False, "", "", 1)


@pytest.mark.parametrize("capture", ["player", "spawn"])
def test_a_camera_of_its_own_sees_what_the_eyes_see(capture):
    """Pictures from a spawned camera are those of the player's camera."""

    async def act(store):
        moved = await store.move(120.0, 30.0)
        frame = await store.frame(160, 120)
        return moved.pose, frame.pose, int(frame.mask.astype(int).sum())

    mapping = BuildMap(scene="furnishings", capture=capture)
    moved, pose, total = tour("furnishings", act, mapping=mapping)
    assert moved == pose
    assert total == tour("furnishings", act, trusted=True)[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_every_product_and_place_is_labelled_from_some_viewpoint(name):
    """From each fixed viewpoint with at most one look up or down, every product and place is marked."""

    async def act(store):
        eyes, seen = Eyes(store.scene), set()
        for point in store.scene.waypoints:
            for pitch in (0.0, -15.0, -30.0, -45.0, 15.0, 30.0):
                pose = await store.place(Pose(point.x, point.y, point.yaw, pitch))
                seen |= {sight.id for sight in (await look(store, eyes, pose)).all}
        scene = store.scene
        wanted = {one.id for held in (scene.products, scene.fixtures, scene.stores, scene.areas) for one in held}
        return sorted(wanted - seen)

    assert tour(name, act, trusted=True) == []
