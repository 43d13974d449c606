"""Instances of JSON schemas: the smallest value that satisfies one, for a tool call or a structured reply."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

_DEEP = 16  # a schema nested deeper than this refers to itself
_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "a@example.org",
    "uri": "https://example.org",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def smallest(schema: Any, filler: str = "a") -> Any:
    """
    Return the smallest instance of a schema: required properties only, shortest arrays, least numbers.

    Args:
        schema: A JSON schema; ``$ref`` within the document, ``anyOf``, ``oneOf``, ``allOf``, ``enum``, ``const`` and
            the usual bounds are followed. A ``pattern`` is met where a simple word, a default or an example meets it.
        filler: What strings are made of, never empty, cut or repeated to the length that is asked for.
    """
    return _Maker(schema, filler).make(schema)


class _Maker:
    def __init__(self, root: Any, filler: str) -> None:
        self._root = root
        self._filler = filler

    def make(self, schema: Any, nth: int = 0, depth: int = 0) -> Any:
        """Return an instance; different ``nth`` give different ones where the schema allows."""
        if not isinstance(schema, Mapping) or depth > _DEEP:
            return None
        schema = self._resolved(schema, depth)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][nth % len(schema["enum"])]
        make = {"object": self._object, "array": self._array, "string": self._string, **_PLAIN}.get(_kind(schema))
        return make(schema, nth, depth) if make else None

    def _resolved(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """Return a schema whose reference, conjunction and first alternative are merged into it."""
        for _ in range(_DEEP):
            parts: list[Any] = list(schema.get("allOf", ()))
            if "$ref" in schema:
                parts.append(self._target(schema["$ref"]))
            parts += [self._shallowest(schema[key], depth) for key in ("anyOf", "oneOf") if schema.get(key)]
            if not parts:
                return schema
            rest = {key: value for key, value in schema.items() if key not in {"allOf", "$ref", "anyOf", "oneOf"}}
            schema = _merged([*parts, rest])
        return schema

    def _shallowest(self, options: list[Any], depth: int) -> Any:
        """Return the first alternative, or beyond half the depth one that leads no deeper where there is one."""
        plain = [option for option in options if not {"$ref", "properties", "items"} & set(option)]
        return plain[0] if plain and depth > _DEEP // 2 else options[0]

    def _target(self, reference: str) -> Any:
        found = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name, {}) if isinstance(found, Mapping) else {}
        return found

    def _object(self, schema: Mapping[str, Any], _: int, depth: int) -> dict[str, Any]:
        properties = schema.get("properties", {})
        names = list(dict.fromkeys(schema.get("required", ())))
        wanted = schema.get("minProperties", 0)
        more = [name for name in properties if name not in names] + [f"{self._filler}{n}" for n in range(wanted)]
        names += more[: max(0, wanted - len(names))]
        rest = schema.get("additionalProperties", {"type": "string"})
        rest = rest if isinstance(rest, Mapping) else {"type": "string"}
        return {name: self.make(properties.get(name, rest), 0, depth + 1) for name in names}

    def _array(self, schema: Mapping[str, Any], _: int, depth: int) -> list[Any]:
        count = schema.get("minItems", 0)
        first = schema.get("prefixItems", ())[:count]
        rest = schema.get("items", {"type": "string"})
        made = [self.make(item, 0, depth + 1) for item in first]
        return made + [self.make(rest, nth, depth + 1) for nth in range(count - len(made))]

    def _string(self, schema: Mapping[str, Any], nth: int, _: int) -> str:
        text = self._filler if nth == 0 else f"{self._filler}{nth}"
        text = _FORMATS.get(schema.get("format", ""), text)
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        text = text.ljust(least, self._filler[0])[:most]
        if "pattern" not in schema:
            return text
        tried = (text, schema.get("default"), *schema.get("examples", ()), "a", "A", "0", "a0", "A0", "a-0", "a_0")
        fit = (word for word in tried if isinstance(word, str) and re.search(schema["pattern"], word))
        return next(fit, text)


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    if kind is None:
        kind = next((found for key, found in (("properties", "object"), ("items", "array")) if key in schema), "string")
    return str(kind)


def _merged(schemas: list[Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for schema in schemas:
        for key, value in schema.items() if isinstance(schema, Mapping) else ():
            if key == "properties":
                merged[key] = {**merged.get(key, {}), **value}
            elif key == "required":
                merged[key] = [*merged.get(key, ()), *value]
            else:
                merged[key] = value
    return merged


def _number(schema: Mapping[str, Any], nth: int, *, whole: bool) -> float:
    """Return the least number from 0, or from the lower bound, that the bounds and the step allow."""
    step = schema.get("multipleOf", 1)
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    value = 0 if low is None and (high is None or high >= 0) else low if low is not None else high
    value = math.ceil(value / step) * step if low is not None or value >= 0 else math.floor(value / step) * step
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        value += step
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        value = value - step if low is None else (schema["exclusiveMaximum"] + low) / 2
    if not whole and high is not None and value > high:
        value = high
    value += nth * step
    return int(value) if whole else value


_PLAIN: Mapping[str, Callable[[Mapping[str, Any], int, int], Any]] = {
    "integer": lambda schema, nth, _: _number(schema, nth, whole=True),
    "number": lambda schema, nth, _: _number(schema, nth, whole=False),
    "boolean": lambda _, nth, __: bool(nth % 2),
}
