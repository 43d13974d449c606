"""Foursquare check-ins of New York and Tokyo, TSMC2014 (Yang et al. 2015): eight columns, no header, latin-1."""

import re
from datetime import UTC, datetime, timedelta

from recfw_orchestration.data.importers.values import named_month
from recfw_orchestration.data.records import CheckIn
from recfw_orchestration.data.staging import Sighting

COLUMNS = 8
_TIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d\d):(\d\d):(\d\d) \+0000 (\d{4})")
_CITIES = {"NYC": (40.75, -73.98), "TKY": (35.68, 139.75)}
_WIDE = 1.5
"""Degrees around a city's middle within which a venue is counted as its own."""


def is_line(line: bytes) -> bool:
    """Whether a line has the columns of the data set."""
    parts = line.split(b"\t")
    return len(parts) == COLUMNS and _TIME.fullmatch(decoded(parts[7]).strip()) is not None


def decoded(column: bytes) -> str:
    """Return a column's text: the data set is in latin-1, copies of it are at times in UTF-8."""
    try:
        return column.decode("utf-8")
    except UnicodeDecodeError:
        return column.decode("latin-1")


def rows(line: bytes) -> tuple[CheckIn, Sighting] | str:
    """
    Return what a line says of a visit and of its venue, or why nothing.

    Local time is UTC and the row's own offset. Both cities number their users from 1: ids get the city before them.
    """
    parts = [decoded(part).strip() for part in line.split(b"\t")]
    if len(parts) != COLUMNS:
        return f"not {COLUMNS} columns"
    user, venue, _, category, lat, lon, offset, written = parts
    if not user or not venue or not category:
        return "no id or category"
    try:
        where = float(lat), float(lon)
        minutes = int(offset)
    except ValueError:
        return "no coordinates or offset"
    city = next((name for name, middle in _CITIES.items() if _beside(where, middle)), None)
    if city is None:
        return "outside New York and Tokyo"
    utc = _moment(written)
    if utc is None or abs(minutes) > 900:
        return "no valid time"
    local = utc + timedelta(minutes=minutes)
    visit = CheckIn(venue, f"{city}-{user}", f"{local:%Y-%m-%dT%H:%M}", f"{utc:%Y-%m-%dT%H:%M:%S}")
    return visit, Sighting(venue, category, *where, city)


def _beside(where: tuple[float, float], middle: tuple[float, float]) -> bool:
    return abs(where[0] - middle[0]) <= _WIDE and abs(where[1] - middle[1]) <= _WIDE


def _moment(written: str) -> datetime | None:
    read = _TIME.fullmatch(written)
    if read is None:
        return None
    month, day, hour, minute, second, year = read.groups()
    try:
        return datetime(int(year), named_month(month), int(day), int(hour), int(minute), int(second), tzinfo=UTC)
    except ValueError:
        return None
