"""The stub provider's faults: what a client gets in each way, and which requests are drawn."""

import json
import subprocess
import sys
import time
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import field, frozen

from recfw.errors import RecfwError
from recfw.testing.provider import WAYS, Faults, StubProvider, Way
from recfw.testing.provider.faults import KINDS, ways_of
from recfw.testing.provider.protocol import ChatRequest

pytest_plugins = ["recfw.testing.provider.fixture"]

LOOK = {
    "type": "function",
    "function": {
        "name": "look",
        "parameters": {
            "properties": {"words": {"type": "string"}, "top": {"type": "integer"}},
            "required": ["words", "top"],
        },
    },
}


@frozen
class Got:
    """What a client got: a status, headers, the body's bytes, or how it failed."""

    status: int = 0
    headers: dict[str, str] = field(factory=dict)
    text: bytes = b""
    failed: str = ""
    seconds: float = 0.0

    @property
    def body(self) -> dict[str, Any]:
        """The parsed body."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def message(self) -> dict[str, Any]:
        """The message of a completion."""
        found: dict[str, Any] = self.body["choices"][0]["message"]
        return found

    @property
    def arguments(self) -> Any:
        """The arguments of the first call, as they came."""
        return self.message["tool_calls"][0]["function"]["arguments"]


def ask(stub: StubProvider, *, tools: bool = False, deadline: float = 0.5, **fields: Any) -> Got:
    """Send one request and read the answer, as long as no read takes longer than the deadline."""
    address = urlsplit(stub.url)
    body = {"model": "m", "messages": [{"role": "user", "content": "Something quiet"}], **fields}
    connection = HTTPConnection(address.hostname or "", address.port, timeout=deadline)
    begun = time.perf_counter()
    try:
        connection.request("POST", "/v1/chat/completions", json.dumps(body | ({"tools": [LOOK]} if tools else {})))
        answer = connection.getresponse()
        text = answer.read()
    except (OSError, HTTPException) as error:
        return Got(failed=type(error).__name__, seconds=time.perf_counter() - begun)
    finally:
        connection.close()
    return Got(answer.status, dict(answer.headers), text, seconds=time.perf_counter() - begun)


def broken(stub: StubProvider, way: str, **fields: Any) -> Got:
    """Let every request go wrong in one way; send one."""
    stub.change(faults=Faults(1.0, (way,), slow=1.2, retry_after=3))
    return ask(stub, tools=WAYS[way].needs_tool, **fields)


STATUSES = {
    "http_429": 429, "http_429_seconds": 429, "http_429_date": 429, "http_500": 500, "http_502_html": 502,
    "http_503": 503, "http_529": 529, "error_in_200": 200, "content_filter_400": 400, "context_length_exceeded": 400,
    "context_length_llama": 400, "invalid_key": 401, "forbidden": 403, "quota": 429, "model_not_found": 404,
    "bad_request": 400,
}  # fmt: skip
FAILURES = {
    "slow": "TimeoutError", "hang": "TimeoutError", "hang_in_body": "TimeoutError", "trickle": "",
    "drop_before_headers": "RemoteDisconnected", "drop_in_body": "IncompleteRead", "reset": "ConnectionResetError",
}  # fmt: skip


@pytest.mark.parametrize("way", STATUSES)
def test_ways_that_are_statuses(provider: StubProvider, way: str) -> None:
    """An error has its status and, but for a gateway's page, a JSON body with an error in it."""
    got = broken(provider, way)
    assert got.status == STATUSES[way]
    if way == "http_502_html":
        assert got.text.startswith(b"<html>")
    else:
        assert got.body["error"]["message"]


def test_ways_to_say_when_to_come_back(provider: StubProvider) -> None:
    """Retry-After is left out, in seconds, or a date not earlier than that."""
    found = [
        broken(provider, way).headers.get("Retry-After") for way in ("http_429", "http_429_seconds", "http_429_date")
    ]
    assert found[:2] == [None, "3"]
    assert 3 <= parsedate_to_datetime(str(found[2])).timestamp() - time.time() < 5


def test_codes_that_clients_tell_errors_by(provider: StubProvider) -> None:
    """Errors that share a status differ by their code or type."""
    codes = {way: broken(provider, way).body["error"]["code"] for way in ("http_429", "quota", "content_filter_400")}
    assert codes == {
        "http_429": "rate_limit_exceeded",
        "quota": "insufficient_quota",
        "content_filter_400": "content_filter",
    }
    assert broken(provider, "context_length_exceeded").body["error"]["code"] == "context_length_exceeded"
    assert broken(provider, "context_length_llama").body["error"]["type"] == "exceed_context_size_error"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("way", FAILURES)
