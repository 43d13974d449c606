"""
What a tool call costs: python benchmarks/bench_orchestration_servers.py.

A strict server of the orchestration track beside a bare one of the official SDK that answers the same ten items from
memory: in process, over stdio and over HTTP; and what a search costs over the generated world. CPU is this process's
(in process: client and server together), wall is what a caller waits, calls one after another.
"""

import asyncio
import re
import statistics
import subprocess
import sys
import time

from mcp import Client, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from typing_extensions import TypedDict

from recfw_orchestration.data.records import Product
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.clients import open_servers
from recfw_orchestration.servers.results import ProductDetails
from recfw_orchestration.servers.serving import serve_http, serve_stdio

ITEMS, ROUNDS, CALLS = 10, 7, 60
IDS = [f"B00{n:07d}" for n in range(ITEMS)]
ARGUMENTS = {"item_ids": IDS}
TOOL = "get_product_details"
MOST_CPU, MOST_TIMES, MOST_COLD = 2.0, 1.2, 0.5
"""What issue 6 demands: ms of CPU a call, times the bare SDK, seconds of work to open all servers."""


class TenItems:
    """A store of ten products, in memory."""

    def __init__(self):
        words = "A product whose description is as long as such descriptions are, in two sentences. This is the second."
        self._items = {
            item_id: Product(
                item_id,
                f"Product {item_id}",
                "Orla",
                "Headphones",
                ("Electronics", "Headphones"),
                49.5,
                words,
                ("light", "folds"),
                {"Colour": "black", "Weight": "210 g"},
                (),
            )
            for item_id in IDS
        }

    domains = ("electronics",)

    def count(self, table, domain):
        return ITEMS

    def item(self, domain, item_id):
        return self._items.get(item_id)


class Answer(TypedDict):
    """The same result as the strict server's, in the types that the SDK makes a schema of."""

    items: list[ProductDetails]
    total: int
    truncated: bool


def strict():
    """Return the server of the track."""
    return SERVERS["amazon-catalog"].build(TenItems())


def bare():
    """Return a server as the SDK's documentation has it, with the same answer ready."""
    ready = asyncio.run(strict().call_tool(TOOL, ARGUMENTS)).structured_content
    server = MCPServer("bare", log_level="ERROR")

    @server.tool()
    async def get_product_details(item_ids: list[str]) -> Answer:
        """Give the items."""
        return ready

    return server


async def rounds(*clients):
    """Return, for each client, CPU and wall ms a call: medians over rounds in which they take turns."""
    cpu, wall = [[] for _ in clients], [[] for _ in clients]
    for client in clients:
        await several(client, 10)
    for _ in range(ROUNDS):
        for place, client in enumerate(clients):
            before, started = time.process_time(), time.perf_counter()
            await several(client, CALLS)
            cpu[place].append((time.process_time() - before) / CALLS * 1000)
            wall[place].append((time.perf_counter() - started) / CALLS * 1000)
    return [(statistics.median(one), statistics.median(two)) for one, two in zip(cpu, wall, strict=True)]


async def several(client, calls):
    """Call one after another; every answer must hold the ten items."""
    for _ in range(calls):
        result = await client.call_tool(TOOL, ARGUMENTS)
        assert len(result.structured_content["items"]) == ITEMS, result


async def in_process(bare_server):
    """Return (CPU, wall) of the strict and of the bare server in process."""
    async with Client(strict()) as ours, Client(bare_server) as theirs:
        return await rounds(ours, theirs)


async def over_stdio():
    """Return (CPU, wall) over stdio; CPU is the client's alone."""
    ours, theirs = (StdioServerParameters(command=sys.executable, args=[__file__, kind]) for kind in ("strict", "bare"))
    async with Client(ours) as one, Client(theirs) as other:
        return await rounds(one, other)


async def over_http():
    """Return (CPU, wall) over HTTP; CPU is the client's alone."""
    started = [
        subprocess.Popen([sys.executable, __file__, kind, "http"], stderr=subprocess.PIPE)
        for kind in ("strict", "bare")
    ]
    try:
        ours, theirs = (re.search(rb"http://\S+", process.stderr.readline())[0].decode() for process in started)
        async with Client(ours) as one, Client(theirs) as other:
            return await rounds(one, other)
    finally:
        for process in started:
            process.kill()
            process.wait()


async def at_the_desk():
    """Return ms of CPU a call, as runs make them: through the desk."""
    async with open_servers(TenItems(), ["amazon-catalog"]) as desk:
        found = []
        for _ in range(ROUNDS):
            before = time.process_time()
            for _ in range(CALLS):
                assert len((await desk.call(TOOL, ARGUMENTS, 60)).content["items"]) == ITEMS
            found.append((time.process_time() - before) / CALLS * 1000)
        return statistics.median(found)


async def cold():
    """Return the seconds of CPU in which all servers open in process."""
    started = time.process_time()
    async with open_servers(TenItems()) as desk:
        assert len(desk.tools()) == 32
        return time.process_time() - started


async def at_once(calls=1000):
    """Return calls a second, a thousand at once through the desk."""
    async with open_servers(TenItems(), ["amazon-catalog"]) as desk:
        started = time.perf_counter()
        outcomes = await asyncio.gather(*(desk.call(TOOL, ARGUMENTS, 60) for _ in range(calls)))
        assert not any(outcome.is_error for outcome in outcomes)
        return calls / (time.perf_counter() - started)


def servers(bench):
    """Print and keep the figures."""
    bench.row("13 servers open in process, CPU", min(asyncio.run(cold()) for _ in range(3)), "s", ("<=", MOST_COLD))
    (cpu, wall), (bare_cpu, bare_wall) = asyncio.run(in_process(bare()))
    bench.row("call of 10 items in process, CPU", cpu, "ms", ("<=", MOST_CPU), f"bare SDK {bare_cpu:.3f}")
    desk = asyncio.run(at_the_desk())
    bench.row("call of 10 items through the run's desk, CPU", desk, "ms", ("<=", MOST_CPU), f"bare SDK {bare_cpu:.3f}")
    bench.row("call of 10 items in process / bare SDK, CPU", cpu / bare_cpu, "times", ("<=", MOST_TIMES))
    bench.row("call of 10 items in process, wall", wall, "ms", None, f"bare SDK {bare_wall:.3f}")
    for name, measure in (("stdio", over_stdio), ("HTTP", over_http)):
        (_, wall), (_, bare_wall) = asyncio.run(measure())
        bench.row(f"call of 10 items over {name}, wall", wall, "ms", None, f"bare SDK {bare_wall:.3f}")
    bench.row("1,000 calls at once in process", asyncio.run(at_once()), "per s", None)


def main():
    """Serve, as this script's own child does, or measure."""
    if len(sys.argv) == 1:
        from run import Bench

        servers(Bench(None))
        return
    server = strict() if sys.argv[1] == "strict" else bare()
    if sys.argv[2:]:
        serve_http(server, "127.0.0.1", 0)  # both by the same means: what it adds is a port that it finds itself
    elif sys.argv[1] == "strict":
        serve_stdio(server)
    else:
        server.run()


if __name__ == "__main__":
    main()
