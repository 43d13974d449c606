"""
The rule-based judge: what a model judge is asked, answered by rules, so that a report is whole without a model.

It answers the same questions at the same levels, on the same scale (points = 1 + 9x), under names of its own: its
figures never stand in a model judge's column. It sees what the model sees; only ``ruled_planning`` and
``ruled_dependency`` look at the gold workflow.

- ``ruled_parameters`` (L1, L2, L4): the mean over calls of the share of arguments that are grounded, times 1 where the
  call was successful, 0.5 where it found nothing, 0 where it failed. Ids must be the user's, a candidate's, or stand in
  an earlier round's result; coordinates must be those of the place or of an earlier result; times the task's, within 30
  minutes; of other words one must have a stem with which a word
  of the request, the place or an earlier result begins. Numbers, truth
  values and the choices of :data:`FREE` need no ground. A call without arguments is fully grounded.
- ``ruled_grounding`` (L3, L4): the mean of two: whether the first place stands in a successful result, and the share of
  the first five that do. 0 without a ranking.
- ``ruled_dependency`` (L3): dependency awareness (:mod:`recfw_orchestration.metrics.edges`).
- ``ruled_planning`` (L4): the mean of the tool selection F1 and dependency awareness.
- ``ruled_efficiency`` (L4): 1 less the share of unproductive calls (:mod:`recfw_orchestration.taxonomy`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from recfw.model.task import Task
from recfw_orchestration.metrics.edges import dependency_awareness
from recfw_orchestration.metrics.matching import matches, stems, within_meters
from recfw_orchestration.metrics.played import Call, Played
from recfw_orchestration.metrics.ratios import selection_f1
from recfw_orchestration.rollout.bus import every_value, item_ids
from recfw_orchestration.tasks.records import Workflow
from recfw_orchestration.taxonomy import unproductive

FIGURES: Mapping[str, str] = {
    "ruled_parameters": "rule-based judge, 1 to 10: are arguments grounded in request, facts and results (L1, L2, L4)",
    "ruled_grounding": "rule-based judge, 1 to 10: does the ranking stand in results (L3, L4)",
    "ruled_dependency": "rule-based judge, 1 to 10: were dependencies followed (L3)",
    "ruled_planning": "rule-based judge, 1 to 10: the right tools in a right order (L4)",
    "ruled_efficiency": "rule-based judge, 1 to 10: share of calls that were productive (L4)",
}
ASKED: Mapping[str, tuple[str, ...]] = {
    "L1": ("ruled_parameters",),
    "L2": ("ruled_parameters",),
    "L3": ("ruled_grounding", "ruled_dependency"),
    "L4": ("ruled_planning", "ruled_efficiency", "ruled_parameters", "ruled_grounding"),
}
FREE = frozenset({"sort", "basis", "domain", "limit"})
"""Arguments that are a choice of how to look, not of what to look for."""
TOP = 5
EMPTY_WORTH = 0.5


def rate(task: Task, played: Played, flow: Workflow) -> dict[str, float]:
    """Return the points of every question that is asked at the task's level."""
    tools = [call.tool for call in flow.calls]
    dependency = dependency_awareness(played.calls, flow)
    rules = {
        "ruled_parameters": lambda: _parameters(task.public, played),
        "ruled_grounding": lambda: _grounding(played),
        "ruled_dependency": lambda: dependency or 0.0,
        "ruled_planning": lambda: (selection_f1(played.calls, tools) + (dependency or 0.0)) / 2,
        "ruled_efficiency": lambda: _efficiency(played.calls, tools),
    }
    asked = ASKED.get(task.facets.get("level", ""), ())
    return {name: 1.0 + 9.0 * (rules[name]() if played.calls else 0.0) for name in asked}


def _efficiency(calls: Sequence[Call], tools: Sequence[str]) -> float:
    return 1.0 - unproductive(calls, tools) / len(calls)


def _grounding(played: Played) -> float:
    ranking = (played.ranking or ())[:TOP]
    if not ranking:
        return 0.0
    seen = {item for call in played.calls if call.ok for item in item_ids(call.content)}
    return (float(ranking[0] in seen) + sum(item in seen for item in ranking) / len(ranking)) / 2


def _parameters(public: Mapping[str, Any], played: Played) -> float:
    ground = _Ground.of(public)
    total = 0.0
    for number in range(1, played.rounds + 1):
        calls = played.of_round(number)
        total += sum(_worth(call, ground) for call in calls)
        for call in calls:
            ground.add(call)
    return total / len(played.calls)


def _worth(call: Call, ground: "_Ground") -> float:
    if not (call.known and call.fits) or call.outcome == "error":
        return 0.0
    sent = {name: value for name, value in call.arguments.items() if value is not None}
    share = sum(ground.holds(name, value) for name, value in sent.items()) / len(sent) if sent else 1.0
    return share * (1.0 if call.ok else EMPTY_WORTH)


@define
class _Ground:
    """What an argument may come from, as far as the rollout has got."""

    time: str
    values: set[Any] = field(factory=set)
    numbers: list[float] = field(factory=list)
    words: set[str] = field(factory=set)
    texts: list[str] = field(factory=list)

    @classmethod
    def of(cls, public: Mapping[str, Any]) -> "_Ground":
        ground = cls(str(public.get("time") or ""))
        known = [public["instruction"], public.get("user_id"), public.get("place"), public["candidates"]]
        ground._take(known)
        return ground

    def add(self, call: Call) -> None:
        if call.ok:
            self._take(call.content)

    def _take(self, content: Any) -> None:
        for value in every_value(content):
            if isinstance(value, str):
                self.values.add(value)
                self.texts.append(value)
            elif isinstance(value, float):
                self.numbers.append(value)

    def holds(self, name: str, value: Any) -> bool:
        """Tell whether an argument is grounded; of a list every element must be."""
        if name in FREE:
            return True
        return all(self._holds(name, each) for each in _elements(value))

    def _holds(self, name: str, value: Any) -> bool:
        if name.endswith(("_id", "_ids")):
            return value in self.values
        if name.endswith("_time"):
            return matches("time", (self.time,), value)
        if name.endswith(("lat", "lon")):
            return any(within_meters(number, float(value)) for number in self.numbers)
        return not isinstance(value, str) or value in self.values or self._shares_word(value)

    def _shares_word(self, text: str) -> bool:
        while self.texts:
            self.words.update(re.findall(r"\w+", self.texts.pop().casefold()))
        own = stems(text)
        return any(word.startswith(stem) for stem in own for word in self.words)


def _elements(value: Any) -> Iterator[Any]:
    yield from value if isinstance(value, list) else (value,)
