"""The components: a model in any role."""

import asyncio
import logging

import pytest

from recfw.errors import InfrastructureError, OutageError, UsageError
from recfw.model.reply import Reply, ToolCall
from recfw.model.view import Message, Picture, PicturePart, TextPart, ToolSpec, View
from recfw.protocols import NO_FACILITIES, Context, ContextOverflow, Facilities
from recfw.registry import option_value, options_from
from recfw.testing.provider import Answer, Call, Faults, StubProvider
from recfw_litellm.options import PlayerOptions
from recfw_litellm.participants import VERSION, EndpointModel, EndpointStandIn, LiteLLMModel
from recfw_litellm.plugin import recfw_register_agents, recfw_register_participants, recfw_register_users
from recfw_litellm.transports.litellm import PINNED

LOOK = ToolSpec("look.up", "Facts.", {"type": "object"})
HELLO = View("agent", (Message.say("user", "Hello"),))
TOOLED = View("agent", HELLO.messages, (LOOK,))
POINT = {"type": "object", "properties": {"point": {"type": "string"}}, "required": ["point"]}


def component(provider: StubProvider, kind=EndpointModel, facilities=NO_FACILITIES, **options):
    """Return a component that asks the stub."""
    model = "x" if issubclass(kind, EndpointModel) else "openai/x"
    made = kind(PlayerOptions(**{"model": model, "api_base": provider.url, "retries": 0, **options}))
    made.equip(facilities)
    return made


def play(made, *views, **context):
    """Return what a player of the component replies to each View."""

    async def played():
        async with made.open():
            player = made.episode(Context(**{"role": "agent", "task": "t", "seed": 7, **context}))
            return [await player.reply(view) for view in views]

    return asyncio.run(played())


@pytest.fixture
def recording(provider: StubProvider):
    """The stub, keeping what it was sent."""
    provider.change(record=20)
    return provider


@pytest.mark.parametrize("kind", [EndpointModel, LiteLLMModel])
def test_a_reply_is_metered(recording, kind, library):
    """Text comes with tokens, the model that answered, attempts and seconds."""
    (reply,) = play(component(recording, kind), HELLO)
    assert reply.text.endswith("to: Hello")
    raw = reply.usage.raw
    assert (1, False, "x") == (raw["attempts"], raw["cached"], raw["model"])
    assert 0 < raw["seconds"] < 20
    assert reply.usage.input_tokens == raw["prompt_tokens"] > 0
    assert None is reply.usage.cost


def test_prices_of_the_options(recording):
    """A price in the options is what a reply costs."""
    (reply,) = play(component(recording, input_price=1.0, output_price=2.0), HELLO)
    used = reply.usage
    assert (used.input_tokens + 2 * used.output_tokens) / 1e6 == pytest.approx(used.cost)


def test_the_price_table_is_named(provider, library):
    """A cost by litellm's table says which release's table it is."""
    (reply,) = play(component(provider, LiteLLMModel, model="openai/gpt-4o"), HELLO)
    assert reply.usage.cost > 0
    assert f"litellm {PINNED}" == reply.usage.raw["prices"]


def test_tools_are_offered_and_called_by_their_own_names(recording):
    """A name that providers refuse is spelt otherwise, and the call comes back under its own."""
    recording.change(brain="all-tools:1", record=20)
    (reply,) = play(component(recording), TOOLED)
    assert ["look_up"] == [tool["function"]["name"] for tool in recording.recorded[0].body["tools"]]
    assert ["look.up"] == [call.name for call in reply.calls]


def test_structured_output(recording):
    """A schema is asked for, and the reply's data satisfy it."""
    (reply,) = play(component(recording), View("agent", HELLO.messages, output_schema=POINT))
    assert "json_schema" == recording.recorded[0].body["response_format"]["type"]
    assert isinstance(reply.data["point"], str)


