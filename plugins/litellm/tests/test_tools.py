"""Tool names, ids and arguments."""

import pytest

from recfw.model.reply import ToolCall
from recfw.model.view import ToolSpec
from recfw_litellm.tools import Names, call_id, calls_in


def names(*offered):
    """Return the names of tools."""
    return Names([ToolSpec(name, "", {}) for name in offered])


@pytest.mark.parametrize(
    ("offered", "sent"),
    [
        (["look_up"], ["look_up"]),
        (["shop.find"], ["shop_find"]),
        (["a.b", "a:b", "a_b"], ["a_b_2", "a_b_3", "a_b"]),
        (["9lives"], ["_9lives"]),
        (["x" * 70], ["x" * 64]),
    ],
)
def test_names_are_made_legal_and_mapped_back(offered, sent):
    """A name that providers refuse is spelt otherwise, no two alike, and the model's call finds its tool."""
    made = names(*offered)
    assert sent == [made.sent(name) for name in offered]
    assert offered == [made.offered(name) for name in sent]


def test_an_unknown_name_stays():
    """A tool that nobody offered keeps its name, for the engine to answer; sent back, it is legal."""
    made = names("look_up")
    assert ("no.such", "no_such") == (made.offered("no.such"), made.sent("no.such"))


def test_ids_suit_the_strictest_templates():
    """An id is nine letters and digits."""
    assert ("call00001", 9) == (call_id(1), len(call_id(12345)))


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ({"name": "t", "arguments": '{"a":  1}'}, ToolCall("t", '{"a":  1}')),
        ({"name": "t", "arguments": {"a": 1}}, ToolCall("t", '{"a":1}')),
        ({"name": "t", "arguments": None}, ToolCall("t", "{}")),
        ({"name": "t"}, ToolCall("t", "{}")),
        ({"name": "t", "arguments": "no json"}, ToolCall("t", "no json")),
        ({"name": "t", "arguments": ""}, ToolCall("t", "")),
        ({"name": None, "arguments": "{}"}, ToolCall("", "{}")),
        ({"name": "t\ud800", "arguments": "\udfff"}, ToolCall("t?", "?")),
    ],
)
def test_arguments_are_kept_as_they_are(function, call):
    """A call's raw text is kept; an object becomes JSON, none becomes {}."""
    assert (call,) == calls_in({"tool_calls": [{"function": function}]}, names("t"))


@pytest.mark.parametrize(("told", "kept"), [("", ""), (None, ""), (7, "7"), ("x", "x")])
def test_ids_are_noted_as_text(told, kept):
    """Whatever the model gave as an id is noted, and means nothing."""
    (call,) = calls_in({"tool_calls": [{"id": told, "function": {"name": "t"}}]}, names("t"))
    assert kept == call.id


@pytest.mark.parametrize(
    "message", [{}, {"tool_calls": None}, {"tool_calls": "x"}, {"tool_calls": [1, {}, {"function": 2}]}]
)
def test_what_is_no_call_is_none(message):
    """Whatever else stands in the place of calls is no call."""
    assert () == calls_in(message, names())


def test_the_older_way_to_call():
    """One call in the field that came before tool_calls is a call."""
    assert (ToolCall("t", "{}"),) == calls_in({"function_call": {"name": "t", "arguments": "{}"}}, names("t"))
