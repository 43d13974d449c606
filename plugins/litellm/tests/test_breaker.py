"""The circuit breaker: what means that a provider is down, and what does not."""

import asyncio
import time

import pytest
from fakes_client import FAILED, KEY, REFUSED

from recfw_litellm.breaker import Breaker
from recfw_litellm.wire import Blame, Fault


class Clock:
    """A clock that stands where it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def broken_by(*faults: Fault, apart: float = 1.0, failures: int = 3, seconds: float = 2.0) -> Fault | None:
    """Return what a breaker is broken by after these faults, a second apart."""
    clock = Clock()
    breaker = Breaker(failures, seconds, clock)
    for fault in faults:
        breaker.failed(fault)
        clock.now += apart
    return breaker.broken


def test_a_refused_key_breaks_it_at_once() -> None:
    """Nothing can succeed any more: whoever asks next is told so, and what was said."""
    breaker = Breaker()
    breaker.check()
    breaker.failed(KEY)
    with pytest.raises(Fault, match="the key is refused") as told:
        breaker.check()
    assert ("authentication", Blame.FATAL) == (told.value.kind, told.value.blame)


def test_failures_in_a_row_that_last_break_it() -> None:
    """Three in a row over two seconds: down, with the last words and how long it lasted."""
    broken = broken_by(FAILED, FAILED, FAILED)
    assert broken is not None
    assert ("outage", Blame.FATAL) == (broken.kind, broken.blame)
    assert "nothing was answered for 2 s; 3 requests in a row failed, the last one so: HTTP 500: no" == broken.words


@pytest.mark.parametrize(
    ("faults", "apart"), [((FAILED, FAILED), 9.0), ((FAILED,) * 50, 0.01), ((FAILED, REFUSED, FAILED), 9.0)]
)
def test_few_failures_or_a_short_while_do_not(faults: tuple[Fault, ...], apart: float) -> None:
    """Two failures, however long; fifty in half a second; a refusal for there being too many is none."""
    assert broken_by(*faults, apart=apart) is None


def test_rate_limits_never_break_it() -> None:
    """A provider that says that there are too many requests is there; each request ends by its own retries."""
    assert broken_by(*[REFUSED] * 1000) is None


@pytest.mark.parametrize("blame", [Blame.REQUEST, Blame.AGENT, Blame.OVERFLOW])
def test_a_provider_that_refuses_a_single_request_has_answered(blame: Blame) -> None:
    """The row of failures ends there."""
    assert broken_by(FAILED, FAILED, Fault("bad_request", blame, "no"), FAILED, FAILED) is None


def test_an_answer_ends_the_row() -> None:
    """Failures before it count no more, neither in number nor in time."""
    clock = Clock()
    breaker = Breaker(3, 2.0, clock)
    for fault in (FAILED, FAILED, None, FAILED, FAILED, FAILED):
        clock.now += 1.0
        if fault is None:
            breaker.succeeded()
        else:
            breaker.failed(fault)
    assert breaker.broken is not None
    assert 3 == breaker.in_a_row
    assert 4.0 == breaker.since


def test_what_broke_it_first_stays() -> None:
    """Requests that were under way fail too, each with its own words; the first words tell the cause."""
    breaker = Breaker()
    breaker.failed(KEY)
    breaker.failed(Fault("quota", Blame.FATAL, "HTTP 429: no quota"))
    assert breaker.broken is KEY


def test_who_rests_before_another_attempt_is_woken_when_there_is_none() -> None:
    """A run that stops does not wait for a back-off of a minute."""

    async def play() -> float:
        breaker = Breaker()
        started = time.monotonic()
        resting = asyncio.create_task(breaker.rest(60.0))
        await asyncio.sleep(0)
        breaker.failed(KEY)
        await resting
        return time.monotonic() - started

    assert asyncio.run(play()) < 1.0


def test_a_rest_is_as_long_as_it_is() -> None:
    """Without a break, the whole of it."""

    async def play() -> float:
        started = time.monotonic()
        await Breaker().rest(0.05)
        return time.monotonic() - started

    assert 0.05 <= asyncio.run(play()) < 0.5
