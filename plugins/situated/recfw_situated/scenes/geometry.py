"""The solids of a scene, for a renderer: building, signs, fixtures, furniture and goods."""

from recfw_situated.scenes.building import building_parts
from recfw_situated.scenes.files import models, paints
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.furniture import prop_parts
from recfw_situated.scenes.records import Color, Part, Point3, Product, Scene
from recfw_situated.scenes.shelving import fixture_parts

SHADE = 0.78
HUNG = 160.0  # cm; what begins higher than any board hangs from the ceiling


def build_parts(scene: Scene) -> tuple[Part, ...]:
    """Return every part of a scene: first what is not for sale, then the instances in the scene's order."""
    held = [*building_parts(scene)]
    for fixture in scene.fixtures:
        held += fixture_parts(fixture, scene.bounds.high[2])
    for prop in scene.props:
        held += prop_parts(prop)
    for one in scene.instances:
        product = scene.product_by_id[one.product]
        held += product_parts(product, one.id, one.position, one.yaw)
        if one.place in scene.area_by_id and one.position[2] > HUNG:
            held.append(_cord(one.position, one.position[2] + product.size[2], scene.bounds.high[2]))
    return tuple(held)


def _cord(position: Point3, top: float, ceiling: float) -> Part:
    """Return what a pendant hangs on; it is no part of the pendant in masks."""
    x, y, _ = position
    return Part("box", (x, y, (top + ceiling) / 2), (1.6, 1.6, ceiling - top), (60, 60, 64), "hangers")


def product_parts(product: Product, name: str, position: Point3, yaw: float) -> list[Part]:
    """
    Return a product's solids as they stand somewhere.

    Args:
        product: What is drawn; its mark is on the faces that its model says.
        name: The engine object that they belong to.
        position: The middle of its base.
        yaw: Where its front looks, a multiple of 90 degrees.
    """
    width, depth, height = product.size
    frame = Frame(position[0], position[1], yaw)
    held = []
    for shape, left, right, back, front, bottom, top, paint, faces in models()[product.look.model]:
        long, wide, tall = (front - back) * depth, (right - left) * width, (top - bottom) * height
        if shape in {"cylinder", "cone"}:
            long = wide = min(long, wide)
        forward, sideways = ((front + back) / 2 - 0.5) * depth, (0.5 - (left + right) / 2) * width
        held.append(
            Part(
                shape=shape,
                center=frame.point(forward, sideways, position[2] + (bottom + top) / 2 * height),
                size=(long, wide, tall),
                color=_paint(product, paint),
                object=name,
                yaw=yaw,
                label=product.look.mark if faces else "",
                faces=faces if product.look.mark else "",
                ink=product.look.ink,
                paper=product.look.accent,
            )
        )
    return held


def _paint(product: Product, name: str) -> Color:
    look = product.look
    if name == "shade":
        red, green, blue = look.paint
        return (round(red * SHADE), round(green * SHADE), round(blue * SHADE))
    if name == "ink":
        return (40, 40, 44)
    return {"paint": look.paint, "accent": look.accent}.get(name) or paints()[name]
