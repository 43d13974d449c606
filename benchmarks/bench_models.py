"""
What a model in a role costs beside the bare clients, and how many calls a second a run keeps up, against the stub.

Every run drives `recfw run` on its usual path with traces stored, and is replayed; the stub is a process of its own on
the same two cores, so its CPU is stated.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time

from recfw.testing.provider import ProviderProcess

STEPS = 6
"""Model calls of an episode: five with a tool call, one of words."""
BRAIN = f"tool-loop:{STEPS - 1}"
CALLS = 600
"""Calls of each bare client."""

BARE = {
    "aiohttp": """
import aiohttp
async def open_client():
    return aiohttp.ClientSession()
async def ask(client):
    async with client.post(url + "/chat/completions", json=body, headers={"Authorization": "Bearer k"}) as answer:
        return await answer.json()
""",
    "httpx": """
import httpx
async def open_client():
    return httpx.AsyncClient()
async def ask(client):
    return (await client.post(url + "/chat/completions", json=body, headers={"Authorization": "Bearer k"})).json()
""",
    "openai": """
import openai
async def open_client():
    return openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0)
async def ask(client):
    return await client.chat.completions.create(**body)
""",
    "litellm": """
import os
os.environ.update(LITELLM_OFFLINE_MODE="true", LITELLM_LOCAL_MODEL_COST_MAP="True", LITELLM_MODE="PRODUCTION")
import litellm
litellm.suppress_debug_info = True
async def open_client():
    return None
async def ask(client):
    return await litellm.acompletion(**{**body, "model": "openai/m"}, api_base=url, api_key="k", max_retries=0)
""",
}
"""Each bare client as people use it; ``url`` and ``body`` are given."""

LOOP = """
import asyncio, json, sys, time
url, body, calls, lanes = json.loads(sys.argv[1])
{client}
async def lane(client, left):
    while left:
        left.pop()
        await ask(client)
async def main():
    client = await open_client()
    await asyncio.gather(*(lane(client, [0] * 2) for _ in range(lanes)))  # connections, and whatever loads late
    cpu, wall = time.process_time(), time.monotonic()
    left = [0] * calls
    await asyncio.gather(*(lane(client, left) for _ in range(lanes)))
    print(json.dumps([time.process_time() - cpu, time.monotonic() - wall]))
asyncio.run(main())
"""


def models(bench):
    """CPU per call of bare clients and of a run's agents; share of the ideal at two latencies; memory."""
    bench.disabled = "books"
    cpu_per_call(bench)
    throughput(bench)
    memory(bench)


def cpu_per_call(bench):
    """CPU per model call, in ms: each bare client, and each component in a run with traces stored."""
    bare = {}
    with ProviderProcess("--brain", BRAIN) as stub:
        body = {"model": "m", "messages": conversation(), "tools": [TOOL]}
        for name, client in BARE.items():
            given = json.dumps([stub.url, body, CALLS, 8])
            program = LOOP.format(client=client)
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", program, given], capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"bare {name}: {done.stderr}")
            bare[name] = 1000 * json.loads(done.stdout.splitlines()[-1])[0] / CALLS
            bench.row(
                f"CPU per call, bare {name}", bare[name], "ms", None, f"{bare[name] / bare['aiohttp']:.1f} x aiohttp"
            )
    for agent, model, peer in (("endpoint", "m", "aiohttp"), ("litellm", "openai/m", "litellm")):
        with ProviderProcess("--brain", BRAIN) as stub:
            used = bench.run(*words(agent, model, stub.url), "--trials", "4", "--concurrency", "8")
            calls = stub.stats()["requests"] - 1
        spent = 1000 * used["cpu"] / calls
        words_ = f"{spent / bare[peer]:.2f} x bare {peer}, {spent - bare[peer]:.2f} ms more"
        bench.row(f"CPU per model call, recfw agent {agent}, traces stored", spent, "ms", None, words_)


def throughput(bench):
    """Share of the ideal number of calls a second, and the stub's own CPU."""
    for latency, lanes, workers, agent, trials, target, steady in (
        (1.0, 64, 0, "litellm", 8, (">=", 0.95), False),
        (1.0, 64, 0, "endpoint", 8, (">=", 0.95), False),
        (0.2, 50, 2, "litellm", 20, (">=", 0.80), True),
        (0.2, 50, 2, "endpoint", 20, (">=", 0.80), True),
        (0.2, 50, 0, "endpoint", 20, None, True),
        (0.2, 50, 0, "litellm", 8, None, True),
    ):
        model = "openai/m" if agent == "litellm" else "m"
        with ProviderProcess("--brain", BRAIN, "--latency", str(latency)) as stub:
            size = ("--workers", str(workers), "--trials", str(trials), "--concurrency", str(lanes))
            began = time.monotonic()
            used = bench.run(*words(agent, model, stub.url), *size)
            wall = time.monotonic() - began - used["replay"]
            stats = stub.stats()
        rate, kept = pace(bench.folder / "runs.db", lanes)
        share = rate * latency / lanes if steady else (trials * TASKS * STEPS / lanes * latency) / used["wall"]
        each = 1000 * stats["cpu_seconds"] / stats["requests"]
        told = f"{rate:.0f} calls/s of {lanes / latency:.0f}; stub {each:.2f} ms a call"
        told += f", {100 * stats['cpu_seconds'] / wall:.0f} % of a core; {kept} trials"
        named = f"share of the ideal, {agent}, {lanes} x {latency:g} s, {workers or 'no'} workers"
        bench.row(named + (", steady state" if steady else ", the whole run"), share, "", target, told)


def memory(bench):
    """Peak memory of the run's process over 1,000 and 5,000 trials."""
    peak = {}
    for trials in (16, 79):
        with ProviderProcess("--brain", BRAIN) as stub:
            peak[trials] = bench.run(*words("endpoint", "m", stub.url), "--trials", str(trials), "--concurrency", "16")[
                "peak"
            ]
        bench.row(f"peak RSS of a run of {trials * TASKS:,} trials with a model", peak[trials], "MB", None)
    bench.row("growth of peak RSS from 1,024 to 5,056 trials", peak[79] - peak[16], "MB", ("<=", 10))


TASKS = 64
TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Facts about an item of the catalog.",
        "parameters": {
            "type": "object",
            "properties": {"item": {"type": "string"}},
            "required": ["item"],
            "additionalProperties": False,
        },
    },
}


def conversation():
    """Return messages of the size that an episode has in its middle."""
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": '{"item":"a"}'}}
    return [
        {"role": "system", "content": "You recommend items. " * 20},
        {"role": "user", "content": "I want an item that is good for the winter, and not heavy."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "call_1",
            "content": "A fact about the item, as long as such facts are. " * 12,
        },
    ]


def words(agent, model, url):
    """Return the words of a run of the track of six steps."""
    os.environ["OPENAI_API_KEY"] = "k"
    settings = (f"agent.model={model}", f"agent.api_base={url}", "agent.timeout=60")
    return ("--track", "bench-steps", "--agent", agent, *(word for s in settings for word in ("--set", s)))


def pace(store, lanes):
    """
    Return the calls a second while every lane was busy, and how many trials were played.

    From when as many trials have ended as there are lanes (all lanes have begun their second) until no trial is left to
    begin: before and after, lanes are idle.
    """
    with sqlite3.connect(store) as database:
        found = database.execute("SELECT started, started + seconds FROM trial ORDER BY started").fetchall()
    ends = sorted(end for _, end in found)
    first, last = ends[lanes - 1], found[-1][0]
    finished = sum(first < end <= last for end in ends)
    return finished * STEPS / (last - first), len(found)
