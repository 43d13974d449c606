"""The circuit breaker: when a provider has not answered anything for a while, the run stops instead of failing on."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field

from recfw_litellm.wire import Blame, Fault


@define(eq=False)
class Breaker:
    """
    Counts what fails in a row, over all requests of a process to one provider.

    Args:
        failures: How many in a row mean that it is down …
        seconds: … when they go on for this long.
        clock: Seconds, monotonic.
    """

    failures: int = 20
    seconds: float = 30.0
    clock: Callable[[], float] = time.monotonic
    in_a_row: int = 0
    since: float = 0.0
    broken: Fault | None = None
    _opened: asyncio.Event = field(factory=asyncio.Event)

    def check(self) -> None:
        """Raise the fault that broke it, if it is broken: nothing is sent any more."""
        if self.broken is not None:
            raise Fault(self.broken.kind, self.broken.blame, self.broken.words)

    def succeeded(self) -> None:
        """The provider answered."""
        self.in_a_row = 0

    def failed(self, fault: Fault) -> None:
        """
        A request failed.

        One that says that nothing can succeed breaks it at once. A provider that refuses a single request has answered,
        and one that says that there are too many is there, though nothing was answered.
        """
        if fault.blame is Blame.FATAL:
            self._break(fault)
        elif fault.blame is not Blame.RETRY:
            self.succeeded()
        elif fault.kind != "rate_limit":
            self._count(fault)

    def _count(self, fault: Fault) -> None:
        if not self.in_a_row:
            self.since = self.clock()
        self.in_a_row += 1
        lasted = self.clock() - self.since
        if self.in_a_row >= self.failures and lasted >= self.seconds:
            words = (
                f"nothing was answered for {lasted:.0f} s; {self.in_a_row} requests in a row failed, the last one so: "
            )
            self._break(Fault("outage", Blame.FATAL, words + fault.words))

    def _break(self, fault: Fault) -> None:
        self.broken = self.broken or fault
        self._opened.set()

    async def rest(self, seconds: float) -> None:
        """Wait before another attempt: for no longer than there is a use in one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._opened.wait()
