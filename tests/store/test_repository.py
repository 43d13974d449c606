"""The store's promises, kept on SQLite and on PostgreSQL."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy import func, select, update

from recfw.errors import DataError, StoreError, UsageError
from recfw.model.results import ResultRow
from recfw.model.run import Attachment, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.serialize import digest, unpack_trace
from recfw.store.names import default_store
from recfw.store.records import AttachmentInfo, TrialInfo
from recfw.store.repository import Store
from recfw.store.tables import METADATA, TRACE, TRIAL

MakeTrial = Callable[..., Trial]
KEY = TrialKey("a", "t1", 0)
PICTURE = Attachment(hashlib.sha256(b"\x00\xffpicture").hexdigest(), "image/png", b"\x00\xffpicture")


def sizes(store: Store) -> dict[str, int]:
    """Return how many rows each table has, the empty ones left out."""
    with store._database.read() as connection:
        counts = {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in METADATA.tables.items()
        }
    return {name: count for name, count in counts.items() if count and name != "meta"}


class TestRuns:
    """Runs are found again, by name, with their state."""

    def test_run_comes_back_as_created(self, store: Store, spec: RunSpec) -> None:
        """A stored run equals what create_run returned."""
        made = store.create_run("r2", spec, "content", {"recfw": "1", "x": "2"}, 9)
        assert store.run("r2") == made
        assert made.spec == spec
        assert made.spec_digest == digest(spec)

    def test_reopened_store_still_has_it(self, store: Store, place: str) -> None:
        """A second opening finds the tables and the run."""
        with Store.open(place, create=False) as again:
            assert again.run("r1") == store.run("r1")

    def test_status_changes(self, store: Store) -> None:
        """A run's status is what was last set."""
        store.set_run_status("r1", "finished")
        assert store.run("r1").status == "finished"

    @pytest.mark.parametrize("name", ["latest", "@", "r2abc", "r2"])
    def test_run_by_name(self, store: Store, spec: RunSpec, name: str) -> None:
        """A run is found by id, by a unique beginning, and as the newest."""
        store.create_run("r2abc", spec, "content", {}, 1, created=2.0)
        assert store.run(name).id == "r2abc"

    def test_exact_id_wins_over_a_longer_one(self, store: Store, spec: RunSpec) -> None:
        """An id that begins another id still means its own run."""
        store.create_run("r1x", spec, "content", {}, 1)
        assert store.run("r1").id == "r1"

    def test_ambiguous_name(self, store: Store, spec: RunSpec) -> None:
        """A beginning that two runs share is refused, with both named."""
        store.create_run("r2", spec, "content", {}, 1, created=2.0)
        with pytest.raises(UsageError, match=r"2 runs begin with 'r': r1, r2\. Write more of the id\."):
            store.run("r")

    @pytest.mark.parametrize(("name", "hint"), [("r11", "Did you mean 'r1'?"), ("zzz", "`latest` is the newest.")])
    def test_unknown_name(self, store: Store, name: str, hint: str) -> None:
        """An unknown name is refused with a suggestion."""
        with pytest.raises(UsageError) as caught:
            store.run(name)
        assert caught.value.message.endswith(f"no run '{name}' (newest first: r1).")
        assert caught.value.hint == hint

    @pytest.mark.parametrize("name", ["latest", "", "r1"])
    def test_no_runs(self, place: str, name: str) -> None:
        """An empty store says that it has no runs."""
        with Store.open(place) as empty, pytest.raises(UsageError, match="there are no runs yet"):
            empty.run(name)

    def test_runs_count_trials_not_attempts(self, store: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
        """A trial counts once: completed if any attempt is, failed if none is but one failed."""
        store.create_run("r0", spec, "content", {}, 3, created=0.5)
        failed = {"status": Status.FAILED, "scores": ()}
        store.add_trials(
            "r1",
            [
                make_trial(trial=0, attempt=1, **failed),
                make_trial(trial=0, attempt=2),
                make_trial(trial=1, attempt=1, **failed),
                make_trial(trial=1, attempt=2, **failed),
                make_trial(trial=2, attempt=1, status=Status.INTERRUPTED),
            ],
        )
        counts = [(run.info.id, run.completed, run.failed) for run in store.runs()]
        assert counts == [("r0", 0, 0), ("r1", 1, 1)]

    def test_default_place(self) -> None:
        """RECFW_STORE names the default store, else it is in this folder."""
        assert default_store({"RECFW_STORE": "/x/y.db"}) == "/x/y.db"
        assert default_store({"RECFW_STORE": ""}) == ".recfw/runs.db"
        assert default_store({}) == ".recfw/runs.db"


class TestTasks:
    """A run's tasks, kept once however many runs have them."""

    TASKS = (Task("t2", "c", {"tier": "1"}, {"p": [1.5]}, {"goal": "x\u0000y"}), Task("t1", "d"))

    def test_tasks_come_back_in_order(self, store: Store) -> None:
        """Tasks keep their order and every field."""
        store.add_tasks("r1", self.TASKS)
        assert list(store.tasks("r1").values()) == list(self.TASKS)

    def test_equal_tasks_are_shared(self, store: Store, spec: RunSpec) -> None:
        """Two runs with the same tasks keep them once."""
        store.create_run("r2", spec, "content", {}, 1)
        store.add_tasks("r1", self.TASKS)
        store.add_tasks("r2", self.TASKS)
        assert sizes(store) == {"run": 2, "task": 2, "run_task": 4}

    def test_adding_again_changes_nothing(self, store: Store) -> None:
        """The same tasks may be added twice, and more of them later."""
        more = Task("t0", "e")
        store.add_tasks("r1", self.TASKS)
        store.add_tasks("r1", self.TASKS)
        store.add_tasks("r1", [more])
        assert list(store.tasks("r1").values()) == [*self.TASKS, more]

    def test_other_runs_tasks_are_not_this_runs(self, store: Store, spec: RunSpec) -> None:
        """A run of some of the content's tasks has only those."""
        store.create_run("r2", spec, "content", {}, 1)
        store.add_tasks("r1", self.TASKS)
        store.add_tasks("r2", self.TASKS[1:])
        assert list(store.tasks("r2")) == ["t1"]

    def test_cells_may_have_tasks_of_their_own(self, store: Store) -> None:
        """Where cells differ in a task, each is given its own, and everyone else the first cell's."""
        store.add_tasks("r1", [Task("t1", "of a")], "a")
        store.add_tasks("r1", [Task("t1", "of b"), Task("t2", "of b")], "b")
        clusters = {cell: [task.cluster for task in store.tasks("r1", cell).values()] for cell in ("", "a", "b")}
        assert clusters == {"": ["of a", "of b"], "a": ["of a", "of b"], "b": ["of b", "of b"]}

    def test_no_tasks(self, store: Store) -> None:
        """An empty list of tasks is stored as none."""
        store.add_tasks("r1", [])
        assert store.tasks("r1") == {}


class TestWriting:
    """A trial is stored whole, once, and never changed."""

    def test_every_field_is_stored(self, store: Store, make_trial: MakeTrial) -> None:
        """Trace, scores, attachments and facts of a trial come back."""
        trial = make_trial(attachments=(PICTURE,), error="bad \ud800 word\0")
        assert store.add_trial("r1", trial)
        assert store.trial("r1", KEY) == TrialInfo(
            KEY, 1, 2**63 - 1, Status.COMPLETED, "done", "bad ? word\ufffd", 1.5, 2.5, 2, trial.usage
        )
        assert store.packed_trace("r1", KEY) == trial.trace
        assert store.trace("r1", KEY) == unpack_trace(trial.trace)
        assert store.scores("r1", KEY) == trial.scores
        assert store.attachment(PICTURE.sha256) == PICTURE
        assert store.attachment_index("r1", KEY) == (AttachmentInfo(PICTURE.sha256, "image/png", 9),)

    def test_repeat_is_not_doubled(self, store: Store, make_trial: MakeTrial) -> None:
        """The same attempt again leaves the store as it was."""
        store.add_trial("r1", make_trial(attachments=(PICTURE,)))
        before = sizes(store)
        assert not store.add_trial("r1", make_trial(stop="other", attachments=(PICTURE,)))
        assert sizes(store) == before
        assert store.trial("r1", KEY).stop == "done"

    def test_batch_counts_the_new(self, store: Store, make_trial: MakeTrial) -> None:
        """A batch may hold attempts that are stored already, or twice."""
        store.add_trial("r1", make_trial())
        assert store.add_trials("r1", [make_trial(), make_trial(trial=1), make_trial(trial=1)]) == 1
        assert store.add_trials("r1", []) == 0
        assert sizes(store) == {"run": 1, "trial": 2, "trace": 2, "score": 4}

    def test_all_or_nothing(self, store: Store, make_trial: MakeTrial) -> None:
        """A trial whose last part cannot be stored leaves no part behind."""
        broken = make_trial(attachments=(Attachment("ff", "image/png", object()),))  # type: ignore[arg-type]
        with pytest.raises(Exception, match=r"."):
            store.add_trial("r1", broken)
        assert sizes(store) == {"run": 1}

    def test_attachment_is_kept_once(self, store: Store, make_trial: MakeTrial) -> None:
        """Two trials that refer to one picture share it."""
        store.add_trials("r1", [make_trial(trial=n, attachments=(PICTURE, PICTURE)) for n in range(2)])
        assert sizes(store)["attachment"] == 1
        assert sizes(store)["trial_attachment"] == 2

    def test_run_must_exist(self, store: Store, make_trial: MakeTrial) -> None:
        """A trial of no stored run is refused."""
        with pytest.raises(StoreError):
            store.add_trial("nowhere", make_trial())

    def test_nan_is_no_figure(self, store: Store, make_trial: MakeTrial) -> None:
        """A figure that is no number is stored as missing on every database."""
        store.add_trial("r1", make_trial(scores=(Score("m", float("nan"), "s"), Score("n", 0.1 + 0.2, "s"))))
        assert [score.value for score in store.scores("r1", KEY)] == [None, 0.1 + 0.2]

    def test_read_only_store_refuses_writes(self, store: Store, place: str, make_trial: MakeTrial) -> None:
        """A store opened for reading reads, and says so when written to."""
        store.add_trial("r1", make_trial())
        with Store.open(place, read_only=True) as reader:
            assert reader.trial("r1", KEY).stop == "done"
            with pytest.raises(StoreError, match="opened for reading only"):
                reader.add_trial("r1", make_trial(trial=1))


class TestScores:
    """Re-judging adds, never overwrites."""

    def test_newest_scorer_speaks(self, store: Store, make_trial: MakeTrial) -> None:
        """Rows give each figure as its newest scorer gave it; all scores stay."""
        store.add_trial("r1", make_trial(scores=(Score("m", 1.0, "z"), Score("k", 3.0, "z"))))
        store.add_scores("r1", {(KEY, 1): [Score("m", 0.5, "a"), Score("j", 0.25, "a")]})
        (row,) = store.rows("r1")
        assert row.scores == {"j": 0.25, "k": 3.0, "m": 0.5}
        given = [(score.metric, score.value, score.scorer) for score in store.scores("r1", KEY)]
        assert given == [("k", 3.0, "z"), ("m", 1.0, "z"), ("j", 0.25, "a"), ("m", 0.5, "a")]

    def test_what_was_given_stays(self, store: Store, make_trial: MakeTrial) -> None:
        """A scorer cannot change its figure."""
        store.add_trial("r1", make_trial(scores=(Score("m", 1.0, "s"),)))
        store.add_scores("r1", {(KEY, 1): [Score("m", 0.0, "s", {"later": True})]})
        assert store.scores("r1", KEY) == (Score("m", 1.0, "s"),)

    def test_missing_figure_is_filled(self, store: Store, make_trial: MakeTrial) -> None:
        """A figure that a scorer could not have may come later, from the same scorer."""
        store.add_trial("r1", make_trial(scores=(Score("m", None, "s"),)))
        store.add_scores("r1", {(KEY, 1): [Score("m", 0.0, "s", {"late": True})]})
        store.add_scores("r1", {(KEY, 1): [Score("m", None, "s")]})
        assert store.scores("r1", KEY) == (Score("m", 0.0, "s", {"late": True}),)

    def test_attempt_must_be_stored(self, store: Store, make_trial: MakeTrial) -> None:
        """Scores for an attempt that is not stored are refused."""
        store.add_trial("r1", make_trial())
        with pytest.raises(StoreError, match=r"Run r1 has no attempt 2 of trial a/t1/0\."):
            store.add_scores("r1", {(KEY, 2): [Score("m", 1.0, "s")]})


class TestRows:
    """Every trial has one row: its last word."""

    def test_completed_row(self, store: Store, make_trial: MakeTrial) -> None:
        """A row holds the trial's facts and figures."""
        store.add_trial("r1", make_trial())
        assert list(store.rows("r1")) == [
            ResultRow(
                "r1",
                "a",
                "t1",
                0,
                Status.COMPLETED,
                "done",
                1,
                2.5,
                {"agent": {"replies": 1.0, "cost": 0.1}},
                {"passed": 1.0, "turns": None},
                {"passed": "exact:1", "turns": "count:1"},
            )
        ]

    @pytest.mark.parametrize(
        ("statuses", "expected"),
        [
            ("cf", (1, Status.COMPLETED, 2)),
            ("fc", (2, Status.COMPLETED, 2)),
            ("cc", (2, Status.COMPLETED, 2)),
            ("ff", (2, Status.FAILED, 2)),
            ("fi", (1, Status.FAILED, 1)),
            ("ic", (2, Status.COMPLETED, 1)),
            ("i", None),
        ],
    )
    def test_last_word(self, store: Store, make_trial: MakeTrial, statuses: str, expected: Any) -> None:
        """The newest completed attempt counts, else the newest failed one; interrupted ones are not counted."""
        of = {"c": Status.COMPLETED, "f": Status.FAILED, "i": Status.INTERRUPTED}
        for number, letter in enumerate(statuses, 1):
            store.add_trial("r1", make_trial(attempt=number, status=of[letter], stop=str(number)))
        rows = [(int(row.stop), row.status, row.attempts) for row in store.rows("r1")]
        assert rows == ([expected] if expected else [])

    def test_failed_row_has_no_scores(self, store: Store, make_trial: MakeTrial) -> None:
        """A failure of infrastructure is never scored as the agent's."""
        store.add_trial("r1", make_trial(status=Status.FAILED))
        assert [row.scores for row in store.rows("r1")] == [{}]

    def test_order_is_by_bytes(self, store: Store, make_trial: MakeTrial) -> None:
        """Rows are ordered by cell, task and trial number, whatever the database's locale and the order of writing."""
        keys = [
            (cell, task, n) for cell in ("b", "B", "a_b", "aB", "é") for task in ("t10", "t2", "T2") for n in (10, 2)
        ]
        store.add_trials("r1", [make_trial(*key) for key in keys])
        assert [(row.cell, row.task, row.trial) for row in store.rows("r1")] == sorted(keys)

    def test_many_rows_while_reading_and_writing(self, store: Store, make_trial: MakeTrial) -> None:
        """Rows stream past the batch size while the same store is read and written."""
        store.add_trials("r1", [make_trial(trial=n) for n in range(1100)])
        seen = 0
        for row in store.rows("r1"):
            if seen == 3:
                store.trace("r1", TrialKey(row.cell, row.task, row.trial))
                store.add_trial("r1", make_trial("z"))
            seen += row.cell == "a"
        assert seen == 1100

    def test_another_runs_trials_stay_out(self, store: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
        """Rows, keys and attempts are one run's."""
        store.create_run("r2", spec, "content", {}, 1)
        store.add_trial("r1", make_trial())
        found = [list(store.rows("r2")), store.done_keys("r2"), store.attempts("r2"), list(store.trials("r2"))]
        assert found == [[], set(), {}, []]


class TestReading:
    """Attempts are found, listed and read one at a time."""

    def test_done_keys_and_attempts(self, store: Store, make_trial: MakeTrial) -> None:
        """Resume learns which trials are done and how many attempts each has had."""
        store.add_trials(
            "r1",
            [
                make_trial(trial=0, attempt=1, status=Status.FAILED),
                make_trial(trial=0, attempt=2),
                make_trial(trial=1, attempt=3, status=Status.INTERRUPTED),
            ],
        )
        assert store.done_keys("r1") == {KEY}
        assert store.attempts("r1") == {KEY: 2, TrialKey("a", "t1", 1): 3}

    def test_trials_are_filtered(self, store: Store, make_trial: MakeTrial) -> None:
        """A listing is narrowed by cell, task and status."""
        store.add_trials(
            "r1", [make_trial("a", "t1"), make_trial("a", "t2"), make_trial("b", "t1", status=Status.FAILED)]
        )
        listed = [
            [str(info.key) for info in store.trials("r1", **only)]
            for only in ({}, {"cell": "a"}, {"task": "t1"}, {"status": Status.FAILED}, {"cell": "b", "task": "t2"})
        ]
        assert listed == [["a/t1/0", "a/t2/0", "b/t1/0"], ["a/t1/0", "a/t2/0"], ["a/t1/0", "b/t1/0"], ["b/t1/0"], []]

    def test_attempt_asked_for(self, store: Store, make_trial: MakeTrial) -> None:
        """An attempt is picked by number, else the last word; an interrupted one only where it is alone."""
        store.add_trial("r1", make_trial(attempt=1, status=Status.INTERRUPTED))
        assert store.trial("r1", KEY).attempt == 1
        store.add_trials("r1", [make_trial(attempt=2), make_trial(attempt=3, status=Status.FAILED)])
        assert [store.trial("r1", KEY, n).attempt for n in (1, None, 3)] == [1, 2, 3]

    def test_interrupted_attempt_is_no_last_word(self, store: Store, make_trial: MakeTrial) -> None:
        """A failed attempt stands for its trial though an interrupted one came later."""
        store.add_trials("r1", [make_trial(status=Status.FAILED), make_trial(attempt=2, status=Status.INTERRUPTED)])
        assert store.trial("r1", KEY).attempt == 1

    def test_unknown_trial(self, store: Store) -> None:
        """A trial that is not stored is an error with a next step."""
        with pytest.raises(StoreError) as caught:
            store.trace("r1", KEY)
        assert str(caught.value) == "Run r1 has no trial a/t1/0. `recfw runs show r1` lists its trials."

    def test_damaged_trace_names_its_trial(self, store: Store, make_trial: MakeTrial) -> None:
        """A damaged blob is an error that names the trial; all else stays readable."""
        store.add_trials("r1", [make_trial(trial=0), make_trial(trial=1)])
        whole = bytearray(store.packed_trace("r1", KEY))
        whole[len(whole) // 2] ^= 0xFF
        with store._database.write() as connection:
            number = select(TRIAL.c.id).where(TRIAL.c.trial == 0).scalar_subquery()
            connection.execute(update(TRACE).where(TRACE.c.trial_id == number).values(data=bytes(whole)))
        with pytest.raises(DataError, match=r"^run r1, trial a/t1/0.*damaged"):
            store.trace("r1", KEY)
        assert store.trace("r1", TrialKey("a", "t1", 1)).stop == "done"
        assert len(list(store.rows("r1"))) == 2

    def test_unknown_attachment(self, store: Store) -> None:
        """An attachment that is not stored is an error that names it."""
        with pytest.raises(DataError, match="there is no attachment 00"):
            store.attachment("00")


class TestDeleting:
    """Deleting a run leaves nothing of it, and all of the others."""

    def test_deletes_what_no_other_run_needs(self, store: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
        """Tasks and attachments that another run refers to stay."""
        own = Attachment(hashlib.sha256(b"own").hexdigest(), "image/png", b"own")
        store.create_run("r2", spec, "content", {}, 1)
        store.add_trial("r2", make_trial(attachments=(PICTURE,)))
        store.add_tasks("r2", [Task("t1", "c")])
        before = sizes(store)
        store.add_trial("r1", make_trial(attachments=(PICTURE, own)))
        store.add_tasks("r1", [Task("t1", "c"), Task("t2", "c")])
        store.delete_run("r1")
        assert sizes(store) == {**before, "run": 1}
        assert store.attachment(PICTURE.sha256) == PICTURE
        assert store.trace("r2", KEY).stop == "done"

    def test_deletes_many_trials(self, store: Store, make_trial: MakeTrial) -> None:
        """A run of more than one batch is deleted whole."""
        store.add_trials("r1", [make_trial(trial=n, attachments=(PICTURE,)) for n in range(1001)])
        store.delete_run("r1")
        assert sizes(store) == {}

    def test_cut_off_deletion_shows(self, store: Store, make_trial: MakeTrial, monkeypatch: pytest.MonkeyPatch) -> None:
        """A run whose deletion was cut off says so, and can be deleted again."""
        store.add_trial("r1", make_trial())
        with monkeypatch.context() as patch:
            patch.setattr(Store, "_delete_trials", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                store.delete_run("r1")
        assert store.run("r1").status == "deleting"
        store.delete_run("r1")
        assert sizes(store) == {}

    def test_key_of_a_deleted_run_is_free(self, store: Store, spec: RunSpec, make_trial: MakeTrial) -> None:
        """A run may be created again under the id of a deleted one."""
        store.add_trial("r1", make_trial())
        store.delete_run("r1")
        store.create_run("r1", evolve(spec, seed=8), "content", {}, 3)
        assert store.add_trial("r1", make_trial())
