"""Fake track (c): dialogue over four coloured shapes, verdicts from code."""

from typing import ClassVar

from attrs import frozen

from fakes.base import FakeTrack, Played
from recfw.elicitation.predicates import Predicate, failed
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, Metric, Problem, RoleSpec, UserSimulator

ITEMS = [{"id": f"{c}-{s}", "color": c, "shape": s} for c in ("red", "blue") for s in ("cube", "ball")]
ITEM = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
TOOLS = (ToolSpec("look_up", "Facts about an item.", ITEM), ToolSpec("choose", "Choose an item; ends the talk.", ITEM))


class Talk:
    """The world of one talk."""

    def __init__(self, task):
        self.task, self.messages, self.floor, self.chosen = task, [], "user", None
        self.goal = [Predicate(**p) for p in task.private["goal"]]

    def next_role(self):
        return self.floor

    async def view(self, role):
        facts = {"goal": self.task.private["goal"]} if role == "user" else {}
        system = Message.say("system", self.task.public["brief"])
        return View(role, (system, *self.messages), TOOLS if role == "agent" else (), None, facts)

    async def call(self, role, tool, arguments):
        item = next((i for i in ITEMS if i["id"] == arguments["item"]), None)
        if item is None:
            return ToolResult(f"No item '{arguments['item']}'.", error=True)
        if tool == "choose":
            self.chosen = item
        return ToolResult(item)

    async def receive(self, role, reply, results):
        if self.chosen:
            met = not failed(self.goal, self.chosen)
            return Ended("chosen", (WorldEvent("chosen", {"item": self.chosen["id"], "met": met}),))
        self.messages.append(Message(role, Message.say(role, reply.text).parts, reply.calls))
        self.messages += [Message("tool", Message.say("", r.text()).parts, call=i) for i, r in enumerate(results)]
        if not reply.calls:
            self.floor = "agent" if role == "user" else "user"
        item = next((i for i in ITEMS if f"[{i['id']}]" in reply.text), None)
        if role == "agent" and item:
            return Accepted((WorldEvent("verdict", {"item": item["id"], "yes": not failed(self.goal, item)}),))
        return Accepted()

    async def picture(self, handle):
        raise KeyError(handle)

    def summary(self):
        return {"messages": len(self.messages)}


class Asker(Played, Agent):
    """Asks once, looks one item up beside a call that is no JSON, proposes, chooses."""

    name = "fake-asker"

    async def reply(self, view):
        heard = [m.text for m in view.messages if m.speaker == "user"]
        if len(heard) == 1 and view.messages[-1].speaker == "user":
            return Reply("Let me see.", (ToolCall.of("look_up", item="red-cube"), ToolCall("look_up", "no json")))
        if len(heard) == 1:
            return Reply("Which color and shape?")
        wanted = next(i["id"] for i in ITEMS if all(i[k] in heard[1] for k in ("color", "shape")))
        return Reply(calls=(ToolCall.of("choose", item=wanted),)) if len(heard) > 2 else Reply(f"What of [{wanted}]?")


class Model(Asker):
    """The same agent, but replay may not run it again."""

    name, deterministic = "fake-model", False


class Speaker(Played, UserSimulator):
    """Opens, says what it wants when it is asked, agrees."""

    name = "fake-speaker"

    async def reply(self, view):
        heard = [m for m in view.messages if m.speaker == "agent" and not m.calls]
        words = " and ".join(p["value"] for p in view.facts["goal"])
        return Reply(["I want a thing.", words, "Yes."][min(len(heard), 2)])


class Met(Played, Metric):
    """Success by the environment's verdict."""

    name, figures = "fake-met", {"success": "the chosen item meets the goal"}

    def score(self, task, trace):
        return {"success": float(any(e.data["met"] for e in trace.world("chosen")))}


@frozen
class DialogueOptions:
    """``size``: how many tasks."""

    size: int = 8


class DialogueTrack(FakeTrack):
    """Its user opens, answers and agrees; the agent's call of ``choose`` ends the talk."""

    name, Options, world = "fake-dialogue", DialogueOptions, Talk
    roles: ClassVar = {
        "agent": RoleSpec("agents", "fake-asker", evaluated=True),
        "user": RoleSpec("users", "fake-speaker"),
    }
    limits = Limits(turns={"agent": 6}, calls={"agent": 4}, grace_calls=2, seconds={"agent": 60.0})
    metrics, split_by, clustered_by = ("fake-met", "effort"), ("color",), "shape"

    def default_cells(self):
        return [Cell("fake-asker", {"agent": ComponentSpec("fake-asker"), "user": ComponentSpec("fake-speaker")})]

    def tasks(self):
        def goal(item):
            return [{"field": k, "op": "==", "value": item[k], "reveal": "on_ask"} for k in ("color", "shape")]

        chosen = [(n, ITEMS[n % len(ITEMS)]) for n in range(self.options.size)]
        return [
            Task(f"d{n}", i["shape"], {"color": i["color"]}, {"brief": "Help."}, {"goal": goal(i)}) for n, i in chosen
        ]

    def validate(self):
        return [] if self.options.size else [Problem("tasks", "some-tasks", "there are none")]
