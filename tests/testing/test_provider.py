"""The stub provider: what it says, counts, limits and records, in a loop, a thread or a process of its own."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from recfw.errors import InfrastructureError, RecfwError
from recfw.testing.provider import Answer, Call, ChatRequest, Faults, ProviderProcess, Script, StubProvider
from recfw.testing.provider.instances import smallest
from recfw.testing.provider.protocol import completion, stream

pytest_plugins = ["recfw.testing.provider.fixture"]

USER = {"role": "user", "content": "Find something quiet."}
TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "parameters": {
            "type": "object",
            "properties": {"words": {"type": "string"}, "top": {"type": "integer", "minimum": 1}},
            "required": ["words", "top"],
        },
    },
}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def talk(url: str, body: Any, method: str = "POST", path: str = "/chat/completions", **headers: str) -> tuple[int, Any]:
    """Send one request; return its status and the body, parsed where it is JSON."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=10)
    try:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, address.path + path, data, headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    return answer.status, json.loads(text) if "json" in answer.headers["Content-Type"] else text.decode()


def ask(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a chat request."""
    return {"model": "m", "messages": list(messages) or [USER], **fields}


def message(answer: tuple[int, Any]) -> dict[str, Any]:
    """Return the message of a completion."""
    assert answer[0] == 200, answer
    found: dict[str, Any] = answer[1]["choices"][0]["message"]
    return found


def after(said: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a history holds of a message: itself, and a result for each of its tool calls."""
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "[]"} for call in said.get("tool_calls") or ()]
    return [said, *results]


def test_equal_requests_get_equal_bytes(provider: StubProvider) -> None:
    """The same request gets the same answer, from this stub and from another."""
    first = talk(provider.url, ask())
    with StubProvider() as other:
        assert talk(other.url, ask()) == first == talk(provider.url, ask())


def test_other_words_get_another_answer(provider: StubProvider) -> None:
    """The answer names the newest message of the user and differs with the conversation."""
    first, second = (
        message(talk(provider.url, ask({"role": "user", "content": text})))["content"] for text in ("Hi.", "Ho.")
    )
    assert first.endswith("to: Hi.")
    assert first != second


def test_usage_counts_cached_and_reasoning_tokens(provider: StubProvider) -> None:
    """Reasoning is sent apart and counted; once the model has spoken, half the prompt is cached."""
    first = talk(provider.url, ask(reasoning_effort="low"))
    later = talk(provider.url, ask(USER, {"role": "assistant", "content": "Yes?"}, USER))
    assert message(first)["reasoning_content"].startswith("Thought ")
    assert first[1]["usage"]["completion_tokens_details"]["reasoning_tokens"] == 5
    assert first[1]["usage"]["prompt_tokens_details"]["cached_tokens"] == 0
    usage = later[1]["usage"]
    assert usage["prompt_tokens_details"]["cached_tokens"] == usage["prompt_tokens"] // 2 > 0
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def test_a_json_schema_is_satisfied(provider: StubProvider) -> None:
    """An answer to a request with a JSON schema is an instance of it."""
    schema = {"type": "object", "properties": {"ids": {"type": "array", "minItems": 2}}, "required": ["ids"]}
    wanted = {"type": "json_schema", "json_schema": {"name": "ranking", "schema": schema}}
    said = json.loads(message(talk(provider.url, ask(response_format=wanted)))["content"])
    assert list(said) == ["ids"]
    assert len(said["ids"]) == 2


def test_pictures_are_counted_and_cost_no_text_tokens(provider: StubProvider) -> None:
    """A picture is accepted; its bytes are not counted as text."""
    small, large = ({**PICTURE, "image_url": {"url": "data:image/png;base64," + "A" * size}} for size in (4, 40_000))
    tokens = [talk(provider.url, ask({"role": "user", "content": [part]}))[1]["usage"] for part in (small, large)]
    assert tokens[0]["prompt_tokens"] == tokens[1]["prompt_tokens"]
    assert provider.stats.images == 2


