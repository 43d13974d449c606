"""What users beyond the paper measure: scripted agents that heed a manner beside those that do not, on the panel."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import frozen

from recfw.engine.replay import replay
from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.run import TrialKey
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder

REPLAYED = 7
"""Every so many trials one is replayed."""


@frozen
class Found:
    """One agent's trials: how they ended, and the mean of each figure over those that have it."""

    stops: Counter[str]
    means: dict[str, float]


Play = Callable[..., Found]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Return a function that plays the whole panel of some conditions with one agent and one user."""
    registry = Registry(build_manager())

    async def trials(user: str, agent: str, conditions: Sequence[str], cache: Path) -> Found:
        tasks = ("panel=yes", *(f"condition={each}" for each in conditions))
        roles = {"agent": (agent,), "user": (user,)}
        spec = build_spec(registry, RunRequest(track="books", roles=roles, tasks=tasks))
        stops: Counter[str] = Counter()
        values: dict[str, list[float]] = {}
        async with Stage(registry, spec, cache) as stage:
            (cell,) = stage.spec.cells
            for number, task in enumerate(stage.settings[cell.name].tasks):
                key = TrialKey(cell.name, task, 0)
                trial = await stage.run(key, 1, MemoryRecorder())
                if number % REPLAYED == 0:
                    assert await replay(stage, key, unpack_trace(trial.trace), trial.scores) is None
                stops[trial.stop] += 1
                for score in trial.scores:
                    if score.value is not None:
                        values.setdefault(score.metric, []).append(score.value)
        return Found(stops, {name: sum(each) / len(each) for name, each in values.items()})

    def run(user: str, agent: str, *conditions: str) -> Found:
        return asyncio.run(trials(user, agent, conditions, tmp_path_factory.mktemp("cache")))

    return run


def test_critiques_solve_hidden_tasks_for_who_heeds_them(play: Play) -> None:
    """Who takes critiques up solves every hidden task; who does not, as few as with the user that gives none."""
    heeding = play("books-critiquing", "popularity", "hidden")
    deaf = play("books-critiquing", "unheeding", "hidden")
    without = play("books-rules", "popularity", "hidden")
    assert 1.0 == heeding.means["success"]
    assert without.means["success"] == deaf.means["success"] < 0.7
    assert heeding.means["proposals"] < 0.4 * deaf.means["proposals"]
    assert deaf.means["hidden_told"] > 0.9
    assert "critiques" not in without.means


def test_patience_rewards_few_questions(play: Play) -> None:
    """With a patience of three fields, narrow questions beat a broad one, and asking on ends every trial."""
    frugal, broad, insistent = (
        play("books-costly", each, "volunteer", "mixed") for each in ("frugal", "popularity", "insistent")
    )
    assert frugal.means["success"] > broad.means["success"] + 0.02
    assert (0.0, 2.0) == (frugal.means["fields_refused"], broad.means["fields_refused"])
    assert frugal.means["patience_used"] < 2.6 < broad.means["patience_used"] == 3.0
    assert {"user_left": 102} == insistent.stops
    assert (0.0, 1.0) == (insistent.means["success"], insistent.means["user_left"])


def test_preferences_grade_what_equally_succeeds(play: Play) -> None:
    """With soft preferences, two agents of equal success are told apart by the grade."""
    pleasing = play("books-soft", "pleasing", "volunteer", "mixed")
    popular = play("books-soft", "popularity", "volunteer", "mixed")
    assert 1.0 == pleasing.means["success"] == popular.means["success"]
    assert pleasing.means["grade"] > 0.9
    assert popular.means["grade"] < 0.6
    assert pleasing.means["preferences_told"] == popular.means["preferences_told"] > 1
