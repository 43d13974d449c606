"""A world and players for tests of the engine: what they answer is given, what they are asked is kept."""

from collections.abc import Callable
from typing import Any

from attrs import define, field

from recfw.engine.episode import Episode
from recfw.engine.toolbox import Toolbox
from recfw.model.reply import Reply, ToolResult
from recfw.model.run import Limits
from recfw.model.view import Message, Picture, ToolSpec, View
from recfw.protocols import Accepted, Ended, RoleSpec
from recfw.testing.fakes import MemoryRecorder

ANYTHING = ToolSpec("echo", "Says its arguments.", {"type": "object"})
ROLES = {"agent": RoleSpec("agents", "a", evaluated=True), "user": RoleSpec("users", "u")}


@define
class World:
    """
    A world in which two roles take turns.

    Args:
        rulings: What ``receive`` answers in turn; the last one again and again; exceptions are raised.
        tools: What the agent is offered.
        answer: What a tool call is answered, by (tool, arguments).
        pass_floor: Whether an accepted reply hands the floor over.
    """

    rulings: list[Any] = field(factory=lambda: [Accepted()])
    tools: tuple[ToolSpec, ...] = (ANYTHING,)
    answer: Callable[[str, dict], Any] = lambda tool, arguments: ToolResult(arguments)
    pass_floor: bool = True
    floor: str = "agent"
    received: list[Any] = field(factory=list)
    rendered: list[str] = field(factory=list)

    def next_role(self):
        return self.floor

    async def view(self, role):
        return View(role, (Message.say("system", f"{len(self.received)}"),), self.tools)

    async def call(self, role, tool, arguments):
        found = self.answer(tool, arguments)
        return await found if hasattr(found, "__await__") else found

    async def receive(self, role, reply, results):
        self.received.append((role, reply, results))
        ruling = self.rulings.pop(0) if len(self.rulings) > 1 else self.rulings[0]
        if isinstance(ruling, BaseException):
            raise ruling
        if isinstance(ruling, Accepted) and self.pass_floor and not reply.calls:
            self.floor = "user" if role == "agent" else "agent"
        return ruling

    async def picture(self, handle):
        self.rendered.append(handle)
        return Picture(handle.encode(), "image/png")

    def summary(self):
        return {"received": len(self.received)}


@define
class Says:
    """A player that says what it is given, the last again and again; exceptions are raised, functions called."""

    lines: list[Any]
    views: list[View] = field(factory=list)

    async def reply(self, view):
        self.views.append(view)
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if isinstance(line, BaseException):
            raise line
        if callable(line):
            line = await line(view)
        return line


def episode(
    world: Any, agent: Any = None, user: Any = None, limits: Limits | None = None, clock: Any = None
) -> Episode:
    """Return an episode of a world; silent players where none are given."""
    made = Episode(world, ROLES, limits or Limits(), MemoryRecorder(), Toolbox())
    if clock:
        made.clock = clock
    made.players |= {"agent": agent or Says([Reply("a")]), "user": user or Says([Reply("u")])}
    return made


ENDED = Ended("done")
