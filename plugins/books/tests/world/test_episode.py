"""Whole episodes under the engine's own loop and toolbox."""

import asyncio
from collections.abc import Callable, Iterator

import orjson
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recfw.engine.episode import Episode
from recfw.engine.toolbox import Toolbox
from recfw.model.reply import Reply, ToolCall
from recfw.model.run import Limits
from recfw.model.trace import EndEvent, Event, Trace
from recfw.model.view import View
from recfw.protocols import Context
from recfw.serialize import event_line
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import BooksEnvironment
from recfw_books.goal import to_task
from recfw_books.metrics import BooksSuccess
from recfw_books.model import BookTask
from recfw_books.track import BooksTrack
from recfw_books.user.rules import BooksRules

Maker = Callable[[BookCatalog, BookTask], BooksEnvironment]


class Script:
    """An agent that gives prepared replies, the last of them for ever."""

    def __init__(self, *replies: Reply) -> None:
        self._replies: Iterator[Reply] = iter(replies)
        self._last = replies[-1]

    async def reply(self, view: View) -> Reply:
        return next(self._replies, self._last)


class Lines:
    """A recorder that proves every event can be written."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def append(self, event: Event) -> None:
        event_line(event)
        self.events.append(event)


def play(environment: BooksEnvironment, *replies: Reply, limits: Limits = BooksTrack.limits) -> Trace:
    """Return the trace of an episode of a scripted agent and the rule-based user."""
    recorder = Lines()
    episode = Episode(environment, BooksTrack.roles, limits, recorder, Toolbox())  # type: ignore[arg-type]  # all it uses
    user = BooksRules().episode(Context("user", "t", 0))
    episode.players.update(agent=Script(*replies), user=user)
    end = asyncio.run(episode.play())
    assert isinstance(end, EndEvent)
    return episode.trace


def call(tool: str, **arguments: object) -> Reply:
    """Return a reply of one call."""
    return Reply(calls=(ToolCall.of(tool, **arguments),))


def test_an_agent_that_does_all_well_succeeds(environment: BooksEnvironment, book_task: BookTask) -> None:
    """Asking, searching, checking, proposing and recommending is a success with every fact elicited."""
    trace = play(
        environment,
        Reply("What genre, language, country, year and format do you prefer?"),
        call("search_books", genre="Horror", language="English"),
        call("check_formats", item_id="wd_Q2"),
        Reply("How about [[candidate_id:wd_Q2]]?"),
        call("recommend", item_id="wd_Q2"),
    )
    figures = BooksSuccess().score(to_task(book_task), trace)
    assert trace.stop == "recommended"
    assert (figures["success"], figures["elicited_share"], figures["proposals_to_success"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("reply", "stop"),
    [
        (Reply("Hello!"), "agent_turn_limit"),
        (Reply(""), "agent_repair_limit"),
        (call("search_books"), "agent_call_limit"),
        (call("fly"), "agent_call_limit"),
    ],
)
def test_an_agent_that_never_ends_meets_a_limit_of_its_own(
    environment: BooksEnvironment, reply: Reply, stop: str
) -> None:
    """Talk, silence and endless calls each end for a named reason."""
    assert play(environment, reply).stop == stop


def test_a_recommendation_in_the_last_turn_counts(environment: BooksEnvironment) -> None:
    """After 19 turns of talk the twentieth may still recommend."""
    talk = [Reply("Hello!")] * 19
    trace = play(environment, *talk, call("recommend", item_id="wd_Q1"))
    assert (trace.stop, trace.world("recommended")[0].data["turn"]) == ("recommended", 20)


def test_the_budget_answers_with_errors_before_it_ends_the_trial(environment: BooksEnvironment) -> None:
    """Calls 151 to 160 are answered with an error, and searches beyond the budget do not reach the world."""
    trace = play(environment, call("search_books"))
    errors = [event.error for event in trace.tools("agent")]
    assert errors == [False] * 150 + [True] * 10
    assert trace.end is not None
    assert trace.end.summary["searches"] == 150


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("genre", "language", "formats", "page", "year_min", "sort", "item_id", "item_ids", "query")
ARGUMENTS = (
    st.text()
    | JSON.map(lambda value: orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode() if _fits(value) else "{}")
    | st.dictionaries(st.sampled_from(NAMES), JSON, max_size=3).map(
        lambda value: orjson.dumps(value).decode() if _fits(value) else "{}"
    )
)
TOOLS = ("search_books", "get_metadata", "check_formats", "get_reading_history", "recommend", "", "fly")
CALLS = st.lists(st.builds(ToolCall, st.sampled_from(TOOLS), ARGUMENTS, st.text(max_size=3)), max_size=4)


def _fits(value: object) -> bool:
    try:
        orjson.dumps(value)
    except TypeError:
        return False
    return True


@given(st.lists(st.builds(Reply, text=st.text(), calls=CALLS.map(tuple)), min_size=1, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_nothing_that_an_agent_sends_breaks_a_trial(
    few: BookCatalog, book_task: BookTask, new_environment: Maker, replies: list[Reply]
) -> None:
    """Any words and any arguments end in a stop reason of the agent's own, and can be scored and written."""
    limits = evolve(BooksTrack.limits, turns={"agent": 3}, calls={"agent": 6}, grace_calls=2)
    trace = play(new_environment(few, book_task), *replies, limits=limits)
    assert trace.stop in {"recommended", "abstained", "agent_turn_limit", "agent_call_limit", "agent_repair_limit"}
    assert BooksSuccess().score(to_task(book_task), trace)["success"] in {0.0, 1.0}
