"""A bench for runs: a store of its own, what conducts runs into it, and what of them is not the clock's."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, evolve

from recfw.engine.request import RunRequest, build_spec
from recfw.executors.conductor import Conductor, Prepared, Tally, prepare, resume
from recfw.model.run import ComponentSpec, RunSpec, TrialKey
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.store.repository import Store


@define
class Bench:
    """
    A store, and what conducts runs into it.

    Args:
        registry: What is offered.
        folder: Where the store, its journal and the cache are.
        workers: Worker processes; 0 plays in this process.
        concurrency: Episodes at a time.
    """

    registry: Registry
    folder: Path
    workers: int = 0
    concurrency: int = 4

    @property
    def place(self) -> str:
        """The store's path."""
        return str(self.folder / "runs.db")

    def spec(self, track: str, agent: str = "", **fields: Any) -> RunSpec:
        """Return a run's specification."""
        roles = {"agent": (agent,)} if agent else {}
        return build_spec(self.registry, RunRequest(track=track, roles=roles, **fields))

    def run(self, spec: RunSpec, run_id: str = "r1") -> Tally:
        """Conduct a new run."""
        with Store.open(self.place) as store, prepare(store, self.registry, spec, run_id) as prepared:
            return self._conduct(store, prepared)

    def resume(self, asked: RunSpec | None = None, run_id: str = "r1") -> Tally:
        """Resume a run."""
        with Store.open(self.place) as store, resume(store, self.registry, run_id, asked) as prepared:
            return self._conduct(store, prepared)

    def _conduct(self, store: Store, prepared: Prepared) -> Tally:
        executor = ComponentSpec("local", {"concurrency": self.concurrency, "workers": self.workers})
        conductor = Conductor(store, self.registry, self.folder / "cache", executor)
        return asyncio.run(conductor.conduct(prepared))

    def figures(self, run_id: str = "r1") -> list[Any]:
        """Return what of a run's trials is not the clock's: the last word of each, its figures and its events."""
        return figures(self.place, run_id)

    def attempts(self, run_id: str = "r1") -> dict[str, list[tuple[int, str, str]]]:
        """Return task -> (attempt, status, stop) of every stored attempt."""
        found: dict[str, list[tuple[int, str, str]]] = {}
        with Store.open(self.place) as store:
            for info in store.trials(run_id):
                found.setdefault(info.key.task, []).append((info.attempt, info.status.value, info.stop))
        return found


def figures(place: str, run_id: str) -> list[Any]:
    """Return what of a run's trials is not the clock's."""
    found = []
    with Store.open(place) as store:
        for row in store.rows(run_id):
            key = TrialKey(row.cell, row.task, row.trial)
            found.append((str(key), row.status.value, row.stop, row.scores, timeless(store.packed_trace(run_id, key))))
    return found


def timeless(packed: bytes) -> list[Any]:
    """Return a trace's events with their durations left out."""
    return [evolve(e, seconds=0.0) if hasattr(e, "seconds") else e for e in unpack_trace(packed).events]


def descendants(pid: int) -> list[int]:
    """Return the processes below one, by /proc."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(after[1]), []).append(int(path.parent.name))
    below, found = [pid], []
    while below:
        children = parents.get(below.pop(), [])
        found += children
        below += children
    return found


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that has ended but was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(true: Callable[[], Any], seconds: float, what: str) -> Any:
    """Return what a condition gives once it holds; fail where it does not hold in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := true():
            return found
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s: {what}")
