"""A task as the validator reads it: plain JSON, field by field, so that a malformed one is told, not raised."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any

from attrs import frozen

from recfw.errors import DataError
from recfw.model.task import Task
from recfw.serialize import from_data, to_data
from recfw_orchestration.tasks.records import Phrase, Workflow

DOMAINS = ("electronics", "local", "places")
LEVELS = ("L1", "L2", "L3", "L4")
PUBLIC = frozenset({"instruction", "user_id", "place", "time", "candidates", "tools"})
PRIVATE = frozenset({"target", "gold", "plain", "phrases"})
NUMBERS = ("number", "coordinate", "radius")
"""Kinds of arguments that are numbers."""


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
    fields: tuple[str, ...]
    """Of each of these, the field of the producer's result, ``items[].item_id``."""
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
        public, private = task.public, task.private
        gold = to_data(from_data(private["gold"], Workflow, "gold"))
        phrases = to_data(from_data(private["phrases"], tuple[Phrase, ...], "phrases"))
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
            tuple(phrases),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedError(f"its form is wrong: {type(error).__name__}: {error}") from error
    except DataError as error:
        raise MalformedError(error.message) from error
    if fault := _spare(task) or _untyped(case) or _fault(case, gold):
        raise MalformedError(fault)
    return case


def _call(row: Mapping[str, Any]) -> Call:
    after = tuple((edge["producer"], edge["argument"]) for edge in row["after"])
    return Call(row["id"], row["tool"], row["arguments"], after, tuple(e["field"] for e in row["after"]), row["limit"])


def _spare(task: Task) -> str:
    """Return which parts of a task are too many, too few or not of their type."""
    public = task.public
    unknown = sorted({*public} - PUBLIC | {*task.private} - PRIVATE)
    missing = sorted(PUBLIC - {*public} | PRIVATE - {*task.private})
    if unknown or missing:
        return f"it has a part that nothing reads, or lacks one: {', '.join((*unknown, *missing))}"
    lists = (public["candidates"], public["tools"])
    if not all(isinstance(each, list | tuple) for each in lists):
        return "its candidates or its tools are no list"
    strings = (public["instruction"], public["user_id"], task.private["target"], task.private["plain"])
    if not all(isinstance(each, str) for each in (*strings, *(word for each in lists for word in each))):
        return "its request, user, target, or one of its candidates or tools, is no string"
    if public["time"] is not None and not _fits(public["time"], "time"):
        return f"its time is none: {public['time']}"
    if public["place"] is not None and not isinstance(public["place"], Mapping):
        return f"its place is none: {public['place']}"
    return ""


def _untyped(case: Case) -> str:
    """Return which argument has a value, or a tolerance, that its kind cannot have."""
    for call in case.calls:
        for name, one in call.arguments.items():
            if not (isfinite(one["tolerance"]) and one["tolerance"] >= 0):
                return f"{call.id}.{name}: {one['tolerance']} is no tolerance"
            odd = [value for value in one["values"] if not _fits(value, one["kind"])]
            if odd and one["origin"] is None:
                return f"{call.id}.{name}: {odd[0]!r} is none for an argument of the kind '{one['kind']}'"
    return ""


def _fits(value: Any, kind: str) -> bool:
    if kind in NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if kind == "set":
        return isinstance(value, list | tuple)
    if kind != "time":
        return isinstance(value, str) or kind != "text"
    try:
        return datetime.fromisoformat(value).tzinfo is None
    except (TypeError, ValueError):
        return False


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
