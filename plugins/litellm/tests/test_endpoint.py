"""The transport that speaks to an endpoint itself."""

import asyncio
import time

import orjson
import pytest

from recfw.testing.provider import Faults, Script, StubProvider
from recfw_litellm.options import ModelOptions
from recfw_litellm.transports import endpoint
from recfw_litellm.transports.endpoint import Endpoint
from recfw_litellm.wire import Blame, Fault, Request

HELLO = ({"role": "user", "content": "Hello"},)


def send(url, seconds=10.0, request=None, **options):
    """Return what the endpoint answers to one request."""

    async def sent():
        transport = Endpoint(ModelOptions(model="x", api_base=url, **options))
        async with transport.open():
            return await transport.send(request or Request("x", HELLO), seconds)

    return asyncio.run(sent())


@pytest.fixture
def recording(provider: StubProvider):
    """The stub, keeping what it was sent."""
    provider.change(record=10)
    return provider


def test_the_request_is_sent_as_it_is(recording):
    """Model, messages, tools, format and every parameter stand in the body."""
    tool = {"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}
    asked = Request("x", HELLO, (tool,), {"type": "json_object"}, {"seed": 3, "top_k": 5}, recording.url)
    send(recording.url, request=asked)
    assert orjson.loads(orjson.dumps(asked.body())) == recording.recorded[0].body


def test_the_key_comes_from_the_environment(recording, monkeypatch):
    """The usual variable, or the one that is named; none is sent where there is none."""
    send(recording.url)
    monkeypatch.setenv("OPENAI_API_KEY", "usual")
    send(recording.url)
    monkeypatch.setenv("OTHER_API_KEY", " named \n")
    send(recording.url, api_key_env="OTHER_API_KEY")
    assert [None, "Bearer usual", "Bearer named"] == [r.headers.get("authorization") for r in recording.recorded]


def test_a_named_key_that_is_missing_is_said():
    """A variable that was named and is not set is an error before anything is sent."""
    with pytest.raises(Fault, match="NOT_THERE") as caught:
        send("http://127.0.0.1:1/v1", api_key_env="NOT_THERE")
    assert ("authentication", Blame.FATAL) == (caught.value.kind, caught.value.blame)


def test_a_slash_at_the_end_of_the_address_is_no_matter(provider):
    """An address may end with a slash."""
    assert send(f"{provider.url}/")["choices"]


def test_a_proxy_of_the_environment_is_not_used(provider, monkeypatch):
    """Nothing is sent anywhere but to the endpoint."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert send(provider.url)["choices"]


def answering(head: bytes, body: bytes = b""):
    """Return what a server that answers anything with these bytes gives, and how many connections it got."""

    async def served():
        count = 0

        async def serve(reader, writer):
            nonlocal count
            count += 1
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            for start in range(0, len(body), 1 << 20):
                writer.write(body[start : start + (1 << 20)])
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        transport = Endpoint(ModelOptions(model="x", api_base=f"http://127.0.0.1:{port}/v1"))
        async with server, transport.open():
            try:
                return await transport.send(Request("x", HELLO), 20.0), count
            except Fault as fault:
                return fault, count

    return asyncio.run(served())


def test_a_redirect_is_not_followed():
    """An endpoint that sends elsewhere is refused: a key would go along."""
    found, connections = answering(b"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    assert ("bad_request", Blame.REQUEST, 1) == (found.kind, found.blame, connections)


def test_an_endless_answer_is_given_up(monkeypatch):
    """An answer beyond the bound is none, and is not kept in memory."""
    monkeypatch.setattr(endpoint, "MOST_BYTES", 3_000_000)
    found, _ = answering(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 8_000_000)
    assert ("malformed", Blame.RETRY) == (found.kind, found.blame)


def test_nonsense_instead_of_http():
    """A server that speaks something else has not answered."""
    found, _ = answering(b"SSH-2.0-Open\r\n\r\n")
    assert Blame.RETRY is found.blame


def test_json_nested_beyond_reading_is_malformed():
    """Brackets without end are no answer, and no crash."""
    found, _ = answering(b"HTTP/1.1 200 OK\r\n\r\n", b"[" * 100_000)
    assert ("malformed", Blame.RETRY) == (found.kind, found.blame)


def test_the_deadline_holds(provider):
    """A hanging endpoint is given up when its time is over."""
    provider.change(faults=Faults(rate=1.0, ways=("hang",)))
    started = time.monotonic()
    with pytest.raises(Fault, match=r"0\.3 s"):
        send(provider.url, 0.3)
    assert time.monotonic() - started < 2


def test_many_at_a_time(provider):
    """No pool of connections holds requests back: the limit is the gate's."""
    provider.script = Script(latency=0.5)

    async def sent():
        transport = Endpoint(ModelOptions(model="x", api_base=provider.url))
        async with transport.open():
            await asyncio.gather(*(transport.send(Request("x", HELLO), 20.0) for _ in range(150)))

    asyncio.run(sent())
    assert 150 == provider.stats.peak_in_flight


def test_a_closed_transport_sends_nothing():
    """A transport that is not open says so."""
    transport = Endpoint(ModelOptions(model="x", api_base="http://127.0.0.1:1/v1"))
    with pytest.raises(Fault, match="not open"):
        asyncio.run(transport.send(Request("x", HELLO), 1.0))


def test_an_endpoint_has_no_prices():
    """No price is made up."""
    assert Endpoint(ModelOptions(model="gpt-4o", api_base="x")).price("gpt-4o", {"usage": {"prompt_tokens": 1}}) is None
