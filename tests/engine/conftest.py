"""Trials of the fake tracks, played once in this process."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.run import RunSpec, Trial, TrialKey
from recfw.registry import Registry
from recfw.testing.fakes import MemoryRecorder

Play = Callable[..., Any]


@pytest.fixture
def on_stage(trouble_registry: Registry, tmp_path: Path) -> Play:
    """A function that opens a stage of a request and awaits what it is given, with the stage."""

    def run(work: Callable[[Stage], Any], spec: RunSpec | None = None, **request: Any) -> Any:
        async def main() -> Any:
            asked = spec or build_spec(trouble_registry, RunRequest(**request))
            async with Stage(trouble_registry, asked, tmp_path / "cache") as stage:
                return await work(stage)

        return asyncio.run(main())

    return run


@pytest.fixture
def play(on_stage: Play) -> Callable[..., Trial]:
    """A function that plays one trial of a request: its first cell, and the task named (default the first)."""

    def run(task: str = "", **request: Any) -> Trial:
        async def one(stage: Stage) -> Trial:
            cell = stage.spec.cells[0].name
            key = TrialKey(cell, task or next(iter(stage.settings[cell].tasks)), 0)
            return await stage.run(key, 1, MemoryRecorder())

        return on_stage(one, **request)

    return run
