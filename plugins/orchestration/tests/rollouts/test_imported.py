"""Imported data: tasks are made for it, and gold plays them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.errors import DataError
from recfw.model.run import Trial, TrialKey
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.testing.fakes import MemoryRecorder
from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
from recfw_orchestration.metrics.component import BY_LEVEL
from recfw_orchestration.tasks import stored
from recfw_orchestration.tasks.pool import shipped

GOLD = "orchestration-gold"


class Silent:
    """Hears of an import and says nothing."""

    def reading(self, path: Path, done: int, size: int, lines: int) -> None:
        """Hear of a file."""

    def step(self, name: str) -> None:
        """Hear of a step."""


def play(store: Path, folder: Path) -> dict[str, tuple[str, Trial]]:
    """Let gold play every task of a store; return task -> its level and trial."""
    registry = Registry(build_manager())
    request = RunRequest(plugin="orchestration", roles={"agent": (GOLD,)}, options={"data": (str(store),)})

    async def played() -> dict[str, tuple[str, Trial]]:
        found = {}
        async with Stage(registry, build_spec(registry, request), folder) as stage:
            for name, task in stage.settings[GOLD].tasks.items():
                trial = await stage.run(TrialKey(GOLD, name, 0), 1, MemoryRecorder())
                found[name] = task.facets["level"], trial
        return found

    return asyncio.run(played())


def test_gold_is_at_one_on_tasks_of_each_level_made_for_check_ins(shared_data: Path, tmp_path: Path) -> None:
    """The first run makes tasks beside the store; every figure by rule of each level is 1."""
    store = tmp_path / "store.db"
    import_files(plan({"foursquare": [shared_data / "tools" / "foursquare"]}), store, Silent())
    trials = play(store, tmp_path)
    assert (tmp_path / "store.db.tasks.jsonl.gz").is_file()
    assert {level for level, _ in trials.values()} == set(BY_LEVEL)
    for level, trial in trials.values():
        scores = {score.metric: score.value for score in trial.scores}
        assert {name: scores[name] for name in BY_LEVEL[level]} == dict.fromkeys(BY_LEVEL[level], 1.0)


class Bare:
    """What making tasks asks of a store."""

    digest = "0" * 64
    domains = ("places",)


def made(*tasks: Any) -> Callable[[Any], Any]:
    """Return what stands for the generator."""

    async def generate(*_: Any) -> list[Any]:
        return list(tasks)

    return generate


def test_a_store_without_tasks_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file is left behind; that tasks are sought is told before, for it takes a while."""
    monkeypatch.setattr(stored, "_made", made())
    with pytest.raises(DataError, match="no task was found in this store"):
        stored.of_store(tmp_path / "store.db", Bare())  # type: ignore[arg-type]  # all it uses
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err == "Making tasks for store.db, once; they are kept beside it.\n"


def test_a_folder_that_cannot_be_written_says_where_tasks_may_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the two commands that do the same elsewhere."""
    monkeypatch.setattr(stored, "_made", made(shipped().tasks[0]))
    monkeypatch.setattr(stored, "write", lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
    with pytest.raises(DataError, match="Read-only file system") as caught:
        stored.of_store(tmp_path / "store.db", Bare())  # type: ignore[arg-type]  # all it uses
    assert "track.tasks_file=FILE" in caught.value.hint
