"""Which parameters are sent, and which answer is wanted."""

import pytest

from recfw.errors import UsageError
from recfw.model.view import Message, ToolSpec, View
from recfw_litellm.options import PlayerOptions
from recfw_litellm.requests import Requests, check_options, params_of
from recfw_litellm.tools import Names

VIEW = View("agent", (Message.say("user", "Hello"),))
TOOLED = View("agent", VIEW.messages, (ToolSpec("t", "", {"type": "object"}),))


def made(view=VIEW, trial=7, role="agent", takes=None, **options):
    """Return the request for a View."""
    return Requests(PlayerOptions(model="m", **options), trial, role, takes).request(view, Names(view.tools), {}, {})


def test_only_what_is_asked_for_is_sent():
    """Without options, only the trial's seed is sent."""
    assert {"seed": 7} == made().params


@pytest.mark.parametrize(("seed", "sent"), [("trial", {"seed": 5}), ("none", {}), ("12", {"seed": 12})])
def test_the_seed(seed, sent):
    """The trial's seed fits into what providers take; or none, or a number."""
    assert sent == params_of(PlayerOptions(model="m", seed=seed), 2**31 + 5)


def test_parameters():
    """Each option is the parameter of its name; extra ones are sent as they are."""
    options = {"temperature": 0.5, "top_p": 0.9, "seed": "none", "reasoning_effort": "low", "max_tokens": 9}
    sent = {**options, "top_k": 5}
    sent.pop("seed")
    assert sent == made(**options, extra={"top_k": 5}).params


def test_extra_parameters_are_json():
    """What YAML holds beside JSON is sent as JSON: keys are text."""
    assert {"bias": {"5": -100}, "seed": 7} == made(extra={"bias": {5: -100}}).params


def test_what_a_model_does_not_take_is_left_out():
    """A parameter that the provider refuses is not sent; an extra one is the asker's own word."""
    takes = frozenset({"temperature"})
    found = made(TOOLED, takes=takes, temperature=0.5, reasoning_effort="low", parallel_tools=True, extra={"seed": 1})
    assert {"temperature": 0.5, "seed": 1} == found.params


@pytest.mark.parametrize(("takes", "by_format"), [(None, True), ({"response_format"}, True), ({"seed"}, False)])
def test_a_schema_is_told_in_words_where_no_format_is_taken(takes, by_format):
    """A model that takes no response format is told the schema, which would be left out otherwise."""
    found = made(View("agent", VIEW.messages, output_schema={"type": "object"}), takes=takes)
    assert by_format == (found.response_format is not None)
    assert by_format == ("JSON Schema" not in found.messages[0]["content"])


@pytest.mark.parametrize(("view", "sent"), [(TOOLED, True), (VIEW, None)])
def test_parallel_tools(view, sent):
    """Several calls a turn are allowed or not where there are tools at all."""
    assert sent == made(view, parallel_tools=True).params.get("parallel_tool_calls")


def test_the_answer_that_is_wanted():
    """Equal bodies ask for different answers by trial, role and how often they were asked in the episode."""
    requests = Requests(PlayerOptions(model="m", seed="none"), 7, "agent", None)
    twice = [requests.request(VIEW, Names(()), {}, {}) for _ in range(2)]
    assert [(7, "agent", 1), (7, "agent", 2)] == [one.sample for one in twice]
    keys = {one.key() for one in (*twice, made(seed=8, extra={}), made(role="user", seed="none"), made())}
    assert 5 == len(keys)


def test_a_replayed_trial_finds_its_answers():
    """The same trial asks with the same keys again."""
    assert made().key() == made().key()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": ""}, "--set agent.model="),
        ({"model": "  "}, "needs a model"),
        ({"seed": "maybe"}, "'seed'"),
        ({"seed": "-1"}, "'seed'"),
        ({"seed": str(2**31)}, "'seed'"),
        ({"schema": "perhaps"}, "auto, format, words"),
        ({"extra": {"stream": True}}, "'stream'"),
        ({"extra": {"api_key": "x"}}, "api_key_env"),
        ({"extra": {"headers": {"Authorization": "Bearer abcdefghijklmnopqrstuvwxyz"}}}, "looks like a key"),
        ({"api_base": "https://me:secret@example.org/v1"}, "looks like a key"),
    ],
)
def test_options_that_cannot_work_are_refused(options, words):
    """What cannot work is said before anything starts, with what to do."""
    with pytest.raises(UsageError) as caught:
        check_options(PlayerOptions(**{"model": "m", **options}), "litellm", options.get("schema", "auto"))
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)
