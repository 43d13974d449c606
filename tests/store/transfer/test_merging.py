"""Stores are merged: what is missing is added, what is there stays, what contradicts it is refused."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from fakes.moving import CONTENT, OTHER_CONTENT, TASKS, MakeTrial, fill, held, put_out, take_in, trace, unlabelled

from recfw.errors import DataError, StoreError
from recfw.model.run import RunSpec, Status
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.store.repository import Store

IMPORT = """
import sys
from recfw.store.repository import Store
from recfw.store.transfer.entering import import_runs
from recfw.store.transfer.sources import open_source
with open_source(sys.argv[1]) as source, Store.open(sys.argv[2]) as store:
    print("begun", flush=True)
    print(list(import_runs(store, source)), flush=True)
"""


@pytest.fixture
def other(place: str, spec: RunSpec, make_trial: MakeTrial):  # type: ignore[no-untyped-def]
    """A store in each database with the run ``r1``, of whose trials it has others."""
    with Store.open(place) as store:
        store.create_run("r1", spec, CONTENT, {"recfw": "1"}, 6, created=1.0, status="interrupted")
        store.add_tasks("r1", [*TASKS, Task("t9", "c")])
        store.add_trials("r1", [make_trial(task="t9", trial=n) for n in range(3)])
        yield store


def test_missing_trials_are_added(other: Store, source: Store) -> None:
    """Afterwards the store has the trials of both, and everything of each is as it was."""
    before = {str(part): part for part in held(other)[1:]}
    (arrived,) = take_in(other, source.where)
    assert (arrived.new, arrived.attempts, arrived.held) == (False, 7, 0)
    after = {str(part): part for part in held(other)[1:]}
    assert after == before | {str(part): part for part in held(source)[1:]}
    assert other.labels.tags() == {"r1": ("base", "paper")}


def test_import_again_changes_nothing(other: Store, source: Store) -> None:
    """The same run once more is there already."""
    take_in(other, source.where)
    before = held(other)
    (arrived,) = take_in(other, source.where)
    assert (arrived.new, arrived.attempts, arrived.scores, arrived.held) == (False, 0, 0, 7)
    assert held(other) == before


def test_two_halves_make_a_whole(source: Store, tmp_path: Path, spec: RunSpec, make_trial: MakeTrial) -> None:
    """A run that was carried out in two places is complete where both halves come together."""
    with Store.open(tmp_path / "half.db") as one, Store.open(tmp_path / "elsewhere" / "half.db") as two:
        for store, numbers in ((one, range(2)), (two, range(2, 4))):
            store.create_run("h", spec, CONTENT, {}, 4, created=1.0, status="interrupted")
            store.add_trials("h", [make_trial(trial=n) for n in numbers])
        take_in(one, two.where)
        assert one.run("h").status == "completed"
        assert [info.key.trial for info in one.trials("h")] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"spec": {"seed": 8}}, "another specification: "),
        ({"content": OTHER_CONTENT}, f"another content digest: {OTHER_CONTENT} there, {CONTENT} in what is imported"),
        ({"versions": {"recfw": "2"}}, 'other versions: {"recfw":"2"} there'),
        ({"planned": 7}, "another number of planned trials: 7 there, 6 in what is imported"),
    ],
)
def test_same_id_other_run(target: Store, source: Store, spec: RunSpec, changes: dict[str, Any], named: str) -> None:
    """A run of the same id that was asked something else is refused, with the difference."""
    asked = evolve(spec, **changes.get("spec", {}))
    content, versions = changes.get("content", CONTENT), changes.get("versions", {"recfw": "1"})
    target.create_run("r1", asked, content, versions, changes.get("planned", 6))
    before = held(target)
    with pytest.raises(DataError, match="run r1 is there already, with") as caught:
        take_in(target, source.where)
    assert named in caught.value.message
    assert held(target) == before


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"stop": "other"}, "another trial a/t1/1, attempt 1"),
        (trace("other words"), "another trial a/t1/1, attempt 1"),
        ({"scores": (Score("passed", 0.25, "exact:1"),)}, "another passed by exact:1 for trial a/t1/1, attempt 1"),
    ],
)
def test_contradiction(other: Store, source: Store, make_trial: MakeTrial, fields: dict[str, Any], named: str) -> None:
    """An attempt or a score that differs is refused by name, and what came before it in the file is not kept."""
    source_trial = {"task": "t1", "trial": 1}
    whole = held(source)
    part = next(part for part in whole if str(part) == "trial a/t1/1, attempt 1")
    same = {"trace": part.trace, "checksums": part.checksums, "events": 3}
    other.add_trial("r1", make_trial(**source_trial, **{**same, **fields}))
    before = held(other)
    with pytest.raises(DataError, match=f"with {named}"):
        take_in(other, source.where)
    assert held(other) == before


def test_other_task(other: Store, source: Store) -> None:
    """A task of the same id with another content is refused."""
    with source.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM run_task")
    source.add_tasks("r1", [Task("t1", "elsewhere")])
    with pytest.raises(DataError, match="with another task 't1'"):
        take_in(other, source.where)


def test_later_scores_are_added(source: Store, target: Store) -> None:
    """Scores that one store has and the other lacks come along; an open figure is filled, a filled one stays."""
    take_in(target, source.where)
    key = next(source.trials("r1")).key
    source.add_scores("r1", {(key, 1): [Score("tone", 0.5, "new:1"), Score("open", 0.75, "later:1")]})
    target.add_scores("r1", {(key, 1): [Score("mine", 1.0, "own:1")]})
    (arrived,) = take_in(target, source.where)
    assert (arrived.attempts, arrived.scores) == (0, 2)
    values = {(score.metric, score.scorer): score.value for score in target.scores("r1", key)}
    assert values[("tone", "new:1")] == 0.5
    assert values[("open", "later:1")] == 0.75
    assert values[("mine", "own:1")] == 1.0
    (arrived,) = take_in(source, target.where)
    assert (arrived.attempts, arrived.scores) == (0, 1)
    assert sorted(source.scores("r1", key), key=str) == sorted(target.scores("r1", key), key=str)


def test_notes(source: Store, target: Store) -> None:
    """Tags are united; a note that is here stays, and it is said that another was left out."""
    take_in(target, source.where)
    target.labels.set_note("r1", "mine")
    target.labels.add("r1", ["own"])
    (arrived,) = take_in(target, source.where)
    assert arrived.note == "its note here was kept, the other was left out"
    assert target.labels.notes() == {"r1": "mine"}
    assert target.labels.tags() == {"r1": ("base", "own", "paper")}


def test_many_trials_of_both(source: Store, target: Store, make_trial: MakeTrial) -> None:
    """More trials than are written at once, every third of which is there, are all there afterwards, once each."""
    target.create_run("r1", source.run("r1").spec, CONTENT, {"recfw": "1"}, 6, created=1.0)
    target.add_tasks("r1", TASKS)
    for store in (source, target):
        store.add_tasks("r1", [Task("t3", "c")])
    source.add_trials("r1", [make_trial(task="t3", trial=n) for n in range(1300)])
    target.add_trials("r1", [make_trial(task="t3", trial=n) for n in range(0, 1300, 3)])
    (arrived,) = take_in(target, source.where)
    assert (arrived.attempts, arrived.held) == (1307 - 434, 434)
    assert unlabelled(held(target)) == unlabelled(held(source))


def test_run_that_is_carried_out(source: Store, target: Store, spec: RunSpec) -> None:
    """A run that a process carries here is not written to by another."""
    target.create_run("r1", spec, CONTENT, {"recfw": "1"}, 6)
    with target.journal("r1").lock(), pytest.raises(StoreError, match="is being carried out by another process"):
        take_in(target, source.where)


def test_store_into_itself(source: Store) -> None:
    """A store holds all of its own runs already."""
    (arrived,) = take_in(source, source.where)
    assert (arrived.new, arrived.attempts, arrived.held) == (False, 0, 7)


def test_killed_import_leaves_nothing(tmp_path: Path, target: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
    """After kill -9 in the middle there is no run, or all of it; and the next import succeeds."""
    with Store.open(tmp_path / "big.db") as big:
        big.create_run("r1", spec, CONTENT, {}, 1000, status="completed")
        big.add_tasks("r1", [Task(f"t{n}", "c") for n in range(1000)])
        big.add_trials("r1", [make_trial(task=f"t{n}") for n in range(1000)])
        path = put_out(big, tmp_path / "big.jsonl.gz")
    for seconds in (0.0, 0.02, 0.05, 0.1):
        command = [sys.executable, "-c", IMPORT, str(path), target.where]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
        whole = [("r1", 1000)] if target.runs() else []
        assert [(run.info.id, run.completed) for run in target.runs()] == whole
        with target.database.read() as connection:
            rows = [connection.exec_driver_sql(f"SELECT COUNT(*) FROM {name}").scalar() for name in ("trial", "trace")]
        assert rows == [1000 * len(whole)] * 2
    take_in(target, path)
    assert [(run.info.id, run.completed) for run in target.runs()] == [("r1", 1000)]


def test_full_disk(source: Store, target: Store, tmp_path: Path, make_trial: MakeTrial, largest_file) -> None:  # type: ignore[no-untyped-def]
    """An import that the disk has no room for says so and leaves nothing of the run."""
    source.add_tasks("r1", [Task("t3", "c")])
    source.add_trials("r1", [make_trial(task="t3", trial=n) for n in range(500)])
    path = put_out(source, tmp_path / "out.jsonl.gz")
    with largest_file(300_000), pytest.raises(StoreError, match=r"the disk (is full|failed)"):
        take_in(target, path)
    assert target.runs() == []
    assert take_in(target, path)[0].attempts == 507


def test_failure_in_the_second_run_keeps_the_first(
    source: Store, target: Store, tmp_path: Path, spec: RunSpec, make_trial: MakeTrial
) -> None:
    """Each run is a transaction of its own: one that is refused takes no other with it."""
    source.create_run("r2", spec, CONTENT, {}, 6)
    fill(source, make_trial, "r2")
    target.create_run("r2", spec, OTHER_CONTENT, {}, 6)
    with pytest.raises(DataError, match="run r2 is there already"):
        take_in(target, put_out(source, tmp_path / "out.jsonl.gz", "r1", "r2"))
    assert held(target) == held(source)
    assert target.run("r2").content_digest == OTHER_CONTENT
    assert [run.completed for run in target.runs()] == [5, 0]


def test_status_of_what_is_missing(source: Store, target: Store) -> None:
    """A run that is new here keeps its status, whatever that is."""
    source.set_run_status("r1", "incomplete")
    take_in(target, source.where)
    assert target.run("r1").status == "incomplete"
    assert {info.status for info in target.trials("r1")} == set(Status)
