"""Whatever is wrong with a tool call is an answer to the caller; only a broken environment raises."""

import asyncio
import time
from typing import Any

import pytest
from fakes.worlds import ANYTHING, World

from recfw.engine.toolbox import MOST_SHOWN, Toolbox
from recfw.errors import InfrastructureError
from recfw.model.reply import ToolCall, ToolResult
from recfw.model.trace import ToolEvent
from recfw.model.view import ToolSpec
from recfw.serialize import event_line, read_event

PARAMETERS = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["n"],
    "additionalProperties": False,
}
SEARCH = ToolSpec("search", "Finds.", PARAMETERS)
TOOLS = (SEARCH, ANYTHING)


def answer(
    *calls: ToolCall, world: Any = None, allowed: int = 100, seconds: float = 5.0, tools: Any = TOOLS
) -> list[ToolEvent]:
    """Return the toolbox's answers."""
    box = Toolbox()
    work = box.answer(world or World(), "agent", 1, tools, calls, allowed=allowed, seconds=seconds)
    return asyncio.run(work)


def words(call: ToolCall) -> str:
    """Return the error with which one call is answered."""
    (event,) = answer(call)
    assert (event.error, event.arguments) == (True, None)
    return str(event.content)


def test_a_valid_call_reaches_the_environment() -> None:
    """Arguments that fit the schema are passed on, and its answer comes back with its notes."""
    world = World(answer=lambda tool, arguments: ToolResult([tool, arguments], notes={"hidden": 1}))
    (event,) = answer(ToolCall("search", '{"n": 2}'), world=world)
    assert (event.arguments, event.content, event.error) == ({"n": 2}, ["search", {"n": 2}], False)
    assert event.notes == {"hidden": 1}
    assert event.seconds > 0


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ('{"n": "two"}', "n: "),
        ('{"n": 0}', "n: "),
        ('{"n": 1.5}', "n: "),
        ("{}", '"n" is a required property'),
        ("", '"n" is a required property'),
        ('{"n": 1, "m": 2}', "'m' was unexpected"),
        ('{"n": 1, "tags": ["a", 2]}', "tags.1: "),
        ('{"n": 1, "tags": "a, b"}', "tags: "),
        ("null", "schema"),
        ("[1]", "schema"),
        ('"n=1"', "schema"),
        ("7", "schema"),
    ],
)
def test_arguments_that_do_not_fit_are_answered(arguments: str, fault: str) -> None:
    """A schema violation is told with the tool's name and where it is; nothing is guessed."""
    said = words(ToolCall("search", arguments))
    assert said.startswith("The arguments of search do not fit its schema: ")
    assert fault in said


@pytest.mark.parametrize("arguments", ['{}""', "{", "n=2", "{'n': 2}", '{"n": NaN}', '{"n": 2} thanks', "\x00"])
def test_arguments_that_are_no_json_are_answered(arguments: str) -> None:
    """Text that is no JSON is quoted back, never taken for an empty object."""
    said = words(ToolCall("echo", arguments))
    assert said.startswith("The arguments of echo are no valid JSON (")
    assert said.endswith(arguments)


def test_no_arguments_at_all_are_an_empty_object() -> None:
    """An empty text is how some models call a tool without arguments."""
    (event,) = answer(ToolCall("echo", ""))
    assert (event.arguments, event.error) == ({}, False)


@pytest.mark.parametrize("arguments", ["[]", "1", "null", '"a"', "true"])
def test_json_that_is_no_object_is_answered(arguments: str) -> None:
    """A tool without any schema still wants an object."""
    (event,) = answer(ToolCall("free", arguments), tools=(ToolSpec("free", "", {}),))
    assert (event.error, event.arguments) == (True, None)
    assert "an object is expected" in event.content


def test_an_unknown_tool_gets_a_suggestion() -> None:
    """A name that was not offered lists those that were, and the closest."""
    assert words(ToolCall("serch")) == "There is no tool 'serch'. Tools: search, echo. Did you mean 'search'?"


