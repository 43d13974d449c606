"""How long to wait: between two requests, and before one is tried again."""

import email.utils
import re
from collections.abc import Callable
from datetime import UTC, datetime

from attrs import frozen

_SECONDS = re.compile(r"[0-9]{1,9}")


@frozen
class Patience:
    """
    How a client waits; all times in seconds.

    Args:
        delay: At least this long between a response and the next request.
        tries: How often a request is sent before the client gives up.
        first: The wait before the second try; each later one is twice as long.
        ceiling: No wait of our own choice is longer.
        longest: A server that asks for a longer wait than this is asked again another day.
        jitter: Returns a number in [0, 1), by which a wait is shortened by up to a half, so that clients that were
            turned away together do not come back together.
    """

    delay: float
    tries: int
    jitter: Callable[[], float]
    first: float = 2.0
    ceiling: float = 120.0
    longest: float = 900.0

    def between(self, took: float) -> float:
        """Return the pause after a response that took so long: as long again, so that a busy server gets rest."""
        return max(self.delay, min(took, self.ceiling))

    def again(self, tried: int, asked: float | None) -> float:
        """Return the wait after so many tries (from 1); ``asked`` is what the server demands, and is kept."""
        own: float = min(self.ceiling, self.first * 2 ** (tried - 1)) * (1 - self.jitter() / 2)
        return own if asked is None else max(asked, own if asked == 0 else 0)


def retry_after(value: str | None, now: datetime) -> float | None:
    """
    Return the seconds that a Retry-After header asks for (RFC 9110, 10.2.3); None where it asks for nothing readable.

    Args:
        value: Whole seconds, or a date.
        now: The time, with a zone.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())
