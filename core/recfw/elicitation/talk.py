"""
A ready-made environment for tracks that are a talk over a catalog: a user with a goal, an agent with a few tools.

A task's public half holds ``stated`` (:meth:`recfw.elicitation.goal.Goal.stated`), its private half the goal
(:meth:`recfw.elicitation.goal.Goal.private`). The rule-based users of :mod:`recfw.elicitation.users` play it. A track
subclasses it for tools or rules of its own.

World events, besides those of :mod:`recfw.elicitation.consultation`:

- ``recommended``: {item, right, others}: what the talk ended with, null for nothing; whether that was right; what
  further calls of the same reply recommended, which counts for nothing;
- ``offer``: {item, way, together} and what :meth:`CatalogTalk.offered` adds, of each item that was put before the user.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from recfw.elicitation.consultation import Consultation
from recfw.elicitation.goal import Goal
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.manners import ACCEPTED, REJECTED, USER_LEFT
from recfw.elicitation.proposals import proposals
from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import Trace, WorldEvent
from recfw.model.view import SYSTEM, TOOL, Message, Picture, ToolSpec, View
from recfw.protocols import Accepted, Ended, Environment, Metric, NoOptions, Problem, Refused, Ruling

RECOMMENDED, RECOMMENDED_NOTHING = "recommended", "recommended_nothing"
"""The stop reasons of a talk that the agent ended; the first is the name of the event, too."""

OFFER = "offer"
"""The event {item, way, together, …} of an item that was put before the user."""

PROPOSAL, RECOMMENDATION = "proposal", "recommendation"
"""The ways of an offer: by a tag in words to the user, by a call that ends the talk."""

_ITEM = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
_NONE: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = (
    ToolSpec("list_items", "Return every item of the catalog, by its id.", _NONE),
    ToolSpec("recommend", "Recommend an item by its id; ends the talk.", _ITEM),
    ToolSpec("recommend_nothing", "Say that no item will do; ends the talk.", _NONE),
)


class CatalogTalk(Environment):
    """
    The world of one talk: the user opens, both talk in turns, and the agent ends it by recommending.

    A reply of the agent that calls tools keeps the floor; its words are seen by the agent alone. A reply of words goes
    to the user. Where it proposes an item by a tag, ``[[candidate_id:ID]]``, the user's next words begin with what
    became of the first one. A reply with neither is refused. The first of several recommendations in a reply counts.

    Args:
        task: What is played.
        brief: What the agent is told first.
        catalog: Item -> its record, as JSON values.
        barred: Items that the user takes in no case, such as those it has already.
        trees: Field -> label tree, for requirements by a wider label.
        words: Field -> other words for it, such as ``how old`` for an age, by which the ready-made users understand a
            question.

    Attributes:
        tools: What the agent can call. ``recommend`` may have arguments besides ``item``: :meth:`offered` gets them.
        verdicts: What the agent reads before the user's words, by verdict; empty where it is to be told nothing.
        silence: What it reads where its reply was empty.
        user: The user's side: its goal, what it has told, the verdict on the last proposal.
        catalog: As given.
        messages: What was said and answered so far, verdicts included, without the brief.
        chosen: The item that was recommended; empty before, and where nothing was.
    """

    tools: ClassVar[tuple[ToolSpec, ...]] = TOOLS
    verdicts: ClassVar[Mapping[str, str]] = {ACCEPTED: "Yes, that would do.", REJECTED: "No, that would not do."}
    silence: ClassVar[str] = "Your last reply was empty. Say something to the user, or call a tool."

    def __init__(
        self,
        task: Task,
        brief: str,
        catalog: Mapping[str, Mapping[str, Any]],
        *,
        barred: Collection[str] = (),
        trees: Mapping[str, LabelTree] | None = None,
        words: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.user = Consultation(task.public["stated"], Goal.read(task.private), catalog, barred, trees, words)
        self.catalog, self.chosen = catalog, ""
        self.messages: list[Message] = []
        self._brief, self._floor, self._refused = Message.say(SYSTEM, brief), "user", False

    # --- What a track changes -----------------------------------------------------------------------------------------

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - the protocol's signature
        """
        Answer a tool call; whatever is wrong with it is an error result. A subclass answers its own tools first.

        Raises:
            NotImplementedError: ``tools`` offers a tool that nothing here answers.
        """
        if tool == "list_items":
            return ToolResult({item: dict(record) for item, record in self.catalog.items()})
        if tool == "recommend_nothing":
            return ToolResult({RECOMMENDED: None})
        if tool != "recommend":
            raise NotImplementedError(f"{type(self).__name__} offers a tool '{tool}', but its call does not answer it.")
        if arguments["item"] not in self.catalog:
            return ToolResult(f"There is no item {arguments['item']!r}; use an id that a tool returned.", error=True)
        more = {name: value for name, value in arguments.items() if name != "item"}
        return ToolResult({RECOMMENDED: arguments["item"]}, notes=more)

    def right(self, item: str | None) -> bool:
        """Tell whether a recommendation is right: an item that the user takes; None where it takes no item at all."""
        return self.user.accepts(item) if item is not None else not any(map(self.user.accepts, self.catalog))

    def offered(self, item: str, words: str, arguments: Mapping[str, Any] | None) -> Mapping[str, Any] | None:  # noqa: ARG002 - for subclasses
        """
        Return what policies need to know of an item that is put before the user; None, the default, notes no offer.

        Called before the user, or the talk, takes the reply in: what is known now was known before the offer.

        Args:
            item: An item of the catalog.
            words: The reply's words.
            arguments: What ``recommend`` was called with besides ``item``; None for a proposal.
        """
        return None

    # --- The protocol -------------------------------------------------------------------------------------------------

    def next_role(self) -> str:
        """Return who holds the floor; the agent keeps it while it calls tools."""
        return self._floor

    async def view(self, role: str) -> View:
        """Return what a role sees; the goal is in the user's facts alone."""
        if role == "user":
            heard = tuple(m for m in self.messages if m.speaker != TOOL and not m.calls)
            return View(role, heard, facts=self.user.facts())
        refusal = (Message.say(SYSTEM, self.silence),) if self._refused else ()
        return View(role, (self._brief, *self.messages, *refusal), self.tools)

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Rule on a reply; a recommendation ends the talk."""
        return self._hear_user(reply) if role == "user" else self._hear_agent(reply, results)

    async def picture(self, handle: str) -> Picture:
        """Raise KeyError, because no View names a picture."""
        raise KeyError(handle)

    def summary(self) -> dict[str, Any]:
        """Return closing facts for the trace."""
        return {"messages": len(self.messages)}

    def _hear_user(self, reply: Reply) -> Ruling:
        """Take the user's words; what became of a proposal is not the user's to make up, so it is put before them."""
        verdict = self.verdicts.get(self.user.verdict or "", "")
        self.messages.append(Message.say("user", f"{verdict} {reply.text}" if verdict else reply.text))
        self._floor = "agent"
        events = self.user.hear_user(reply)
        return Ended(USER_LEFT, events) if self.user.left else Accepted(events)

    def _hear_agent(self, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        self._refused = not reply.calls and not reply.text.strip()
        if self._refused:
            return Refused(self.silence)
        self.messages.append(Message("agent", Message.say("agent", reply.text).parts, reply.calls))
        for position, result in enumerate(results):
            parts = Message.say(TOOL, result.text()).parts
            self.messages.append(Message(TOOL, parts, call=position, error=result.error))
        if not reply.calls:
            self._floor = "user"
            known = [(item, None) for item in proposals(reply.text) if item in self.catalog]
            offers = self._offers(PROPOSAL, known, reply.text)
            return Accepted((*offers, *self.user.hear_agent(reply.text)))
        done = [result for call, result in zip(reply.calls, results, strict=True) if _recommends(call.name, result)]
        return self._end(done, reply.text) if done else Accepted()

    def _end(self, done: Sequence[ToolResult], words: str) -> Ended:
        """End the talk with the first of some recommendations; the others are noted."""
        items = [result.content[RECOMMENDED] for result in done]
        named = [(item, done[n].notes) for n, item in enumerate(items) if item is not None]
        first, others = items[0], items[1:]
        offers = self._offers(RECOMMENDATION, named, words)
        self.chosen = first or ""
        event = WorldEvent(RECOMMENDED, {"item": first, "right": self.right(first), "others": others})
        return Ended(RECOMMENDED_NOTHING if first is None else RECOMMENDED, (*offers, event))

    def _offers(
        self, way: str, named: Sequence[tuple[str, Mapping[str, Any] | None]], words: str
    ) -> tuple[WorldEvent, ...]:
        events = []
        for item, arguments in named:
            more = self.offered(item, words, arguments)
            if more is not None:
                events.append(WorldEvent(OFFER, {"item": item, "way": way, "together": len(named), **more}))
        return tuple(events)


def _recommends(tool: str, result: ToolResult) -> bool:
    return tool in {"recommend", "recommend_nothing"} and not result.error


class RightItem(Metric):
    """Whether the recommendation was right; a track subclasses it and gives it a ``name`` of its own."""

    summary: ClassVar[str] = "whether the recommendation was right"
    figures: ClassVar[Mapping[str, str]] = {
        "success": "1 where the recommended item meets every requirement; if none does, where nothing was recommended."
    }

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:  # noqa: ARG002 - the protocol's signature
        """Return the figure; 0 where the agent did not end the talk."""
        return {"success": float(was_right(trace))}


def answers_amiss(tasks: Iterable[Task], catalog: Mapping[str, Mapping[str, Any]]) -> Sequence[Problem]:
    """
    Find tasks that no item of a catalog meets, for :meth:`recfw.protocols.Track.validate`.

    A task whose facet ``answer`` is ``no`` is one to recommend nothing in: that one must not be met.
    """
    found = []
    for task in tasks:
        met = not all(map(Goal.read(task.private).failed, catalog.values()))
        if met != (task.facets.get("answer") != "no"):
            found.append(Problem(task.id, "can-be-met", f"{'an' if met else 'no'} item meets the goal"))
    return found


def was_right(trace: Trace) -> bool:
    """Tell whether a trace ended with a recommendation that was right."""
    return any(event.data["right"] for event in trace.world(RECOMMENDED))
