"""The gate: order, concurrency, requests and tokens within any minute, and what a provider's refusals teach."""

import asyncio
import time
from contextlib import suppress
from itertools import pairwise

import pytest

from recfw_litellm.gate import Gate, Rates

MINUTE = 0.2
"""Seconds of a minute, here."""


class Clock:
    """A clock that stands where it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def through(gate: Gate, entries: list[float], hold: float = 0.0, tokens: float = 0.0) -> None:
    """Go through, note when, stay for a while, leave answered."""
    ticket = await gate.enter(tokens)
    entries.append(time.monotonic())
    await asyncio.sleep(hold)
    gate.answer(ticket, tokens)


async def settled(task: "asyncio.Task[object]") -> bool:
    """Tell whether a task ends without anything else happening."""
    for _ in range(5):
        await asyncio.sleep(0)
    return task.done()


def most_within(entries: list[float], seconds: float) -> int:
    """Return how many entries lie within some span of so many seconds, at most."""
    return max(sum(start <= entry < start + seconds for entry in entries) for start in entries)


def test_turns_are_taken_in_the_order_of_arrival() -> None:
    """Who comes first goes first, whoever leaves."""

    async def play() -> list[int]:
        gate, order = Gate(Rates(concurrency=2)), list[int]()

        async def one(number: int) -> None:
            ticket = await gate.enter()
            order.append(number)
            await asyncio.sleep(0.001 * (number % 3))
            gate.answer(ticket, 0)

        await asyncio.gather(*map(one, range(20)))
        return order

    assert list(range(20)) == asyncio.run(play())


def test_no_more_are_under_way_than_the_provider_allows() -> None:
    """The limit of concurrency is reached and never passed."""

    async def play() -> list[int]:
        gate, seen = Gate(Rates(concurrency=3)), list[int]()

        async def one() -> None:
            ticket = await gate.enter()
            seen.append(gate.under_way)
            await asyncio.sleep(0.001)
            gate.answer(ticket, 0)

        await asyncio.gather(*(one() for _ in range(20)))
        return [max(seen), gate.under_way]

    assert [3, 0] == asyncio.run(play())


def test_no_minute_holds_more_requests_than_allowed() -> None:
    """Whatever minute is looked at, not only those on the clock's face: five requests in it."""

    async def play() -> list[float]:
        gate, entries = Gate(Rates(requests=5), minute=MINUTE), list[float]()
        await asyncio.gather(*(through(gate, entries) for _ in range(13)))
        return entries

    entries = asyncio.run(play())
    assert 5 == most_within(entries, MINUTE - 0.001)
    assert 2 * MINUTE <= entries[-1] - entries[0] < 3 * MINUTE


def test_no_minute_holds_more_tokens_than_allowed() -> None:
    """Tokens are counted before they are spent: a first burst does not pass because nothing is known yet."""

    async def play() -> list[float]:
        gate, entries = Gate(Rates(tokens=100), minute=MINUTE), list[float]()
        await asyncio.gather(*(through(gate, entries, tokens=30) for _ in range(7)))
        return entries

    entries = asyncio.run(play())
    assert 3 == most_within(entries, MINUTE - 0.001)
    assert 2 * MINUTE <= entries[-1] - entries[0]


def test_a_request_is_taken_to_use_what_those_before_used() -> None:
    """What answers cost is learnt: a guess that is too low does not let too many through."""

    async def play() -> bool:
        clock = Clock()
        gate = Gate(Rates(tokens=100), clock)
        gate.answer(await gate.enter(1), 60)
        return await settled(asyncio.create_task(gate.enter(1)))

    assert not asyncio.run(play())


def test_a_request_beyond_the_limit_alone_waits_for_an_empty_minute() -> None:
    """One that no minute has room for is let through when nothing else was sent, and not held for ever."""

    async def play() -> list[bool]:
        clock = Clock()
        gate = Gate(Rates(tokens=100), clock)
        first = asyncio.create_task(gate.enter(500))
        alone = await settled(first)
        second = asyncio.create_task(gate.enter(500))
        beside = await settled(second)
        clock.now += 60.0
        gate.answer(first.result(), 500)
        return [alone, beside, await settled(second)]

    assert [True, False, True] == asyncio.run(play())


def test_a_request_of_more_than_a_minute_leaves_the_count_right() -> None:
    """One that ends after its minute is counted in none; the sum of the last minute stays a sum."""

    async def play() -> list[bool]:
        clock = Clock()
        gate = Gate(Rates(tokens=100), clock)
        long = await gate.enter(10)
        clock.now += 61.0
        short = await gate.enter(10)
        gate.answer(long, 90)
        gate.answer(short, 10)
        return [await settled(asyncio.create_task(gate.enter(20)))]

    assert [True] == asyncio.run(play())


def test_a_failure_teaches_nothing_about_tokens_and_gives_none_back() -> None:
    """What a request without an answer used is not known: it counts as guessed, and the mean stays."""

    async def play() -> list[bool]:
        clock = Clock()
        gate = Gate(Rates(tokens=100), clock)
        gate.answer(await gate.enter(1), 40)
        gate.fail(await gate.enter(1))
        return [await settled(asyncio.create_task(gate.enter(1)))]

    assert [False] == asyncio.run(play())


def test_a_refusal_gives_its_tokens_back() -> None:
    """The provider read nothing of a request that it refused."""

    async def play() -> bool:
        clock = Clock()
        gate = Gate(Rates(tokens=100), clock)
        gate.refuse(await gate.enter(90), 0.0)
        return await settled(asyncio.create_task(gate.enter(90)))

    assert asyncio.run(play())


