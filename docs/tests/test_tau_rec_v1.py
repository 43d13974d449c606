"""The example track over folders in the layout of tau-Rec v1: what is read, what is refused, and that it plays."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tau_rec_v1.agent import AskAndFilter
from tau_rec_v1.environment import TauRecEnvironment, tools
from tau_rec_v1.layout import read_folder
from tau_rec_v1.metrics import TauRecMetric
from tau_rec_v1.sample import films, write_sample
from tau_rec_v1.sample import tasks as sample_tasks
from tau_rec_v1.track import TauRecOptions, TauRecTrack

from recfw.elicitation import Op, Reveal
from recfw.engine.replay import replay
from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.errors import DataError, UsageError
from recfw.model.reply import Reply
from recfw.model.run import TrialKey
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace
from recfw.model.view import Message, View
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.contracts import MetricContract, ParticipantContract, TrackContract
from recfw.testing.fakes import MemoryRecorder

Alter = Callable[[dict], None]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fictional folder."""
    path = tmp_path_factory.mktemp("films")
    write_sample(path)
    return path


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Return core's components and the example's."""
    monkeypatch.setenv("RECFW_PLUGINS", "tau_rec_v1.plugin")
    return Registry(build_manager())


class TestTrack(TrackContract):
    """The track over the fictional folder."""

    component = TauRecTrack

    @pytest.fixture(autouse=True)
    def _options(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RECFW_PLUGINS", "tau_rec_v1.plugin")
        monkeypatch.setattr(type(self), "options", {"folder": str(folder)})


class TestAgent(ParticipantContract):
    """The reference agent."""

    component = AskAndFilter

    def views(self) -> Sequence[View]:
        """Return an opening and an answer."""
        opening = (Message.say("user", "I'm looking for one item."),)
        later = (*opening, Message.say("user", 'As for that, the genres should include "War".'))
        return [View("agent", messages, tools(("genres", "runtime"))) for messages in (opening, later)]


class TestMetric(MetricContract):
    """The metric."""

    component = TauRecMetric

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return a trial that was cut off."""
        return [(Task("t", "t", private={"nvr": False}), Trace((EndEvent("agent_turn_limit"),)))]


def test_the_sample_has_every_operator_and_tag(folder: Path) -> None:
    """The fictional folder exercises the whole layout, and nothing fits its last task."""
    found = read_folder(folder)
    predicates = [p for task in found.tasks for p in task.predicates]
    assert {p.op for p in predicates} == set(Op)
    assert {p.reveal for p in predicates} == set(Reveal)
    assert [task.nvr for task in found.tasks] == [False] * 17 + [True]
    assert any(task.watched for task in found.tasks)
    assert list(found.catalog) == [film["id"] for film in films()]


def test_tasks_may_lie_beside_the_catalog_and_be_flat(tmp_path: Path) -> None:
    """Tasks are found in the folder itself, too, and a constraint may be one object with its tag; ids are optional."""
    write_sample(tmp_path)
    task = next(sample_tasks(films()))
    task["constraints"] = [{**each["constraint"], "reveal": each["reveal"]} for each in task["constraints"]]
    del task["id"], task["persona"], task["user_history"]
    (tmp_path / "task_1.json").write_text(json.dumps(task), encoding="utf-8")
    (found,) = read_folder(tmp_path).tasks
    assert (found.id, len(found.predicates), found.watched) == ("task_1", 3, ())


def drop(key: str) -> Alter:
    """Return what takes a key out of a task."""
    return lambda task: task.pop(key)


def constrain(**changes: object) -> Alter:
    """Return what changes the second constraint."""
    return lambda task: task["constraints"][1]["constraint"].update(changes)


