"""What happened in a rollout, as the metrics read it off a trace: rounds of calls, and the final ranking."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from attrs import field, frozen

from recfw.model.reply import ToolCall
from recfw.model.trace import ReplyEvent, ToolEvent, Trace, WorldEvent

AGENT = "agent"
COERCED = "coerced"
"""The engine's note on an answer whose arguments were read leniently: as they were sent they do not fit."""


@frozen
class Call:
    """
    One call.

    Args:
        round: Its round, from 1.
        tool: The name that was called.
        arguments: As they were executed; of a refused call as they were sent, where that is a JSON object, else none.
        known: Whether the task's tools have one of this name.
        fits: Whether the raw arguments fit its strict schema.
        outcome: ``ok``, ``empty`` or ``error``.
        new: How many items it brought to the bus that no earlier call had found.
        content: Its result.
    """

    round: int
    tool: str
    arguments: dict[str, Any]
    known: bool
    fits: bool
    outcome: str
    new: int
    content: Any = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether it ended without an error and with something in its result."""
        return self.outcome == "ok"


@frozen
class Played:
    """
    A rollout.

    Args:
        calls: All calls, in order.
        rounds: How many replies held calls.
        ranking: The final ranking; None where none was given.
        explanation: The words beside it.
        stop: The ending.
    """

    calls: tuple[Call, ...]
    rounds: int
    ranking: tuple[str, ...] | None
    explanation: str
    stop: str

    def of_round(self, number: int) -> tuple[Call, ...]:
        """Return the calls of one round."""
        return tuple(call for call in self.calls if call.round == number)


def read(trace: Trace) -> Played:
    """Return what happened in a trace."""
    calls: list[Call] = []
    number, data = 0, None
    for reply, answers, facts in _rounds(trace):
        if reply.reply.calls:
            number += 1
            calls += _calls(number, reply.reply.calls, answers, facts)
        else:
            data = reply.reply.data
    given = trace.world("ranking")
    ranking = tuple(str(each) for each in given[0].data["ids"]) if given else None
    explanation = data.get("explanation") if ranking is not None and isinstance(data, dict) else ""
    return Played(tuple(calls), number, ranking, explanation if isinstance(explanation, str) else "", trace.stop)


_Facts = Sequence[dict[str, Any]]


def _rounds(trace: Trace) -> Iterator[tuple[ReplyEvent, dict[int, ToolEvent], _Facts]]:
    """Yield the agent's replies, each with its calls' answers by position and what the environment noted of them."""
    reply: ReplyEvent | None = None
    answers: dict[int, ToolEvent] = {}
    facts: _Facts = ()
    for event in trace.events:
        match event:
            case ReplyEvent(role) if role == AGENT:
                if reply is not None:
                    yield reply, answers, facts
                reply, answers, facts = event, {}, ()
            case ToolEvent(role) if role == AGENT:
                answers[event.position] = event
            case WorldEvent("round", told):
                facts = told["calls"]
            case _:
                pass
    if reply is not None:
        yield reply, answers, facts


def _calls(number: int, sent: Sequence[ToolCall], answers: dict[int, ToolEvent], facts: _Facts) -> Iterator[Call]:
    for position, call in enumerate(sent):
        answer = answers.get(position)
        if answer is None:  # cut off before it was answered
            continue
        told = facts[position] if position < len(facts) else _facts(answer)
        arguments = _sent(call) if answer.arguments is None else answer.arguments
        yield Call(
            number, call.name, arguments, told["known"], told["fits"], told["outcome"], told["new"], answer.content
        )


def _facts(answer: ToolEvent) -> dict[str, Any]:
    """Return what a round's event would say of a call, of a trace that was cut off before it."""
    fits = answer.arguments is not None
    return {
        "known": fits,
        "fits": fits and COERCED not in answer.notes,
        "outcome": "error" if answer.error else "ok",
        "new": 0,
    }


def _sent(call: ToolCall) -> dict[str, Any]:
    try:
        arguments = orjson.loads(call.arguments or "{}")
    except orjson.JSONDecodeError:
        return {}
    return arguments if isinstance(arguments, dict) else {}
