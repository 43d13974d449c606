"""Replay finds what was edited, wherever it is, and nothing where nothing was."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.engine.replay import Difference, compare_tasks, replay, replay_stored
from recfw.engine.stage import Stage
from recfw.errors import DataError
from recfw.model.reply import Reply
from recfw.model.run import Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Event, PictureEvent, ReplyEvent, ToolEvent, Trace, WorldEvent
from recfw.serialize import event_line, line_checksums, pack_trace, unpack_trace
from recfw.testing.fakes import MemoryRecorder

OnStage = Callable[..., Any]
Edit = Callable[[list[Event]], Any]
TRACKS = {
    "fake-dialogue": ("d1", ("fake-asker", "fake-model")),
    "fake-pictures": ("p6", ("fake-guide", "fake-guide-model")),
    "fake-rounds": ("r3", ("fake-planner", "fake-planner-model")),
}
CASES = [(track, task, agent) for track, (task, agents) in TRACKS.items() for agent in agents]


def found(
    on_stage: OnStage,
    track: str,
    task: str,
    agent: str,
    edit: Edit | None = None,
    scores: Sequence[Score] | None = None,
) -> Difference | None:
    """Play a trial, edit its trace, re-pack it validly, and replay that."""

    async def work(stage: Stage) -> Difference | None:
        key = TrialKey(agent, task, 0)
        trial = await stage.run(key, 1, MemoryRecorder())
        events = list(unpack_trace(trial.trace).events)
        if edit:
            edit(events)
        trace = unpack_trace(pack_trace(map(event_line, events)))
        return await replay(stage, key, trace, trial.scores if scores is None else scores)

    return on_stage(work, track=track, roles={"agent": (agent,)})


def change(kind: type, number: int = 0, role: str = "", **fields: Any) -> Edit:
    """Return an edit of one event: the number-th of a kind (and role)."""

    def edit(events: list[Event]) -> None:
        at = [i for i, e in enumerate(events) if isinstance(e, kind) and role in {"", getattr(e, "role", "")}][number]
        events[at] = evolve(events[at], **fields)

    return edit


def reordered(value: Any) -> Any:
    """Return JSON values with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: reordered(value[name]) for name in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


def test_what_was_only_written_anew_is_no_difference(on_stage: OnStage) -> None:
    """Objects whose keys come in another order are the same, though their lines are not."""

    def edit(events: list[Event]) -> None:
        at = next(i for i, e in enumerate(events) if isinstance(e, ToolEvent) and isinstance(e.content, dict))
        again = evolve(events[at], content=reordered(events[at].content))
        assert event_line(again) != event_line(events[at])
        events[at] = again

    assert found(on_stage, "fake-dialogue", "d1", "fake-asker", edit) is None


@pytest.mark.parametrize(("track", "task", "agent"), CASES)
def test_an_untouched_trial_replays(on_stage: OnStage, track: str, task: str, agent: str) -> None:
    """Every fake track replays without a difference, for deterministic and for model agents."""
    assert found(on_stage, track, task, agent) is None


@pytest.mark.parametrize("agent", ["fake-asker", "fake-model"])
def test_an_edited_reply_is_found(on_stage: OnStage, agent: str) -> None:
    """A reply with other calls is found with trial and event, whether it is computed anew or read from the trace."""
    looked_up = change(ReplyEvent, 0, "agent", reply=Reply("Let me see."))
    apart = found(on_stage, "fake-dialogue", "d1", agent, looked_up)
    assert apart is not None
    assert apart.key == TrialKey(agent, "d1", 0)
    assert apart.event == {"fake-asker": 1, "fake-model": 2}[agent]
    assert str(apart).startswith(f"{agent}/d1/0, event {apart.event}: stored ")


def test_an_edited_reply_of_code_is_found_in_place(on_stage: OnStage) -> None:
    """The reply of a deterministic user is computed anew: a word changed in it is shown on both sides."""
    apart = found(
        on_stage, "fake-dialogue", "d1", "fake-model", change(ReplyEvent, 0, "user", reply=Reply("I want two."))
    )
    assert apart == Difference(
        TrialKey("fake-model", "d1", 0), 0, 'reply.text = "I want two."', 'reply.text = "I want a thing."'
    )