def test_pictures_are_shown_once_each(recording):
    """Each picture is fetched once in an episode, and sent with every request."""
    looked = []

    async def look(handle):
        looked.append(handle)
        return Picture(b"png", "image/png")

    view = View("agent", (Message("user", (PicturePart("p", "a door"), TextPart("Hm."))),))
    play(component(recording), view, view, look=look)
    assert ["p"] == looked
    sent = [one.body["messages"][0]["content"][0] for one in recording.recorded]
    assert [{"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}] * 2 == sent


def test_pictures_are_told_to_a_model_that_cannot_see(recording):
    """Without pictures nothing is fetched, and what they show is told."""
    view = View("agent", (Message("user", (PicturePart("p", "a door"), TextPart("Hm."))),))
    play(component(recording, pictures=False), view, look=lambda _: pytest.fail("looked"))
    assert "[picture: a door]\nHm." == recording.recorded[0].body["messages"][0]["content"]


def test_reasoning_goes_back_within_a_turn_and_to_nobody_else(recording):
    """A reply's reasoning is apart from its text; with calls it goes back while the turn lasts."""
    call = Answer(calls=(Call("look_up"),), reasoning="Secretly.")
    recording.change(replies=(call, Answer("Done.", reasoning="Hm.")), record=20)
    calls = (ToolCall("look.up", "{}"),)
    after = View("agent", (*HELLO.messages, Message("agent", (), calls), Message.say("tool", "x")), (LOOK,))
    first, second = play(component(recording), TOOLED, after)
    assert ("", "Secretly.", "Done.", "Hm.") == (first.text, first.reasoning, second.text, second.reasoning)
    assert "Secretly." == recording.recorded[1].body["messages"][1]["reasoning_content"]


@pytest.mark.parametrize(
    ("way", "error"),
    [
        ("context_length_exceeded", ContextOverflow),
        ("invalid_key", OutageError),
        ("http_500", InfrastructureError),
    ],
)
def test_faults_are_errors(provider, way, error):
    """What no retry mends is raised as what it is."""
    provider.change(faults=Faults(rate=1.0, ways=(way,)))
    with pytest.raises(error) as caught:
        play(component(provider), HELLO)
    assert type(caught.value) is error


def test_a_filter_on_the_request_is_the_models_reply(provider):
    """A refusal by the provider's filter is an answer in the model's place."""
    provider.change(faults=Faults(rate=1.0, ways=("content_filter_400",)))
    (reply,) = play(component(provider), HELLO)
    assert "content_filter" == reply.finish
    assert "filtered" in reply.text


@pytest.mark.parametrize("way", ["content_filter_400", "content_filter", "refusal"])
def test_a_user_that_refuses_is_no_user(provider, way):
    """A filter, or a model that will not speak for a user, fails the trial; the agent is not given it to answer."""
    provider.change(faults=Faults(rate=1.0, ways=(way,)))
    with pytest.raises(InfrastructureError) as caught:
        play(component(provider, EndpointStandIn), HELLO)
    assert way.removesuffix("_400") == caught.value.kind


def test_users_and_others_stand_in():
    """Agents are held to their own words; users and other participants stand in for somebody."""
    hooks = (recfw_register_agents, recfw_register_users, recfw_register_participants)
    assert [{False}, {True}, {True}] == [{kind.stands_in for kind in hook()} for hook in hooks]


def test_kept_answers_are_found_by_trial(recording, tmp_path):
    """The same trial asks once; another trial of the task gets an answer of its own."""
    made = [component(recording, facilities=Facilities(str(tmp_path)), seed="none") for _ in range(3)]
    (first,) = play(made[0], HELLO)
    (again,) = play(made[1], HELLO)
    play(made[2], HELLO, seed=8)
    assert 2 == len(recording.recorded)
    assert (first.text, True, 0.0) == (again.text, again.usage.raw["cached"], again.usage.cost)


# --- Before the first trial -------------------------------------------------------------------------------------------


def check(made):
    """Return what a check consumed."""

    async def checked():
        async with made.open():
            return await made.check()

    return asyncio.run(checked())


@pytest.mark.parametrize("kind", [EndpointModel, LiteLLMModel])
def test_a_check_asks_once(recording, kind, library):
    """A model that answers is asked one short thing, which is metered."""
    used = check(component(recording, kind))
    assert 1 == len(recording.recorded)
    assert used.input_tokens > 0
    limit = recording.recorded[0].body.get("max_tokens")
    assert (None if issubclass(kind, EndpointModel) else 512) == limit


def test_nothing_is_asked_offline(recording, tmp_path):
    """Where nothing may be sent, nothing is checked."""
    assert None is check(component(recording, facilities=Facilities(str(tmp_path), offline=True)))
    assert 0 == len(recording.recorded)


def test_a_check_is_no_kept_answer(recording, tmp_path):
    """A check asks again although an answer was kept."""
    for _ in range(2):
        check(component(recording, facilities=Facilities(str(tmp_path))))
    assert 2 == len(recording.recorded)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("invalid_key", "OPENAI_API_KEY"),
        ("model_not_found", "no model 'x'"),
        ("http_500", "No answer from model 'x' at http://127.0.0.1"),
        ("context_length_exceeded", "maximum context length"),
    ],
)
def test_a_check_that_fails_says_what_to_set(provider, way, words):
    """A wrong key, an unknown model or no answer is an error with a next step."""
    provider.change(faults=Faults(rate=1.0, ways=(way,)))
    with pytest.raises(InfrastructureError) as caught:
        check(component(provider))
    assert words in str(caught.value)


# --- Options ----------------------------------------------------------------------------------------------------------


def test_an_endpoint_needs_an_address():
    """Without an address there is nothing to ask."""
    with pytest.raises(UsageError, match=r"agent\.api_base="):
        EndpointModel(PlayerOptions(model="x"))


def test_extra_parameters_are_typed_as_json():
    """What is typed after --set agent.extra= is JSON."""
    assert {"top_k": 5} == option_value(EndpointModel, "extra", '{"top_k": 5}', "agent")


def test_a_key_is_no_option():
    """A key cannot be an option; the message names the option that names a variable."""
    with pytest.raises(UsageError, match="Did you mean 'api_key_env'") as caught:
        options_from(EndpointModel, {"api_key": "planted-key"}, "agent 'endpoint'")
    assert "planted-key" not in str(caught.value)


def test_versions_name_the_release():
    """A run records which release of litellm asked."""
    assert (f"{VERSION}+litellm.{PINNED}", VERSION) == (LiteLLMModel.version, EndpointModel.version)


def test_what_a_model_does_not_take_is_said(caplog, library):
    """A parameter asked for by name that a provider refuses is left out with a warning; the trial's seed silently."""
    made = LiteLLMModel(PlayerOptions(model="anthropic/claude-3-haiku-20240307", reasoning_effort="low"))

    async def opened():
        async with made.open():
            pass

    with caplog.at_level(logging.WARNING, "recfw_litellm"):
        asyncio.run(opened())
    assert ["anthropic/claude-3-haiku-20240307 takes no reasoning_effort"] == [
        record.getMessage().removeprefix("Warning: ").partition(",")[0] for record in caplog.records
    ]


def test_a_player_needs_an_open_component(provider):
    """A component that is not open has no player."""
    with pytest.raises(OutageError, match="before it is open"):
        component(provider).episode(Context("agent", "t", 1))


def test_an_empty_reply_is_handed_on(provider):
    """Empty words are the agent's own; the environment refuses them."""
    provider.change(replies=(Answer(""),))
    (reply,) = play(component(provider), HELLO)
    assert Reply("") == Reply(reply.text, reply.calls)
