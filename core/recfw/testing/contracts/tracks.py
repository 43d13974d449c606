"""What every track must do, driven through the engine."""

import asyncio
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import attrs
import pytest

from recfw.engine.episode import Episode
from recfw.engine.replay import replay
from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.reply import Reply, ToolCall
from recfw.model.run import RunSpec, Status, TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent, RefusalEvent
from recfw.model.view import View
from recfw.plugins import build_manager
from recfw.protocols import Participant, Player
from recfw.registry import Registry
from recfw.serialize import canonical, dumps, loads, unpack_trace
from recfw.testing.contracts.base import HOSTILE, Contract
from recfw.testing.contracts.environments import shows
from recfw.testing.fakes import MemoryRecorder


class TrackContract(Contract):
    """
    What every track must do, driven through the engine with its default cells.

    Attributes:
        sample: How many tasks are played (spread over the list).
    """

    sample: ClassVar[int] = 6

    @pytest.fixture
    def registry(self) -> Registry:
        """What the installed plugins offer."""
        return Registry(build_manager())

    def spec(self, registry: Registry, tasks: Sequence[str]) -> RunSpec:
        """Return a run of the track's default cells over some tasks."""
        options = {name: (value,) for name, value in self.options.items()}
        return build_spec(registry, RunRequest(track=self.component.name, tasks=tuple(tasks), options=options))

    def chosen(self) -> list[Task]:
        """Return the tasks that are played."""
        tasks = list(self.make().tasks())
        return tasks[:: max(1, len(tasks) // self.sample)][: self.sample]

    def stage(self, registry: Registry, tmp_path: Path) -> Stage:
        """Return a stage of the default cells over the sampled tasks."""
        return Stage(registry, self.spec(registry, [task.id for task in self.chosen()]), tmp_path)

    def test_tasks_are_records_with_unique_ids(self) -> None:
        """Tasks survive as JSON, have unique ids and a cluster, and come in the same order each time."""
        tasks = list(self.make().tasks())
        assert tasks
        assert len({task.id for task in tasks}) == len(tasks)
        assert all(task.cluster for task in tasks)
        assert [canonical(task) for task in tasks] == [canonical(task) for task in self.make().tasks()]
        assert tasks[0] == loads(dumps(tasks[0]), Task)

    def test_declares_one_evaluated_role_and_known_facets(self) -> None:
        """Exactly one role is evaluated, and every task has the facets that reports split by."""
        assert sum(role.evaluated for role in self.component.roles.values()) == 1
        for task in self.make().tasks():
            assert set(self.component.split_by) <= set(task.facets), task.id

    def test_content_digest_is_stable(self) -> None:
        """The content digest is SHA-256 in hex, and the same for two instances."""
        digest = self.make().content_digest()
        assert digest == self.make().content_digest()
        assert len(digest) == 64

    def test_validates(self) -> None:
        """The track's own content breaks none of its rules."""
        assert list(self.make().validate()) == []

    def test_default_cells_end_and_replay(self, registry: Registry, tmp_path: Path) -> None:
        """Every default cell plays every sampled task to a named end, twice alike, and replays without a difference."""

        async def play() -> None:
            async with self.stage(registry, tmp_path) as stage:
                for cell in stage.spec.cells:
                    for task in stage.settings[cell.name].tasks:
                        key = TrialKey(cell.name, task, 0)
                        trial = await stage.run(key, 1, MemoryRecorder())
                        assert trial.status is Status.COMPLETED, trial.error
                        assert trial.stop
                        trace = unpack_trace(trial.trace)
                        assert await replay(stage, key, trace, trial.scores) is None

        asyncio.run(play())

    def test_the_private_goal_stays_private(self, registry: Registry, tmp_path: Path) -> None:
        """With a task's private half swapped for another's, every first View of the evaluated role is byte-equal."""
        role = next(name for name, spec in self.component.roles.items() if spec.evaluated)

        async def compare() -> None:
            async with self.stage(registry, tmp_path) as stage:
                for cell in stage.spec.cells:
                    tasks = list(stage.settings[cell.name].tasks.values())
                    for mine, other in pairwise(tasks):
                        swapped = attrs.evolve(mine, private=other.private)
                        views = [await first_view(stage, cell.name, task, role) for task in (mine, swapped)]
                        assert canonical(views[0]) == canonical(views[1]), mine.id

        asyncio.run(compare())

    def test_tools_have_names_that_every_provider_takes(self, registry: Registry, tmp_path: Path) -> None:
        """The names of tools are 1 to 64 letters, digits, ``_`` and ``-``: providers refuse requests with others."""
        role = next(name for name, spec in self.component.roles.items() if spec.evaluated)

        async def look() -> None:
            async with self.stage(registry, tmp_path) as stage:
                for cell in stage.spec.cells:
                    for task in stage.settings[cell.name].tasks.values():
                        for tool in (await first_view(stage, cell.name, task, role)).tools:
                            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", tool.name), tool.name

        asyncio.run(look())

    def test_any_reply_is_ruled_on(self, registry: Registry, tmp_path: Path) -> None:
        """Whatever the evaluated role says, calls or sends, the episode ends for a named reason, without a failure."""
        role = next(name for name, spec in self.component.roles.items() if spec.evaluated)

        async def play() -> None:
            async with self.stage(registry, tmp_path) as stage:
                cell = stage.spec.cells[0].name
                key = TrialKey(cell, self.chosen()[0].id, 0)
                for text in HOSTILE:
                    end = await _play_with(stage, key, role, _Babbler(text))
                    assert end.stop, text

        asyncio.run(play())

    def test_a_refused_role_reads_why(self, registry: Registry, tmp_path: Path) -> None:
        """Words that the evaluated role was refused with stand in a message of its next View."""
        evaluated = next(name for name, spec in self.component.roles.items() if spec.evaluated)
        unread: list[str] = []

        def substitute(role: str, component: Participant, own: Player, episode: Episode) -> Player:  # noqa: ARG001
            return _Mute(episode, unread) if role == evaluated else own

        async def play() -> None:
            async with self.stage(registry, tmp_path) as stage:
                key = TrialKey(stage.spec.cells[0].name, self.chosen()[0].id, 0)
                await stage.play(key, MemoryRecorder(), lambda _: None, substitute)

        asyncio.run(play())
        assert not unread, f"'{evaluated}' was refused and does not read: {unread[0]}"


async def first_view(stage: Stage, cell: str, task: Task, role: str) -> View:
    """Return what a role sees when it first holds the floor."""
    seen: list[View] = []

    def substitute(name: str, component: Participant, player: Player, episode: Episode) -> Player:  # noqa: ARG001
        return _Witness(seen) if name == role else player

    await stage.play(TrialKey(cell, task.id, 0), MemoryRecorder(), lambda _: None, substitute, task)
    return seen[0]


async def _play_with(stage: Stage, key: TrialKey, role: str, player: Player) -> EndEvent:
    def substitute(name: str, component: Participant, own: Player, episode: Episode) -> Player:  # noqa: ARG001
        return player if name == role else own

    return await stage.play(key, MemoryRecorder(), lambda _: None, substitute)


class _Seen(Exception):  # noqa: N818 - control flow of a test
    """The View was seen; the episode need not go on."""


class _Witness:
    """A player that notes its first View and leaves."""

    def __init__(self, seen: list[View]) -> None:
        self._seen = seen

    async def reply(self, view: View) -> Reply:
        self._seen.append(view)
        raise _Seen


class _Babbler:
    """A player that says, calls and sends the same hostile text in every way that a reply allows."""

    def __init__(self, text: str) -> None:
        self._text, self._said = text, 0

    async def reply(self, view: View) -> Reply:
        self._said += 1
        names = [tool.name for tool in view.tools] or [self._text]
        call = ToolCall(names[self._said % len(names)], self._text, self._text)
        kinds = (
            Reply(self._text),
            Reply(calls=(call, call)),
            Reply(calls=(ToolCall(self._text, "{}"),)),
            Reply(data=self._text),
            Reply(data={self._text: [self._text]}),
        )
        return kinds[self._said % len(kinds)]


class _Mute(_Babbler):
    """A player that says nothing in every way, and notes words of a refusal that it does not read."""

    def __init__(self, episode: Episode, unread: list[str]) -> None:
        super().__init__("")
        self._episode, self._unread = episode, unread

    async def reply(self, view: View) -> Reply:
        last = self._episode.events[-1] if self._episode.events else None
        if isinstance(last, RefusalEvent) and not shows(view, last.words):
            self._unread.append(last.words)
        return await super().reply(view)
