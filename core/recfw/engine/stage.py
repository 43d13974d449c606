"""
The stage: everything that one worker process holds open to play trials of one run.

It is built from the RunSpec alone, by name, so that only data crosses a process boundary.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from attrs import frozen

from recfw.engine.episode import Episode, usage_of
from recfw.engine.limits import INFRASTRUCTURE
from recfw.engine.plan import select
from recfw.engine.scoring import metrics_of, score_judges, score_metrics
from recfw.engine.toolbox import Toolbox
from recfw.errors import InfrastructureError, RecfwError, StoreError, UsageError
from recfw.model.run import Attachment, Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent
from recfw.protocols import Catalog, Context, Judge, Metric, Participant, Player, Recorder, Retriever, Track, World
from recfw.registry import Registry
from recfw.serialize import canonical


class TrialRecorder(Recorder, Protocol):
    """A recorder that can give back what it recorded of one attempt."""

    def packed(self) -> bytes:
        """Return the packed trace."""
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
    """A track under one set of options: its tasks by id, and its world once the stage is open."""

    track: Track
    tasks: Mapping[str, Task]


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
            chosen = select(track.tasks(), spec.tasks)
            made[options] = Setting(track, {task.id: task for task in chosen})
        found[cell.name] = made[options]
    return found


class Stage:
    """
    Plays trials of one run; an async context manager, entered and left by one task.

    Args:
        registry: Where components are found by name.
        spec: What was asked.
        cache: Folder for what can be rebuilt.
        settings: Cell -> setting, where the caller has them already.
        cells: Names of the cells to open; default all.
    """

    def __init__(
        self,
        registry: Registry,
        spec: RunSpec,
        cache: Path,
        settings: Mapping[str, Setting] | None = None,
        cells: Collection[str] | None = None,
    ) -> None:
        self.registry, self.spec = registry, spec
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
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _open(self) -> None:
        for cell in self._cells.values():
            track = self.settings[cell.name].track
            for role, component in cell.roles.items():
                await self._participant(track, role, component)
            self.metrics[cell.name] = metrics_of(self.registry, track)
            if id(track) not in self._worlds:
                self._worlds[id(track)] = await self._stack.enter_async_context(track.open(self._resources))
        for component in self.spec.judges:
            judge: Judge = self.registry.create("judges", component)
            await self._stack.enter_async_context(judge.open())
            self.judges.append(judge)

    async def _participant(self, track: Track, role: str, component: ComponentSpec) -> None:
        key = canonical([track.roles[role].kind, component])
        if key in self._participants:
            return
        made: Participant = self.registry.create(track.roles[role].kind, component)
        if made.tracks and track.name not in made.tracks:
            serves = ", ".join(made.tracks)
            raise UsageError(f"'{made.name}' does not play the track '{track.name}' (it plays: {serves}).")
        await self._stack.enter_async_context(made.open())
        self._participants[key] = made

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
        status, stop, error = Status.COMPLETED, "", ""
        try:
            stop = (await self.play(key, recorder, played.append)).stop
        except StoreError:
            raise  # the disk, not the episode: nothing further could be recorded
        except (Exception, SystemExit) as failure:  # noqa: BLE001 - nothing that happens in an episode can crash a run
            status, stop, error = Status.FAILED, INFRASTRUCTURE, _words(failure)
            (played[0].record if played else recorder.append)(EndEvent(stop, {}, error))
        scores = []
        if status is Status.COMPLETED:
            trace = played[0].trace
            scores = score_metrics(self.metrics[key.cell], task, trace) + await score_judges(self.judges, task, trace)
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
            attachments=recorder.attachments,
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
        async with self._worlds[id(setting.track)].episode(task, context) as environment:
            episode = Episode(environment, setting.track.roles, self.spec.limits, recorder, self._toolbox)
            made(episode)
            for role, component in self.participants(key.cell).items():
                look = _looker(episode, role)
                player = component.episode(Context(role, key.task, seed, self.spec.limits, look))
                if substitute:
                    player = substitute(role, component, player, episode)
                elif component.blocking:
                    episode.blocking.add(role)
                episode.players[role] = player
            return await episode.play()


def _looker(episode: Episode, role: str) -> Callable[[str], Any]:
    async def look(handle: str) -> Any:
        return await episode.look(role, handle)

    return look


def _words(error: BaseException) -> str:
    if isinstance(error, InfrastructureError | RecfwError):
        return str(error)
    return f"{type(error).__name__}: {error}"
