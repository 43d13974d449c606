"""The figures of a bundle: computed from stored scores by core's own analysis, and held against declared ones."""

from math import isclose
from typing import Any

import orjson

from recfw.errors import DataError
from recfw.model.document import Report
from recfw.model.results import Results
from recfw.model.run import ComponentSpec
from recfw.registry import Registry
from recfw.serialize import parse

CLOSE = 1e-9
"""Relative difference up to which two numbers are the same: other processors round the last digits otherwise."""


def report_of(registry: Registry, results: Results, analysis: str = "summary") -> Report:
    """Return what one of core's analyses finds in stored results."""
    made = registry.create("analyses", ComponentSpec(analysis))
    found: Report = registry.call("analyses", analysis, "fails", made.report, results)
    return found


def figures_of(registry: Registry, results: Results) -> dict[str, Any]:
    """Return the figures of one run, as JSON values."""
    runs: list[dict[str, Any]] = orjson.loads(orjson.dumps(report_of(registry, results).figures))["runs"]
    return runs[0]


def read_figures(data: bytes) -> dict[str, Any]:
    """Return declared figures; DataError where they are no JSON object, or nested too deeply to be walked."""
    found = parse(data, "figures.json")
    try:
        orjson.dumps(found)
    except TypeError as error:
        raise DataError("figures.json: is nested more deeply than anything that recfw writes.") from error
    if not isinstance(found, dict):
        raise DataError("figures.json: holds no object.")
    return found


def apart(declared: Any, found: Any, path: str = "") -> str:
    """Return the first place where two JSON values differ, with both values; empty where they are the same."""
    if isinstance(declared, dict) and isinstance(found, dict):
        keys = sorted(declared.keys() | found.keys())
        pairs = [(f"{path}.{key}" if path else key, declared.get(key), found.get(key)) for key in keys]
        return next(filter(None, (apart(one, other, where) for where, one, other in pairs)), "")
    if isinstance(declared, list) and isinstance(found, list) and len(declared) == len(found):
        both = enumerate(zip(declared, found, strict=True))
        return next(filter(None, (apart(one, other, f"{path}[{n}]") for n, (one, other) in both)), "")
    return "" if _same(declared, found) else f"{path}: {_short(declared)} declared, {_short(found)} found"


def _same(declared: Any, found: Any) -> bool:
    numbers = [value for value in (declared, found) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return isclose(declared, found, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(declared) is type(found) and bool(declared == found)


def _short(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 80 else f"{text[:80]}…"