def test_an_edited_proposal_of_a_model_changes_the_verdict(on_stage: OnStage) -> None:
    """A model's words are taken from the trace, so another proposal is found at what the world says of it."""
    edited = change(ReplyEvent, 2, "agent", reply=Reply("What of [blue-cube]?"))
    apart = found(on_stage, "fake-dialogue", "d1", "fake-model", edited)
    assert apart is not None
    assert 'data.item = "red-ball"' in apart.stored
    assert 'data.item = "blue-cube"' in apart.found


@pytest.mark.parametrize("agent", ["fake-asker", "fake-model"])
def test_an_edited_tool_answer_is_found(on_stage: OnStage, agent: str) -> None:
    """Every tool call is executed again."""
    apart = found(
        on_stage, "fake-dialogue", "d1", agent, change(ToolEvent, content={"id": "red-cube", "color": "green"})
    )
    assert apart is not None
    assert (apart.event, apart.found) == (2, 'content.color = "red"')


def test_hidden_notes_are_compared(on_stage: OnStage) -> None:
    """What no role saw of a tool's answer is computed anew too."""
    edited = change(ToolEvent, notes={"payload": [1]})
    apart = found(on_stage, "fake-rounds", "r3", "fake-planner", edited)
    assert apart is not None
    assert "notes.payload" in apart.stored


def test_an_edited_verdict_is_found(on_stage: OnStage) -> None:
    """What the environment says is computed anew."""
    edited = change(WorldEvent, -1, data={"item": "red-ball", "met": False})
    apart = found(on_stage, "fake-dialogue", "d1", "fake-model", edited)
    assert apart is not None
    assert (apart.stored, apart.found) == ("data.met = false", "data.met = true")


@pytest.mark.parametrize("agent", ["fake-guide", "fake-guide-model"])
def test_an_exchanged_picture_is_found(on_stage: OnStage, agent: str) -> None:
    """A picture is rendered again, also where a model looked at it."""
    apart = found(on_stage, "fake-pictures", "p6", agent, change(PictureEvent, sha256="0" * 64))
    assert apart is not None
    assert (apart.event, apart.stored.partition(" ")[0]) == (0, "sha256")


def test_an_edited_ending_is_found(on_stage: OnStage) -> None:
    """Another stop reason, or other closing facts, are found at the last event."""
    apart = found(on_stage, "fake-rounds", "r3", "fake-planner", change(EndEvent, stop="agent_turn_limit"))
    assert apart is not None
    assert apart.stored == 'stop = "agent_turn_limit"'


@pytest.mark.parametrize("agent", ["fake-asker", "fake-model"])
def test_a_missing_event_is_found(on_stage: OnStage, agent: str) -> None:
    """A trace without one of its events departs where it is missing."""
    apart = found(on_stage, "fake-dialogue", "d1", agent, lambda events: events.pop(2))
    assert apart is not None
    assert apart.event == 2


def test_a_trace_without_its_end_is_found(on_stage: OnStage) -> None:
    """A trace that was cut short departs at the end of what is stored."""
    apart = found(on_stage, "fake-dialogue", "d1", "fake-asker", lambda events: events.pop())
    assert apart is not None
    assert apart.stored == "the end of the trace"


def test_an_added_event_is_found(on_stage: OnStage) -> None:
    """Events after the end are left over."""
    apart = found(on_stage, "fake-dialogue", "d1", "fake-asker", lambda events: events.append(WorldEvent("more")))
    assert apart is not None
    assert apart.found == "the end of the episode"


def test_an_edited_score_is_found(on_stage: OnStage) -> None:
    """Scores of the run's own metrics are computed anew."""
    scores = [Score("success", 0.0, "fake-met@1")]
    apart = found(on_stage, "fake-dialogue", "d1", "fake-model", scores=scores)
    assert apart is not None
    assert (apart.event, str(apart).partition(": ")[0]) == (-1, "fake-model/d1/0, scores")


def test_a_missing_score_is_found(on_stage: OnStage) -> None:
    """A figure that was deleted is found."""
    scores = [Score("success", 1.0, "fake-met@1")]
    apart = found(on_stage, "fake-dialogue", "d1", "fake-model", scores=scores)
    assert apart is not None
    assert "absent" in apart.stored


def test_scores_of_judges_are_not_compared(on_stage: OnStage) -> None:
    """A judge's rating cannot be computed anew; with the run's own figures sound it makes no difference."""

    async def work(stage: Stage) -> Difference | None:
        key = TrialKey("fake-asker", "d1", 0)
        trial = await stage.run(key, 1, MemoryRecorder())
        rated = [*trial.scores, Score("tone", 4.0, "judge@1:model")]
        return await replay(stage, key, unpack_trace(trial.trace), rated)

    assert on_stage(work, track="fake-dialogue") is None


