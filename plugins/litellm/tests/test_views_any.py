"""Whatever a View holds, the request made of it is one that strict providers take."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from recfw.model.reply import ToolCall
from recfw.model.view import Message, PicturePart, TextPart, ToolSpec, View
from recfw.testing.provider.strictness import complaint
from recfw_litellm.options import PlayerOptions
from recfw_litellm.requests import Requests
from recfw_litellm.tools import Names

ROLES = ("agent", "user", "moderator")
words = st.one_of(st.text(max_size=8), st.sampled_from(["", " ", "\ud800", "hello", "[system] x"]))
parts = st.one_of(st.builds(TextPart, words), st.builds(PicturePart, st.sampled_from(["p1", "p2"]), words))
arguments = st.one_of(words, st.sampled_from(["{}", '{"a": 1}', "[]", "null", '{}""', '"{}"']))
names = st.sampled_from(["look_up", "a.b", "a:b", "a_b", "9", "", "x" * 70, "nobody"])
calls = st.lists(st.builds(ToolCall, names, arguments, words), max_size=3).map(tuple)
messages = st.builds(
    Message,
    st.sampled_from(["system", "tool", *ROLES]),
    st.lists(parts, max_size=3).map(tuple),
    calls,
    st.one_of(st.none(), st.integers(-1, 3)),
    st.booleans(),
)
tools = st.lists(
    st.builds(ToolSpec, names.filter(bool), words, st.just({"type": "object"})), unique_by=lambda t: t.name, max_size=4
).map(tuple)
schemas = st.sampled_from([None, {"type": "object"}, {"type": "array"}])
views = st.builds(View, st.sampled_from(ROLES), st.lists(messages, max_size=8).map(tuple), tools, schemas)


def request_of(view, **options):
    """Return the request for a View, one of its pictures known."""
    made = Requests(PlayerOptions(model="m", **options), 1, view.role, None)
    return made.request(view, Names(view.tools), {"p1": "data:image/png;base64,AA=="}, {})


@given(views, st.sampled_from(["auto", "format", "words"]))
def test_any_view_is_a_request_that_is_taken(view, schema):
    """Tools are named legally, calls are answered in order, and nothing is empty."""
    body = request_of(view, schema=schema).body()
    assert "" == complaint(orjson.loads(orjson.dumps(body)))
    for before, message in zip([{"role": "system"}, *body["messages"]], body["messages"], strict=False):
        assert before["role"] != message["role"] or message["role"] in {"tool", "system"}
        assert message["content"] or message.get("tool_calls")
    assert body["messages"][-1]["role"] in {"user", "tool"}


@given(views)
def test_equal_views_are_equal_requests(view):
    """A View gives the same bytes each time, so that a kept answer is found again."""
    assert request_of(view).key() == request_of(view).key()


@given(views)
def test_nothing_of_the_facts_is_sent(view):
    """Facts are for components written in code: a private goal among them never reaches a model."""
    other = View(view.role, view.messages, view.tools, view.output_schema, {"goal": "the secret"})
    assert request_of(view).key() == request_of(other).key()
