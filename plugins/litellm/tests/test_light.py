"""What is loaded, printed and sent, seen from fresh processes."""

import json
import subprocess
import sys

HEAVY = ("litellm", "openai", "httpx", "aiohttp", "tiktoken", "tokenizers", "boto3", "huggingface_hub")

SEE = """
import json, sys
from recfw.cli.main import invoke
heavy, *commands = json.loads(sys.argv[1])
found = [[words, invoke(words), [name for name in heavy if name in sys.modules]] for words in commands]
print(json.dumps(found), file=sys.stderr)
"""

ALONE = """
import asyncio, json, socket, sys
asked, url = [], sys.argv[1]
resolve, connect = socket.getaddrinfo, socket.socket.connect
def getaddrinfo(host, *words, **more):
    asked.append(str(host))
    return resolve(host, *words, **more)
def connected(self, address):
    asked.append(str(address[0]) if isinstance(address, tuple) else str(address))
    return connect(self, address)
socket.getaddrinfo, socket.socket.connect = getaddrinfo, connected
from recfw.protocols import Context
from recfw.model.view import Message, View
from recfw_litellm.options import PlayerOptions
from recfw_litellm.participants import LiteLLMModel
async def played():
    made = LiteLLMModel(PlayerOptions(model="openai/gpt-4o", api_base=url, retries=0, timeout=60))
    async with made.open():
        await made.check()
        player = made.episode(Context("agent", "t", 1))
        reply = await player.reply(View("agent", (Message.say("user", "Hello"),)))
        await asyncio.sleep(0.3)
        return reply
loop = asyncio.new_event_loop()
sock_connect = loop.sock_connect
async def noted(sock, address):
    asked.append(str(address[0]))
    return await sock_connect(sock, address)
loop.sock_connect = noted
reply = loop.run_until_complete(played())
import os
print(json.dumps([reply.text, sorted(set(asked)), os.environ.get("PLANTED_BY_DOTENV"), reply.usage.cost]))
"""


def fresh(tmp_path, script, *words):
    """Return what a fresh process prints that runs a script in an empty folder."""
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    assert 0 == done.returncode, done.stderr
    return done


def test_runs_without_a_model_load_no_client(tmp_path):
    """Neither help, nor lists, nor a run without a model import litellm or a client library."""
    commands = [
        ["--help"],
        ["plugins", "list"],
        ["plugins", "info", "litellm"],
        ["run", "--plugin", "books", "--agent", "popularity", "--tasks", "b001-hidden"],
    ]
    done = fresh(tmp_path, SEE, json.dumps([HEAVY, *commands]))
    assert [[words, 0, []] for words in commands] == json.loads(done.stderr.strip().splitlines()[-1])


def test_litellm_is_quiet_and_asks_nobody_else(tmp_path, provider):
    """From import to close, nothing is printed, no .env is read, and nobody is connected to but the endpoint."""
    (tmp_path / ".env").write_text("PLANTED_BY_DOTENV=1\n")
    done = fresh(tmp_path, ALONE, provider.url)
    text, asked, planted, cost = json.loads(done.stdout)
    assert text.endswith("to: Hello")
    assert cost > 0
    assert ({"127.0.0.1"}, None, "") == (set(asked), planted, done.stderr)
    assert 2 == provider.stats.requests


def test_litellm_prints_nothing_when_a_request_fails(tmp_path, provider):
    """A failure is told once, by recfw: litellm's own advertisement and traces are not printed."""
    provider.change(models=("another",))
    words = [
        "run",
        "--plugin",
        "books",
        "--agent",
        "litellm",
        "--tasks",
        "b001-hidden",
        "--set",
        "agent.model=openai/x",
    ]
    words += ["--set", f"agent.api_base={provider.url}"]
    script = "import sys; from recfw.cli.main import main; sys.argv = ['recfw', *sys.argv[1:]]; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    assert 6 == done.returncode
    assert "" == done.stdout
    assert ["Error: agent 'litellm': There is no model 'openai/x'"] == [
        line.partition(" at ")[0] for line in done.stderr.splitlines()
    ]