def tag(reveal: object) -> Alter:
    """Return what changes the second constraint's tag."""
    return lambda task: task["constraints"][1].update(reveal=reveal)


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        (drop("constraints"), "task_003.json: constraints: a list of one or more is needed, not None"),
        (lambda task: task.update(constraints=[]), "task_003.json: constraints: a list of one or more is needed"),
        (
            lambda task: task["constraints"][1]["constraint"].pop("op"),
            "task_003.json: constraints[1].constraint.op: requ",
        ),
        (
            lambda task: task["constraints"][1].pop("reveal"),
            "task_003.json: constraints[1].reveal: required key missing",
        ),
        (lambda task: task["constraints"].append(7), "task_003.json: constraints[3]: an object is needed, not 7"),
        (constrain(op="=~"), "task_003.json: constraints[1].constraint: no operator '=~'. Use one of <=, >=, =="),
        (constrain(op="<=", value="long"), "constraints[1].constraint: predicate on"),
        (constrain(op="in", value=3), "needs a non-empty list of single values, not 3"),
        (tag("sometimes"), "constraints[1].reveal: no tag 'sometimes'. Use one of volunteer, on_ask, hidden."),
        (lambda task: task.update(id=7), "task_003.json: id: a text is needed, not 7"),
        (lambda task: task.update(id="task_001"), "task_003.json: id: 'task_001' is the id in task_001.json, too."),
        (lambda task: task.update(no_valid_recommendation="no"), "no_valid_recommendation: true or false is needed"),
        (lambda task: task["user_history"].update(user_1={"watched": 3}), "user_history.user_1.watched: a list of ids"),
    ],
)
def test_a_broken_task_is_told_by_file_and_key(alter: Alter, told: str, tmp_path: Path) -> None:
    """Whatever is wrong with a task, the error says in which file and at which key."""
    write_sample(tmp_path)
    path = tmp_path / "tasks" / "task_003.json"
    task = json.loads(path.read_text(encoding="utf-8"))
    alter(task)
    path.write_text(json.dumps(task), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_folder(tmp_path)
    assert told in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("tasks/task_002.json", "{", "task_002.json: not JSON ("),
        ("tasks/task_002.json", "[]", "task_002.json: an object is needed"),
        ("catalog.json", "{}", "catalog.json: holds no list of records."),
        ("catalog.json", '[{"id": "a"}, {"title": "b"}]', "catalog.json: [1].id: required key missing."),
        ("catalog.json", '[{"id": "a"}, {"id": "a"}]', "catalog.json: [1].id: 'a' stands there twice."),
        ("catalog.json", '[{"id": "a]] b"}]', "catalog.json: [0].id: 'a]] b' cannot stand in a proposal's tag."),
        ("catalog.json", None, "catalog.json: cannot be read: there is no such file."),
        ("policy.md", None, "policy.md: cannot be read: there is no such file."),
    ],
)
def test_a_broken_file_is_told_by_name(name: str, text: str | None, told: str, tmp_path: Path) -> None:
    """Files that are missing or no JSON, and records without an id."""
    write_sample(tmp_path)
    path = tmp_path / name
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_folder(tmp_path)
    assert told in str(caught.value)


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    """No folder, or one without tasks, or none named at all."""
    with pytest.raises(DataError, match="there is no such folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(DataError, match=r"there is no task_\*\.json in it"):
        read_folder(tmp_path)
    with pytest.raises(UsageError, match=r"needs a folder\. Name one: --set track\.folder=DIR"):
        TauRecTrack(TauRecOptions()).tasks()


def test_validate_names_what_does_not_hold(tmp_path: Path) -> None:
    """A task that is said to have no answer and has one, one that has none, and a field that no record has."""
    write_sample(tmp_path)
    for number, change in ((1, {"no_valid_recommendation": True}), (18, {"no_valid_recommendation": False})):
        path = tmp_path / "tasks" / f"task_{number:03}.json"
        path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    found = {(p.where, p.rule) for p in TauRecTrack(TauRecOptions(str(tmp_path))).validate()}
    assert found == {("task_001", "none-fits"), ("task_018", "some-fits")}


@pytest.mark.parametrize("user", ["rules", "critiquing", "costly", "soft"])
def test_every_user_of_core_plays_and_replays(user: str, folder: Path, registry: Registry, tmp_path: Path) -> None:
    """The reference agent solves the tasks with each of core's rule-based users; every trial replays alike."""
    request = RunRequest(
        track="tau-rec-v1", roles={"user": (user,)}, settings=(OptionValue("track", "folder", str(folder)),)
    )
    spec = build_spec(registry, request)

    async def play() -> list[float | None]:
        async with Stage(registry, spec, tmp_path) as stage:
            (cell,) = stage.spec.cells
            found = []
            for task in stage.settings[cell.name].tasks:
                key = TrialKey(cell.name, task, 0)
                trial = await stage.run(key, 1, MemoryRecorder())
                assert await replay(stage, key, unpack_trace(trial.trace), trial.scores) is None
                found += [score.value for score in trial.scores if score.metric == "success"]
        return found

    assert asyncio.run(play()) == [1.0] * 18


def test_wrong_calls_are_answered_in_words(folder: Path) -> None:
    """A search with an unknown operator and an unknown id are errors of the call."""
    (task, *_) = TauRecTrack(TauRecOptions(str(folder))).tasks()
    world = TauRecEnvironment(task, read_folder(folder).catalog, ("genres",), "PROMPT")
    bad = {"constraints": [{"field": "genres", "op": "like", "value": "War"}]}
    calls = (("search_items", bad), ("get_item", {"item_id": "nope"}), ("recommend", {"item_id": "nope"}))
    answers = [asyncio.run(world.call("agent", tool, arguments)) for tool, arguments in calls]
    assert [answer.error for answer in answers] == [True, True, True]
    assert "no operator 'like'" in answers[0].text()
    asyncio.run(world.receive("user", Reply("Hello."), ()))
    assert "empty" in asyncio.run(world.receive("agent", Reply(" "), ())).words
