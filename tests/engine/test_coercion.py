"""Arguments that were put into quotes by mistake are read as what they are, and nothing else is changed or guessed."""

import asyncio
from typing import Any

import orjson
import pytest
from fakes.worlds import World
from hypothesis import given
from hypothesis import strategies as st

from recfw.engine.toolbox import Toolbox
from recfw.model.reply import ToolCall, ToolResult
from recfw.model.trace import ToolEvent
from recfw.model.view import ToolSpec

PROPERTIES = {
    "n": {"type": "integer", "minimum": 1},
    "x": {"type": "number"},
    "yes": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "integer"}},
    "where": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "words": {"type": "string"},
    "either": {"type": ["string", "integer"]},
    "kind": {"enum": [1, 2]},
}
TOOL = ToolSpec("t", "", {"type": "object", "properties": PROPERTIES, "additionalProperties": False})


def answer(text: str, tool: ToolSpec = TOOL) -> ToolEvent:
    """Return how a call with these raw arguments is answered, by a world that has a note of its own."""
    world = World(answer=lambda _, arguments: ToolResult(arguments, notes={"own": 1}))
    work = Toolbox().answer(world, "agent", 1, (tool,), (ToolCall("t", text),), allowed=1, seconds=5)
    return asyncio.run(work)[0]


@pytest.mark.parametrize(
    ("sent", "executed", "places"),
    [
        ('{"n": "3"}', {"n": 3}, ["n"]),
        ('{"x": "2.5"}', {"x": 2.5}, ["x"]),
        ('{"x": " -2 "}', {"x": -2}, ["x"]),
        ('{"yes": "true"}', {"yes": True}, ["yes"]),
        ('{"tags": "[1, 2]"}', {"tags": [1, 2]}, ["tags"]),
        ('{"tags": [1, "2"]}', {"tags": [1, 2]}, ["tags.1"]),
        ('{"tags": "[1, \\"2\\"]"}', {"tags": [1, 2]}, ["tags", "tags.1"]),
        ('{"where": "{\\"n\\": \\"4\\"}"}', {"where": {"n": 4}}, ["where", "where.n"]),
        ('{"maybe": "5"}', {"maybe": 5}, ["maybe"]),
        ('{"maybe": "null"}', {"maybe": None}, ["maybe"]),
        ('"{\\"n\\": 3}"', {"n": 3}, ["$"]),
        ('"{\\"n\\": \\"3\\"}"', {"n": 3}, ["$", "n"]),
        ('{"words": "two\nlines\tand a tab"}', {"words": "two\nlines\tand a tab"}, ["$"]),
        ('{"words": "a\nb", "n": "3"}', {"words": "a\nb", "n": 3}, ["$", "n"]),
    ],
)
def test_what_stands_in_quotes_by_mistake_is_read(sent: str, executed: Any, places: list[str]) -> None:
    """The call is executed with what was meant, and a note says where it differs from what was sent."""
    event = answer(sent)
    assert (event.error, event.arguments, event.content) == (False, executed, executed)
    assert event.notes == {"own": 1, "coerced": places}


@pytest.mark.parametrize(
    "sent",
    [
        '{"words": "3"}',
        '{"words": "[1, 2]"}',
        '{"either": "3"}',
        '{"words": "a\\\\nb"}',
        '{"n": 3, "words": "{\\"n\\": 3}"}',
    ],
)
def test_a_string_that_the_schema_takes_is_left_alone(sent: str) -> None:
    """Whatever a string looks like, a number or a literal backslash and n: where a string may stand, it stays one."""
    event = answer(sent)
    assert (event.error, event.arguments) == (False, orjson.loads(sent))
    assert event.notes == {"own": 1}


@pytest.mark.parametrize(
    "sent",
    [
        '{"n": "three"}',
        '{"n": "3 or 4"}',
        '{"n": "3.5"}',
        '{"n": "0"}',
        '{"n": "True"}',
        '{"n": ""}',
        '{"x": "NaN"}',
        '{"x": NaN, "words": "a\nb"}',
        '{"yes": "yes"}',
        '{"yes": 1}',
        '{"n": true}',
        '{"tags": "1, 2"}',
        '{"tags": "7"}',
        '{"tags": [[1]]}',
        '{"where": "{}"}',
        '{"kind": "1"}',
        '{"n": "3", "unknown": 1}',
        '{}""',
        '{"n": 3} and more',
        '{\\n"n": 3}',
        "[3]",
        '"3"',
    ],
)
def test_nothing_is_guessed(sent: str) -> None:
    """What is no JSON, more than JSON, or does not fit even when it is read leniently, is answered with an error."""
    event = answer(sent)
    assert (event.error, event.arguments, event.notes) == (True, None, {})


def test_an_error_speaks_of_what_was_sent() -> None:
    """Where lenient reading fails, the caller is told what is wrong with its own words."""
    assert answer('{"n": "3", "yes": "maybe"}').content == (
        'The arguments of t do not fit its schema: n: "3" is not of type "integer"; '
        'yes: "maybe" is not of type "boolean".'
    )


@pytest.mark.parametrize("depth", [3, 5, 50, 1000])
def test_encoding_without_end_is_answered(depth: int) -> None:
    """An object that was encoded again and again is read a few times and then refused, in short."""
    text = '{"n": 3}'
    for _ in range(min(depth, 12)):
        text = orjson.dumps(text).decode()
    event = answer(text)
    assert (event.error, event.arguments) == ((False, {"n": 3}) if depth == 3 else (True, None))


def test_what_is_unpacked_may_not_be_too_deep() -> None:
    """A string that holds JSON nested without end is an error of the caller."""
    deep = "[" * 200 + "]" * 200
    event = answer(orjson.dumps({"a": deep}).decode(), ToolSpec("t", "", {"properties": {"a": {"type": "array"}}}))
    assert (event.error, event.arguments) == (True, None)


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(1, 9),
        "x": st.floats(-9, 9),
        "yes": st.booleans(),
        "tags": st.lists(st.integers(-9, 9), max_size=3),
        "words": st.text(st.characters(codec="utf-8"), max_size=9),
    },
)


@given(VALUES)
def test_arguments_that_fit_are_never_touched(arguments: dict[str, Any]) -> None:
    """Whatever fits the schema is executed as it is, without a note."""
    event = answer(orjson.dumps(arguments).decode())
    assert (event.error, event.arguments, event.notes) == (False, arguments, {"own": 1})


@given(VALUES)
def test_every_value_in_quotes_is_read_as_itself(arguments: dict[str, Any]) -> None:
    """With every value but text put into quotes, what is executed is the same."""
    quoted = {k: v if isinstance(v, str) else orjson.dumps(v).decode() for k, v in arguments.items()}
    event = answer(orjson.dumps(quoted).decode())
    assert (event.error, event.arguments) == (False, arguments)
