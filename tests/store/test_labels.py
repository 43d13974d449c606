"""Tags, notes, sizes, endings and names of trials, on both databases."""

import hashlib
from collections.abc import Callable

import pytest

from recfw.errors import UsageError
from recfw.model.run import Attachment, RunSpec, Status, Trial
from recfw.model.task import Task
from recfw.store.repository import Store
from recfw.store.space import space_of

MakeTrial = Callable[..., Trial]
PICTURE = Attachment(hashlib.sha256(b"picture").hexdigest(), "image/png", b"picture")


def test_tags(store: Store, spec: RunSpec) -> None:
    """Tags are kept once, in the order of their bytes, and belong to one run."""
    store.create_run("r2", spec, "content", {}, 1)
    store.labels.add("r1", ["b", "é", "B", "a", "b"])
    store.labels.add("r2", ["b"])
    store.labels.add("r2", [])
    assert store.labels.tags() == {"r1": ("B", "a", "b", "é"), "r2": ("b",)}
    store.labels.remove("r1", ["b", "B"])
    assert store.labels.tags() == {"r1": ("a", "é"), "r2": ("b",)}


def test_a_run_has_a_hundred_tags_at_most(store: Store) -> None:
    """One more is refused, and none of those that came with it is given."""
    store.labels.add("r1", [f"t{n}" for n in range(100)])
    with pytest.raises(UsageError, match=r"a run has 100 tags at most\."):
        store.labels.add("r1", ["t0", "more"])
    assert len(store.labels.tags()["r1"]) == 100


def test_removing_a_tag_that_is_not_there(store: Store) -> None:
    """Where one of several tags is not there, none is removed."""
    store.labels.add("r1", ["a"])
    with pytest.raises(UsageError, match=r"run r1 has no tag 'z'\. It has: a\."):
        store.labels.remove("r1", ["a", "z"])
    assert store.labels.tags() == {"r1": ("a",)}


def test_a_bad_tag_among_good_ones(store: Store) -> None:
    """Where one of several words is no tag, none is given."""
    with pytest.raises(UsageError, match="cannot be a tag"):
        store.labels.add("r1", ["good", "bad tag"])
    assert store.labels.tags() == {}


def test_a_tag_does_not_stand_for_the_beginning_of_another_runs_id(store: Store, spec: RunSpec) -> None:
    """Where a tag reads as another run's id begins, neither is meant; a whole id and other tags still are."""
    store.create_run("r20", spec, "content", {}, 1)
    store.labels.add("r1", ["r2", "r20", "r1"])
    with pytest.raises(UsageError, match=r"'r2' is a tag of r1, and the id of r20 begins with it\. Name the run"):
        store.run("r2")
    assert [store.run(name).id for name in ("r20", "r1")] == ["r20", "r1"]


def test_notes(store: Store) -> None:
    """A note is replaced by a later one, keeps any character that a database can hold, and goes when it is empty."""
    store.labels.set_note("r1", "first")
    store.labels.set_note("r1", "Zoë\n\0\ud800!")
    assert store.labels.notes() == {"r1": "Zoë\n\ufffd?!"}
    store.labels.set_note("r1", "")
    assert store.labels.notes() == {}


def test_listed_with_runs(store: Store) -> None:
    """A listing of runs has their tags and notes."""
    store.labels.add("r1", ["a"])
    store.labels.set_note("r1", "n")
    assert [(run.tags, run.note) for run in store.runs()] == [(("a",), "n")]


def test_run_by_tag(store: Store, spec: RunSpec) -> None:
    """A tag means its run, also where it begins that run's own id; an id means its run before a tag does."""
    store.create_run("r2", spec, "content", {}, 1, created=2.0)
    store.create_run("tag1", spec, "content", {}, 1, created=3.0)
    store.labels.add("r1", ["tags", "r2"])
    store.labels.add("tag1", ["tag"])
    assert [store.run(name).id for name in ("tags", "r2", "tag", "ta", "latest")] == [
        "r1",
        "r2",
        "tag1",
        "tag1",
        "tag1",
    ]


def test_deleted_with_the_run(store: Store) -> None:
    """A deleted run leaves no tag and no note, and its id can be used again."""
    store.labels.add("r1", ["a"])
    store.labels.set_note("r1", "n")
    store.delete_run("r1")
    assert (store.labels.tags(), store.labels.notes(), store.runs()) == ({}, {}, [])


def test_space(store: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
    """What a run takes is told by its parts; what another run refers to as well is counted, and named as shared."""
    assert space_of(store.database, "r1").total == 0
    store.create_run("r2", spec, "content", {}, 1)
    trial = make_trial(attachments=(PICTURE,))
    store.add_trials("r1", [trial, make_trial(trial=1, attachments=(PICTURE,))])
    store.add_tasks("r1", [Task("t1", "c" * 1000)])
    alone = space_of(store.database, "r1")
    store.add_trial("r2", trial)
    both = space_of(store.database, "r1")
    assert (alone.attempts, alone.attachments, alone.shared, both.shared) == (2, 7, 0, 7)
    assert alone.traces == 2 * (len(trial.trace) + 16)
    assert alone.rows > 1000
    assert alone.total == alone.traces + alone.attachments + alone.rows


def test_endings(store: Store, make_trial: MakeTrial) -> None:
    """A trial is counted once, by its last word; an interrupted one is none."""
    store.add_trials(
        "r1",
        [
            make_trial(trial=0, status=Status.FAILED, stop="down"),
            make_trial(trial=0, attempt=2),
            make_trial(trial=1, status=Status.FAILED, stop="down"),
            make_trial(trial=2, status=Status.INTERRUPTED, stop="interrupted"),
            make_trial(trial=3),
        ],
    )
    assert store.endings("r1") == {"completed: done": 2, "failed: down": 1}


def test_trials_by_name(store: Store, make_trial: MakeTrial) -> None:
    """A whole name means its trial; a short one all that it may stand for, in order."""
    store.add_trials(
        "r1", [make_trial("a", "t", 0), make_trial("a", "t", 1), make_trial("b", "t", 0), make_trial("b", "a/t", 0)]
    )
    store.add_trial("r1", make_trial("a", "t", 1, attempt=2))
    names = ["a/t/1", "t", "a/t", "t/1", "b/a/t", "x", "t/01"]
    found = {name: [str(key) for key in store.keys_named("r1", name)] for name in names}
    assert found == {
        "a/t/1": ["a/t/1"],
        "t": ["a/t/0", "b/t/0"],
        "a/t": ["a/t/0", "b/a/t/0"],
        "t/1": ["a/t/1"],
        "b/a/t": ["b/a/t/0"],
        "x": [],
        "t/01": [],
    }
