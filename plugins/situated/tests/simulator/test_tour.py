"""A scripted tour of both stores with the real client: what the pictures show is what the records say."""

import io
import json
import math
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import real_client
from numpy.typing import NDArray
from PIL import Image

from recfw_situated.scenes.obstacles import instance_box
from recfw_situated.scenes.records import Scene
from recfw_situated.simulator.opening import open_world
from recfw_situated.simulator.world import World

WIDTH, HEIGHT = 320, 240
ENOUGH = 20  # pixels of 76,800 that can be marked


@pytest.fixture(scope="module", params=["supermarket", "furnishings"])
def store(request: pytest.FixtureRequest) -> World:
    """A store of the track, opened."""
    return open_world(request.param)


@pytest.fixture(scope="module")
def client(store: World) -> Iterator[Any]:
    """The real client, connected to it, with a small picture."""
    with real_client.served(store) as server, real_client.connected(server.port) as connected:
        assert connected.request(f"vset /camera/0/size {WIDTH} {HEIGHT}") == "ok"
        yield connected


Color = tuple[int, int, int]


def number(color: Color) -> int:
    """A colour as one number."""
    return color[0] << 16 | color[1] << 8 | color[2]


def look(client: Any) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Mask, each colour as one number, and depth of now."""
    mask, depth = client.request(["vget /camera/0/object_mask png", "vget /camera/0/depth npy"])
    red, green, blue = np.moveaxis(np.asarray(Image.open(io.BytesIO(mask)))[:, :, :3].astype(np.int64), 2, 0)
    return red << 16 | green << 8 | blue, np.load(io.BytesIO(depth))


def place(client: Any, x: float, y: float, yaw: float, pitch: float = 0.0) -> None:
    """Put the shopper at a fixed viewpoint; it must fit there."""
    assert json.loads(client.request(f"vbp User PlaceAt {x:.4f} {y:.4f} {yaw:.4f}"))["Success"] == "true"
    client.request(f"vbp User LookTo {pitch:.4f}")


def points(scene: Scene, x: float, y: float, yaw: float, depth: NDArray[np.float32]) -> NDArray[np.float64]:
    """The world's points that the pixels of a level view with 90 degrees across show, (H, W, 3)."""
    across = ((np.arange(WIDTH) + 0.5) / WIDTH * 2 - 1)[None, :] * depth
    down = ((np.arange(HEIGHT) + 0.5) / HEIGHT * 2 - 1)[:, None] * depth * HEIGHT / WIDTH
    cos, sin = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return np.stack((x + depth * cos - across * sin, y + depth * sin + across * cos, scene.eye_height - down), axis=2)


def test_every_instance_is_an_object_with_its_products_colour(client: Any, store: World) -> None:
    """The server's objects and colours are those of the records, all of them."""
    names = set(client.request("vget /objects").split())
    instances = store.scene.instances
    assert {one.id for one in instances} <= names
    answers = client.request([f"vget /object/{one.id}/color" for one in instances])
    found = [tuple(map(int, re.findall(r"\d+", answer)))[:3] for answer in answers]
    assert [store.scene.product_by_id[one.product].color for one in instances] == found


def test_every_fixed_viewpoint_shows_what_it_belongs_to(client: Any, store: World) -> None:
    """Its own fixture, store or area is in the picture, and the mask holds nothing but the palette and black."""
    scene = store.scene
    kinds = {number(one.color): one.id for one in scene.fixtures}
    goods: dict[str, set[int]] = {}
    for product in scene.products:
        for name in product.places:
            goods.setdefault(name, set()).add(number(product.color))
    for point in scene.waypoints:
        place(client, point.x, point.y, point.yaw)
        mask, _ = look(client)
        colors = set(np.unique(mask).tolist())
        assert colors <= {0, *map(number, scene.palette)}, point
        if point.kind in {"front", "back"}:
            assert point.of in {kinds.get(color) for color in colors}, point
        if point.kind in {"front", "back", "area"}:
            assert colors & goods[point.of], point
        if point.kind == "outside_doorway":
            assert number(scene.store_by_id[point.of].color) in colors, point


