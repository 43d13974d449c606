"""
Reading a folder in the layout of tau-Rec v1: ``catalog.json``, ``policy.md``, ``task_*.json`` (here or in ``tasks``).

A catalog is a list of records, each with an ``id``. A task is an object with

- ``constraints``: objects {"constraint": {field, op, value}, "reveal": volunteer | on_ask | hidden}, or all in one;
- ``id`` (else the file's name), ``persona``, ``complexity``, ``reveal_difficulty``, ``no_valid_recommendation``;
- ``user_id`` and ``user_history`` {user: {"watched": [ids]}}: those are taken in no case.

Further keys are left alone. Whatever is wrong is a DataError that names the file and the key.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from recfw.elicitation import Predicate
from recfw.elicitation.records import read_predicate
from recfw.errors import DataError, reading_fault

TAGS = {"volunteer": "stated", "on_ask": "on_ask", "hidden": "hidden"}
CATALOG_FILE, POLICY_FILE = "catalog.json", "policy.md"

_NAMEABLE = re.compile(r"(?!\s)[^\[\]\r\n]{1,80}(?<!\s)")

Record = Mapping[str, Any]


@frozen
class V1Task:
    """One task: who asks, what is required and when it is told, what the user has already, whether nothing fits."""

    id: str
    predicates: tuple[Predicate, ...]
    persona: str
    complexity: str
    difficulty: str
    watched: tuple[str, ...]
    nvr: bool


@frozen
class Folder:
    """What a folder holds: the records by id, in order, the policy's text, and the tasks by file name."""

    catalog: Mapping[str, Record]
    policy: str
    tasks: tuple[V1Task, ...]


def read_folder(folder: Path) -> Folder:
    """Return what a folder holds; DataError where a file is missing or does not hold what it must."""
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no such folder.", "Name one with catalog.json, policy.md and task_*.json.")
    files = sorted(folder.glob("task_*.json")) or sorted(folder.glob("tasks/task_*.json"))
    if not files:
        raise DataError(f"{folder}: there is no task_*.json in it, nor in its folder tasks.")
    catalog = read_catalog(folder / CATALOG_FILE)
    tasks = [read_task(path) for path in files]
    seen: dict[str, Path] = {}
    for task, path in zip(tasks, files, strict=True):
        if task.id in seen:
            raise DataError(f"{path}: id: {task.id!r} is the id in {seen[task.id].name}, too.", "Ids are unique.")
        seen[task.id] = path
    return Folder(catalog, _text(folder / POLICY_FILE), tuple(tasks))


def read_catalog(path: Path) -> dict[str, Record]:
    """Return the records of a catalog.json by id."""
    rows = _json(path)
    if not isinstance(rows, list) or not rows:
        raise DataError(f"{path}: holds no list of records.")
    found: dict[str, Record] = {}
    for number, row in enumerate(rows):
        where = f"{path}: [{number}]"
        record = _object(row, where)
        name = _string(record, "id", where)
        if not _NAMEABLE.fullmatch(name):
            hint = "Ids have no brackets, no line breaks, no spaces at their ends and at most 80 characters."
            raise DataError(f"{where}.id: {name!r} cannot stand in a proposal's tag.", hint)
        if name in found:
            raise DataError(f"{where}.id: {name!r} stands there twice.", "Ids are unique.")
        found[name] = record
    return found


def read_task(path: Path) -> V1Task:
    """Return the task of one file."""
    row = _object(_json(path), f"{path}")
    constraints = row.get("constraints")
    if not isinstance(constraints, list) or not constraints:
        raise DataError(f"{path}: constraints: a list of one or more is needed, not {constraints!r}.")
    return V1Task(
        id=_string(row, "id", f"{path}:") if "id" in row else path.stem,
        predicates=tuple(_constraint(each, f"{path}: constraints[{i}]") for i, each in enumerate(constraints)),
        persona=str(row.get("persona", "")),
        complexity=str(row.get("complexity", "")),
        difficulty=str(row.get("reveal_difficulty", "")),
        watched=_watched(row, path),
        nvr=_flag(row, "no_valid_recommendation", path),
    )


def _constraint(data: Any, where: str) -> Predicate:
    outer = _object(data, where)
    inner = _object(outer["constraint"], f"{where}.constraint") if "constraint" in outer else outer
    inside = f"{where}.constraint" if "constraint" in outer else where
    tag = _string(outer, "reveal", where)
    if tag not in TAGS:
        raise DataError(f"{where}.reveal: no tag {tag!r}.", f"Use one of {', '.join(TAGS)}.")
    for key in ("field", "op", "value"):
        if key not in inner:
            raise DataError(f"{inside}.{key}: required key missing.")
    try:
        return read_predicate({**{key: inner[key] for key in ("field", "op", "value")}, "reveal": TAGS[tag]})
    except DataError as error:
        raise DataError(f"{inside}: {error.message}", error.hint) from None


def _watched(row: Record, path: Path) -> tuple[str, ...]:
    histories = _object(row.get("user_history", {}), f"{path}: user_history")
    user = str(row.get("user_id", ""))
    own = _object(histories.get(user, {}), f"{path}: user_history.{user}")
    watched = own.get("watched", [])
    if not isinstance(watched, list) or not all(isinstance(each, str) for each in watched):
        raise DataError(f"{path}: user_history.{user}.watched: a list of ids is needed, not {watched!r}.")
    return tuple(watched)


def _flag(row: Record, key: str, path: Path) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise DataError(f"{path}: {key}: true or false is needed, not {value!r}.")
    return value


def _object(value: Any, where: str) -> Record:
    if not isinstance(value, dict):
        raise DataError(f"{where}: an object is needed, not {value!r}.")
    return value


def _string(row: Record, key: str, where: str) -> str:
    separator = " " if where.endswith(":") else "."
    if key not in row:
        raise DataError(f"{where}{separator}{key}: required key missing.")
    value = row[key]
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{where}{separator}{key}: a text is needed, not {value!r}.")
    return value


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        hint = f"A folder in this layout holds {CATALOG_FILE}, {POLICY_FILE} and task_*.json."
        raise DataError(f"{path}: cannot be read: {reading_fault(error)}.", hint) from error


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON ({error}).") from error
