"""Time that is not a component's own: it counts against no limit of its role, and is no part of its seconds."""

import asyncio
from contextlib import AbstractContextManager, nullcontext

import pytest
from fakes.worlds import ENDED, Says, World, episode

from recfw.engine.limits import MOST_EXCUSED, Excuse
from recfw.model.reply import Reply
from recfw.model.run import Limits
from recfw.model.trace import ReplyEvent


class Clock:
    """Seconds that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_waiting_and_forgiven_time_add_up() -> None:
    """Nested waits count once; what was forgiven comes on top; taking begins anew."""
    clock = Clock()
    excuse = Excuse(clock)
    with excuse.waiting():
        clock.now = 3.0
        with excuse.waiting():
            clock.now = 5.0
        assert 5.0 == excuse.seconds()
    clock.now = 9.0
    excuse.forgive(2.0)
    excuse.forgive(-7.0)
    assert (7.0, 0.0) == (excuse.take(), excuse.seconds())


def test_a_wait_without_an_end_is_not_excused_for_ever() -> None:
    """What waits longer than an hour is not waiting but hanging."""
    clock = Clock()
    excuse = Excuse(clock)
    with excuse.waiting():
        clock.now = 1e6
        assert MOST_EXCUSED == excuse.seconds()


class Waiter:
    """An agent that is slow; it says so, or not."""

    def __init__(self, waits: AbstractContextManager[None]) -> None:
        self.waits = waits

    async def reply(self, view: object) -> Reply:
        """Wait, then speak."""
        with self.waits:
            await asyncio.sleep(0.3)
        return Reply("done")


@pytest.mark.parametrize(("excused", "stop"), [(True, "done"), (False, "agent_time_limit")])
def test_excused_time_counts_against_no_limit(excused: bool, stop: str) -> None:
    """An agent with 0.15 s waits for 0.3 s: it runs out of time unless the time is not its own."""
    played = episode(World([ENDED]), limits=Limits(seconds={"agent": 0.15}))
    waits = played.excuse("agent").waiting() if excused else nullcontext()
    played.players["agent"] = Waiter(waits)
    end = asyncio.run(played.play())
    assert stop == end.stop
    replies = [event for event in played.events if isinstance(event, ReplyEvent)]
    assert all(event.seconds < 0.15 for event in replies)


def test_time_that_was_excused_can_be_charged() -> None:
    """Time excused while nobody knew whose it would be counts after all; no more than was excused."""
    clock = Clock()
    excuse = Excuse(clock)
    with excuse.waiting():
        clock.now = 5.0
    excuse.charge(3.0)
    assert 2.0 == excuse.seconds()
    excuse.charge(9.0)
    assert 0.0 == excuse.take()


def test_a_reply_that_comes_late_ends_the_episode() -> None:
    """An agent whose time was excused while it thought, and charged when it answered, is held to its limit."""
    played = episode(World([ENDED]), limits=Limits(seconds={"agent": 0.15}))
    excuse = played.excuse("agent")

    async def thinks(view: object) -> Reply:
        with excuse.waiting():
            await asyncio.sleep(0.3)
        excuse.charge(0.3)
        return Reply("done")

    played.players["agent"] = Says([thinks])
    end = asyncio.run(played.play())
    assert "agent_time_limit" == end.stop
    assert ["done"] == [event.reply.text for event in played.events if isinstance(event, ReplyEvent)]
