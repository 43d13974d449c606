"""Arguments of a tool, from its schema: context by name, words and numbers from a sentence, ids from results."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recfw.model.view import ToolSpec
from recfw_orchestration.agents.matching import stems

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")
_QUOTED = re.compile(r'"([^"]+)"')
_NAME = re.compile(r"[A-Z][\w'-]*(?:(?:\s(?:&|/|and)\s|[\s/-])[A-Z][\w'-]*)*")
AROUND = 25
"""Characters before and after a number in which the words stand that say what it is."""
MOST_IDS = 50


def fill(
    tool: ToolSpec, sentence: str, facts: Mapping[str, Any], results: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """
    Return a tool's arguments as far as they can be known; None where a required one cannot.

    Args:
        tool: The tool.
        sentence: What of the request it is called for.
        facts: What the View says: ``user_id``, ``place``, ``time``, ``candidates``.
        results: Entries of earlier results, the latest first.
    """
    required, found = tool.parameters.get("required", []), dict[str, Any]()
    for name, schema in tool.parameters["properties"].items():
        value = _value(name, schema, sentence, facts, results, needed=name in required)
        if value is not None:
            found[name] = value
        elif name in required:
            return None
    return found


def _value(
    name: str,
    schema: Mapping[str, Any],
    sentence: str,
    facts: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    *,
    needed: bool,
) -> Any:
    if name == "item_ids":
        return list(facts["candidates"])[:MOST_IDS]
    if "enum" in schema:
        return _listed(schema["enum"], sentence, needed=needed)
    known = _known(name, facts, results)
    if known is not None:
        return known
    match schema.get("type"):
        case "number" | "integer":
            return _number(name, schema, sentence, needed=needed)
        case "string" if "pattern" not in schema:
            return _words(name, schema, sentence, needed=needed)
    return None


def _known(name: str, facts: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> Any:
    """Return what context or earlier results hold under a name."""
    place = facts.get("place") or {}
    context = {**place, "user_id": facts.get("user_id"), "local_time": facts.get("time")}
    context |= {f"from_{axis}": place[axis] for axis in ("lat", "lon") if axis in place}
    if "at" in place:
        context |= {"origin_id": place["at"], "item_id": place["at"]}
    if context.get(name) is not None or not name.endswith("_id"):
        return context.get(name)
    key = "item_id" if name == "origin_id" else name
    return next((entry[key] for entry in results if isinstance(entry.get(key), str)), None)


def _listed(choices: Sequence[str], sentence: str, *, needed: bool) -> str | None:
    low = sentence.casefold()
    for choice in choices:
        if str(choice).casefold() in low:
            return choice
    return choices[0] if needed else None


def _number(name: str, schema: Mapping[str, Any], sentence: str, *, needed: bool) -> float | int | None:
    """Return the number beside which most words of the argument stand; a required one without any: the middle."""
    low, high = schema.get("minimum", 0), schema.get("maximum", 1_000_000)
    wanted = set(stems(f"{name} {schema.get('description', '')}"))
    best: tuple[int, float] | None = None
    for match in _NUMBER.finditer(sentence):
        value = float(match.group())
        if not low <= value <= high:
            continue
        beside = sentence[max(0, match.start() - AROUND) : match.end() + AROUND]
        shared = len(wanted.intersection(stems(beside)))
        if (shared or needed) and (best is None or shared > best[0]):
            best = (shared, value)
    if best is None and not needed:
        return None
    found = best[1] if best else float(low + min(high, 10 * max(low, 1))) / 2
    return int(found) if schema.get("type") == "integer" or found == int(found) else found


def _words(name: str, schema: Mapping[str, Any], sentence: str, *, needed: bool) -> str | None:
    """Return words for an argument: quoted ones, a name in capitals, an example of its description."""
    if quoted := _QUOTED.search(sentence):
        return str(quoted.group(1)) if needed else None
    rest = sentence[1:]
    names = sorted(_NAME.findall(rest), key=len, reverse=True)
    if name in ("category", "query") and names:
        return str(names[0])
    examples = set(stems(str(schema.get("description", ""))))
    for word in re.findall(r"[a-z]+", rest.casefold()):
        if not needed and name == "aspect" and set(stems(word)) & examples - {"whol", "review", "left", "out"}:
            return str(word)
    return " ".join(stems(rest)[:6]) or None if needed else None
