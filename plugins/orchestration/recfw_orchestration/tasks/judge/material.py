"""Whether every call matters: without any one of them, the target must stop being the one answer."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from recfw_orchestration.tasks.answer import Content, answer, arguments_of
from recfw_orchestration.tasks.records import Workflow

Run = Callable[[str, Mapping[str, Any]], Awaitable[Content | None]]


def fallen(flow: Workflow, dropped: str) -> set[str]:
    """Return a call and all that cannot be made without it: those that take a single value from what falls."""
    gone = {dropped}
    for call in flow.calls:
        origins = [one.origin for one in call.arguments.values() if one.origin is not None]
        if any(origin.pick != "ids" and gone.intersection(origin.calls) for origin in origins):
            gone.add(call.id)
    return gone


async def without(flow: Workflow, dropped: str, candidates: Sequence[str], run: Run) -> list[str] | None:
    """
    Return what the answer rule leaves when a call is dropped, with all that cannot be made without it.

    Calls that look at what it left look at the candidates instead; its own tests are passed by. None: a call failed.
    """
    gone = fallen(flow, dropped)
    results: dict[str, Content] = {}
    for call in flow.calls:
        if call.id in gone:
            continue
        sent = arguments_of(call, flow.answer, results, candidates)
        if sent.get("item_ids") == []:
            return []
        content = await run(call.tool, sent)
        if content is None:
            return None
        results[call.id] = content
    return answer(flow.answer, results, candidates)


async def immaterial(flow: Workflow, candidates: Sequence[str], target: str, run: Run) -> list[str]:
    """Return the calls without which the target is still the one answer, or that could not be left out to see."""
    found = []
    for call in flow.calls:
        left = await without(flow, call.id, candidates, run)
        if left is None or left == [target]:
            found.append(call.id)
    return found
