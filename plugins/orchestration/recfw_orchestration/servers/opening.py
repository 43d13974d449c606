"""Opening hours: what they say of one moment, and how they are told."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from mcp.server.mcpserver.exceptions import ToolError

from recfw_orchestration.data.records import DAY_MINUTES, WEEKDAYS, Business, Hours
from recfw_orchestration.servers.results import Opening, OpenState

YEARS = range(1900, 2200)
"""A calendar's end would leave closing times without a date."""


def moment(local_time: str) -> datetime:
    """Return a local time as a date and time; ToolError where there is no such day or minute."""
    try:
        at = datetime.fromisoformat(local_time)
    except ValueError as error:
        raise ToolError(f"local_time {local_time} does not exist ({error}). Give YYYY-MM-DDTHH:MM.") from None
    if at.year not in YEARS:
        raise ToolError(f"local_time {local_time} is not within {YEARS[0]} to {YEARS[-1]}. Give a time of this age.")
    return at


def open_state(one: Business, at: datetime) -> OpenState:
    """Return whether a business is open at a moment, and until when."""
    until = None if one.closed else _closing(one.hours, at)
    known = one.closed or until is not None or at.weekday() in one.hours
    return {
        "item_id": one.item_id,
        "name": one.name,
        "open": until is not None if known else None,
        "closes_at": None if until is None else until.isoformat(timespec="minutes"),
    }


def _closing(hours: Hours, at: datetime) -> datetime | None:
    """Return when what is open at a moment closes, spans that began the day before included; None where closed."""
    midnight = at.replace(hour=0, minute=0)
    minute = at.hour * 60 + at.minute
    for back in (0, 1):
        day = (at.weekday() - back) % 7
        for opens, closes in hours.get(day, ()):
            if opens <= minute + back * DAY_MINUTES < closes:
                return midnight + timedelta(minutes=closes - back * DAY_MINUTES)
    return None


def openings(hours: Hours) -> Iterator[Opening]:
    """Yield the spans of a week, Monday first."""
    for day in sorted(hours):
        for opens, closes in hours[day]:
            yield {"day": WEEKDAYS[day], "opens": _clock(opens), "closes": _clock(closes)}


def _clock(minute: int) -> str:
    hour, rest = divmod(minute % DAY_MINUTES, 60)
    return f"{hour:02d}:{rest:02d}"
