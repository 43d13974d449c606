"""What is wrong with arguments, in words: each place, what was found there and what would fit."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

MOST_SHOWN, MOST_FAULTS = 60, 3
"""Characters of a caller's own value that an error quotes; faults that it tells."""


def unreadable(arguments: Mapping[str, Any]) -> str | None:
    """Return why arguments are no JSON at all (broken characters, depth, NaN, huge numbers); None where they are."""
    try:
        orjson.dumps(arguments)
    except (TypeError, ValueError, RecursionError) as error:
        why = short(str(error), quoted=False)
        return f"they are not readable as JSON ({why}). Send one flat object of plain values."
    return None


def fault_words(faults: Sequence[Any], arguments: Mapping[str, Any], schema: dict[str, Any]) -> str:
    """
    Return what is wrong, as sentences.

    Args:
        faults: The validator's errors.
        arguments: What was sent.
        schema: The strict schema.
    """
    known = schema["properties"]
    told = [_unknown(name, known) for name in arguments if name not in known]
    told += [f"'{name}' is required ({expected(known[name])})" for name in _missing(arguments, schema)]
    places = {tuple(fault.instance_path): None for fault in faults if fault.instance_path}
    told += [_misfit(place, arguments, known) for place in places]
    left = len(told) - MOST_FAULTS
    more = f"; and {left} more" if left > 0 else ""
    return f"{'; '.join(told[:MOST_FAULTS])}{more}. Arguments: {signature(schema)}."


def signature(schema: dict[str, Any]) -> str:
    """Return the names of a schema's arguments, those that may be left out with a question mark."""
    required = schema.get("required", ())
    return ", ".join(name if name in required else f"{name}?" for name in schema["properties"])


def _missing(arguments: Mapping[str, Any], schema: dict[str, Any]) -> list[str]:
    return [name for name in schema.get("required", ()) if name not in arguments]


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name[:MOST_SHOWN], known, 1)
    hint = f", did you mean '{close[0]}'?" if close else ""
    return f"there is no argument {short(name)}{hint}"


def _misfit(place: Sequence[Any], arguments: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    value: Any = arguments
    for step in place:
        value = value[step]
    schema = known[place[0]]
    for _ in place[1:]:
        schema = schema["items"]
    where = str(place[0]) + "".join(f"[{step}]" for step in place[1:])
    return f"'{where}' must be {expected(schema)}, not {short(value)}"


def expected(schema: Mapping[str, Any]) -> str:
    """Return what fits a schema, in words."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if "const" in schema:
        return str(schema["const"])
    kind = schema.get("type")
    if kind == "array":
        return f"a list of {schema.get('minItems', 0)} to {schema['maxItems']} strings"
    if kind in ("integer", "number"):
        noun = "a whole number" if kind == "integer" else "a number"
        return f"{noun} from {schema['minimum']:g} to {schema['maximum']:g}"
    if "pattern" in schema:
        return "a local time as YYYY-MM-DDTHH:MM"
    return f"a string of {schema.get('minLength', 0)} to {schema['maxLength']} characters"


def short(value: Any, *, quoted: bool = True) -> str:
    """Return a caller's value as JSON, cut to what an error may hold."""
    if isinstance(value, str):
        return _short_text(value, quoted=quoted)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "a number beyond 64 bits" if isinstance(value, int) else f"a {type(value).__name__}"


def _short_text(text: str, *, quoted: bool) -> str:
    known = text[:MOST_SHOWN].encode("utf-8", "replace").decode()
    cut = known if len(text) <= MOST_SHOWN else f"{known}…"
    shown = orjson.dumps(cut).decode() if quoted else cut
    return shown if len(text) <= MOST_SHOWN else f"{shown} ({len(text)} characters)"
