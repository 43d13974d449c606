"""Every product can be seen from a fixed viewpoint, large enough, with at most one look up or down."""

import attrs
import numpy as np
import pytest

from recfw_situated.simulator.opening import open_world

LEAST = 200  # mask pixels at 640x480
LOOKS = (0.0, -30.0, 20.0)  # straight ahead, or after one look_up_down


@pytest.fixture(scope="module", params=["supermarket", "furnishings"])
def seen(request):
    """Return the scene, and product -> waypoint -> the most pixels of it seen from there, as rendered."""
    world = open_world(request.param)
    scene = world.scene
    number = {product.id: n for n, product in enumerate(scene.products, 1)}
    table = np.zeros(len(world.things.rows()) + 1, dtype=int)
    for name, row in world.things.rows().items():
        if name in scene.instance_by_id:
            table[row] = number[scene.instance_by_id[name].product]
    found = {product.id: {} for product in scene.products}
    for waypoint in scene.waypoints:
        for pitch in LOOKS:
            world.pose = attrs.evolve(world.pose, x=waypoint.x, y=waypoint.y, yaw=waypoint.yaw, pitch=pitch)
            counts = np.bincount(table[world.shot(0).things()].ravel(), minlength=len(number) + 1)
            for product, n in number.items():
                if counts[n]:
                    found[product][waypoint.id] = max(found[product].get(waypoint.id, 0), int(counts[n]))
    return scene, found


def test_every_product_covers_enough_pixels_from_some_waypoint(seen):
    """The largest view of each product from any fixed viewpoint covers at least 200 mask pixels."""
    _, found = seen
    assert {} == {product: views for product, views in found.items() if max(views.values(), default=0) < LEAST}


def test_every_product_is_seen_from_a_viewpoint_of_its_own_place(seen):
    """Who walks to the fixture or area that the location index names sees the product there."""
    scene, found = seen
    for product in scene.products:
        own = {w.id for w in scene.waypoints if w.of in product.places}
        assert own & set(found[product.id]), product.id


def test_every_instance_is_within_reach_of_a_viewpoint_of_its_place(seen):
    """From a fixed viewpoint of its place each instance is no farther than the scene's reach."""
    scene, _ = seen
    for one in scene.instances:
        near = min(np.hypot(one.position[0] - w.x, one.position[1] - w.y) for w in scene.waypoints if w.of == one.place)
        assert near <= scene.reach, one.id
