"""What the store tells about runs and trials: plain records, no blobs in them."""

from attrs import Factory, frozen

from recfw.model.results import RunInfo
from recfw.model.run import Status, TrialKey


@frozen
class RunSummary:
    """
    A run and how far it got.

    Args:
        info: The run.
        completed: Trials with a completed attempt.
        failed: Trials with a failed attempt and no completed one.
    """

    info: RunInfo
    completed: int
    failed: int


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
class AttachmentInfo:
    """An attachment that a trial refers to; ``size`` in bytes."""

    sha256: str
    media_type: str
    size: int
