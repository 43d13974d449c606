"""
The protocols that plugins satisfy, and the small records that pass between them.

Nothing here knows a track. Classes may subclass these protocols to inherit their defaults, or merely have the shape.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from attrs import Factory, field, frozen

from recfw.model.document import Report
from recfw.model.draws import Draws
from recfw.model.reply import Reply, ToolResult, Usage
from recfw.model.results import Results
from recfw.model.rubric import Rubric, Transcript, transcript_of
from recfw.model.run import Cell, Limits, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Event, Trace, WorldEvent
from recfw.model.view import Picture, View

PATH: Mapping[str, bool] = {"path": True}
"""Metadata of an option that names a file or folder: made absolute, so that a run can go on from another folder."""

CARRIED: Mapping[str, bool] = {"carried": True}
"""Metadata of an option on how something is carried out, on which no figure depends: a run may be resumed with another
value of it."""


@frozen
class NoOptions:
    """Options of a component that has none."""


# --- What an environment answers to a reply ---------------------------------------------------------------------------


@frozen
class Accepted:
    """The reply stands; ``events`` go into the trace."""

    events: tuple[WorldEvent, ...] = ()


@frozen
class Refused:
    """
    The reply does not stand, and the role may repair it.

    The environment puts ``words`` into a message of the role's next View: the engine records them and shows nothing by
    itself. The contract suites of tracks and environments look for them there.
    """

    words: str


@frozen
class Ended:
    """The episode is over, for a named reason; ``events`` go into the trace first."""

    stop: str
    events: tuple[WorldEvent, ...] = ()


Ruling = Accepted | Refused | Ended


@runtime_checkable
class Environment(Protocol):
    """
    One episode's world: who holds the floor, what each role sees, what a reply does.

    Verdicts, refusals and leak counts live here, never in a component that a model voices.
    """

    def next_role(self) -> str:
        """Return the role that holds the floor now."""
        ...

    async def view(self, role: str) -> View:
        """Return what a role sees now: pure data that holds nothing hidden from the role."""
        ...

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:
        """
        Answer one tool call whose arguments passed the tool's schema.

        Calls of one reply run side by side. Whatever is wrong with a call is an error result, not an exception; an
        exception is an infrastructure failure.
        """
        ...

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Take a role's reply, its calls already answered (``results`` by position), and rule on it."""
        ...

    async def picture(self, handle: str) -> Picture:
        """Render and encode a picture that a View named; KeyError where no View of this episode named it."""
        ...

    def summary(self) -> dict[str, Any]:
        """Return closing facts for the trace's last event, as JSON values."""
        ...


# --- Components -------------------------------------------------------------------------------------------------------


class Waits(Protocol):
    """
    Tells the engine which time of a reply is not the component's own, so that it counts against no limit of its role:
    waiting for a turn at a provider, a request that failed for no fault of its own and is sent again.
    """

    def waiting(self) -> AbstractContextManager[None]:
        """Excuse the time of a block."""
        ...

    def forgive(self, seconds: float) -> None:
        """Excuse time that has passed already."""
        ...

    def charge(self, seconds: float) -> None:
        """Count time after all that was excused while nobody knew whose it would be."""
        ...


class _NoWaits:
    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def forgive(self, seconds: float) -> None:
        pass

    def charge(self, seconds: float) -> None:
        pass


@frozen
class Context:
    """
    What a component is given for one episode, besides its Views.

    Args:
        role: The role that it fills.
        task: The task's id, for logs; nothing of the task's content.
        seed: The trial's seed, shared by all cells.
        limits: The run's limits.
        look: Fetches a picture by handle, and records that it was looked at.
        waits: Excuses time that is not the component's own.
    """

    role: str
    task: str
    seed: int
    limits: Limits = Factory(Limits)
    look: Callable[[str], Awaitable[Picture]] | None = field(default=None, repr=False)
    waits: Waits = field(factory=_NoWaits, repr=False)

    def draws(self, *labels: str | int) -> Draws:
        """Return a stream of draws of this trial and role."""
        return Draws(self.seed, self.role, *labels)


@frozen
class Facilities:
    """
    How a run is carried out, as far as components have a use for it: no part of what is asked, so no figure may depend
    on it.

    Args:
        answers: Folder in which answers of outside services are kept and found again; empty keeps none.
        offline: Nothing may be sent anywhere: a kept answer, or none.
        processes: How many worker processes share a limit that is over the whole run, such as requests a minute.
    """

    answers: str = ""
    offline: bool = False
    processes: int = 1


NO_FACILITIES = Facilities()


class Player(Protocol):
    """A component at play in one episode."""

    async def reply(self, view: View) -> Reply:
        """
        Say what to do next.

        Raises:
            ContextOverflow: The View does not fit into what the component can read.
            InfrastructureError: Something outside the component failed; the trial is retried.
        """
        ...


class ContextOverflow(Exception):  # noqa: N818 - named for what happened; it is an ending, not an error of the run
    """A View is longer than a component can read: an ending of its own, ``context_overflow``."""


