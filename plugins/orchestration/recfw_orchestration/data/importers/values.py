"""Values as raw files hold them, made clean: texts, amounts, counts, times."""

import html
import math
import re
from datetime import UTC, datetime
from typing import Any

_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_AMOUNT = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?")
_WRITTEN = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::\d\d)?)?")
_MONTHS = {
    name: n
    for n, name in enumerate(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1)
}
_FIRST, _LAST = 0, 4_102_444_800
"""Seconds between which a moment is believed: 1970 to 2100."""


def clean(value: Any) -> str:
    """Return a text without HTML, entities and runs of white space; empty for anything that is no text."""
    if not isinstance(value, str):
        return ""
    if "<" in value or "&" in value:
        value = html.unescape(_TAG.sub(" ", value))
    return " ".join(value.replace("\0", " ").split())


def texts(value: Any) -> tuple[str, ...]:
    """Return the clean, non-empty texts of a list (or of one text)."""
    found = value if isinstance(value, list) else [value]
    return tuple(text for text in map(clean, found) if text)


def tidy(value: Any) -> Any:
    """Return free-form details with clean keys (no line breaks, no trailing colon) and texts, however nested."""
    if isinstance(value, dict):
        named = ((clean(str(key)).rstrip(": "), tidy(one)) for key, one in value.items())
        return {key: one for key, one in named if key and one not in ("", None)}
    if isinstance(value, list | tuple):
        return [tidy(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return clean(value) if isinstance(value, str) else value


def amount(value: Any) -> float | None:
    """Return dollars from a number or a clean amount such as ``$1,250.00``; None for a range or anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return round(float(value), 2) if 0 < value < 1e9 else None
    found = _AMOUNT.fullmatch(value.strip()) if isinstance(value, str) else None
    return round(float(found[1].replace(",", "") + (found[2] or "")), 2) or None if found else None


def count(value: Any) -> int:
    """Return a count from a number or a text with thousands commas; 0 for anything else."""
    if isinstance(value, str):
        value = value.replace(",", "").strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else 0
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e15 else 0


def stars(value: Any) -> float | None:
    """Return a rating from 1 to 5, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 5:
        return None
    return float(value)


def name(value: Any) -> str:
    """Return an id: a text without surrounding blanks, or a whole number's digits; empty for anything else."""
    if isinstance(value, str):
        return value.strip().replace("\0", "")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def moment(seconds: Any) -> str:
    """Return ``YYYY-MM-DDTHH:MM`` of a moment in seconds since 1970, UTC; empty where it is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not _FIRST < seconds < _LAST:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:16]


def american(value: Any) -> str:
    """Return midnight of a date as in ``06 2, 2018`` (month, day not padded, year); empty where it is none."""
    found = re.fullmatch(r"(\d{1,2}) (\d{1,2}), (\d{4})", value) if isinstance(value, str) else None
    return _valid(int(found[3]), int(found[1]), int(found[2]), 0, 0) if found else ""


def written(value: Any) -> str:
    """Return the minute of ``YYYY-MM-DD HH:MM:SS``, or midnight of a date alone; empty where it is neither."""
    found = _WRITTEN.fullmatch(value.strip()) if isinstance(value, str) else None
    return _valid(*(int(part or 0) for part in found.groups())) if found else ""


def named_month(month: str) -> int:
    """Return a month's number from its English abbreviation, whatever the locale; 0 where it is none."""
    return _MONTHS.get(month, 0)


def _valid(year: int, month: int, day: int, hour: int, minute: int) -> str:
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC).isoformat()[:16]
    except ValueError:
        return ""
