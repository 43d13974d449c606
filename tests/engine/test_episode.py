"""The one loop: who replies, what is refused, and whose fault an ending is."""

import asyncio
from typing import Any

import pytest
from fakes.worlds import ENDED, Says, World, episode

from recfw.errors import InfrastructureError, RecfwError, StoreError
from recfw.model.reply import Reply, ToolCall, Usage
from recfw.model.run import Limits
from recfw.model.trace import EndEvent, PictureEvent, RefusalEvent, ReplyEvent, Trace, WorldEvent
from recfw.model.usage import usage_of
from recfw.protocols import Accepted, ContextOverflow, Ended, Refused
from recfw.serialize import event_line
from recfw.testing.fakes import MemoryRecorder


def play(world: Any, agent: Any = None, user: Any = None, limits: Limits | None = None) -> Trace:
    """Play an episode to its end; return its trace."""
    made = episode(world, agent, user, limits)
    asyncio.run(made.play())
    return made.trace


def broken(world: Any, agent: Any = None, user: Any = None) -> str:
    """Play an episode that infrastructure breaks off; return the words."""
    made = episode(world, agent, user)
    with pytest.raises(InfrastructureError) as caught:
        asyncio.run(made.play())
    assert made.trace.end is None
    return str(caught.value)


def test_an_episode_ends_when_the_environment_says_so() -> None:
    """The ruling's events come before the end, which holds the environment's closing facts."""
    trace = play(World(rulings=[Accepted(), Ended("chosen", (WorldEvent("met", {"yes": True}),))]))
    assert [type(event) for event in trace.events] == [ReplyEvent, ReplyEvent, WorldEvent, EndEvent]
    assert trace.end == EndEvent("chosen", {"received": 2})


def test_a_refused_reply_can_be_repaired() -> None:
    """A refusal is in the trace, and the same role in the same turn replies again."""
    agent = Says([Reply("hm"), Reply("well")])
    trace = play(World(rulings=[Refused("Say it well."), ENDED]), agent)
    assert [type(event) for event in trace.events] == [ReplyEvent, RefusalEvent, ReplyEvent, EndEvent]
    assert trace.events[1] == RefusalEvent("agent", 1, "Say it well.")
    assert [event.turn for event in trace.replies("agent")] == [1, 1]


class MuteError(Exception):
    """An exception that cannot even be told."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
        (SystemExit(2), "RuntimeError: SystemExit raised by outside code"),
        (GeneratorExit(), "RuntimeError: GeneratorExit raised by outside code"),
        (BaseException("base"), "RuntimeError: BaseException raised by outside code: base"),
        (MuteError(), "MuteError, which cannot say what happened"),
        (Reply("", finish=5), "TypeError: the component's reply holds text that is no string"),
        (Reply("", calls=(ToolCall("t", "{}", 5),)), "which is no ToolCall"),
        (None, "TypeError: the component replied NoneType, not a Reply"),
        ("text", "TypeError: the component replied str, not a Reply"),
        (Reply(None), "TypeError: the component's reply holds text that is no string"),
        (Reply("", reasoning=5), "TypeError: the component's reply holds text that is no string"),
        (Reply("", calls=("search",)), "TypeError: the component's reply holds 'search', which is no ToolCall"),
        (Reply("", calls=(ToolCall("t", {}),)), "which is no ToolCall"),
        (Reply("", calls=None), "TypeError: "),
    ],
)
def test_an_agents_fault_is_its_ending(line: Any, words: str) -> None:
    """An agent that raises or replies nothing sensible has ended its own episode, with what it did in words."""
    trace = play(World(), Says([line]))
    assert trace.stop == "agent_error"
    assert words in (trace.end or EndEvent("")).error


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        ("lots", "the reply's usage is str, not a Usage"),
        (Usage(input_tokens="many"), "input_tokens = 'many', which is no count"),
        (Usage(output_tokens=-1), "output_tokens = -1, which is no count"),
        (Usage(output_tokens=1.5), "output_tokens = 1.5, which is no count"),
        (Usage(cached_tokens=True), "cached_tokens = True, which is no count"),
        (Usage(reasoning_tokens=10**30), "which is no count"),
        (Usage(cost="free"), "cost = 'free', which is no amount"),
        (Usage(cost=float("nan")), "cost = nan, which is no amount"),
        (Usage(cost=float("inf")), "cost = inf, which is no amount"),
        (Usage(cost=-0.01), "cost = -0.01, which is no amount"),
        (Usage(raw=[1]), "raw = [1], which is no dict"),
    ],
)
def test_usage_that_cannot_be_counted_is_the_agents_fault(usage: Any, words: str) -> None:
    """Nothing but whole numbers of tokens and a finite amount, none of them negative, is ever added up."""
    trace = play(World(), Says([Reply("x", usage=usage)]))
    assert trace.stop == "agent_error"
    assert words in (trace.end or EndEvent("")).error


@pytest.mark.parametrize(
    "line", [ZeroDivisionError("by zero"), None, SystemExit(2), ContextOverflow("long"), MuteError()]
)
def test_a_users_fault_is_infrastructure(line: Any) -> None:
    """A user simulator that breaks is never the agent's failure."""
    assert broken(World(floor="user"), user=Says([line])).startswith("user: ")


