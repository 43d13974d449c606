"""Signatures of a catalog, its tasks and the rules they are played by; drift between two of them, named by field."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recfw.errors import DataError
from recfw.serialize import digest, to_data
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import RULES
from recfw_books.families.index import CatalogIndex
from recfw_books.model import BookTask
from recfw_books.preferences import PREFERENCES
from recfw_books.prompts import names, prompt_hash, system_prompt
from recfw_books.tools import SPECS
from recfw_books.user.brief import template

SCHEMA = 1
_SHORT = 12


def baseline(catalog: BookCatalog, tasks: Sequence[BookTask]) -> dict[str, Any]:
    """
    Return what defines the figures of a task set, as JSON values.

    ``catalog``, ``prompts``, ``tools``, ``user_brief`` and ``rules`` are digests and versions; ``tasks`` has each
    task's defining fields and, as ``signature``, a short hash of them. ``answers`` are the numbers of acceptable books
    at every nested size.
    """
    index = CatalogIndex(catalog)
    return {
        "schema": SCHEMA,
        "catalog": {"books": len(catalog.books), "sha256": catalog.digest},
        "prompts": dict(_prompts()),
        "tools": {shape: digest([to_data(spec) for spec in specs])[:_SHORT] for shape, specs in SPECS.items()},
        "user_brief": hashlib.sha256(template().encode()).hexdigest()[:_SHORT],
        "rules": {"trial": RULES, "preferences": PREFERENCES},
        "tasks": {task.id: _signed(_fields(task, index)) for task in tasks},
    }


def _prompts() -> Iterator[tuple[str, str]]:
    for name in names():
        for shape in SPECS:
            yield f"{name}/{shape}", prompt_hash(system_prompt(name, shape))
        yield f"{name}/keyword/field_list", prompt_hash(system_prompt(name, "keyword", fields=True))


def _signed(fields: dict[str, Any]) -> dict[str, Any]:
    return {"signature": digest(fields)[:_SHORT], **fields}


def _fields(task: BookTask, index: CatalogIndex) -> dict[str, Any]:
    return {
        "family": task.family,
        "condition": task.condition,
        "tier": task.tier,
        "template": task.template,
        "nvr": task.nvr,
        "predicates": [f"{p.field} {p.op.value} {p.value} [{p.reveal.value}]" for p in task.predicates],
        "accepted_formats": list(task.accepted_formats),
        "history": digest(list(task.history))[:_SHORT],
        "persona": digest(task.persona)[:_SHORT],
        "panel": task.panel,
        "reliability": task.reliability,
        "answers": list(index.counts(_acceptable(task, index))),
    }


def _acceptable(task: BookTask, index: CatalogIndex) -> int:
    found = index.matching(task.predicates)
    if task.accepted_formats:
        in_format = 0
        for name in task.accepted_formats:
            in_format |= index.formats[name]
        found &= in_format
    read = set(task.history)
    return found & ~sum(1 << at for at in index.positions(found) if index.books[at].id in read)


def drift(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """
    Yield a line for everything that differs: a digest or version, a task that is gone or new, a task's field.

    Raises:
        DataError: ``old`` is no baseline of this schema.
    """
    if old.get("schema") != SCHEMA or not isinstance(old.get("tasks"), dict):
        raise DataError("this is no baseline.", "Write one with 'recfw books baseline --write FILE'.")
    for name in new:
        if name != "tasks":
            yield from _differences(name, old.get(name), new[name])
    before, after = old["tasks"], new["tasks"]
    yield from (f"{task}: gone" for task in before if task not in after)
    yield from (f"{task}: new" for task in after if task not in before)
    for task in after:
        if task in before:
            yield from _task_drift(task, before[task], after[task])


def _task_drift(task: str, old: Any, new: Mapping[str, Any]) -> Iterator[str]:
    fields = [name for name in new if name != "signature"]
    given = old if isinstance(old, dict) else {}
    named = [line for name in fields for line in _differences(f"{task}: {name}", given.get(name), new[name])]
    if not named and given.get("signature") != new["signature"]:
        named = [f"{task}: signature was {given.get('signature')!r}, is {new['signature']!r}"]
    yield from named


def _differences(name: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(f"{name} {key}", old.get(key), new.get(key))
    elif old != new:
        yield f"{name} was {old!r}, is {new!r}"
