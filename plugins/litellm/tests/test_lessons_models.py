"""What models send, through a run: nothing of it crashes, is doubled, or is seen by who must not see it."""

import json

import pytest
from faults_runs import differences, faults_of

from recfw.testing.provider import WAYS, Answer, Call

SEVERAL = ("tool_ids_empty", "tool_ids_missing", "tool_ids_integer", "surrogates", "reasoning_leaked", "extra_fields",
           "keys_missing", "usage_null", "wrong_content_type")  # fmt: skip


def replies(runs, task="d0", role="agent"):
    """Return the replies of a role in a task's trace."""
    return [event["reply"] for event in runs.events(task) if event["kind"] == "reply" and event["role"] == role]


def tool_events(runs, task="d0"):
    """Return the tool calls in a task's trace."""
    return [event for event in runs.events(task) if event["kind"] == "tool"]


def test_livebench485_smolagents2684_i2316_odd_shapes_change_no_figure(model, runs):
    """Calls without ids or with numbers for them, lone surrogates, leaked reasoning …: the same figures."""
    alone = type(runs)(runs.folder / "alone", runs.url)
    alone.type(*alone.words(12))
    model.faulty(0.9, SEVERAL)
    ended = runs.type(*runs.words(12))
    assert [] == faults_of(runs, ended, 12)
    assert [] == differences(runs, alone.completed(), model.met)
    assert 12 <= len(model.met)


def test_livebench485_a_call_that_comes_twice_is_answered_twice(model, runs):
    """Two calls share one id: both are executed and answered by position, and the provider takes the history."""
    model.faulty(1.0, ("tool_ids_duplicate",), attempts=1)
    ended = runs.type(*runs.words(1))
    assert [] == faults_of(runs, ended, 1)
    assert (0, {}) == (ended.status, ended.told["kinds"]), runs.ask("SELECT error FROM trial")
    assert ["look_up", "look_up"] == [event["tool"] for event in tool_events(runs)[:2]]


@pytest.mark.parametrize(
    ("way", "tag"), [("arguments_trailing", "i4822"), ("arguments_not_json", "tidebreak1084")], ids=lambda value: value
)
def test_i4822_tidebreak1084_arguments_that_are_no_object_are_told_to_the_model(model, runs, way, tag):
    """Neither repaired nor taken for {}: the call is an error with words, its raw text stands in the trace."""
    model.faulty(1.0, (way,), attempts=1)
    ended = runs.type(*runs.words(1))
    assert [] == faults_of(runs, ended, 1)
    first = tool_events(runs)[0]
    assert first["error"]
    sent = {"arguments_trailing": '{"item":"red-cube"}""', "arguments_not_json": "query = whatever you like"}[way]
    assert sent == replies(runs)[0]["calls"][0]["arguments"]


def test_t92_reasoning_never_reaches_the_other_side(model, runs):
    """<think> in an agent's words: kept as its reasoning, and neither in its text nor in any request of the run."""
    model.faulty(1.0, ("reasoning_leaked",))
    model.stub.change(record=100)
    runs.type(*runs.words(1))
    said = [reply for reply in replies(runs) if reply.get("text")]
    assert said
    assert all("<think>" not in reply["text"] and reply["reasoning"] for reply in said)
    assert not any("think>" in json.dumps(one.body["messages"]) for one in model.stub.recorded)


def test_i2316_half_a_pair_is_cleaned_at_the_door(model, runs):
    """A lone surrogate in a reply: the trace is valid UTF-8, and the conversation goes on."""
    model.faulty(1.0, ("surrogates",))
    ended = runs.type(*runs.words(2))
    assert [] == faults_of(runs, ended, 2)
    json.dumps(runs.events("d0"), ensure_ascii=False).encode()


def test_a_call_of_a_tool_that_nobody_offered_is_answered(model, runs):
    """The model is told, repairs itself, and completes."""
    model.faulty(1.0, ("unknown_tool",), attempts=1)
    ended = runs.type(*runs.words(3))
    assert [] == faults_of(runs, ended, 3)
    assert tool_events(runs)[0]["error"]


def test_a_reply_of_five_megabytes_is_survived(model, runs):
    """It stands in the trace, and what follows is the agent's own affair."""
    model.faulty(1.0, ("huge",), attempts=1, after=2)
    ended = runs.type(*runs.words(1, "timeout=20"))
    assert [] == faults_of(runs, ended, 1)
    assert (0, {}) == (ended.status, ended.told["kinds"]), runs.ask("SELECT error FROM trial")


@pytest.mark.parametrize("way", [name for name, way in WAYS.items() if way.kind == "agent"])
def test_what_a_model_does_wrong_is_never_infrastructure(model, runs, way):
    """Each way of the model's own: the trial completes at the first attempt, with scores."""
    model.faulty(0.5, (way,))
    ended = runs.type(*runs.words(2, "timeout=20", more=("--no-preflight",)))
    assert [] == faults_of(runs, ended, 2)
    assert (0, [("completed", 1)] * 2) == (ended.status, [(one.status, one.attempt) for one in runs.attempts()])


def test_tools_may_be_called_side_by_side(model, runs):
    """Several calls in one reply are all executed, in order."""
    both = (Call("look_up", {"item": "red-ball"}), Call("look_up", {"item": "blue-cube"}))
    model.stub._given = None
    model.stub.change(
        replies=(Answer(calls=both), "Which color and shape?", Answer(calls=(Call("choose", {"item": "red-cube"}),)))
    )
    runs.type(*runs.words(1))
    asked = [event["arguments"]["item"] for event in tool_events(runs)[:2]]
    assert ["red-ball", "blue-cube"] == asked
