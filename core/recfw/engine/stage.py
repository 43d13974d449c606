"""
The stage: everything that one worker process holds open to play trials of one run.

It is built from the RunSpec alone, by name, so that only data crosses a process boundary.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from attrs import field, frozen

from recfw.engine.deadline import DeadlineError, Passing, allowing, held
from recfw.engine.episode import Episode
from recfw.engine.limits import INFRASTRUCTURE
from recfw.engine.plan import select
from recfw.engine.scoring import metrics_of, score_judges, score_metrics
from recfw.engine.toolbox import Toolbox
from recfw.errors import InfrastructureError, OutageError, RecfwError, StoreError, UsageError, words_of
from recfw.model.reply import Reply
from recfw.model.run import Attachment, Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent
from recfw.model.usage import usage_of
from recfw.model.view import View
from recfw.protocols import (
    NO_FACILITIES,
    Catalog,
    Context,
    Facilities,
    Judge,
    Metric,
    Participant,
    Player,
    Recorder,
    Retriever,
    Track,
    World,
)
from recfw.registry import Registry
from recfw.serialize import canonical

T = TypeVar("T")

LOG = logging.getLogger(__name__)

OPEN_SECONDS = 300.0
"""Deadline of opening what a component shares among all episodes; building an index may take long."""
CLOSE_SECONDS = 10.0
"""Deadline of closing it again, when all trials are played."""


class TrialRecorder(Recorder, Protocol):
    """A recorder that can give back what it recorded of one attempt."""

    def packed(self) -> bytes:
        """Return the packed trace."""
        ...

    @property
    def checksums(self) -> bytes:
        """The checksum of each event's line (:func:`recfw.serialize.checksum`), one after the other."""
        ...

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """What was attached."""
        ...


class StageResources:
    """What a track may ask for when it opens (:class:`recfw.protocols.Resources`)."""

    def __init__(self, registry: Registry, cache: Path) -> None:
        self._registry, self._cache = registry, cache

    def retriever(self, name: str, options: Mapping[str, Any] | None = None) -> Retriever:
        """Return a new retriever by name."""
        made: Retriever = self._registry.create("retrievers", ComponentSpec(name, dict(options or {})))
        return made

    def catalog(self, name: str, options: Mapping[str, Any] | None = None) -> Catalog:
        """Return a new catalog by name."""
        made: Catalog = self._registry.create("catalogs", ComponentSpec(name, dict(options or {})))
        return made

    def names(self, kind: str) -> Sequence[str]:
        """Return the registered names of one kind."""
        return self._registry.names(kind)

    @property
    def cache(self) -> Path:
        """A folder for what can be rebuilt."""
        self._cache.mkdir(parents=True, exist_ok=True)
        return self._cache


@frozen
class Setting:
    """A track under one set of options, and its tasks by id."""

    track: Track
    tasks: Mapping[str, Task]
    registry: Registry = field(repr=False, eq=False)

    def content_digest(self) -> str:
        """Return the SHA-256 (hex) of the track's content; PluginError where the track fails to give it."""
        name = self.track.name
        found: Any = self.registry.call("tracks", name, "fails in content_digest", self.track.content_digest)
        if not isinstance(found, str):
            raise self.registry.fault("tracks", name, f"gives {type(found).__name__} as its content's digest")
        return found


def make_track(registry: Registry, spec: RunSpec, cell: Cell) -> Track:
    """Return a cell's track, its options checked."""
    track: Track = registry.create("tracks", ComponentSpec(spec.track, cell.options))
    return track


def settings_of(registry: Registry, spec: RunSpec) -> dict[str, Setting]:
    """Return cell name -> its setting; cells with equal track options share one."""
    made: dict[bytes, Setting] = {}
    found: dict[str, Setting] = {}
    for cell in spec.cells:
        options = canonical(cell.options)
        if options not in made:
            track = make_track(registry, spec, cell)
            chosen = select(_tasks_of(registry, track), spec.tasks)
            made[options] = Setting(track, {task.id: task for task in chosen}, registry)
        found[cell.name] = made[options]
    return found