def test_durations_are_not_compared(on_stage: OnStage) -> None:
    """Seconds are the clock's."""
    assert found(on_stage, "fake-dialogue", "d1", "fake-asker", change(ReplyEvent, seconds=99.0)) is None


@pytest.mark.parametrize("agent", ["fake-asker", "fake-model"])
@pytest.mark.parametrize("stop", ["agent_time_limit", "agent_error", "context_overflow"])
def test_an_ending_by_the_clock_is_tolerated(on_stage: OnStage, agent: str, stop: str) -> None:
    """A trial that the clock or the component ended replays up to there: what came before is compared."""

    def cut(events: list[Event]) -> None:
        del events[5:]
        events.append(EndEvent(stop, {}, "words"))

    assert found(on_stage, "fake-dialogue", "d1", agent, cut, scores=[]) is None


def test_an_edit_before_an_ending_by_the_clock_is_found(on_stage: OnStage) -> None:
    """The tolerance is for the ending alone."""

    def cut(events: list[Event]) -> None:
        del events[5:]
        events.append(EndEvent("agent_time_limit"))
        events[2] = evolve(events[2], content="edited")

    apart = found(on_stage, "fake-dialogue", "d1", "fake-model", cut, scores=[])
    assert apart is not None
    assert apart.event == 2


def test_a_trace_of_nothing_but_a_clock_ending(on_stage: OnStage) -> None:
    """A trial that ended before its first reply has nothing to compare."""

    async def work(stage: Stage) -> Difference | None:
        trace = Trace((EndEvent("agent_time_limit"),))
        return await replay(stage, TrialKey("fake-asker", "d1", 0), trace)

    assert on_stage(work, track="fake-dialogue") is None


def test_a_task_that_is_gone_is_told(on_stage: OnStage) -> None:
    """A trial whose task is no longer in the content cannot be replayed, and says so."""

    async def work(stage: Stage) -> Difference | None:
        return await replay(stage, TrialKey("fake-asker", "gone", 0), Trace((EndEvent("chosen"),)))

    with pytest.raises(DataError, match="the task 'gone' is not in the content"):
        on_stage(work, track="fake-dialogue")


def stored_found(
    on_stage: OnStage,
    edit: Callable[[Trial], Trial],
    faults: dict[int, str] | None = None,
    track: str = "fake-dialogue",
    picture: str = "",
    agent: str = "",
) -> Difference | None:
    """Play a trial, edit its record, and replay that."""
    task, agents = TRACKS[track]

    def fetch(_: str) -> bytes:
        if picture:
            raise DataError(picture)
        return b""

    async def work(stage: Stage) -> Difference | None:
        trial = await stage.run(TrialKey(agent or agents[1], task, 0), 1, MemoryRecorder())
        return await replay_stored(stage, edit(trial), faults or {}, fetch)

    return on_stage(work, track=track, roles={"agent": (agent or agents[1],)})


def rescored(trial: Trial, metric: str, **fields: Any) -> Trial:
    """Return a trial with one of its scores changed."""
    return evolve(trial, scores=tuple(evolve(s, **fields) if s.metric == metric else s for s in trial.scores))


def retraced(trial: Trial, edit: Edit) -> Trial:
    """Return a trial with its trace edited and packed again."""
    events = list(unpack_trace(trial.trace).events)
    edit(events)
    return evolve(trial, trace=pack_trace(map(event_line, events)))


@pytest.mark.parametrize("track", TRACKS)
def test_an_untouched_record_replays(on_stage: OnStage, track: str) -> None:
    """What is stored of a trial follows from its trace and its run."""
    assert stored_found(on_stage, lambda trial: trial, track=track) is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seed": 1}, "stored seed = 1; replayed seed = "),
        ({"stop": "agent_error"}, 'stored stop = "agent_error"; replayed stop = "chosen"'),
        ({"events": 3}, "stored events = 3; replayed events = 13"),
        ({"usage": {}}, "stored usage.agent = null; replayed usage.agent = "),
    ],
)
def test_an_altered_record_is_found(on_stage: OnStage, fields: dict[str, Any], said: str) -> None:
    """Seed, stop reason, number of events and usage are compared with what they follow from."""
    apart = str(stored_found(on_stage, lambda trial: evolve(trial, **fields)))
    assert apart.startswith(f"fake-model/d1/0, record: {said}")


