"""Conducting a run: what is stored when, what a resume takes up, and what observers hear."""

import asyncio
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve
from fakes.bench import Bench
from fakes.dialogue import DialogueTrack, Met

from recfw.engine.request import OptionValue
from recfw.engine.stage import Stage
from recfw.errors import StoreError, UsageError
from recfw.executors.conductor import new_run_id, prepare, resume
from recfw.hookspecs import hookimpl
from recfw.model.run import TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent, ToolEvent
from recfw.plugins import Plugin, build_manager
from recfw.registry import Registry
from recfw.store.repository import Store

ONCE = (OptionValue("agent", "times", 1),)


def test_a_run_is_stored_whole(bench: Bench) -> None:
    """Every planned trial is stored once, and the run says that it is completed."""
    tally = bench.run(bench.spec("fake-dialogue", trials=3))
    assert (tally.pending, tally.completed, tally.failed) == (24, 24, 0)
    assert all(len(attempts) == 3 for attempts in bench.attempts().values())
    with Store.open(bench.place) as store:
        assert (store.run("r1").status, store.run("r1").planned) == ("completed", 24)
    assert not (bench.folder / "journal" / "r1").exists()


def test_two_runs_have_equal_figures(bench: Bench) -> None:
    """The same specification gives the same figures and events, however many are played at a time."""
    bench.run(bench.spec("fake-pictures"), "r1")
    bench.concurrency = 1
    bench.run(bench.spec("fake-pictures"), "r2")
    assert bench.figures("r1") == bench.figures("r2")


def test_resuming_a_finished_run_changes_nothing(bench: Bench) -> None:
    """There is nothing pending, and no attempt is added."""
    bench.run(bench.spec("fake-dialogue"))
    before = Path(bench.place).read_bytes()
    with Store.open(bench.place) as store, resume(store, bench.registry, "r1", None) as prepared:
        assert prepared.pending == ()
    assert bench.resume().completed == 0
    assert len(Path(bench.place).read_bytes()) == len(before)
    assert all(len(attempts) == 1 for attempts in bench.attempts().values())


def test_a_failure_of_infrastructure_is_tried_again(bench: Bench) -> None:
    """A trial whose first attempt failed is retried; the last word is the completed one."""
    tally = bench.run(bench.spec("fake-dialogue", "fake-flaky", settings=ONCE))
    assert (tally.completed, tally.failed, tally.retried) == (8, 0, 1)
    assert bench.attempts()["d1"] == [(1, "failed", "infrastructure"), (2, "completed", "chosen")]


def test_what_keeps_failing_is_kept_apart_and_run_again(bench: Bench, trouble: Path) -> None:
    """Such a trial stays in the run as failed, without scores; a resume plays it, and nothing else, again."""
    spec = bench.spec("fake-dialogue", "fake-flaky", settings=(OptionValue("agent", "times", 3),))
    tally = bench.run(spec)
    assert (tally.completed, tally.failed, tally.kinds) == (7, 1, {"infrastructure": 1})
    with Store.open(bench.place) as store:
        (failed,) = [row for row in store.rows("r1") if row.status.value == "failed"]
        assert (failed.task, failed.scores, failed.attempts) == ("d1", {}, 2)
        assert store.run("r1").status == "incomplete"
    again = bench.resume()
    assert (again.pending, again.completed) == (1, 1)
    assert [word for _, word, _ in bench.attempts()["d1"]] == ["failed", "failed", "failed", "completed"]
    with Store.open(bench.place) as store:
        assert store.run("r1").status == "completed"


def refusal(bench: Bench, asked: Any = None) -> str:
    """Return the words with which a resume is refused."""
    with pytest.raises(UsageError) as caught:
        bench.resume(asked)
    return str(caught.value)


def test_a_resume_that_asks_for_something_else_is_refused(bench: Bench) -> None:
    """Every difference between what was asked and what is asked now is listed, old and new."""
    spec = bench.spec("fake-dialogue")
    bench.run(spec)
    asked = evolve(spec, seed=5, trials=2, limits=evolve(spec.limits, repairs=9))
    words = refusal(bench, asked)
    assert words.startswith("run r1 cannot be resumed, because this differs from when it was started:\n")
    assert "\n  asked for seed: 0 -> 5\n" in words
    assert "\n  asked for trials: 1 -> 2\n" in words
    assert "\n  asked for limits.repairs: 3 -> 9\n" in words
    assert "asked for tasks" not in words


