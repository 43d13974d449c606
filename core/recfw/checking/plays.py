"""A few tasks of each track, played into a scratch store by its default cells, and replayed from there."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attrs import Factory, define, evolve

from recfw.checking.findings import Notes, listed
from recfw.checking.offers import called
from recfw.engine.request import RunRequest, build_spec
from recfw.errors import RecfwError
from recfw.executors.conductor import new_run_id, prepare
from recfw.executors.replays import Replay
from recfw.model.results import Results
from recfw.model.run import ComponentSpec, RunSpec, Status
from recfw.model.task import Task
from recfw.protocols import Track
from recfw.registry import Registry
from recfw.store.repository import Store
from recfw.store.results import StoredResults
from recfw.testing.episodes import Played, play

_SHOWN = 5


@define
class Evidence:
    """
    What was played of one track, for the suites of components that want Views, traces or results.

    Args:
        track: Its class.
        spec: What was asked.
        played: The episodes that came to an end.
        results: The stored run; None where nothing could be played.
    """

    track: type[Track]
    spec: RunSpec | None = None
    played: list[Played] = Factory(list)
    results: Results | None = None


def look_at_tasks(notes: Notes, registry: Registry, name: str) -> list[Task]:
    """Tell whether a track's content breaks its own rules; return its tasks under default options."""
    subject = called("tracks", name)
    track: Track = registry.create("tracks", ComponentSpec(name))
    tasks = list(track.tasks())
    if not tasks:
        notes.wrong(subject, "has no tasks under its default options", "Ship some, so that it runs as it is installed.")
        return []
    doubled = (
        sorted({task.id for task in tasks if sum(other.id == task.id for other in tasks) > 1})
        if (len({task.id for task in tasks}) < len(tasks))
        else []
    )
    if doubled:
        notes.wrong(subject, f"several tasks have one id: {listed(doubled)}", "Give each an id of its own.")
    problems = list(track.validate())
    for problem in problems[:_SHOWN]:
        notes.wrong(subject, f"{problem.where} breaks the rule '{problem.rule}': {problem.words}", "Mend the content.")
    if len(problems) > _SHOWN:
        notes.note(subject, f"and {len(problems) - _SHOWN} more broken rules")
    if len(track.content_digest()) != 64:
        notes.wrong(subject, "its content digest is no SHA-256 in hex", "Use recfw.serialize.digest.")
    if not problems and not doubled:
        notes.ok(subject, f"{len(tasks)} tasks break none of its rules", tasks=len(tasks))
    return tasks


def spread(tasks: Sequence[Task], size: int) -> tuple[str, ...]:
    """Return ids of some tasks, spread over all."""
    step = max(1, len(tasks) // size)
    return tuple(task.id for task in tasks[::step][:size])


def look_at_replay(
    notes: Notes, registry: Registry, plugin: str, name: str, tasks: Sequence[Task], folder: Path, size: int
) -> Evidence:
    """Play some tasks by the track's default cells into a scratch store, replay them, and tell what differs."""
    subject, evidence = called("tracks", name), Evidence(registry.find("tracks", name))
    if not tasks:
        return evidence
    chosen = spread(tasks, size)
    spec = evolve(build_spec(registry, RunRequest(plugin=plugin, track=name)), tasks=chosen)
    evidence.spec = spec
    played = play(registry, spec, folder / "cache")
    failed = [each for each in played if each.trial.status is not Status.COMPLETED]
    for each in failed[:_SHOWN]:
        notes.wrong(
            f"trial {each.trial.key}",
            f"failed: {each.trial.error.rstrip('.')}",
            "Play it: recfw run, then recfw trace.",
        )
    ended = [each for each in played if each.trial.status is Status.COMPLETED]
    faulty = [each for each in ended if each.trial.stop.endswith("_error")]
    for each in faulty[:_SHOWN]:
        words = f"ended as {each.trial.stop}: {each.trace.end.error if each.trace.end else ''}"
        notes.wrong(f"trial {each.trial.key}", words.rstrip(".: "), "A reference component must not fail.")
    evidence.played = ended
    place = str(Path(tempfile.mkdtemp(dir=folder)) / "runs.db")
    store = Store.open(place)
    with prepare(store, registry, spec, new_run_id(0.0, name.encode())) as prepared:
        store.add_trials(prepared.run.id, [each.trial for each in ended])
    run = store.run(prepared.run.id)
    evidence.results = StoredResults(store, [run.id])
    again = Replay(store, place, registry, run, folder / "cache")
    found = again.tasks()
    asyncio.run(again.replay([each.trial.key for each in ended], 0, lambda: None))
    found += again.findings(others=False)
    for finding in found[:_SHOWN]:
        hint = "Draw from context.draws(), and depend on no clock, set order or state of other episodes."
        notes.wrong(subject, f"replay differs: {finding.words.rstrip('.')}", hint)
    if not found and not failed and not faulty:
        cells = len(spec.cells)
        words = f"{len(ended)} trials of {cells} default cell{'s' if cells > 1 else ''} replay without a difference"
        notes.ok(subject, words, trials=len(ended))
    return evidence


def try_out(registry: Registry, evidence: Evidence, role: str, component: str, folder: Path) -> Sequence[Played]:
    """
    Return one task, played with a component in a role.

    Raises:
        RecfwError: It cannot be played.
    """
    if evidence.spec is None:
        raise RecfwError("its track could not be played.")
    roles: dict[str, tuple[str, ...]] = {name: (spec.default,) for name, spec in evidence.track.roles.items()}
    roles[role] = (component,)
    request = RunRequest(track=evidence.track.name, roles=roles)
    spec = evolve(build_spec(registry, request), tasks=evidence.spec.tasks[:1])
    return play(registry, spec, folder / "cache")
