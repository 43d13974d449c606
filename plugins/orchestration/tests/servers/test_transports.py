"""The same servers for outside clients: the official client over stdio and HTTP, and what happens when one is gone."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from mcp import Client, MCPError, StdioServerParameters
from samples import CALLS

from recfw.testing.project import hear_interrupts
from recfw_orchestration.servers.wire import fault_of

SERVE = str(Path(__file__).parent / "serve_small.py")
WRONG = (
    ("read_page", {"page_id": "w1", "x": 1}, 'there is no argument "x"'),
    ("search_products", {"query": "headphones", "limit": "5"}, 'not "5"'),
    ("get_product_details", {"item_ids": '["p1"]'}, "must be a list of 1 to 50 strings"),
    ("get_product_details", {"item_ids": ["'; DROP TABLE item; --"]}, "No product has the id"),
    ("search_venues", {"category": "Park"}, "'city' is required"),
    ("read_page", {"page_id": "broken"}, "failed by a fault of its own"),
    ("no_tool", {}, "has no tool"),
)


def started(*words, **more):
    """Start a server of the small store."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen([sys.executable, SERVE, *words], preexec_fn=hear_interrupts, **pipes)


@contextmanager
def http(name="all"):
    """Give the address of a server over HTTP, and its process."""
    with started(name, "0") as process:
        try:
            line = process.stderr.readline().decode()
            yield re.search(r"http://\S+", line)[0], process
        finally:
            process.kill()


async def exchanged(target):
    """Return what the official client finds at a server: its tools, answers to the samples, to wrong calls, to many."""
    async with Client(target) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        answers = {tool: await client.call_tool(tool, arguments) for tool, arguments in CALLS.items()}
        wrong = [await client.call_tool(tool, arguments) for tool, arguments, _ in WRONG]
        calls = (client.call_tool("search_products", {"query": "headphones"}) for _ in range(200))
        many = await asyncio.gather(*calls)
    return tools, answers, wrong, many


def check(found, answering):
    """Hold what an outside client found against what is answered in process."""
    tools, answers, wrong, many = found
    known = {name: (tool.input_schema, tool.output_schema) for name, tool in answering.tools.items()}
    assert {name: (tool.input_schema, tool.output_schema) for name, tool in tools.items()} == known
    expected = {tool: answering.call(tool, arguments).content for tool, arguments in CALLS.items()}
    assert {tool: result.structured_content for tool, result in answers.items()} == expected
    told = [
        (bool(result.is_error), words in result.content[0].text)
        for result, (*_, words) in zip(wrong, WRONG, strict=True)
    ]
    assert told == [(True, True)] * len(WRONG)
    assert [result.structured_content for result in many] == [expected["search_products"]] * 200


def test_the_official_client_over_stdio_finds_the_same_as_in_process(answering):
    """Schemas, answers, errors, and 200 calls at once; that a server prints something disturbs nobody."""
    found = asyncio.run(exchanged(StdioServerParameters(command=sys.executable, args=[SERVE, "all"])))
    check(found, answering)


def test_the_official_client_over_http_finds_the_same_as_in_process(answering):
    """The same over streamable HTTP."""
    with http() as (url, _):
        found = asyncio.run(exchanged(url))
    check(found, answering)


def test_ten_megabytes_are_a_tool_error_over_stdio_and_http():
    """In few words; the server answers on."""

    async def main(server):
        async with Client(server) as client:
            first = await client.call_tool("search_products", {"query": "x" * 10_000_000}, read_timeout_seconds=20)
            return first, await client.call_tool("search_products", {"query": "headphones"})

    found = [asyncio.run(main(StdioServerParameters(command=sys.executable, args=[SERVE, "amazon-catalog"])))]
    with http("amazon-catalog") as (url, _):
        found.append(asyncio.run(main(url)))
    told = [(bool(first.is_error), len(first.content[0].text) < 500, bool(then.is_error)) for first, then in found]
    assert told == [(True, True, False)] * 2


def test_what_is_larger_than_any_sensible_request_is_refused_over_http():
    """By HTTP's own limit; the server answers on."""

    async def main(url):
        async with Client(url) as client:
            with pytest.raises(MCPError):
                await client.call_tool("search_products", {"query": "x" * 17 * 2**20}, read_timeout_seconds=20)
            return await client.call_tool("search_products", {"query": "headphones"})

    with http("amazon-catalog") as (url, _):
        assert bool(asyncio.run(main(url)).is_error) is False


