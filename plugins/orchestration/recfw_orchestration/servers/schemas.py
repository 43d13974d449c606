"""Strict JSON Schemas of a function's signature: closed objects, no nulls for what may be left out, no references."""

from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

from pydantic import TypeAdapter

ITEM_KEYS = ("item_id", "item_ids")
"""Where results name items, by the convention of all tools."""


def output_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the strict schema of what a function returns."""
    returned = get_type_hints(function, include_extras=True)["return"]
    return tightened(TypeAdapter(returned).json_schema(), optional_nulls=True)


def tightened(schema: dict[str, Any], *, optional_nulls: bool) -> dict[str, Any]:
    """
    Return a schema with references put in place, objects closed and generated titles left out.

    Args:
        schema: As pydantic makes it; it must not refer to itself.
        optional_nulls: Whether null stays a value. Of arguments it does not: what is left out is left out.
    """
    return dict(_tightened(schema, schema.get("$defs", {}), nulls=optional_nulls))


def _tightened(node: Any, definitions: dict[str, Any], *, nulls: bool) -> Any:
    if isinstance(node, list):
        return [_tightened(each, definitions, nulls=nulls) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = definitions[node["$ref"].rpartition("/")[2]]
        node = {**named, **{key: value for key, value in node.items() if key != "$ref"}}
    if not nulls and "anyOf" in node:
        node = _without_null(node)
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("title", "$defs"):
            continue
        if key == "properties":
            made[key] = {name: _tightened(each, definitions, nulls=nulls) for name, each in value.items()}
        else:
            made[key] = _tightened(value, definitions, nulls=nulls)
    if made.get("type") == "object":
        made.pop("description", None)
        made["additionalProperties"] = False
    return made


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """Return what stands beside null, with the words of the whole and without its default, null."""
    (kept,) = [each for each in node["anyOf"] if each != {"type": "null"}]
    around = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
    return {**kept, **around}


def item_paths(schema: dict[str, Any]) -> tuple[str, ...]:
    """Return where a result names items, as ``items[].item_id``; in the schema's order."""
    return tuple(_paths(schema, ""))


def _paths(schema: dict[str, Any], at: str) -> Iterator[str]:
    if schema.get("type") == "array":
        yield from _paths(schema.get("items", {}), f"{at}[]")
    for name, inner in schema.get("properties", {}).items():
        path = f"{at}.{name}" if at else name
        if name in ITEM_KEYS:
            yield f"{path}[]" if inner.get("type") == "array" else path
        else:
            yield from _paths(inner, path)
