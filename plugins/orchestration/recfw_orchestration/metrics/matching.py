"""
When an argument is right: one allowed value by kind, with its tolerance (orchestration-servers.md, parameter accuracy).

- ``exact``: equal; a number is equal to itself written otherwise (4 and 4.0), a truth value to no number;
- ``set``: a list with the same elements, in any order, repetitions aside;
- ``number``: within the task's tolerance;
- ``radius``: within 20 %;
- ``time``: within 30 minutes;
- ``text``: token F1 of at least 0.5 after stemming;
- ``coordinate``: latitude and longitude together within 50 m (:func:`near`).
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

TEXT_F1 = 0.5
RADIUS_SHARE = 0.2
TIME_MINUTES = 30.0
NEAR_KM = 0.05
EARTH_KM = 6371.0088
"""Mean radius of the Earth (IUGG)."""

SLACK = 1e-9
"""What floats may be off at the end of a tolerance."""


def matches(kind: str, allowed: Sequence[Any], value: Any, tolerance: float = 0.0) -> bool:
    """
    Tell whether a value is one of those allowed.

    Args:
        kind: How it is compared; ``coordinate`` compares one of the two alone, along its own axis.
        allowed: The values.
        value: What was sent.
        tolerance: Of ``number``.
    """
    return any(_match(kind, each, value, tolerance) for each in allowed)


def _match(kind: str, wanted: Any, value: Any, tolerance: float) -> bool:
    if kind == "number":
        return _within(wanted, value, tolerance)
    return _RULES.get(kind, same)(wanted, value)


def same(wanted: Any, value: Any) -> bool:
    """Tell whether two JSON values are equal; numbers by value, truth values apart from numbers."""
    if isinstance(wanted, list | tuple) and isinstance(value, list | tuple):
        return len(wanted) == len(value) and all(map(same, wanted, value))
    return bool(wanted == value) and isinstance(wanted, bool) == isinstance(value, bool)


def _same_set(wanted: Any, value: Any) -> bool:
    if not (isinstance(wanted, list | tuple) and isinstance(value, list | tuple)):
        return False
    return {str(each) for each in wanted} == {str(each) for each in value}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _within(wanted: Any, value: Any, tolerance: float) -> bool:
    return _is_number(wanted) and _is_number(value) and bool(abs(value - wanted) <= tolerance + SLACK)


def _near_time(wanted: Any, value: Any) -> bool:
    try:
        apart = datetime.fromisoformat(str(value)) - datetime.fromisoformat(str(wanted))
    except (ValueError, TypeError):
        return False
    return abs(apart.total_seconds()) <= TIME_MINUTES * 60


def within_meters(wanted: Any, value: Any) -> bool:
    """Tell whether two fractional degrees along one meridian are at most 50 m apart; whole numbers must be equal."""
    fractional = isinstance(wanted, float) and isinstance(value, float)
    return _within(wanted, value, math.degrees(NEAR_KM / EARTH_KM) if fractional else 0.0)


def _near_radius(wanted: Any, value: Any) -> bool:
    return _within(wanted, value, RADIUS_SHARE * abs(wanted) if _is_number(wanted) else 0.0)


def _near_text(wanted: Any, value: Any) -> bool:
    return isinstance(value, str) and token_f1(str(wanted), value) >= TEXT_F1


def near(wanted: tuple[float, float], value: tuple[Any, Any]) -> bool:
    """Tell whether two places (latitude, longitude) are at most 50 m apart on the sphere."""
    if not all(_is_number(each) for each in (*wanted, *value)):
        return False
    lat_1, lon_1, lat_2, lon_2 = map(math.radians, (*wanted, *value))
    half = math.sin((lat_2 - lat_1) / 2) ** 2
    half += math.cos(lat_1) * math.cos(lat_2) * math.sin((lon_2 - lon_1) / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(min(1.0, half))) <= NEAR_KM + SLACK


def token_f1(wanted: str, value: str) -> float:
    """
    Return the F1 of two texts' stemmed tokens, each counted as often as it occurs.

    Tokens are runs of letters, digits and ``_`` after NFKC and case folding, cut to their stem by Snowball's English
    stemmer. Two texts without a token are equal (1).
    """
    first, second = stems(wanted), stems(value)
    if not first and not second:
        return 1.0
    shared = sum((Counter(first) & Counter(second)).values())
    return 2 * shared / (len(first) + len(second))


@lru_cache(maxsize=65536)
def stems(text: str) -> tuple[str, ...]:
    """Return a text's stemmed tokens, in order."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    return tuple(_stemmer().stemWords(words))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer  # noqa: PLC0415 - needed only where text is compared, not where metrics are listed

    return snowballstemmer.stemmer("english")


_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "exact": same,
    "set": _same_set,
    "radius": _near_radius,
    "coordinate": within_meters,
    "time": _near_time,
    "text": _near_text,
}
