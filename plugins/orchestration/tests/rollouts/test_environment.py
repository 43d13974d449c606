"""Rollouts under the engine's own loop and toolbox, over two tools that need no server."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import define, field, frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recfw.engine.episode import Episode
from recfw.engine.toolbox import Toolbox
from recfw.model.reply import Reply, ToolCall, Usage
from recfw.model.run import Limits
from recfw.model.trace import Event, Trace
from recfw.model.view import ToolSpec, View
from recfw.protocols import Context, Refused, RoleSpec
from recfw.serialize import canonical, event_line
from recfw_orchestration.environment import OrchestrationEnvironment
from recfw_orchestration.metrics.component import OrchestrationConduct, OrchestrationFigures
from recfw_orchestration.rollout.budget import Allowance
from recfw_orchestration.rollout.opening import Opening
from recfw_orchestration.rollout.toolset import Toolset

ROLES = {"agent": RoleSpec("agents", "x", evaluated=True), "user": RoleSpec("users", "orchestration-opening")}
PLENTY = Allowance(rounds=6, calls=12, tokens=10_000)


def spec(name: str, **properties: Any) -> ToolSpec:
    """Return a tool whose arguments are strings, or as a schema says."""
    schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    return ToolSpec(name, f"Does {name}.", {**schema, "additionalProperties": False})


TEXT = {"type": "string"}
SPECS = (spec("find", query=TEXT, limit={"type": "integer"}), spec("detail", item_id=TEXT))


@frozen
class Answered:
    """What the fake desk answers."""

    is_error: bool
    text: str
    content: dict[str, Any] | None


@define
class FakeDesk:
    """Finds items by how long the query is, and knows one of them in detail."""

    calls: list[str] = field(factory=list)

    async def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> Answered:
        """Answer one call."""
        self.calls.append(tool)
        await asyncio.sleep(0)
        if tool == "detail" and arguments["item_id"] != "C07":
            return Answered(True, f"There is no item {arguments['item_id']}.", None)
        if tool == "detail":
            return Answered(False, "", {"item_id": "C07", "text": "light " * 200, "price": 99.5})
        ids = [f"C{number:02}" for number in range(1, len(arguments["query"]) + 1)]
        found = [{"item_id": one, "name": f"Camera {one}"} for one in ids]
        return Answered(False, "", {"items": found, "total": len(ids), "truncated": False})


class Script:
    """An agent that gives prepared replies, the last of them for ever, and keeps what it saw."""

    def __init__(self, *replies: Reply) -> None:
        self._replies: Iterator[Reply] = iter(replies)
        self._last = replies[-1]
        self.views: list[View] = []

    async def reply(self, view: View) -> Reply:
        """Give the next reply."""
        self.views.append(view)
        return next(self._replies, self._last)


class Lines:
    """A recorder that proves every event can be written."""

    def append(self, event: Event) -> None:
        """Write one event."""
        event_line(event)


@frozen
class Rollout:
    """A played rollout: its trace, what the agent saw, and what the desk was asked."""

    trace: Trace
    views: list[View]
    calls: list[str]

    def world(self, name: str) -> list[dict[str, Any]]:
        """Return the data of the environment's events of one name."""
        return [event.data for event in self.trace.world(name)]

    def words(self, place: int = -1) -> str:
        """Return all words of one of the agent's views."""
        return "\n".join(message.text for message in self.views[place].messages)


@pytest.fixture
def task(made: Any) -> Any:
    """A task of one search."""
    return made.task("L1", made.gold("c1", "find", query="camera"), place={"name": "the station"})


@pytest.fixture
def strangers(made: Any) -> Any:
    """A task none of whose candidates is ever found."""
    return made.task("L1", made.gold("c1", "find", query="camera"), candidates=["Z1", "Z2"])


def play(task: Any, *replies: Reply, allowance: Allowance = PLENTY, budget: int = 4000) -> Rollout:
    """Play an episode of a scripted agent."""
    desk, script = FakeDesk(), Script(*replies)
    environment = OrchestrationEnvironment(task, Toolset.of(SPECS, desk), allowance, budget, 5.0)
    limits = Limits(repairs=2, replies={"agent": 30})
    episode = Episode(environment, ROLES, limits, Lines(), Toolbox())  # type: ignore[arg-type]  # all it uses
    episode.players.update(agent=script, user=Opening().episode(Context("user", "t", 0)))
    asyncio.run(episode.play())
    return Rollout(episode.trace, script.views, desk.calls)


def find(query: str = "camera") -> ToolCall:
    """Return a search that finds as many items as the query has letters."""
    return ToolCall.of("find", query=query)


