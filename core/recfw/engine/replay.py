"""
Replay: the world rebuilt and played again, compared event by event with what was stored.

Only replies of components that are not deterministic are read from the trace; every tool call, every reply of code,
every ruling and every score is computed anew.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson
from attrs import frozen

from recfw.engine.episode import Episode
from recfw.engine.limits import depends_on_clock
from recfw.engine.scoring import score_metrics
from recfw.engine.stage import Stage
from recfw.errors import DataError
from recfw.model.reply import Reply
from recfw.model.run import TrialKey
from recfw.model.score import Score
from recfw.model.trace import EndEvent, Event, PictureEvent, ReplyEvent, Trace
from recfw.model.view import View
from recfw.protocols import Participant, Player
from recfw.serialize import event_line


@frozen
class Difference:
    """
    Where a replay departs from what was stored.

    Args:
        key: Which trial.
        event: Index of the first event that differs; -1 for a score.
        stored: What was stored there, shortened.
        found: What the replay gave, shortened.
    """

    key: TrialKey
    event: int
    stored: str
    found: str

    def __str__(self) -> str:
        where = f"event {self.event}" if self.event >= 0 else "scores"
        return f"{self.key}, {where}: stored {self.stored}; replayed {self.found}"


class _Departed(BaseException):
    """The replay departs here; a BaseException so that no handler of the engine takes it for a failure."""

    def __init__(self, event: int, stored: str, found: str) -> None:
        super().__init__(event)
        self.event, self.stored, self.found = event, stored, found


class _Finished(BaseException):
    """Everything that can be compared was equal, and the rest of the trace depends on the clock."""


class _Comparer:
    """A recorder that records nothing and compares everything with the stored events."""

    def __init__(self, stored: Sequence[Event]) -> None:
        self._stored, self._next = stored, 0

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
        stored, found = _comparable(self._stored[at]), _comparable(event)
        if stored != found:
            raise _Departed(at, *_apart(stored, found))
        self._next += 1
        self.settle()

    def settle(self) -> None:
        """Stop here when only an ending is left that no replay can find again."""
        rest = self._stored[self._next :]
        if len(rest) == 1 and isinstance(rest[0], EndEvent) and depends_on_clock(rest[0].stop):
            raise _Finished

    def check_complete(self) -> None:
        """Depart where stored events were left over."""
        if self._next < len(self._stored):
            raise _Departed(self._next, _short(_comparable(self._stored[self._next])), "the end of the episode")


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
            await self._episode.look(self._role, handle)
        return reply


async def replay(stage: Stage, key: TrialKey, trace: Trace, scores: Sequence[Score] = ()) -> Difference | None:
    """
    Replay one stored trial.

    Args:
        stage: An open stage of the trial's run.
        key: Which trial.
        trace: Its stored trace.
        scores: Its stored scores; those of the run's own metrics are computed anew and compared.

    Returns:
        The first difference, or None.

    Raises:
        DataError: The task is no longer part of the content.
        InfrastructureError: The world failed during the replay.
    """
    if key.task not in stage.settings[key.cell].tasks:
        raise DataError(f"{key}: the task '{key.task}' is not in the content that this run names.")
    comparer = _Comparer(trace.events)

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
        return Difference(key, apart.event, apart.stored, apart.found)
    return _rescore(stage, key, trace, scores)


def _rescore(stage: Stage, key: TrialKey, trace: Trace, scores: Sequence[Score]) -> Difference | None:
    task = stage.settings[key.cell].tasks[key.task]
    again = {(s.metric, s.scorer): s.value for s in score_metrics(stage.metrics[key.cell], task, trace)}
    scorers = {scorer for _, scorer in again}
    stored = {(s.metric, s.scorer): s.value for s in scores if s.scorer in scorers}
    if not scores or stored == again:
        return None
    for name in sorted(stored.keys() | again.keys()):
        if stored.get(name) != again.get(name):
            was, now = stored.get(name, "absent"), again.get(name, "absent")
            return Difference(key, -1, f"{name[0]} = {was}", f"{name[0]} = {now}")
    return None


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
