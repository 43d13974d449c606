"""Commands on cameras: pose, size, field of view, pictures."""

from recfw_situated.simulator.dispatch import Answer, CommandError, Dispatcher, written
from recfw_situated.simulator.pictures import encoded, npy
from recfw_situated.simulator.world import HIGHEST, LOWEST, Camera, World, wrapped

WIDEST, TALLEST, SMALLEST = 1920, 1080, 16  # pixels
FOV = (10.0, 150.0)
_CAMERAS = 64


def _camera(world: World, number: int) -> Camera:
    """A camera by its number."""
    if not 0 <= number < len(world.cameras):
        raise CommandError("Invalid sensor id")
    return world.cameras[number]


def get_location(world: World, number: int) -> str:
    """Where a camera is."""
    _camera(world, number)
    view = world.view(number)
    return written(view.x, view.y, view.z)


def get_rotation(world: World, number: int) -> str:
    """Where a camera looks: pitch, yaw, roll."""
    _camera(world, number)
    view = world.view(number)
    return written(view.pitch, view.yaw, 0.0)


def get_pose(world: World, number: int) -> str:
    """Both, in one line."""
    return f"{get_location(world, number)} {get_rotation(world, number)}"


def set_location(world: World, number: int, x: float, y: float, z: float) -> str:
    """Put a camera somewhere; camera 0 takes the body along, where that fits."""
    camera = _camera(world, number)
    if number == 0:
        pitch = world.pose.pitch
        if not world.place(x, y, world.pose.yaw):
            raise CommandError("Location is blocked")
        world.look(pitch)
    else:
        camera.x, camera.y, camera.z = x, y, z
    return "ok"


def move_to(world: World, number: int, x: float, y: float, z: float) -> str:
    """Move a camera; camera 0 walks with collision."""
    if number == 0:
        world.walk(x, y)
        return "ok"
    return set_location(world, number, x, y, z)


def set_rotation(world: World, number: int, pitch: float, yaw: float, roll: float) -> str:
    """Turn a camera; roll stays 0."""
    del roll
    camera = _camera(world, number)
    if number == 0:
        world.face(yaw)
        world.look(wrapped(pitch))
    else:
        camera.pitch, camera.yaw = min(max(wrapped(pitch), LOWEST), HIGHEST), wrapped(yaw)
    return "ok"


def set_pose(world: World, number: int, x: float, y: float, z: float, pitch: float, yaw: float, roll: float) -> str:
    """Put and turn a camera; nothing changes when it does not fit there."""
    set_location(world, number, x, y, z)
    return set_rotation(world, number, pitch, yaw, roll)


def get_fov(world: World, number: int) -> str:
    """The horizontal field of view."""
    return written(_camera(world, number).fov)


def set_fov(world: World, number: int, fov: float) -> str:
    """Change it."""
    if not FOV[0] <= fov <= FOV[1]:
        raise CommandError("Argument Invalid")
    _camera(world, number).fov = fov
    return "ok"


def get_size(world: World, number: int) -> str:
    """Width and height in pixels."""
    camera = _camera(world, number)
    return f"{camera.width} {camera.height}"


def set_size(world: World, number: int, width: int, height: int) -> str:
    """Change them."""
    camera = _camera(world, number)
    if not (SMALLEST <= width <= WIDEST and SMALLEST <= height <= TALLEST):
        raise CommandError("Argument Invalid")
    camera.width, camera.height = width, height
    return "ok"


def spawn(world: World) -> str:
    """Add a camera where camera 0 is."""
    if len(world.cameras) >= _CAMERAS:
        raise CommandError(f"There are {_CAMERAS} cameras already")
    first, view = world.cameras[0], world.view(0)
    name = f"Camera_{len(world.cameras)}"
    world.cameras.append(
        Camera(name, first.width, first.height, first.fov, view.x, view.y, view.z, view.pitch, view.yaw)
    )
    return name


def lit(world: World, number: int, form: str) -> Answer:
    """The picture in colours."""
    _camera(world, number)
    return encoded(world.shot(number).rgba(), form)


def mask(world: World, number: int, form: str) -> Answer:
    """The picture of objects."""
    _camera(world, number)
    return encoded(world.shot(number).mask(world.things.packed_colors()), form)


def normal(world: World, number: int, form: str) -> Answer:
    """The picture of directions that surfaces look in."""
    _camera(world, number)
    return encoded(world.shot(number).normals(), form)


def depth(world: World, number: int, form: str) -> Answer:
    """The planar depth."""
    _camera(world, number)
    if form.rsplit(".", 1)[-1].lower() != "npy":
        raise CommandError("Argument Invalid")
    return npy(world.shot(number).depth())


def register(table: Dispatcher) -> None:
    """Add these commands to a table."""
    table.add("vget /cameras", lambda world: " ".join(camera.name for camera in world.cameras))
    table.add("vset /cameras/spawn", spawn)
    for name, handler in (("lit", lit), ("object_mask", mask), ("seg", mask), ("normal", normal), ("depth", depth)):
        table.add(f"vget /camera/[uint]/{name} [str]", handler)
    for name, getter in (
        ("location", get_location),
        ("rotation", get_rotation),
        ("pose", get_pose),
        ("fov", get_fov),
        ("size", get_size),
    ):
        table.add(f"vget /camera/[uint]/{name}", getter)
    table.add("vget /camera/[uint]/name", lambda world, number: _camera(world, number).name)
    table.add("vset /camera/[uint]/location [float] [float] [float]", set_location)
    table.add("vset /camera/[uint]/rotation [float] [float] [float]", set_rotation)
    table.add("vset /camera/[uint]/pose [float] [float] [float] [float] [float] [float]", set_pose)
    table.add("vset /camera/[uint]/moveto [float] [float] [float]", move_to)
    table.add("vset /camera/[uint]/fov [float]", set_fov)
    table.add("vset /camera/[uint]/size [uint] [uint]", set_size)
