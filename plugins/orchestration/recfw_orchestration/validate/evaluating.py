"""Workflows played anew: calls on live servers, and the answer rule read by an evaluator of the validator's own."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import orjson
from attrs import define, field

from recfw_orchestration.validate.reading import Call, Case

Rows = list[Mapping[str, Any]]
Ask = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any] | None]]
"""Makes a call: its result, or None where the tool refused it."""

_SYMBOLS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda left, right: bool(left == right),
    "ge": lambda left, right: bool(left >= right),
    "le": lambda left, right: bool(left <= right),
    "gt": lambda left, right: bool(left > right),
    "lt": lambda left, right: bool(left < right),
    "has": lambda left, right: bool(right in left),
}


def rows_of(result: Mapping[str, Any]) -> Rows:
    """Return a result's entries; a result without a list is its own one entry."""
    return list(result["items"]) if "items" in result else [result]


def mentioned(result: Mapping[str, Any]) -> set[str]:
    """Return the items that a result names."""
    found: set[str] = set()
    for row in rows_of(result):
        found |= {row["item_id"]} if "item_id" in row else set()
        found |= set(row.get("item_ids", ()))
    return found


def passes(rule: Mapping[str, Any], result: Mapping[str, Any], item: str) -> bool:
    """Tell whether one candidate passes one test."""
    if rule["test"] in ("listed", "unlisted"):
        return bool((item in mentioned(result)) == (rule["test"] == "listed"))
    values = [row[rule["field"]] for row in rows_of(result) if row.get("item_id") == item and rule["field"] in row]
    return any(value is not None and _holds(rule["test"], value, rule["value"]) for value in values)


def _holds(test: str, left: Any, right: Any) -> bool:
    try:
        return _SYMBOLS[test](left, right)
    except TypeError:  # what cannot be compared passes nothing
        return False


@define
class Play:
    """
    One way through a workflow.

    Args:
        case: The task.
        ask: Makes calls.
        without: Calls that are not made; what would look at what they left looks at the candidates.
        moved: (call, argument) -> a value to send instead of gold's.
        omitted: (call, argument) pairs that are not sent.
    """

    case: Case
    ask: Ask
    without: Collection[str] = ()
    moved: Mapping[tuple[str, str], Any] = field(factory=dict)
    omitted: Collection[tuple[str, str]] = ()
    sent: dict[str, dict[str, Any]] = field(factory=dict, init=False)
    results: dict[str, dict[str, Any]] = field(factory=dict, init=False)

    async def run(self) -> str:
        """Make the calls in order; return the id of the first that failed, or nothing."""
        for call in self.case.calls:
            if call.id in self.without:
                continue
            kept = {name: one for name, one in call.arguments.items() if (call.id, name) not in self.omitted}
            arguments = {name: self._value(call, name, one) for name, one in kept.items()}
            if call.limit is not None:
                arguments["limit"] = call.limit
            self.sent[call.id] = arguments
            if any(value is None or value == [] for value in arguments.values()):
                return call.id
            result = await self.ask(call.tool, arguments)
            if result is None:
                return call.id
            self.results[call.id] = result
        return ""

    def _value(self, call: Call, name: str, one: Mapping[str, Any]) -> Any:
        if (call.id, name) in self.moved:
            return self.moved[call.id, name]
        origin = one["origin"]
        if origin is None:
            return one["values"][0]
        if origin["pick"] == "ids":
            return self.left(origin["calls"])
        value = _picked(origin, [row for source in origin["calls"] for row in rows_of(self.results[source])])
        return [value] if one["kind"] == "set" and value is not None else value

    def left(self, calls: Collection[str] | None = None) -> list[str]:
        """Return the candidates that pass all tests, or those of some calls, in their order."""
        rules = [rule for rule in self.case.keep if rule["call"] in self.results]
        if calls is not None:
            rules = [rule for rule in rules if rule["call"] in calls]
        return [c for c in self.case.candidates if all(passes(rule, self.results[rule["call"]], c) for rule in rules)]

    def answers(self) -> list[str]:
        """Return all candidates that are the answer; one where it is unique."""
        left, best = self.left(), self.case.best
        if best is None or best["call"] not in self.results:
            return left
        numbers: dict[str, float] = {}
        for row in rows_of(self.results[best["call"]]):
            if row.get("item_id") in left and row.get(best["field"]) is not None:
                numbers[row["item_id"]] = row[best["field"]]
        if not numbers:
            return []
        top = max(numbers.values()) if best["descending"] else min(numbers.values())
        return [item for item in left if numbers.get(item) == top]


def _picked(origin: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Any:
    name = origin["field"]
    values = [row[name] for row in rows if row.get(name) is not None]
    if not values:
        return None
    if origin["pick"] == "first":
        return values[0]
    if origin["pick"] == "most":
        return max(values, key=values.count)  # the first of equally frequent ones
    best = None
    for row in rows:
        if row.get(name) is not None and (best is None or row[origin["by"]] > best[origin["by"]]):
            best = row
    return best[name] if best else None


class Memory:
    """Makes each distinct call once."""

    def __init__(self, desk: Any) -> None:
        self._desk, self._known = desk, dict[bytes, dict[str, Any] | None]()

    async def ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Return a call's result, or None where it was refused."""
        key = orjson.dumps([tool, arguments], option=orjson.OPT_SORT_KEYS)
        if key not in self._known:
            outcome = await self._desk.call(tool, arguments, 60.0)
            self._known[key] = None if outcome.is_error else outcome.content
        return self._known[key]

    def forget(self) -> None:
        """Forget all answers: those of one task are of no use to the next."""
        self._known.clear()
