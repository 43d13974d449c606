"""One response of a query service: SPARQL 1.1 results as JSON, checked, as rows of cells."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from recfw.errors import DataError

_ENTITY = re.compile(r"https?://www\.wikidata\.org/entity/(Q[1-9][0-9]{0,14})")
_GENERATED = "/.well-known/genid/"

Row = Mapping[str, Mapping[str, Any]]


def parse_response(data: bytes, name: str) -> Sequence[Row]:
    """
    Return the rows of a response.

    Args:
        data: ``{"head": {"vars": […]}, "results": {"bindings": [{variable: {"type": …, "value": …}}]}}``.
        name: The response's name, for errors.

    Raises:
        DataError: It is cut off, no JSON, or JSON of another shape; the sentence says where.
    """
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{name}: no JSON, or cut off ({error}).") from error
    try:
        variables, rows = document["head"]["vars"], document["results"]["bindings"]
    except (TypeError, KeyError, IndexError) as error:
        raise DataError(f"{name}: no SPARQL result: it lacks head.vars or results.bindings.") from error
    if type(variables) is not list or type(rows) is not list:
        raise DataError(f"{name}: no SPARQL result: head.vars and results.bindings must be lists.")
    for place, row in enumerate(rows):
        if type(row) is not dict or not all(map(_is_cell, row.values())):
            raise DataError(
                f"{name}: no SPARQL result @ results.bindings[{place}]: each cell needs a type and a value."
            )
    return rows


def _is_cell(cell: Any) -> bool:
    return type(cell) is dict and type(cell.get("type")) is str and type(cell.get("value")) is str


def canonical(row: Row) -> bytes:
    """Return a row as canonical JSON: keys sorted, no spaces, UTF-8 without escapes."""
    return orjson.dumps(row, option=orjson.OPT_SORT_KEYS)


def entity(cell: Mapping[str, Any] | None) -> str | None:
    """Return the id (``Q…``) of the entity in a cell; None where it is unbound or holds anything else."""
    if cell is None or cell["type"] != "uri":
        return None
    found = _ENTITY.fullmatch(cell["value"])
    return found[1] if found else None


def is_unknown(cell: Mapping[str, Any] | None) -> bool:
    """Tell whether a cell holds what stands for an unknown value: a generated address or a blank node."""
    return cell is not None and (cell["type"] == "bnode" or _GENERATED in cell["value"])
