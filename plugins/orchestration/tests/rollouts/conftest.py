"""Tasks and traces made by hand: they share no code with what makes tasks or plays them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from attrs import Factory, field, frozen

from recfw.model.reply import Reply, ToolCall
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Event, ReplyEvent, ToolEvent, Trace, WorldEvent
from recfw.serialize import to_data
from recfw_orchestration.tasks.records import Allowed, AnswerRule, Edge, GoldCall, Keep, Workflow

CANDIDATES = tuple(f"C{number:02}" for number in range(1, 21))
TARGET = "C07"


def items(*ids: str, **more: Any) -> dict[str, Any]:
    """Return a result that lists items."""
    return {"items": [{"item_id": one, "name": f"Item {one}", **more} for one in ids], "total": len(ids)}


@frozen
class Sent:
    """A call as somebody might have sent it, and what came of it."""

    tool: str
    arguments: Mapping[str, Any] = Factory(dict)
    content: Any = field(factory=lambda: items("C01"))
    error: bool = False
    known: bool = True
    fits: bool = True
    new: int = 1

    @property
    def outcome(self) -> str:
        """What the round's event says of it."""
        if self.error:
            return "error"
        return "empty" if self.content.get("items") == [] else "ok"


def gold(name: str, tool: str, *after: Edge, **arguments: Any) -> GoldCall:
    """Return a gold call; an argument that is no Allowed may be that value alone."""
    allowed = {n: v if isinstance(v, Allowed) else Allowed((v,)) for n, v in arguments.items()}
    return GoldCall(name, tool, allowed, tuple(after))


def task(
    level: str, *calls: GoldCall, rounds: int = 1, target: str = TARGET, keep: Sequence[Keep] = (), **public: Any
) -> Task:
    """Return a task with a gold workflow."""
    shown = {
        "instruction": "I would like a light camera for hiking, nothing too dear",
        "user_id": "U1",
        "place": None,
        "time": None,
        "candidates": list(CANDIDATES),
        "tools": sorted({call.tool for call in calls}),
        **public,
    }
    private = {
        "target": target,
        "gold": to_data(Workflow(level, tuple(calls), rounds, AnswerRule(tuple(keep)))),
        "plain": "",
        "phrases": [],
    }
    name = f"{level}-{len(calls)}"
    return Task(name, name, {"level": level, "domain": "electronics", "ambiguity": "low"}, shown, private)


def trace(*rounds: Sequence[Sent], ranking: Sequence[str] | None = (TARGET,), stop: str = "ranked") -> Trace:
    """Return the trace of a rollout of these rounds, with its ranking at the end."""
    events: list[Event] = [ReplyEvent("user", 1, Reply("I would like a light camera"))]
    for number, sent in enumerate(rounds, start=1):
        calls = tuple(ToolCall.of(one.tool, **one.arguments) for one in sent)
        events.append(ReplyEvent("agent", 1, Reply(calls=calls)))
        told = []
        for position, one in enumerate(sent):
            executed = dict(one.arguments) if one.known and one.fits else None
            events.append(ToolEvent("agent", 1, position, one.tool, executed, one.content, one.error))
            told.append(
                {"tool": one.tool, "known": one.known, "fits": one.fits, "outcome": one.outcome, "new": one.new}
            )
        events.append(WorldEvent("round", {"round": number, "calls": told, "tokens": 10}))
    if ranking is not None:
        events.append(ReplyEvent("agent", 1, Reply(data={"ranking": list(ranking), "explanation": "so"})))
        events.append(WorldEvent("ranking", {"ids": list(ranking), "outside": 0}))
    events.append(EndEvent(stop))
    return Trace(tuple(events))


@frozen
class Made:
    """What tests make their cases of."""

    sent: type[Sent] = Sent
    items: Callable[..., dict[str, Any]] = items
    gold: Callable[..., GoldCall] = gold
    task: Callable[..., Task] = task
    trace: Callable[..., Trace] = trace
    candidates: tuple[str, ...] = CANDIDATES
    target: str = TARGET


@pytest.fixture(scope="session")
def made() -> Made:
    """Return what cases are made of."""
    return Made()
