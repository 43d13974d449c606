"""The work as a track of recfw: loaded by RECFW_PLUGINS=recfw_side, played by `recfw run --track peer-talk`."""

from contextlib import asynccontextmanager

import work
from attrs import frozen

from recfw.hookspecs import hookimpl
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.view import Message, ToolSpec, View
from recfw.protocols import Accepted, Agent, Ended, Metric, RoleSpec, Track, UserSimulator
from recfw.serialize import digest

TOOLS = (ToolSpec(work.TOOL, work.DESCRIPTION, work.PARAMETERS),)


@frozen
class NoOptions:
    """Nothing can be set."""


class Player:
    """A mock model."""

    Options = NoOptions

    def __init__(self, options):
        self.options = options

    def episode(self, context):
        return self


class MockAgent(Player, Agent):
    """Calls the tool, then says its sentence."""

    name = "peer-agent"

    async def reply(self, view):
        await work.think()
        if view.messages[-1].speaker == "user":
            said = sum(message.speaker == "user" for message in view.messages)
            return Reply(calls=(ToolCall.of(work.TOOL, **work.arguments(said - 1)),))
        return Reply(work.AGENT)


class MockUser(Player, UserSimulator):
    """Says its sentence."""

    name = "peer-user"

    async def reply(self, view):
        await work.think()
        return Reply(work.USER)


class Talk:
    """One conversation: the user does not see what the tool answers."""

    def __init__(self):
        self.messages, self.heard, self.floor = [Message.say("system", work.SYSTEM)], [], "user"

    def next_role(self):
        return self.floor

    async def view(self, role):
        return View(role, tuple(self.messages), TOOLS) if role == "agent" else View(role, tuple(self.heard))

    async def call(self, role, tool, arguments):
        return ToolResult(work.search(**arguments))

    async def receive(self, role, reply, results):
        if reply.calls:
            self.messages.append(Message(role, calls=reply.calls))
            self.messages += [Message("tool", Message.say("", r.text()).parts, call=i) for i, r in enumerate(results)]
            return Accepted()
        for messages in (self.messages, self.heard):
            messages.append(Message.say(role, reply.text))
        self.floor = "agent" if role == "user" else "user"
        return Ended("over") if len(self.heard) == 2 * work.TURNS else Accepted()

    def summary(self):
        return {}


class Turns(Metric):
    """How many turns there were."""

    name, figures = "peer-turns", {"turns": "turns of the user"}

    def score(self, task, trace):
        return {"turns": float(len(trace.replies("user")))}


class TalkTrack(Track):
    """Six turns of talk with a search in each."""

    name = "peer-talk"
    roles = {"agent": RoleSpec("agents", "peer-agent", evaluated=True), "user": RoleSpec("users", "peer-user")}
    limits, metrics, analyses, split_by, clustered_by = Limits(), ("peer-turns",), ("summary",), (), "task"

    def __init__(self, options):
        self.options = options

    def default_cells(self):
        return [Cell("peer-agent", {role: ComponentSpec(spec.default) for role, spec in self.roles.items()})]

    def tasks(self):
        return [Task(f"t{n:04}", f"t{n:04}") for n in range(work.CONVERSATIONS)]

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


@hookimpl
def recfw_register_tracks():
    return [TalkTrack]


@hookimpl
def recfw_register_agents():
    return [MockAgent]


@hookimpl
def recfw_register_users():
    return [MockUser]


@hookimpl
def recfw_register_metrics():
    return [Turns]
