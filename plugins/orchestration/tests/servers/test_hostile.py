"""Whatever a model could send is answered: an error or a result, never an exception, never a hang, nothing leaked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CALLS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
TOOLS = st.sampled_from(sorted(CALLS))
HOSTILE = (
    "' OR 1=1 --",
    "'; DROP TABLE item; --",
    '" OR ""="',
    "%' UNION SELECT * FROM sqlite_master --",
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "file:///etc/passwd",
    "/dev/zero",
    "$(id)",
    "`id`",
    "{{7*7}}",
    "\x00",
    "\u202e\ufeff",
    "*" * 200,
    "a AND NEAR(",
    "(" * 100,
)
LEAKS = ("Traceback", 'File "', "sqlite", "recfw_orchestration", "/work", "root:", "uid=", "pydantic", "Errno")


def is_answer(outcome):
    """Tell whether an outcome is one: words, and data exactly where it is no error."""
    return bool(outcome.text) and (outcome.content is None) == outcome.is_error


@given(TOOLS | st.text(max_size=30), JSON)
def test_any_json_is_answered(answering, tool, arguments):
    """Arguments of any kind, for known and unknown tools."""
    assert is_answer(answering.call(tool, arguments))


@given(st.data())
def test_right_names_with_any_values_are_answered(answering, data):
    """Values of any kind under the names that the tool knows, and others."""
    tool = data.draw(TOOLS)
    names = st.sampled_from([*answering.tools[tool].input_schema["properties"], "extra"])
    arguments = {**CALLS[tool], **data.draw(st.dictionaries(names, JSON, max_size=4))}
    assert is_answer(answering.call(tool, arguments))


@given(st.data())
def test_values_of_the_right_kind_are_answered(answering, data):
    """Strings, numbers and lists drawn for their places, within bounds and beyond."""
    tool = data.draw(TOOLS)
    drawn = {
        "string": st.text(max_size=80) | st.sampled_from(["p1", "b1", "v1", "u1", "Park", "Cafes", "Tarn"]),
        "integer": st.integers(-1, 60) | st.integers(),
        "number": st.floats(-200, 200) | st.floats(),
        "array": st.lists(st.text(max_size=70) | st.sampled_from(["p1", "b1", "v1"]), max_size=52),
    }
    schema = answering.tools[tool].input_schema["properties"]
    arguments = {
        name: data.draw(st.sampled_from(one["enum"]) if "enum" in one else drawn[one["type"]])
        for name, one in schema.items()
        if data.draw(st.booleans())
    }
    assert is_answer(answering.call(tool, arguments))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_injected_strings_are_words_like_any_other(answering, hostile):
    """In every string of every tool: an answer, and nothing of the machine in it."""
    for tool, arguments in CALLS.items():
        for name, one in answering.tools[tool].input_schema["properties"].items():
            if one["type"] in ("string", "array"):
                value = hostile if one["type"] == "string" else [hostile]
                outcome = answering.call(tool, {**arguments, name: value})
                shown = outcome.text.replace(hostile, "")
                assert (is_answer(outcome), [leak for leak in LEAKS if leak in shown]) == (True, [])


@pytest.mark.parametrize("tool", ["search_products", "check_open", "read_page", "get_venue_details"])
def test_ten_megabytes_are_answered_in_a_few_words(answering, tool):
    """No error repeats them."""
    huge = "x" * 10_000_000
    for arguments in ({**CALLS[tool], next(iter(CALLS[tool])): huge}, {**CALLS[tool], huge: 1}):
        outcome = answering.call(tool, arguments)
        assert (outcome.is_error, len(outcome.text) < 1000) == (True, True)


def test_deeply_nested_arguments_are_refused(answering):
    """Ten thousand levels."""
    nested = []
    for _ in range(10_000):
        nested = [nested]
    outcome = answering.call("web_search", {"query": nested})
    assert (outcome.is_error, "not readable as JSON" in outcome.text) == (True, True)


def test_the_desk_still_answers_after_all_that(answering):
    """Nothing that was sent has harmed it."""
    assert answering.ids("search_products", query="headphones") == ["p1", "p2"]
