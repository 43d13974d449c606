"""Which servers and tools there are, and how they describe themselves."""

import asyncio
import re

import pytest

from recfw_orchestration.servers import SERVERS, tools_of
from recfw_orchestration.servers.listing import list_tools


@pytest.fixture(scope="module")
def listed():
    """Give all tools, listed without a store."""
    return asyncio.run(list_tools())


def objects(schema):
    """Yield every object schema within a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


def test_there_are_13_servers_with_32_tools_of_different_names(listed):
    """The paper's numbers; a tool's name is found on one server only."""
    assert (len({tool.server for tool in listed}), len(listed), len({tool.name for tool in listed})) == (13, 32, 32)


def test_the_table_names_the_tools_that_the_servers_have(listed):
    """The table is read without the SDK, so it must agree with the servers."""
    found = {name: tuple(tool.name for tool in listed if tool.server == name) for name in SERVERS}
    assert found == {name: spec.tools for name, spec in SERVERS.items()}


def test_names_are_taken_by_every_provider(listed):
    """Some providers refuse dots and colons."""
    assert [tool.name for tool in listed if not re.fullmatch(r"[a-z][a-z_]{2,40}", tool.name)] == []


def test_every_object_of_every_schema_is_closed(listed):
    """Arguments and results alike: additionalProperties is false everywhere."""
    schemas = [schema for tool in listed for schema in (tool.input_schema, tool.output_schema)]
    assert [
        found for schema in schemas for found in objects(schema) if found["additionalProperties"] is not False
    ] == []


def test_schemas_hold_no_reference_and_no_null_for_an_argument(listed):
    """What is left out is left out; and some providers take no references."""
    text = [str(tool.input_schema) for tool in listed]
    assert [words for words in text if "$ref" in words or "null" in words or "anyOf" in words] == []


def test_every_argument_says_what_it_is(listed):
    """A caller reads its meaning and unit."""
    bare = [
        name for tool in listed for name, one in tool.input_schema["properties"].items() if "description" not in one
    ]
    assert bare == []


def test_limit_is_1_to_50_and_10_by_default(listed):
    """The convention of all lists."""
    limits = [tool.input_schema["properties"].get("limit", {}) for tool in listed]
    found = {(one["minimum"], one["maximum"], one["default"]) for one in limits if one}
    assert found == {(1, 50, 10)}


def test_every_result_says_where_it_names_items(listed):
    """So the candidate bus finds them by schema."""
    assert {tool.ids for tool in listed} == {("items[].item_id",), ("items[].item_ids[]",), ("item_ids[]",)}


def test_tools_say_that_they_only_read():
    """Clients ask no leave for what changes nothing and reaches nobody outside."""
    found = asyncio.run(SERVERS["yelp-geo"].build(None).list_tools())
    hints = {(one.annotations.read_only_hint, one.annotations.idempotent_hint) for one in found}
    assert (hints, {one.annotations.open_world_hint for one in found}) == ({(True, True)}, {False})


@pytest.mark.parametrize(("domain", "expected"), [("electronics", 13), ("local", 15), ("places", 8)])
def test_a_domain_offers_its_own_tools_and_web_search(domain, expected):
    """What a task of the domain may call."""
    tools = tools_of(domain)
    assert (len(tools), tools[-2:]) == (expected, ("web_search", "read_page"))
