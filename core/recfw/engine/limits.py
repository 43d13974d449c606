"""Counting what limits count: turns, replies, calls and seconds of a role, and the stop reason when one is reached."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from recfw.model.run import Limits

ENDLESS = 3600.0
"""Seconds that the evaluated role may spend in an episode where its track sets no limit."""


MOST_EXCUSED = 3600.0
"""Most seconds of one reply in which a role is excused; what waits longer is not waiting but hanging."""


class Excuse:
    """The time of one role's reply at a time that is not its own (:class:`recfw.protocols.Waits`)."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds, self._depth, self._since = 0.0, 0, 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Excuse the time of the block."""
        if not self._depth:
            self._since = self._clock()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._seconds += self._clock() - self._since

    def forgive(self, seconds: float) -> None:
        """Excuse time that has passed already."""
        self._seconds += max(0.0, seconds)

    def charge(self, seconds: float) -> None:
        """Count time after all that was excused while nobody knew whose it would be."""
        self._seconds -= max(0.0, seconds)

    def seconds(self) -> float:
        """Return the time excused since the last reply, a wait that still goes on included."""
        now = self._clock() - self._since if self._depth else 0.0
        return min(MOST_EXCUSED, max(0.0, self._seconds + now))

    def take(self) -> float:
        """Return the time excused, and begin anew."""
        seconds = self.seconds()
        self._seconds, self._since = 0.0, self._clock()
        return seconds


class Meter:
    """What an episode has used so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.floor = ""
        self.turns: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)
        self.replies = 0
        self.calls = 0
        self.repairs = 0

    def take_floor(self, role: str) -> str:
        """Note who holds the floor before a reply; return a stop reason, or an empty string."""
        if role != self.floor:
            self.floor = role
            self.turns[role] += 1
            self.replies = self.calls = 0
            if self.turns[role] > self.limits.turns.get(role, self.turns[role]):
                return f"{role}_turn_limit"
        self.replies += 1
        if self.replies > self.limits.replies.get(role, self.replies):
            return f"{role}_reply_limit"
        return ""

    def time_left(self, role: str, otherwise: float) -> float:
        """Return the seconds that a role may still spend."""
        return max(0.0, self.limits.seconds.get(role, otherwise) - self.seconds[role])

    def calls_left(self, role: str, asked: int) -> int:
        """Return how many of the calls asked for now the turn's budget still answers."""
        return max(0, self.limits.calls.get(role, self.calls + asked) - self.calls)

    def count_calls(self, role: str, calls: int) -> str:
        """Note answered calls; return a stop reason, or an empty string."""
        self.calls += calls
        most = self.limits.calls.get(role)
        over = most is not None and self.calls >= most + max(1, self.limits.grace_calls)
        return f"{role}_call_limit" if over else ""

    def count_refusal(self, role: str) -> str:
        """Note a refused reply; return a stop reason, or an empty string."""
        self.repairs += 1
        return f"{role}_repair_limit" if self.repairs > self.limits.repairs else ""


INFRASTRUCTURE = "infrastructure"
"""Stop reason of an attempt that something outside the evaluated role broke off."""

CLOCK_STOPS = ("_time_limit", "_error", "context_overflow", INFRASTRUCTURE)
"""Endings that depend on the clock or the component, which a replay takes from the trace."""


def depends_on_clock(stop: str) -> bool:
    """Tell whether a stop reason cannot be found again by replaying."""
    return stop.endswith(CLOCK_STOPS)
