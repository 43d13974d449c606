"""A task as the validator reads it: plain JSON, field by field, so that a malformed one is told, not raised."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw.model.task import Task

DOMAINS = ("electronics", "local", "places")
LEVELS = ("L1", "L2", "L3", "L4")


class MalformedError(Exception):
    """A task is not of the shape that all other rules take for granted."""


@frozen
class Call:
    """One gold call: which arguments are fixed, and which come from where."""

    id: str
    tool: str
    arguments: Mapping[str, Mapping[str, Any]]
    after: tuple[tuple[str, str], ...]
    """(producer, argument)."""
    limit: int | None


@frozen
class Case:
    """A task, its parts by name."""

    task: Task
    id: str
    level: str
    domain: str
    ambiguity: str
    instruction: str
    user: str
    candidates: tuple[str, ...]
    target: str
    calls: tuple[Call, ...]
    keep: tuple[Mapping[str, Any], ...]
    best: Mapping[str, Any] | None
    rounds: int
    phrases: tuple[Mapping[str, Any], ...]

    def call(self, name: str) -> Call:
        """Return a call by id."""
        return next(call for call in self.calls if call.id == name)


def read(task: Task) -> Case:
    """Return a task's parts; MalformedError in words where it is not of the right shape."""
    try:
        gold, public, private = task.private["gold"], task.public, task.private
        case = Case(
            task,
            task.id,
            task.facets["level"],
            task.facets["domain"],
            task.facets["ambiguity"],
            public["instruction"],
            public["user_id"],
            tuple(public["candidates"]),
            private["target"],
            tuple(_call(row) for row in gold["calls"]),
            tuple(gold["answer"]["keep"]),
            gold["answer"]["best"],
            gold["rounds"],
            tuple(private["phrases"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedError(f"its form is wrong: {type(error).__name__}: {error}") from error
    if fault := _fault(case, gold):
        raise MalformedError(fault)
    return case


def _call(row: Mapping[str, Any]) -> Call:
    after = tuple((edge["producer"], edge["argument"]) for edge in row["after"])
    return Call(row["id"], row["tool"], row["arguments"], after, row.get("limit"))


def _fault(case: Case, gold: Mapping[str, Any]) -> str:
    """Return what is wrong with the names that parts of a task use of one another."""
    if case.level not in LEVELS or case.domain not in DOMAINS or gold["level"] != case.level:
        return f"its level or domain is none: {case.level}, {gold['level']}, {case.domain}"
    seen: list[str] = []
    for call in case.calls:
        used = {source for one in call.arguments.values() for source in (one["origin"] or {"calls": ()})["calls"]}
        if call.id in seen or not used.issubset(seen) or not {producer for producer, _ in call.after}.issubset(seen):
            return f"call {call.id} is there twice, or needs a call that does not come before it"
        if any(one["origin"] is None and not one["values"] for one in call.arguments.values()):
            return f"call {call.id} has an argument without a value"
        seen.append(call.id)
    asked = [rule["call"] for rule in (*case.keep, *([case.best] if case.best else []))]
    if not seen or not set(asked).issubset(seen):
        return "its answer rule asks for a call that is not there"
    return ""


def words_in(value: Any) -> Sequence[str]:
    """Return the scalars within a JSON value, as strings."""
    if isinstance(value, Mapping):
        return [word for inner in value.values() for word in words_in(inner)]
    if isinstance(value, list | tuple):
        return [word for inner in value for word in words_in(inner)]
    return [] if value is None else [str(value)]