def _tasks_of(registry: Registry, track: Track) -> list[Task]:
    found: list[Any] = registry.call("tracks", track.name, "fails in tasks", lambda: list(track.tasks()))
    for item in found:
        if not isinstance(item, Task):
            raise registry.fault("tracks", track.name, f"has {type(item).__name__} among its tasks, which is no Task")
    return found


def equip(registry: Registry, kind: str, made: Any, facilities: Facilities) -> None:
    """Tell a component how the run is carried out; one that merely has the shape may lack the method."""
    told = getattr(made, "equip", None)
    if told is not None:
        registry.call(kind, made.name, "fails in equip", told, facilities)


def judge_of(registry: Registry, component: ComponentSpec, track: Track, facilities: Facilities) -> Judge:
    """Return a new judge that knows how the run is carried out and whose trials it will rate."""
    made: Judge = registry.create("judges", component)
    equip(registry, "judges", made, facilities)
    brief = getattr(made, "brief", None)
    if brief is not None:
        registry.call("judges", component.name, "cannot be briefed", brief, track)
    return made


class Stage:
    """
    Plays trials of one run; an async context manager, entered and left by one task.

    Args:
        registry: Where components are found by name.
        spec: What was asked.
        cache: Folder for what can be rebuilt.
        settings: Cell -> setting, where the caller has them already.
        cells: Names of the cells to open; default all.
        facilities: How the run is carried out, for components that have a use for it.
        replaying: Leave closed what a replay reads from traces, so that it needs no model: judges, and components that
            are not deterministic.
    """

    def __init__(
        self,
        registry: Registry,
        spec: RunSpec,
        cache: Path,
        settings: Mapping[str, Setting] | None = None,
        cells: Collection[str] | None = None,
        facilities: Facilities = NO_FACILITIES,
        *,
        replaying: bool = False,
    ) -> None:
        self.registry, self.spec, self._facilities, self._replaying = registry, spec, facilities, replaying
        self.settings = dict(settings or settings_of(registry, spec))
        self._cells = {cell.name: cell for cell in spec.cells if cells is None or cell.name in cells}
        self._resources = StageResources(registry, cache)
        self._stack = AsyncExitStack()
        self._worlds: dict[int, World] = {}
        self._participants: dict[bytes, Participant] = {}
        self._toolbox = Toolbox()
        self.metrics: dict[str, list[Metric]] = {}
        self.judges: list[Judge] = []

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        try:
            await self._open()
        except BaseException:
            await self._stack.__aexit__(*sys.exc_info())
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, where)

    async def _hold(self, kind: str, name: str, make: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        """Open what a component shares among all episodes; when it fails to close, all trials are played, so warn."""

        def failed(error: Exception) -> None:
            late = isinstance(error, DeadlineError)
            words = f"did not close within {CLOSE_SECONDS:g} s" if late else f"fails to close: {words_of(error)}"
            LOG.warning("Warning: %s", self.registry.fault(kind, name, words).message)

        context = held(make, opening=OPEN_SECONDS, closing=CLOSE_SECONDS, failed=failed)
        try:
            return await self._stack.enter_async_context(context)
        except RecfwError:
            raise
        except DeadlineError as error:
            raise self.registry.fault(kind, name, f"did not open within {OPEN_SECONDS:g} s") from error
        except Exception as error:
            raise self.registry.fault(kind, name, f"cannot be opened: {words_of(error)}") from error

    async def _open(self) -> None:
        for cell in self._cells.values():
            track = self.settings[cell.name].track
            for role, component in cell.roles.items():
                await self._participant(track, role, component)
            self.metrics[cell.name] = metrics_of(self.registry, track)
            if id(track) not in self._worlds:
                world = await self._hold("tracks", track.name, partial(track.open, self._resources))
                self._worlds[id(track)] = world
        for component in () if self._replaying else self.spec.judges:
            judge = judge_of(self.registry, component, next(iter(self.settings.values())).track, self._facilities)
            await self._hold("judges", component.name, judge.open)
            self.judges.append(judge)

    async def _participant(self, track: Track, role: str, component: ComponentSpec) -> None:
        key = canonical([track.roles[role].kind, component])
        if key in self._participants:
            return
        kind = track.roles[role].kind
        made: Participant = self.registry.create(kind, component)
        if made.tracks and track.name not in made.tracks:
            serves = ", ".join(made.tracks)
            raise UsageError(f"'{made.name}' does not play the track '{track.name}' (it plays: {serves}).")
        equip(self.registry, kind, made, self._facilities)
        if self._runs(made):
            await self._hold(kind, component.name, made.open)
        self._participants[key] = made

    def _runs(self, component: Participant) -> bool:
        return component.deterministic or not self._replaying

    def participants(self, cell: str) -> dict[str, Participant]:
        """Return role -> component of one cell."""
        track = self.settings[cell].track
        roles = self._cells[cell].roles
        return {role: self._participants[canonical([track.roles[role].kind, made])] for role, made in roles.items()}

    async def run(self, key: TrialKey, attempt: int, recorder: TrialRecorder) -> Trial:
        """Play one attempt of a trial and score it; a failure of infrastructure is a failed Trial, not an exception."""
        started, clock = time.time(), time.perf_counter()
        recorder.begin(key, attempt)
        task = self.settings[key.cell].tasks[key.task]
        played: list[Episode] = []
        status, stop, error, halt = Status.COMPLETED, "", "", ""
        try:
            stop = (await self.play(key, recorder, played.append)).stop
        except (StoreError, asyncio.CancelledError, Passing):
            raise  # the disk, not the episode: nothing further could be recorded; or the run is to stop
        except BaseException as failure:  # noqa: BLE001 - nothing that happens in an episode can crash a run
            status, stop, error = Status.FAILED, INFRASTRUCTURE, words_of(failure)
            (played[0].record if played else recorder.append)(EndEvent(stop, {}, error))
            stop = getattr(failure, "kind", INFRASTRUCTURE) if isinstance(failure, InfrastructureError) else stop
            halt = error if isinstance(failure, OutageError) else ""
        scores = []
        if status is Status.COMPLETED:
            trace = played[0].trace
            rated, halt = await score_judges(self.judges, task, trace)
            scores = score_metrics(self.metrics[key.cell], task, trace) + rated
        return Trial(
            key=key,
            attempt=attempt,
            seed=key.seed(self.spec.seed),
            status=status,
            stop=stop,
            error=error,
            started=started,
            seconds=round(time.perf_counter() - clock, 6),
            events=len(played[0].events) if played else 1,
            usage=usage_of(played[0].events) if played else {},
            scores=tuple(scores),
            trace=recorder.packed(),
            checksums=recorder.checksums,
            attachments=recorder.attachments,
            halt=halt,
        )

    async def play(
        self,
        key: TrialKey,
        recorder: Recorder,
        made: Callable[[Episode], None],
        substitute: Callable[[str, Participant, Player, Episode], Player] | None = None,
        task: Task | None = None,
    ) -> EndEvent:
        """
        Play one episode.

        Args:
            key: Which trial.
            recorder: Where events go.
            made: Is given the episode before it starts.
            substitute: Replaces a role's player, as replay does for components that it cannot run again.
            task: Played instead of the stored task.
        """
        setting = self.settings[key.cell]
        task = task or setting.tasks[key.task]
        seed = key.seed(self.spec.seed)
        context = Context("", key.task, seed, self.spec.limits)
        seconds = self.spec.limits.world_seconds
        world = partial(self._worlds[id(setting.track)].episode, task, context)
        async with held(world, opening=seconds, closing=seconds) as environment:
            episode = Episode(environment, setting.track.roles, self.spec.limits, recorder, self._toolbox)
            made(episode)
            for role, component in self.participants(key.cell).items():
                look = _looker(episode, role)
                with allowing(seconds):
                    given = Context(role, key.task, seed, self.spec.limits, look, episode.excuse(role))
                    player = component.episode(given) if self._runs(component) else _Closed(component.name)
                if substitute:
                    player = substitute(role, component, player, episode)
                elif component.blocking:
                    episode.blocking.add(role)
                episode.players[role] = player
            return await episode.play()


@frozen
class _Closed:
    """Stands for a component that is not run, until a substitute takes its place."""

    name: str

    async def reply(self, view: View) -> Reply:  # noqa: ARG002 - the player protocol's signature
        raise InfrastructureError(f"'{self.name}' is not run in a replay.")


def _looker(episode: Episode, role: str) -> Callable[[str], Any]:
    async def look(handle: str) -> Any:
        return await episode.look(role, handle)

    return look