@pytest.mark.parametrize(
    ("brain", "names"),
    [
        ("tool-loop:2", [["look"], ["look"], []]),
        ("each-tool:1", [["look"], ["list"], []]),
        ("all-tools:1", [["look", "list"], []]),
    ],
)
def test_brains_call_tools_and_then_talk(provider: StubProvider, brain: str, names: list[list[str]]) -> None:
    """A brain by name calls the offered tools as often as it says, with ids of their own, and then answers."""
    provider.change(brain=brain)
    tools, history, seen, ids = [TOOL, {**TOOL, "function": {"name": "list"}}], [USER], [], []
    for _ in names:
        said = message(talk(provider.url, ask(*history, tools=tools)))
        seen.append([call["function"]["name"] for call in said.get("tool_calls", ())])
        ids += [call["id"] for call in said.get("tool_calls", ())]
        history += after(said)
    assert seen == names
    assert len(set(ids)) == len(ids)


def test_arguments_satisfy_the_tools_schema(provider: StubProvider) -> None:
    """A call holds the required arguments: the least number, and a word of the user."""
    provider.change(brain="tool-loop:1")
    [call] = message(talk(provider.url, ask(tools=[TOOL])))["tool_calls"]
    arguments = json.loads(call["function"]["arguments"])
    assert arguments["top"] == 1
    assert arguments["words"] in USER["content"]


@pytest.mark.parametrize(
    ("choice", "called"),
    [("none", None), ("auto", None), ("required", "look"), ({"function": {"name": "list"}}, "list")],
)
def test_tool_choice_is_obeyed(provider: StubProvider, choice: Any, called: str | None) -> None:
    """A model that would talk calls the tool that ``tool_choice`` demands."""
    tools = [TOOL, {**TOOL, "function": {"name": "list"}}]
    calls = message(talk(provider.url, ask(tools=tools, tool_choice=choice))).get("tool_calls")
    assert (calls[0]["function"]["name"] if calls else None) == called


def test_scripted_replies_go_by_their_place(provider: StubProvider) -> None:
    """The n-th reply answers a conversation that holds n replies already, whoever else asks in between."""
    provider.change(replies=("One.", Answer("Two.", finish="length"), "Three."))
    history = [USER]
    said = []
    for _ in range(4):
        talk(provider.url, ask({"role": "user", "content": "Somebody else."}))
        said.append(message(talk(provider.url, ask(*history)))["content"])
        history += [{"role": "assistant", "content": said[-1]}, USER]
    assert said == ["One.", "Two.", "Three.", "Three."]


def test_a_scripted_reply_may_go_wrong_first(provider: StubProvider) -> None:
    """A reply with a fault is given when the same request comes again."""
    provider.change(replies=(Answer("Here.", fault="http_503", attempts=2),))
    assert [talk(provider.url, ask())[0] for _ in range(3)] == [503, 503, 200]
    assert provider.stats.faults == {"http_503": 2}


def test_a_function_can_be_the_brain() -> None:
    """A function of the request says what the model says."""

    def brain(request: ChatRequest) -> Answer:
        return Answer(calls=(Call("look", {"words": request.last_text}),), usage={"completion_tokens": 77})

    with StubProvider(brain=brain) as stub:
        answer = talk(stub.url, ask())
    assert json.loads(message(answer)["tool_calls"][0]["function"]["arguments"]) == {"words": USER["content"]}
    assert answer[1]["usage"]["completion_tokens"] == 77


def test_a_brain_that_fails_is_told() -> None:
    """A function that raises is an error of the stub in words, and the next request is answered."""

    def brain(request: ChatRequest) -> str:
        return f"Half is {1 / len(request.tools)}."

    with StubProvider(brain=brain) as stub:
        status, answer = talk(stub.url, ask())
        assert message(talk(stub.url, ask(tools=[TOOL])))["content"] == "Half is 1.0."
    assert (status, answer["error"]["type"]) == (500, "stub_error")
    assert "ZeroDivisionError: division by zero" in answer["error"]["message"]


