"""The tasks of an imported store that nobody made tasks for: made on its first run, and kept in a file beside it."""

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from recfw.cli.output import chatter
from recfw.cli.progress import progress
from recfw.errors import DataError
from recfw.model.task import Task
from recfw_orchestration.data.records import Domain
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import tools_of
from recfw_orchestration.tasks.plan import scaled
from recfw_orchestration.tasks.pool import Head, Pool, cells_of, read, write

SUFFIX = ".tasks.jsonl.gz"
"""What the file's name adds to the store's."""
PERCENT, SEED = 10, 1
"""Share of the paper's number of tasks, and the generator's seed."""


def of_store(store: Path, data: Data) -> Pool:
    """
    Return the tasks beside a store; where there are none, make some first.

    Args:
        store: The store's file.
        data: The store, open.

    Raises:
        DataError: No task can be found in the store, or the file cannot be written.
    """
    path = store.with_name(store.name + SUFFIX)
    if not path.is_file():
        _write(path, data)
    return read(path)


def _write(path: Path, data: Data) -> None:
    chatter(f"Making tasks for {path.name.removesuffix(SUFFIX)}, once; they are kept beside it.")
    plan = scaled(PERCENT, tuple(data.domains))
    total = sum(sum(levels.values()) for levels in plan.values())
    # A thread of its own, since the caller may be inside a loop.
    with progress("tasks", total) as shown, ThreadPoolExecutor(1) as pool:
        tasks = pool.submit(lambda: asyncio.run(_made(data, plan, total, shown.step))).result()
    if not tasks:
        words = f"{path.name.removesuffix(SUFFIX)}: no task was found in this store."
        raise DataError(words, "Import more data; `recfw orchestration data` shows it.")
    tools: dict[str, tuple[str, ...]] = {domain: tuple(tools_of(domain)) for domain in data.domains}
    head = Head(SEED, data.digest, tools, cells=cells_of(tasks))
    fresh = path.with_name(f"{os.getpid()}.{path.name}")
    try:
        write(fresh, head, tasks)
        fresh.replace(path)
    except OSError as error:
        raise DataError(
            f"{path}: tasks for the store cannot be kept here ({error.strerror or error}).",
            "Make them elsewhere: `recfw orchestration generate --data STORE --out FILE`, then --set "
            "track.tasks_file=FILE.",
        ) from error


async def _made(
    data: Data, plan: Mapping[Domain, Mapping[str, int]], total: int, step: Callable[[], None]
) -> list[Task]:
    from recfw_orchestration.servers.clients import open_servers  # noqa: PLC0415 - loads the SDK, only to make tasks
    from recfw_orchestration.tasks.generate import Generator  # noqa: PLC0415 - likewise
    from recfw_orchestration.tasks.synthesize.running import Runner  # noqa: PLC0415 - likewise

    async with open_servers(data) as desk:
        schemas = {tool.name: tool.input_schema for tool in desk.tools()}
        tasks, _ = await Generator(data, Runner(desk), schemas, SEED, total, step).generate(plan)
    return tasks
