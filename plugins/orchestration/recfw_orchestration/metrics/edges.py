"""
Dependency awareness by rule: whether what a step needs came from the step before it.

An edge of the gold workflow says that an argument of one call (the consumer's) follows from a field of another call's
result (the producer's). It is met where some call to the consumer's tool ran in a later round than a successful call to
the producer's tool, and the argument that it was sent stands under that field in such a result. Ids of items stand
under ``item_id`` or, in pages, in ``item_ids``: either will do.

Of a list, each element must stand in an earlier result of one of the argument's producers, and at least one in this
producer's. Where the workflow goes on with the candidates that a result does *not* name, no element may stand in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw_orchestration.metrics.matching import same, within_meters
from recfw_orchestration.metrics.played import Call
from recfw_orchestration.rollout.bus import ID, IDS, item_ids
from recfw_orchestration.tasks.records import Edge, GoldCall, Workflow


def dependency_awareness(calls: Sequence[Call], flow: Workflow) -> float | None:
    """Return the share of the gold workflow's edges that were met; None where it has none, 0 without a call."""
    edges = [(consumer, edge) for consumer in flow.calls for edge in consumer.after]
    if not edges:
        return None
    return sum(is_met(calls, flow, consumer, edge) for consumer, edge in edges) / len(edges)


def is_met(calls: Sequence[Call], flow: Workflow, consumer: GoldCall, edge: Edge) -> bool:
    """Tell whether one edge of a consumer is met."""
    tools = {one.id: one.tool for one in flow.calls}
    left_out = {keep.call for keep in flow.answer.keep if keep.test == "unlisted"}
    beside = [one for one in consumer.after if one.argument == edge.argument and one.producer not in left_out]
    sent = [call for call in calls if call.tool == consumer.tool and call.arguments.get(edge.argument) is not None]
    for call in sent:
        earlier = _Earlier(tuple(one for one in calls if one.round < call.round and one.ok), tools)
        value = call.arguments[edge.argument]
        met = earlier.spares(value, edge) if edge.producer in left_out else earlier.gives(value, edge, beside)
        if met:
            return True
    return False


@frozen
class _Earlier:
    """The successful calls of earlier rounds, and the tool of each gold call."""

    calls: Sequence[Call]
    tools: Mapping[str, str]

    def gives(self, value: Any, edge: Edge, beside: Sequence[Edge]) -> bool:
        """Tell whether a value comes from an edge's producer; elements of a list, from any of those beside it, too."""
        own = self._given(edge)
        if not isinstance(value, list):
            return _stands(value, own)
        whole = [given for other in beside for given in self._given(other)]
        return bool(value) and any(_stands(each, own) for each in value) and all(_stands(each, whole) for each in value)

    def spares(self, value: Any, edge: Edge) -> bool:
        """Tell whether an edge's producer was asked, and none of the value's elements stands in what it gave."""
        asked = any(one.tool == self.tools[edge.producer] for one in self.calls)
        own = self._given(edge)
        return asked and not any(_stands(each, own) for each in (value if isinstance(value, list) else [value]))

    def _given(self, edge: Edge) -> list[Any]:
        """Return what an edge's producer gave under its field, in the results of earlier calls to its tool."""
        tool, key = self.tools[edge.producer], key_of(edge.field)
        return [value for one in self.calls if one.tool == tool for value in values_under(one.content, key)]


def key_of(field: str) -> str:
    """Return the last name of a field reference: ``items[].item_id`` is read as ``item_id``."""
    return field.replace("]", "").replace("[", ".").rstrip(".0123456789*").rsplit(".", 1)[-1]


def values_under(content: Any, key: str) -> Iterator[Any]:
    """Yield the scalars that stand under a key of a result, at any depth; elements of a list under it one by one."""
    if key in (ID, IDS):
        yield from item_ids(content)
        return
    if isinstance(content, Mapping):
        for name, value in content.items():
            if name == key:
                yield from _scalars(value)
            if isinstance(value, Mapping | list):
                yield from values_under(value, key)
    elif isinstance(content, list):
        for value in content:
            yield from values_under(value, key)


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from (each for each in value if not isinstance(each, Mapping | list))
    elif not isinstance(value, Mapping):
        yield value


def _stands(value: Any, given: Sequence[Any]) -> bool:
    """Tell whether a value is among those given; a number within what 50 m are in degrees, as results are rounded."""
    return any(same(each, value) or within_meters(each, value) for each in given)