def test_tokens_are_counted_as_they_were_told(provider: StubProvider) -> None:
    """The stub's counts are the sums of what completions said; errors, and a usage that is null, said nothing."""
    told = [0, 0]
    for way in ("", "http_500", "usage_null", "wrong_content_type", "null_content"):
        provider.change(faults=Faults(1.0, (way,)) if way else Faults())
        status, answer = talk(provider.url, ask())
        usage = (json.loads(answer) if isinstance(answer, str) else answer).get("usage") if status == 200 else None
        told = [told[0] + (usage or {}).get("prompt_tokens", 0), told[1] + (usage or {}).get("completion_tokens", 0)]
    assert told == [provider.stats.prompt_tokens, provider.stats.completion_tokens]
    assert told[0] > 0


def joined(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the message that a stream's events add up to."""
    whole: dict[str, Any] = {"content": "", "calls": {}}
    for event in events:
        for choice in event["choices"]:
            whole["content"] += choice["delta"].get("content") or ""
            whole["finish"] = choice["finish_reason"]
            for call in choice["delta"].get("tool_calls", ()):
                kept = whole["calls"].setdefault(call["index"], {"arguments": ""})
                kept.update({key: call[key] for key in ("id", "type") if key in call})
                kept["arguments"] += call["function"]["arguments"]
    return whole


@pytest.mark.parametrize("brain", ["echo", "all-tools:1"])
def test_a_stream_adds_up_to_the_whole_reply(provider: StubProvider, brain: str) -> None:
    """The events of a stream hold the same text, calls, end and usage as the reply in one piece."""
    provider.change(brain=brain)
    asked = ask(
        tools=[TOOL, {**TOOL, "function": {"name": "list"}}], stream=True, stream_options={"include_usage": True}
    )
    status, text = talk(provider.url, asked)
    lines = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    assert (status, lines[-1]) == (200, "[DONE]")
    events = [json.loads(line) for line in lines[:-1]]
    raw = json.dumps(asked).encode()
    found = provider._brain(ChatRequest(asked, raw))
    assert isinstance(found, Answer)
    wanted = completion(ChatRequest(asked, raw), found)
    whole, said = joined(events), wanted["choices"][0]["message"]
    calls = [(call["id"], call["function"]["arguments"]) for call in said.get("tool_calls", ())]
    assert whole["content"] == (said["content"] or "")
    assert [(call["id"], call["arguments"]) for call in whole["calls"].values()] == calls
    assert events[-1]["usage"] == wanted["usage"]
    assert len(events) > 4


def test_a_stream_without_choices_is_a_stream() -> None:
    """A completion that was robbed of its choices or its message streams as events without them."""
    request = ChatRequest(ask(), b"{}")
    whole = completion(request, Answer("Hello."))
    assert b'"choices":[]' in stream(request, {**whole, "choices": []})[0]
    assert len(stream(request, {**whole, "choices": [{"message": None, "finish_reason": "stop"}]})) == 2


def test_the_key_is_demanded_and_recorded(provider: StubProvider) -> None:
    """Where a key is set, another is refused with 401; recorded requests show what arrived."""
    provider.change(key="sk-planted", record=2)
    assert talk(provider.url, ask(), Authorization="Bearer sk-other")[0] == 401
    for n in range(3):
        assert talk(provider.url, ask(seed=n), Authorization="Bearer sk-planted")[0] == 200
    assert [one.body["seed"] for one in provider.recorded] == [1, 2]
    assert {one.headers["authorization"] for one in provider.recorded} == {"Bearer sk-planted"}


def test_a_model_that_is_not_listed_is_not_found(provider: StubProvider) -> None:
    """Where models are listed, GET /models names them and another is 404."""
    provider.change(models=("small",))
    assert [one["id"] for one in talk(provider.url, b"", "GET", "/models")[1]["data"]] == ["small"]
    status, answer = talk(provider.url, ask())
    assert (status, answer["error"]["code"]) == (404, "model_not_found")


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether a condition comes true within ten seconds."""
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_requests_beyond_the_rate_get_429(provider: StubProvider) -> None:
    """One request passes, the next is told when to come back, and then passes; at a rate of 0 none does."""
    provider.change(requests_per_second=0.9)
    assert [talk(provider.url, ask(seed=n))[0] for n in range(2)] == [200, 429]
    assert eventually(lambda: talk(provider.url, ask())[0] == 200)
    provider.change(requests_per_second=0.0)
    assert {talk(provider.url, ask())[0] for _ in range(3)} == {429}


def test_requests_beyond_the_concurrency_get_429(provider: StubProvider) -> None:
    """While as many requests as allowed are being answered, another gets 429; the peak is counted."""
    provider.change(concurrent=2, replies=(Answer("Late.", delay=60.0), Answer("Later.", delay=60.0)))
    address = urlsplit(provider.url)
    waiting = [HTTPConnection(address.hostname or "", address.port, timeout=10) for _ in range(2)]
    for connection in waiting:
        connection.request("POST", "/v1/chat/completions", json.dumps(ask()))
    assert eventually(lambda: provider.stats.in_flight == 2)
    assert talk(provider.url, ask())[0] == 429
    for connection in waiting:
        connection.close()
    assert eventually(lambda: provider.stats.in_flight == 0)
    assert provider.stats.peak_in_flight == 3


def test_latency_is_waited_for(provider: StubProvider) -> None:
    """An answer takes the latency, and up to the spread more, by the request's hash."""
    provider.change(latency=0.1, spread=0.1)
    begun = time.perf_counter()
    talk(provider.url, ask())
    assert 0.1 <= time.perf_counter() - begun < 5


HISTORIES = {
    "no messages": ({"model": "m", "messages": []}, "empty array"),
    "no model": ({"messages": [USER]}, "model parameter"),
    "a role that is none": (ask({"role": "bot", "content": "x"}), "role"),
    "no content": (ask({"role": "assistant", "content": None}), "content"),
    "a dotted tool name": (ask(tools=[{"type": "function", "function": {"name": "a.b"}}]), "function.name"),
    "a tool twice": (ask(tools=[TOOL, TOOL]), "twice"),
    "a result of no call": (ask(USER, {"role": "tool", "tool_call_id": "c", "content": ""}), "preceding message"),
}


@pytest.mark.parametrize("case", HISTORIES)
def test_what_providers_refuse_is_refused(provider: StubProvider, case: str) -> None:
    """A malformed request is 400 and says why."""
    body, words = HISTORIES[case]
    status, answer = talk(provider.url, body)
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    assert words in answer["error"]["message"]


@pytest.mark.parametrize(
    ("ids", "answered", "words"),
    [
        (["a", "b"], ["a"], "did not have response messages: b"),
        (["a", "a"], ["a"], "string of its own"),
        ([""], [""], "string of its own"),
        (["a"], ["a"], ""),
    ],
)
def test_every_tool_call_must_be_answered(
    provider: StubProvider, ids: list[str], answered: list[str], words: str
) -> None:
    """A history whose calls have ids of their own and each a result passes; another is 400."""
    calls = [{"id": one, "type": "function", "function": {"name": "look", "arguments": "{}"}} for one in ids]
    results = [{"role": "tool", "tool_call_id": one, "content": "[]"} for one in answered]
    status, answer = talk(
        provider.url, ask(USER, {"role": "assistant", "content": None, "tool_calls": calls}, *results)
    )
    assert words in answer.get("error", {}).get("message", "")
    assert status == (400 if words else 200)


def test_a_lenient_stub_takes_what_it_can_read(provider: StubProvider) -> None:
    """With ``strict`` off, a malformed history is answered; what is no JSON never is."""
    provider.change(strict=False)
    assert talk(provider.url, ask({"role": "assistant", "content": None}))[0] == 200
    assert talk(provider.url, b"{")[0] == 400


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"x" * 70_000, 431),
        (b"GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n", 404),
    ],
)
def test_bad_http_is_refused(sent: bytes, status: int) -> None:
    """What is no HTTP that the stub speaks gets a status, and the connection is closed."""

    async def play() -> bytes:
        async with StubProvider() as stub:
            address = urlsplit(stub.url)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            writer.write(sent)
            answer = await reader.read()
            writer.close()
            return answer

    assert asyncio.run(play()).startswith(b"HTTP/1.1 %d " % status)


