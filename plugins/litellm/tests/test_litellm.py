"""The transport through litellm."""

import asyncio

import pytest

from recfw.testing.provider import StubProvider
from recfw_litellm.marks import MARK, marked
from recfw_litellm.options import ModelOptions
from recfw_litellm.transports.litellm import LiteLLM
from recfw_litellm.wire import Fault, Request

pytestmark = pytest.mark.usefixtures("library")

SYSTEM = {"role": "system", "content": "Help."}
HELLO = {"role": "user", "content": "Hello"}
CLAUDE = "anthropic/claude-sonnet-4-5"


def send(url, model="openai/x", messages=(HELLO,), params=None, times=1, **options):
    """Return what a model answers to one request, sent on connections of their own so many times."""

    async def sent():
        transport = LiteLLM(ModelOptions(model=model, api_base=url, **options))
        for _ in range(times):
            async with transport.open():
                found = await transport.send(Request(model, tuple(messages), params=params or {}), 20.0)
        return found

    return asyncio.run(sent())


@pytest.fixture
def recording(provider: StubProvider):
    """The stub, keeping what it was sent."""
    provider.change(record=10)
    return provider


def test_parameters_arrive(recording):
    """What is asked for stands in the body, a parameter that litellm does not know too."""
    send(recording.url, params={"seed": 3, "temperature": 0.5, "top_k": 5})
    body = recording.recorded[0].body
    assert (3, 0.5, 5, "x") == tuple(body[name] for name in ("seed", "temperature", "top_k", "model"))


def test_connections_can_be_opened_again(recording):
    """Connections that were closed are not handed out again, as after the preflight."""
    send(recording.url, times=3)
    assert 3 == len(recording.recorded)


def test_nothing_is_retried_within(recording):
    """A failure is sent once: retries are the client's."""
    recording.change(models=("another",))
    with pytest.raises(Fault):
        send(recording.url)
    assert 1 == recording.stats.requests


def test_the_key_comes_from_the_environment(recording, monkeypatch):
    """The provider's own variable, or the one that is named; a word in its place where there is none."""
    send(recording.url)
    monkeypatch.setenv("OPENAI_API_KEY", "usual")
    send(recording.url)
    monkeypatch.setenv("OTHER_API_KEY", "named")
    send(recording.url, api_key_env="OTHER_API_KEY")
    found = [one.headers.get("authorization") for one in recording.recorded]
    assert ["Bearer none", "Bearer usual", "Bearer named"] == found


def test_tools_are_never_dropped(recording, monkeypatch):
    """Tools are sent to a model of which litellm does not know that it takes any: without them it could not play."""
    tool = {"type": "function", "function": {"name": "t", "description": "", "parameters": {"type": "object"}}}
    model = "sambanova/x"

    async def sent():
        transport = LiteLLM(ModelOptions(model=model, api_base=recording.url, api_key_env="SOME_API_KEY"))
        assert "tools" not in transport.takes(model)
        async with transport.open():
            await transport.send(Request(model, (HELLO,), (tool,)), 20.0)

    monkeypatch.setenv("SOME_API_KEY", "planted")
    asyncio.run(sent())
    assert [tool] == recording.recorded[0].body["tools"]


def test_what_a_model_takes():
    """The parameters that a provider takes are known; those of an unknown provider are not."""
    takes = LiteLLM(ModelOptions()).takes
    assert "seed" in takes("openai/x")
    assert "seed" not in takes(CLAUDE)
    assert takes("nonsense") is None


def test_prices_are_those_of_the_release():
    """A known model's answer has a price, tokens from the provider's cache cheaper; an unknown one's has none."""
    transport = LiteLLM(ModelOptions())
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 100_000, "total_tokens": 1_100_000}
    whole = transport.price("gpt-4o", {"usage": usage})
    assert 3.5 == pytest.approx(whole)
    part = transport.price("gpt-4o", {"usage": {**usage, "prompt_tokens_details": {"cached_tokens": 1_000_000}}})
    assert 2.25 == pytest.approx(part)
    assert [None] * 3 == [
        transport.price("openai/x", {"usage": usage}),
        transport.price("gpt-4o", {"usage": None}),
        transport.price("gpt-4o", {"usage": {"prompt_tokens": "many"}}),
    ]


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        (CLAUDE, True),
        ("claude-sonnet-4-5", True),
        ("bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0", True),
        ("vertex_ai/claude-sonnet-4-5", True),
        ("openrouter/anthropic/claude-sonnet-4.5", True),
        ("openai/x", False),
        ("openai/my-claude", False),
        ("gemini/gemini-2.5-pro", False),
    ],
)
def test_marks_are_for_those_who_want_them(model, wanted):
    """Only models that cache what is marked get marks."""
    assert wanted == (marked(model, [SYSTEM, HELLO]) != [SYSTEM, HELLO])


def test_where_marks_stand():
    """The system message and the newest one end what may be cached; messages of the request stay as they were."""
    tool = {"role": "tool", "tool_call_id": "x", "content": "found"}
    sent = marked(CLAUDE, [SYSTEM, HELLO, tool])
    assert {"type": "text", "text": "Help.", "cache_control": MARK} == sent[0]["content"][0]
    assert (HELLO, {**tool, "cache_control": MARK}) == (sent[1], sent[2])
    assert "Help." == SYSTEM["content"]
    picture = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}]}
    assert [False, True] == ["cache_control" in part for part in marked(CLAUDE, [picture])[0]["content"]]


def test_marks_are_not_sent_to_others(recording):
    """A server that knows no marks gets none."""
    send(recording.url, messages=[SYSTEM, HELLO])
    assert [SYSTEM, HELLO] == recording.recorded[0].body["messages"]


def test_a_closed_transport_sends_nothing():
    """A transport that is not open says so."""
    with pytest.raises(Fault, match="not open"):
        asyncio.run(LiteLLM(ModelOptions()).send(Request("openai/x", (HELLO,)), 1.0))
