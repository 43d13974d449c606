"""Structured output: how a schema is asked for, and how what came is read."""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecodeError, JSONDecoder
from typing import Any

import orjson

from recfw.model.view import View
from recfw.serialize import plain
from recfw_litellm.tools import legal

SCHEMA_MODES = ("auto", "format", "words")
"""How a schema may be asked for: as ``response_format``, in words, or as what fits the View."""

MOST_STARTS = 50
"""Openings of an object that are tried in words around one; a longer text is no object with a few words before it."""

_STRICT = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "const", "description",
                     "title", "anyOf", "$ref", "$defs"})  # fmt: skip
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_DECODER = JSONDecoder(strict=False)


def format_of(view: View, mode: str) -> dict[str, Any] | None:
    """
    Return the ``response_format`` for a View; None where the schema is told in words, or there is none.

    ``auto`` takes words where tools are offered too: most servers then either refuse a format or let the model call
    nothing. So it does for a schema that is not of an object, which no format may be.
    """
    schema = view.output_schema
    if schema is None or mode == "words" or (mode == "auto" and view.tools) or schema.get("type") != "object":
        return None
    return format_named(f"{view.role}_reply", schema)


def format_named(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``response_format`` of a schema of an object; strict where providers can be."""
    named = {"name": legal(name), "schema": plain(schema), "strict": _strict(schema)}
    return {"type": "json_schema", "json_schema": named}


def words_of_schema(view: View, mode: str) -> str:
    """Return the words that ask for structured output where no format does; empty where one does or none is wanted."""
    schema = view.output_schema
    if schema is None or format_of(view, mode) is not None:
        return ""
    return schema_words(schema, "When you call no tool, answer" if view.tools else "Answer")


def schema_words(schema: Mapping[str, Any], when: str = "Answer") -> str:
    """Return the words that ask for a value of a schema."""
    told = orjson.dumps(plain(schema)).decode()
    return f"{when} with one JSON value and nothing else. It must satisfy this JSON Schema: {told}"


def _strict(schema: Any) -> bool:
    """Tell whether providers can hold a model to a schema: closed objects, everything required, few keywords."""
    if not isinstance(schema, Mapping) or not schema or not set(schema) <= _STRICT:
        return False
    properties, definitions = schema.get("properties", {}), schema.get("$defs", {})
    inner = [*properties.values(), *definitions.values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        if not closed or set(schema.get("required", ())) != set(properties):
            return False
    return all(map(_strict, inner))


def data_of(text: str) -> Any:
    """
    Return the JSON value that a text is, or that stands in it; None where there is none.

    Fences are left out, and so are words around an object; a text without an object is a value only as a whole.
    """
    fenced = _FENCE.search(text)
    for candidate in filter(None, (text.strip(), fenced and fenced[1].strip())):
        try:
            return orjson.loads(candidate)
        except orjson.JSONDecodeError:
            continue
    return next(_objects(text), None)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    at = text.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            found, _end = _DECODER.raw_decode(text, at)
        except (JSONDecodeError, RecursionError):
            found = None
        if isinstance(found, dict):
            yield plain(found)
        at = text.find("{", at + 1)
