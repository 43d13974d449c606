"""Shows a report as JSON for scripts: figures and operational data, equal bytes for equal input."""

import json
from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

from recfw.errors import DataError
from recfw.model.document import Report
from recfw.protocols import Renderer
from recfw.serialize import clean

SCHEMA = 1
"""Version of the layout: ``schema``, ``figures``, ``operational``."""


class JsonRenderer(Renderer):
    """
    ``{"schema": 1, "figures": …, "operational": …}`` with sorted keys and an indent of two.

    The text is ASCII, so it survives any terminal and locale. What is no finite number is null. Floats have the fewest
    digits that give the same float back.
    """

    name = "json"
    summary = "Figures and operational data for scripts."
    suffixes = (".json",)

    def __init__(self, options: Any) -> None: ...

    def render(self, report: Report) -> str:
        """Return the JSON text; DataError where a report holds what JSON cannot."""
        figures, operational = plain(report.figures, "figures"), plain(report.operational, "operational")
        return canonical_text({"schema": SCHEMA, "figures": figures, "operational": operational})


def canonical_text(value: Any) -> str:
    """Return plain values as canonical, indented JSON with a line's end."""
    return json.dumps(value, sort_keys=True, indent=2, allow_nan=False) + "\n"


def plain(value: Any, where: str) -> Any:
    """
    Return a value as plain JSON values: numbers of numpy become Python's, and what is no finite number becomes None.

    Raises:
        DataError: Some part is nothing that JSON knows, or two keys read alike; the message holds the path to it.
    """
    match value:
        case None | bool():
            return value
        case str():
            return clean(str(value))
        case Real():
            return _plain_number(value)
        case Mapping():
            return _plain_object(value, where)
        case list() | tuple():
            return [plain(item, f"{where}[{position}]") for position, item in enumerate(value)]
        case _:
            kind = type(value).__name__
            raise DataError(f"{where} is a {kind}, which JSON cannot hold.", "Mend the analysis that made it.")


def _plain_number(value: Real) -> int | float | None:
    if isinstance(value, Integral):
        return int(value)
    return float(value) + 0.0 if isfinite(value) else None  # + 0.0: there is one zero


def _plain_object(value: Mapping[Any, Any], where: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, item in value.items():
        name = clean(str(key))
        if name in result:
            raise DataError(f"{where} has two keys that read {name!r}.", "Mend the analysis that made it.")
        result[name] = plain(item, f"{where}.{name}")
    return result
