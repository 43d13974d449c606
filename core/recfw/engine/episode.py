"""The one loop: who holds the floor sees, replies, is answered and ruled on, until something ends it."""

import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NoReturn, TypeVar

from attrs import define, evolve, field

from recfw.engine.deadline import DeadlineError, Passing, allowing, in_thread, within
from recfw.engine.limits import ENDLESS, Excuse, Meter
from recfw.engine.toolbox import Toolbox
from recfw.errors import InfrastructureError, StoreError, words_of
from recfw.model.reply import Reply, ToolCall, ToolResult, Usage
from recfw.model.run import Limits
from recfw.model.trace import EndEvent, Event, PictureEvent, RefusalEvent, ReplyEvent, ToolEvent, Trace
from recfw.model.usage import TOKENS
from recfw.model.view import Picture, View
from recfw.protocols import Accepted, ContextOverflow, Ended, Environment, Player, Recorder, Refused, RoleSpec
from recfw.serialize import clean, plain

T = TypeVar("T")

MOST = 2**53
"""Most tokens, and most USD, of one reply that are believed: every reader of JSON holds it exactly."""


class _Stop(Exception):  # noqa: N818 - control flow, never seen outside
    """The episode ends here, for a named reason."""

    def __init__(self, reason: str, error: str = "") -> None:
        super().__init__(reason)
        self.reason, self.error = reason, error


