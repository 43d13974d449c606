"""The track ``orchestration``: its roles, tasks and world under one set of options."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

from attrs import Factory, field, frozen

from recfw.errors import DataError, UsageError
from recfw.model.rubric import Rubric, Transcript
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.view import ToolSpec
from recfw.protocols import PATH, Context, Environment, Problem, Resources, RoleSpec, World
from recfw.serialize import digest
from recfw_orchestration.data.store import Data
from recfw_orchestration.environment import ANSWER, RULES, OrchestrationEnvironment
from recfw_orchestration.judging.rubric import rubric
from recfw_orchestration.judging.transcript import transcript
from recfw_orchestration.rollout.budget import Allowance, allowances
from recfw_orchestration.rollout.prompt import prompt_hash
from recfw_orchestration.rollout.toolset import Toolset
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.stores import open_told
from recfw_orchestration.tasks.pool import Pool, read
from recfw_orchestration.tasks.stored import of_store

DOMAIN, ALL = "domain", "all"
USER = "orchestration-opening"
AGENTS = ("orchestration-gold", "orchestration-router", "orchestration-random")


@frozen
class OrchestrationOptions:
    """
    What changes the content or the world.

    Args:
        data: A store of imported data (``recfw orchestration import``); empty for the generated world.
        tasks_file: A file of tasks to play (``recfw orchestration generate``); empty for the shipped ones, or for those
            beside the store, which are made on its first run.
        tools: ``domain`` offers the servers of the task's domain and web search, ``all`` all 32 tools.
        state_tokens: Tokens of the planning state above which older rounds are compressed.
        rounds: Most rounds of a rollout by level, as in ``{L3: 8}``; levels that are not named keep their defaults.
        calls: Most calls likewise.
        tokens: Most tokens that the agent's replies may consume likewise.
    """

    data: str = field(default="", metadata=PATH)
    tasks_file: str = field(default="", metadata=PATH)
    tools: str = DOMAIN
    state_tokens: int = 6000
    rounds: dict[str, int] = Factory(dict)
    calls: dict[str, int] = Factory(dict)
    tokens: dict[str, int] = Factory(dict)


@lru_cache(maxsize=1)
def _opened(source: str, stamp: int) -> Data:  # noqa: ARG001 - part of the key
    """Return a store, the same object for all tracks of a process that name it."""
    return open_told(Path(source) if source else None)


def _stamp(source: str) -> int:
    """Return when a store was written last, so that one that was made anew is opened anew."""
    path = Path(source)
    return path.stat().st_mtime_ns if source and path.exists() else 0


class OrchestrationWorld:
    """What a worker holds: the servers behind their clients, the tools by task, and the limits."""

    def __init__(self, tools: Toolset, every: bool, limits: Mapping[str, Allowance], budget: int) -> None:
        self._tools, self._every, self._limits, self._budget = tools, every, limits, budget
        self._sets: dict[tuple[str, ...], Toolset] = {}

    def _of(self, task: Task) -> Toolset:
        names = tuple(task.public["tools"])
        if names not in self._sets:
            self._sets[names] = self._tools if self._every else self._tools.only(names)
        return self._sets[names]

    @asynccontextmanager
    async def _episode(self, task: Task, context: Context) -> AsyncIterator[Environment]:
        allowance, deadline = self._limits[task.facets["level"]], context.limits.call_seconds
        yield OrchestrationEnvironment(task, self._of(task), allowance, self._budget, deadline)

    def episode(self, task: Task, context: Context) -> AbstractAsyncContextManager[Environment]:
        """Return an environment for one episode."""
        return self._episode(task, context)


class OrchestrationTrack:
    """Recommendation through MCP tools under fuzzy requests (the RecToolBench paper)."""

    name: ClassVar[str] = "orchestration"
    summary: ClassVar[str] = "Find the one right item through rounds of tool calls, from a vague request"
    Options: ClassVar[type] = OrchestrationOptions
    version: ClassVar[str] = "1"
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", AGENTS[1], evaluated=True),
        "user": RoleSpec("users", USER),
    }
    limits: ClassVar[Limits] = Limits(replies={"agent": 40}, seconds={"agent": 600.0}, repairs=2)
    metrics: ClassVar[Sequence[str]] = ("orchestration", "orchestration-conduct")
    analyses: ClassVar[Sequence[str]] = ("orchestration-paper",)
    split_by: ClassVar[Sequence[str]] = ("level", "domain", "ambiguity")
    clustered_by: ClassVar[str] = "task"
    rubrics: ClassVar[Mapping[str, Rubric]] = {"orchestration": rubric()}

    def __init__(self, options: Any = None) -> None:
        chosen: OrchestrationOptions = options if options is not None else OrchestrationOptions()
        if chosen.tools not in {DOMAIN, ALL}:
            raise UsageError(f"track.tools: '{chosen.tools}' is neither '{DOMAIN}' nor '{ALL}'.")
        if chosen.state_tokens < 1:
            raise UsageError(f"track.state_tokens: {chosen.state_tokens} is no number of tokens; give at least 1.")
        self.options = chosen
        self._limits = allowances(chosen.rounds, chosen.calls, chosen.tokens)

    def default_cells(self) -> Sequence[Cell]:
        """Return the three reference agents."""
        user = ComponentSpec(USER)
        return tuple(Cell(name, {"agent": ComponentSpec(name), "user": user}) for name in AGENTS)

    def tasks(self) -> Sequence[Task]:
        """Return every task, in the order of their file."""
        return self._pool.tasks

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of data, tasks, prompt, tool schemas, limits and rules."""
        return digest(
            {
                "data": self._data.digest,
                "tasks": list(self._pool.tasks),
                "prompt": prompt_hash(),
                "answer": ANSWER,
                "tools": [self.options.tools, *_schemas()],
                "limits": self._limits,
                "state_tokens": self.options.state_tokens,
                "rules": RULES,
            }
        )

    def validate(self) -> Sequence[Problem]:
        """Check every task from scratch, by code that shares nothing with the generator but the data."""
        from recfw_orchestration.validate import validate  # noqa: PLC0415 - heavy, and playing does not need it

        shipped = not self.options.tasks_file and not self.options.data
        cells = self._pool.head.cells or None
        return validate(self._data, self._pool.tasks, complete=True if shipped else None, cells=cells)

    def transcript(self, task: Task, trace: Trace) -> Transcript:
        """Return what a judge is shown of a trial: the reference workflow at L3 alone."""
        return transcript(task, trace)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[World]:
        from recfw_orchestration.servers.clients import open_servers  # noqa: PLC0415 - loads the SDK, only to play

        async with open_servers(self._data) as desk:
            specs = [ToolSpec(tool.name, tool.description, tool.input_schema) for tool in desk.tools()]
            tools = Toolset.of(specs, desk)
            yield OrchestrationWorld(tools, self.options.tools == ALL, self._limits, self.options.state_tokens)

    def open(self, resources: Resources) -> AbstractAsyncContextManager[World]:  # noqa: ARG002 - nothing of core's is needed
        """Hold the store and all servers, each behind its client, once for all episodes of a worker."""
        return self._open()

    @cached_property
    def _data(self) -> Data:
        """The store, on which the tasks were made."""
        data, made_on = self._store, self._pool.head.data
        if made_on != data.digest:
            named = self.options.tasks_file or (f"the tasks beside {self.options.data}" if self.options.data else "")
            message = f"{named or 'the shipped tasks'}: made on other data ({made_on[:12]}, not {data.digest[:12]})."
            raise DataError(
                message, "`recfw orchestration generate` makes some; --set track.tasks_file=FILE names them."
            )
        return data

    @cached_property
    def _store(self) -> Data:
        return _opened(self.options.data, _stamp(self.options.data))

    @cached_property
    def _pool(self) -> Pool:
        if self.options.data and not self.options.tasks_file:
            return of_store(Path(self.options.data), self._store)
        return read(Path(self.options.tasks_file) if self.options.tasks_file else None)


def _schemas() -> list[list[Any]]:
    """Return name, words and strict schema of every tool."""
    none: Any = None  # a server asks its store for nothing until it is called
    tools = [tool for spec in SERVERS.values() for tool in getattr(spec.build(none), "strict_tools", ())]
    return [[tool.name, tool.description, tool.parameters] for tool in tools]