def calls(*made: ToolCall, text: str = "") -> Reply:
    """Return a round."""
    return Reply(text, calls=made)


def ranked(*ids: str, **more: Any) -> Reply:
    """Return a final answer."""
    return Reply(data={"ranking": list(ids), "explanation": "", **more})


def test_a_rollout_ends_with_its_ranking(task: Any) -> None:
    """Which is no counted call; repeated ids count once, and ids that are no candidates are told."""
    played = play(task, calls(find()), ranked("C07", "C07", "X1"))
    assert played.trace.stop == "ranked"
    assert played.world("ranking") == [{"ids": ["C07", "X1"], "outside": 1}]
    assert OrchestrationConduct().score(task, played.trace)["calls"] == 1.0
    assert OrchestrationFigures().score(task, played.trace)["hit"] == 1.0


def test_the_first_view_holds_the_public_half_alone(task: Any) -> None:
    """The request as the user said it, the known facts, the candidates, and the tools with their schemas."""
    played = play(task, ranked("C01"))
    first = played.views[0]
    assert [message.speaker for message in first.messages] == ["system", "user"]
    assert first.messages[1].text == task.public["instruction"]
    words = played.words(0)
    assert all(one in words for one in ("U1", "the station", *task.public["candidates"], "6 rounds and 12 calls"))
    assert first.tools == SPECS
    assert first.output_schema is not None
    assert b"gold" not in canonical(first)


def test_calls_of_a_round_are_noted_with_what_came_of_them(task: Any) -> None:
    """Whether the tool exists, whether raw arguments fit, the outcome, and what is new on the bus."""
    sent = [
        find("cam"),
        ToolCall.of("find", query=""),
        ToolCall.of("detail", item_id="C99"),
        ToolCall("find", '{"query": "ca", "limit": "2"}'),
        ToolCall("find", "{"),
        ToolCall("fly", "{}"),
        find("came"),
    ]
    told = play(task, calls(*sent), ranked("C01")).world("round")[0]["calls"]
    assert [(one["known"], one["fits"], one["outcome"], one["new"]) for one in told] == [
        (True, True, "ok", 3),
        (True, True, "empty", 0),
        (True, True, "error", 0),
        (True, False, "ok", 0),
        (True, False, "error", 0),
        (False, False, "error", 0),
        (True, True, "ok", 1),
    ]


def test_the_bus_stands_in_the_view_with_the_calls_that_found_an_item(task: Any) -> None:
    """Candidates by name, found twice where two calls named them."""
    played = play(task, calls(find("ca"), find("c")), calls(ToolCall.of("detail", item_id="C07")), ranked("C01"))
    assert "3 items found, 3 of the 20 candidates among them: C01 (1.1, 1.2); C02 (1.1); C07 (2.1)." in played.words()
    assert played.views[-1].facts["bus"] == {"C01": ["1.1", "1.2"], "C02": ["1.1"], "C07": ["2.1"]}


def test_long_results_are_cut_in_the_view_and_whole_in_facts_and_trace(strangers: Any) -> None:
    """The planner sees ten of twenty items that are no candidates, and counts the rest; code and trace have all."""
    played = play(strangers, calls(find("c" * 20)), ranked("C01"))
    answer = next(message.text for message in played.views[1].messages if message.speaker == "tool")
    assert answer.count("item_id") == 10
    assert "… 10 more" in answer
    assert len(played.views[1].facts["results"][0]["content"]["items"]) == 20
    assert len(played.trace.tools("agent")[0].content["items"]) == 20


def test_a_state_above_its_budget_is_compressed(task: Any) -> None:
    """Oldest rounds first; tool names, round order, key arguments and findings stay, and the trace is whole."""
    detail = ToolCall.of("detail", item_id="C07")
    played = play(
        task, calls(find("cc"), text="Look for cameras first."), calls(detail), calls(find("c" * 9)), ranked("C07"),
        budget=165,
    )  # fmt: skip
    compressed = played.world("compressed")
    assert [one["why"] for one in compressed] == ["budget"] * len(compressed)
    assert compressed
    assert all(one["after"] < one["before"] for one in compressed)
    words = played.words()
    first = words.index('1.1 find(query="cc") -> 2 items: C01, C02')
    second = words.index('2.1 detail(item_id="C07") -> 1 item: C07; C07: price 99.5, text light')
    assert first < second
    assert "Round 1 (Look for cameras first.):" in words
    assert "price 99.5" in words
    assert len(played.trace.tools("agent")[1].content["text"]) == 1200


