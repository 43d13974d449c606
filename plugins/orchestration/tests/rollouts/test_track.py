"""The track as core sees it: options, digest, and whole runs over the generated world."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.errors import DataError, UsageError
from recfw.model.run import Cell
from recfw.registry import options_from
from recfw.testing.contracts import ParticipantContract, TrackContract
from recfw_orchestration.rollout.opening import Opening
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.tasks.pool import shipped, write
from recfw_orchestration.track import OrchestrationTrack

FEW = 12
"""Tasks of the small file that tests play."""


def track(**options: Any) -> OrchestrationTrack:
    """Return a track under options."""
    return OrchestrationTrack(options_from(OrchestrationTrack, options, "track"))


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of some of the shipped tasks, of every level and domain."""
    path = tmp_path_factory.mktemp("tasks") / "few.jsonl"
    pool = shipped()
    write(path, pool.head, pool.tasks[:: len(pool.tasks) // FEW])
    return path


def test_the_shipped_tasks_are_the_papers_in_number() -> None:
    """1,288, each with the facets that reports split by, and what the environment shows of it."""
    tasks = track().tasks()
    assert len(tasks) == 1288
    for task in tasks:
        assert set(OrchestrationTrack.split_by) <= set(task.facets)
        assert {"instruction", "user_id", "place", "time", "candidates", "tools"} <= set(task.public)
        assert task.private["target"] in task.public["candidates"]


def test_the_default_cells_are_the_reference_agents() -> None:
    """With the user that opens."""
    cells = track().default_cells()
    assert [cell.name for cell in cells] == ["orchestration-gold", "orchestration-router", "orchestration-random"]
    assert all(isinstance(cell, Cell) and cell.roles["user"].name == Opening.name for cell in cells)


def test_the_content_digest_is_of_everything_that_decides_figures(few: Path) -> None:
    """Tasks, tools, limits and the planning state's budget; the same for equal options."""
    plain = track(tasks_file=str(few)).content_digest()
    others = [
        track().content_digest(),
        track(tasks_file=str(few), tools="all").content_digest(),
        track(tasks_file=str(few), rounds={"L1": 2}).content_digest(),
        track(tasks_file=str(few), state_tokens=500).content_digest(),
    ]
    assert plain == track(tasks_file=str(few)).content_digest()
    assert len({plain, *others}) == 5


def test_tasks_of_other_data_are_refused(few: Path, tmp_path: Path) -> None:
    """With what makes tasks for a store."""
    pool = shipped()
    path = tmp_path / "other.jsonl"
    write(path, evolve(pool.head, data="0" * 64), pool.tasks[:1])
    with pytest.raises(DataError, match="made on other data"):
        track(tasks_file=str(path)).content_digest()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tools": "some"}, "neither 'domain' nor 'all'"),
        ({"state_tokens": 0}, "at least 1"),
        ({"calls": {"L7": 3}}, "there is no level 'L7'"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], words: str) -> None:
    """By name, before anything starts."""
    with pytest.raises(UsageError, match=words):
        track(**options)


class TestTrack(TrackContract):
    """The track with its default cells over the shipped tasks."""

    component = OrchestrationTrack
    sample = 5
    overridden = {"test_validates": "all shipped tasks are validated by the validator's own tests; here some of them"}

    def test_validates(self, few: Path) -> None:  # type: ignore[override]  # the suite's has no argument
        """Some of the tasks break no rule, nor are they blamed for what the others would have to add."""
        assert list(track(tasks_file=str(few)).validate()) == []


class TestAllTools(TrackContract):
    """The track with all 32 tools."""

    component = OrchestrationTrack
    options = {"tools": "all"}
    sample = 3
    overridden = {"test_validates": "the content is the same, and it was checked once"}

    def test_validates(self) -> None:
        """Offer every tool of every server instead."""
        assert sum(len(spec.tools) for spec in SERVERS.values()) == 32


class TestOpening(ParticipantContract):
    """The user that opens."""

    component = Opening
    role = "user"

    def views(self) -> list[Any]:
        """Return what it sees."""
        from recfw.model.view import View

        return [View("user", facts={"request": "a camera"})]