def test_refusals_halve_what_is_let_through_once_for_all_that_were_under_way() -> None:
    """Sixteen requests are refused together: eight at a time from then on, and not one."""

    async def play() -> float:
        clock = Clock()
        gate = Gate(Rates(concurrency=16), clock)
        tickets = [await gate.enter() for _ in range(16)]
        for ticket in tickets:
            clock.now += 0.01
            gate.refuse(ticket, 0.0)
        return gate.allowed

    assert 8.0 == asyncio.run(play())


def test_without_a_limit_refusals_make_one() -> None:
    """Half of those that were under way, where nobody named a limit."""

    async def play() -> float:
        gate = Gate(Rates())
        tickets = [await gate.enter() for _ in range(10)]
        gate.refuse(tickets[0], 0.0)
        return gate.allowed

    assert 5.0 == asyncio.run(play())


def test_answers_open_the_gate_again_as_far_as_its_limit() -> None:
    """More are let through bit by bit, one for each round of answers."""

    async def play() -> list[float]:
        clock = Clock()
        gate = Gate(Rates(concurrency=4), clock)
        gate.refuse(await gate.enter(), 0.0)
        seen = [gate.allowed]
        for _ in range(20):
            gate.answer(await gate.enter(), 0)
            seen.append(gate.allowed)
        return [seen[0], seen[1], seen[-1]]

    assert [1.0, 2.0, 4.0] == asyncio.run(play())


def test_failures_do_not_open_the_gate() -> None:
    """Only answers say that the provider is content again."""

    async def play() -> float:
        gate = Gate(Rates(concurrency=4))
        gate.refuse(await gate.enter(), 0.0)
        for _ in range(5):
            gate.fail(await gate.enter())
        return gate.allowed

    assert 1.0 == asyncio.run(play())


def test_i5138_nobody_passes_while_the_provider_wants_rest_and_all_do_afterwards() -> None:
    """A wait that the provider asks for holds everybody, for no longer than asked."""

    async def play() -> list[bool]:
        gate, entries = Gate(Rates()), list[float]()
        started = time.monotonic()
        gate.refuse(await gate.enter(), 0.1)
        await asyncio.gather(*(through(gate, entries) for _ in range(10)))
        return [min(entries) - started >= 0.1, max(entries) - started < 0.3]

    assert [True, True] == asyncio.run(play())


@pytest.mark.parametrize("waiting", [0, 1, 2])
def test_who_is_cancelled_while_waiting_leaves_no_place_taken(waiting: int) -> None:
    """At the head of the line or in it: the others get their turns, and nothing is under way in the end."""

    async def play() -> list[int]:
        gate = Gate(Rates(concurrency=1))
        held, entries = await gate.enter(), list[float]()
        tasks = [asyncio.create_task(through(gate, entries)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[waiting].cancel()
        with suppress(asyncio.CancelledError):
            await tasks[waiting]
        gate.answer(held, 0)
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        return [len(entries), gate.under_way]

    assert [2, 0] == asyncio.run(play())


def test_giving_up_lets_everybody_through_at_once() -> None:
    """When nothing will be sent any more, nobody waits for a turn or for rest."""

    async def play() -> bool:
        gate = Gate(Rates(concurrency=1))
        gate.refuse(await gate.enter(), 60.0)
        waiting = [asyncio.create_task(gate.enter()) for _ in range(5)]
        await asyncio.sleep(0)
        gate.give_up()
        await asyncio.wait_for(asyncio.gather(*waiting), 1)
        return True

    assert asyncio.run(play())


def test_processes_share_what_a_run_may_have() -> None:
    """Each gets its part, at least one of each, and no limit stays none."""
    assert Rates(2, 0, 250) == Rates(8, 0, 1000).shared(4)
    assert Rates(1, 1, 1) == Rates(2, 3, 1).shared(4)


def test_the_tighter_of_two_components_limits_holds() -> None:
    """Of each kind the smaller one, where there is one."""
    assert Rates(4, 10, 500) == Rates(8, 10, 0).tighter(Rates(4, 20, 500))


def test_a_limit_that_is_tightened_counts_what_was_sent_before() -> None:
    """Another component brings a smaller limit: the next waits until few enough of the last minute are left."""

    async def play() -> list[bool]:
        clock = Clock()
        gate = Gate(Rates(requests=10), clock)
        for _ in range(4):
            clock.now += 10.0
            gate.answer(await gate.enter(), 0)
        gate.restrict(Rates(requests=2))
        waiting = asyncio.create_task(gate.enter())
        found = []
        for now in (1071.0, 1089.0, 1091.0):
            clock.now = now
            gate._changed.set()
            found.append(await settled(waiting))
        return found

    assert [False, False, True] == asyncio.run(play())


def test_requests_begin_apart_where_sending_costs_much() -> None:
    """Ten that come at once begin one after the other, none sooner than the spacing after the one before."""

    async def play() -> list[float]:
        gate, entries = Gate(Rates(), spacing=0.01), list[float]()
        await asyncio.gather(*(through(gate, entries) for _ in range(10)))
        return [later - earlier for earlier, later in pairwise(sorted(entries))]

    assert all(apart >= 0.009 for apart in asyncio.run(play()))


def test_a_lone_request_waits_for_nobody() -> None:
    """The spacing holds nobody up who comes later than that."""

    async def play() -> float:
        gate = Gate(Rates(), spacing=0.05)
        gate.answer(await gate.enter(), 0)
        await asyncio.sleep(0.06)
        started = time.monotonic()
        await gate.enter()
        return time.monotonic() - started

    assert asyncio.run(play()) < 0.02
