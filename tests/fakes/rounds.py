"""Fake track (b): rounds of parallel calls, a user that opens and is silent, compression, payloads outside the View."""

from typing import ClassVar

from fakes.base import FakeTrack, Played
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, Metric, Refused, RoleSpec, UserSimulator

SPAN = {"type": "integer", "minimum": 0, "maximum": 99}
TOOLS = tuple(
    ToolSpec(name, f"Numbers {words} n.", {"type": "object", "properties": {"n": SPAN}, "required": ["n"]})
    for name, words in (("multiples", "that divide by"), ("above", "greater than"))
)
ANSWER = {"type": "object", "properties": {"ranking": {"type": "array", "items": SPAN}}, "required": ["ranking"]}
MOST = 2
"""Rounds that the View shows whole; older ones are compressed to the names of their tools."""


class Rounds:
    """Numbers below 100, and the candidates that every round has narrowed."""

    def __init__(self, task):
        self.task, self.opened, self.rounds, self.bus, self.refused = task, False, [], set(), ""

    def next_role(self):
        return "agent" if self.opened else "user"

    async def view(self, role):
        if role == "user":
            return View(role, facts={"request": self.task.public["request"]})
        old, new = self.rounds[:-MOST], self.rounds[-MOST:]
        shown = [Message.say("system", f"round {n}: {', '.join(names)}") for n, (names, _) in enumerate(old)]
        found = [pair for names, counts in new for pair in zip(names, counts, strict=True)]
        shown += [Message.say("tool", f"{name}: {count} found") for name, count in found]
        shown += [Message.say("system", self.refused)] if self.refused else []
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
        self.refused = ""
        if reply.calls:
            self.rounds.append(([c.name for c in reply.calls], [0 if r.error else r.content["found"] for r in results]))
            for result in results:
                found = set(result.notes.get("payload", ()))
                self.bus = self.bus & found if self.bus else found
            return Accepted((WorldEvent("bus", {"size": len(self.bus)}),))
        if not isinstance(reply.data, dict) or "ranking" not in reply.data:
            self.refused = "Give a ranking."
            return Refused(self.refused)
        return Ended("ranked", (WorldEvent("ranking", {"ids": reply.data["ranking"]}),))

    async def picture(self, handle):
        raise KeyError(handle)

    def summary(self):
        return {"rounds": len(self.rounds)}


class Planner(Played, Agent):
    """Calls two tools side by side until it has seen four answers and two compressed rounds, then ranks."""

    name = "fake-planner"

    async def reply(self, view):
        n, floor = (int(word) for word in view.messages[0].text.split() if word.isdigit())
        if len(view.messages) - 1 < 6:
            return Reply(calls=(ToolCall.of("multiples", n=n), ToolCall.of("above", n=floor)))
        return Reply(data={"ranking": view.facts["candidates"]})


class PlannerModel(Planner):
    """The same agent, but replay may not run it again."""

    name, deterministic = "fake-planner-model", False


class Opener(Played, UserSimulator):
    """Says the request, and is not heard again."""

    name = "fake-opener"

    async def reply(self, view):
        return Reply(view.facts["request"])


class HitRatio(Played, Metric):
    """Success by the final ranking."""

    name, figures = "fake-hit", {"success": "the target is ranked first"}

    def score(self, task, trace):
        ranked = [e.data["ids"] for e in trace.world("ranking")]
        return {"success": float(bool(ranked) and ranked[0][:1] == [task.private["target"]])}


class RoundsTrack(FakeTrack):
    """Its agent holds the floor for many replies of one turn; a final ranking ends the episode."""

    name, world = "fake-rounds", Rounds
    roles: ClassVar = {
        "agent": RoleSpec("agents", "fake-planner", evaluated=True),
        "user": RoleSpec("users", "fake-opener"),
    }
    limits = Limits(replies={"agent": 12}, repairs=1, seconds={"agent": 60.0})
    metrics, split_by, clustered_by = ("fake-hit", "effort"), ("parity",), "task"

    def default_cells(self):
        return [Cell("fake-planner", {"agent": ComponentSpec("fake-planner"), "user": ComponentSpec("fake-opener")})]

    def tasks(self):
        made = []
        for n in range(2, 10):
            target = next(i for i in range(51, 100) if i % n == 0)
            asked = {"request": f"a multiple of {n} greater than 50"}
            made.append(Task(f"r{n}", f"r{n}", {"parity": "odd" if n % 2 else "even"}, asked, {"target": target}))
        return made
