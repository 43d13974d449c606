"""A server with another dialect behind the driver: what it alters is undone, what it lacks is replaced."""

import asyncio

import numpy as np
import pytest
from foreign_server import GAMMA
from tiny_scene import COLORS, tiny_scene

from recfw.errors import InfrastructureError
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.driver.pool import Stores
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.scenes.records import Pose
from recfw_situated.views.sights import Eyes

NO_CALLS = ["^vbp"]


def run(server, act, **mapping):
    """Open a store on a server, act, close it, and return what the act returned."""

    async def go():
        store = UnrealStore(tiny_scene(), "127.0.0.1", server.port, BuildMap(**mapping), seconds=10.0)
        await store.open()
        try:
            return await act(store)
        finally:
            await store.close()

    return asyncio.run(go())


async def sights_of(store):
    """Return (kind, id) of what is visible from the start."""
    frame = await store.frame(320, 240)
    seen = Eyes(store.scene, store.palette).see(frame, store.taken)
    return {(one.kind, one.id) for one in seen.all}, frame


EXPECTED = {("product", "apple"), ("product", "bread"), ("product", "cocoa"), ("fixture", "shelf-1")}


@pytest.mark.parametrize(
    ("dialect", "curve"),
    [({}, "none"), ({"jitter": 1}, "none"), ({"jitter": -1}, "none"), ({"curve": GAMMA}, "gamma 1/2.2")],
)
def test_colours_that_come_out_altered_are_still_told_apart(serve, dialect, curve):
    """Colours off by one or gamma-shifted give the same sights, and the self-test names what was done to them."""

    async def act(store):
        return (await sights_of(store))[0], store.masks.curve

    assert run(serve(lacks=NO_CALLS, **dialect), act) == (EXPECTED, curve)


@pytest.mark.parametrize(("ray", "unit"), [(False, 1.0), (True, 1.0), (False, 100.0), (True, 100.0)])
def test_depth_becomes_planar_centimetres_whatever_the_build_measures(serve, ray, unit):
    """Depth along the ray, or in metres, is calibrated on the floor and converted."""
    server = serve(lacks=NO_CALLS, ray=ray, unit=unit)

    async def act(store):
        return (await sights_of(store))[1].depth

    depth = run(server, act)
    _, planar, _ = server.render(320, 240)
    assert np.allclose(depth[planar < 1000], planar[planar < 1000], rtol=1e-3)


def test_own_names_and_origin_are_mapped(serve):
    """Engine names and a shifted level come from the mapping file; poses are the records' own."""
    names = {"shelf-1": "SM_Shelf_7", "apple-1": "BP_Apple_C_3"}
    server = serve(lacks=NO_CALLS, names=names, origin=(1000.0, -2000.0, 50.0))

    async def act(store):
        pose = await store.place(Pose(10.0, 20.0, 0.0))
        await store.pick("apple-1")
        return pose, sorted(server.hidden), (await sights_of(store))[0]

    pose, hidden, seen = run(server, act, objects=names, origin=(1000.0, -2000.0, 50.0, 0.0))
    assert (pose, hidden, seen) == (Pose(10.0, 20.0, 0.0), ["BP_Apple_C_3"], EXPECTED)


@pytest.mark.parametrize("right", [True, False])
def test_no_episode_is_played_where_the_origin_is_wrong(serve, right):
    """A build that tells where its objects are is not lent under an origin that says otherwise."""
    server = serve(lacks=NO_CALLS, places=True, origin=(50.0, 0.0, 0.0))
    mapping = BuildMap(origin=(50.0 if right else 0.0, 0.0, 0.0, 0.0))

    async def go():
        async with Stores(tiny_scene(), (("127.0.0.1", server.port),), mapping) as stores, stores.lend() as store:
            return await store.pose()

    if right:
        assert asyncio.run(go()) == Pose(0.0, 0.0, 0.0)
    else:
        with pytest.raises(InfrastructureError, match=r"off by 50 cm along the floor; write `origin: \[50, 0, 0, 0\]`"):
            asyncio.run(go())


