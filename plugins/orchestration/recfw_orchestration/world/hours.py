"""Opening hours of the world's businesses, by pattern, and the hour at which people come."""

from recfw.model.draws import Draws
from recfw_orchestration.data.records import DAY_MINUTES, Hours

_Span = tuple[int, int]
_PATTERNS: dict[str, tuple[tuple[_Span, ...], tuple[_Span, ...], tuple[_Span, ...]]] = {
    # Spans from Monday to Thursday; on Friday and Saturday; on Sunday: in minutes, later than 1440 is past midnight.
    "dinner": (((1020, 1320),), ((1020, 1410),), ((1020, 1290),)),
    "allday": (((660, 1290),), ((660, 1320),), ((660, 1260),)),
    "split": (((690, 870), (1020, 1320)), ((690, 870), (1020, 1380)), ((1020, 1290),)),
    "late": (((660, 1440),), ((660, 1560),), ((660, 1380),)),
    "night": (((1080, 1560),), ((1080, 1620),), ((1080, 1500),)),
    "morning": (((420, 900),), ((420, 900),), ((450, 930),)),
    "cafe": (((390, 1140),), ((420, 1200),), ((450, 1080),)),
    "shop": (((600, 1140),), ((600, 1200),), ((720, 1020),)),
    "early": (((330, 1320),), ((330, 1260),), ((480, 1200),)),
    "weekday": (((480, 1050),), ((480, 1050),), ()),
}
_RESTING = {"dinner": (0, 1), "night": (0, 6), "shop": (0, 6), "morning": (0, 1), "split": (0, 1)}
"""Days on which some businesses of a pattern rest."""


def draw_hours(draws: Draws, pattern: str) -> Hours:
    """Draw the hours of one business: its pattern, shifted by up to an hour, with a day of rest for some."""
    week, late, sunday = _PATTERNS[pattern]
    opening, closing = 30 * draws.between(-2, 2), 30 * draws.between(-1, 2)
    resting = draws.choice(_RESTING[pattern]) if pattern in _RESTING and draws.random() < 0.5 else None
    found: dict[int, tuple[_Span, ...]] = {}
    for day in range(7):
        spans = sunday if day == 6 else late if day in {4, 5} else week
        if day == resting or (day == 5 and pattern == "weekday"):
            spans = ()
        found[day] = tuple(
            (a + (opening if n == 0 else 0), b + (closing if n == len(spans) - 1 else 0))
            for n, (a, b) in enumerate(spans)
        )
    return found


def hour_of(draws: Draws, hours: Hours, weekday: int) -> int:
    """Return an hour (0-23) of a visit: while it is open where that is known."""
    spans = hours.get(weekday) or ((720, 1200),)
    opens, closes = draws.choice(spans)
    return draws.between(opens, closes - 1) % DAY_MINUTES // 60
