"""One episode: the user opens, the agent talks, looks up and finally recommends; verdicts come from the constraints."""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw.elicitation.consultation import Consultation
from recfw.elicitation.goal import Goal
from recfw.elicitation.manners import USER_LEFT
from recfw.elicitation.predicates import failed
from recfw.elicitation.records import read_predicate
from recfw.errors import DataError
from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import SYSTEM, TOOL, Message, Picture, TextPart, ToolSpec, View
from recfw.protocols import Accepted, Ended, Refused, Ruling
from tau_rec_v1.layout import Record

MOST = 20
"""Most records that one search answers."""

_EMPTY = "Your last reply was empty. Write to the user or call a tool."


def tools(fields: Sequence[str]) -> tuple[ToolSpec, ...]:
    """Return the agent's tools; a search names the fields that constraints may be about."""
    constraint = {
        "type": "object",
        "properties": {"field": {"type": "string", "enum": list(fields)}, "op": {"type": "string"}, "value": {}},
        "required": ["field", "op", "value"],
    }
    item = {"type": "object", "properties": {"item_id": {"type": ["string", "null"]}}}
    listed = {"type": "array", "items": constraint}
    return (
        ToolSpec(
            "search_items",
            f"Items that meet every constraint, {MOST} at most, in catalog order from 'offset' on, and how many there "
            "are. Operators: <=, >=, ==, !=, contains, contains_any, not_contains, in.",
            {
                "type": "object",
                "properties": {"constraints": listed, "offset": {"type": "integer", "minimum": 0}},
                "required": ["constraints"],
            },
        ),
        ToolSpec("get_item", "One item's record.", {**item, "required": ["item_id"]}),
        ToolSpec("get_user_history", "Items that the user has had already.", {"type": "object", "properties": {}}),
        ToolSpec("recommend", "Recommend an item, or none without item_id; ends the conversation.", item),
    )


class TauRecEnvironment:
    """
    The world of one episode.

    Args:
        task: The task.
        catalog: Records by id.
        fields: Every field that constraints may be about.
        prompt: The agent's system prompt.
    """

    def __init__(self, task: Task, catalog: Mapping[str, Record], fields: Sequence[str], prompt: str) -> None:
        self._catalog, self._watched = catalog, task.private["watched"]
        self._user = Consultation(task.public["stated"], Goal.read(task.private["goal"]), catalog, self._watched)
        self._persona = Message.say(SYSTEM, task.private["persona"])
        self._tools = tools(fields)
        self._role = "user"
        self._seen: dict[str, list[Message]] = {"agent": [Message.say(SYSTEM, prompt)], "user": [self._persona]}

    def next_role(self) -> str:
        """Return the role that holds the floor now."""
        return self._role

    async def view(self, role: str) -> View:
        """Return what a role sees; the user's facts are those that core's rule-based users read."""
        if role == "agent":
            return View(role, tuple(self._seen[role]), self._tools)
        return View(role, tuple(self._seen[role]), facts=self._user.facts())

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - one role calls
        """Answer one of the agent's tool calls."""
        item = arguments.get("item_id")
        if tool == "search_items":
            return self._search(arguments["constraints"], arguments.get("offset", 0))
        if tool == "get_user_history":
            return ToolResult({"items": list(self._watched)})
        if item is None and tool == "recommend":
            return ToolResult({"recommended": None})
        if not isinstance(item, str) or item not in self._catalog:
            return ToolResult(f"There is no item with the id {item!r}.", error=True)
        return ToolResult({"recommended": item} if tool == "recommend" else dict(self._catalog[item]))

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Take a reply: words go to the other side, a recommendation ends the episode."""
        if role == "user":
            return self._hear_user(reply)
        chosen = [r.content for c, r in zip(reply.calls, results, strict=True) if c.name == "recommend" and not r.error]
        self._note(reply, results)
        if chosen:
            return self._end(chosen[0]["recommended"])
        if reply.calls:
            return Accepted()
        if not reply.text.strip():
            self._seen["agent"].append(Message.say(SYSTEM, _EMPTY))
            return Refused(_EMPTY)
        self._seen["user"].append(Message.say("agent", reply.text))
        self._role = "user"
        return Accepted(self._user.hear_agent(reply.text))

    async def picture(self, handle: str) -> Picture:
        """Raise KeyError: this track shows no pictures."""
        raise KeyError(handle)

    def summary(self) -> dict[str, Any]:
        """Return how many of the agent's turns the user heard."""
        return {"turns": self._user.turn}

    def _hear_user(self, reply: Reply) -> Ruling:
        verdict = f"###{self._user.verdict.upper()}### " if self._user.verdict else ""
        events = self._user.hear_user(reply)
        for seen in self._seen.values():
            seen.append(Message.say("user", f"{verdict}{reply.text}"))
        self._role = "agent"
        return Ended(USER_LEFT, events) if self._user.left else Accepted(events)

    def _note(self, reply: Reply, results: Sequence[ToolResult]) -> None:
        parts = (TextPart(reply.text),) if reply.text else ()
        self._seen["agent"].append(Message("agent", parts, calls=reply.calls))
        self._seen["agent"] += [
            Message(TOOL, (TextPart(result.text()),), call=position, error=result.error)
            for position, result in enumerate(results)
        ]

    def _end(self, item: str | None) -> Ruling:
        facts = {"item": item, "accepted": item is not None and self._user.accepts(item)}
        grade = self._user.grade(item) if item is not None else None
        return Ended("abstained" if item is None else "recommended", (WorldEvent("chosen", {**facts, "grade": grade}),))

    def _search(self, constraints: Sequence[Any], offset: int) -> ToolResult:
        try:
            wanted = [read_predicate(each) for each in constraints]
        except DataError as error:
            return ToolResult(str(error), error=True)
        found = [record for record in self._catalog.values() if not failed(wanted, record)]
        return ToolResult({"total": len(found), "items": [dict(each) for each in found[offset : offset + MOST]]})
