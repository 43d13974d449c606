"""
One episode: rounds of parallel calls by an agent, after a user that opens and is silent (spec section 4).

World events:

- ``round``: {round, calls, tokens} after each reply with calls; ``round`` counts from 1, ``calls`` holds by position
  {tool, known, fits, outcome, new}: whether the task's tools have one of that name, whether the raw arguments fit its
  strict schema (false for an unknown name), ``ok``, ``empty`` or ``error``, and how many items it brought to the bus;
  ``tokens`` is the planning state's length after it;
- ``compressed``: {round, why, rounds, before, after}: why (``budget`` or ``empty``), how many rounds are compressed
  now, tokens before and after;
- ``ranking``: {ids, outside}: the final ranking without repetitions, and how many of its ids are no candidates.

Endings: ``ranked``; ``round_limit``, ``call_limit`` and ``token_limit``, where the agent went on calling past a limit;
and those of the engine.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import SYSTEM, Message, Picture, View
from recfw.protocols import Accepted, Ended, Refused, Ruling
from recfw_orchestration.rollout.budget import CALL_LIMIT, RANKED, ROUND_LIMIT, TOKEN_LIMIT, Allowance
from recfw_orchestration.rollout.bus import CandidateBus, empty
from recfw_orchestration.rollout.prompt import (
    BRIEF,
    EMPTY,
    MOST_ON_BUS,
    NO_RANKING,
    SPENT,
    opening,
    prompt_hash,
    standing,
)
from recfw_orchestration.rollout.state import Compressed, PlanningState
from recfw_orchestration.rollout.toolset import Toolset

ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ranking": {"type": "array", "items": {"type": "string"}, "description": "Item ids, the best first."},
        "explanation": {"type": "string", "description": "Which results the first place rests on."},
    },
    "required": ["ranking", "explanation"],
    "additionalProperties": False,
}
"""The final answer; checked leniently: the explanation may be missing."""

MOST_RANKED = 100
"""Ids of a ranking that are kept."""
RULES = "1"
"""Version of the rollout's rules; part of the content digest."""


