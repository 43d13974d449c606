"""The task file: a head that says what it was made of, then a task a line, in a fixed order of keys."""

import gzip
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from attrs import Factory, frozen

from recfw.errors import DataError
from recfw.model.task import Task
from recfw.serialize import from_data, parse
from recfw_orchestration.tasks.plan import COUNTS

FILE = "tasks.jsonl.gz"
FORMAT = 1


@frozen
class Head:
    """
    What a task file says of itself.

    Args:
        seed: The generator's seed.
        data: Digest of the store that the tasks were made on.
        tools: Domain -> the tools that its tasks offer.
        words: Who worded the requests: ``phrasings``, or the identity of a model.
        format: Version of the file's form.
        cells: Domain -> level -> how many tasks were made together, so that a part of them can be told from the whole;
            empty: as many as the paper has.
    """

    seed: int
    data: str
    tools: dict[str, tuple[str, ...]]
    words: str = "phrasings"
    format: int = FORMAT
    cells: dict[str, dict[str, int]] = Factory(dict)


@frozen
class Pool:
    """A task file's head and tasks."""

    head: Head
    tasks: tuple[Task, ...]


def encode(head: Head, tasks: Iterable[Task]) -> bytes:
    """Return a task file's lines, uncompressed; equal tasks, equal bytes."""
    lines = [orjson.dumps(_plain(head), option=orjson.OPT_APPEND_NEWLINE)]
    for task in tasks:
        public = {name: value for name, value in task.public.items() if name != "tools"}
        row = {"id": task.id, "facets": task.facets, "public": public, "private": task.private}
        lines.append(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)


def _plain(head: Head) -> dict[str, Any]:
    tools = {domain: list(names) for domain, names in head.tools.items()}
    told = {"format": head.format, "seed": head.seed, "data": head.data, "words": head.words, "tools": tools}
    return {**told, "cells": head.cells} if head.cells else told


def cells_of(tasks: Iterable[Task]) -> dict[str, dict[str, int]]:
    """Return domain -> level -> tasks, as a head tells it: nothing where they are as many as the paper's."""
    found: dict[str, dict[str, int]] = {}
    for task in tasks:
        levels = found.setdefault(task.facets["domain"], {})
        levels[task.facets["level"]] = levels.get(task.facets["level"], 0) + 1
    return {} if found == COUNTS else found


def write(path: Path, head: Head, tasks: Iterable[Task]) -> None:
    """Write a task file, compressed where its name ends in .gz."""
    data = encode(head, tasks)
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)


def read(path: Path | None = None) -> Pool:
    """
    Return the tasks of a file; None: the shipped ones.

    Raises:
        DataError: It cannot be read, is no task file, or repeats an id.
    """
    _HELD[str(path or "")] = pool = shipped() if path is None else _read(path)
    return pool


def held() -> tuple[Pool, ...]:
    """Return the task files that this process has read, the track's among them, in the order of their first reading."""
    return tuple(_HELD.values())


_HELD: dict[str, Pool] = {}


@cache
def shipped() -> Pool:
    """Return the shipped tasks."""
    return _decode((files("recfw_orchestration.tasks") / "data" / FILE).read_bytes(), FILE)


def _read(path: Path) -> Pool:
    try:
        return _decode(path.read_bytes(), path.name)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _decode(data: bytes, name: str) -> Pool:
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise DataError(f"{name}: is compressed, but damaged ({error}).") from error
    first, *lines = data.split(b"\n")
    head = from_data(parse(first, f"{name} line 1"), Head, f"{name} line 1")
    if head.format != FORMAT:
        raise DataError(f"{name}: has format {head.format}, this version reads {FORMAT}.", "Generate it anew.")
    tasks = tuple(_task(line, head.tools, f"{name} line {number}") for number, line in enumerate(lines, 2) if line)
    seen = set[str]()
    for task in tasks:
        if task.id in seen:
            raise DataError(f"{name}: has two tasks '{task.id}'.")
        seen.add(task.id)
    return Pool(head, tasks)


def _task(line: bytes, tools: Mapping[str, tuple[str, ...]], where: str) -> Task:
    row = parse(line, where)
    if not isinstance(row, dict) or not isinstance(row.get("public"), dict):
        raise DataError(f"{where}: is no task.")
    task = from_data({"cluster": row.get("id"), **row}, Task, where)
    domain = task.facets.get("domain", "")
    if domain not in tools:
        raise DataError(f"{where}: its domain '{domain}' has no tools in the file's head.")
    task.public["tools"] = list(tools[domain])
    return task
