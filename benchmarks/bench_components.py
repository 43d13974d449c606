"""No-op components: what is left is what the harness itself costs."""

import asyncio
from contextlib import asynccontextmanager

from attrs import frozen

from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.view import Message, TextPart, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, RoleSpec, Track, UserSimulator
from recfw.serialize import digest

TURNS = 6
"""Turns of each role in a talk."""
WORDS = "A sentence of the length that a model would say in such a talk, with a question at its end?"


@frozen
class NoopOptions:
    """``latency``: seconds before a reply."""

    latency: float = 0.0


class _Noop:
    Options = NoopOptions

    def __init__(self, options):
        self.latency = options.latency

    def episode(self, context):
        return self

    async def reply(self, view):
        if self.latency:
            await asyncio.sleep(self.latency)
        return Reply(WORDS)


class NoopAgent(_Noop, Agent):
    """Says the same sentence; counts as a model, so replay reads its replies."""

    name = "bench-noop"


class NoopUser(_Noop, UserSimulator):
    """Says the same sentence; counts as a model."""

    name = "bench-noop"


class Talk:
    def __init__(self):
        self.messages, self.turn = [], 0

    def next_role(self):
        return "agent" if self.turn % 2 else "user"

    async def view(self, role):
        return View(role, tuple(self.messages))

    async def receive(self, role, reply, results):
        self.messages.append(Message.say(role, reply.text))
        self.turn += 1
        return Ended("over") if self.turn == 2 * TURNS else Accepted()

    def summary(self):
        return {}


class TalkTrack(Track):
    """Six turns of talk about nothing."""

    name = "bench-talk"
    roles = {"agent": RoleSpec("agents", "bench-noop", evaluated=True), "user": RoleSpec("users", "bench-noop")}
    limits = Limits()
    metrics, analyses, split_by, clustered_by = ("effort",), ("summary",), (), "task"

    def __init__(self, options):
        self.options = options

    def default_cells(self):
        return [Cell("bench-noop", {role: ComponentSpec("bench-noop") for role in self.roles})]

    def tasks(self):
        return [Task(f"t{n:03}", f"t{n:03}") for n in range(50)]

    def content_digest(self):
        return digest(self.tasks())

    def validate(self):
        return []

    @asynccontextmanager
    async def open(self, resources):
        yield self

    @asynccontextmanager
    async def episode(self, task, context):
        yield Talk()


class Steps:
    """An episode of a model that looks items up until it answers in words."""

    TOOLS = (
        ToolSpec(
            "look_up",
            "Facts about an item of the catalog.",
            {
                "type": "object",
                "properties": {"item": {"type": "string"}},
                "required": ["item"],
                "additionalProperties": False,
            },
        ),
    )

    def __init__(self, task):
        brief = Message.say("system", "You recommend items. " * 20)
        self.messages = [brief, Message.say("user", f"I want item {task.id}, which is good for the winter.")]

    def next_role(self):
        return "agent"

    async def view(self, role):
        return View(role, tuple(self.messages), self.TOOLS)

    async def call(self, role, tool, arguments):
        return ToolResult("A fact about the item, as long as such facts are. " * 12)

    async def receive(self, role, reply, results):
        if not reply.calls:
            return Ended("answered")
        self.messages.append(Message("agent", (TextPart(reply.text),) if reply.text else (), reply.calls))
        self.messages += [Message("tool", (TextPart(r.text()),), call=n) for n, r in enumerate(results)]
        return Accepted()

    def summary(self):
        return {}


class StepsTrack(TalkTrack):
    """One role, one tool: a model calls it five times, then answers."""

    name = "bench-steps"
    roles = {"agent": RoleSpec("agents", "bench-noop", evaluated=True)}

    def default_cells(self):
        return [Cell("bench-noop", {"agent": ComponentSpec("bench-noop")})]

    def tasks(self):
        return [Task(f"t{n:03}", f"t{n:03}") for n in range(64)]

    @asynccontextmanager
    async def episode(self, task, context):
        yield Steps(task)


class SixTurns(Agent):
    """Talks to a books user for six turns, with one search of twenty books in each, then recommends."""

    name = "bench-six"
    tracks = ("books",)
    deterministic = True

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return _SixTurns(context.draws("genres"))


class _SixTurns:
    GENRES = ("Fantasy", "Mystery", "Romance", "Horror", "Thriller", "War")

    def __init__(self, draws):
        self.turn, self.searched, self.draws = 0, False, draws

    async def reply(self, view):
        if not self.searched:
            self.searched = True
            genre, page = self.draws.choice(self.GENRES), 1 + self.draws.below(3)
            keyword = "query" in view.tools[0].parameters["properties"]
            asked = {"query": f"{genre} English"} if keyword else {"genre": genre, "page": page}
            return Reply(calls=(ToolCall.of("search_books", **asked),))
        self.turn, self.searched = self.turn + 1, False
        if self.turn == TURNS:
            return Reply(calls=(ToolCall.of("recommend"),))
        return Reply(WORDS)
