"""Task files: what is written comes back, and each fault is one sentence with file, line and field."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.elicitation.predicates import Op, Predicate, Reveal
from recfw.errors import DataError
from recfw_books.model import BookTask
from recfw_books.taskfile import encode_tasks, parse_tasks, read_tasks, write_tasks


def task(identifier: str = "b001-hidden") -> BookTask:
    """Return a task that uses every kind of field."""
    return BookTask(
        id=identifier,
        family="001",
        condition="hidden",
        tier="simple",
        template="genre_until",
        nvr=False,
        predicates=(
            Predicate("genre", Op.CONTAINS, "War", Reveal.STATED),
            Predicate("year", Op.LE, 1950, Reveal.HIDDEN),
        ),
        accepted_formats=("ebook",),
        history=("wd_Q1", "wd_Q2"),
        persona="You are a baker who answers briefly.",
        panel=True,
        reliability=False,
    )


def test_tasks_come_back(tmp_path: Path) -> None:
    """Reading a written file gives equal tasks."""
    tasks = (task("b001-hidden"), task("b002-hidden"))
    write_tasks(tasks, tmp_path / "tasks.jsonl")
    assert read_tasks(tmp_path / "tasks.jsonl") == tasks


def test_exported_form() -> None:
    """A task is written with exactly the exported keys, in their order, and the operators as signs."""
    row = json.loads(encode_tasks([task()]))
    assert " ".join(row) == (
        "id family condition tier template nvr predicates accepted_formats history persona panel reliability"
    )
    assert row["predicates"] == [
        {"field": "genre", "op": "contains", "value": "War", "reveal": "stated"},
        {"field": "year", "op": "<=", "value": 1950, "reveal": "hidden"},
    ]


def _set(value: Any, *path: str | int) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        for key in path[:-1]:
            row = row[key]
        row[path[-1]] = value

    return change


def _delete(*path: str | int) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        for key in path[:-1]:
            row = row[key]
        del row[path[-1]]

    return change


FAULTS = [
    (_delete("predicates", 1, "value"), "required field missing @ line 3: predicates[1].value"),
    (_delete("nvr"), "required field missing @ line 3: nvr"),
    (_set(1, "extra"), "unknown field @ line 3: extra"),
    (_set(1, "predicates", 0, "weight"), "unknown field @ line 3: predicates[0].weight"),
    (_set("easy", "tier"), "must be one of simple, medium, complex, not 'easy' @ line 3: tier"),
    (_set(["x"], "condition"), "must be one of volunteer, mixed, hidden, not ['x'] @ line 3: condition"),
    (_set(0, "nvr"), "must be true or false, not 0 @ line 3: nvr"),
    (_set(" ", "persona"), "must be a text that is not blank, not ' ' @ line 3: persona"),
    (_set([], "predicates"), "must be a list of one or more predicates, not [] @ line 3: predicates"),
    (_set("War", "predicates", 0), "must be an object, not 'War' @ line 3: predicates[0]"),
    (
        _set("title", "predicates", 0, "field"),
        "must be one of genre, language, country, year, not 'title' @ line 3: predicates[0].field",
    ),
    (_set("==", "predicates", 0, "op"), "must be one of contains, not '==' @ line 3: predicates[0].op"),
    (_set("1950", "predicates", 1, "value"), "must be a whole number, not '1950' @ line 3: predicates[1].value"),
    (_set(True, "predicates", 1, "value"), "must be a whole number, not True @ line 3: predicates[1].value"),
    (_set(7, "predicates", 0, "value"), "must be a text that is not blank, not 7 @ line 3: predicates[0].value"),
    (
        _set("later", "predicates", 1, "reveal"),
        "must be one of stated, on_ask, hidden, not 'later' @ line 3: predicates[1].reveal",
    ),
    (
        _set(["vinyl"], "accepted_formats"),
        "must be one of audiobook, ebook, hardcover, paperback, not 'vinyl' @ line 3: accepted_formats[0]",
    ),
    (_set("wd_Q1", "history"), "must be a list, not 'wd_Q1' @ line 3: history"),
    (_set(["wd_Q1", "wd_Q1"], "history"), "must not name one twice @ line 3: history"),
    (_set("b001-mixed", "id"), "task id 'b001-mixed' already on line 1 @ line 3: id"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_fault_is_named(change: Callable[[Any], None], message: str) -> None:
    """A fault in the third line is refused with file, problem, line and field."""
    before = encode_tasks([task("b001-mixed"), task("b001-volunteer")])
    row = json.loads(encode_tasks([task()]))
    change(row)
    with pytest.raises(DataError) as error:
        parse_tasks(before + json.dumps(row).encode() + b"\n", "tasks.jsonl")
    assert str(error.value) == f"tasks.jsonl: {message}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "tasks.jsonl: holds no tasks."),
        (b"{\n", "tasks.jsonl: not JSON"),
        (b"[]\n", r"tasks.jsonl: must be an object, not \[\] @ line 1$"),
        (b"\xff\n", "tasks.jsonl: not JSON"),
    ],
)
def test_file_that_holds_no_tasks(data: bytes, message: str) -> None:
    """An empty file, and lines that are no JSON objects, are refused."""
    with pytest.raises(DataError, match=message):
        parse_tasks(data, "tasks.jsonl")


def test_missing_file_is_a_data_error(tmp_path: Path) -> None:
    """A file that is not there is one clear sentence that tells the whole path."""
    words = rf"^{re.escape(str(tmp_path))}/tasks.jsonl: cannot be read \(No such file or directory\)\.$"
    with pytest.raises(DataError, match=words):
        read_tasks(tmp_path / "tasks.jsonl")
