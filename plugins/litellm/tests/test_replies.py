"""An answer becomes a Reply, or is nobody's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.model.reply import Reply, ToolCall, Usage
from recfw.model.trace import ReplyEvent
from recfw.serialize import event_line
from recfw_litellm.replies import FILTERED_WORDS, answerable, extras_of, reply_of, usage_of, without_thoughts
from recfw_litellm.tools import Names
from recfw_litellm.wire import Blame, Fault


def raw(finish="stop", **message):
    """Return an answer with this message."""
    return {"choices": [{"message": {"role": "assistant", "content": None, **message}, "finish_reason": finish}]}


def read(answer, structured=False):
    """Return an answer's Reply."""
    return reply_of(answerable(answer), Names(()), structured=structured)


def test_text():
    """Words are the reply's text."""
    assert Reply("Hello.") == read(raw(content="Hello."))


def test_parts_of_text_are_joined():
    """Content in parts is the text of those that are text."""
    parts = [{"type": "text", "text": "Hel"}, {"type": "thinking", "thinking": "x"}, {"type": "text", "text": "lo."}]
    assert "Hello." == read(raw(content=parts)).text


def test_half_a_reply_is_kept():
    """A reply that was cut keeps its text and says why it ended; so do half the arguments of a call."""
    assert Reply("Hel", finish="length") == read(raw("length", content="Hel"))
    cut = read(raw("length", tool_calls=[{"id": "x", "function": {"name": "t", "arguments": '{"a":'}}]))
    assert (ToolCall("t", '{"a":', "x"),) == cut.calls


def test_an_empty_text_is_the_models_own():
    """Empty words are a reply, for the environment to refuse; so are thoughts without words."""
    assert Reply("") == read(raw(content=""))
    assert Reply("", reasoning="Hm.") == read(raw(reasoning_content="Hm."))
    assert Reply("", finish="length") == read(raw("length"))


def test_a_refusal_is_the_text():
    """Where a model refuses, its refusal is what it says."""
    assert Reply("I can't.", finish="refusal") == read(raw(refusal="I can't."))


def test_a_filtered_answer_says_so():
    """An answer that a filter emptied has words; one that it cut keeps its own."""
    assert Reply(FILTERED_WORDS, finish="content_filter") == read(raw("content_filter", content=""))
    assert Reply("Hel", finish="content_filter") == read(raw("content_filter", content="Hel"))


def test_data_are_read_where_they_are_wanted():
    """Structured output is read where the View has a schema, and not beside calls."""
    assert {"a": 1} == read(raw(content='{"a": 1}'), structured=True).data
    assert None is read(raw(content='{"a": 1}')).data
    called = raw(content='{"a": 1}', tool_calls=[{"function": {"name": "t"}}])
    assert None is read(called, structured=True).data


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("<think>\nHm.\n</think>\n\nHello.", "Hello.", "Hm."),
        ("<thinking>Hm.</thinking>Hello.", "Hello.", "Hm."),
        ("Hm.\n</think>\nHello.", "Hello.", "Hm."),
        ("<think>Hm", "", "Hm"),
        ("<think></think>Hello.", "Hello.", ""),
        ("One. <think>a</think> Two. <think>b</think>", "One.  Two.", "a\n\nb"),
        ("I think so.", "I think so.", ""),
    ],
)
def test_leaked_thoughts_are_moved(text, said, thought):
    """Reasoning in tags is no part of what others hear, whichever of its tags is missing."""
    assert (said, thought) == without_thoughts(text)


def test_thoughts_are_kept_apart():
    """Reasoning in its own field, or leaked, is the reply's reasoning."""
    assert Reply("Hello.", reasoning="A.\n\nB.") == read(raw(content="<think>B.</think>Hello.", reasoning_content="A."))
    assert "A." == read(raw(content="Hello.", reasoning="A.")).reasoning


def test_lone_surrogates_are_replaced():
    """Text that no database can hold is mended."""
    found = read(raw(content="\ud83dHello", refusal="\ud83d", tool_calls=[{"function": {"name": "\ud83d"}}]))
    assert ("?Hello", "?") == (found.text, found.calls[0].name)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": {"message": {"content": "x"}}},
        raw(),
    ],
)
def test_what_holds_no_message_is_nobodys(answer):
    """An answer without a message, or with nothing in it, is asked for again."""
    with pytest.raises(Fault) as caught:
        answerable(answer)
    assert ("malformed", Blame.RETRY) == (caught.value.kind, caught.value.blame)