class OrchestrationEnvironment:
    """
    The world of one episode.

    Args:
        task: The task; only its public half bears on what the agent sees.
        tools: The tools that it may call.
        allowance: The limits of its level.
        budget: Tokens of the planning state.
        deadline: Seconds of one call.
    """

    def __init__(self, task: Task, tools: Toolset, allowance: Allowance, budget: int, deadline: float) -> None:
        self._public, self._tools, self._allowance, self._deadline = task.public, tools, allowance, deadline
        self._candidates: Sequence[str] = tuple(task.public["candidates"])
        self._state, self._bus = PlanningState(budget, frozenset(self._candidates)), CandidateBus()
        self._request: str | None = None
        self._refusal, self._last = "", tuple[dict[str, Any], ...]()
        self._issued = self._calls = self._tokens = self._compressions = 0
        self._pending: list[WorldEvent] = []

    def next_role(self) -> str:
        """Return the role that holds the floor now."""
        return "user" if self._request is None else "agent"

    # --- Views --------------------------------------------------------------------------------------------------------

    async def view(self, role: str) -> View:
        """
        Return what a role sees.

        The user's facts: ``request``. The agent's, for components written in code: ``request``, ``user_id``, ``place``,
        ``time``, ``candidates``, ``round`` (the number of the next one), ``results`` (of the last round, by position:
        {tool, content, error}, whole), ``bus`` (item -> the calls that found it) and ``left`` (rounds and calls).
        """
        if role == "user":
            request = self._public["instruction"]
            again = (Message.say(SYSTEM, self._refusal),) if self._refusal else ()
            return View(role, (Message.say(SYSTEM, f"{BRIEF}\n\n{request}"), *again), facts={"request": request})
        tools = () if self._spent() else self._tools.specs
        return View(role, tuple(self._messages()), tools, ANSWER, self._facts())

    def _messages(self) -> list[Message]:
        request = Message.say("user", self._request or "")
        told = [Message.say(SYSTEM, opening(self._public, self._candidates, self._allowance)), request]
        rounds = len(self._state.rounds)
        told += self._state.messages
        if rounds:
            bus = self._bus.words(self._candidates, MOST_ON_BUS)
            told.append(Message.say(SYSTEM, standing(rounds, self._calls, self._allowance, bus)))
        notes = [SPENT.format(what=spent)] if (spent := self._spent()) else []
        told += [Message.say(SYSTEM, words) for words in (*notes, self._refusal) if words]
        return told

    def _facts(self) -> dict[str, Any]:
        rounds = len(self._state.rounds)
        return {
            "request": self._request,
            **{name: self._public.get(name) for name in ("user_id", "place", "time")},
            "candidates": list(self._candidates),
            "round": rounds + 1,
            "results": list(self._last),
            "bus": self._bus.found,
            "left": {
                "rounds": max(0, self._allowance.rounds - rounds),
                "calls": max(0, self._allowance.calls - self._calls),
            },
        }

    def _spent(self) -> str:
        """Return what is used up, ``rounds`` or ``calls``; empty where both are left."""
        if len(self._state.rounds) >= self._allowance.rounds:
            return "rounds"
        return "calls" if self._calls >= self._allowance.calls else ""

    # --- Calls --------------------------------------------------------------------------------------------------------

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - one role calls
        """Answer one call; calls of a round start in the order of their positions, so the limit counts them so."""
        self._issued += 1
        if self._issued > self._allowance.calls:
            return ToolResult(SPENT.format(what="calls"), error=True)
        return await self._tools.call(tool, arguments, self._deadline)

    # --- Rulings ------------------------------------------------------------------------------------------------------

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Take a reply: the user's request; the agent's calls, or its ranking."""
        if role == "user":
            if not reply.text.strip():
                self._refusal = BRIEF
                return Refused(BRIEF)
            self._request, self._refusal = reply.text, ""
            return Accepted()
        if reply.usage is not None:
            self._tokens += reply.usage.input_tokens + reply.usage.output_tokens
        if reply.calls:
            return self._take_round(reply, results)
        ranking = _ranking(reply.data)
        if ranking:
            outside = len(set(ranking) - set(self._candidates))
            return Ended(RANKED, self._flush(WorldEvent("ranking", {"ids": ranking, "outside": outside})))
        return self._refuse(reply)

    def _take_round(self, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        number, spent = len(self._state.rounds) + 1, self._spent()
        noted = self._noted(number, reply, results)
        if spent:
            event = WorldEvent("round", {"round": number, "calls": noted, "tokens": self._state.tokens})
            return Ended(ROUND_LIMIT if spent == "rounds" else CALL_LIMIT, self._flush(event))
        done = self._state.take(reply, results)
        self._calls += len(reply.calls)
        self._issued = max(self._issued, self._calls)
        self._refusal = ""
        self._last = tuple(
            {"tool": call.name, "content": result.content, "error": result.error}
            for call, result in zip(reply.calls, results, strict=True)
        )
        event = WorldEvent("round", {"round": number, "calls": noted, "tokens": self._state.tokens})
        events = self._flush(event, *self._compressed(done))
        return Ended(TOKEN_LIMIT, events) if self._tokens > self._allowance.tokens else Accepted(events)

    def _noted(self, number: int, reply: Reply, results: Sequence[ToolResult]) -> list[dict[str, Any]]:
        """Return what the round's event says of each call; what the results name is put on the bus."""
        calls: list[dict[str, Any]] = []
        for position, (call, result) in enumerate(zip(reply.calls, results, strict=True), start=1):
            outcome = "error" if result.error else "empty" if empty(result.content) else "ok"
            new = 0 if result.error else self._bus.take(f"{number}.{position}", result.content)
            known = self._tools.knows(call.name)
            fits = known and self._tools.fits(call)
            calls.append({"tool": call.name, "known": known, "fits": fits, "outcome": outcome, "new": new})
        return calls

    def _refuse(self, reply: Reply) -> Ruling:
        """Refuse a response without calls and ranking; an empty one compresses the state first."""
        is_empty = not reply.text.strip() and reply.data is None
        if is_empty:
            self._pending += self._compressed(self._state.compress("empty"))
        self._refusal = EMPTY if is_empty else NO_RANKING
        return Refused(self._refusal)

    def _compressed(self, done: Compressed | None) -> list[WorldEvent]:
        if done is None:
            return []
        self._compressions += 1
        data = {"why": done.why, "rounds": done.rounds, "before": done.before, "after": done.after}
        return [WorldEvent("compressed", {"round": len(self._state.rounds), **data})]

    def _flush(self, *events: WorldEvent) -> tuple[WorldEvent, ...]:
        """Return what is to be recorded: compressions of refused replies first, for which a refusal has no place."""
        flushed = (*self._pending, *events)
        self._pending = []
        return flushed

    async def picture(self, handle: str) -> Picture:
        """Raise KeyError: this track shows no pictures."""
        raise KeyError(handle)

    def summary(self) -> dict[str, Any]:
        """Return how many rounds, calls, items and compressions there were, and the prompt's hash."""
        return {
            "rounds": len(self._state.rounds),
            "calls": self._calls,
            "items": len(self._bus.found),
            "compressions": self._compressions,
            "prompt": prompt_hash()[:16],
        }


def _ranking(data: Any) -> list[str]:
    """Return the ids of a final answer, each once; empty where it is none."""
    given = data.get("ranking") if isinstance(data, Mapping) else None
    if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
        return []
    return list(dict.fromkeys(given))[:MOST_RANKED]
