"""The candidate bus: every item that a result named, and the calls that found it, outside the planner's context."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

ID, IDS = "item_id", "item_ids"
"""Where every tool's result names items: one under the first key, a list of them under the second."""


def item_ids(content: Any) -> Iterator[str]:
    """Yield the ids of the items that a result names, at any depth, in reading order; an id may come several times."""
    waiting = [content]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            yield from (value[ID],) if isinstance(value.get(ID), str) else ()
            named = value.get(IDS)
            yield from (each for each in named if isinstance(each, str)) if isinstance(named, list) else ()
            waiting += [value[key] for key in reversed(value) if isinstance(value[key], dict | list)]
        elif isinstance(value, list):
            waiting += reversed(value)


@define
class CandidateBus:
    """
    Item -> the calls that found it, oldest first; a call is named round.position, both from 1.

    It survives compression: what the planner no longer sees of a result it can still address by id.
    """

    found: dict[str, list[str]] = field(factory=dict)

    def take(self, call: str, content: Any) -> int:
        """Note what a call's result names; return how many of the items are new."""
        before = len(self.found)
        for item in dict.fromkeys(item_ids(content)):
            self.found.setdefault(item, []).append(call)
        return len(self.found) - before

    def words(self, candidates: Sequence[str], most: int) -> str:
        """
        Return the bus in words for the planner: the candidates on it, then what else was found most often.

        Args:
            candidates: The task's candidate ids.
            most: Most other items to name.
        """
        own = set(candidates)
        ranked = sorted(self.found, key=lambda item: (item not in own, -len(self.found[item]), item))
        inside = sum(item in own for item in self.found)
        named = ranked[: inside + most]
        told = [f"{item} ({', '.join(self.found[item])})" for item in named]
        left = f"; {len(ranked) - len(named)} more" if len(ranked) > len(named) else ""
        head = f"{len(self.found)} items found, {inside} of the {len(own)} candidates among them"
        return f"{head}: {'; '.join(told)}{left}." if told else f"{head}."


def empty(content: Any) -> bool:
    """Tell whether a result that is no error holds nothing: no content, or a list of items without one."""
    if isinstance(content, Mapping):
        listed = content.get("items")
        return not content or (isinstance(listed, list) and not listed)
    return content is None or content in ("", [])


def every_value(content: Any) -> Iterator[Any]:
    """Yield the scalars of a result, at any depth, in reading order."""
    waiting = [content]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += reversed(list(value.values()))
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
        else:
            yield value
