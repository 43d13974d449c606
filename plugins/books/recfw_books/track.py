"""The track ``books``: its roles, tasks and world under one set of options."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

from attrs import field, frozen

from recfw.errors import UsageError
from recfw.model.rubric import Rubric, Transcript
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import PATH, Context, Environment, Problem, Resources, RoleSpec, World
from recfw.serialize import digest, to_data
from recfw_books import tasks as task_sets
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import LABELS_FILE, BookCatalog
from recfw_books.environment import RULES, BooksEnvironment
from recfw_books.goal import Goal, to_task
from recfw_books.model import BookTask
from recfw_books.preferences import PREFERENCES, FamilyPreferences
from recfw_books.prompts import system_prompt
from recfw_books.rubric import DIALOGUE, transcript
from recfw_books.search.structured import Filters, StructuredSearch
from recfw_books.taskfile import encode_tasks
from recfw_books.tools import SPECS, KeywordTool, StructuredTool, Tools, indexed
from recfw_books.user.brief import template as user_template
from recfw_books.validate import validate


@frozen
class BooksOptions:
    """
    What changes the content or the world.

    Args:
        interface: How ``search_books`` works: ``structured`` or ``keyword``.
        retriever: The index behind the keyword interface.
        catalog: A built or exported catalog (directory or file); empty for the embedded one.
        size: How many books of it are in play, from its beginning; 0 for all.
        prompt: The agent's system prompt, by name: ``base``, ``ask``, ``ask-and-verify`` or ``protocol``.
        field_list: Lists the catalog's fields in the keyword prompt, as the structured tool does (an ablation).
        tasks_file: A tasks.jsonl to play; empty for the catalog's own tasks.
        task_seed: Draws fresh families with this seed; without it the embedded catalog has its shipped tasks, a folder
            with a tasks.jsonl has those, any other those of seed 0.
    """

    interface: str = "structured"
    retriever: str = "impact"
    catalog: str = field(default="", metadata=PATH)
    size: int = 0
    prompt: str = "base"
    field_list: bool = False
    tasks_file: str = field(default="", metadata=PATH)
    task_seed: int | None = None


@lru_cache(maxsize=1)
def _loaded(source: str, stamp: object) -> BookCatalog:  # noqa: ARG001 - part of the key
    """Return a catalog, the same object for all tracks of a process that name it: a matrix of interfaces and sizes."""
    return load_catalog(source or None)


def _stamp(source: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of change of the files of a catalog, so that a changed one is read again."""
    path = Path(source)
    if not source or not path.exists():
        return ()
    found = sorted(path.iterdir()) if path.is_dir() else [path, path.with_name(LABELS_FILE)]
    return tuple((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in found if f.is_file())


class BooksWorld:
    """What a worker holds: the catalog in play, the tools over it, and the prompt."""

    def __init__(self, catalog: BookCatalog, tools: Tools, prompt: str) -> None:
        self._catalog, self._tools, self._prompt = catalog, tools, prompt
        self._preferences = FamilyPreferences(catalog)

    @asynccontextmanager
    async def _episode(self, task: Task) -> AsyncIterator[Environment]:
        preferences = self._preferences.of(task.cluster, Goal.read(task.private))
        yield BooksEnvironment(task, self._catalog, self._tools, self._prompt, preferences)

    def episode(self, task: Task, context: Context) -> AbstractAsyncContextManager[Environment]:  # noqa: ARG002 - nothing is drawn
        """Return an environment for one episode."""
        return self._episode(task)


class BooksTrack:
    """Disclosure-controlled elicitation over a catalog of books (the tau-Rec-Books paper)."""

    name: ClassVar[str] = "books"
    summary: ClassVar[str] = "Find one book for a user who states, tells when asked, or hides what it needs"
    Options: ClassVar[type] = BooksOptions
    version: ClassVar[str] = "1"
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", "popularity", evaluated=True),
        "user": RoleSpec("users", "books-rules"),
    }
    limits: ClassVar[Limits] = Limits(
        turns={"agent": 20}, calls={"agent": 150}, grace_calls=10, seconds={"agent": 600.0}
    )
    metrics: ClassVar[Sequence[str]] = ("books-success", "books-manners")
    analyses: ClassVar[Sequence[str]] = ("books-reference", "books-paper")
    split_by: ClassVar[Sequence[str]] = ("condition", "nvr", "tier", "template")
    clustered_by: ClassVar[str] = "family"
    rubrics: ClassVar[Mapping[str, Rubric]] = {DIALOGUE.name: DIALOGUE}

    def __init__(self, options: Any = None) -> None:
        chosen: BooksOptions = options if options is not None else BooksOptions()
        if chosen.interface not in SPECS:
            raise UsageError(f"no interface '{chosen.interface}' (known: {', '.join(SPECS)}).")
        if chosen.size < 0:
            raise UsageError(f"a catalog of {chosen.size} books cannot be.", "Use a size of 0 for all books, or more.")
        self.options = chosen
        self._prompt = system_prompt(chosen.prompt, chosen.interface, fields=chosen.field_list)

    def default_cells(self) -> Sequence[Cell]:
        """Return the three reference agents with the rule-based user, on the structured interface."""
        user = ComponentSpec("books-rules")
        names = ("popularity", "eliminating", "no-ask")
        return tuple(Cell(name, {"agent": ComponentSpec(name), "user": user}) for name in names)

    def tasks(self) -> Sequence[Task]:
        """Return every task, in the order of its file or of the families' numbers."""
        return tuple(to_task(task) for task in self._tasks)

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of the catalog in play, tasks, prompt, tool schemas, retriever and trial rules."""
        keyword = self.options.interface == "keyword"
        return digest(
            {
                "catalog": self._catalog.digest,
                "tasks": hashlib.sha256(encode_tasks(self._tasks)).hexdigest(),
                "prompt": self._prompt,
                "tools": [to_data(spec) for spec in SPECS[self.options.interface]],
                "retriever": self.options.retriever if keyword else None,
                "user": user_template(),
                "rules": RULES,
                "preferences": PREFERENCES,
            }
        )

    def validate(self) -> Sequence[Problem]:
        """Check tasks against the whole catalog, by code that shares nothing with the generator."""
        whole = self._whole
        searches: dict[int, StructuredSearch] = {}

        def search(size: int, filters: Mapping[str, Any]) -> tuple[int, Sequence[str]]:
            if size not in searches:
                searches[size] = StructuredSearch(whole.prefix(size))
            page = searches[size].search(Filters(**filters))
            return page.total, [book.id for book in page.books]

        return [Problem(found.family, found.rule, found.words) for found in validate(whole, self._tasks, search)]

    def transcript(self, task: Task, trace: Trace) -> Transcript:
        """Return what a judge is shown of a trial: the user's requirements and the dialogue."""
        return transcript(task, trace)

    @asynccontextmanager
    async def _open(self, resources: Resources) -> AsyncIterator[World]:
        catalog = self._catalog
        if self.options.interface == "structured":
            tools = Tools(catalog, StructuredTool(StructuredSearch(catalog)))
        else:
            retriever = resources.retriever(self.options.retriever)
            retriever.build(indexed(catalog), resources.cache / f"{self.options.retriever}-{catalog.digest[:16]}")
            tools = Tools(catalog, KeywordTool(catalog, retriever))
        yield BooksWorld(catalog, tools, self._prompt)

    def open(self, resources: Resources) -> AbstractAsyncContextManager[World]:
        """Hold the catalog and its index."""
        return self._open(resources)

    @cached_property
    def _whole(self) -> BookCatalog:
        return _loaded(self.options.catalog, _stamp(self.options.catalog))

    @cached_property
    def _catalog(self) -> BookCatalog:
        return self._whole.prefix(self.options.size) if self.options.size else self._whole

    @cached_property
    def _tasks(self) -> Sequence[BookTask]:
        chosen = self.options
        if chosen.tasks_file:
            return task_sets.from_file(chosen.tasks_file)
        kept = task_sets.own(chosen.catalog) if chosen.task_seed is None else None
        if kept is not None:
            return kept
        return task_sets.generated(self._whole, chosen.task_seed or 0)
