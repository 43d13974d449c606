"""Fake track (b): rounds of parallel calls, a user that opens and is silent, compression, payloads outside the View."""

from contextlib import asynccontextmanager

from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, Metric, NoOptions, Refused, RoleSpec, Track, UserSimulator
from recfw.serialize import digest

SPAN = {"type": "integer", "minimum": 0, "maximum": 99}
TOOLS = tuple(
    ToolSpec(name, f"Numbers {words} n.", {"type": "object", "properties": {"n": SPAN}, "required": ["n"]})
    for name, words in (("multiples", "that divide by"), ("above", "greater than"))
)
ANSWER = {"type": "object", "properties": {"ranking": {"type": "array", "items": SPAN}}, "required": ["ranking"]}
MOST = 2
"""Rounds that the View shows whole; older ones are compressed to the names of their tools."""


class Rounds:
    def __init__(self, task):
        self.task, self.opened, self.rounds, self.bus = task, False, [], set()

    def next_role(self):
        return "agent" if self.opened else "user"

    async def view(self, role):
        if role == "user":
            return View(role, facts={"request": self.task.public["request"]})
        old, new = self.rounds[:-MOST], self.rounds[-MOST:]
        shown = [Message.say("system", f"round {n}: {', '.join(names)}") for n, (names, _) in enumerate(old)]
        shown += [Message.say("tool", f"{name}: {count} found") for names, counts in new for name, count in zip(names, counts)]
        asked = Message.say("user", self.task.public["request"])
        return View(role, (asked, *shown), TOOLS, ANSWER, {"candidates": sorted(self.bus)})

    async def call(self, role, tool, arguments):
        n = arguments["n"]
        found = [i for i in range(100) if (i % n == 0 if tool == "multiples" and n else i > n)]
        return ToolResult({"found": len(found)}, notes={"payload": found})

    async def receive(self, role, reply, results):
        if role == "user":
            self.opened = True
            return Accepted()
        if reply.calls:
            self.rounds.append(([c.name for c in reply.calls], [0 if r.error else r.content["found"] for r in results]))
            for result in results:
                found = set(result.notes.get("payload", ()))
                self.bus = self.bus & found if self.bus else found
            return Accepted((WorldEvent("bus", {"size": len(self.bus)}),))
        if not isinstance(reply.data, dict) or "ranking" not in reply.data:
            return Refused("Give a ranking.")
        return Ended("ranked", (WorldEvent("ranking", {"ids": reply.data["ranking"]}),))

    async def picture(self, handle):
        raise KeyError(handle)

    def summary(self):
        return {"rounds": len(self.rounds)}


class Planner(Agent):
    name, deterministic, Options = "fake-planner", True, NoOptions

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return self

    async def reply(self, view):
        n, floor = (int(word) for word in view.messages[0].text.split() if word.isdigit())
        done = len(view.messages) - 1
        if done < 6:
            return Reply(calls=(ToolCall.of("multiples", n=n), ToolCall.of("above", n=floor)))
        return Reply(data={"ranking": view.facts["candidates"]}) if view.facts["candidates"] else Reply("?")


class Opener(UserSimulator):
    name, deterministic, Options = "fake-opener", True, NoOptions

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return self

    async def reply(self, view):
        return Reply(view.facts["request"])


class HitRatio(Metric):
    name, figures = "fake-hit", {"success": "the target is ranked first"}

    def __init__(self, options):
        self.options = options

    def score(self, task, trace):
        ranked = [e.data["ids"] for e in trace.world("ranking")]
        return {"success": float(bool(ranked) and ranked[0][:1] == [task.private["target"]])}


class RoundsTrack(Track):
    name, Options = "fake-rounds", NoOptions
    roles = {"agent": RoleSpec("agents", "fake-planner", evaluated=True), "user": RoleSpec("users", "fake-opener")}
    limits = Limits(replies={"agent": 12}, repairs=1, seconds={"agent": 60.0})
    metrics, analyses, split_by, clustered_by = ("fake-hit", "effort"), ("summary",), ("parity",), "task"

    def __init__(self, options):
        self.options = options

    def default_cells(self):
        return [Cell("fake-planner", {"agent": ComponentSpec("fake-planner"), "user": ComponentSpec("fake-opener")})]

    def tasks(self):
        def target(n):
            return next(i for i in range(51, 100) if i % n == 0)

        return [
            Task(f"r{n}", f"r{n}", {"parity": "even" if n % 2 == 0 else "odd"},
                 {"request": f"a multiple of {n} greater than 50"}, {"target": target(n)})
            for n in range(2, 10)
        ]  # fmt: skip

    def content_digest(self):
        return digest(self.tasks())

    def validate(self):
        return []

    @asynccontextmanager
    async def open(self, resources):
        yield self

    @asynccontextmanager
    async def episode(self, task, context):
        yield Rounds(task)