class Component(Protocol):
    """
    What every named component has.

    Attributes:
        name: Unique among its kind; what people type.
        summary: One line for ``recfw plugins info``.
        Options: An attrs class of options with defaults; ``--set`` values are checked against it.
        version: Part of a scorer's identity and of a run's versions; change it when figures may change.

    It may also have ``suite``, a string ``package.module:Class``: a subclass of the protocol's contract suite by which
    `recfw plugins check` tries it, for what needs options, a server, or Views of its own. That is no member of the
    protocol, so that classes written before it still fit.
    """

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"


class Participant(Component, Protocol):
    """
    A component that fills a role: agent, user simulator, moderator.

    One instance serves a worker process; ``episode`` gives a player of its own to each episode.

    Attributes:
        tracks: Names of the tracks that it understands; empty for any.
        deterministic: Same Views and seed, same replies: replay runs it again instead of reading its replies.
        blocking: ``reply`` is an ordinary function that may block; it gets a thread with a deadline.
        heavy: It keeps a core busy; runs with it get worker processes by default.
    """

    tracks: ClassVar[tuple[str, ...]] = ()
    deterministic: ClassVar[bool] = False
    blocking: ClassVar[bool] = False
    heavy: ClassVar[bool] = False

    def __init__(self, options: Any) -> None: ...

    def equip(self, facilities: Facilities) -> None:  # noqa: ARG002 - for those that have a use for it
        """Be told how the run is carried out; called once, before :meth:`open`."""
        return  # an empty body would be abstract to type checkers

    def open(self) -> AbstractAsyncContextManager[None]:
        """Hold what all episodes of a worker share (clients, models), entered and left by one task."""
        return _nothing()

    async def check(self) -> Usage | None:
        """
        Find out, before the first trial, whether what it depends on answers.

        Returns:
            What that consumed; None where nothing was asked.

        Raises:
            RecfwError: It does not, in words.
        """
        return None

    def episode(self, context: Context) -> Player:
        """Return a player for one episode."""
        ...


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


class Agent(Participant, Protocol):
    """The recommender under evaluation."""


class UserSimulator(Participant, Protocol):
    """A simulated user; its private goal reaches it through the facts of its View."""


class Judge(Component, Protocol):
    """
    Rates finished traces, perhaps by asking a model; scores it cannot have are None, never 0.

    ``identity`` names whatever decides its figures (model, prompt hash, settings). What a call consumed stands in the
    detail of one of its scores, under :data:`recfw.model.usage.USAGE`. ``figures`` names what it gives, once it was
    briefed; none where that is not known before.
    """

    def __init__(self, options: Any) -> None: ...

    @property
    def identity(self) -> str:
        """Who gives these scores."""
        ...

    @property
    def figures(self) -> Sequence[str]:
        """Names of the figures that it gives, once it was briefed; none where that is not known before."""
        return ()

    def equip(self, facilities: Facilities) -> None:
        """Be told how the run is carried out; called once, before :meth:`open`."""

    def brief(self, track: "Track") -> None:
        """Be told whose trials it will rate, and with them its rubrics; called once, before :meth:`open`."""

    def open(self) -> AbstractAsyncContextManager[None]:
        """Hold what all ratings of a worker share."""
        return _nothing()

    async def check(self) -> Usage | None:
        """Find out whether what it depends on answers, as :meth:`Participant.check` does."""
        return None

    async def judge(self, task: Task, trace: Trace) -> Sequence[Score]:
        """
        Rate one finished trace.

        Raises:
            InfrastructureError: It cannot now; the trial has no such score until it is judged again.
        """
        ...


class Metric(Component, Protocol):
    """
    Figures computed from a task and a finished trace, purely.

    ``figures`` names every figure that ``score`` can give, with a sentence each.
    """

    figures: ClassVar[Mapping[str, str]]

    def __init__(self, options: Any) -> None: ...

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return figure -> value; None where a figure does not apply."""
        ...


class Catalog(Component, Protocol):
    """A source of items, opened by ``source`` (a path or a name, as the class says)."""

    def __init__(self, options: Any) -> None: ...

    def ids(self) -> Sequence[str]:
        """Return every item's id, in catalog order."""
        ...

    def get(self, item: str) -> Mapping[str, Any] | None:
        """Return an item's fields, or None."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the content."""
        ...


@frozen
class Hit:
    """One search hit."""

    id: str
    score: float


class Retriever(Component, Protocol):
    """
    A text index over items' fields.

    Ties are broken by id, ascending; an empty or unmatched query gives no hits. Any string is a valid query.
    """

    def __init__(self, options: Any) -> None: ...

    def build(self, items: Iterable[tuple[str, Mapping[str, str]]], cache: Path | None = None) -> None:
        """Index (id, field -> text) pairs; ``cache`` is a folder to keep a persistent index in."""
        ...

    def search(self, query: str, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first."""
        ...


class Analysis(Component, Protocol):
    """
    Turns stored results into a report, purely.

    Attributes:
        tracks: Tracks whose runs it understands; empty for any.
    """

    tracks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Any) -> None: ...

    def report(self, results: Results) -> Report:
        """Compute figures and their document."""
        ...


class Renderer(Component, Protocol):
    """
    Shows a report as text.

    Attributes:
        suffixes: Endings of files (``.csv``) for which ``recfw report --out`` takes this renderer unless told another.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Any) -> None: ...

    def render(self, report: Report) -> str:
        """Return the report in this renderer's format; no clock and no paths in it."""
        ...


