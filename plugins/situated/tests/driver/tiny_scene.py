"""A room with one shelf and three products: the smallest scene that has everything."""

from recfw_situated.scenes.records import Box, Fixture, Instance, Look, Pose, Product, Scene, Waypoint

LOOK = Look("box", (200, 40, 40), (255, 255, 255), (0, 0, 0), "M")
COLORS = {"apple": (255, 0, 127), "bread": (63, 255, 0), "cocoa": (0, 127, 255), "dates": (191, 63, 191)}
ROOM = Box((-500.0, -500.0, 0.0), (500.0, 500.0, 300.0))


def product(name, color, places=("shelf-1",)):
    """Return a product of 20 x 10 x 20 cm."""
    return Product(name, name.title(), "food", ("x",), 2.0, color, (20.0, 10.0, 20.0), LOOK, {}, places)


def tiny_scene():
    """Return the scene: two apples side by side, one apart, one bread, cocoa behind the shelf, dates on a stand."""
    places = [
        ("apple-1", "apple", (200.0, -40.0, 100.0)),
        ("apple-2", "apple", (200.0, -19.0, 100.0)),
        ("apple-3", "apple", (200.0, 60.0, 100.0)),
        ("bread-1", "bread", (200.0, 10.0, 100.0)),
        ("cocoa-1", "cocoa", (260.0, 0.0, 100.0)),
        ("dates-1", "dates", (-200.0, 0.0, 80.0)),
    ]
    shelf = Fixture(
        "shelf-1",
        "Snack Shelf",
        "Snacks",
        "shelf",
        Box((190.0, -80.0, 0.0), (270.0, 80.0, 100.0)),
        180.0,
        "shelf-1-front",
        "shelf-1-back",
        (255, 255, 0),
        "shelf-1",
    )
    stand = Fixture(
        "stand-1",
        "Fruit Stand",
        "Fruit",
        "stand",
        Box((-230.0, -30.0, 0.0), (-180.0, 30.0, 80.0)),
        0.0,
        "stand-1-front",
        None,
        (0, 255, 255),
        "stand-1",
    )
    return Scene(
        name="supermarket",
        title="Tiny",
        bounds=ROOM,
        start=Pose(0.0, 0.0, 0.0),
        eye_height=160.0,
        radius=20.0,
        reach=150.0,
        walls=(),
        fixtures=(shelf, stand),
        stores=(),
        areas=(),
        products=tuple(product(n, c, ("stand-1",) if n == "dates" else ("shelf-1",)) for n, c in COLORS.items()),
        instances=tuple(Instance(i, p, "stand-1" if p == "dates" else "shelf-1", at, 180.0) for i, p, at in places),
        waypoints=(
            Waypoint("shelf-1-front", 100.0, 0.0, 0.0, "front", "shelf-1"),
            Waypoint("shelf-1-back", 360.0, 0.0, 180.0, "back", "shelf-1"),
            Waypoint("stand-1-front", -100.0, 0.0, 180.0, "front", "stand-1"),
        ),
        props=(),
        expected={},
        digest="tiny",
    )


def boxes(scene):
    """Return engine object -> (low, high) of everything solid in the scene."""
    held = {one.object: (one.box.low, one.box.high) for one in scene.fixtures}
    for one in scene.instances:
        wide, deep, high = scene.product_by_id[one.product].size
        x, y, z = one.position  # turned by 180 degrees, so that depth lies along X
        held[one.id] = ((x - deep / 2, y - wide / 2, z), (x + deep / 2, y + wide / 2, z + high))
    return held
