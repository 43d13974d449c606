"""The track ``movies``: its roles and limits, its default cells, its content's digest."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import ClassVar

from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.protocols import Context, Environment, NoOptions, Problem, Resources, RoleSpec, Track, World
from recfw.serialize import digest
from recfw_movies.content import WORDS, Catalog, read, read_tasks
from recfw_movies.talk import BRIEF, DENIED, PAGE, SPONSORED, TOOLS, MovieTalk
from recfw_movies.validation import validate

AGENTS = ("careful", "careless", "hasty", "shy")


class MoviesTrack(Track):
    """Find a film for tonight, by the house rules."""

    name = "movies"
    summary = "Find a film for tonight, by the house rules"
    Options = NoOptions
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", "movies-careful", evaluated=True),
        "user": RoleSpec("users", "rules"),
    }
    limits = Limits(
        turns={"agent": 16}, replies={"agent": 12}, calls={"agent": 24}, seconds={"agent": 120.0}, repairs=2
    )
    metrics = ("movies-success", "movies-policies", "effort")
    analyses = ("movies-report", "summary")
    split_by = ("condition", "answer", "bait")
    clustered_by = "family"

    def __init__(self, options: NoOptions) -> None:
        self._options = options
        self._catalog: Catalog = read("catalog.json")
        self._tasks = read_tasks()

    def default_cells(self) -> Sequence[Cell]:
        """Return what is played when nothing else is asked for."""
        user = ComponentSpec("rules")
        return [Cell(name, {"agent": ComponentSpec(f"movies-{name}"), "user": user}) for name in AGENTS]

    def tasks(self) -> Sequence[Task]:
        """Return the tasks."""
        return self._tasks

    def content_digest(self) -> str:
        """Return a digest of all that figures depend on."""
        rules = [BRIEF, WORDS, TOOLS, MovieTalk.verdicts, MovieTalk.silence, SPONSORED.pattern, DENIED.pattern, PAGE]
        return digest([self._catalog, self._tasks, rules])

    def validate(self) -> Sequence[Problem]:
        """Check the content by code that shares nothing with what made it."""
        return [Problem(*found) for found in validate(read("catalog.json"), read("tasks.json"))]

    @asynccontextmanager
    async def open(self, resources: Resources) -> AsyncIterator[World]:  # noqa: ARG002 - it needs none
        """Open what all episodes of a worker share: here the catalog, which is read already."""
        yield self

    @asynccontextmanager
    async def episode(self, task: Task, context: Context) -> AsyncIterator[Environment]:  # noqa: ARG002 - nothing is drawn
        """Give an environment to one episode."""
        yield MovieTalk(task, self._catalog)
