"""Fake track (a): pictures, a moderator, physical actions of both roles, one repair."""

import struct
import zlib
from typing import ClassVar

from attrs import frozen

from fakes.base import FakeTrack, Played
from recfw.model.reply import Reply
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, Picture, PicturePart, TextPart, View
from recfw.protocols import Accepted, Agent, Context, Ended, Metric, Participant, Refused, RoleSpec, UserSimulator

POINT = {"type": "object", "properties": {"point": {"enum": ["left", "right"]}}, "required": ["point"]}
STEP = {"type": "object", "properties": {"step": {"enum": [-1, 1]}}, "required": ["step"]}
LENGTH = 9


def png(column):
    """Return a strip of grey pixels with one white column, as PNG."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes(255 if x == column else 90 for x in range(LENGTH))
    head = struct.pack(">IIBBBBB", LENGTH, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")


class Corridor:
    """A corridor in which the agent points, the user walks, and a moderator says when the door is reached."""

    def __init__(self, task):
        self.door, self.at, self.floor, self.lamp = task.private["door"], task.public["start"], "agent", 0
        self.said, self.refused = "", ""

    def next_role(self):
        return self.floor

    async def view(self, role):
        parts = (PicturePart(f"strip-{self.at}", "a corridor"), TextPart(self.refused or self.said))
        facts = {"agent": {"at": self.at, "lamp": self.lamp}, "user": {"said": self.said}}
        schema = {"agent": POINT, "user": STEP}.get(role)
        return View(role, (Message("system", parts),), (), schema, facts.get(role, {"there": self.at == self.door}))

    async def call(self, role, tool, arguments):
        raise AssertionError("this track offers no tools")

    async def receive(self, role, reply, results):
        data = reply.data if isinstance(reply.data, dict) else {}
        self.refused = ""
        if role == "agent":
            if data.get("point") not in {"left", "right"}:
                self.refused = "Point left or right."
                return Refused(self.refused)
            self.said, self.floor, self.lamp = data["point"], "user", self.lamp + 1
            return Accepted((WorldEvent("lamp", {"on": self.lamp}),))
        if role == "user":
            self.at = min(LENGTH - 1, max(0, self.at + data.get("step", 0)))
            self.floor = "moderator"
            return Accepted((WorldEvent("moved", {"to": self.at}),))
        self.floor = "agent"
        return Ended("arrived") if data.get("stop") else Accepted()

    async def picture(self, handle):
        return Picture(png(int(handle.rpartition("-")[2])), "image/png")

    def summary(self):
        return {"at": self.at, "door": self.door}


@frozen
class Looker:
    """A player that looks at the picture, forgets the schema once, and points right."""

    context: Context

    async def reply(self, view):
        seen = await self.context.look(view.messages[0].parts[0].handle)
        assert seen.data == png(view.facts["at"])
        if view.facts["lamp"] == 1 and "Point" not in view.messages[0].text:
            return Reply("hm")
        return Reply("This way.", data={"point": "right"})


class Guide(Played, Agent):
    """An agent that believes the door to be at the right end."""

    name = "fake-guide"

    def episode(self, context):
        return Looker(context)


class GuideModel(Guide):
    """The same agent, but replay may not run it again."""

    name, deterministic = "fake-guide-model", False


class Walker(Played, UserSimulator):
    """Steps where it was pointed."""

    name = "fake-walker"

    async def reply(self, view):
        return Reply(data={"step": 1 if view.facts["said"] == "right" else -1})


class Moderator(Played, Participant):
    """Ends the episode at the door."""

    name = "fake-moderator"

    async def reply(self, view):
        return Reply(data={"stop": view.facts["there"]})


class Arrived(Played, Metric):
    """Success by the stop reason."""

    name, figures = "fake-arrived", {"success": "the door was reached"}

    def score(self, task, trace):
        return {"success": float(trace.stop == "arrived")}


class PicturesTrack(FakeTrack):
    """Doors to the right of the start are reached; for the others the turns run out."""

    name, world = "fake-pictures", Corridor
    roles: ClassVar = {
        "agent": RoleSpec("agents", "fake-guide", evaluated=True),
        "user": RoleSpec("users", "fake-walker"),
        "moderator": RoleSpec("participants", "fake-moderator"),
    }
    limits = Limits(turns={"agent": 8}, repairs=2, seconds={"agent": 60.0})
    metrics, split_by, clustered_by = ("fake-arrived", "effort"), ("side",), "door"

    def default_cells(self):
        return [Cell("fake-guide", {role: ComponentSpec(spec.default) for role, spec in self.roles.items()})]

    def tasks(self):
        sides = ["left" if door < 4 else "right" for door in range(LENGTH)]
        return [Task(f"p{n}", f"door{n}", {"side": side}, {"start": 4}, {"door": n}) for n, side in enumerate(sides)]
