"""The components of the witness of hook interface 1.0: an agent asks a user which side of a coin is up, and says it."""

from contextlib import asynccontextmanager
from typing import ClassVar

import click
from attrs import frozen

from recfw.errors import UsageError
from recfw.model.document import Document, Heading, Note, Report
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import (
    Accepted,
    Agent,
    Analysis,
    Catalog,
    Ended,
    Environment,
    Hit,
    Judge,
    Metric,
    NoOptions,
    Participant,
    Problem,
    Refused,
    Renderer,
    Retriever,
    RoleSpec,
    Track,
    UserSimulator,
)
from recfw.serialize import digest

SIDES = {"heads": "the king", "tails": "the lion"}
SIDE = {"type": "object", "properties": {"side": {"type": "string"}}, "required": ["side"]}
TOOLS = (ToolSpec("look", "What a side shows.", SIDE), ToolSpec("say", "Say the side; it ends.", SIDE))


class Table(Environment):
    """One coin on a table."""

    def __init__(self, task):
        self.task, self.messages, self.floor, self.said = task, [], "user", ""

    def next_role(self):
        return self.floor

    async def view(self, role):
        facts = {"side": self.task.private["side"]} if role == "user" else {}
        system = Message.say("system", self.task.public["brief"])
        return View(role, (system, *self.messages), TOOLS if role == "agent" else (), None, facts)

    async def call(self, role, tool, arguments):
        side = arguments["side"]
        if side not in SIDES:
            return ToolResult(f"No side '{side}'.", error=True)
        if tool == "say":
            self.said = side
        return ToolResult({"shows": SIDES[side]})

    async def receive(self, role, reply, results):
        if self.said:
            right = self.said == self.task.private["side"]
            return Ended("said", (WorldEvent("said", {"side": self.said, "right": right}),))
        if not reply.text and not reply.calls:
            return Refused("Say something.")
        self.messages.append(Message(role, Message.say(role, reply.text).parts, reply.calls))
        self.messages += [Message("tool", Message.say("", r.text()).parts, call=i) for i, r in enumerate(results)]
        if not reply.calls:
            self.floor = "agent" if role == "user" else "user"
        return Accepted((WorldEvent("heard", {"role": role}),))

    async def picture(self, handle):
        raise KeyError(handle)

    def summary(self):
        return {"messages": len(self.messages)}


class Played:
    """A deterministic component that is its own player."""

    Options, deterministic = NoOptions, True

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return self


@frozen
class GuesserOptions:
    """``asks``: whether it asks at all."""

    asks: bool = True


class Guesser(Played, Agent):
    """Asks which side is up, and says it."""

    name, Options = "witness-guesser", GuesserOptions

    async def reply(self, view):
        heard = [m.text for m in view.messages if m.speaker == "user"]
        if self.options.asks and len(heard) < 2:
            return Reply("Which side is up?")
        side = next((side for side in SIDES if side in heard[-1]), "heads")
        looked = any(m.speaker == "tool" for m in view.messages)
        return Reply("", (ToolCall.of("say" if looked else "look", side=side),))


class Holder(Played, UserSimulator):
    """Opens, then tells its side."""

    name = "witness-holder"

    async def reply(self, view):
        return Reply(view.facts["side"] if view.messages[1:] else "I have a coin here.")


class Referee(Played, Participant):
    """Plays no part in the track; it is there to be offered."""

    name = "witness-referee"

    async def reply(self, view):
        return Reply("Go on.")


class Sides(Catalog):
    """Two sides."""

    name, Options = "witness-sides", NoOptions

    def __init__(self, options):
        self.options = options

    def ids(self):
        return tuple(SIDES)

    def get(self, item):
        return {"shows": SIDES[item]} if item in SIDES else None

    @property
    def digest(self):
        return digest(SIDES)


class Exact(Retriever):
    """Finds what holds the query."""

    name, Options = "witness-exact", NoOptions

    def __init__(self, options):
        self.items = []

    def build(self, items, cache=None):
        self.items = [(item, " ".join(fields.values())) for item, fields in items]

    def search(self, query, limit):
        return [Hit(item, 1.0) for item, text in self.items if query in text][:limit]


class Brief(Judge):
    """Rates a trace by how few replies it took."""

    name, Options, identity = "witness-brief", NoOptions, "witness-brief@1"

    def __init__(self, options):
        self.options = options

    async def judge(self, task, trace):
        return [Score("brief", 1.0 / len(trace.replies("agent")), self.identity)]


class Guessed(Played, Metric):
    """Whether the right side was said."""

    name, version, figures = "witness-guessed", "1", {"success": "the right side was said"}

    def score(self, task, trace):
        return {"success": float(any(event.data["right"] for event in trace.world("said")))}


class Coins(Track):
    """Four coins."""

    name, Options, analyses = "witness-coins", NoOptions, ("witness-tally", "summary")
    roles: ClassVar = {
        "agent": RoleSpec("agents", "witness-guesser", evaluated=True),
        "user": RoleSpec("users", "witness-holder"),
    }
    limits = Limits(turns={"agent": 4}, calls={"agent": 4})
    metrics, split_by, clustered_by = ("witness-guessed", "effort"), ("side",), "coin"

    def __init__(self, options):
        self.options = options

    def default_cells(self):
        return [Cell("guesser", {"agent": ComponentSpec("witness-guesser"), "user": ComponentSpec("witness-holder")})]

    def tasks(self):
        sides = ["heads", "tails"] * 2
        brief = {"brief": "Find the side that is up."}
        return [Task(f"c{n}", f"coin{n // 2}", {"side": s}, brief, {"side": s}) for n, s in enumerate(sides)]

    def content_digest(self):
        return digest([self.tasks(), SIDES])

    def validate(self):
        return [] if self.tasks() else [Problem("tasks", "some-tasks", "there are none")]

    @asynccontextmanager
    async def open(self, resources):
        yield self

    @asynccontextmanager
    async def episode(self, task, context):
        yield Table(task)


class Tally(Analysis):
    """Counts successes."""

    name, Options, tracks = "witness-tally", NoOptions, ("witness-coins",)

    def __init__(self, options):
        self.options = options

    def report(self, results):
        rows = [row for run in results.runs for row in results.rows(run.id)]
        right = sum(row.scores["success"] == 1.0 for row in rows)
        return Report(Document((Heading("Coins", 1), Note(f"{right} of {len(rows)} right."))), {"right": right})


class Bare(Renderer):
    """Shows texts alone."""

    name, Options, suffixes = "witness-bare", NoOptions, (".bare",)

    def __init__(self, options):
        self.options = options

    def render(self, report):
        return "\n".join(block.text for block in report.document.blocks if hasattr(block, "text"))


@click.command()
@click.option("--loud", is_flag=True)
def witness(loud):
    """Say hello."""
    if loud:
        raise UsageError("no shouting.", "Leave --loud out.")
    click.echo("hello")
