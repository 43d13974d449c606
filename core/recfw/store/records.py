"""What the store tells about runs and trials: plain records, no blobs in them."""

from attrs import Factory, frozen

from recfw.model.results import RunInfo
from recfw.model.run import Status, Trial, TrialKey
from recfw.model.score import Score

STATUSES = ("completed", "incomplete", "interrupted", "running", "deleting")
"""What a stored run can be."""


@frozen
class RunSummary:
    """
    A run and how far it got.

    Args:
        info: The run.
        completed: Trials with a completed attempt.
        failed: Trials with a failed attempt and no completed one.
        tags, note: What people wrote on it.
    """

    info: RunInfo
    completed: int
    failed: int
    tags: tuple[str, ...] = ()
    note: str = ""


@frozen
class TrialInfo:
    """One stored attempt of a trial, without its trace and scores; fields as in :class:`recfw.model.run.Trial`."""

    key: TrialKey
    attempt: int
    seed: int
    status: Status
    stop: str
    error: str
    started: float
    seconds: float
    events: int
    usage: dict[str, dict[str, float]] = Factory(dict)


@frozen
class StoredTrial:
    """
    One stored attempt whole, but for its attachments, and what of it is not as it was stored.

    Args:
        trial: The attempt; its scores are those of every scorer, the oldest first.
        altered_event: Index of the first event whose line does not have its checksum; None where all have.
        altered_scores: The scores that do not have theirs.
    """

    trial: Trial
    altered_event: int | None = None
    altered_scores: tuple[Score, ...] = ()


@frozen
class AttachmentInfo:
    """An attachment that a trial refers to; ``size`` in bytes."""

    sha256: str
    media_type: str
    size: int