def test_the_explanation_of_a_score_is_compared(on_stage: OnStage) -> None:
    """Another detail beside the same value is a difference."""
    apart = stored_found(on_stage, lambda trial: rescored(trial, "success", detail={"x": 1}))
    assert apart is not None
    assert apart.stored == "success detail.x = 1"


def test_a_trial_without_its_scores_is_found(on_stage: OnStage) -> None:
    """A stored trial has the figures of its run's metrics."""
    apart = stored_found(on_stage, lambda trial: evolve(trial, scores=()))
    assert apart is not None
    assert apart.stored.endswith(' = "absent"')


@pytest.mark.parametrize("agent", ["fake-asker", "fake-model"])
@pytest.mark.parametrize("event", [0, 1, 12])
def test_a_known_fault_is_told_at_its_event(on_stage: OnStage, agent: str, event: int) -> None:
    """Where the replay finds no difference, what is known to be wrong with an event is one."""
    apart = stored_found(on_stage, lambda trial: trial, {event: "it is bad"}, agent=agent)
    assert str(apart) == f"{agent}/d1/0, event {event}: it is bad"


def test_a_difference_before_a_known_fault_comes_first(on_stage: OnStage) -> None:
    """The first difference is told, whoever knows of it."""
    edited = change(ToolEvent, content="edited")
    apart = stored_found(on_stage, lambda trial: retraced(trial, edited), {5: "it is bad"})
    assert apart is not None
    assert (apart.event, apart.fault) == (2, "")


def test_a_difference_at_a_known_fault_tells_both(on_stage: OnStage) -> None:
    """What was stored, what was replayed, and what is wrong with it."""
    edited = change(ToolEvent, content="edited")
    apart = stored_found(on_stage, lambda trial: retraced(trial, edited), {2: "it is bad"})
    assert str(apart).startswith('fake-model/d1/0, event 2: stored content = "edited"; replayed content = {')
    assert str(apart).endswith("; it is bad")


def test_an_ending_by_the_clock_that_was_altered_is_found(on_stage: OnStage) -> None:
    """An ending that no replay finds again is held against its checksum."""

    async def work(stage: Stage) -> Difference | None:
        trace = Trace((EndEvent("agent_time_limit"),))
        return await replay(stage, TrialKey("fake-asker", "d1", 0), trace, faults={0: "it is bad"})

    assert str(on_stage(work, track="fake-dialogue")) == "fake-asker/d1/0, event 0: it is bad"


@pytest.mark.parametrize("agent", ["fake-guide", "fake-guide-model"])
def test_a_picture_with_other_bytes_is_found(on_stage: OnStage, agent: str) -> None:
    """The event of a picture whose stored bytes are wrong is named."""
    apart = stored_found(on_stage, lambda trial: trial, track="fake-pictures", picture="other bytes", agent=agent)
    assert str(apart) == f"{agent}/p6/0, event 0: other bytes"


def test_a_look_at_no_picture_is_found(on_stage: OnStage) -> None:
    """A handle that means no picture is a difference of that trial, and not a failure of the world."""
    apart = found(on_stage, "fake-pictures", "p6", "fake-guide-model", change(PictureEvent, handle="nothing"))
    assert apart is not None
    assert (apart.event, apart.stored) == (0, "a look at 'nothing'")


def test_tasks_are_compared() -> None:
    """Stored tasks are named that are not the content's, that it has not, and that are missing."""
    content = {"t1": Task("t1", "c", facets={"n": "1"}), "t2": Task("t2", "c"), "t3": Task("t3", "c")}
    stored = {"t1": Task("t1", "c", facets={"n": "2"}), "t2": Task("t2", "c"), "t4": Task("t4", "c")}
    assert compare_tasks(stored, content) == [
        'task \'t1\': stored facets.n = "2"; in the content facets.n = "1"',
        "task 't3': it is not stored",
        "task 't4': it is not in the content",
    ]


def test_a_played_trial_has_its_checksums(on_stage: OnStage) -> None:
    """Whoever recorded a trial has the checksums of its lines, so that whoever stores it need not unpack it."""

    async def work(stage: Stage) -> Trial:
        return await stage.run(TrialKey("fake-model", "d1", 0), 1, MemoryRecorder())

    trial = on_stage(work, track="fake-dialogue", roles={"agent": ("fake-model",)})
    assert len(trial.checksums) == 8 * trial.events
    assert trial.checksums == line_checksums(trial.trace)
