"""The foreign server's ray caster without its server."""

from foreign_server import ForeignServer
from tiny_scene import boxes


class Caster(ForeignServer):
    """Renders the tiny scene from a pose."""

    def __init__(self, scene, pose, hidden=()):
        self.scene, self.origin, self.hidden = scene, (0.0, 0.0, 0.0), set(hidden)
        self.eye, self.rotation = [pose.x, pose.y, 160.0], [pose.pitch, pose.yaw, 0.0]
        self.solids = boxes(scene)