def test_a_resume_that_asks_for_the_same_goes_on(bench: Bench) -> None:
    """Saying again what was asked is no difference."""
    spec = bench.spec("fake-dialogue")
    bench.run(spec)
    assert bench.resume(spec).pending == 0


def test_a_resume_on_other_content_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that changed under a run are named, and nothing is played."""
    bench.run(bench.spec("fake-dialogue"))
    monkeypatch.setattr(DialogueTrack, "content_digest", lambda self: "f" * 64)
    assert "\n  content: the catalog, tasks, prompts or rules are not those" in refusal(bench)


def test_a_resume_with_another_version_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A component's version that changed is named, old and new."""
    bench.run(bench.spec("fake-dialogue"))
    monkeypatch.setattr(Met, "version", "2")
    assert "\n  version of metric fake-met: 1 -> 2\n" in refusal(bench)


def test_a_whole_trial_left_in_the_journal_is_stored(bench: Bench) -> None:
    """A trial that had ended when its process was killed, but was not stored, is completed and scored by the resume."""
    spec = bench.spec("fake-dialogue")
    with Store.open(bench.place) as store, prepare(store, bench.registry, spec, "r1") as prepared:

        async def leave() -> None:
            async with Stage(bench.registry, spec, bench.folder) as stage:
                recorder = prepared.journal.recorder()
                await stage.run(TrialKey("fake-asker", "d0", 0), 1, recorder)
                part = prepared.journal.recorder()
                part.begin(TrialKey("fake-asker", "d1", 0), 1)
                part.close()
                lost = prepared.journal.recorder()
                lost.begin(TrialKey("fake-asker", "d2", 0), 1)
                lost.append(EndEvent("infrastructure", {}, "down"))
                lost.close()

        asyncio.run(leave())
    tally = bench.resume()
    attempts = bench.attempts()
    assert tally.pending == 7
    assert attempts["d0"] == [(1, "completed", "chosen")]
    assert attempts["d1"] == [(1, "interrupted", "interrupted"), (2, "completed", "chosen")]
    assert attempts["d2"] == [(1, "interrupted", "interrupted"), (2, "completed", "chosen")]
    bench.run(spec, "r2")
    assert bench.figures("r1") == bench.figures("r2")


@pytest.mark.parametrize("second", ["in the journal", "stored"])
def test_a_trial_that_ended_twice_is_completed_once(bench: Bench, second: str) -> None:
    """
    A worker that dies between a trial's end and its delivery leaves a whole attempt, and the trial is played again.

    Where the run's process is killed, too, the resume completes the trial by one of the attempts and keeps the other as
    interrupted.
    """
    spec, key = bench.spec("fake-dialogue"), TrialKey("fake-asker", "d0", 0)
    with Store.open(bench.place) as store, prepare(store, bench.registry, spec, "r1") as prepared:

        async def play() -> None:
            async with Stage(bench.registry, spec, bench.folder) as stage:
                await stage.run(key, 1, prepared.journal.recorder())
                again = await stage.run(key, 2, prepared.journal.recorder())
                if second == "stored":
                    store.add_trial("r1", again)
                    prepared.journal.discard(key, 2)

        asyncio.run(play())
    bench.resume()
    words = [word for _, word, _ in sorted(bench.attempts()["d0"])]
    assert words == (["interrupted", "completed"] if second == "stored" else ["completed", "interrupted"])


def test_a_leftover_with_a_damaged_payload_is_played_again(bench: Bench) -> None:
    """A trial that had ended, but whose payload cannot be read any more, is kept as interrupted and played anew."""
    spec = bench.spec("fake-dialogue")
    with Store.open(bench.place) as store, prepare(store, bench.registry, spec, "r1") as prepared:
        left = prepared.journal.recorder()
        left.begin(TrialKey("fake-asker", "d0", 0), 1)
        left.append(ToolEvent("agent", 1, 0, "look_up", {}, "x" * 100_000))
        left.append(EndEvent("chosen"))
        left.close()
        (payload,) = prepared.journal.folder.glob("*.payloads/*")
        payload.write_bytes(b"application/json\nother")
    assert bench.resume().pending == 8
    assert bench.attempts()["d0"] == [(1, "interrupted", "interrupted"), (2, "completed", "chosen")]


