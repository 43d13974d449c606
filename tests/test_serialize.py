"""Between records and JSON: strict both ways, with messages that name the path."""

from enum import StrEnum
from typing import Any, Literal

import pytest
from attrs import Factory, frozen
from hypothesis import given
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.run import Cell, ComponentSpec, Limits, RunSpec
from recfw.model.task import Task
from recfw.model.view import Message, PicturePart, TextPart
from recfw.serialize import canonical, digest, dumps, from_data, loads, parse, plain, to_data


class Color(StrEnum):
    """Two colours."""

    RED = "red"
    BLUE = "blue"


@frozen
class Inner:
    """A record within a record."""

    names: tuple[str, ...] = ()


@frozen
class Record:
    """One field of each kind."""

    n: int
    x: float = 0.0
    yes: bool = True
    text: str = ""
    color: Color = Color.RED
    inner: Inner = Factory(Inner)
    more: dict[str, Inner] = Factory(dict)
    free: dict[str, Any] = Factory(dict)
    maybe: int | None = None
    rows: list[int] = Factory(list)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"n": "3"}, "int @ $.n"),
        ({"n": 1.7}, "int @ $.n"),
        ({"n": True}, "int @ $.n"),
        ({"n": None}, "int @ $.n"),
        ({"n": 1, "x": "1.0"}, "float @ $.x"),
        ({"n": 1, "x": True}, "float @ $.x"),
        ({"n": 1, "yes": "no"}, "bool @ $.yes"),
        ({"n": 1, "yes": 1}, "bool @ $.yes"),
        ({"n": 1, "text": 5}, "str @ $.text"),
        ({"n": 1, "color": "green"}, "$.color"),
        ({"n": 1, "inner": {"names": "abc"}}, "$.inner.names"),
        ({"n": 1, "inner": {"names": ["a", 2]}}, "str @ $.inner.names[1]"),
        ({"n": 1, "more": {"k": {"name": []}}}, "extra fields found (name) @ $.more['k']"),
        ({"n": 1, "more": [1]}, "$.more"),
        ({"n": 1, "free": []}, "$.free"),
        ({"n": 1, "maybe": "1"}, "$.maybe"),
        ({"n": 1, "rows": {"a": 1}}, "$.rows"),
        ({"n": 1, "rows": [1, "2"]}, "int @ $.rows[1]"),
        ({"n": 1, "m": 2}, "extra fields found (m) @ $"),
        ({}, "required field missing @ $.n"),
        ([], "data.json"),
        (None, "data.json"),
    ],
)
def test_nothing_is_coerced(data: Any, words: str) -> None:
    """A value of another type, one field too many or too few is an error of one line that names file and path."""
    with pytest.raises(DataError) as caught:
        from_data(data, Record, "data.json")
    assert words in str(caught.value)
    assert str(caught.value).startswith("data.json: ")
    assert "\n" not in str(caught.value)


def test_a_word_that_is_none_of_those_allowed_is_told_them() -> None:
    """With the path to it."""

    @frozen
    class Chosen:
        form: Literal["bar", "line"]

    with pytest.raises(DataError, match=r"data: one of 'bar', 'line' is expected @ \$\.form$"):
        from_data({"form": "pie"}, Chosen, "data")


def test_a_whole_number_is_a_number() -> None:
    """JSON writes 1.0 as 1 often enough: a float field takes a whole number."""
    assert from_data({"n": 1, "x": 2}, Record).x == 2.0


def test_enums_come_by_value() -> None:
    """A StrEnum is read from its value, although it is a string too."""
    assert from_data({"n": 1, "color": "blue"}, Record).color is Color.BLUE


def test_lists_of_records_name_the_element() -> None:
    """The path goes through lists: the element with the fault is named by its number."""
    task = {"id": "t", "cluster": "c"}
    with pytest.raises(DataError, match=r"tasks.json: required field missing @ \$\[2\].id"):
        from_data([task, task, {"cluster": "c"}], list[Task], "tasks.json")


@pytest.mark.parametrize("text", ["", "{", "nul", '{"a": NaN}', b"\xff", '"\\ud800"'])
def test_what_is_no_json_is_said_so(text: str | bytes) -> None:
    """Text that is no JSON is an error that names where it came from."""
    with pytest.raises(DataError, match=r"^f.json: no valid JSON"):
        parse(text, "f.json")


def test_parts_are_told_by_their_fields() -> None:
    """A message's parts are read back as text or picture."""
    message = Message("agent", (TextPart("a"), PicturePart("h", "alt")), call=0)
    assert loads(dumps(message), Message) == message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
NAME = st.text(st.characters(codec="utf-8"), max_size=8)
OPTIONS = st.dictionaries(NAME, JSON, max_size=3)
COMPONENT = st.builds(ComponentSpec, NAME, OPTIONS)
SPEC = st.builds(
    RunSpec,
    plugin=NAME,
    track=NAME,
    cells=st.lists(st.builds(Cell, NAME, st.dictionaries(NAME, COMPONENT, max_size=2), OPTIONS), max_size=2).map(tuple),
    tasks=st.lists(NAME, max_size=2).map(tuple),
    trials=st.integers(1, 9),
    seed=st.integers(-(2**63), 2**63 - 1),
    limits=st.builds(
        Limits, turns=st.dictionaries(NAME, st.integers(0, 99), max_size=2), call_seconds=st.floats(0, 1e6)
    ),
)


@given(SPEC)
def test_a_run_specification_survives(spec: RunSpec) -> None:
    """What a run was asked comes back equal from its bytes, with the same digest."""
    again = loads(dumps(spec), RunSpec)
    assert (again, digest(again)) == (spec, digest(spec))


@given(OPTIONS)
def test_equal_records_have_equal_bytes(options: dict[str, Any]) -> None:
    """Canonical JSON does not depend on the order in which a mapping was filled."""
    turned = dict(reversed(options.items()))
    assert canonical(ComponentSpec("c", options)) == canonical(ComponentSpec("c", turned))


def test_the_digest_of_a_specification_does_not_change() -> None:
    """A digest stored years ago still names the same specification."""
    spec = RunSpec("p", "t", (Cell("c", {"agent": ComponentSpec("a", {"n": 1})}),), seed=3)
    assert digest(spec) == "2c07c3ea59f007685836ad0a00dd9f3d936793f4b53713a67efa50fb3276c786"


@given(JSON)
def test_plain_leaves_json_values_alone(value: Any) -> None:
    """What is JSON already is taken as it is."""
    assert plain(value) == value


def test_plain_holds_what_json_cannot() -> None:
    """NaN is null, huge numbers and odd objects are text, sets are in order, addresses are left out."""
    odd = {1: float("nan"), "big": 2**70, "set": {"b", "a"}, "tuple": (1, 2), "object": object(), "lone": "a\ud800"}
    assert plain(odd) == {
        "1": None,
        "big": str(2**70),
        "set": ["'a'", "'b'"],
        "tuple": [1, 2],
        "object": "<object object>",
        "lone": "a?",
    }


def test_plain_cuts_what_is_nested_without_end() -> None:
    """A value nested deeper than any reader follows is cut, not an error, even where it holds itself."""
    loop: list[Any] = []
    loop.append(loop)
    deep: Any = 1
    for _ in range(5000):
        deep = {"a": deep}
    assert "nested too deeply" in str(plain(loop))
    assert "nested too deeply" in str(plain(deep))


def test_records_are_plain_data() -> None:
    """A record's data has JSON values only."""
    assert to_data(Record(1, inner=Inner(("a",)), color=Color.BLUE))["color"] == "blue"