def test_depth_and_mask_agree_with_where_things_stand(client: Any, store: World) -> None:
    """Each pixel of a product, carried out into the world by its depth, lies within an instance of that product."""
    scene = store.scene
    boxes: dict[int, list[tuple[NDArray[np.float64], NDArray[np.float64]]]] = {}
    for one in scene.instances:
        box = instance_box(scene, one)
        color = number(scene.product_by_id[one.product].color)
        boxes.setdefault(color, []).append((np.array(box.low) - 0.5, np.array(box.high) + 0.5))
    checked = 0
    for point in scene.waypoints[::5]:
        place(client, point.x, point.y, point.yaw)
        mask, depth = look(client)
        world = points(scene, point.x, point.y, point.yaw, depth)
        for color, own in boxes.items():
            shown = world[mask == color]
            within = np.zeros(len(shown), dtype=np.bool_)
            for low, high in own:
                within |= ((shown >= low) & (shown <= high)).all(axis=1)
            assert within.all(), (point, color, shown[~within][:3])
            checked += len(shown)
    assert checked > 10_000


def test_every_product_can_be_made_out_from_a_fixed_viewpoint(client: Any, store: World) -> None:
    """Level, or after one look up or down, from at least one of them."""
    seen: set[int] = set()
    for point in store.scene.waypoints:
        for pitch in (0.0, -30.0, 20.0):
            place(client, point.x, point.y, point.yaw, pitch)
            colors, counts = np.unique(look(client)[0], return_counts=True)
            seen |= set(colors[counts >= ENOUGH].tolist())
    assert [one.name for one in store.scene.products if number(one.color) not in seen] == []


def test_no_view_is_black_or_empty(client: Any, store: World) -> None:
    """From every viewpoint the picture has light, contrast and something at every pixel."""
    for point in store.scene.waypoints[::4]:
        place(client, point.x, point.y, point.yaw)
        picture = np.asarray(Image.open(io.BytesIO(client.request("vget /camera/0/lit png"))))[:, :, :3]
        assert picture.mean() > 80, point
        assert picture.std() > 15, point
        assert look(client)[1].max() < 10_000, point


def test_a_held_item_hides_nothing_but_its_own_place(client: Any, store: World) -> None:
    """Picked up, its place is empty; put back, the picture is the same to the byte."""
    scene = store.scene
    one = scene.instances[0]
    point = next(w for w in scene.waypoints if w.of == one.place and w.kind in {"front", "area"})
    place(client, point.x, point.y, point.yaw)
    before = client.request("vget /camera/0/lit npy")
    assert json.loads(client.request(f"vbp User PickUp {one.id}"))["Success"] == "true"
    mask, depth = look(client)
    close = depth < 30
    assert close.mean() > 0.03
    assert (mask[close] == number(scene.product_by_id[one.product].color)).all()
    client.request("vbp User DropOff")
    assert before == client.request("vget /camera/0/lit npy")


def test_ten_thousand_random_actions_never_enter_anything(store: World) -> None:
    """Steps and turns of all sizes leave the radius free, of walls, fixtures and furniture alike."""
    draw = random.Random(11)
    store.reset()
    moved = 0.0
    for index in range(10_000):
        if index % 3 == 0:
            store.face(draw.uniform(-180, 180))
        x, y = store.pose.x, store.pose.y
        length = draw.choice((5.0, 60.0, 200.0, 500.0))
        store.step(draw.uniform(-0.3, 1.0) * length, draw.uniform(-0.4, 0.4) * length)
        moved += math.hypot(store.pose.x - x, store.pose.y - y)
        assert store.obstacles.clearance(store.pose.x, store.pose.y) >= store.scene.radius - 1e-6
        assert store._inside(store.pose.x, store.pose.y)
    assert moved > 200_000
    store.reset()