@pytest.mark.parametrize("name", ["server.search", "server:search", "functions/search"])
def test_a_name_with_a_prefix_is_told_from_its_tool(name: str) -> None:
    """Models put a server's name before a tool's: the answer names the tool, and nothing is executed."""
    assert words(ToolCall(name)).endswith("Did you mean 'search'?")


def test_a_tool_where_none_is_offered() -> None:
    """A call in a View without tools is answered."""
    (event,) = answer(ToolCall("search"), tools=())
    assert event.content == "There is no tool 'search'. Tools: none."


@pytest.mark.parametrize("name", ["", "\ud800", "x" * 10_000_000])
def test_odd_names_are_answered(name: str) -> None:
    """A tool's name may be anything; the answer quotes a bounded part of it and can be stored."""
    (event,) = answer(ToolCall(name))
    assert event.error
    assert len(event.content) < MOST_SHOWN + 200
    read_event(event_line(event))


@pytest.mark.parametrize("kind", ["valid", "no json", "wrong type"])
def test_ten_megabytes_are_answered_shortly(kind: str) -> None:
    """A huge argument is executed where it is valid, and quoted in part where it is not."""
    huge = "x" * 10_000_000
    arguments = {"valid": f'{{"n": 1, "tags": ["{huge}"]}}', "no json": huge, "wrong type": f'{{"n": "{huge}"}}'}[kind]
    world = World(answer=lambda tool, arguments: ToolResult(len(arguments["tags"][0])))
    (event,) = answer(ToolCall("search", arguments), world=world)
    assert event.error == (kind != "valid")
    assert event.content == 10_000_000 if kind == "valid" else len(event.content) < 2 * MOST_SHOWN


@pytest.mark.parametrize("depth", [99, 300, 1000, 100_000])
@pytest.mark.parametrize("tool", ["search", "echo"])
def test_deep_nesting_is_answered(tool: str, depth: int) -> None:
    """Arguments nested without end are an error of the caller, whichever parser gives up first; and can be stored."""
    text = '{"a":' * depth + "1" + "}" * depth
    (event,) = answer(ToolCall(tool, text))
    assert event.error == (tool == "search" or depth > 100)
    assert read_event(event_line(event)).error == event.error


def test_lone_surrogates_are_answered() -> None:
    """Escaped or raw, half of a pair reaches neither the environment nor the trace."""
    events = answer(ToolCall("echo", '{"a": "\\ud800"}'), ToolCall("echo", '{"a": "\ud800"}'))
    assert [event.error for event in events] == [True, False]
    assert events[1].arguments == {"a": "?"}


def test_parallel_calls_are_answered_by_position() -> None:
    """Calls run side by side; each answer stands at its call's place even when they finish in another order."""
    finished: list[int] = []

    async def later(n: int) -> ToolResult:
        await asyncio.sleep(0.05 * (3 - n))
        finished.append(n)
        return ToolResult(n)

    world = World(answer=lambda tool, arguments: later(arguments["n"]))
    events = answer(*(ToolCall.of("echo", n=n) for n in range(3)), world=world)
    assert finished == [2, 1, 0]
    assert [(event.position, event.content) for event in events] == [(0, 0), (1, 1), (2, 2)]


def test_a_bad_call_does_not_spoil_those_beside_it() -> None:
    """Of three calls the middle one is no JSON: the others are executed."""
    events = answer(ToolCall("echo", '{"a": 1}'), ToolCall("echo", "{"), ToolCall("echo", '{"a": 3}'))
    assert [event.error for event in events] == [False, True, False]
    assert events[2].arguments == {"a": 3}


def test_duplicate_and_empty_ids_do_not_matter() -> None:
    """Answers go by position, so ids may be equal or missing."""
    events = answer(*(ToolCall("echo", f'{{"n": {n}}}', call_id) for n, call_id in enumerate(["", "", "x", "x"])))
    assert [event.content for event in events] == [{"n": n} for n in range(4)]


