"""
The answer rule: which candidates the results of a gold workflow leave, and what one result gives the next call.

A result is a call's structured content. Its entries are the elements of ``items``, or itself where it has no such list;
an entry names the item under ``item_id`` and those under ``item_ids``.
"""

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from recfw_orchestration.tasks.records import AnswerRule, Best, GoldCall, Keep, Origin

Content = Mapping[str, Any]
Results = Mapping[str, Content]
"""Call id -> what it answered."""

_COMPARES: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ge": operator.ge,
    "le": operator.le,
    "gt": operator.gt,
    "lt": operator.lt,
    "has": operator.contains,
}


def entries(content: Content) -> list[Mapping[str, Any]]:
    """Return a result's entries, in its order."""
    listed = content.get("items")
    return list(listed) if isinstance(listed, list) else [content]


def named(content: Content) -> list[str]:
    """Return the items that a result names, each once, in its order."""
    found: dict[str, None] = {}
    for entry in entries(content):
        if isinstance(entry.get("item_id"), str):
            found[entry["item_id"]] = None
        found.update(dict.fromkeys(entry.get("item_ids") or ()))
    return list(found)


def passing(keep: Keep, content: Content, candidates: Collection[str]) -> set[str]:
    """Return the candidates that pass one test."""
    if keep.test == "listed":
        return set(named(content)).intersection(candidates)
    if keep.test == "unlisted":
        return set(candidates).difference(named(content))
    own = set(candidates)
    return {e["item_id"] for e in entries(content) if e.get("item_id") in own and _holds(keep, e.get(keep.field))}


def _holds(keep: Keep, value: Any) -> bool:
    return value is not None and bool(_COMPARES[keep.test](value, keep.value))


def scores(best: Best, content: Content) -> dict[str, float]:
    """Return item -> the number that it is ranked by, higher better; items without one are left out."""
    sign = 1.0 if best.descending else -1.0
    return {e["item_id"]: sign * e[best.field] for e in _with(content, best.field)}


def _with(content: Content, field: str) -> Iterator[Mapping[str, Any]]:
    return (entry for entry in entries(content) if "item_id" in entry and entry.get(field) is not None)


def staying(keeps: Sequence[Keep], results: Results, candidates: Sequence[str]) -> list[str]:
    """Return the candidates that pass every test, in candidate order; a test of a call without result is passed by."""
    left = set(candidates)
    for keep in keeps:
        if keep.call in results:
            left &= passing(keep, results[keep.call], candidates)
    return [item for item in candidates if item in left]


def answer(rule: AnswerRule, results: Results, candidates: Sequence[str]) -> list[str]:
    """
    Return the candidates that the rule leaves: one where it is unique.

    Calls without a result demand nothing: so a rule can be asked what it would answer without one of its calls.
    """
    left = staying(rule.keep, results, candidates)
    if rule.best is None or rule.best.call not in results:
        return left
    ranked = scores(rule.best, results[rule.best.call])
    top = max((ranked[item] for item in left if item in ranked), default=None)
    return [item for item in left if top is not None and ranked.get(item) == top]


def ranking(rule: AnswerRule, results: Results, candidates: Sequence[str]) -> list[str]:
    """Return the answer first, then the others that stay (by rank, where the rule has one), then nothing."""
    first = answer(rule, results, candidates)
    left = [item for item in staying(rule.keep, results, candidates) if item not in first]
    if rule.best is not None and rule.best.call in results:
        ranked = scores(rule.best, results[rule.best.call])
        left = sorted((item for item in left if item in ranked), key=lambda item: (-ranked[item], item))
    return first + left


def value_of(origin: Origin, rule: AnswerRule, results: Results, candidates: Sequence[str]) -> Any:
    """Return what an argument is in a live run; None (or an empty list) where the results do not give it."""
    if origin.pick == "ids":
        return staying([keep for keep in rule.keep if keep.call in origin.calls], results, candidates)
    given = (entry for call in origin.calls if call in results for entry in entries(results[call]))
    rows = [entry for entry in given if entry.get(origin.field) is not None]
    if not rows:
        return None
    match origin.pick:
        case "max":
            return max(rows, key=lambda row: float(row[origin.by]))[origin.field]
        case "most":
            return Counter(row[origin.field] for row in rows).most_common(1)[0][0]
        case _:
            return rows[0][origin.field]


def arguments_of(call: GoldCall, rule: AnswerRule, results: Results, candidates: Sequence[str]) -> dict[str, Any]:
    """Return what gold sends for a call, values of earlier results taken live; one value of a set is a list of one."""
    sent: dict[str, Any] = {}
    for name, allowed in call.arguments.items():
        if allowed.origin is None:
            sent[name] = allowed.values[0]
            continue
        value = value_of(allowed.origin, rule, results, candidates)
        sent[name] = value if allowed.kind != "set" or isinstance(value, list) or value is None else [value]
    return sent if call.limit is None else {**sent, "limit": call.limit}