def test_ways_of_the_wire(provider: StubProvider, way: str, stream: bool) -> None:
    """A client with a deadline for each read fails as expected; bytes that trickle in never trip it."""
    got = broken(provider, way, stream=stream)
    assert got.failed == FAILURES[way]
    if way == "trickle":
        assert got.seconds > 1
        assert b"Reply" in got.text


@pytest.mark.parametrize("way", ["empty_body", "invalid_json", "truncated_json"])
def test_bodies_that_are_no_json(provider: StubProvider, way: str) -> None:
    """A body that is empty, wrong or cut has status 200 and cannot be parsed."""
    got = broken(provider, way)
    assert (got.status, got.headers["Content-Type"]) == (200, "application/json")
    with pytest.raises(json.JSONDecodeError):
        _ = got.body


@pytest.mark.parametrize("way", ["empty_body", "invalid_json", "truncated_json"])
def test_streams_that_are_cut(provider: StubProvider, way: str) -> None:
    """A stream that is empty or cut has no last event; an event that is no JSON comes first."""
    got = broken(provider, way, stream=True)
    assert got.status == 200
    assert (b"[DONE]" in got.text) == (way == "invalid_json")
    assert (b'"choices": [}' in got.text) == (way == "invalid_json")


def test_completions_that_say_nothing(provider: StubProvider) -> None:
    """A completion may lack its choices, its message, or anything in the message."""
    assert broken(provider, "empty_choices").body["choices"] == []
    assert broken(provider, "null_message").message is None
    assert broken(provider, "null_content").message == {"role": "assistant", "content": None, "refusal": None}
    assert broken(provider, "refusal").message["refusal"]


def test_replies_that_are_cut_short(provider: StubProvider) -> None:
    """Half a text, half a call, or a filter's silence come with their finish_reason."""
    whole = ask(provider).message["content"]
    half = broken(provider, "length")
    assert half.message["content"] == whole[: len(whole) // 2]
    assert half.body["choices"][0]["finish_reason"] == "length"
    provider.change(brain="tool-loop:1")
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken_call(provider, "length").arguments)
    filtered = broken(provider, "content_filter")
    assert (filtered.message["content"], filtered.body["choices"][0]["finish_reason"]) == ("", "content_filter")


def broken_call(stub: StubProvider, way: str) -> Got:
    """Send a request with a tool that goes wrong in one way."""
    stub.change(faults=Faults(1.0, (way,)))
    return ask(stub, tools=True)


def test_replies_in_an_unusual_shape(provider: StubProvider) -> None:
    """Each harmless way leaves the text as it was, or within what is sent."""
    whole = ask(provider).message["content"]
    found = {way.name: broken(provider, way.name) for way in WAYS.values() if way.kind == "harmless"}
    texts = {name: got.message["content"] for name, got in found.items() if not WAYS[name].needs_tool}
    assert texts.pop("surrogates") == f"\ud83d{whole}\udc4d"
    assert texts.pop("reasoning_leaked").endswith(f"</think>\n\n{whole}")
    assert set(texts.values()) == {whole}
    assert found["wrong_content_type"].headers["Content-Type"] == "text/plain"
    assert found["usage_null"].body["usage"] is None
    assert list(found["keys_missing"].body) == ["choices"]
    assert "x_new" in found["extra_fields"].message


def test_tool_call_ids_that_are_off(provider: StubProvider) -> None:
    """Ids are empty, shared, left out, or numbers."""
    names = ("tool_ids_empty", "tool_ids_missing", "tool_ids_integer")
    assert [broken(provider, way).message["tool_calls"][0].get("id") for way in names] == ["", None, 7]
    shared = [call["id"] for call in broken(provider, "tool_ids_duplicate").message["tool_calls"]]
    assert len(shared) == 2
    assert len(set(shared)) == 1


def test_tool_arguments_that_are_off(provider: StubProvider) -> None:
    """Arguments are off in the way that is named, and hold the same words underneath."""
    provider.change(brain="tool-loop:1")
    whole = json.loads(ask(provider, tools=True).arguments)
    text = json.dumps(whole, separators=(",", ":"))
    assert broken(provider, "arguments_trailing").arguments == f'{text}""'
    assert broken(provider, "arguments_object").arguments == whole
    assert json.loads(broken(provider, "arguments_double_encoded").arguments) == text
    assert json.loads(broken(provider, "arguments_as_strings").arguments) == {"words": whole["words"], "top": "0"}
    raw = broken(provider, "arguments_newlines").arguments
    assert json.loads(raw, strict=False) == {"words": f"{whole['words']}\n", "top": 0}
    for way in ("arguments_not_json", "arguments_newlines"):
        with pytest.raises(json.JSONDecodeError):
            json.loads(broken(provider, way).arguments)
    unknown = broken(provider, "unknown_tool").message["tool_calls"][0]["function"]
    assert (unknown["name"], json.loads(unknown["arguments"])) == ("no_such_tool", whole)


