"""A glance at a store sees what the store itself would say, or nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fakes.moving import MakeTrial, fill

from recfw.model.run import RunSpec, Status
from recfw.store.glance import SCHEMA, newest_runs, summaries
from recfw.store.migrations import MIGRATIONS
from recfw.store.repository import Store


@pytest.fixture
def store(tmp_path: Path, spec: RunSpec, make_trial: MakeTrial) -> Iterator[Store]:
    """A store with three runs: whole, with trials of every fate and labels; empty; older, made later."""
    with Store.open(tmp_path / "runs.db") as made:
        made.create_run("r1", spec, "content", {}, 4, created=1.0, status="completed")
        fill(made, make_trial)
        made.create_run("r2", spec, "content", {"recfw": "1"}, 4, created=9.0)
        made.create_run("r0", spec, "content", {}, 4, created=0.5, status="interrupted")
        for attempt, status in enumerate((Status.FAILED, Status.FAILED, Status.COMPLETED), 1):
            made.add_trial("r2", make_trial(task="t1", attempt=attempt, status=status))
        for attempt in (1, 2):
            made.add_trial("r2", make_trial(task="t2", attempt=attempt, status=Status.FAILED))
        made.labels.add("r2", ["b", "a"])
        made.labels.set_note("r0", "words\nof ours")
        yield made


def test_a_glance_sees_what_the_store_says(store: Store, tmp_path: Path) -> None:
    """Runs, how far each got, tags and notes are the same by both ways."""
    assert summaries(tmp_path / "runs.db") == store.runs()
    assert [(run.completed, run.failed) for run in store.runs() if run.info.id == "r2"] == [(1, 1)]
    assert newest_runs(tmp_path / "runs.db", 2) == [run.info.id for run in store.runs()][:0:-1]


def test_the_schema_is_todays() -> None:
    """Whoever adds a migration reads what this module reads."""
    assert 1 + len(MIGRATIONS) == SCHEMA


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '1' WHERE key = 'schema'",
        "UPDATE meta SET value = '99' WHERE key = 'schema'",
        "DELETE FROM meta",
        "DROP TABLE run_tag",
        "UPDATE run SET spec = '{' WHERE id = 'r2'",
        "UPDATE run SET spec = '{}' WHERE id = 'r2'",
    ],
)
def test_what_takes_more_than_a_glance_is_left_to_the_store(store: Store, tmp_path: Path, statement: str) -> None:
    """Another schema and whatever is damaged give nothing, and no error."""
    with closing(sqlite3.connect(tmp_path / "runs.db")) as connection:
        connection.executescript(f"PRAGMA foreign_keys = OFF; {statement};")
    assert summaries(tmp_path / "runs.db") is None


@pytest.mark.parametrize("content", [None, b"", b"no database at all, but long enough to be taken for one" * 9])
def test_no_store_at_all(tmp_path: Path, content: bytes | None) -> None:
    """A missing file is not made; an empty one and another's are left alone."""
    path = tmp_path / "other.db"
    if content is not None:
        path.write_bytes(content)
    assert summaries(path) is None
    assert path.exists() == (content is not None)
