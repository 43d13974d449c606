"""What a run is asked to do, as data: components, cells, limits, trials."""

from enum import StrEnum
from typing import Any

from attrs import Factory, field, frozen

from recfw.model.draws import derive_seed
from recfw.model.score import Score


@frozen
class ComponentSpec:
    """A component by name, with its options as plain data (validated against its options class)."""

    name: str
    options: dict[str, Any] = Factory(dict)


@frozen
class Cell:
    """
    One column of a run's matrix: who fills each role, under which of the track's options.

    ``name`` is short, unique within the run, and says what sets the cell apart.
    """

    name: str
    roles: dict[str, ComponentSpec]
    options: dict[str, Any] = Factory(dict)


@frozen
class Limits:
    """
    What ends an episode from outside, each with a stop reason of its own; keys are roles.

    Args:
        turns: Most turns a role may begin (``<role>_turn_limit``).
        replies: Most replies within one turn (``<role>_reply_limit``).
        calls: Tool calls within one turn; further ones get an error as answer.
        grace_calls: How many calls past ``calls`` get that error before the episode ends (``<role>_call_limit``).
        seconds: Wall-clock time that a role may spend in an episode (``<role>_time_limit``).
        call_seconds: Deadline of one tool call; past it the call is answered with an error.
        world_seconds: Deadline of anything else that the environment does; past it infrastructure has failed.
        repairs: Refused replies in a row before the episode ends (``<role>_repair_limit``).
    """

    turns: dict[str, int] = Factory(dict)
    replies: dict[str, int] = Factory(dict)
    calls: dict[str, int] = Factory(dict)
    grace_calls: int = 10
    seconds: dict[str, float] = Factory(dict)
    call_seconds: float = 60.0
    world_seconds: float = 120.0
    repairs: int = 3


@frozen
class RunSpec:
    """
    What was asked: all that decides a run's figures, and nothing else.

    The executor, concurrency, workers, the store and analysis settings are no part of it.
    """

    plugin: str
    track: str
    cells: tuple[Cell, ...]
    tasks: tuple[str, ...] = ()
    trials: int = 1
    seed: int = 0
    limits: Limits = Factory(Limits)
    judges: tuple[ComponentSpec, ...] = ()
    attempts: int = 2
    schema: int = 1


@frozen(order=True)
class TrialKey:
    """Which trial: cell, task, and the trial's number from 0."""

    cell: str
    task: str
    trial: int

    def seed(self, run_seed: int) -> int:
        """Return the trial's seed: of run seed, task and trial number, so that cells share draws."""
        return derive_seed(run_seed, self.task, self.trial)

    def __str__(self) -> str:
        return f"{self.cell}/{self.task}/{self.trial}"


class Status(StrEnum):
    """How a trial's attempt ended."""

    COMPLETED = "completed"
    """It ran to a stop reason, and is scored."""
    FAILED = "failed"
    """Infrastructure failed; never scored as the agent's, run again by resume."""
    INTERRUPTED = "interrupted"
    """It was cut off; its partial trace is kept to be read."""


@frozen
class Attachment:
    """A picture or a large payload, by the SHA-256 of its bytes."""

    sha256: str
    media_type: str
    data: bytes = field(repr=False)


@frozen
class Trial:
    """
    One finished attempt of a trial, as a worker gives it back.

    Args:
        key: Which trial.
        attempt: Counts from 1.
        seed: The trial's seed.
        status: How it ended.
        stop: The stop reason, or the kind of failure.
        error: Words about a failure.
        started: Seconds since the epoch.
        seconds: Wall-clock time.
        events: How many events the trace holds.
        usage: Role -> what it consumed.
        scores: Figures; empty unless completed.
        trace: The packed trace (:mod:`recfw.serialize`).
        attachments: What the trace refers to.
        checksums: Those of its events' lines, where whoever recorded it has them.
        halt: Words on why no further trial can succeed, where one was told so (:class:`recfw.errors.OutageError`).
    """

    key: TrialKey
    attempt: int
    seed: int
    status: Status
    stop: str
    error: str = ""
    started: float = 0.0
    seconds: float = 0.0
    events: int = 0
    usage: dict[str, dict[str, float]] = Factory(dict)
    scores: tuple[Score, ...] = ()
    trace: bytes = field(default=b"", repr=False)
    attachments: tuple[Attachment, ...] = ()
    checksums: bytes = field(default=b"", repr=False)
    halt: str = ""
