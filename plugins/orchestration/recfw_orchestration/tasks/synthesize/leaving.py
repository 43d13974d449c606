"""Arguments that may be left out: those without which the live run comes to the same answer."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from recfw_orchestration.tasks.answer import Content, answer, arguments_of
from recfw_orchestration.tasks.records import Allowed, GoldCall, Workflow
from recfw_orchestration.tasks.synthesize.running import Runner

Place = tuple[str, str]
"""A call's id and the name of one of its arguments."""
Sent = Mapping[str, Mapping[str, Any]]
"""Call id -> what it was asked."""


async def settle_optional(flow: Workflow, candidates: Sequence[str], target: str, run: Runner) -> Workflow:
    """
    Return a workflow of whose arguments only those may be left out without which its answer is still the target.

    Tried are the arguments that a draft marks, each alone and with those found before it. What later calls take from
    such a run becomes one of their allowed values: whoever leaves the argument out asks about that.
    """
    spare: list[Place] = []
    runs: list[Sent] = []
    for place in _marked(flow):
        outs = [[place], [*spare, place]] if spare else [[place]]
        tried = [await _without(flow, out, candidates, target, run) for out in outs]
        found = [sent for sent in tried if sent is not None]
        if len(found) == len(tried):
            spare.append(place)
            runs += found
    return evolve(flow, calls=tuple(_settled(call, spare, runs) for call in flow.calls))


def _marked(flow: Workflow) -> Iterator[Place]:
    for call in flow.calls:
        yield from ((call.id, name) for name, one in call.arguments.items() if one.optional)


async def _without(
    flow: Workflow, out: Collection[Place], candidates: Sequence[str], target: str, run: Runner
) -> Sent | None:
    """Return what each call was asked in a run without some arguments; None where it does not lead to the target."""
    results, told = dict[str, Content](), dict[str, Mapping[str, Any]]()
    for call in flow.calls:
        sent = arguments_of(call, flow.answer, results, candidates)
        told[call.id] = {name: value for name, value in sent.items() if (call.id, name) not in out}
        if any(value in (None, []) for value in sent.values()):
            return None
        content = await run(call.tool, told[call.id])
        if not content or content.get("items", True) == []:
            return None
        results[call.id] = content
    return told if answer(flow.answer, results, candidates) == [target] else None


def _settled(call: GoldCall, spare: Collection[Place], runs: Sequence[Sent]) -> GoldCall:
    settled: dict[str, Allowed] = {}
    for name, one in call.arguments.items():
        values = list(one.values)
        for sent in runs if one.origin is not None else ():
            value = sent[call.id][name]
            if not any(_same(value, known) for known in values):
                values.append(value)
        settled[name] = evolve(one, values=tuple(values), optional=(call.id, name) in spare)
    return evolve(call, arguments=settled)


def _same(value: Any, known: Any) -> bool:
    """Tell whether two values are equal; lists of ids, in any order."""
    return sorted(value) == sorted(known) if isinstance(value, list) and isinstance(known, list) else value == known
