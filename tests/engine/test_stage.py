"""What a worker holds open, and how one attempt becomes a finished trial."""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve
from fakes.dialogue import Asker, DialogueTrack, Met, Talk

from recfw.engine import stage as stage_module
from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.engine.stage import Stage, StageResources, settings_of
from recfw.errors import PluginError, StoreError, UsageError
from recfw.hookspecs import hookimpl
from recfw.model.run import ComponentSpec, Status, Trial, TrialKey
from recfw.model.trace import EndEvent
from recfw.plugins import Plugin, build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder

Play = Callable[..., Trial]
FAKES = {
    "fake-dialogue": ("chosen", 1.0),
    "fake-rounds": ("ranked", 1.0),
    "fake-pictures": ("agent_turn_limit", 0.0),
}


@pytest.mark.parametrize("track", FAKES)
def test_a_trial_is_played_and_scored(play: Play, track: str) -> None:
    """A trial of each fake track ends for its reason and has its figures, its trace packed."""
    trial = play(track=track)
    trace = unpack_trace(trial.trace)
    assert (trial.status, (trial.stop, trial.scores[0].value)) == (Status.COMPLETED, FAKES[track])
    assert (trial.stop, trial.events) == (trace.stop, len(trace.events))
    assert trial.usage["agent"]["replies"] == len(trace.replies("agent"))


def test_pictures_come_with_the_trial(play: Play) -> None:
    """What the agent looked at is attached, each picture once."""
    trial = play("p6", track="fake-pictures")
    assert (trial.stop, len(trial.attachments)) == ("arrived", 2)


def test_trials_do_not_depend_on_each_other(on_stage: Callable[..., Any]) -> None:
    """Trials played side by side have the traces of trials played alone."""

    async def traces(stage: Stage) -> list[bytes]:
        (cell,) = stage.spec.cells
        keys = [TrialKey(cell.name, task, 0) for task in stage.settings[cell.name].tasks]
        together = await asyncio.gather(*(stage.run(key, 1, MemoryRecorder()) for key in keys))
        alone = [await stage.run(key, 1, MemoryRecorder()) for key in keys]
        return [bare(trial) == bare(other) for trial, other in zip(together, alone, strict=True)]

    assert on_stage(traces, track="fake-rounds") == [True] * 8


def bare(trial: Trial) -> Any:
    """Return what of a trial is not the clock's."""
    events = [evolve(e, seconds=0.0) if hasattr(e, "seconds") else e for e in unpack_trace(trial.trace).events]
    return evolve(trial, trace=b"", checksums=b"", seconds=0.0, started=0.0, usage={}), events


def test_a_failure_of_infrastructure_is_a_failed_trial(play: Play, trouble: Path) -> None:
    """It has no scores, its words, and a trace that says so."""
    trial = play("d1", track="fake-dialogue", roles={"agent": ("fake-flaky",)})
    assert (trial.status, trial.stop, trial.error) == (Status.FAILED, "infrastructure", "the provider is down.")
    assert trial.scores == ()
    assert unpack_trace(trial.trace).end == EndEvent("infrastructure", {}, "the provider is down.")


def test_a_user_that_raises_is_a_failed_trial(play: Play) -> None:
    """A user simulator's fault is never the agent's."""
    trial = play(track="fake-dialogue", roles={"user": ("fake-lost",)})
    assert (trial.status, trial.error) == (Status.FAILED, "user: ZeroDivisionError: lost")


def staged(**changes: Any) -> tuple[Registry, type[DialogueTrack]]:
    """Return a registry with one altered dialogue track."""
    altered = type("Altered", (DialogueTrack,), {"name": "altered", **changes})
    module = ModuleType("altered")
    module.recfw_register_tracks = hookimpl(lambda: [altered])  # type: ignore[attr-defined]
    registry = Registry(build_manager())
    registry.manager.add(Plugin("altered", "", "", module))
    return registry, altered


def run_altered(tmp_path: Path, registry: Registry, recorder: Any = None) -> Trial:
    """Play the altered track's first task."""

    async def main() -> Trial:
        async with Stage(registry, build_spec(registry, RunRequest(track="altered")), tmp_path) as stage:
            return await stage.run(TrialKey("fake-asker", "d0", 0), 1, recorder or MemoryRecorder())

    return asyncio.run(main())


