"""
What a run consists of while it travels, in this order: its record, its tasks, its attachments, its attempts.

Values are those of the store's columns, JSON as plain values, so that digests and checksums can be computed of exactly
what was stored. An attempt holds its packed trace and never the events: one attempt is what is in memory at a time.
"""

from collections.abc import Callable, Iterator
from typing import Any

from attrs import field, frozen

from recfw.model.run import TrialKey

FACTS = (
    "cell",
    "task_id",
    "trial",
    "attempt",
    "seed",
    "status",
    "stop",
    "error",
    "started",
    "seconds",
    "events",
    "usage",
)
"""Columns of an attempt, but for its run and its checksum."""


@frozen
class RunPart:
    """
    A run's record.

    Args:
        id, created, spec, spec_digest, content_digest, versions, status, planned: As in the store; spec as JSON values.
        tags, note: What people wrote on it.
        tasks, trials: How many tasks and attempts follow.
        redacted: Whether credentials were replaced on its way.
    """

    id: str
    created: float
    spec: dict[str, Any]
    spec_digest: str
    content_digest: str
    versions: dict[str, str]
    status: str
    planned: int
    tags: tuple[str, ...] = ()
    note: str = ""
    tasks: int = 0
    trials: int = 0
    redacted: bool = False


@frozen
class TaskPart:
    """A task: ``data`` is all of it, ``digest`` the SHA-256 of that; ``cell`` is empty where all cells share it."""

    cell: str
    id: str
    position: int
    digest: str
    data: dict[str, Any]


@frozen
class AttachmentPart:
    """An attachment that an attempt of the run refers to; each comes once."""

    sha256: str
    media_type: str
    data: bytes = field(repr=False)


@frozen
class ScorePart:
    """A figure of an attempt, with the checksum of its row (hex)."""

    metric: str
    scorer: str
    scored: int
    value: float | None
    detail: dict[str, Any]
    checksum: str


@frozen
class TrialPart:
    """
    One attempt.

    Args:
        facts: The columns named in :data:`FACTS`.
        checksum: That of its row (hex).
        trace: Its packed trace.
        checksums: 8 bytes for each of the trace's lines.
        scores: Its figures, ordered by metric and scorer.
        attachments: The SHA-256 (hex) of what it refers to, in order.
    """

    facts: dict[str, Any]
    checksum: str
    trace: bytes = field(repr=False)
    checksums: bytes = field(repr=False)
    scores: tuple[ScorePart, ...] = ()
    attachments: tuple[str, ...] = ()

    @property
    def key(self) -> TrialKey:
        """Which trial."""
        return TrialKey(self.facts["cell"], self.facts["task_id"], self.facts["trial"])

    @property
    def place(self) -> tuple[str, str, int, int]:
        """Where it comes in the order of attempts."""
        return self.facts["cell"], self.facts["task_id"], self.facts["trial"], self.facts["attempt"]

    def __str__(self) -> str:
        return f"trial {self.key}, attempt {self.facts['attempt']}"


Part = RunPart | TaskPart | AttachmentPart | TrialPart

Source = Callable[[], Iterator[Part]]
"""Gives the parts of one run after the other, from the beginning each time it is called: checked first, stored then."""
