"""The commands ``serve`` and ``tools``, as typed."""

import asyncio
import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from recfw.cli.root import cli
from recfw.testing.project import hear_interrupts
from recfw_orchestration.cli.tools import tools

RECFW = ["-m", "recfw.cli.main", "orchestration"]


def typed(*words):
    """Run a command in this process; return its result."""
    return CliRunner().invoke(cli, ["orchestration", *words])


def test_tools_lists_all_32_with_their_arguments():
    """At 80 columns no line is longer, and no argument is missing."""
    lines = CliRunner().invoke(tools, [], env={"COLUMNS": "80"}).output.splitlines()
    data = json.loads(typed("tools", "--json").output)
    text = "\n".join(lines)
    missing = [tool["name"] for tool in data if tool["name"] not in text]
    assert (max(map(len, lines)) <= 80, missing, lines[-1]) == (True, [], "32 tools of 13 servers.")


def test_tools_tells_an_argument_its_bounds_and_default():
    """A question mark stands behind what may be left out."""
    output = CliRunner().invoke(tools, ["yelp-geo"], env={"COLUMNS": "200"}).output
    found = [line.strip() for line in re.findall(r"(?:radius_km|limit\?).*", output)]
    assert found == ["radius_km: Radius in km, 0.1 to 25", "limit?: Most items to list, 1 to 50 [10]"]


def test_tools_as_json_has_the_schemas():
    """Of arguments and results, and where ids stand."""
    (found,) = [
        tool for tool in json.loads(typed("tools", "web-search", "--json").output) if tool["name"] == "read_page"
    ]
    assert (found["server"], found["input_schema"]["required"], found["item_ids"]) == (
        "web-search",
        ["page_id"],
        ["item_ids[]"],
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("serve", "yelp-go"), "There is no server 'yelp-go'. Did you mean 'yelp-geo'?"),
        (("serve",), "Which server?"),
        (("tools", "everything"), "There is no server 'everything'."),
        (("serve", "yelp-geo", "--data", "/no/such/file"), "/no/such/file"),
        (("serve", "yelp-geo", "--data", "."), ".: is a folder, not a store."),
        (("serve", "yelp-geo", "--host", "0.0.0.0"), "--host is for HTTP. Give --http PORT as well."),
    ],
)
def test_what_is_wrong_is_told_in_words(words, told):
    """A name that is none, or a store that is none."""
    done = subprocess.run([sys.executable, *RECFW, *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode in (2, 4), done.stdout, told in done.stderr, "Traceback" in done.stderr) == (
        True,
        "",
        True,
        False,
    ), done.stderr


def test_a_client_starts_the_command_and_gets_answers_from_the_generated_world():
    """As the configuration in the README has it."""

    async def main():
        words = [*RECFW, "serve", "amazon-catalog", "web-search"]
        server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        async with Client(server) as client:
            found = await client.call_tool("search_products", {"query": "earbuds", "limit": 3})
            return len((await client.list_tools()).tools), found.structured_content

    count, content = asyncio.run(main())
    assert (count, len(content["items"]), content["truncated"]) == (5, 3, True)


def test_the_command_serves_http_and_ends_with_ctrl_c():
    """It says where, and exits with the status of an interrupt."""
    words = [sys.executable, *RECFW, "serve", "yelp-geo", "--http", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, preexec_fn=hear_interrupts, text=True) as process:
        line = process.stderr.readline()
        while line.startswith("Building"):
            line = process.stderr.readline()
        found = re.fullmatch(r"Serving yelp-geo at (http://127\.0\.0\.1:\d+/mcp) \(Ctrl-C ends it\)\.\n", line)

        async def main():
            async with Client(found[1]) as client:
                return len((await client.list_tools()).tools)

        count = asyncio.run(main())
        process.send_signal(2)
        rest = process.stderr.read()
        status = process.wait(10)
    assert (count, status, "Traceback" in rest) == (2, 130, False), rest
