"""Stores with a run to move, and without."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.moving import CONTENT, MakeTrial, fill

from recfw.model.run import RunSpec
from recfw.store.repository import Store


@pytest.fixture
def source(tmp_path: Path, spec: RunSpec, make_trial: MakeTrial) -> Iterator[Store]:
    """A store in SQLite with the finished run ``r1``, its tags and its note."""
    with Store.open(tmp_path / "source.db") as store:
        store.create_run("r1", spec, CONTENT, {"recfw": "1"}, 6, created=1.0, status="completed")
        fill(store, make_trial)
        store.labels.add("r1", ["paper", "base"])
        store.labels.set_note("r1", "two\nlines")
        yield store


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    """An empty store in SQLite."""
    with Store.open(tmp_path / "elsewhere" / "target.db") as store:
        yield store
