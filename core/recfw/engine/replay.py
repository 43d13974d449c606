"""
Replay: the world rebuilt and played again, compared event by event with what was stored.

Only replies of components that are not deterministic are read from the trace; every tool call, every reply of code,
every ruling and every score is computed anew. What cannot be computed anew is held to be as it was stored by the
checksums that the store keeps; what they show is told in its place among the differences.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from attrs import evolve, frozen

from recfw.engine.deadline import Passing
from recfw.engine.episode import Episode
from recfw.engine.limits import depends_on_clock
from recfw.engine.scoring import score_metrics
from recfw.engine.stage import Stage
from recfw.errors import DataError, words_of
from recfw.model.reply import Reply
from recfw.model.run import Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Event, PictureEvent, ReplyEvent, ToolEvent, Trace
from recfw.model.usage import usage_of
from recfw.model.view import View
from recfw.protocols import Participant, Player
from recfw.serialize import canonical, event_line, payloads, plain, unpack_trace, whole_event


@frozen
class Difference:
    """
    Where a replay departs from what was stored.

    Args:
        key: Which trial.
        event: Index of the first event that differs; -1 where it is no event.
        stored: What was stored there, shortened.
        found: What the replay gave, shortened.
        fault: What is wrong with what was stored there, whatever the replay gave.
        part: What differs where it is no event.
    """

    key: TrialKey
    event: int
    stored: str = ""
    found: str = ""
    fault: str = ""
    part: str = "scores"

    def __str__(self) -> str:
        where = f"event {self.event}" if self.event >= 0 else self.part
        apart = [f"stored {self.stored}; replayed {self.found}"] if self.stored or self.found else []
        return f"{self.key}, {where}: {'; '.join([*apart, self.fault] if self.fault else apart)}"


class _Departed(Passing):
    """The replay departs here."""

    def __init__(self, event: int, stored: str = "", found: str = "") -> None:
        super().__init__(event)
        self.event, self.stored, self.found = event, stored, found


class _Finished(Passing):
    """Everything that can be compared was equal, and the rest of the trace depends on the clock."""


class _Comparer:
    """A recorder that records nothing and compares everything with the stored events."""

    def __init__(self, stored: Sequence[Event], faults: Mapping[int, str]) -> None:
        self._stored, self._faults, self._next = stored, faults, 0

    def begin(self, key: TrialKey, attempt: int) -> None:
        """Nothing is written."""

    def attach(self, data: bytes, media_type: str) -> str:  # noqa: ARG002 - the recorder protocol's signature
        """Return the payload's SHA-256 without keeping it."""
        return hashlib.sha256(data).hexdigest()

    def append(self, event: Event) -> None:
        """Compare one event with the stored one at the same place."""
        at = self._next
        if at >= len(self._stored):
            raise _Departed(at, "the end of the trace", _short(_comparable(event)))
        if _timeless_line(self._stored[at]) != _timeless_line(event):
            stored, found = _comparable(self._stored[at]), _comparable(event)
            if stored != found:
                raise _Departed(at, *_apart(stored, found))
        self._check_sound(at)
        self._next += 1
        self.settle()

    def settle(self) -> None:
        """Stop here when only an ending is left that no replay can find again."""
        rest = self._stored[self._next :]
        if len(rest) == 1 and isinstance(rest[0], EndEvent) and depends_on_clock(rest[0].stop):
            self._check_sound(self._next)
            raise _Finished

    def check_complete(self) -> None:
        """Depart where stored events were left over."""
        if self._next < len(self._stored):
            raise _Departed(self._next, _short(_comparable(self._stored[self._next])), "the end of the episode")
        self._check_sound(self._next)

    def _check_sound(self, at: int) -> None:
        if at in self._faults:
            raise _Departed(at)


class _Reader:
    """A player that reads a component's stored replies, looking at the pictures that it looked at."""

    def __init__(self, role: str, stored: Sequence[Event], episode: Episode) -> None:
        self._episode, self._role = episode, role
        self._steps: list[tuple[list[str], Reply]] = []
        looked: list[str] = []
        for event in stored:
            if isinstance(event, PictureEvent) and event.role == role:
                looked.append(event.handle)
            elif isinstance(event, ReplyEvent) and event.role == role:
                self._steps.append((looked, event.reply))
                looked = []
        self._next = 0

    async def reply(self, view: View) -> Reply:  # noqa: ARG002 - the player protocol's signature
        """Return the next stored reply."""
        if self._next >= len(self._steps):
            at = len(self._episode.events)
            raise _Departed(at, "no further reply", f"the floor for {self._role}")
        looked, reply = self._steps[self._next]
        self._next += 1
        for handle in looked:
            at = len(self._episode.events)
            try:
                await self._episode.look(self._role, handle)
            except Exception as error:
                raise _Departed(at, f"a look at '{handle}'", words_of(error)) from error
        return reply


async def replay(
    stage: Stage,
    key: TrialKey,
    trace: Trace,
    scores: Sequence[Score] = (),
    faults: Mapping[int, str] | None = None,
) -> Difference | None:
    """
    Replay one trace.

    Args:
        stage: An open stage of the trial's run.
        key: Which trial.
        trace: Its stored trace.
        scores: Its stored scores; those of the run's own metrics are computed anew and compared. None are where none
            are given.
        faults: Index of an event -> what is known to be wrong with it, where the replay would find no difference.

    Returns:
        The first difference, or None.

    Raises:
        DataError: The task is no longer part of the content.
        InfrastructureError: The world failed during the replay.
    """
    apart = await _play_again(stage, key, trace, faults or {})
    return apart or (_rescore(stage, key, trace, scores) if scores else None)