def test_a_run_killed_while_it_was_being_stored_gets_its_tasks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose tasks were not stored before its process ended has them after a resume."""
    with monkeypatch.context() as patch, Store.open(bench.place) as store:
        patch.setattr(Store, "add_tasks", lambda *_: None)
        with prepare(store, bench.registry, bench.spec("fake-dialogue"), "r1"):
            assert list(store.tasks("r1")) == []
    bench.resume()
    with Store.open(bench.place) as store:
        assert list(store.tasks("r1")) == [f"d{n}" for n in range(8)]


def test_a_run_that_is_being_carried_out_cannot_be_resumed(bench: Bench) -> None:
    """The lock of the journal keeps a second process out, and says who holds it."""
    busy = pytest.raises(StoreError, match="carried out by another process")
    with Store.open(bench.place) as store:
        with prepare(store, bench.registry, bench.spec("fake-dialogue"), "r1"), busy:
            bench.resume()
        with resume(store, bench.registry, "r1", None), busy:
            bench.resume()


class Observed:
    """A plugin that notes what it observes, and may fail."""

    def __init__(self, *, failing: bool = False) -> None:
        self.seen: list[str] = []
        module = ModuleType("observer")

        @hookimpl
        def recfw_run_started(run: Any, pending: int) -> None:
            self.seen.append(f"started {run.id} {pending}")

        @hookimpl
        def recfw_trial_finished(run: Any, trial: Any) -> None:
            self.seen.append(f"{trial.key.task} {trial.status.value}")
            if failing:
                raise ZeroDivisionError

        @hookimpl
        def recfw_run_finished(run: Any, status: str) -> None:
            self.seen.append(f"finished {status}")

        for hook in (recfw_run_started, recfw_trial_finished, recfw_run_finished):
            setattr(module, hook.__name__, hook)
        manager = build_manager()
        manager.add(Plugin("observer", "", "", module))
        self.registry = Registry(manager)


def test_observers_hear_of_everything_stored(bench: Bench) -> None:
    """The start, each stored attempt and the end are told, in that order."""
    observer = Observed()
    bench.registry = observer.registry
    bench.run(bench.spec("fake-dialogue", tasks=("d0", "d1")))
    assert observer.seen[0] == "started r1 2"
    assert sorted(observer.seen[1:-1]) == ["d0 completed", "d1 completed"]
    assert observer.seen[-1] == "finished completed"


def test_a_failing_observer_breaks_no_run(bench: Bench) -> None:
    """Its failures are told with the tally, and every trial is stored."""
    bench.registry = Observed(failing=True).registry
    tally = bench.run(bench.spec("fake-dialogue"))
    assert tally.completed == 8
    assert tally.warnings == ["Plugin 'observer' fails in recfw_trial_finished: ZeroDivisionError"] * 8


def test_a_store_that_refuses_ends_the_run_and_keeps_the_journal(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store cannot be written the run stops; what was played is still there to be resumed."""
    with monkeypatch.context() as patch:
        patch.setattr(Store, "add_trials", lambda *_: (_ for _ in ()).throw(StoreError("the disk is full.")))
        with pytest.raises(StoreError, match="the disk is full"):
            bench.run(bench.spec("fake-dialogue"))
    tally = bench.resume()
    assert tally.pending == 0
    assert all(attempts == [(1, "completed", "chosen")] for attempts in bench.attempts().values())


def test_run_ids_sort_by_time_and_differ() -> None:
    """Ids of one second differ, and a later second sorts after an earlier one."""
    ids = [new_run_id(1_000_000.0 + second, bytes([n])) for second in range(3) for n in range(50)]
    assert len(set(ids)) == 150
    assert [name[:15] for name in ids] == sorted(name[:15] for name in ids)


def test_cells_with_different_tasks_under_one_id_are_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix whose cells would play different tasks of one name is told apart before anything is stored."""
    original = DialogueTrack.tasks

    def varied(self: DialogueTrack) -> list[Task]:
        return [evolve(task, cluster=f"{task.cluster}{self.options.size}") for task in original(self)]

    monkeypatch.setattr(DialogueTrack, "tasks", varied)
    spec = bench.spec("fake-dialogue", options={"size": (2, 3)})
    with pytest.raises(UsageError, match="different tasks under the id 'd0'"):
        bench.run(spec)