# --- Tracks -----------------------------------------------------------------------------------------------------------


@frozen
class RoleSpec:
    """
    One role that a track declares.

    Args:
        kind: The registry that fills it: ``agents``, ``users`` or ``participants``.
        default: Name of the component when nothing else is asked for.
        evaluated: Whether it is the one under evaluation: its faults are endings, not failures of infrastructure.
    """

    kind: str
    default: str
    evaluated: bool = False


@frozen
class Problem:
    """Something that ``Track.validate`` found: which part broke which rule, in words."""

    where: str
    rule: str
    words: str


class Resources(Protocol):
    """What a track may ask of the framework when it opens."""

    def retriever(self, name: str, options: Mapping[str, Any] | None = None) -> Retriever:
        """Return a new retriever by name."""
        ...

    def catalog(self, name: str, options: Mapping[str, Any] | None = None) -> Catalog:
        """Return a new catalog by name."""
        ...

    def names(self, kind: str) -> Sequence[str]:
        """Return the registered names of one kind (``retrievers``, ``catalogs`` …)."""
        ...

    @property
    def cache(self) -> Path:
        """A folder for what can be rebuilt."""
        ...


class World(Protocol):
    """What a worker process holds open for one set of a track's options."""

    def episode(self, task: Task, context: Context) -> AbstractAsyncContextManager[Environment]:
        """Return an environment for one episode, released when the episode is over."""
        ...


class Track(Component, Protocol):
    """
    A benchmark: roles, tasks, a world to play them in, metrics, and how results are split.

    ``Options`` holds what changes the content or the world; fields named ``interface``, ``retriever``,
    ``catalog`` and ``data`` are set by the options of the same names of ``recfw run``.

    Attributes:
        roles: Role name -> who can fill it. Exactly one role is evaluated.
        limits: Default limits.
        metrics: Names of the metrics that score its trials.
        analyses: Names of its analyses; the first is the default of ``recfw report``.
        split_by: Names of the facets that reports split by, the foremost first.
        clustered_by: What a cluster is, in a word.
        rubrics: Name -> what a judge may be asked of its trials; the first is what one asks that is told nothing else.
    """

    roles: ClassVar[Mapping[str, RoleSpec]]
    limits: ClassVar[Limits]
    metrics: ClassVar[Sequence[str]]
    analyses: ClassVar[Sequence[str]]
    split_by: ClassVar[Sequence[str]]
    clustered_by: ClassVar[str]
    rubrics: ClassVar[Mapping[str, Rubric]] = {}

    def __init__(self, options: Any) -> None: ...

    def default_cells(self) -> Sequence[Cell]:
        """Return the cells of a run that asks for nothing in particular."""
        ...

    def tasks(self) -> Sequence[Task]:
        """Return every task under these options, in a fixed order; DataError where they cannot be had."""
        ...

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of catalog, tasks, prompts, schemas and rules under these options."""
        ...

    def validate(self) -> Sequence[Problem]:
        """Check the content from scratch, sharing no code with what made it."""
        ...

    def transcript(self, task: Task, trace: Trace) -> Transcript:  # noqa: ARG002 - a track may brief judges on the task
        """Return what a judge is shown of a trial: by default its dialogue with tool calls, and nothing of the task."""
        return transcript_of(trace)

    def open(self, resources: Resources) -> AbstractAsyncContextManager[World]:
        """Hold what all episodes of a worker share (indexes, servers, clients), entered and left by one task."""
        ...


# --- Running ----------------------------------------------------------------------------------------------------------


class Recorder(Protocol):
    """Where the engine writes an episode's events, as they happen."""

    def begin(self, key: TrialKey, attempt: int) -> None:
        """A trial's attempt starts."""
        ...

    def append(self, event: Event) -> None:
        """One event happened; it is durable against the death of this process when this returns."""
        ...

    def attach(self, data: bytes, media_type: str) -> str:
        """Keep a payload; return its SHA-256 (hex)."""
        ...


class Executor(Component, Protocol):
    """
    Carries trials to workers. Only bytes cross: a packed work order in, packed trial keys in, packed trials out.

    Results may come in any order; each is delivered once, and ``deliver`` returns when it is stored. Where its options
    have a ``concurrency`` or ``workers``, what ``recfw run`` is told of these is handed to it.
    """

    def __init__(self, options: Any) -> None: ...

    async def execute(self, order: bytes, keys: Iterable[bytes], deliver: Callable[[bytes], None]) -> None:
        """Run every trial; return when all are delivered."""
        ...


@frozen
class CommandRef:
    """
    A command that a plugin adds to the command line, resolved only when it is invoked.

    Args:
        name: The word after ``recfw``.
        summary: One line for ``recfw --help``.
        target: ``package.module:attribute`` of a click command or group.
    """

    name: str
    summary: str
    target: str
