"""The track ``tau-rec-v1``: a folder's tasks over its catalog, with core's rule-based users."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from attrs import field, frozen

from recfw.elicitation.goal import Goal
from recfw.errors import UsageError
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.protocols import PATH, Context, Environment, Problem, Resources, RoleSpec, Track, World
from recfw.serialize import digest
from tau_rec_v1.environment import TauRecEnvironment
from tau_rec_v1.layout import Folder, V1Task, read_folder

PROMPT = """

How the conversation works: the user says what it looks for; ask about what it has not said. Propose one item at a time
with the tag [[candidate_id:ID]] in your words; the user answers ###ACCEPTED### or ###REJECTED###. End with the tool
`recommend`: with the item's id, or without one where nothing in the catalog meets the request."""


@frozen
class TauRecOptions:
    """``folder``: where catalog.json, policy.md and the tasks are."""

    folder: str = field(default="", metadata=PATH)


class TauRecTrack(Track):
    """Tasks in the layout of tau-Rec v1."""

    name: ClassVar[str] = "tau-rec-v1"
    summary: ClassVar[str] = "Tasks in the layout of tau-Rec v1: constraints that a user volunteers, tells or hides"
    Options: ClassVar[type] = TauRecOptions
    version: ClassVar[str] = "1"
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", "ask-and-filter", evaluated=True),
        "user": RoleSpec("users", "rules"),
    }
    limits: ClassVar[Limits] = Limits(turns={"agent": 20}, calls={"agent": 100}, seconds={"agent": 600.0})
    metrics: ClassVar[Sequence[str]] = ("tau-rec-v1",)
    analyses: ClassVar[Sequence[str]] = ("summary",)
    split_by: ClassVar[Sequence[str]] = ("difficulty", "complexity", "nvr")
    clustered_by: ClassVar[str] = "task"

    def __init__(self, options: Any = None) -> None:
        self._options: TauRecOptions = options if options is not None else TauRecOptions()

    @cached_property
    def _folder(self) -> Folder:
        if not self._options.folder:
            raise UsageError("the track tau-rec-v1 needs a folder.", "Name one: --set track.folder=DIR")
        return read_folder(Path(self._options.folder))

    @cached_property
    def _fields(self) -> tuple[str, ...]:
        """Every field that some constraint is about, by name: the same for all tasks, so that it tells nothing."""
        return tuple(sorted({p.field for task in self._folder.tasks for p in task.predicates}))

    @property
    def _prompt(self) -> str:
        return self._folder.policy.strip() + PROMPT

    def default_cells(self) -> Sequence[Cell]:
        """Return the reference agent with the rule-based user."""
        return (Cell("ask-and-filter", {"agent": ComponentSpec("ask-and-filter"), "user": ComponentSpec("rules")}),)

    def tasks(self) -> Sequence[Task]:
        """Return the folder's tasks."""
        return tuple(self._task(each) for each in self._folder.tasks)

    def _task(self, task: V1Task) -> Task:
        goal = Goal(self._fields, task.predicates)
        facets = {
            "difficulty": task.difficulty or "-",
            "complexity": task.complexity or "-",
            "nvr": "yes" if task.nvr else "no",
        }
        private = {"goal": goal.private(), "watched": list(task.watched), "persona": task.persona, "nvr": task.nvr}
        return Task(task.id, task.id, facets, {"stated": goal.stated()}, private)

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of catalog, policy and tasks."""
        folder = self._folder
        return digest(
            {
                "catalog": hashlib.sha256(repr(list(folder.catalog.values())).encode()).hexdigest(),
                "prompt": self._prompt,
                "tasks": [task.private for task in self.tasks()],
            }
        )

    def validate(self) -> Sequence[Problem]:
        """Check that what is said to have no valid recommendation has none, everything else one, and fields exist."""
        found = []
        known = {name for record in self._folder.catalog.values() for name in record}
        for task in self._folder.tasks:
            goal = Goal(self._fields, task.predicates)
            fits = [i for i, r in self._folder.catalog.items() if i not in task.watched and not goal.failed(r)]
            if task.nvr and fits:
                found.append(Problem(task.id, "none-fits", f"{len(fits)} items fit, though none is said to."))
            if not task.nvr and not fits:
                found.append(Problem(task.id, "some-fits", "no item fits."))
            found += [
                Problem(task.id, "known-fields", f"no record has a field {p.field!r}.")
                for p in task.predicates
                if p.field not in known
            ]
        return found

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[World]:
        yield _World(self._folder, self._fields, self._prompt)

    def open(self, resources: Resources) -> AbstractAsyncContextManager[World]:  # noqa: ARG002 - it needs none
        """Hold the catalog."""
        return self._open()


class _World:
    def __init__(self, folder: Folder, fields: Sequence[str], prompt: str) -> None:
        self._folder, self._fields, self._prompt = folder, fields, prompt

    @asynccontextmanager
    async def _episode(self, task: Task) -> AsyncIterator[Environment]:
        yield TauRecEnvironment(task, self._folder.catalog, self._fields, self._prompt)

    def episode(self, task: Task, context: Context) -> AbstractAsyncContextManager[Environment]:  # noqa: ARG002 - nothing is drawn
        return self._episode(task)
