"""
A ready-made environment for tracks that are a talk over a catalog: a user with a goal, an agent with two tools.

A task's public half holds ``stated`` (:meth:`recfw.elicitation.goal.Goal.stated`), its private half the goal
(:meth:`recfw.elicitation.goal.Goal.private`). The rule-based users of :mod:`recfw.elicitation.users` play it. A track
subclasses it for tools or rules of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recfw.elicitation.consultation import Consultation
from recfw.elicitation.goal import Goal
from recfw.elicitation.manners import USER_LEFT
from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import Trace, WorldEvent
from recfw.model.view import Message, Picture, ToolSpec, View
from recfw.protocols import Accepted, Ended, Environment, Metric, NoOptions, Ruling

RECOMMENDED = "recommended"
"""The stop reason of a talk that ended with a recommendation, and the event {item, right} that tells what it was."""

_ITEM = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = (
    ToolSpec("list_items", "Return every item of the catalog, by its id.", _NOTHING),
    ToolSpec("recommend", "Recommend an item by its id; ends the talk.", _ITEM),
)


class CatalogTalk(Environment):
    """
    The world of one talk: the user opens, both talk in turns, and the agent's call of ``recommend`` ends it.

    Args:
        task: What is played.
        brief: What the agent is told first.
        catalog: Item -> its record, as JSON values.
    """

    tools: ClassVar[tuple[ToolSpec, ...]] = TOOLS

    def __init__(self, task: Task, brief: str, catalog: Mapping[str, Mapping[str, Any]]) -> None:
        self.user = Consultation(task.public["stated"], Goal.read(task.private), catalog)
        self.catalog, self.chosen = catalog, ""
        self.messages: list[Message] = []
        self._brief, self._floor = Message.say("system", brief), "user"

    def next_role(self) -> str:
        """Return who holds the floor; the agent keeps it while it calls tools."""
        return self._floor

    async def view(self, role: str) -> View:
        """Return what a role sees; the goal is in the user's facts alone."""
        if role == "user":
            return View(role, tuple(m for m in self.messages if m.speaker != "tool"), facts=self.user.facts())
        return View(role, (self._brief, *self.messages), self.tools)

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - the protocol's signature
        """Answer a tool call; whatever is wrong with it is an error result."""
        if tool == "list_items":
            return ToolResult({item: dict(record) for item, record in self.catalog.items()})
        if arguments["item"] not in self.catalog:
            return ToolResult("There is no such item. `list_items` returns all of them by id.", error=True)
        self.chosen = arguments["item"]
        return ToolResult({RECOMMENDED: self.chosen})

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Rule on a reply; a recommendation ends the talk."""
        if self.chosen:
            data = {"item": self.chosen, "right": self.user.accepts(self.chosen)}
            return Ended(RECOMMENDED, (WorldEvent(RECOMMENDED, data),))
        self.messages.append(Message(role, Message.say(role, reply.text).parts, reply.calls))
        if role == "user":
            self._floor = "agent"
            events = self.user.hear_user(reply)
            return Ended(USER_LEFT, events) if self.user.left else Accepted(events)
        for position, result in enumerate(results):
            parts = Message.say("tool", result.text()).parts
            self.messages.append(Message("tool", parts, call=position, error=result.error))
        if reply.calls:
            return Accepted()
        self._floor = "user"
        return Accepted(self.user.hear_agent(reply.text))

    async def picture(self, handle: str) -> Picture:
        """Raise KeyError, because no View names a picture."""
        raise KeyError(handle)

    def summary(self) -> dict[str, Any]:
        """Return closing facts for the trace."""
        return {"messages": len(self.messages)}


class RightItem(Metric):
    """Whether the recommended item was right; a track subclasses it and gives it a ``name`` of its own."""

    summary: ClassVar[str] = "whether the recommended item meets the goal"
    figures: ClassVar[Mapping[str, str]] = {"success": "1 where the recommended item meets every requirement."}

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:  # noqa: ARG002 - the protocol's signature
        """Return the figure; 0 where nothing was recommended."""
        return {"success": float(any(event.data["right"] for event in trace.world(RECOMMENDED)))}