def test_colours_that_cannot_be_painted_are_read(serve):
    """A build that refuses to be painted keeps its own colours, and these are decoded."""
    scene = tiny_scene()
    own = {one.id: tuple(255 - c for c in COLORS[one.product]) for one in scene.instances}
    own |= {"shelf-1": (10, 20, 200), "stand-1": (90, 10, 90)}

    async def act(store):
        return (await sights_of(store))[0]

    assert run(serve(lacks=NO_CALLS, fixed=own), act) == EXPECTED


def test_two_things_in_one_colour_are_refused(serve):
    """Masks that cannot tell two products apart are no basis for an observation."""
    own = dict.fromkeys([*(one.id for one in tiny_scene().instances), "shelf-1", "stand-1"], (9, 99, 199))
    with pytest.raises(InfrastructureError, match="in one colour"):
        run(serve(lacks=NO_CALLS, fixed=own), sights_of)


def test_colours_that_resemble_none_that_was_painted_are_refused(serve):
    """Masks under a tone curve that nobody knows fail the self-test in words, rather than give wrong sights."""
    curve = (np.arange(256) * 0.6 + 50).astype(np.uint8)
    with pytest.raises(InfrastructureError, match=r"levels away .*tone mapping"):
        run(serve(lacks=NO_CALLS, curve=curve), sights_of)


def test_walking_falls_back_on_the_camera_and_tells_when_it_is_blocked(serve):
    """Without move functions the camera's moveto is used, and the pose read back tells that a shelf was in the way."""

    async def act(store):
        free = await store.move(100.0, 0.0)
        return free, await store.move(300.0, 0.0)

    free, blocked = run(serve(lacks=NO_CALLS), act)
    assert (free.pose, free.blocked) == (Pose(100.0, 0.0, 0.0), False)
    assert (blocked.blocked, round(blocked.pose.x), round(blocked.distance)) == (True, 170, 70)


def test_a_path_is_walked_leg_by_leg_and_faces_where_it_is_told(serve):
    """Without a path function the legs are walked one after the other."""

    async def act(store):
        return await store.follow([(0.0, 100.0), (100.0, 100.0)], yaw=-90.0)

    moved = run(serve(lacks=NO_CALLS), act)
    assert (moved.pose, moved.blocked) == (Pose(100.0, 100.0, -90.0), False)


def test_an_item_is_picked_up_by_hiding_it_and_dropped_by_showing_it(serve):
    """Without hands the item vanishes from its place while it is held."""
    server = serve(lacks=NO_CALLS)

    async def act(store):
        await store.pick("bread-1")
        without = (await sights_of(store))[0]
        await store.drop()
        return without, (await sights_of(store))[0], store.held, store.taken

    assert run(server, act) == (EXPECTED - {("product", "bread")}, EXPECTED, "", frozenset())


def test_reset_shows_again_what_was_hidden(serve):
    """An episode starts with everything in its place and the shopper at the start."""
    server = serve(lacks=NO_CALLS)

    async def act(store):
        await store.pick("bread-1")
        await store.move(50.0, 0.0)
        return await store.reset(), store.taken

    assert (run(server, act), server.hidden) == ((Pose(0.0, 0.0, 0.0), frozenset()), set())


def test_a_build_of_one_size_is_taken_as_it_is(serve):
    """A build that renders one size only is read back, and thresholds are scaled to it."""

    async def act(store):
        seen, frame = await sights_of(store)
        return seen, (frame.width, frame.height)

    assert run(serve(lacks=NO_CALLS, size=(480, 360)), act) == (EXPECTED, (480, 360))


@pytest.mark.parametrize("lacking", ["object_mask", "depth", "moveto", "location"])
def test_what_cannot_be_replaced_is_named(serve, lacking):
    """A build without masks, depth, a way to walk or a pose is refused, and told to name them in the mapping file."""
    with pytest.raises(InfrastructureError, match=r"offers no .*mapping file"):
        run(serve(lacks=[*NO_CALLS, lacking]), sights_of)


def test_a_build_that_lists_no_commands_is_believed_to_take_the_usual_ones(serve):
    """An old server that cannot list its commands is used all the same."""
    assert run(serve(lacks=NO_CALLS, listed=False), sights_of)[0] == EXPECTED
