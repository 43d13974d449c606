"""The whole table of commands that the simulator answers."""

from recfw_situated.simulator import calls, cameras, objects
from recfw_situated.simulator.dispatch import Dispatcher, Handler

VERSION = "1.1.0"  # of the protocol: the first whose servers list their commands
_ARGUMENTS = 6


def _said(words: str) -> Handler:
    """Answer the same whatever the world is like."""

    def answer(*_: object) -> str:
        return words

    return answer


_OK = _said("ok")  # for commands that a world without time has nothing to do for


def table() -> Dispatcher:
    """Build the table."""
    made = Dispatcher()
    made.add("vget /unrealcv/commands", lambda _: "\n".join(made.templates))
    made.add("vget /unrealcv/help", lambda _: "\n".join(made.templates))
    made.add("vget /unrealcv/version", _said(VERSION))
    made.add("vget /unrealcv/status", lambda world: f"Is Listening\n{world.scene.title}\nClient connected")
    made.add("vget /unrealcv/port", lambda world: str(world.port))
    made.add("vget /scene/name", lambda world: world.scene.name)
    cameras.register(made)
    objects.register(made)
    made.add("vset /action/game/pause", _OK)
    made.add("vset /action/game/resume", _OK)
    made.add("vget /action/game/is_paused", _said("false"))
    made.add("vset /action/tick", _OK)
    made.add("vset /action/tick [float]", _OK)
    for count in range(_ARGUMENTS):
        more = " [str]" * count
        made.add(f"vbp [str] [str]{more}", calls.answer)
        made.add(f"vexec [str]{more}", _OK)
        made.add(f"vrun [str]{more}", _OK)
    return made
