"""What a judge is shown of a rollout: request, known facts, each round with its calls and results, the answer."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from recfw.model.reply import ToolResult
from recfw.model.rubric import Transcript
from recfw.model.task import Task
from recfw.model.trace import EndEvent, ReplyEvent, ToolEvent, Trace
from recfw_orchestration.rollout.telling import shortened

MOST_SHOWN = 600
"""Characters of a result that a judge is shown."""
REFERENCED = ("L3",)
"""Levels whose judge is shown the gold workflow as a reference; the others' must not know it."""


def transcript(task: Task, trace: Trace) -> Transcript:
    """Return what a judge is shown; the reference workflow only at the levels that have one."""
    public = task.public
    known = {name: public.get(name) for name in ("user_id", "place", "time") if public.get(name)}
    lines = [f"Request: {public['instruction']}", f"Known: {orjson.dumps(known).decode()}"]
    lines.append(f"Candidates: {', '.join(public['candidates'])}")
    if task.facets.get("level") in REFERENCED:
        lines += ["Reference workflow:", *_reference(task.private["gold"])]
    return Transcript("\n".join(lines), tuple(_dialogue(trace)))


def _reference(gold: Mapping[str, Any]) -> Iterator[str]:
    for call in gold["calls"]:
        values = {name: allowed["values"][0] for name, allowed in call["arguments"].items()}
        after = sorted({edge["producer"] for edge in call["after"]})
        needs = f", after {', '.join(after)}" if after else ""
        yield f"- {call['id']}{needs}: {call['tool']} {shortened(orjson.dumps(values).decode(), MOST_SHOWN)}"


def _dialogue(trace: Trace) -> Iterator[tuple[str, str]]:
    number = 0
    for event in trace.events:
        match event:
            case ReplyEvent("user", _, reply):
                yield "user", reply.text
            case ReplyEvent("agent", _, reply):
                number += bool(reply.calls)
                said = reply.text or ("" if reply.data is None else orjson.dumps(reply.data).decode())
                if said:
                    yield "assistant", said
            case ToolEvent("agent"):
                arguments = "(refused)" if event.arguments is None else orjson.dumps(event.arguments).decode()
                result = ToolResult(event.content).text()
                cut = f"{result[:MOST_SHOWN]}… ({len(result):,} characters)" if len(result) > MOST_SHOWN else result
                marked = f"error: {cut}" if event.error else cut
                yield f"round {number}, call {event.position + 1}: {event.tool}", f"{arguments} -> {marked}"
            case EndEvent(stop):
                yield "end", stop
            case _:
                pass
