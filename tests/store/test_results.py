"""Stored results, as analyses read them."""

from collections.abc import Callable

import pytest

from recfw.errors import UsageError
from recfw.model.results import Results
from recfw.model.run import RunSpec, Trial
from recfw.model.task import Task
from recfw.store.repository import Store
from recfw.store.results import StoredResults


def test_runs_in_the_order_asked_for(store: Store, spec: RunSpec) -> None:
    """Runs are named as people name them, and one named twice counts once."""
    store.create_run("r2", spec, "content", {}, 1, created=2.0)
    results = StoredResults(store, ["latest", "r1", "r2"])
    assert [run.id for run in results.runs] == ["r2", "r1"]


def test_everything_an_analysis_reads(store: Store, make_trial: Callable[..., Trial]) -> None:
    """Tasks, rows, traces and settings are at hand."""
    trial = make_trial()
    store.add_tasks("r1", [Task("t1", "c")])
    store.add_trial("r1", trial)
    results: Results = StoredResults(store, ["r1"], {"resamples": 10})
    (row,) = results.rows("r1")
    assert row == next(store.rows("r1"))
    assert results.tasks("r1") == {"t1": Task("t1", "c")}
    assert results.trace(row) == store.trace("r1", trial.key)
    assert results.settings() == {"resamples": 10}


def test_no_settings(store: Store) -> None:
    """Without settings there are none."""
    assert StoredResults(store, ["r1"]).settings() == {}


def test_unknown_run(store: Store) -> None:
    """A name that means no run is refused before anything is computed."""
    with pytest.raises(UsageError, match="no run 'x'"):
        StoredResults(store, ["r1", "x"])
