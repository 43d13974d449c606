"""Task files: book tasks as JSON lines in the exported form, written in a fixed order of keys and read strictly."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import orjson

from recfw.elicitation.predicates import Op, Predicate, Reveal
from recfw.errors import DataError
from recfw_books.model import FORMATS, BookTask

TASKS_FILE = "tasks.jsonl"
CONDITIONS = ("volunteer", "mixed", "hidden")

_TIERS = ("simple", "medium", "complex")
_OPS = {"genre": ("contains",), "language": ("==",), "country": ("==",), "year": (">=", "<=")}


def encode_tasks(tasks: Iterable[BookTask]) -> bytes:
    """Return tasks as JSON lines: UTF-8, the keys in the exported order, a newline after each."""
    return b"".join(orjson.dumps(_as_row(task), option=orjson.OPT_APPEND_NEWLINE) for task in tasks)


def write_tasks(tasks: Iterable[BookTask], path: Path) -> None:
    """Write tasks as JSON lines; equal tasks give equal bytes."""
    path.write_bytes(encode_tasks(tasks))


def _as_row(task: BookTask) -> dict[str, Any]:
    return {
        "id": task.id,
        "family": task.family,
        "condition": task.condition,
        "tier": task.tier,
        "template": task.template,
        "nvr": task.nvr,
        "predicates": [
            {"field": p.field, "op": p.op.value, "value": p.value, "reveal": p.reveal.value} for p in task.predicates
        ],
        "accepted_formats": task.accepted_formats,
        "history": task.history,
        "persona": task.persona,
        "panel": task.panel,
        "reliability": task.reliability,
    }


def read_tasks(path: Path) -> tuple[BookTask, ...]:
    """
    Read a task file.

    Raises:
        DataError: The file cannot be read, or as in `parse_tasks`.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from error
    return parse_tasks(data, path.name)


def parse_tasks(data: bytes, name: str) -> tuple[BookTask, ...]:
    """
    Return the tasks of JSON lines.

    Args:
        data: The lines.
        name: The file's name, for errors.

    Raises:
        DataError: A line is no JSON object, lacks a field or has one too many, holds a value of another kind, or
            repeats an id; or there is no line. The message names file, line and field, as in
            ``tasks.jsonl: required field missing @ line 3: predicates[1].value``.
    """
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if not lines:
        raise DataError(f"{name}: holds no tasks.", "Write one with 'recfw books generate --seed N --out DIR'.")
    seen: dict[str, int] = {}
    tasks = []
    for number, line in enumerate(lines, 1):
        task = _parse_line(line, name, number)
        if task.id in seen:
            raise DataError(f"{name}: task id {task.id!r} already on line {seen[task.id]} @ line {number}: id")
        seen[task.id] = number
        tasks.append(task)
    return tuple(tasks)


def _parse_line(line: bytes, name: str, number: int) -> BookTask:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{name}: not JSON ({error}) @ line {number}") from error
    return BookTask(**_Reader(f"{name}: ", f" @ line {number}").record(row, "", _TASK))


class _Reader:
    """The checks of one line; every refusal names file, line and the path of the field."""

    def __init__(self, before: str, after: str) -> None:
        self._before, self._after = before, after

    def refuse(self, path: str, problem: str) -> NoReturn:
        raise DataError(f"{self._before}{problem}{self._after}{f': {path}' if path else ''}")

    def record(self, row: Any, path: str, fields: Mapping[str, "_Check"]) -> dict[str, Any]:
        """Return the checked values of an object that has exactly these fields."""
        if type(row) is not dict:
            self.refuse(path, f"must be an object, not {row!r}")
        prefix = f"{path}." if path else ""
        for key in fields:
            if key not in row:
                self.refuse(prefix + key, "required field missing")
        for key in row:
            if key not in fields:
                self.refuse(prefix + key, "unknown field")
        return {key: check(self, row[key], prefix + key) for key, check in fields.items()}

    def text(self, value: Any, path: str) -> str:
        if type(value) is not str or not value.strip():
            self.refuse(path, f"must be a text that is not blank, not {value!r}")
        return value

    def flag(self, value: Any, path: str) -> bool:
        if type(value) is not bool:
            self.refuse(path, f"must be true or false, not {value!r}")
        return value

    def texts(self, value: Any, path: str) -> tuple[str, ...]:
        if type(value) is not list:
            self.refuse(path, f"must be a list, not {value!r}")
        found = tuple(self.text(item, f"{path}[{i}]") for i, item in enumerate(value))
        if len(set(found)) < len(found):
            self.refuse(path, "must not name one twice")
        return found

    def formats(self, value: Any, path: str) -> tuple[str, ...]:
        found = self.texts(value, path)
        for i, item in enumerate(found):
            _one_of(FORMATS)(self, item, f"{path}[{i}]")
        return found

    def predicates(self, value: Any, path: str) -> tuple[Predicate, ...]:
        if type(value) is not list or not value:
            self.refuse(path, f"must be a list of one or more predicates, not {value!r}")
        return tuple(self.predicate(row, f"{path}[{i}]") for i, row in enumerate(value))

    def predicate(self, row: Any, path: str) -> Predicate:
        found = self.record(row, path, _PREDICATE)
        name, value = found["field"], found["value"]
        _one_of(_OPS[name])(self, found["op"], f"{path}.op")
        if name != "year":
            self.text(value, f"{path}.value")
        elif type(value) is not int:
            self.refuse(f"{path}.value", f"must be a whole number, not {value!r}")
        return Predicate(name, Op(found["op"]), value, Reveal(found["reveal"]))

    def anything(self, value: Any, path: str) -> Any:  # noqa: ARG002 - a check's signature; `predicate` looks at it
        return value


_Check = Callable[[_Reader, Any, str], Any]


def _one_of(words: Iterable[str]) -> _Check:
    """Return the check that a value is one of these words."""
    known = tuple(words)

    def check(reader: _Reader, value: Any, path: str) -> str:
        if type(value) is not str or value not in known:
            reader.refuse(path, f"must be one of {', '.join(dict.fromkeys(known))}, not {value!r}")
        return value

    return check


_PREDICATE: Mapping[str, _Check] = {
    "field": _one_of(_OPS),
    "op": _one_of(op for ops in _OPS.values() for op in ops),
    "value": _Reader.anything,
    "reveal": _one_of(reveal.value for reveal in Reveal),
}
_TASK: Mapping[str, _Check] = {
    "id": _Reader.text,
    "family": _Reader.text,
    "condition": _one_of(CONDITIONS),
    "tier": _one_of(_TIERS),
    "template": _Reader.text,
    "nvr": _Reader.flag,
    "predicates": _Reader.predicates,
    "accepted_formats": _Reader.formats,
    "history": _Reader.texts,
    "persona": _Reader.text,
    "panel": _Reader.flag,
    "reliability": _Reader.flag,
}
