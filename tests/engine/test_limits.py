"""Each limit ends an episode with a stop reason of its own."""

import asyncio
from itertools import count
from typing import Any

import pytest
from fakes.worlds import ENDED, Says, World, episode

from recfw.engine.limits import depends_on_clock
from recfw.errors import InfrastructureError
from recfw.model.reply import Reply, ToolCall
from recfw.model.run import Limits
from recfw.model.trace import EndEvent, RefusalEvent, Trace
from recfw.protocols import Accepted, Refused

CALL = ToolCall("echo")


def play(world: World, limits: Limits, agent: Any = None, **more: Any) -> Trace:
    """Play an episode to its end; return its trace."""
    made = episode(world, agent, limits=limits, **more)
    asyncio.run(made.play())
    return made.trace


def test_turns_count_floors() -> None:
    """With 3 turns the agent may hold the floor three times; the fourth ends the episode before it replies."""
    trace = play(World(), Limits(turns={"agent": 3}))
    assert trace.stop == "agent_turn_limit"
    assert [event.turn for event in trace.replies("agent")] == [1, 2, 3]
    assert len(trace.replies("user")) == 3


def test_a_turn_counts_floors_not_replies() -> None:
    """Many replies while it holds the floor are one turn: tool calls and repairs do not use turns up."""
    lines = [Reply(calls=(CALL,))] * 5 + [Reply("hm"), Reply("now")]
    world = World(rulings=[*[Accepted()] * 5, Refused("no"), ENDED])
    trace = play(world, Limits(turns={"agent": 1}), Says(lines))
    assert trace.stop == "done"
    assert {event.turn for event in trace.replies("agent")} == {1}


def test_the_other_role_has_turns_of_its_own() -> None:
    """A limit on the user's turns names the user."""
    trace = play(World(), Limits(turns={"user": 1}))
    assert (trace.stop, len(trace.replies("agent"))) == ("user_turn_limit", 2)


def test_replies_count_within_one_turn() -> None:
    """With 3 replies a turn, the fourth reply while it holds the floor does not happen."""
    trace = play(World(), Limits(replies={"agent": 3}), Says([Reply(calls=(CALL,))]))
    assert (trace.stop, len(trace.replies("agent"))) == ("agent_reply_limit", 3)


def test_a_new_turn_has_its_own_replies() -> None:
    """Handing the floor over starts the count of replies and of calls anew."""
    lines = [Reply(calls=(CALL,)), Reply("a")] * 4
    world = World(rulings=[*[Accepted()] * 10, ENDED])
    trace = play(world, Limits(replies={"agent": 2}, calls={"agent": 1}, grace_calls=1), Says(lines))
    assert trace.stop == "done"


def test_calls_have_a_grace() -> None:
    """With 150 calls and a grace of 10, calls 151 to 160 are answered with a budget error, and then it ends."""
    trace = play(World(), Limits(calls={"agent": 150}, grace_calls=10), Says([Reply(calls=(CALL,))]))
    assert trace.stop == "agent_call_limit"
    assert [event.error for event in trace.tools()] == [False] * 150 + [True] * 10
    assert all("budget" in event.content for event in trace.tools()[150:])


def test_many_calls_at_once_are_all_answered() -> None:
    """A reply of more calls than budget and grace is answered whole, by position, and then it ends."""
    trace = play(World(), Limits(calls={"agent": 2}, grace_calls=1), Says([Reply(calls=(CALL,) * 8)]))
    assert (trace.stop, [event.error for event in trace.tools()]) == ("agent_call_limit", [False] * 2 + [True] * 6)


def test_an_agent_that_heeds_the_budget_goes_on() -> None:
    """Who stops calling when it is told to can still finish."""
    world = World(rulings=[Accepted(), Accepted(), ENDED])
    lines = [Reply(calls=(CALL,)), Reply(calls=(CALL,)), Reply("done")]
    assert play(world, Limits(calls={"agent": 1}, grace_calls=2), Says(lines)).stop == "done"


def test_repairs_are_bounded() -> None:
    """With 2 repairs the third refusal in a row ends the episode; each is in the trace with its words."""
    trace = play(World(rulings=[Refused("again")]), Limits(repairs=2))
    assert trace.stop == "agent_repair_limit"
    assert [event.words for event in trace.events if isinstance(event, RefusalEvent)] == ["again"] * 3


def test_an_accepted_reply_ends_the_row_of_refusals() -> None:
    """Refusals count in a row: an accepted reply between them starts anew."""
    world = World(rulings=[Refused("x"), Accepted(), Refused("x"), Accepted(), Refused("x"), ENDED])
    assert play(world, Limits(repairs=1)).stop == "done"


def test_seconds_are_those_of_the_role() -> None:
    """The time that a role spends adds up over its replies; when it is used up, its next reply does not begin."""
    ticks = count(0, 2.0)
    trace = play(World(), Limits(seconds={"agent": 5.0}), clock=lambda: next(ticks))
    assert (trace.stop, len(trace.replies("agent"))) == ("agent_time_limit", 3)
    assert [event.seconds for event in trace.replies("agent")] == [2.0] * 3


def test_a_reply_that_takes_too_long_ends_it() -> None:
    """A reply that would outlast the role's time is abandoned on time."""

    async def wait(view: Any) -> Reply:
        await asyncio.sleep(60)
        return Reply()

    trace = play(World(), Limits(seconds={"agent": 0.1}), Says([wait]))
    assert trace.end == EndEvent("agent_time_limit", {"received": 0}, "no reply within 0 s")


def test_a_user_that_hangs_is_infrastructure() -> None:
    """A role that is not under evaluation and does not reply in time is no ending of the agent's."""

    async def wait(view: Any) -> Reply:
        await asyncio.sleep(60)
        return Reply()

    made = episode(World(floor="user"), user=Says([wait]), limits=Limits(world_seconds=0.1))
    with pytest.raises(InfrastructureError, match=r"^user: no reply within"):
        asyncio.run(made.play())


def test_a_world_that_hangs_is_infrastructure() -> None:
    """An environment that does not rule in time is named with the time it had."""

    class Slow(World):
        async def receive(self, role, reply, results):
            await asyncio.sleep(60)

    made = episode(Slow(), limits=Limits(world_seconds=0.1))
    with pytest.raises(InfrastructureError, match=r"the environment's receive took longer than 0\.1 s"):
        asyncio.run(made.play())


@pytest.mark.parametrize(
    ("stop", "clock"),
    [
        ("agent_time_limit", True), ("agent_error", True), ("context_overflow", True), ("infrastructure", True),
        ("agent_turn_limit", False), ("agent_call_limit", False), ("agent_repair_limit", False), ("done", False),
    ],
)  # fmt: skip
def test_endings_that_a_replay_cannot_find(stop: str, *, clock: bool) -> None:
    """Only endings by the clock or by a component's fault are taken from the trace."""
    assert depends_on_clock(stop) == clock