@define
class Episode:
    """
    One episode of a trial.

    Args:
        environment: The world.
        roles: What the track declares of each role.
        limits: What ends it from outside.
        recorder: Where events go as they happen.
        toolbox: Answers tool calls.
        players: Role -> its player; filled in after ``look`` was handed to them.
        blocking: Roles whose ``reply`` is an ordinary function that needs a thread.
        clock: Seconds, monotonic.
    """

    environment: Environment
    roles: Mapping[str, RoleSpec]
    limits: Limits
    recorder: Recorder
    toolbox: Toolbox
    players: dict[str, Player] = field(factory=dict)
    blocking: set[str] = field(factory=set)
    clock: Callable[[], float] = time.perf_counter
    events: list[Event] = field(factory=list, init=False)
    excuses: dict[str, Excuse] = field(factory=dict, init=False)
    meter: Meter = field(init=False)
    _failed_look: InfrastructureError | StoreError | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.meter = Meter(self.limits)

    @property
    def trace(self) -> Trace:
        """What has happened so far."""
        return Trace(tuple(self.events))

    def record(self, event: Event) -> None:
        """Append an event to the trace and the recorder."""
        self.events.append(event)
        self.recorder.append(event)

    async def play(self) -> EndEvent:
        """
        Play to the end.

        Raises:
            InfrastructureError: Something outside the evaluated role failed.
        """
        try:
            while True:
                await self._step()
        except _Stop as stop:
            end = EndEvent(stop.reason, self._guarded(self.environment.summary), clean(stop.error))
        self.record(end)
        return end

    async def _step(self) -> None:
        role = self._guarded(self.environment.next_role)
        if role not in self.players:
            raise InfrastructureError(f"the environment gave the floor to '{role}', which is no role of this track.")
        if reason := self.meter.take_floor(role):
            raise _Stop(reason)
        view = await self._world("view", lambda: self.environment.view(role))
        if not isinstance(view, View):
            raise InfrastructureError(f"the environment's view is {type(view).__name__}, not a View.")
        turn = self.meter.turns[role]
        reply = await self._reply(role, turn, view)
        results = await self._answer(role, turn, view, reply)
        ruling = await self._world("receive", lambda: self.environment.receive(role, reply, results))
        match ruling:
            case Refused(words):
                self.record(RefusalEvent(role, turn, words))
                if reason := self.meter.count_refusal(role):
                    self._fault(role, reason, f"refused {self.meter.repairs} times in a row: {words}")
            case Accepted(events) | Ended(_, events):
                self.meter.repairs = 0
                for event in events:
                    self.record(event)
                if isinstance(ruling, Ended):
                    raise _Stop(ruling.stop)
            case _:
                raise InfrastructureError(f"the environment ruled {ruling!r}, which is no ruling.")
        if self.meter.calls and (reason := self.meter.count_calls(role, 0)):
            raise _Stop(reason)

    async def _reply(self, role: str, turn: int, view: View) -> Reply:
        spec, player = self.roles[role], self.players[role]
        left = self.meter.time_left(role, ENDLESS if spec.evaluated else self.limits.world_seconds)
        excuse = self.excuse(role)
        excuse.take()
        started = self.clock()
        try:
            blocking = role in self.blocking
            work = partial(in_thread, player.reply, view) if blocking else partial(player.reply, view)
            reply = _checked(await within(left, work, excuse.seconds))
        except DeadlineError as error:
            self._fault(role, f"{role}_time_limit", f"no reply within {left:.0f} s", error)
        except ContextOverflow as error:
            self._fault(role, "context_overflow", words_of(error, bare=True), error)
        except (InfrastructureError, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - nothing that a component does can crash a run
            self._fault(role, f"{role}_error", words_of(error), error)
        self._check_looks()
        taken = max(0.0, self.clock() - started - excuse.take())
        self.meter.seconds[role] += taken
        self.record(ReplyEvent(role, turn, reply, round(taken, 6)))
        if role in self.limits.seconds and self.meter.time_left(role, ENDLESS) <= 0:
            self._fault(role, f"{role}_time_limit", f"a reply came after {self.meter.seconds[role]:.1f} s")
        return reply

    def excuse(self, role: str) -> Excuse:
        """Return what keeps the time of a role's replies that is not its own."""
        return self.excuses.setdefault(role, Excuse(self.clock))

    def _fault(self, role: str, reason: str, words: str, cause: Exception | None = None) -> NoReturn:
        self._check_looks(cause)
        if self.roles[role].evaluated:
            raise _Stop(reason, words) from cause
        raise InfrastructureError(f"{role}: {words}") from cause

    async def _answer(self, role: str, turn: int, view: View, reply: Reply) -> tuple[ToolResult, ...]:
        if not reply.calls:
            return ()
        allowed = self.meter.calls_left(role, len(reply.calls))
        answers: list[ToolEvent] = await self.toolbox.answer(
            self.environment, role, turn, view.tools, reply.calls, allowed=allowed, seconds=self.limits.call_seconds
        )
        for answer in answers:
            self.record(evolve(answer, seconds=round(answer.seconds, 6)))
        self.meter.count_calls(role, len(answers))
        return tuple(ToolResult(answer.content, answer.error, answer.notes) for answer in answers)

    async def look(self, role: str, handle: str) -> Picture:
        """
        Give a role's component a picture that its View named, and record that it looked.

        A fault of the world or the disk is kept, too: the component is in the way, and may make another of it.
        """
        try:
            picture = await self._world("picture", lambda: self.environment.picture(handle))
            sha256 = self.recorder.attach(picture.data, picture.media_type)
            self.record(PictureEvent(role, handle, sha256, picture.media_type))
        except (InfrastructureError, StoreError) as error:
            self._failed_look = error
            raise
        return picture

    def _check_looks(self, cause: Exception | None = None) -> None:
        """Raise what made a look fail, whatever the component that looked made of it: the fault is not its own."""
        if self._failed_look is not None:
            raise self._failed_look from cause

    async def _world(self, what: str, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await within(self.limits.world_seconds, work)
        except DeadlineError as error:
            raise InfrastructureError(
                f"the environment's {what} took longer than {self.limits.world_seconds:g} s."
            ) from error
        except (InfrastructureError, KeyError) as error:
            if what == "picture" or isinstance(error, InfrastructureError):
                raise
            raise InfrastructureError(f"the environment's {what} raised KeyError: {error}") from error
        except Exception as error:
            raise InfrastructureError(f"the environment's {what} raised {words_of(error)}") from error

    def _guarded(self, function: Callable[[], T]) -> T:
        try:
            with allowing(self.limits.world_seconds):
                return function()
        except (InfrastructureError, Passing):
            raise
        except BaseException as error:
            name = getattr(function, "__name__", "call")
            raise InfrastructureError(f"the environment's {name} raised {words_of(error)}") from error


def _checked(reply: Any) -> Reply:
    if not isinstance(reply, Reply):
        raise TypeError(f"the component replied {type(reply).__name__}, not a Reply")
    if not all(isinstance(text, str) for text in (reply.text, reply.reasoning, reply.finish)):
        raise TypeError("the component's reply holds text that is no string")
    calls = tuple(reply.calls)
    for call in calls:
        if not (isinstance(call, ToolCall) and all(isinstance(x, str) for x in (call.name, call.arguments, call.id))):
            raise TypeError(f"the component's reply holds {call!r}, which is no ToolCall")
    usage = None if reply.usage is None else _checked_usage(reply.usage)
    data = None if reply.data is None else plain(reply.data)  # the environment sees what the trace will hold
    return evolve(reply, text=clean(reply.text), reasoning=clean(reply.reasoning), calls=calls, data=data, usage=usage)


def _checked_usage(usage: Any) -> Usage:
    if not isinstance(usage, Usage):
        raise TypeError(f"the reply's usage is {type(usage).__name__}, not a Usage")
    for name in TOKENS:
        count = getattr(usage, name)
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST:
            raise TypeError(f"the reply's usage has {name} = {count!r}, which is no count")
    cost = usage.cost
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost <= MOST):
        raise TypeError(f"the reply's usage has cost = {cost!r}, which is no amount")
    if not isinstance(usage.raw, dict):
        raise TypeError(f"the reply's usage has raw = {usage.raw!r}, which is no dict")
    return evolve(usage, raw=plain(usage.raw)) if usage.raw else usage
