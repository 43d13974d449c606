"""What the tools answer."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.model.reply import ToolResult
from recfw_books.catalog.records import BookCatalog
from recfw_books.search.impact import ImpactRetriever
from recfw_books.search.structured import StructuredSearch
from recfw_books.tools import KEYWORD, SPECS, STRUCTURED, KeywordTool, StructuredTool, Tools, indexed

HISTORY = ("wd_Q3",)
ONE = {
    "id": "wd_Q1",
    "title": "Title 1",
    "authors": ["Ann Bo"],
    "year": 2000,
    "genres": ["Horror"],
    "language": "English",
    "country": "France",
}


@pytest.fixture(scope="module")
def structured(few: BookCatalog) -> Tools:
    """Return the tools of the structured interface over six books."""
    return Tools(few, StructuredTool(StructuredSearch(few)))


@pytest.fixture(scope="module")
def keyword(few: BookCatalog) -> Tools:
    """Return the tools of the keyword interface over six books."""
    retriever = ImpactRetriever()
    retriever.build(indexed(few))
    return Tools(few, KeywordTool(few, retriever))


def test_a_structured_search_answers_a_page_of_items(structured: Tools) -> None:
    """Totals and items hold no popularity and no formats."""
    found = structured.answer("search_books", {"year_max": 2000, "genre": "horror", "country": None, "page": 1.0}, ())
    assert {name: found.content[name] for name in ("total", "page", "pages")} == {"total": 5, "page": 1, "pages": 1}
    assert found.content["items"][-1] == ONE


def test_a_keyword_search_answers_items_alone(keyword: Tools) -> None:
    """The best matches come without scores or a total."""
    found = keyword.answer("search_books", {"query": "title 1"}, ())
    assert list(found.content) == ["items"]
    assert found.content["items"][0] == ONE


def test_the_year_is_not_indexed_for_keywords(keyword: Tools) -> None:
    """A year of publication finds nothing."""
    assert keyword.answer("search_books", {"query": "1950"}, ()).content == {"items": []}


def test_a_range_the_wrong_way_round_is_answered_in_words(structured: Tools) -> None:
    """The error names both bounds."""
    expected = ToolResult("year_min 2001 is later than year_max 1999.", error=True)
    assert structured.answer("search_books", {"year_min": 2001, "year_max": 1999}, ()) == expected


def test_an_unknown_label_is_answered_with_the_vocabulary(structured: Tools) -> None:
    """The words begin like a sentence and list the valid values."""
    found = structured.answer("search_books", {"language": "Klingon"}, ())
    expected = "There is no language 'Klingon' in this catalog. Valid values: British English, English."
    assert (found.error, found.content) == (True, expected)


def test_metadata_of_one_book_is_its_item(structured: Tools) -> None:
    """One id gives one item, an unknown one words."""
    assert structured.answer("get_metadata", {"item_id": "wd_Q1"}, ()).content == ONE
    missing = structured.answer("get_metadata", {"item_id": "wd_Q99"}, ())
    assert (missing.error, missing.content.split(".")[0]) == (True, "There is no book with the id 'wd_Q99'")


def test_metadata_of_several_books_names_the_unknown_ids(structured: Tools) -> None:
    """Known ones come as items in the order asked, each once."""
    found = structured.answer("get_metadata", {"item_ids": ["wd_Q2", "x", "wd_Q1", "wd_Q2"]}, ()).content
    assert ([one["id"] for one in found["items"]], found["unknown"]) == (["wd_Q2", "wd_Q1"], ["x"])


@pytest.mark.parametrize("arguments", [{}, {"item_id": "wd_Q1", "item_ids": ["wd_Q1"]}, {"item_id": None}])
def test_metadata_needs_one_way_of_naming_books(structured: Tools, arguments: dict[str, Any]) -> None:
    """Neither or both is answered in words."""
    assert structured.answer("get_metadata", arguments, ()) == ToolResult(
        "Give either item_id or item_ids.", error=True
    )


def test_formats_and_history_are_looked_up(structured: Tools) -> None:
    """Formats come by id, the history is the episode's."""
    assert structured.answer("check_formats", {"item_id": "wd_Q4"}, ()).content == {
        "id": "wd_Q4",
        "formats": ["paperback"],
    }
    assert structured.answer("check_formats", {"item_id": "?"}, ()).error
    read = structured.answer("get_reading_history", {}, HISTORY).content["items"]
    assert [one["id"] for one in read] == ["wd_Q3"]


