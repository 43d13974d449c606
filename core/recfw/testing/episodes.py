"""Episodes played in memory: what each role saw, and the trace; for suites that want real Views and traces."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from recfw.engine.episode import Episode
from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.reply import Reply
from recfw.model.run import RunSpec, Trial, TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace
from recfw.model.view import View
from recfw.plugins import EXTRA_VARIABLE, build_manager
from recfw.protocols import Facilities, Participant, Player, Recorder
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder
from recfw.testing.sample import MODULE

Substitute = Callable[[str, Participant, Player, Episode], Player]


@frozen
class Played:
    """
    One episode.

    Args:
        trial: The attempt, as a run would store it.
        task: What was played.
        trace: Its events.
        views: Role -> what it saw each time it was asked, in order.
    """

    trial: Trial
    task: Task
    trace: Trace
    views: Mapping[str, Sequence[View]]


def sample_registry() -> Registry:
    """Return what the installed plugins offer, and the track ``sample``."""
    found = [name for name in os.environ.get(EXTRA_VARIABLE, "").split(",") if name.strip()]
    names = found if MODULE in found else [*found, MODULE]
    return Registry(build_manager({**os.environ, EXTRA_VARIABLE: ",".join(names)}))


def sample_episodes(roles: Mapping[str, str] | None = None, tasks: Sequence[str] = ("film-0*",)) -> list[Played]:
    """
    Return episodes of the track ``sample``, in the order of its tasks.

    Args:
        roles: Role (``agent``, ``user``) -> component, where it is not to be the default.
        tasks: Ids or globs of its tasks, ``film-00`` to ``film-11``.
    """
    registry = sample_registry()
    filled: dict[str, tuple[str, ...]] = {role: (name,) for role, name in (roles or {}).items()}
    spec = build_spec(registry, RunRequest(track="sample", roles=filled, tasks=tuple(tasks)))
    return play(registry, spec)


def sample_views(role: str) -> Sequence[View]:
    """Return what a role of the track ``sample`` (``agent``, ``user``) sees in one episode."""
    return sample_episodes(tasks=("film-01",))[0].views[role]


def sample_cases() -> list[tuple[Task, Trace]]:
    """Return tasks of the track ``sample`` with their finished traces."""
    return [(played.task, played.trace) for played in sample_episodes()]


def play(registry: Registry, spec: RunSpec, folder: Path | None = None) -> list[Played]:
    """
    Play one trial of each task of each cell of a run, and keep everything in memory; nothing may be sent anywhere.

    Args:
        registry: Where components are found.
        spec: The run.
        folder: For what can be rebuilt; a passing one by default.
    """
    if folder is not None:
        return asyncio.run(_play(registry, spec, folder))
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(_play(registry, spec, Path(name)))


async def _play(registry: Registry, spec: RunSpec, folder: Path) -> list[Played]:
    found = []
    async with WatchingStage(registry, spec, folder, facilities=Facilities(offline=True)) as stage:
        for cell in spec.cells:
            for task in stage.settings[cell.name].tasks.values():
                trial = await stage.run(TrialKey(cell.name, task.id, 0), 1, MemoryRecorder())
                views = {role: tuple(views) for role, views in stage.seen.items()}
                found.append(Played(trial, task, unpack_trace(trial.trace), views))
    return found


class WatchingStage(Stage):
    """
    A stage that keeps every View of the episode that it played last, in ``seen`` by role.

    Episodes must be played one after the other.
    """

    seen: dict[str, list[View]]

    async def play(
        self,
        key: TrialKey,
        recorder: Recorder,
        made: Callable[[Episode], None],
        substitute: Substitute | None = None,
        task: Task | None = None,
    ) -> EndEvent:
        """Play one episode, as :meth:`recfw.engine.stage.Stage.play` does."""
        self.seen = {}

        def watch(role: str, component: Participant, player: Player, episode: Episode) -> Player:
            if substitute:
                player = substitute(role, component, player, episode)
            elif component.blocking:
                episode.blocking.add(role)
            watcher = _BlockingWatcher if role in episode.blocking else _Watcher
            return watcher(player, self.seen.setdefault(role, []))

        return await super().play(key, recorder, made, watch, task)


class _Watcher:
    """A player that notes its Views and has another answer them."""

    def __init__(self, player: Player, seen: list[View]) -> None:
        self._player, self._seen = player, seen

    async def reply(self, view: View) -> Reply:
        self._seen.append(view)
        return await self._player.reply(view)


class _BlockingWatcher(_Watcher):
    """The same for one whose ``reply`` is an ordinary function."""

    def reply(self, view: View) -> Any:
        self._seen.append(view)
        return self._player.reply(view)
