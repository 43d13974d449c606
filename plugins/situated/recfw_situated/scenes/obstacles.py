"""What a shopper cannot walk through: walls, fixtures, furniture on show and what is not for sale."""

from recfw_situated.scenes.records import Box, Instance, Scene


def instance_box(scene: Scene, one: Instance) -> Box:
    """Return the bounds of an instance in its place."""
    width, depth, height = scene.product_by_id[one.product].size
    along, across = (depth, width) if round(one.yaw / 90.0) % 2 == 0 else (width, depth)
    x, y, z = one.position
    return Box((x - along / 2, y - across / 2, z), (x + along / 2, y + across / 2, z + height))


def obstacles(scene: Scene) -> tuple[tuple[str, Box], ...]:
    """
    Return (engine object, box) of everything solid, in a fixed order; a walker decides which heights concern it.

    Goods on boards are left out, their fixture stands in the way already; so are goods on display shelves.
    """
    return (
        *((f"Wall_{number}", box) for number, box in enumerate(scene.walls)),
        *((fixture.object, fixture.box) for fixture in scene.fixtures),
        *((f"prop_{prop.id}", prop.box) for prop in scene.props),
        *((one.id, instance_box(scene, one)) for one in scene.instances if one.position[2] == 0.0),
    )
