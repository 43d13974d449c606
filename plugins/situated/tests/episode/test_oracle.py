"""The scripted oracle completes tasks over the embedded simulator: walk, inspect, add, within twenty turns."""

import asyncio

import pytest

from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.model.run import TrialKey
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder
from recfw_situated.tasks.pool import shipped


def endings(tasks, folder):
    """Return (stop, cart holds the target, turns) of each task that the oracle plays."""
    registry = Registry(build_manager())
    roles = {"agent": ("talk-only",), "user": ("situated-oracle",)}
    spec = build_spec(registry, RunRequest(track="situated", roles=roles, tasks=tuple(task.id for task in tasks)))

    async def play():
        async with Stage(registry, spec, folder) as stage:
            cell = spec.cells[0].name
            trials = [await stage.run(TrialKey(cell, task.id, 0), 1, MemoryRecorder()) for task in tasks]
        return [unpack_trace(trial.trace).end for trial in trials]

    found = asyncio.run(play())
    return [(e.stop, e.summary["cart"], e.summary["turns"] <= 20) for e in found]


def test_some_tasks(tmp_path):
    """The oracle buys the target of every fortieth task."""
    tasks = shipped()[::40]
    assert [("success_cart_added", [t.target], True) for t in tasks] == endings(tasks, tmp_path)


@pytest.mark.slow
def test_all_tasks(tmp_path):
    """The oracle buys the target of all 200 tasks."""
    tasks = shipped()
    assert [("success_cart_added", [t.target], True) for t in tasks] == endings(tasks, tmp_path)