def test_calls_past_the_budget_are_told_so() -> None:
    """Of five calls with a budget of two, three get a budget error and never reach the environment."""
    asked: list[Any] = []
    world = World(answer=lambda tool, arguments: asked.append(arguments) or ToolResult("ok"))
    events = answer(*(ToolCall.of("echo", n=n) for n in range(5)), world=world, allowed=2)
    assert [event.error for event in events] == [False, False, True, True, True]
    assert len(asked) == 2
    assert events[2].content.startswith("Tool budget of this turn exhausted")


def test_each_call_has_its_own_deadline() -> None:
    """A call that hangs is answered with an error in time; the one beside it is not touched."""
    world = World(answer=lambda tool, arguments: asyncio.sleep(arguments["s"], ToolResult("ok")))
    slow, fast = answer(ToolCall.of("echo", s=60), ToolCall.of("echo", s=0), world=world, seconds=0.2)
    assert (slow.error, slow.content) == (True, "echo took longer than 0.2 s and was given up.")
    assert (fast.error, fast.content) == (False, "ok")
    assert slow.seconds < 2


def failing(error: BaseException) -> World:
    """Return a world whose tools raise."""

    def fail(tool: str, arguments: Any) -> Any:
        raise error

    return World(answer=fail)


@pytest.mark.parametrize("error", [ZeroDivisionError("zero"), KeyError("k"), SystemExit(1), asyncio.CancelledError()])
def test_an_environment_that_raises_is_infrastructure(error: BaseException) -> None:
    """An exception out of the environment is not the caller's fault."""
    with pytest.raises(InfrastructureError, match=r"^tool echo raised "):
        answer(ToolCall("echo"), world=failing(error))


def test_a_failure_of_infrastructure_passes_in_its_own_words() -> None:
    """What the environment itself calls infrastructure keeps its message."""
    with pytest.raises(InfrastructureError, match=r"^the server is down\.$"):
        answer(ToolCall("echo"), world=failing(InfrastructureError("the server is down.")))


@pytest.mark.parametrize("garbage", [None, "text", {"content": 1}, 7])
def test_an_environment_that_answers_garbage_is_infrastructure(garbage: Any) -> None:
    """Only a ToolResult is an answer."""
    with pytest.raises(InfrastructureError, match="not a ToolResult"):
        answer(ToolCall("echo"), world=World(answer=lambda tool, arguments: garbage))


def test_a_schema_that_is_none_is_not_the_callers_fault() -> None:
    """A track's own broken schema raises."""
    with pytest.raises(ValueError, match="typ"):
        answer(ToolCall("bad"), tools=(ToolSpec("bad", "", {"type": "objekt"}),))


def test_no_call_outlives_a_failure_beside_it() -> None:
    """When one of several calls breaks the episode, the others are cancelled, not left running."""
    left: list[str] = []

    async def long() -> ToolResult:
        try:
            await asyncio.sleep(60)
        finally:
            left.append("cancelled")
        return ToolResult("never")

    async def fail() -> ToolResult:
        await asyncio.sleep(0.05)
        raise ZeroDivisionError

    async def play() -> list[Any]:
        world = World(answer=lambda tool, arguments: long() if arguments else fail())
        calls = (ToolCall.of("echo", n=1), ToolCall("echo"))
        with pytest.raises(InfrastructureError):
            await Toolbox().answer(world, "agent", 1, TOOLS, calls, allowed=9, seconds=30)
        await asyncio.sleep(0.05)
        return [*left, len(asyncio.all_tasks())]

    started = time.monotonic()
    assert asyncio.run(play()) == ["cancelled", 1]
    assert time.monotonic() - started < 10


def test_a_changed_schema_is_compiled_anew() -> None:
    """A tool whose schema changes between Views is checked by the one that was offered."""

    async def play() -> list[bool]:
        box, found = Toolbox(), []
        for minimum in (1, 5, 1):
            tool = ToolSpec("t", "", {"type": "object", "properties": {"n": {"minimum": minimum}}})
            (event,) = await box.answer(
                World(), "agent", 1, (tool,), (ToolCall("t", '{"n": 3}'),), allowed=1, seconds=5
            )
            found.append(event.error)
        return found

    assert asyncio.run(play()) == [False, True, False]
