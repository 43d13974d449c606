"""Fake track: a talk over 27 blocks with core's rule-based users; loaded by RECFW_PLUGINS=fakes.consulting."""

from itertools import product
from typing import ClassVar

from fakes.base import FakeTrack, Played
from recfw.elicitation import Preference
from recfw.elicitation.consultation import Consultation
from recfw.elicitation.goal import Goal
from recfw.elicitation.manners import USER_LEFT
from recfw.elicitation.predicates import Predicate, failed
from recfw.elicitation.wording import read_clauses
from recfw.hookspecs import hookimpl
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, Metric, RoleSpec

FIELDS = ("color", "shape", "weight")
BLOCKS = {
    f"{c}-{s}-{w}": {"color": c, "shape": s, "weight": w}
    for c, s, w in product(("red", "blue", "grey"), ("cube", "ball", "cone"), (1, 2, 3))
}
TAKE = ToolSpec("take", "Take a block; ends the talk.", {"type": "object", "properties": {"item": {}}})


def goals():
    """Yield a goal for each block: its colour stated, its shape told when asked, its weight hidden, one preference."""
    for block in BLOCKS.values():
        yield Goal(
            FIELDS,
            (
                Predicate("color", "==", block["color"]),
                Predicate("shape", "==", block["shape"], "on_ask"),
                Predicate("weight", ">=", block["weight"], "hidden"),
            ),
            preferences=(Preference(Predicate("weight", "==", 3, "on_ask"), 3),),
        )


class Desk:
    """The world of one talk."""

    def __init__(self, task):
        self.user = Consultation(task.public["stated"], Goal.read(task.private), BLOCKS)
        self.floor, self.taken = "user", None
        self.messages = []

    def next_role(self):
        return self.floor

    async def view(self, role):
        if role == "agent":
            return View(role, tuple(self.messages), (TAKE,))
        return View(role, tuple(self.messages), facts=self.user.facts())

    async def call(self, role, tool, arguments):
        self.taken = arguments.get("item")
        return ToolResult({"taken": self.taken})

    async def receive(self, role, reply, results):
        if self.taken:
            data = {"accepted": self.user.accepts(self.taken), "grade": self.user.grade(self.taken)}
            return Ended("taken", (WorldEvent("taken", data),))
        self.messages.append(Message.say(role, reply.text))
        self.floor = "agent" if role == "user" else "user"
        if role == "agent":
            return Accepted(self.user.hear_agent(reply.text))
        verdict = f" ({self.user.verdict})" if self.user.verdict else ""
        self.messages[-1] = Message.say(role, f"{reply.text}{verdict}")
        events = self.user.hear_user(reply)
        return Ended(USER_LEFT, events) if self.user.left else Accepted(events)

    async def picture(self, handle):
        raise KeyError(handle)

    def summary(self):
        return {}


class Taker(Played, Agent):
    """Asks for all fields at once, proposes what fits what it was told, in order, and takes what is accepted."""

    name = "fake-taker"
    questions = ("Which color, shape and weight?",)

    def heard(self, view):
        return [message.text for message in view.messages if message.speaker == "user"]

    async def reply(self, view):
        said = [message.text for message in view.messages if message.speaker == "agent"]
        if len(said) < len(self.questions):
            return Reply(self.questions[len(said)])
        tried = [text.split(":")[1].rstrip("]") for text in said[len(self.questions) :]]
        if "(accepted)" in view.messages[-1].text:
            return Reply(calls=(ToolCall.of("take", item=tried[-1]),))
        told = read_clauses(" ".join(self.heard(view)), FIELDS)
        fits = (name for name, block in BLOCKS.items() if name not in tried and not failed(told, block))
        return Reply(f"[[candidate_id:{next(fits)}]]")


class Deaf(Taker):
    """Hears nothing after its questions."""

    name = "fake-deaf"

    def heard(self, view):
        return super().heard(view)[: len(self.questions) + 1]


class Nagger(Taker):
    """Asks about one field after the other."""

    name = "fake-nagger"
    questions = ("Which color?", "Which shape?", "Which weight?")


class Taken(Played, Metric):
    """Success, proposals, and the grade of what was taken."""

    name = "fake-taken"
    figures: ClassVar = {
        "success": "the block is right",
        "proposals": "how many it took",
        "grade": "how well it is liked",
    }

    def score(self, task, trace):
        taken = [event.data for event in trace.world("taken")]
        return {
            "success": float(bool(taken) and taken[0]["accepted"]),
            "proposals": float(len(trace.world("proposal"))),
            "grade": taken[0]["grade"] if taken else None,
        }


class ConsultingTrack(FakeTrack):
    """One task a block."""

    name, world = "fake-consulting", Desk
    roles: ClassVar = {
        "agent": RoleSpec("agents", "fake-taker", evaluated=True),
        "user": RoleSpec("users", "rules"),
    }
    limits = Limits(turns={"agent": 12}, seconds={"agent": 60.0})
    metrics, split_by, clustered_by = ("fake-taken",), ("color",), "block"

    def default_cells(self):
        return [Cell("fake-taker", {"agent": ComponentSpec("fake-taker"), "user": ComponentSpec("rules")})]

    def tasks(self):
        return [
            Task(name, name, {"color": BLOCKS[name]["color"]}, {"stated": goal.stated()}, goal.private())
            for name, goal in zip(BLOCKS, goals(), strict=True)
        ]


@hookimpl
def recfw_register_tracks():
    """Offer the track."""
    return [ConsultingTrack]


@hookimpl
def recfw_register_agents():
    """Offer three agents."""
    return [Taker, Deaf, Nagger]


@hookimpl
def recfw_register_metrics():
    """Offer the metric."""
    return [Taken]