@pytest.mark.parametrize("error", [ZeroDivisionError("z"), SystemExit(4)])
@pytest.mark.parametrize("when", ["enter", "leave"])
def test_a_world_that_cannot_be_entered_or_left(tmp_path: Path, error: BaseException, when: str) -> None:
    """An episode's world that raises when it is made or released is a failed trial, not the end of the run."""

    @asynccontextmanager
    async def episode(self: Any, task: Any, context: Any) -> Any:
        if when == "enter":
            raise error
        yield Talk(task)
        raise error

    trial = run_altered(tmp_path, staged(episode=episode)[0])
    assert (trial.status, trial.stop) == (Status.FAILED, "infrastructure")
    assert type(error).__name__ in trial.error


def test_a_store_that_refuses_ends_the_run(tmp_path: Path) -> None:
    """When the recorder's disk is full, nothing is hidden in a failed trial: the error passes."""

    class Full(MemoryRecorder):
        def append(self, event: Any) -> None:
            raise StoreError("the disk is full.")

    with pytest.raises(StoreError, match="the disk is full"):
        run_altered(tmp_path, staged()[0], Full())


def test_what_opened_is_closed_when_the_rest_fails(tmp_path: Path) -> None:
    """A stage that cannot open whole releases what it had opened, in reverse order."""
    seen: list[str] = []

    @asynccontextmanager
    async def held(self: Any) -> Any:
        seen.append("opened")
        yield
        seen.append("closed")

    @asynccontextmanager
    async def refuse(self: Any, resources: Any) -> Any:
        raise UsageError("no such catalog.")
        yield

    registry, _ = staged(open=refuse)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Asker, "open", held)
        with pytest.raises(UsageError, match="no such catalog"):
            run_altered(tmp_path, registry)
    assert seen == ["opened", "closed"]