def test_a_connection_carries_many_requests() -> None:
    """Requests that arrive in pieces, or several at once, are answered one after another on one connection."""

    async def play() -> tuple[list[bytes], int]:
        async with StubProvider() as stub:
            address = urlsplit(stub.url)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            one = b"GET /v1/models HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
            for part in (one[:20], one[20:-1], one[-1:] + one + one):
                writer.write(part)
                await asyncio.sleep(0.01)
            lines = [(await reader.readuntil(b"]}"))[:15] for _ in range(3)]
            connections = stub.stats.connections
            writer.close()
            return lines, connections

    assert asyncio.run(play()) == ([b"HTTP/1.1 200 OK"] * 3, 1)


def test_nothing_is_left_when_it_ends() -> None:
    """When the context ends, requests that hang are dropped and no task remains."""

    async def play() -> tuple[bytes, int]:
        async with StubProvider(Script(faults=Faults(1.0, ("hang",)))) as stub:
            address = urlsplit(stub.url)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            body = json.dumps(ask()).encode()
            writer.write(b"POST /chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            while not stub.stats.in_flight:
                await asyncio.sleep(0.01)
        try:
            answer = await reader.read()
        except ConnectionResetError:
            answer = b""
        writer.close()
        return answer, len(asyncio.all_tasks())

    assert asyncio.run(play()) == (b"", 1)


def test_a_client_that_leaves_is_forgotten(provider: StubProvider) -> None:
    """A request whose client has given up is no longer in flight."""
    provider.change(latency=60.0)
    address = urlsplit(provider.url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=10)
    connection.request("POST", "/v1/chat/completions", json.dumps(ask()))
    assert eventually(lambda: provider.stats.in_flight == 1)
    connection.close()
    assert eventually(lambda: provider.stats.in_flight == 0)
    assert provider.stats.requests == 1


def test_a_process_of_its_own_can_be_changed_and_watched() -> None:
    """The stub in a process prints its URL, takes a script while it runs, and tells what it did."""
    with ProviderProcess("--brain", "tool-loop:1", "--record", "5", "--latency", "0.01") as process:
        assert message(talk(process.url, ask(tools=[TOOL])))["tool_calls"]
        process.change(replies=["Hello."], faults={"rate": 1.0, "ways": ["http_500"], "attempts": 1})
        statuses = [talk(process.url, ask())[0], talk(process.url, ask())[0]]
        stats = process.stats()
        ways = [one["way"] for one in process.recorded()]
    assert statuses == [500, 200]
    assert ways == ["", "http_500", ""]
    assert (stats["requests"], stats["faults"], stats["statuses"]) == (3, {"http_500": 1}, {"200": 2, "500": 1})
    assert 0 < stats["cpu_seconds"] < 2


def test_options_of_the_process_change_its_file(tmp_path: Path) -> None:
    """Options are laid over the script in a file, those of faults one by one."""
    file = tmp_path / "script.json"
    file.write_text('{"replies": ["Filed."], "faults": {"rate": 1.0, "attempts": 1}}')
    with ProviderProcess("--script", str(file), "--ways", "http_503,http_529") as process:
        answers = [talk(process.url, ask(seed=n)) for n in (1, 2, 3, 4, 4)]
    assert {status for status, _ in answers[:4]} == {503, 529}
    assert message(answers[4])["content"] == "Filed."


@pytest.mark.parametrize("document", ['{"latencey": 1}', '{"brain": "clever"}', '{"faults": {"rate": 2}}', "[]", "{"])
def test_a_wrong_script_is_refused(provider: StubProvider, document: str) -> None:
    """A script with an unknown field or a wrong value is 400 and changes nothing."""
    before = provider.script
    assert talk(provider.url.removesuffix("/v1"), document.encode(), path="/script")[0] == 400
    assert provider.script == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ways", "slwo", "--fault-rate", "1"], "'slwo'"),
        (["--brain", "no_such_module:brain"], "no_such_module"),
        (["--fault-rate", "3"], "rate must be between 0 and 1"),
        (["--script", "/nowhere.json"], "/nowhere.json"),
    ],
)
def test_wrong_options_are_told_in_a_line(words: list[str], said: str) -> None:
    """A wrong option of the process is one line with a next step, and status 2."""
    command = [sys.executable, "-m", "recfw.testing.provider", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_process_that_does_not_start_says_why() -> None:
    """A port that is taken is an error in words, for a thread and for a process."""
    with StubProvider() as stub:
        port = urlsplit(stub.url).port or 0
        with (
            pytest.raises(InfrastructureError, match=r"did not start: Error: .*address"),
            ProviderProcess("--port", str(port)),
        ):
            pass
        with pytest.raises(OSError, match="address"), StubProvider(port=port):
            pass


def test_unknown_names_are_refused_where_they_are_given() -> None:
    """A brain or a way that does not exist is refused when the script is made."""
    with pytest.raises(RecfwError, match="No brain 'tool-loop:x'"):
        Script(brain="tool-loop:x")
    with pytest.raises(RecfwError, match="No way to go wrong 'http_418'"):
        Script(replies=(Answer("x", fault="http_418"),))


SCHEMAS: dict[str, tuple[Any, Any]] = {
    "const": ({"const": 7}, 7),
    "enum": ({"enum": ["b", "a"]}, "b"),
    "string": ({"type": "string", "minLength": 3, "maxLength": 3}, "www"),
    "pattern": ({"type": "string", "pattern": "^[0-9]$"}, "0"),
    "number above": ({"type": "number", "exclusiveMinimum": 2}, 3),
    "number below": ({"type": "integer", "maximum": -5}, -5),
    "multiple": ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
    "between": ({"type": "number", "minimum": 0, "maximum": 0.5}, 0),
    "nullable": ({"type": ["integer", "null"]}, 0),
    "either": ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, False),
    "both": ({"allOf": [{"type": "integer"}, {"minimum": 4}]}, 4),
    "distinct": ({"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True}, [0, 1, 2]),
    "nested": ({"properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"], "$defs": {"A": {}}}, {"a": "w"}),
    "extra": ({"type": "object", "minProperties": 1, "additionalProperties": {"type": "integer"}}, {"w0": 0}),
}  # fmt: skip


@pytest.mark.parametrize("case", SCHEMAS)
def test_smallest_instances(case: str) -> None:
    """The smallest instance of a schema is the expected one, and the validator that tools go by agrees."""
    import jsonschema_rs

    schema, expected = SCHEMAS[case]
    assert smallest(schema, "w") == expected
    assert jsonschema_rs.is_valid(schema, smallest(schema, "w"))


def test_a_schema_that_refers_to_itself_ends() -> None:
    """A recursive schema gives an instance as soon as an alternative allows."""
    tree = {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        "required": ["next"],
    }
    found, depth = smallest(tree), 0
    while found:
        found, depth = found["next"], depth + 1
    assert 1 <= depth < 20