def test_a_provider_that_is_down_is_infrastructure() -> None:
    """What an agent itself calls infrastructure is no ending of its own."""
    assert broken(World(), Says([InfrastructureError("429 for ever")])) == "429 for ever"


def test_context_overflow_is_its_own_ending() -> None:
    """A View that the agent cannot read is neither infrastructure nor an error."""
    end = play(World(), Says([Reply("a"), ContextOverflow("9,000 of 8,192 tokens")])).end
    assert end == EndEvent("context_overflow", {"received": 2}, "9,000 of 8,192 tokens")


def test_a_player_that_is_not_async_is_told() -> None:
    """A reply method that forgot to be async, without saying that it blocks, is the component's fault."""

    class Sync:
        def reply(self, view: Any) -> Reply:
            return Reply("a")

    assert play(World(), Sync()).stop == "agent_error"


def test_a_blocking_player_gets_a_thread() -> None:
    """A component that says it blocks is called as an ordinary function, in a thread."""

    class Sync:
        def reply(self, view: Any) -> Reply:
            return Reply("from a thread")

    made = episode(World(rulings=[ENDED]), Sync())
    made.blocking.add("agent")
    asyncio.run(made.play())
    assert made.trace.replies("agent")[0].reply.text == "from a thread"


class Odd(World):
    """A world of which one method answers something else."""

    def __init__(self, method: str, value: Any) -> None:
        super().__init__()
        self.method, self.value = method, value

    def odd(self, method: str, otherwise: Any) -> Any:
        """Return the odd value, or raise it, where it is this method's turn."""
        if method == self.method and isinstance(self.value, BaseException):
            raise self.value
        return self.value if method == self.method else otherwise

    def next_role(self) -> str:
        return self.odd("next_role", "agent")

    async def view(self, role: str) -> Any:
        return self.odd("view", await super().view(role))

    async def receive(self, role: str, reply: Reply, results: Any) -> Any:
        return self.odd("receive", ENDED)

    def summary(self) -> Any:
        return self.odd("summary", {})


@pytest.mark.parametrize(
    ("method", "value", "words"),
    [
        ("next_role", "stranger", "the environment gave the floor to 'stranger', which is no role of this track."),
        ("next_role", KeyError("k"), "the environment's next_role raised KeyError"),
        ("next_role", SystemExit(1), "the environment's next_role raised SystemExit"),
        ("view", ZeroDivisionError("z"), "the environment's view raised ZeroDivisionError: z"),
        ("view", None, "the environment's view is NoneType, not a View."),
        ("receive", KeyError("k"), "the environment's receive raised KeyError: 'k'"),
        ("receive", None, "the environment ruled None, which is no ruling."),
        ("receive", InfrastructureError("the store is shut."), "the store is shut."),
        ("summary", ZeroDivisionError("z"), "the environment's summary raised ZeroDivisionError: z"),
    ],
)
def test_a_worlds_fault_is_infrastructure(method: str, value: Any, words: str) -> None:
    """An environment that breaks its contract is named with the method, and the agent is not blamed."""
    assert broken(Odd(method, value)).startswith(words)


def test_a_picture_that_is_looked_at_is_kept() -> None:
    """Its bytes are attached once, and each look is in the trace before the reply."""
    world = World(rulings=[ENDED])
    made = episode(world)

    async def look(view: Any) -> Reply:
        found = [await made.look("agent", handle) for handle in ("p1", "p1", "p2")]
        return Reply(str([picture.data for picture in found]))

    made.players["agent"] = Says([look])
    asyncio.run(made.play())
    pictures = [event for event in made.trace.events if isinstance(event, PictureEvent)]
    kept = {item.sha256: item.data for item in made.recorder.attachments}
    assert [event.handle for event in pictures] == ["p1", "p1", "p2"]
    assert [kept[event.sha256] for event in pictures] == [b"p1", b"p1", b"p2"]
    assert len(kept) == 2
    assert made.trace.replies("agent")[0].reply.text == "[b'p1', b'p1', b'p2']"


