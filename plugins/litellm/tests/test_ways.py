"""Every way in which the stub provider goes wrong, through both transports: an answer, or whose fault it is."""

import asyncio

import pytest

from recfw.model.reply import ToolCall
from recfw.model.view import ToolSpec
from recfw.testing.provider import WAYS, Faults, StubProvider
from recfw_litellm.options import PlayerOptions
from recfw_litellm.replies import reply_of, usage_of
from recfw_litellm.tools import Names, tool_of
from recfw_litellm.transports.endpoint import Endpoint
from recfw_litellm.transports.litellm import LiteLLM
from recfw_litellm.wire import Blame, Fault, Request

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}, "required": ["q", "n"]}
LOOK = ToolSpec("look", "Looks.", SCHEMA)
NAMES = Names([LOOK])
SOON, LATE = 0.4, 20.0
"""Deadlines: of a way that ends in a time-out, and of the others."""

TRANSPORTS = {"endpoint": (Endpoint, "x"), "litellm": (LiteLLM, "openai/x")}
TIMEOUT, CONNECTION, MALFORMED, SERVER = "timeout", "connection", "malformed", "server_error"
RECOVERABLE = {
    "http_429": "rate_limit",
    "http_429_seconds": "rate_limit",
    "http_429_date": "rate_limit",
    "http_500": SERVER,
    "http_502_html": SERVER,
    "http_503": SERVER,
    "http_529": SERVER,
    "slow": TIMEOUT,
    "trickle": TIMEOUT,
    "hang": TIMEOUT,
    "hang_in_body": TIMEOUT,
    "drop_before_headers": CONNECTION,
    "drop_in_body": CONNECTION,
    "reset": CONNECTION,
    "empty_body": MALFORMED,
    "invalid_json": MALFORMED,
    "truncated_json": MALFORMED,
    "error_in_200": SERVER,
    "empty_choices": MALFORMED,
    "null_message": MALFORMED,
    "null_content": MALFORMED,
}
FATAL = {
    "invalid_key": "authentication",
    "forbidden": "authentication",
    "quota": "quota",
    "model_not_found": "model_not_found",
    "bad_request": "bad_request",
}
WAITS = {"http_429_seconds": 2.0, "http_429_date": 2.0}


@pytest.fixture(params=TRANSPORTS)
def ask(request, provider: StubProvider, library):
    """Return a function that asks the stub once, which then goes wrong in a way, and gives the Reply."""
    kind, model = TRANSPORTS[request.param]

    def asked(way):
        brain = "all-tools:1" if WAYS[way].needs_tool else "echo"
        provider.change(brain=brain, faults=Faults(rate=1.0, ways=(way,), slow=30.0, retry_after=2))
        seconds = SOON if RECOVERABLE.get(way) == TIMEOUT else LATE
        return asyncio.run(once(kind(PlayerOptions(model=model, api_base=provider.url)), model, provider.url, seconds))

    return asked


async def once(transport, model, url, seconds):
    """Return what a model replies to one question."""
    message = {"role": "user", "content": "Hello there"}
    asked = Request(model, (message,), (tool_of(LOOK, NAMES),), endpoint=url)
    async with transport.open():
        raw = await transport.send(asked, seconds)
    return reply_of(raw, NAMES, structured=False, usage=usage_of(raw))


def fault(ask, way):
    """Return the fault that a way ends in."""
    with pytest.raises(Fault) as caught:
        ask(way)
    return caught.value


@pytest.mark.parametrize("way", [way.name for way in WAYS.values() if way.kind == "recoverable"])
def test_what_is_nobodys_reply_is_asked_for_again(ask, way):
    """A failure of the provider or of the way to it is one to be retried, of its own kind."""
    found = fault(ask, way)
    assert (RECOVERABLE[way], Blame.RETRY) == (found.kind, found.blame)
    if way in WAITS:
        assert WAITS[way] - 1 < found.after <= WAITS[way] + 1


@pytest.mark.parametrize("way", [way.name for way in WAYS.values() if way.kind == "fatal"])
def test_what_needs_a_person_stops(ask, way):
    """A failure that no request can get around is one that stops the run."""
    found = fault(ask, way)
    assert (FATAL[way], Blame.FATAL) == (found.kind, found.blame)


@pytest.mark.parametrize("way", [way.name for way in WAYS.values() if way.kind == "context"])
def test_what_is_too_long_is_an_ending(ask, way):
    """A request that does not fit is an overflow, whoever says so."""
    assert ("context_overflow", Blame.OVERFLOW) == (fault(ask, way).kind, fault(ask, way).blame)


@pytest.mark.parametrize("way", [way.name for way in WAYS.values() if way.kind == "harmless"])
def test_unusual_shapes_are_taken(ask, way):
    """A whole reply in an unusual shape is taken as what it is."""
    found = ask(way)
    if WAYS[way].needs_tool:
        assert {('{"q":"Hello","n":0}', "look")} == {(call.arguments, call.name) for call in found.calls}
    else:
        assert found.text.strip("?").startswith("Reply ")
        assert found.text.strip("?").endswith("to: Hello there")
    assert ("missing" == found.usage.raw.get("usage")) == (way in {"usage_null", "keys_missing"})


AGENTS = {
    "refusal": ("I'm sorry, I can't help with that.", "refusal"),
    "content_filter": ("The provider's content filter stopped this answer.", "content_filter"),
    "arguments_not_json": "query = whatever you like",
    "arguments_trailing": '{"q":"Hello","n":0}""',
    "arguments_newlines": '{"q":"Hello\n","n":0}',
    "arguments_double_encoded": '"{\\"q\\":\\"Hello\\",\\"n\\":0}"',
    "arguments_as_strings": '{"q":"Hello","n":"0"}',
}


@pytest.mark.parametrize("way", [way.name for way in WAYS.values() if way.kind == "agent"])
def test_the_models_own_doing_is_its_reply(ask, way):
    """What the model itself did stands: its words as they are, its arguments as raw text."""
    if way == "content_filter_400":
        assert ("content_filter", Blame.AGENT) == (fault(ask, way).kind, fault(ask, way).blame)
        return
    found = ask(way)
    match way:
        case "length":
            assert "length" == found.finish
            assert found.text.startswith("Reply ")
            assert not found.text.endswith("there")
        case "huge":
            assert 5_000_000 < len(found.text)
        case "unknown_tool":
            assert ["no_such_tool"] == [call.name for call in found.calls]
        case "arguments_object":
            assert '{"q":"Hello","n":0}' == found.calls[0].arguments.replace(" ", "")
        case "refusal" | "content_filter":
            assert AGENTS[way] == (found.text, found.finish)
        case _:
            assert [ToolCall("look", AGENTS[way], found.calls[0].id)] == list(found.calls)
