"""The last run: a draft with its candidates becomes a gold workflow, every value taken from live results."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from recfw_orchestration.tasks.answer import Content, answer, arguments_of, named, passing
from recfw_orchestration.tasks.records import Allowed, GoldCall, Workflow, rounds_of
from recfw_orchestration.tasks.synthesize.draft import CANDIDATES, MOST, Draft
from recfw_orchestration.tasks.synthesize.leaving import settle_optional


@frozen
class Finished:
    """A workflow, its candidates, and what each of its calls answered."""

    workflow: Workflow
    candidates: tuple[str, ...]
    results: Mapping[str, Content]


async def finish(draft: Draft, level: str, candidates: Sequence[str]) -> Finished | None:
    """Run a draft among its candidates; None where a call fails or is empty, or the answer is not the target."""
    rule, results, calls = draft.rule, dict[str, Content](), list[GoldCall]()
    for drafted in draft.calls:
        call = _placed(drafted, candidates)
        sent = arguments_of(call, rule, results, candidates)
        if any(value in (None, []) for value in sent.values()):
            return None
        content = await draft.run(call.tool, sent)
        if not content or content.get("items", True) == []:
            return None
        calls.append(_settled(call, draft, sent, results))
        results[call.id] = content
    if answer(rule, results, candidates) != [draft.target]:
        return None
    made = tuple(calls)
    flow = ">".join(wish.kind for wish in draft.wishes)
    workflow = Workflow(level, made, max(rounds_of(made).values()), rule, flow)
    settled = await settle_optional(workflow, candidates, draft.target, draft.run)
    return Finished(settled, tuple(candidates), results)


def _placed(call: GoldCall, candidates: Sequence[str]) -> GoldCall:
    """Put the candidates where they belong."""
    put = {
        name: evolve(one, values=(list(candidates),)) if one.values == (CANDIDATES,) else one
        for name, one in call.arguments.items()
    }
    return evolve(call, arguments=put)


def _settled(call: GoldCall, draft: Draft, sent: Mapping[str, Any], results: Mapping[str, Content]) -> GoldCall:
    """Write down what live values came to; for lists, also all that the producers named, candidates or not."""
    settled: dict[str, Allowed] = {}
    for name, one in call.arguments.items():
        if one.origin is None:
            settled[name] = one
            continue
        values = [sent[name]]
        if one.origin.pick == "ids":
            whole = _whole(draft, one.origin.calls, results)
            if sorted(whole) != sorted(sent[name]) and 0 < len(whole) <= MOST:
                values.append(whole)
        settled[name] = evolve(one, values=tuple(values))
    return evolve(call, arguments=settled)


def _whole(draft: Draft, calls: Sequence[str], results: Mapping[str, Content]) -> list[str]:
    """Return every item, candidate or not, that passes all that is asked of some calls."""
    found: list[str] | None = None
    for keep in draft.keeps:
        if keep.call in calls and keep.test != "unlisted":
            content = results[keep.call]
            passed = passing(keep, content, named(content))
            order = named(content) if found is None else found
            found = [item for item in order if item in passed]
    return found or []
