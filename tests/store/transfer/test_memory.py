"""Runs travel without being loaded whole: what is in memory does not grow with the run."""

import gc
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.moving import CONTENT, MakeTrial, held, put_out, take_in, trace

from recfw.model.run import RunSpec
from recfw.model.task import Task
from recfw.store.repository import Store
from recfw.store.space import space_of
from recfw.testing.project import Project
from recfw.testing.synthetic import fill_store

SLACK = 1.35
"""How much more may be in memory for twice as many trials."""


def peak(action: Callable[[], Any]) -> int:
    """
    Return how many bytes were allocated at most while something was done.

    What earlier tests left in this process is set aside: the more there is, the later Python collects what the action
    has dropped, and the peak would depend on which tests came before.
    """
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def filled(place: Path, spec: RunSpec, make_trial: MakeTrial, count: int) -> Store:
    """Return a store with one run of so many trials of small tasks."""
    store = Store.open(place)
    store.create_run("r1", spec, CONTENT, {}, count, created=1.0, status="completed")
    for first in range(0, count, 550):
        numbers = range(first, min(first + 550, count))
        store.add_tasks("r1", [Task(f"t{n:05}", "c") for n in numbers])
        store.add_trials("r1", [make_trial(task=f"t{n:05}") for n in numbers])
    return store


@pytest.fixture(scope="module", params=[600, pytest.param(1100, marks=pytest.mark.slow)])
def stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, spec: RunSpec, make_trial: MakeTrial
) -> list[Store]:
    """A small store and one with twice as many trials, both of more than are read at once; they are only read."""
    folder = tmp_path_factory.mktemp("stores")
    counts = (request.param, 2 * request.param)
    return [filled(folder / f"{count}.db", spec, make_trial, count) for count in counts]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory, spec: RunSpec, make_trial: MakeTrial) -> Store:
    """A store on which an action is tried, so that what is loaded once is loaded when it is measured."""
    return filled(tmp_path_factory.mktemp("few") / "runs.db", spec, make_trial, 501)


ACTIONS: dict[str, Callable[[Store, Path], Any]] = {
    "export": lambda store, path: put_out(store, path / f"{id(store)}.jsonl.gz"),
    "runs": lambda store, _: store.runs(),
    "rows": lambda store, _: sum(1 for _ in store.rows("r1")),
    "endings": lambda store, _: store.endings("r1"),
    "space": lambda store, _: space_of(store.database, "r1"),
    "one trial": lambda store, _: store.keys_named("r1", "a/t00500/0"),
}


@pytest.mark.parametrize("what", ACTIONS)
def test_memory_is_flat(few: Store, stores: list[Store], tmp_path: Path, what: str) -> None:
    """Twice as many trials take hardly more memory to export, list, report, sum up or look one up."""
    small, large = stores
    ACTIONS[what](few, tmp_path)  # what is loaded once is loaded
    first, second = (peak(lambda store=store: ACTIONS[what](store, tmp_path)) for store in (small, large))
    assert second < SLACK * first + 150_000


def test_import_is_flat(stores: list[Store], tmp_path: Path) -> None:
    """The same for checking and importing."""
    peaks = []
    for number, store in enumerate(stores):
        path = put_out(store, tmp_path / f"{number}.jsonl")
        with Store.open(tmp_path / "elsewhere" / f"{number}.db") as target:
            peaks.append(peak(lambda path=path, target=target: take_in(target, path)))  # type: ignore[misc]
    assert peaks[1] < SLACK * peaks[0] + 100_000


def test_long_trial_is_flat(tmp_path: Path, spec: RunSpec, make_trial: MakeTrial) -> None:
    """A trial of many events is checked event by event: three times as many take little more memory."""
    peaks = []
    for count in (2_000, 6_000):
        with Store.open(tmp_path / f"{count}.db") as store, Store.open(tmp_path / f"{count}t.db") as target:
            store.create_run("r1", spec, CONTENT, {}, 1, status="completed")
            store.add_tasks("r1", [Task("t1", "c")])
            store.add_trial("r1", make_trial(**trace(*(f"the same words as before, {n % 7}" for n in range(count)))))
            path = put_out(store, tmp_path / f"{count}.jsonl.gz")
            peaks.append(peak(lambda path=path, target=target: take_in(target, path)))  # type: ignore[misc]
            assert held(target) == held(store)
    assert peaks[1] < SLACK * peaks[0] + 200_000


MEASURED = """
import resource, sys
from recfw.cli.main import invoke
status = invoke(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_run_of_100_000_trials(tmp_path: Path) -> None:
    """It is listed, shown, opened, reported, exported and imported in less than 500 MB, and listed at once."""
    project = Project(tmp_path, {"RECFW_STORE": str(tmp_path / "runs.db")})
    with Store.open(project.folder / "runs.db") as store:
        fill_store(store, 100_000)

    def typed(*words: str) -> float:
        command = [sys.executable, "-c", MEASURED, *words]
        begin = time.monotonic()
        done = subprocess.run(command, cwd=project.folder, env=project.env(), capture_output=True, text=True)
        status, megabytes = map(int, done.stderr.splitlines()[-1].split())
        assert (status, megabytes < 500) == (0, True), (words, megabytes)
        return time.monotonic() - begin

    assert typed("runs", "list") < 3
    typed("runs", "show")
    typed("trace", "latest", "one/task-040000/0")
    typed("report", "--format", "json", "--out", "figures.json")
    typed("export", "latest", "--out", "run.jsonl.gz")
    typed("import", "run.jsonl.gz", "--store", "elsewhere/runs.db")
    typed("import", "run.jsonl.gz", "--store", "elsewhere/runs.db")
