"""A hand-made store of one room, one shelf, one till and seven items: small enough to know every pixel's reason."""

from recfw_situated.scenes.records import Box, Fixture, Instance, Look, Part, Pose, Product, Prop, Scene, Waypoint

OUTER = ((-10, -10, 0), (610, 410, 300))
_LOOK = Look("box", (200, 30, 30), (250, 250, 250), (20, 20, 20), "OAT")

WALLS = (
    Box((-10, -10, 0), (610, 0, 300)),
    Box((-10, 400, 0), (610, 410, 300)),
    Box((-10, 0, 0), (0, 400, 300)),
    Box((600, 0, 0), (610, 400, 300)),
)
SHELF = Box((300, 100, 0), (340, 300, 180))
TILL = Box((450, 40, 0), (520, 90, 100))


def product(name: str, color: tuple[int, int, int]) -> Product:
    """A product of 20 x 10 x 24 cm."""
    return Product(
        name, f"{name.title()} Test Flakes 500 g", "cereal", ("oat",), 3.5, color, (20, 10, 24), _LOOK, {}, ("shelf-1",)
    )


PRODUCTS = (product("alpha", (255, 0, 0)), product("beta", (0, 255, 0)), product("gamma", (0, 127, 255)))
# the shelf's front looks to -X: instances face yaw 180
INSTANCES = tuple(
    Instance(f"{one}_{index}", one, "shelf-1", (305.0, 120.0 + 40.0 * index, 100.0), 180.0)
    for index, one in enumerate(("alpha", "alpha", "beta", "gamma"))
)


def scene() -> Scene:
    """The store."""
    shelf = Fixture(
        "shelf-1", "cereal shelf", "Cereal", "shelf", SHELF, 180.0, "shelf-1-front", None, (63, 0, 127), "Shelf_1"
    )
    return Scene(
        name="small",
        title="A small store",
        bounds=Box((0, 0, 0), (600, 400, 300)),
        start=Pose(100.0, 200.0, 0.0),
        eye_height=160.0,
        radius=30.0,
        reach=200.0,
        walls=WALLS,
        fixtures=(shelf,),
        stores=(),
        areas=(),
        products=PRODUCTS,
        instances=INSTANCES,
        waypoints=(Waypoint("shelf-1-front", 200.0, 200.0, 0.0, "front", "shelf-1"),),
        props=(Prop("Till_1", "till", TILL),),
        expected={},
        digest="small",
    )


def _solid(box: Box, color: tuple[int, int, int], name: str) -> Part:
    """A box as a part."""
    return Part("box", box.center, box.size, color, name)


def parts() -> list[Part]:
    """What is drawn: a room, a shelf of a back panel and one board, the till, the items."""
    found = [_solid(wall, (210, 210, 200), f"Wall_{index}") for index, wall in enumerate(WALLS)]
    found += [
        _solid(Box((-10, -10, -10), (610, 410, 0)), (180, 170, 160), "Floor"),
        _solid(Box((-10, -10, 300), (610, 410, 310)), (240, 240, 240), "Ceiling"),
        _solid(Box((320, 100, 0), (324, 300, 180)), (150, 150, 160), "Shelf_1"),
        _solid(Box((300, 100, 96), (340, 300, 100)), (190, 190, 190), "Shelf_1"),
        _solid(TILL, (90, 60, 40), "Till_1"),
    ]
    for one in INSTANCES:
        x, y, z = one.position
        found.append(
            Part(
                "box",
                (x, y, z + 12),
                (10, 20, 24),
                (200, 30, 30),
                one.id,
                one.yaw,
                "OAT",
                "front",
                paper=(250, 250, 240),
            )
        )
    return found


def obstacles() -> list[tuple[str, Box]]:
    """What stands in the way."""
    return [*((f"Wall_{index}", box) for index, box in enumerate(WALLS)), ("Shelf_1", SHELF), ("Till_1", TILL)]
