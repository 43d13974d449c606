"""Arguments are taken to the letter, and an error says what is wrong and what fits."""

import pytest
from mcp.server.mcpserver.exceptions import ToolError
from small import SmallData

from recfw_orchestration.servers import SERVERS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": "a", "colour": 1}, 'there is no argument "colour"'),
        ({"query": "a", "limits": 1}, "did you mean 'limit'?"),
        ({"limit": 3}, "'query' is required (a string of 1 to 300 characters)"),
        ({"query": "a", "limit": "5"}, "'limit' must be a whole number from 1 to 50, not \"5\""),
        ({"query": "a", "limit": True}, "'limit' must be a whole number from 1 to 50, not true"),
        ({"query": "a", "limit": 2.5}, "not 2.5"),
        ({"query": "a", "limit": 0}, "not 0"),
        ({"query": "a", "limit": 51}, "not 51"),
        ({"query": "a", "limit": 10**30}, "not readable as JSON"),
        ({"query": "a", "limit": None}, "not null"),
        ({"query": "a", "category": None}, "'category' must be a string of 1 to 100 characters, not null"),
        ({"query": ""}, "'query' must be a string of 1 to 300 characters, not \"\""),
        ({"query": ["a"]}, "not a list of 1"),
        ({"query": {"text": "a"}}, "not an object"),
        ({"query": 7}, "not 7"),
        ({"query": "a", "min_price": -1}, "'min_price' must be a number from 0 to"),
        ({"query": "a", "min_price": float("nan")}, "'min_price' must be a number"),
        ({"query": "\ud800"}, "not readable as JSON"),
        ({"query": "a", "min_price": 5, "max_price": 4}, "min_price (5) is above max_price (4)"),
    ],
)
def test_what_does_not_fit_is_named(answering, arguments, words):
    """Each fault of a search is told with its place, its value and what would fit."""
    outcome = answering.call("search_products", arguments)
    assert (outcome.is_error, outcome.content, words in outcome.text) == (True, None, True), outcome.text


@pytest.mark.parametrize(
    ("item_ids", "words"),
    [
        ([], "'item_ids' must be a list of 1 to 50 strings, not a list of 0"),
        (["p1"] * 51, "not a list of 51"),
        ('["p1"]', 'not "[\\"p1\\"]"'),
        ([1], "'item_ids[0]' must be a string of 1 to 64 characters, not 1"),
        (["p1", ""], "'item_ids[1]' must be"),
    ],
)
def test_lists_of_ids_are_checked_one_by_one(answering, item_ids, words):
    """A list in a string is no list, and every id is a string."""
    outcome = answering("get_product_details", item_ids=item_ids)
    assert (outcome.is_error, words in outcome.text) == (True, True), outcome.text


def test_an_error_lists_the_arguments(answering):
    """So the next call can be right."""
    outcome = answering("check_open")
    assert outcome.text == (
        "The arguments of check_open do not fit: 'item_ids' is required (a list of 1 to 50 strings); 'local_time' is"
        " required (a local time as YYYY-MM-DDTHH:MM). Arguments: item_ids, local_time."
    )


def test_many_faults_are_told_in_part(answering):
    """Three are named, the others counted."""
    outcome = answering.call("search_products", {f"x{n}": 1 for n in range(9)})
    assert "; and 7 more. Arguments:" in outcome.text


def test_a_whole_number_may_be_written_with_a_point(answering):
    """JSON Schema takes 1.0 as an integer."""
    assert answering.ids("search_products", query="headphones", limit=1.0) == ["p1"]


def test_a_wrong_word_of_a_few_is_answered_with_all(answering):
    """Enumerations are told whole."""
    outcome = answering("get_product_reviews", item_id="p1", sort="best")
    assert "'sort' must be one of recent, helpful, critical, not \"best\"" in outcome.text


@pytest.mark.parametrize("tool", ["search_product", "amazon.search_products", "", "x" * 10_000, None, 3])
def test_an_unknown_tool_is_an_error_in_words(answering, tool):
    """It names the tool, cut to a readable length."""
    outcome = answering.call(tool, {})
    assert (outcome.is_error, outcome.text.startswith("There is no tool"), len(outcome.text) < 1500) == (
        True,
        True,
        True,
    )


@pytest.mark.parametrize("arguments", [None, [], "{}", 3, True])
def test_arguments_that_are_no_object_are_an_error(answering, arguments):
    """Whatever else JSON can hold."""
    outcome = answering.call("read_page", arguments)
    assert (outcome.is_error, "must be one JSON object" in outcome.text) == (True, True)


@pytest.mark.parametrize("value", ["\ud800", 10**400, {1: 2}])
def test_a_server_refuses_by_itself_what_is_no_json(value):
    """Also where no desk stands before it."""
    (tool, _) = SERVERS["web-search"].build(SmallData()).strict_tools[::-1]
    with pytest.raises(ToolError, match="not readable as JSON"):
        tool.check({"page_id": value})
