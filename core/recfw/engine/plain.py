"""What the result store can hold of options and other words exactly as they are."""

import math
from typing import Any

from recfw.errors import UsageError
from recfw.serialize import DEEPEST, clean

LARGEST = 2**63 - 1
"""Largest whole number that every database and JSON writer keeps exactly."""


def check_plain(value: Any, path: str = "", depth: int = 0) -> None:
    """
    Check that the result store can hold a value exactly as it is.

    Raises:
        UsageError: It holds a number beyond 64 bits, one that is not finite, text that is no Unicode, or what is no
            JSON value, or is nested too deeply; the message says where.
    """
    if depth > DEEPEST:
        raise UsageError(f"{path[:80]}…: the value is nested too deeply, or holds itself.")
    match value:
        case dict():
            for name, item in value.items():
                check_plain(name, path, depth + 1)
                check_plain(item, f"{path}.{name}" if path else str(name), depth + 1)
        case list() | tuple():
            for number, item in enumerate(value):
                check_plain(item, f"{path}[{number}]", depth + 1)
        case _:
            _check_scalar(value, path)


def _check_scalar(value: Any, path: str) -> None:
    match value:
        case bool() | None:
            return
        case int() if not -LARGEST <= value <= LARGEST:
            raise UsageError(f"{path}: {value} is out of range.", f"Whole numbers reach from -{LARGEST} to {LARGEST}.")
        case float() if not math.isfinite(value):
            raise UsageError(f"{path}: {value} is no finite number.", "Give a finite one.")
        case str() if clean(value) != value:
            raise UsageError(f"{path}: {clean(value)!r} is no valid Unicode.", "Write it in UTF-8.")
        case int() | float() | str():
            return
        case _:
            raise UsageError(f"{path}: {value!r} is no JSON value.", "Write it as text, in quotes.")
