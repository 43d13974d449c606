"""Structured output: how it is asked for and read."""

import pytest

from recfw.model.view import ToolSpec, View
from recfw_litellm.structured import data_of, format_of, words_of_schema

POINT = {"type": "object", "properties": {"point": {"enum": ["left", "right"]}}, "required": ["point"]}
CLOSED = {**POINT, "additionalProperties": False}
TOOL = ToolSpec("t", "", {"type": "object"})


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (POINT, False),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "properties": {"point": {"type": "string", "pattern": "x"}}}, False),
        ({**CLOSED, "properties": {"point": {"type": "array", "items": POINT}}}, False),
        ({**CLOSED, "properties": {"point": {"type": "array", "items": CLOSED}}}, True),
    ],
)
def test_a_schema_is_strict_where_providers_allow_it(schema, strict):
    """Closed objects that require everything are held to; others are asked for."""
    asked = format_of(View("agent", output_schema=schema), "auto")
    assert {"type": "json_schema", "json_schema": {"name": "agent_reply", "schema": schema, "strict": strict}} == asked


@pytest.mark.parametrize(
    ("mode", "tools", "schema", "by_format"),
    [
        ("auto", (), POINT, True),
        ("auto", (TOOL,), POINT, False),
        ("format", (TOOL,), POINT, True),
        ("words", (), POINT, False),
        ("auto", (), {"type": "array"}, False),
    ],
)
def test_a_schema_is_asked_for_once(mode, tools, schema, by_format):
    """A schema is asked for as a format or in words, never both and never neither."""
    view = View("agent", (), tools, schema)
    assert by_format == (format_of(view, mode) is not None)
    assert by_format == (words_of_schema(view, mode) == "")


def test_nothing_is_asked_where_nothing_is_wanted():
    """A View without a schema asks for none."""
    assert (None, "") == (format_of(View("agent"), "format"), words_of_schema(View("agent"), "words"))


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"point": "left"}', {"point": "left"}),
        (' \n{"point": "left"}\n', {"point": "left"}),
        ('```json\n{"point": "left"}\n```', {"point": "left"}),
        ('Sure:\n```\n{"point": "left"}\n```\nDone.', {"point": "left"}),
        ('I point {left}: {"point": "left"} and go.', {"point": "left"}),
        ('Here: {"a": {"b": [1]}}', {"a": {"b": [1]}}),
        ('{"text": "two\nlines"}', {"text": "two\nlines"}),
        ('{"a": NaN}', {"a": None}),
        ("[1, 2]", [1, 2]),
        ("left", None),
        ("see [1]", None),
        ("", None),
        ('{"point": "le', None),
        ("{" * 200_000, None),
        ("[" * 200_000, None),
    ],
)
def test_data_are_read_leniently(text, data):
    """Fences and words around an object are left out; what holds no JSON has no data."""
    assert data == data_of(text)