def test_an_agent_of_another_track_is_refused(tmp_path: Path) -> None:
    """A component that names its tracks is not put into another one."""
    registry, _ = staged()
    spec = build_spec(registry, RunRequest(track="altered"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Asker, "tracks", ("fake-dialogue",))
        stage = Stage(registry, spec, tmp_path)
        with pytest.raises(UsageError, match=r"'fake-asker' does not play the track 'altered' \(it plays: fake-d"):
            asyncio.run(stage.__aenter__())


def test_cells_of_equal_options_share_a_world(trouble_registry: Registry) -> None:
    """A catalog is opened once for all agents that are compared on it."""
    request = RunRequest(
        track="fake-dialogue", roles={"agent": ("fake-asker", "fake-model")}, options={"size": ("2", "3")}
    )
    settings = settings_of(trouble_registry, build_spec(trouble_registry, request))
    assert settings["fake-asker 2"] is settings["fake-model 2"]
    assert settings["fake-asker 2"] is not settings["fake-asker 3"]


def test_equal_components_are_made_once(on_stage: Callable[..., Any]) -> None:
    """Two cells with the same user simulator share one instance."""

    async def users(stage: Stage) -> list[Any]:
        return [stage.participants(cell.name)["user"] for cell in stage.spec.cells]

    one, two = on_stage(users, track="fake-dialogue", roles={"agent": ("fake-asker", "fake-model")})
    assert one is two


def test_resources_make_components_by_name(fakes_registry: Registry, tmp_path: Path) -> None:
    """A track gets retrievers and catalogs by name, what is known of each kind, and a folder that exists."""
    resources = StageResources(fakes_registry, tmp_path / "cache")
    assert resources.names("agents") == fakes_registry.names("agents")
    assert resources.cache.is_dir()
    with pytest.raises(UsageError, match="no retriever 'x'"):
        resources.retriever("x")
    with pytest.raises(UsageError, match="no catalog 'x'"):
        resources.catalog("x")


def test_a_failing_metric_loses_no_trial(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial whose metric breaks is completed, with None and the reason."""

    def fail(self: Any, task: Any, trace: Any) -> Any:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(Met, "score", fail)
    trial = play(track="fake-dialogue")
    assert trial.status is Status.COMPLETED
    assert (trial.scores[0].value, trial.scores[0].detail) == (None, {"error": "ZeroDivisionError: by zero"})


def test_the_component_is_made_with_its_options(on_stage: Callable[..., Any]) -> None:
    """What the specification says of a component reaches it."""

    async def options(stage: Stage) -> Any:
        return stage.participants("fake-slow")["agent"].options.task, stage.spec.cells[0].roles["agent"]

    spec = ComponentSpec("fake-slow", {"task": "d1", "times": -1, "seconds": 0.0})
    assert on_stage(options, track="fake-dialogue", roles={"agent": ("fake-slow",)}) == ("d1", spec)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("hang at open", "did not open within 0.05 s"),
        ("raise at open", "cannot be opened: ZeroDivisionError: open"),
        ("exit at open", "cannot be opened: RuntimeError: SystemExit raised by outside code: 0"),
    ],
)
def test_a_component_that_does_not_open_is_told(
    play: Play, monkeypatch: pytest.MonkeyPatch, trouble: str, words: str
) -> None:
    """It is an error of its plugin, by name, and in time."""
    monkeypatch.setattr(stage_module, "OPEN_SECONDS", 0.05)
    with pytest.raises(PluginError) as caught:
        play(
            track="fake-dialogue", roles={"agent": ("fake-opened",)}, settings=(OptionValue("agent", "what", trouble),)
        )
    assert caught.value.message == f"agent 'fake-opened' (plugin fakes.trouble) {words}."


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("hang at close", "did not close within 0.05 s"),
        ("raise at close", "fails to close: ZeroDivisionError: close"),
        ("exit at close", "fails to close: RuntimeError: SystemExit raised by outside code: 0"),
    ],
)
def test_a_component_that_does_not_close_loses_nothing(
    play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, trouble: str, words: str
) -> None:
    """When all trials are played, a failure to close is a warning, in time."""
    monkeypatch.setattr(stage_module, "CLOSE_SECONDS", 0.05)
    roles, settings = {"agent": ("fake-opened",)}, (OptionValue("agent", "what", trouble),)
    trial = play(track="fake-dialogue", roles=roles, settings=settings)
    assert trial.status is Status.COMPLETED
    assert caplog.messages == [f"Warning: agent 'fake-opened' (plugin fakes.trouble) {words}."]


def test_a_world_that_never_comes_up_is_infrastructure(tmp_path: Path) -> None:
    """An episode's world that hangs while it is made ends its trial, not the run."""

    @asynccontextmanager
    async def episode(self: Any, task: Any, context: Any) -> Any:
        await asyncio.sleep(60)
        yield Talk(task)

    limits = evolve(DialogueTrack.limits, world_seconds=0.05)
    trial = run_altered(tmp_path, staged(episode=episode, limits=limits)[0])
    assert (trial.status, trial.stop) == (Status.FAILED, "infrastructure")
    assert "more than 0.05 s" in trial.error


def fail(self: Any) -> Any:
    """Ask to exit, as no component may."""
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tasks": fail}, "fails in tasks: SystemExit: 0"),
        ({"tasks": lambda self: None}, "fails in tasks: TypeError: 'NoneType' object is not iterable"),
        ({"tasks": lambda self: ["d0"]}, "has str among its tasks, which is no Task"),
        ({"content_digest": fail}, "fails in content_digest: SystemExit: 0"),
        ({"content_digest": lambda self: None}, "gives NoneType as its content's digest"),
        ({"default_cells": fail}, "fails in default_cells: SystemExit: 0"),
        ({"default_cells": lambda self: [5]}, "has int among its default cells, no Cell"),
    ],
)
def test_a_track_that_fails_is_told(changes: dict[str, Any], words: str) -> None:
    """Whatever a track's code raises or gives is an error of its plugin, by name."""
    registry, _ = staged(**changes)

    def ask() -> None:
        spec = build_spec(registry, RunRequest(track="altered"))
        for setting in settings_of(registry, spec).values():
            setting.content_digest()

    with pytest.raises(PluginError) as caught:
        ask()
    assert caught.value.message == f"track 'altered' (plugin altered) {words}."
