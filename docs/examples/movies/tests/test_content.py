"""The content is what its script makes, and its validation finds what is wrong with it."""

import copy
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from recfw_movies.content import read
from recfw_movies.making import write
from recfw_movies.validation import OPS, validate


def test_the_script_writes_the_shipped_content_byte_for_byte(tmp_path: Path) -> None:
    """`python -m recfw_movies.making` rebuilds both files."""
    write(tmp_path)
    shipped = files("recfw_movies") / "data"
    for name in ("catalog.json", "tasks.json"):
        assert (shipped / name).read_bytes() == (tmp_path / name).read_bytes()


def test_the_content_is_sound() -> None:
    """150 films, 48 tasks over all eight operators, six of them without an answer."""
    catalog, tasks = read("catalog.json"), read("tasks.json")
    assert [] == list(validate(catalog, tasks))
    assert (150, 48) == (len(catalog), len(tasks))
    assert set(OPS) == {wish["op"] for task in tasks for wish in task["wishes"]}
    assert 6 == sum(task["bait"] in {"none", "barred"} for task in tasks)


def _bar_all(catalog: dict[str, Any], tasks: list[Any]) -> None:
    for task in tasks[:3]:
        task["viewer"]["history"] = sorted(catalog)


def _young(catalog: dict[str, Any], tasks: list[Any]) -> None:
    for task in tasks[:3]:
        task["viewer"]["age"] = -1


def _answer(catalog: dict[str, Any], tasks: list[Any]) -> None:
    for task in tasks[-3:]:
        task["viewer"] |= {
            "services": sorted({s for film in catalog.values() for s in film["services"]}),
            "history": [],
        }


def _reveal(catalog: dict[str, Any], tasks: list[Any]) -> None:
    tasks[0]["wishes"][1]["reveal"] = "hidden"


def _twice(catalog: dict[str, Any], tasks: list[Any]) -> None:
    tasks[1]["id"] = tasks[0]["id"]


def _variant(catalog: dict[str, Any], tasks: list[Any]) -> None:
    tasks[1]["viewer"]["age"] += 1


def _bait(catalog: dict[str, Any], tasks: list[Any]) -> None:
    for task in tasks[:3]:
        task["viewer"]["history"] = []


def _title(catalog: dict[str, Any], tasks: list[Any]) -> None:
    catalog["film-001"]["title"] = catalog["film-002"]["title"]


def _type(catalog: dict[str, Any], tasks: list[Any]) -> None:
    catalog["film-001"]["runtime"] = "long"


@pytest.mark.parametrize(
    ("rule", "spoil"),
    [
        ("answer", _bar_all),
        ("answer", _young),
        ("no-answer", _answer),
        ("reveal", _reveal),
        ("id", _twice),
        ("variants", _variant),
        ("bait", _bait),
        ("title", _title),
        ("record", _type),
    ],
)
def test_validation_names_what_is_wrong(rule: str, spoil: Callable[[dict[str, Any], list[Any]], None]) -> None:
    """Each rule finds content that breaks it."""
    catalog, tasks = copy.deepcopy(read("catalog.json")), copy.deepcopy(read("tasks.json"))
    spoil(catalog, tasks)
    assert rule in {found for _, found, _ in validate(catalog, tasks)}
