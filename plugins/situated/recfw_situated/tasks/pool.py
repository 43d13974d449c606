"""The task pool as a file: profiles, then tasks that name them; and the pool that ships."""

from functools import cache
from importlib.resources import files
from pathlib import Path

import orjson
from attrs import frozen

from recfw.errors import DataError
from recfw.serialize import dumps, loads
from recfw_situated.profiles.records import Profile
from recfw_situated.scenes.records import Scene
from recfw_situated.tasks.records import Goal, SituatedTask

SHIPPED = "pool.json"
OWN = "tasks.json"
"""Where a store of one's own keeps its tasks, in its folder."""


@frozen
class _Row:
    id: str
    profile: str
    goal: Goal
    target: str
    reference: tuple[str, ...]
    subset: int


@frozen
class _Pool:
    profiles: tuple[Profile, ...]
    tasks: tuple[_Row, ...]


def encode(tasks: list[SituatedTask]) -> bytes:
    """Return tasks as the text of a pool file: equal tasks, equal bytes."""
    profiles = {task.profile.id: task.profile for task in tasks}
    rows = tuple(_Row(t.id, t.profile.id, t.goal, t.target, t.reference, t.subset) for t in tasks)
    data = orjson.loads(dumps(_Pool(tuple(profiles.values()), rows)))
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"


def decode(data: bytes, where: str) -> list[SituatedTask]:
    """
    Return the tasks of a pool file.

    Raises:
        DataError: It is no such file, or a task names a profile that it does not hold.
    """
    pool = loads(data, _Pool, where)
    profiles = {profile.id: profile for profile in pool.profiles}
    for row in pool.tasks:
        if row.profile not in profiles:
            raise DataError(f"{where}: task '{row.id}' names the profile '{row.profile}', which is not in the file.")
    return [SituatedTask(r.id, profiles[r.profile], r.goal, r.target, r.reference, r.subset) for r in pool.tasks]


@cache
def shipped() -> tuple[SituatedTask, ...]:
    """Return the 200 tasks that ship, in the bank's order."""
    return tuple(decode((files("recfw_situated.tasks") / "data" / SHIPPED).read_bytes(), SHIPPED))


def read_own(scene: Scene, folder: str, path: str = "") -> tuple[SituatedTask, ...]:
    """
    Return the tasks of a store of one's own.

    Args:
        scene: Its records.
        folder: Its folder.
        path: The file; empty for ``tasks.json`` in the folder.

    Raises:
        DataError: There is no such file, or it holds no task of this store, or one of products that it does not have.
    """
    file = Path(path) if path else Path(folder) / OWN
    again = f"Draw tasks: recfw situated generate --scene {folder}{' --force' if file.exists() else ''}"
    if not file.exists():
        raise DataError(f"{file}: there are no tasks for the store '{scene.name}' yet.", again)
    found = tuple(task for task in read_pool(str(file)) if task.scene == scene.name)
    if not found:
        raise DataError(f"{file}: holds no task of the store '{scene.name}'.", again)
    for task in found:
        for product in (task.target, *task.reference):
            if product not in scene.product_by_id:
                raise DataError(f"{file}: task '{task.id}' names '{product}', which the store does not sell.", again)
    return found


def read_pool(path: str) -> tuple[SituatedTask, ...]:
    """Return the tasks of a file; DataError where it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"{path}: the tasks cannot be read ({error.strerror}).") from error
    return tuple(decode(data, path))
