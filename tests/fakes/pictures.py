"""Fake track (a): pictures, a moderator, physical actions of both roles, one repair."""

import struct
import zlib
from contextlib import asynccontextmanager

from recfw.model.reply import Reply
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, Picture, PicturePart, TextPart, View
from recfw.protocols import Accepted, Agent, Ended, Metric, NoOptions, Participant, Refused, RoleSpec, Track, UserSimulator
from recfw.serialize import digest

POINT = {"type": "object", "properties": {"point": {"enum": ["left", "right"]}}, "required": ["point"]}
STEP = {"type": "object", "properties": {"step": {"enum": [-1, 1]}}, "required": ["step"]}
LENGTH = 9


def png(column):
    """A strip of grey pixels with one white column, as PNG."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes(255 if x == column else 90 for x in range(LENGTH))
    head = struct.pack(">IIBBBBB", LENGTH, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")


class Corridor:
    def __init__(self, task):
        self.door, self.at, self.floor, self.lamp = task.private["door"], task.public["start"], "agent", 0
        self.said, self.refused, self.steps = "", "", 0

    def next_role(self):
        return self.floor

    async def view(self, role):
        parts = (PicturePart(f"strip-{self.at}", "a corridor"), TextPart(self.refused or self.said))
        schema = {"agent": POINT, "user": STEP}.get(role)
        facts = {"agent": {"at": self.at, "lamp": self.lamp}, "user": {"said": self.said}}
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
            self.floor, self.steps = "moderator", self.steps + 1
            return Accepted((WorldEvent("moved", {"to": self.at}),))
        self.floor = "agent"
        return Ended("arrived") if data.get("stop") else Accepted()

    async def picture(self, handle):
        return Picture(png(int(handle.rpartition("-")[2])), "image/png")

    def summary(self):
        return {"at": self.at, "door": self.door}


class _Played:
    Options, deterministic = NoOptions, True

    def __init__(self, options):
        self.options = options


class Guide(_Played, Agent):
    """Looks at the picture, forgets the schema once, and points to the door that it believes is at the right end."""

    name = "fake-guide"

    def episode(self, context):
        return type("Play", (), {"reply": staticmethod(lambda view: self._reply(context, view))})()

    async def _reply(self, context, view):
        seen = await context.look(view.messages[0].parts[0].handle)
        assert seen.data == png(view.facts["at"])
        if view.facts["lamp"] == 1 and "Point" not in view.messages[0].text:
            return Reply("hm")
        return Reply("This way.", data={"point": "right"})


class GuideModel(Guide):
    name, deterministic = "fake-guide-model", False


class Walker(_Played, UserSimulator):
    name = "fake-walker"

    def episode(self, context):
        return self

    async def reply(self, view):
        return Reply(data={"step": 1 if view.facts["said"] == "right" else -1})


class Moderator(_Played, Participant):
    name = "fake-moderator"

    def episode(self, context):
        return self

    async def reply(self, view):
        return Reply(data={"stop": view.facts["there"]})


class Arrived(Metric):
    name, figures = "fake-arrived", {"success": "the door was reached"}

    def __init__(self, options):
        self.options = options

    def score(self, task, trace):
        return {"success": float(trace.stop == "arrived")}


class PicturesTrack(Track):
    name, Options = "fake-pictures", NoOptions
    roles = {
        "agent": RoleSpec("agents", "fake-guide", evaluated=True),
        "user": RoleSpec("users", "fake-walker"),
        "moderator": RoleSpec("participants", "fake-moderator"),
    }
    limits = Limits(turns={"agent": 8}, repairs=2, seconds={"agent": 60.0})
    metrics, analyses, split_by, clustered_by = ("fake-arrived", "effort"), ("summary",), ("side",), "door"

    def __init__(self, options):
        self.options = options

    def default_cells(self):
        return [Cell("fake-guide", {role: ComponentSpec(spec.default) for role, spec in self.roles.items()})]

    def tasks(self):
        return [
            Task(f"p{door}", f"door{door}", {"side": "left" if door < 4 else "right"}, {"start": 4}, {"door": door})
            for door in range(LENGTH)
        ]

    def content_digest(self):
        return digest(self.tasks())

    def validate(self):
        return []

    @asynccontextmanager
    async def open(self, resources):
        yield self

    @asynccontextmanager
    async def episode(self, task, context):
        yield Corridor(task)