async def replay_stored(
    stage: Stage, trial: Trial, faults: Mapping[int, str], fetch: Callable[[str], bytes]
) -> Difference | None:
    """
    Replay a stored trial, and compare what its record says beside the trace.

    Args:
        stage: An open stage of the trial's run.
        trial: As it was stored.
        faults: As :func:`replay` takes them.
        fetch: SHA-256 of an attachment -> its bytes; DataError where they are not those that were stored.

    Returns:
        The first difference, or None.

    Raises:
        DataError: The trace is damaged, or the task is no longer part of the content.
        InfrastructureError: The world failed during the replay.
    """
    known, events = dict(faults), []
    for number, event in enumerate(unpack_trace(trial.trace, f"trial {trial.key}").events):
        fault = next(filter(None, (_attachment_fault(fetch, sha256) for sha256 in payloads(event))), "")
        if fault:
            known.setdefault(number, fault)
        events.append(event if fault else whole_event(event, fetch))
    trace = Trace(tuple(events))
    apart = await _play_again(stage, trial.key, trace, known) or _compare_record(stage, trial, trace)
    return apart or _rescore(stage, trial.key, trace, trial.scores)


def _attachment_fault(fetch: Callable[[str], bytes], sha256: str) -> str:
    try:
        fetch(sha256)
    except DataError as error:
        return str(error)
    return ""


def compare_tasks(stored: Mapping[str, Task], content: Mapping[str, Task]) -> list[str]:
    """Return a line for each stored task of a run (id -> task) that is not the content's, or that one side has not."""
    lines = []
    for name in sorted(stored.keys() | content.keys()):
        if name not in content or name not in stored:
            lines.append(f"task '{name}': it is {'not stored' if name in content else 'not in the content'}")
            continue
        was, now = (orjson.loads(canonical(tasks[name])) for tasks in (stored, content))
        if was != now:
            was, now = _apart(was, now)
            lines.append(f"task '{name}': stored {was}; in the content {now}")
    return lines


async def _play_again(stage: Stage, key: TrialKey, trace: Trace, faults: Mapping[int, str]) -> Difference | None:
    if key.task not in stage.settings[key.cell].tasks:
        raise DataError(f"{key}: the task '{key.task}' is not in the content that this run names.")
    comparer = _Comparer(trace.events, faults)

    def substitute(role: str, component: Participant, player: Player, episode: Episode) -> Player:
        if component.deterministic:
            if component.blocking:
                episode.blocking.add(role)
            return player
        return _Reader(role, trace.events, episode)

    try:
        comparer.settle()
        await stage.play(key, comparer, lambda _: None, substitute)
        comparer.check_complete()
    except _Finished:
        pass
    except _Departed as apart:
        return Difference(key, apart.event, apart.stored, apart.found, faults.get(apart.event, ""))
    return None


def _compare_record(stage: Stage, trial: Trial, trace: Trace) -> Difference | None:
    """Compare what a trial's record repeats of its trace, or what follows from the run."""
    stored = {"seed": trial.seed, "stop": trial.stop, "events": trial.events, "usage": trial.usage}
    follows = {
        "seed": trial.key.seed(stage.spec.seed),
        "stop": trace.stop,
        "events": len(trace.events),
        "usage": usage_of(trace.events),
    }
    return None if stored == follows else Difference(trial.key, -1, *_apart(stored, follows), part="record")


def _rescore(stage: Stage, key: TrialKey, trace: Trace, scores: Sequence[Score]) -> Difference | None:
    task = stage.settings[key.cell].tasks[key.task]
    again = {(s.metric, s.scorer): s for s in score_metrics(stage.metrics[key.cell], task, trace)}
    scorers = {scorer for _, scorer in again}
    stored = {(s.metric, s.scorer): s for s in scores if s.scorer in scorers}
    for name in sorted(stored.keys() | again.keys()):
        was, now = (_figure(name[0], figures.get(name)) for figures in (stored, again))
        if was != now:
            return Difference(key, -1, *_apart(was, now))
    return None


def _figure(name: str, score: Score | None) -> dict[str, Any]:
    """Return a score as it is compared: its value and whatever explains it."""
    return {name: "absent"} if score is None else {name: score.value, f"{name} detail": plain(score.detail)}


def _timeless_line(event: Event) -> bytes:
    """Return an event's line with its duration left out; equal lines need not be taken apart to be compared."""
    return event_line(evolve(event, seconds=0.0) if isinstance(event, ReplyEvent | ToolEvent) else event)


def _comparable(event: Event) -> Any:
    data: dict[str, Any] = orjson.loads(event_line(event))
    data.pop("seconds", None)
    return data


def _apart(stored: Any, found: Any, path: str = "") -> tuple[str, str]:
    """Return both sides of the first place where two JSON values differ."""
    if isinstance(stored, dict) and isinstance(found, dict):
        for name in sorted(stored.keys() | found.keys()):
            if stored.get(name) != found.get(name):
                return _apart(stored.get(name), found.get(name), f"{path}.{name}" if path else name)
    if isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        for position, (left, right) in enumerate(zip(stored, found, strict=True)):
            if left != right:
                return _apart(left, right, f"{path}[{position}]")
    return _short(stored, path), _short(found, path)


def _short(value: Any, path: str = "") -> str:
    text = orjson.dumps(value).decode()
    text = text if len(text) <= 160 else f"{text[:160]}…"
    return f"{path} = {text}" if path else text
