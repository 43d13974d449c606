"""A View becomes a conversation that any provider takes."""

import pytest

from recfw.model.reply import ToolCall
from recfw.model.view import Message, PicturePart, TextPart, ToolSpec, View
from recfw_litellm.tools import Names
from recfw_litellm.views import handles_of, key_of, messages_of

LOOK = ToolSpec("look_up", "Facts.", {"type": "object"})
SYSTEM, HELLO = Message.say("system", "Help."), Message.say("user", "I want a thing.")


def told(*messages, role="agent", tools=(LOOK,), pictures=None, thoughts=None, ending=""):
    """Return the conversation of a View with these messages."""
    return list(messages_of(View(role, messages, tools), Names(tools), pictures or {}, thoughts, ending))


def called(*calls, text="", role="agent"):
    """Return a message with tool calls."""
    return Message(role, (TextPart(text),) if text else (), calls=calls)


def answer(text, call=None, error=False):
    """Return a tool's answer."""
    return Message("tool", (TextPart(text),), call=call, error=error)


def test_roles_are_told_from_the_viewers_side():
    """The viewing role's words are the assistant's, those of the other the user's."""
    said = [SYSTEM, HELLO, Message.say("agent", "Which?"), Message.say("user", "Red.")]
    assert told(*said) == [
        {"role": "system", "content": "Help."},
        {"role": "user", "content": "I want a thing."},
        {"role": "assistant", "content": "Which?"},
        {"role": "user", "content": "Red."},
    ]


def test_the_same_talk_from_the_users_side():
    """A user simulator's own words are the assistant's."""
    assert [m["role"] for m in told(HELLO, Message.say("agent", "Which?"), role="user", tools=())] == [
        "assistant",
        "user",
    ]


def test_several_others_are_named():
    """Where two others speak, their names stand before their words."""
    found = told(HELLO, Message.say("moderator", "Go on."))
    assert found == [{"role": "user", "content": "[user] I want a thing.\n\n[moderator] Go on."}]


def test_messages_of_one_side_are_joined():
    """Two messages of one side in a row become one, since some chat templates demand turns."""
    said = [HELLO, HELLO, Message.say("agent", "a"), Message.say("agent", "b"), HELLO]
    assert [m["content"] for m in told(*said)] == [
        "I want a thing.\n\nI want a thing.",
        "a\n\nb",
        "I want a thing.",
    ]


def test_a_later_system_message_is_told_by_the_user():
    """A system message in the middle, which chat templates refuse, is told as a note."""
    said = [SYSTEM, HELLO, Message.say("system", "Your last reply was empty.")]
    assert told(*said)[-1] == {"role": "user", "content": "I want a thing.\n\n[system] Your last reply was empty."}


@pytest.mark.parametrize("said", [[], [SYSTEM], [HELLO, Message.say("agent", "Hm.")]])
def test_nobody_answers_themselves(said):
    """Where no other has the last word, a note says whose turn it is."""
    assert told(*said)[-1] == {"role": "user", "content": "[system] It is your turn."}


def test_empty_messages_are_not_sent():
    """A message without words is left out, as providers refuse it."""
    said = [SYSTEM, HELLO, Message.say("agent", " "), Message("agent"), Message.say("user", "")]
    assert told(*said) == told(SYSTEM, HELLO)


def test_calls_and_answers_go_back_by_position():
    """Ids are made by position, whatever the model's were; answers stand in the order of the calls."""
    calls = (ToolCall("look_up", '{"a":1}', "x"), ToolCall("look_up", '{"a":2}', "x"))
    found = told(HELLO, called(*calls, text="Let me see."), answer("two", 1), answer("one", 0, error=True))
    assert found[1:] == [
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                {"id": f"call0000{n}", "type": "function", "function": {"name": "look_up", "arguments": f'{{"a":{n}}}'}}
                for n in (1, 2)
            ],
        },
        {"role": "tool", "tool_call_id": "call00001", "content": "Error: one"},
        {"role": "tool", "tool_call_id": "call00002", "content": "two"},
    ]


def test_ids_are_unique_in_a_conversation():
    """Calls of later replies go on counting."""
    one = called(ToolCall("look_up"))
    found = told(HELLO, one, answer("a", 0), one, answer("b", 0))
    assert [m["tool_call_id"] for m in found if m["role"] == "tool"] == ["call00001", "call00002"]