def test_an_error_in_the_place_of_an_answer():
    """An error with status 200 is the error that it says."""
    with pytest.raises(Fault, match="key") as caught:
        answerable({"error": {"code": 401, "message": "Bad key."}})
    assert Blame.FATAL is caught.value.blame


def test_what_goes_back_with_calls():
    """Reasoning that providers want back is kept with a message that calls; without calls nothing is."""
    call = {"function": {"name": "t"}, "extra_content": {"google": {"thought_signature": "s"}}}
    answer = raw(reasoning_content="Hm.", thinking_blocks=[{"signature": "s"}], tool_calls=[call])
    assert {
        "message": {"thinking_blocks": [{"signature": "s"}], "reasoning_content": "Hm."},
        "calls": {0: {"extra_content": {"google": {"thought_signature": "s"}}}},
    } == extras_of(answer)
    assert {} == extras_of(raw(content="Hello.", reasoning_content="Hm."))


# --- Usage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4}, (9, 4, 0, 0)),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 5},
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            (9, 4, 5, 3),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_cache_hit_tokens": 5}, (9, 4, 5, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 5}, (9, 4, 5, 0)),
        ({"input_tokens": 9, "output_tokens": 4, "cache_read_input_tokens": 5}, (14, 4, 5, 0)),
        ({"input_tokens": 9, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 5}}, (9, 4, 5, 0)),
        ({"prompt_eval_count": 9, "eval_count": 4}, (9, 4, 0, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": None}, (9, 4, 0, 0)),
        ({"prompt_tokens": 9.0, "completion_tokens": True}, (9, 0, 0, 0)),
        ({"prompt_tokens": -9, "completion_tokens": "4"}, (0, 0, 0, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 99}}, (9, 4, 9, 0)),
        (None, (0, 0, 0, 0)),
        ("many", (0, 0, 0, 0)),
    ],
)
def test_tokens_are_counted_in_many_shapes(usage, counts):
    """Tokens read, written, from a cache and spent on reasoning, whatever they are called."""
    found = usage_of({"usage": usage})
    assert counts == (found.input_tokens, found.output_tokens, found.cached_tokens, found.reasoning_tokens)


def test_missing_usage_is_noted():
    """Where nothing was counted, that is noted: 0 is no count."""
    assert Usage(raw={"usage": "missing", "model": "m"}) == usage_of({"usage": None, "model": "m"})
    assert "missing" == usage_of({"usage": {"prompt_tokens": 0, "completion_tokens": 0}}).raw["usage"]


def test_raw_usage_is_kept_with_notes():
    """The provider's own counts are kept, with the model that answered and what is noted besides."""
    found = usage_of({"usage": {"prompt_tokens": 9, "x": None}, "model": "m-1"}, 0.5, {"attempts": 2})
    assert ({"prompt_tokens": 9, "attempts": 2, "model": "m-1"}, 0.5) == (found.raw, found.cost)


# --- Anything at all --------------------------------------------------------------------------------------------------

json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.just("\ud800")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)
message_keys = (
    "content",
    "tool_calls",
    "function_call",
    "refusal",
    "reasoning_content",
    "reasoning",
    "thinking_blocks",
)
function = st.fixed_dictionaries({}, optional={"name": json, "arguments": json})
tool_calls = st.one_of(json, st.lists(st.fixed_dictionaries({}, optional={"id": json, "function": function})))
message = st.fixed_dictionaries({}, optional={**dict.fromkeys(message_keys, json), "tool_calls": tool_calls})
choice = st.fixed_dictionaries({"message": st.one_of(json, message)}, optional={"finish_reason": json})
usage = st.dictionaries(st.sampled_from(["prompt_tokens", "completion_tokens", "prompt_tokens_details", "x"]), json)
answers = st.one_of(
    json,
    st.fixed_dictionaries(
        {"choices": st.one_of(json, st.lists(choice, max_size=2))},
        optional={"usage": usage, "error": json, "model": json},
    ),
)


@given(answers, st.booleans())
def test_any_json_is_a_reply_or_a_fault(answer, structured):
    """Whatever JSON arrives is a Reply that a trace can hold, or a Fault, and no other exception."""
    try:
        held = answerable(answer)
    except Fault:
        return
    found = reply_of(held, Names(()), structured=structured, usage=usage_of(held))
    extras_of(held)
    assert event_line(ReplyEvent("agent", 1, found, 0.0))
    assert all(isinstance(part, str) for part in (found.text, found.reasoning, found.finish))
    found.text.encode()
