"""Opens a scene as a world: what is drawn, and what stands in the way."""

from recfw_situated.scenes.load import load_scene, parts
from recfw_situated.scenes.obstacles import obstacles
from recfw_situated.simulator.world import World


def open_world(name: str) -> World:
    """
    Open a scene by the name of a shipped one or the path of its folder.

    Raises:
        UsageError: there is no such scene.
        DataError: its files are not as they must be.
    """
    scene = load_scene(name)
    return World(scene, parts(scene), obstacles(scene))