def test_a_huge_reply_is_huge(provider: StubProvider) -> None:
    """A huge reply has five megabytes."""
    assert len(broken(provider, "huge", deadline=10).message["content"]) > 5_000_000


def test_every_way_is_tried_here() -> None:
    """The tests of this module name every way, and every way has a kind and a sentence."""
    tried = {*STATUSES, *FAILURES, *(way.name for way in WAYS.values() if way.kind == "harmless" or way.needs_tool)}
    tried |= {"empty_body", "invalid_json", "truncated_json", "empty_choices", "null_message", "null_content"}
    tried |= {"refusal", "length", "content_filter", "huge"}
    assert tried == set(WAYS)
    assert {way.kind for way in WAYS.values()} == set(KINDS)
    assert [way.name for way in WAYS.values() if not way.sentence.endswith(".")] == []


@pytest.mark.parametrize("way", [way for way in WAYS.values() if way.kind == "recoverable"], ids=lambda way: way.name)
def test_a_retry_recovers(provider: StubProvider, way: Way) -> None:
    """Where only the first attempt may go wrong, the second gets the whole reply, whatever the first met."""
    whole = ask(provider).text
    provider.change(faults=Faults(1.0, (way.name,), attempts=1, slow=0.2))
    ask(provider, deadline=0.1)
    assert ask(provider, deadline=5).text == whole


def requests(count: int, *, tools: bool = True) -> list[ChatRequest]:
    """Return requests that differ."""
    offered = {"tools": [LOOK]} if tools else {}
    return [ChatRequest({"messages": [], **offered}, str(n).encode()) for n in range(count)]


def test_the_draw_keeps_the_rate_and_is_even() -> None:
    """Of 20,000 requests 5 % go wrong, each way about as often."""
    drawn = [way.name for one in requests(20_000) if (way := Faults(0.05).draw(one))]
    assert 900 < len(drawn) < 1100
    counts = [drawn.count(name) for name in WAYS]
    assert min(counts) > 5
    assert max(counts) < 40


def test_the_draw_depends_on_seed_request_and_attempt_alone() -> None:
    """The same seed, request and attempt go wrong alike; another seed or attempt is another draw."""

    def draws(seed: int, attempt: int) -> list[Way | None]:
        found = []
        for one in requests(200):
            one.attempt = attempt
            found.append(Faults(0.5, seed=seed).draw(one))
        return found

    assert draws(1, 0) == draws(1, 0)
    assert draws(1, 0) != draws(2, 0)
    assert draws(1, 0) != draws(1, 1)


def test_the_draw_is_equal_on_every_machine() -> None:
    """The first draws are these, so that stored figures of runs with faults stay."""
    assert [way.name if way else "" for way in map(Faults(0.5, seed=3).draw, requests(6))] == [
        "tool_ids_duplicate",
        "truncated_json",
        "",
        "",
        "",
        "empty_body",
    ]


def test_ways_that_need_a_tool_are_not_drawn_without_one() -> None:
    """Where no tool is offered, the draw is among the other ways; where none is left, nothing goes wrong."""
    drawn = [Faults(1.0).draw(one) for one in requests(500, tools=False)]
    assert all(way is not None and not way.needs_tool for way in drawn)
    assert [Faults(1.0, ("unknown_tool",)).draw(one) for one in requests(3, tools=False)] == [None] * 3


def test_kinds_name_their_ways() -> None:
    """A kind stands for all of its ways, beside ways by name, in the table's order."""
    names = [way.name for way in ways_of(["reset", "context"])]
    assert names == ["reset", "context_length_exceeded", "context_length_llama"]
    assert len(ways_of([])) == len(WAYS)
    with pytest.raises(RecfwError, match="'nonsense'"):
        ways_of(["nonsense"])


def test_the_ways_can_be_listed() -> None:
    """``--list`` prints every way under its kind."""
    command = [sys.executable, "-m", "recfw.testing.provider", "--list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    shown = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert sorted(shown) == sorted(WAYS)