@pytest.mark.parametrize("error", [StoreError("the disk is full."), InfrastructureError("the renderer is down.")])
@pytest.mark.parametrize("made_of_it", ["raised", "swallowed", "wrapped"])
def test_a_look_that_fails_is_not_the_agents_fault(error: RecfwError, made_of_it: str) -> None:
    """Whatever an agent makes of a look that the disk or the world failed, the fault is raised as what it was."""
    made = episode(World())

    async def look(view: Any) -> Reply:
        try:
            await made.look("agent", "p1")
        except RecfwError as failure:
            if made_of_it == "swallowed":
                return Reply("I saw nothing.")
            if made_of_it == "wrapped":
                raise ValueError("no picture") from failure
            raise
        return Reply()

    class Refusing(MemoryRecorder):
        def attach(self, data: bytes, media_type: str) -> str:
            raise error

    made.recorder = Refusing()
    made.players["agent"] = Says([look])
    with pytest.raises(type(error), match=str(error)):
        asyncio.run(made.play())


def test_a_picture_that_nobody_looks_at_is_not_rendered() -> None:
    """A handle in a View costs nothing until a component asks for it."""
    world = World(rulings=[ENDED])
    trace = play(world)
    assert world.rendered == []
    assert not any(isinstance(event, PictureEvent) for event in trace.events)


def test_an_unknown_picture_is_the_agents_fault() -> None:
    """A handle that no View named is a KeyError in the component that asked for it."""

    class Blind(World):
        async def picture(self, handle):
            raise KeyError(handle)

    made = episode(Blind())

    async def look(view: Any) -> Reply:
        await made.look("agent", "nothing")
        return Reply()

    made.players["agent"] = Says([look])
    asyncio.run(made.play())
    assert made.trace.end == EndEvent("agent_error", {"received": 0}, "KeyError: 'nothing'")


def test_text_is_cleaned_before_anybody_sees_it() -> None:
    """Lone surrogates in a reply reach neither the environment nor the trace."""
    world = World(rulings=[ENDED])
    play(world, Says([Reply("a\ud800", reasoning="b\udfff")]))
    (_, reply, _) = world.received[0]
    assert (reply.text, reply.reasoning) == ("a?", "b?")


def test_data_reaches_the_world_as_the_trace_holds_it() -> None:
    """Odd values in structured data are made plain once, so that a replay from the trace sees the same."""
    world = World(rulings=[ENDED])
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    trace = play(world, Says([Reply(data={"n": float("nan"), "t": (1, 2), "deep": deep})]))
    (_, reply, _) = world.received[0]
    assert (reply.data["n"], reply.data["t"]) == (None, [1, 2])
    assert trace.replies("agent")[0].reply.data == reply.data
    assert all(event_line(event) for event in trace.events)


def test_every_event_is_recorded_as_it_happens() -> None:
    """What the recorder was given is the trace, event by event."""
    made = episode(World(rulings=[Refused("x"), ENDED]))
    asyncio.run(made.play())
    assert made.recorder.lines == [event_line(event) for event in made.trace.events]


def test_usage_is_added_up_by_role() -> None:
    """Replies, seconds, tokens and cost of each role are summed; unknown costs are left out, not zero."""
    events = [
        ReplyEvent("agent", 1, Reply(usage=Usage(10, 5, 2, 1, cost=0.5)), 1.5),
        ReplyEvent("user", 1, Reply(usage=Usage(7, 3)), 0.5),
        ReplyEvent("agent", 2, Reply(usage=Usage(20, 5, cost=0.25)), 0.25),
        ReplyEvent("agent", 2, Reply(), 0.25),
    ]
    assert usage_of(events) == {
        "agent": {
            "replies": 3, "seconds": 2.0, "input_tokens": 30, "output_tokens": 10, "cached_tokens": 2,
            "reasoning_tokens": 1, "cost": 0.75,
        },
        "user": {
            "replies": 1, "seconds": 0.5, "input_tokens": 7, "output_tokens": 3, "cached_tokens": 0,
            "reasoning_tokens": 0,
        },
    }  # fmt: skip
