"""Commands on engine objects: place, colour, bounds, showing and hiding, spawning."""

import attrs

from recfw_situated.simulator.dispatch import CommandError, Dispatcher, written
from recfw_situated.simulator.things import Stand
from recfw_situated.simulator.world import USER, World, wrapped

_SPAWNED = 500
_USER_COLOR = (0, 0, 0)


def _known(world: World, name: str, user: bool = False) -> str:
    """A name that stands for an object."""
    if name in world.things or (user and name == USER):
        return name
    raise CommandError("Cannot find object")


def names(world: World) -> str:
    """All names."""
    return " ".join((USER, *world.things.names))


def get_location(world: World, name: str) -> str:
    """Where an object is."""
    if _known(world, name, user=True) == USER:
        return written(world.pose.x, world.pose.y, 0.0)
    return written(*world.things.stand(name).location)


def set_location(world: World, name: str, x: float, y: float, z: float) -> str:
    """Move an object; the user moves only where it fits."""
    if _known(world, name, user=True) == USER:
        pitch = world.pose.pitch
        if not world.place(x, y, world.pose.yaw):
            raise CommandError("Location is blocked")
        world.look(pitch)
        return "ok"
    world.things.move(name, attrs.evolve(world.things.stand(name), location=(x, y, z)))
    return "ok"


def get_rotation(world: World, name: str) -> str:
    """Pitch, yaw, roll of an object."""
    if _known(world, name, user=True) == USER:
        return written(world.pose.pitch, world.pose.yaw, 0.0)
    return written(0.0, world.things.stand(name).yaw, 0.0)


def set_rotation(world: World, name: str, pitch: float, yaw: float, roll: float) -> str:
    """Turn an object about its upright axis; pitch and roll are kept at 0, but the user's head tilts."""
    del roll
    if _known(world, name, user=True) == USER:
        world.face(yaw)
        world.look(pitch)
        return "ok"
    world.things.move(name, attrs.evolve(world.things.stand(name), yaw=wrapped(yaw)))
    return "ok"


def get_scale(world: World, name: str) -> str:
    """An object's scale."""
    stand = Stand((0.0, 0.0, 0.0), 0.0) if _known(world, name, user=True) == USER else world.things.stand(name)
    return written(*stand.scale)


def set_scale(world: World, name: str, x: float, y: float, z: float) -> str:
    """Scale an object."""
    if min(x, y, z) <= 0.0 or max(x, y, z) > 100.0:
        raise CommandError("Argument Invalid")
    world.things.move(_known(world, name), attrs.evolve(world.things.stand(name), scale=(x, y, z)))
    return "ok"


def bounds(world: World, name: str) -> str:
    """An object's box along the world's axes."""
    if _known(world, name, user=True) == USER:
        radius, pose = world.scene.radius, world.pose
        return written(
            pose.x - radius, pose.y - radius, 0.0, pose.x + radius, pose.y + radius, world.scene.eye_height + 12.0
        )
    low, high = world.things.bounds(name)
    return written(*low, *high)


def get_color(world: World, name: str) -> str:
    """An object's mask colour."""
    red, green, blue = _USER_COLOR if _known(world, name, user=True) == USER else world.things.color(name)
    return f"(R={red},G={green},B={blue},A=255)"


def set_color(world: World, name: str, red: int, green: int, blue: int) -> str:
    """Change it."""
    if max(red, green, blue) > 255:
        raise CommandError("Argument Invalid")
    if _known(world, name, user=True) != USER:
        world.things.paint(name, (red, green, blue))
    return "ok"


def spawn(world: World, kind: str, name: str = "") -> str:
    """Add a cube under a name."""
    count = len(world.things.names)
    name = name or f"{kind.rsplit('/', 1)[-1] or 'Cube'}_{count}"
    if name in world.things or name == USER:
        raise CommandError(f"There is an object {name} already")
    if world.things.spawned >= _SPAWNED:
        raise CommandError(f"There are {_SPAWNED} spawned objects already")
    world.things.spawn(name)
    return name


def register(table: Dispatcher) -> None:
    """Add these commands to a table."""
    table.add("vget /objects", names)
    table.add("vget /object/[str]/location", get_location)
    table.add("vset /object/[str]/location [float] [float] [float]", set_location)
    table.add("vget /object/[str]/rotation", get_rotation)
    table.add("vset /object/[str]/rotation [float] [float] [float]", set_rotation)
    table.add("vget /object/[str]/scale", get_scale)
    table.add("vset /object/[str]/scale [float] [float] [float]", set_scale)
    table.add("vget /object/[str]/bounds", bounds)
    table.add("vget /object/[str]/color", get_color)
    table.add("vset /object/[str]/color [uint] [uint] [uint]", set_color)
    table.add("vget /object/[str]/name", lambda world, name: _known(world, name, user=True))
    table.add("vget /object/[str]/mobility", lambda world, name: _known(world, name, user=True) and "Movable")
    table.add(
        "vget /object/[str]/uclass_name",
        lambda world, name: "Base_User_Agent_C" if _known(world, name, user=True) == USER else "StaticMeshActor",
    )
    table.add("vset /object/[str]/show", lambda world, name: world.things.show(_known(world, name), True) or "ok")
    table.add("vset /object/[str]/hide", lambda world, name: world.things.show(_known(world, name), False) or "ok")
    table.add("vset /object/[str]/destroy", lambda world, name: world.things.destroy(_known(world, name)) or "ok")
    table.add("vset /objects/spawn [str]", spawn)
    table.add("vset /objects/spawn [str] [str]", spawn)
    table.add("vset /objects/spawn_bp_asset [str] [str]", spawn)