def test_a_silent_user_is_told_to_speak(task: Any) -> None:
    """It is refused, and reads in its next View what it is to do; once it has spoken, nobody is told that."""
    world = OrchestrationEnvironment(task, Toolset.of(SPECS, FakeDesk()), PLENTY, 1000, 5.0)
    asyncio.run(world.view("user"))
    ruling = asyncio.run(world.receive("user", Reply(" "), ()))
    assert isinstance(ruling, Refused)
    assert asyncio.run(world.view("user")).messages[-1].text == ruling.words
    asyncio.run(world.receive("user", Reply("A light camera."), ()))
    assert ruling.words not in [message.text for message in asyncio.run(world.view("agent")).messages]


def test_an_empty_response_is_refused_and_compresses_the_state(task: Any) -> None:
    """It may be repaired; the compression is told with the next event."""
    played = play(task, calls(find()), Reply(""), ranked("C01"))
    assert [one["why"] for one in played.world("compressed")] == ["empty"]
    assert played.trace.stop == "ranked"
    assert "Earlier rounds, compressed:\nRound 1:" in played.words()
    assert "Your last response was empty." in played.words()


@pytest.mark.parametrize("reply", [Reply(""), Reply("It is C07."), Reply(data={"ranking": []}), Reply(data=[1]),
                                   Reply(data={"ranking": "C07"}), Reply(data={"ranking": [7]})])  # fmt: skip
def test_what_is_no_ranking_ends_by_the_repair_limit(task: Any, reply: Reply) -> None:
    """Words alone, and data of another shape, are refused until repairs are used up."""
    assert play(task, calls(find()), reply).trace.stop == "agent_repair_limit"


def test_after_the_last_round_no_tools_are_offered(task: Any) -> None:
    """A ranking still counts; another call ends the rollout as round_limit."""
    two = Allowance(rounds=2, calls=12, tokens=10_000)
    played = play(task, calls(find()), calls(find()), ranked("C07"), allowance=two)
    assert (played.trace.stop, played.views[-1].tools) == ("ranked", ())
    assert "No rounds are left." in played.words()
    ended = play(task, calls(find()), allowance=two)
    assert (ended.trace.stop, len(ended.calls), len(ended.world("round"))) == ("round_limit", 2, 3)


def test_calls_past_the_limit_are_not_executed(task: Any) -> None:
    """The limit counts all calls of all rounds, those that no tool answers included."""
    three = Allowance(rounds=9, calls=3, tokens=10_000)
    played = play(task, calls(ToolCall("fly", "{}"), find()), calls(find(), find()), allowance=three)
    assert (played.trace.stop, len(played.calls)) == ("call_limit", 2)
    assert [one["outcome"] for one in played.world("round")[1]["calls"]] == ["ok", "error"]


def test_tokens_of_the_agent_are_limited(task: Any) -> None:
    """Input and output of its replies; a ranking is taken all the same."""
    used = Usage(input_tokens=900, output_tokens=200)
    few = Allowance(rounds=9, calls=9, tokens=1000)
    assert play(task, Reply(calls=(find(),), usage=used), allowance=few).trace.stop == "token_limit"
    answer = Reply(data={"ranking": ["C07"]}, usage=used)
    assert play(task, answer, allowance=few).trace.stop == "ranked"


def test_left_tells_code_what_it_may_still_use(task: Any) -> None:
    """Rounds and calls."""
    played = play(task, calls(find(), find()), ranked("C01"))
    assert [view.facts["left"] for view in played.views] == [{"rounds": 6, "calls": 12}, {"rounds": 5, "calls": 10}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.text() | JSON.map(lambda value: canonical(value).decode("utf-8", "replace") if _fits(value) else "{}")
SENT = st.lists(st.builds(ToolCall, st.sampled_from(["find", "detail", "fly", ""]), ARGUMENTS), max_size=4)


def _fits(value: Any) -> bool:
    try:
        canonical(value)
    except (TypeError, ValueError):
        return False
    return True


@given(st.lists(st.builds(Reply, text=st.text(), calls=SENT.map(tuple), data=JSON), min_size=1, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_nothing_that_an_agent_sends_breaks_a_rollout(task: Any, replies: list[Reply]) -> None:
    """Any words, calls and data end for a named reason of the agent's own, and can be scored."""
    played = play(task, *replies, allowance=Allowance(rounds=4, calls=9, tokens=100), budget=100)
    assert played.trace.stop in {"ranked", "round_limit", "call_limit", "agent_repair_limit"}
    figures = OrchestrationFigures().score(task, played.trace)
    assert all(value is None or 0.0 <= value <= 1.0 for value in figures.values())