def test_a_call_without_an_answer_gets_one():
    """A call that nothing answered is answered in words, since no provider takes one that is not."""
    found = told(HELLO, called(ToolCall("look_up"), ToolCall("look_up")), answer("b", 1), HELLO)
    assert [m["content"] for m in found[2:]] == ["(no answer)", "b", "I want a thing."]


@pytest.mark.parametrize("said", [[answer("3 found")], [called(ToolCall("look_up")), answer("a", 0), answer("b", 0)]])
def test_an_answer_without_a_call_is_told(said):
    """An answer whose call the View does not hold, or holds answered already, is told as a note."""
    assert told(HELLO, *said)[-1]["content"].endswith(("[tool] 3 found", "[tool] b"))
    assert told(HELLO, *said)[-1]["role"] == "user"


def test_an_empty_answer_has_words():
    """A tool that answers nothing is told so in a word."""
    assert told(HELLO, called(ToolCall("look_up")), answer("", 0))[-1]["content"] == "(empty)"


def test_calls_of_others_are_told_in_words():
    """Calls of another role are words to whoever may not make them."""
    call = called(ToolCall("look_up", '{"a":1}'), text="Hm.")
    found = told(HELLO, call, answer("x", 0), role="user", tools=())
    assert found[1:] == [{"role": "user", "content": 'Hm.\n\n[calls look_up {"a":1}]\n\n[tool] x'}]


def test_own_calls_are_words_where_no_tool_is_offered():
    """A View without tools has its earlier calls told, since providers refuse calls in a request without tools."""
    found = told(HELLO, called(ToolCall("look_up")), answer("x", 0), tools=())
    assert found == [
        {"role": "user", "content": "I want a thing."},
        {"role": "assistant", "content": "[calls look_up {}]"},
        {"role": "user", "content": "[tool] x"},
    ]


@pytest.mark.parametrize("raw", ["no json", '{"a":1}""', "[1]", '"{}"', "\ud83d"])
def test_arguments_that_are_no_object_go_back_as_one(raw):
    """What is no JSON object is sent back inside one, since providers refuse anything else in a history."""
    found = told(HELLO, called(ToolCall("look_up", raw)), answer("x", 0))
    arguments = found[1]["tool_calls"][0]["function"]["arguments"]
    assert arguments.startswith('{"invalid_arguments":')


def test_pictures_are_shown_and_told():
    """A picture whose data are known is shown; another is told by what the track says that it shows."""
    view = (Message("system", (PicturePart("p1", "a corridor"), TextPart("Look."))), HELLO)
    assert told(*view, pictures={"p1": "data:x"})[1]["content"] == [
        {"type": "image_url", "image_url": {"url": "data:x"}},
        {"type": "text", "text": "I want a thing."},
    ]
    assert told(*view)[0]["content"] == "[picture: a corridor]\nLook."


def test_pictures_of_a_tools_answer_follow_it():
    """A tool's answer holds text alone, so its pictures are the next message's."""
    shown = Message("tool", (TextPart("see"), PicturePart("p1")), call=0)
    found = told(HELLO, called(ToolCall("look_up")), shown, pictures={"p1": "data:x"})
    assert [m["role"] for m in found] == ["user", "assistant", "tool", "user"]
    assert found[-1]["content"][-1] == {"type": "image_url", "image_url": {"url": "data:x"}}


def test_a_handle_is_named_once():
    """Pictures are asked for once each, and not those of the role's own messages."""
    part = PicturePart("p1")
    view = View("agent", (Message("user", (part, part)), Message("agent", (PicturePart("p2"),))))
    assert list(handles_of(view)) == ["p1"]


def test_thoughts_go_back_while_the_turn_lasts():
    """What a provider wants back goes with the calls it came with, and no longer once another has spoken."""
    call = ToolCall("look_up")
    thoughts = {
        key_of("", (call,)): {"message": {"reasoning_content": "hm"}, "calls": {0: {"extra_content": {"s": 1}}}}
    }
    turn = [HELLO, called(call), answer("x", 0)]
    found = told(*turn, thoughts=thoughts)
    assert found[1]["reasoning_content"] == "hm"
    assert found[1]["tool_calls"][0]["extra_content"] == {"s": 1}
    assert "reasoning_content" not in told(*turn, HELLO, thoughts=thoughts)[1]


def test_words_end_the_system_message():
    """What is asked for in words stands behind the brief."""
    assert told(SYSTEM, HELLO, ending="Answer in JSON.")[0]["content"] == "Help.\n\nAnswer in JSON."