@pytest.mark.parametrize(
    ("arguments", "expected"), [({}, None), ({"item_id": None}, None), ({"item_id": "wd_Q1"}, "wd_Q1")]
)
def test_recommend_takes_a_book_or_none(structured: Tools, arguments: dict[str, Any], expected: str | None) -> None:
    """No id and null both abstain."""
    assert structured.answer("recommend", arguments, ()) == ToolResult({"recommended": expected})


def test_recommending_an_unknown_book_is_an_error_that_the_agent_can_act_on(structured: Tools) -> None:
    """It does not count as a recommendation."""
    assert structured.answer("recommend", {"item_id": "The Shining"}, ()).error


def test_items_are_new_objects_each_time(structured: Tools) -> None:
    """What one agent does to an answer does not reach another."""
    structured.answer("get_metadata", {"item_id": "wd_Q1"}, ()).content["genres"].append("Poetry")
    assert structured.answer("get_metadata", {"item_id": "wd_Q1"}, ()).content == ONE


@pytest.mark.parametrize("interface", list(SPECS))
def test_schemas_are_valid_and_closed(interface: str) -> None:
    """Each schema is JSON Schema, refuses further arguments, and uses nothing at its top that providers refuse."""
    for spec in SPECS[interface]:
        jsonschema_rs.meta.validate(spec.parameters)
        assert not jsonschema_rs.is_valid(spec.parameters, {"surprise": 1})
        assert set(spec.parameters) == {"type", "properties", "required", "additionalProperties"}
    assert len({spec.name for spec in SPECS[interface]}) == 5


def test_the_descriptions_of_the_keyword_tool_name_no_field() -> None:
    """The keyword interface does not list the catalog's fields; the structured one does."""
    words = f"{KEYWORD.description} {KEYWORD.parameters}".lower()
    assert not any(name in words for name in ("genre", "language", "country", "year", "format"))
    assert set(STRUCTURED.parameters["properties"]) >= {
        "genre",
        "language",
        "country",
        "year_min",
        "year_max",
        "formats",
    }


def _value(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    every = {
        "string": st.one_of(st.text(), st.sampled_from(["English", "horror", "wd_Q1", "ebook"])),
        "integer": st.one_of(st.integers(), st.just(1.0), st.just(1e300)),
        "array": st.lists(st.sampled_from(["ebook", "x", "wd_Q1"]), max_size=4),
        "null": st.none(),
    }
    return st.one_of([every[kind] for kind in kinds])


@given(st.data(), st.sampled_from(list(SPECS)))
@settings(max_examples=200)
def test_any_valid_arguments_are_answered(
    structured: Tools, keyword: Tools, data: st.DataObject, interface: str
) -> None:
    """Whatever passes the schema gets an answer, never an exception."""
    spec = data.draw(st.sampled_from(SPECS[interface]))
    optional = {name: _value(schema) for name, schema in spec.parameters["properties"].items()}
    required = {name: optional.pop(name) for name in spec.parameters["required"]}
    arguments = data.draw(st.fixed_dictionaries(required, optional=optional))
    if jsonschema_rs.is_valid(spec.parameters, arguments):
        tools = structured if interface == "structured" else keyword
        answer = tools.answer(spec.name, arguments, HISTORY)
        assert isinstance(answer.text(), str)


def test_an_unknown_tool_is_answered_in_words(structured: Tools) -> None:
    """The words list the tools there are."""
    assert structured.answer("fly", {}, ()).content.startswith("There is no tool 'fly'. Use one of: search_books,")
