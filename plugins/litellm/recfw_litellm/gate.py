"""
The gate before a provider: how many requests are under way, and how many requests and tokens a minute may hold.

One gate serves all components of a process that ask the same provider. Where it answers that there are too many
requests, fewer are let through at a time until it is content, and none before it wants to be asked again; whoever waits
here has not failed, and uses up no retry.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf, isfinite

from attrs import define, field, frozen

MINUTE = 60.0


@frozen
class Rates:
    """
    What a provider allows, for this process; 0 is no limit.

    Args:
        concurrency: Requests at a time.
        requests: Requests begun within any minute.
        tokens: Tokens read and written within any minute.
    """

    concurrency: int = 0
    requests: int = 0
    tokens: int = 0

    def shared(self, processes: int) -> "Rates":
        """Return the share of one of several processes: at least one of each."""
        return Rates(*(max(1, limit // processes) if limit else 0 for limit in self.limits()))

    def tighter(self, other: "Rates") -> "Rates":
        """Return the smaller limit of each kind."""
        pairs = zip(self.limits(), other.limits(), strict=True)
        return Rates(*(min(a, b) if a and b else a or b for a, b in pairs))

    def limits(self) -> tuple[int, int, int]:
        """Return the three limits."""
        return self.concurrency, self.requests, self.tokens


@define(eq=False)
class Ticket:
    """
    A request that was let through.

    Args:
        at: When.
        tokens: How many tokens it is taken to have used.
        counted: Whether it is among those of the last minute.
    """

    at: float
    tokens: float
    counted: bool = True


@define(eq=False)
class Gate:
    """
    The gate before one provider.

    Args:
        rates: What it allows.
        clock: Seconds, monotonic.
        minute: Seconds within which requests and tokens are counted.
        spacing: Least seconds from one request to the next. Where sending costs this process much, many that begin at
            once would take turns step by step, and all of them end when the last one does; apart, each ends early.

    Attributes:
        under_way: Requests at this moment.
        answered: Requests that got an answer so far.
        allowed: How many may be under way, as the provider has taught.
    """

    rates: Rates
    clock: Callable[[], float] = time.monotonic
    minute: float = MINUTE
    spacing: float = 0.0
    under_way: int = 0
    answered: int = 0
    allowed: float = inf
    _closed_until: float = -inf
    _cut: float = -inf
    _last: float = -inf
    _mean: float = 0.0
    _line: asyncio.Lock = field(factory=asyncio.Lock)
    _changed: asyncio.Event = field(factory=asyncio.Event)
    _window: deque[Ticket] = field(factory=deque)
    _sum: float = 0.0
    _useless: bool = False

    def __attrs_post_init__(self) -> None:
        self.allowed = float(self.rates.concurrency or inf)

    def restrict(self, rates: Rates) -> None:
        """Keep another component's limits too."""
        self.rates = self.rates.tighter(rates)
        self.allowed = min(self.allowed, float(self.rates.concurrency or inf))

    async def enter(self, tokens: float = 0.0) -> Ticket:
        """
        Wait for a turn, in the order of arrival.

        Args:
            tokens: How many the request will use at least; it is taken to use no fewer than those before on average.
        """
        async with self._line:
            while (seconds := self._wait(max(tokens, self._mean))) > 0:
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds if isfinite(seconds) else None):
                        await self._changed.wait()
            return self._begin(max(tokens, self._mean))

    def answer(self, ticket: Ticket, tokens: float) -> None:
        """A request is over, and got an answer that used so many tokens (0 where that is not known)."""
        self._over(ticket, tokens or ticket.tokens)
        self.answered += 1
        if tokens:
            self._mean += (tokens - self._mean) / (10 if self._mean else 1)
        most = float(self.rates.concurrency or inf)
        if self.allowed < most:
            self.allowed = min(most, self.allowed + 1 / max(1.0, self.allowed))

    def fail(self, ticket: Ticket) -> None:
        """A request is over without an answer; what it used is not known."""
        self._over(ticket, ticket.tokens)

    def refuse(self, ticket: Ticket, after: float) -> None:
        """
        A request is over, and the provider said that there are too many.

        Half as many are let through from now on: once for all that were under way together, which say the same.

        Args:
            ticket: What :meth:`enter` gave.
            after: Seconds in which it does not want to be asked.
        """
        self._over(ticket, 0.0)
        now = self.clock()
        if ticket.at > self._cut:
            self.allowed = max(1.0, min(self.allowed, self.under_way + 1) / 2)
            self._cut = now
        self._closed_until = max(self._closed_until, now + after)

    def give_up(self) -> None:
        """Let everybody through: nothing will be sent any more."""
        self._useless = True
        self._changed.set()

    def _over(self, ticket: Ticket, tokens: float) -> None:
        self.under_way -= 1
        if ticket.counted:
            self._sum += tokens - ticket.tokens
        ticket.tokens = tokens
        self._changed.set()

    def _begin(self, tokens: float) -> Ticket:
        counted = bool(self.rates.requests or self.rates.tokens)
        ticket = Ticket(self.clock(), tokens, counted)
        self.under_way += 1
        self._last = ticket.at
        if counted:
            self._window.append(ticket)
            self._sum += tokens
        return ticket

    def _wait(self, tokens: float) -> float:
        """Return the seconds until a request may begin; infinity where another has to end first."""
        now = self.clock()
        while self._window and self._window[0].at <= now - self.minute:
            gone = self._window.popleft()
            gone.counted = False
            self._sum = self._sum - gone.tokens if self._window else 0.0
        if self._useless:
            return 0.0
        if self.under_way and self.under_way + 1 > self.allowed:
            return inf
        apart = max(self._closed_until, self._last + self.spacing) - now
        return max(apart, self._wait_for_requests(now), self._wait_for_tokens(now, tokens))

    def _wait_for_requests(self, now: float) -> float:
        limit = self.rates.requests
        return self._window[-limit].at + self.minute - now if limit and len(self._window) >= limit else 0.0

    def _wait_for_tokens(self, now: float, tokens: float) -> float:
        """One that alone is beyond the limit waits for an empty minute."""
        limit, total = self.rates.tokens, self._sum
        if not limit or total + tokens <= limit:
            return 0.0
        for ticket in self._window:
            total -= ticket.tokens
            if total + tokens <= limit or ticket is self._window[-1]:
                return ticket.at + self.minute - now
        return 0.0