def test_standard_output_holds_nothing_but_the_protocol():
    """Lines that are no JSON, no request or unfinished are answered or passed over, without a traceback."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "read_page", "arguments": {"page_id": "w1"}}
    sent = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "no json at all",
        "[" * 5000,
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": 7}}),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "no/such"}),
        json.dumps({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": call}),
        '{"jsonrpc": "2.0", "id": 5, "meth',
    ]
    with started("web-search") as process:
        process.stdin.write(("\n".join(sent[:-1]) + "\n").encode())
        process.stdin.flush()
        lines = []
        while not any(line.get("id") == 4 for line in lines):
            lines.append(json.loads(process.stdout.readline()))
        rest, errors = process.communicate(sent[-1].encode(), timeout=20)
    lines += [json.loads(line) for line in rest.splitlines()]
    assert {line["jsonrpc"] for line in lines} == {"2.0"}
    assert [line["id"] for line in lines if "result" in line] == [1, 4]
    refused = [(line["id"], line["error"]["code"]) for line in lines if "error" in line]
    assert sorted(refused, key=str) == [(2, -32602), (3, -32601), (5, -32700), (None, -32700), (None, -32700)]
    assert (process.returncode, b"Traceback" in errors, b"a stray line" in errors) == (0, False, True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": "\\ud800"}}', (7, -32700)),
        (
            b'{"method": "x", "params": {"a": ' + b"[" * 1000 + b"]" * 1000 + b'}, "jsonrpc": "2.0", "id": "q"}',
            ("q", -32700),
        ),
        (b'{"jsonrpc":"2.0","id":8,"method":"x","params":{"a":' + b"9" * 5000 + b"}}", (8, -32700)),
        (b'{"jsonrpc":"2.0","id":9,"method":7}', (9, -32600)),
        (b"[]", (None, -32600)),
        (b"\xff\xfe", (None, -32700)),
    ],
)
def test_a_line_that_cannot_be_read_gets_the_protocols_error(line, expected):
    """With the request's id, where it can be found, so that nobody waits for ever."""
    fault = fault_of(line)
    assert (fault["id"], fault["error"]["code"]) == expected


def test_a_server_ends_when_its_standard_input_does():
    """At once, with status 0 and without a word."""
    with started("yelp-geo") as process:
        rest, errors = process.communicate(timeout=20)
    assert (process.returncode, rest, errors) == (0, b"", b"")


CLIENT = """
import asyncio, sys
from mcp import Client, StdioServerParameters
async def main():
    server = StdioServerParameters(command=sys.executable, args=[sys.argv[1], "all"])
    async with Client(server) as client:
        await client.list_tools()
        print("ready", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


def children(pid):
    """Return the processes that a process has started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_server_does_not_outlive_a_client_that_is_killed():
    """Nobody closes anything in order; the pipe's end is enough."""
    words = [sys.executable, "-c", CLIENT, SERVE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=hear_interrupts) as client:
        assert client.stdout.readline() == b"ready\n"
        (server,) = children(client.pid)
        client.send_signal(signal.SIGKILL)
        client.wait()
    deadline = time.monotonic() + 10
    while alive(server) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(server)


def alive(pid):
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stdio_server_ends_on_a_signal(number):
    """Though a thread waits for the client's next line; without a traceback."""
    with started("yelp-geo") as process:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        process.stdin.write(ask.encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        process.wait(10)
        errors = process.stderr.read()
    assert (process.returncode, errors) == (-number, b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_http_server_ends_promptly_on_a_signal(number):
    """Even while a client is connected; without a traceback."""

    async def main(url, process):
        async with Client(url) as client:
            await client.list_tools()
            started = time.monotonic()
            process.send_signal(number)
            await asyncio.to_thread(process.wait, 10)
            return time.monotonic() - started

    with http("yelp-geo") as (url, process):
        taken = asyncio.run(main(url, process))
        errors = process.stderr.read()
    assert (taken < 5, b"Traceback" in errors) == (True, False)


def test_a_port_in_use_is_an_error_in_words():
    """It says what to do."""
    from recfw.errors import UsageError
    from recfw_orchestration.servers.serving import _listening

    with _listening("127.0.0.1", 0) as taken, pytest.raises(UsageError) as caught:
        _listening("127.0.0.1", taken.getsockname()[1])
    assert str(caught.value).endswith("is in use. Name another port or --host; --http 0 takes a free one.")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_that_was_started_is_left():
    """Every server of these tests has ended."""
    assert children(os.getpid()) == []
