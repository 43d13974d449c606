"""A validation: every rule, task by task and then over the set, and every problem found."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any

import jsonschema_rs
import orjson

from recfw.model.task import Task
from recfw.protocols import Problem
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.clients import open_servers
from recfw_orchestration.validate import live, static, whole
from recfw_orchestration.validate.evaluating import Memory
from recfw_orchestration.validate.reading import Case, MalformedError, read

SET = "set"
"""Where a problem of the whole set is."""
WHOLE = 1_000
"""Tasks from which a set is taken for the whole one, unless told otherwise."""


def validate(
    data: Data,
    tasks: Sequence[Task],
    *,
    complete: bool | None = None,
    cells: whole.Cells | None = None,
    step: Callable[[], None] = lambda: None,
) -> list[Problem]:
    """
    Check a task set against its store, on live servers.

    Args:
        data: The store.
        tasks: The tasks.
        complete: Whether the set must have the paper's counts, all tools and enough phrasings; None: where it is no
            part, from 1,000 tasks on.
        cells: Domain -> level -> tasks of the set that they are taken from; None: the paper's.
        step: Called after each task.

    Returns:
        Problems: those of tasks in their order, then those of the set.
    """
    taken_from = cells or whole.WANTED
    demanded = len(tasks) >= max(WHOLE, whole.size(taken_from)) if complete is None else complete
    # A thread of its own, since the caller may be inside a loop.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(_validate(data, tasks, demanded, taken_from, step))).result()


async def _validate(
    data: Data, tasks: Sequence[Task], complete: bool, cells: whole.Cells, step: Callable[[], None]
) -> list[Problem]:
    lexicon = orjson.loads((files("recfw_orchestration.tasks") / "data" / "lexicon.json").read_bytes())
    problems: list[Problem] = []
    cases: list[Case] = []
    async with open_servers(data) as desk:
        schemas = {tool.name: jsonschema_rs.Draft202012Validator(tool.input_schema) for tool in desk.tools()}
        memory = Memory(desk)
        for task in tasks:
            problems += await _of(task, data, memory, schemas, lexicon, cases)
            memory.forget()
            step()
    problems += [Problem(SET, rule, words) for rule, words in whole.faults(cases, data, whole=complete, cells=cells)]
    return problems


async def _of(
    task: Task, data: Data, memory: Memory, schemas: dict[str, Any], lexicon: dict[str, Any], cases: list[Case]
) -> list[Problem]:
    """Return one task's problems; what can be read of it goes to ``cases``."""
    try:
        case = read(task)
    except MalformedError as error:
        return [Problem(task.id, "form", str(error))]
    cases.append(case)
    found = list(static.faults(case, data, lexicon))
    found += [fault async for fault in live.faults(case, memory.ask, schemas)]
    return [Problem(task.id, rule, words) for rule, words in found]
