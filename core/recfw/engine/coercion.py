"""
Lenient reading of tool arguments, tried only where strict reading failed: what models put into quotes by mistake.

Two rules, and no more. Line breaks and tabs that stand raw within a string are read as if they were escaped. And where
the schema refuses a string for its type, and the whole of that string is JSON, that JSON takes its place: ``"3"``
becomes 3, ``"true"`` becomes true, ``"[1, 2]"`` a list, and arguments that were encoded twice an object. The result
counts only if all of it then fits the schema. Nothing is cut off, completed or guessed: text before or after the JSON
stays an error, and a string that the schema takes is never touched, whatever it looks like.
"""

import json
from collections.abc import Iterable
from typing import Any, NoReturn

import jsonschema_rs
import orjson

ROUNDS = 4
"""How deep one encoded value may stand within another."""

ROOT = "$"
"""What stands for the arguments as a whole among the places that were read leniently."""

_KINDS = (
    jsonschema_rs.ValidationErrorKind.Type,
    jsonschema_rs.ValidationErrorKind.AnyOf,
    jsonschema_rs.ValidationErrorKind.OneOfNotValid,
)


def with_raw_breaks(text: str) -> Any:
    """Return the JSON of a text whose strings hold raw line breaks or tabs; ValueError where it is none even so."""
    value = json.loads(text, strict=False, parse_constant=_refuse)
    return orjson.loads(orjson.dumps(value))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def coerce(validator: Any, arguments: Any) -> tuple[Any, tuple[str, ...]] | None:
    """
    Return arguments that fit a schema by the rule above, and the places that were read as JSON; None where it fails.

    Args:
        validator: The compiled schema.
        arguments: What it refused; changed in place.
    """
    places: list[str] = []
    for _ in range(ROUNDS):
        errors = list(validator.iter_errors(arguments))
        if not errors:
            return arguments, tuple(dict.fromkeys(places))
        refused = {tuple(error.instance_path): error for error in errors}
        for path, error in refused.items():
            if not (isinstance(error.kind, _KINDS) and isinstance(_at(arguments, path), str)):
                return None
            try:
                value = orjson.loads(_at(arguments, path))
            except (orjson.JSONDecodeError, RecursionError):
                return None
            arguments = _with(arguments, path, value)
            places.append(".".join(map(str, path)) or ROOT)
    return None


def _at(value: Any, path: Iterable[str | int]) -> Any:
    for step in path:
        value = value[step]
    return value


def _with(arguments: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    _at(arguments, path[:-1])[path[-1]] = value
    return arguments
