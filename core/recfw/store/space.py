"""How much of the disk runs take: bytes of traces, attachments and rows."""

from typing import Any

from attrs import frozen
from sqlalchemy import Connection, Select, String, cast, func, select

from recfw.store.database import Database
from recfw.store.tables import ATTACHMENT, RUN_TASK, SCORE, TASK, TRACE, TRIAL, TRIAL_ATTACHMENT

_SHORT = 80
"""Bytes that a trial's short columns take, on average."""


@frozen
class Space:
    """
    What a run takes, in bytes; indexes and pages that are not full are not counted.

    Args:
        attempts: How many attempts it has, of any status.
        traces: Their packed traces, with the checksums of lines.
        attachments: The attachments that it refers to.
        shared: Those among them that another run refers to as well.
        rows: Records, scores and tasks; an estimate.
    """

    attempts: int
    traces: int
    attachments: int
    shared: int
    rows: int

    @property
    def total(self) -> int:
        """All together."""
        return self.traces + self.attachments + self.rows


def space_of(database: Database, run: str) -> Space:
    """Return what a run takes; no trace is read for it."""
    mine = TRIAL.c.run_id == run
    row = _size(TRIAL.c.usage) + func.length(TRIAL.c.error) + func.length(TRIAL.c.task_id) + _SHORT
    trace = func.length(TRACE.c.data) + func.length(TRACE.c.checksums)
    score = _size(SCORE.c.detail) + func.length(SCORE.c.metric) + func.length(SCORE.c.scorer) + 40
    refers = TRIAL_ATTACHMENT.join(TRIAL, TRIAL.c.id == TRIAL_ATTACHMENT.c.trial_id)
    own = select(TRIAL_ATTACHMENT.c.sha256).select_from(refers).where(mine).distinct()
    others = select(TRIAL_ATTACHMENT.c.sha256).select_from(refers).where(~mine)
    kept = select(func.sum(func.length(ATTACHMENT.c.data))).where(ATTACHMENT.c.sha256.in_(own))
    tasks = select(RUN_TASK.c.digest).where(RUN_TASK.c.run_id == run).distinct()
    with database.read() as connection:
        return Space(
            attempts=_number(connection, select(func.count()).select_from(TRIAL).where(mine)),
            traces=_number(connection, select(func.sum(trace)).select_from(TRACE.join(TRIAL)).where(mine)),
            attachments=_number(connection, kept),
            shared=_number(connection, kept.where(ATTACHMENT.c.sha256.in_(others))),
            rows=_number(connection, select(func.sum(row)).where(mine))
            + _number(connection, select(func.sum(score)).select_from(SCORE.join(TRIAL)).where(mine))
            + _number(connection, select(func.sum(_size(TASK.c.data))).where(TASK.c.digest.in_(tasks))),
        )


def _size(column: Any) -> Any:
    """Return the length of JSON text, which is not to be read as JSON."""
    return func.length(cast(column, String))


def _number(connection: Connection, query: Select[Any]) -> int:
    return int(connection.execute(query).scalar() or 0)
