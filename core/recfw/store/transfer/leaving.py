"""A run's parts out of a store, each held against its digest or checksum on the way: what left is sound."""

import hashlib
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Row, func, select

from recfw.errors import DataError, UsageError
from recfw.serialize import altered_line, digest
from recfw.store.labels import notes_of, tags_of
from recfw.store.reading import BATCH
from recfw.store.repository import DELETING, Store
from recfw.store.tables import ATTACHMENT, RUN, RUN_TASK, SCORE, TASK, TRACE, TRIAL, TRIAL_ATTACHMENT
from recfw.store.transfer.records import FACTS, AttachmentPart, Part, RunPart, ScorePart, TaskPart, TrialPart
from recfw.store.writing import row_checksum, score_checksum

TRACES_AT_ONCE = 50


def parts_of(store: Store, run: str) -> Iterator[Part]:
    """
    Yield the parts of a run, as they are at one moment: also while it is going on.

    Args:
        store: Where it is.
        run: Its id.

    Raises:
        UsageError: The run is half deleted.
        DataError: Something is not as it was stored; it is named.
    """
    with store.database.read() as connection:
        row = connection.execute(select(RUN).where(RUN.c.id == run)).one()
        if row.status == DELETING:
            raise UsageError(f"run {run} is half deleted.", f"Delete the rest with: recfw runs delete {run}")
        yield _run(store, connection, row)
        yield from _tasks(connection, run)
        yield from _attachments(connection, run)
        yield from _trials(connection, run)


def _run(store: Store, connection: Connection, row: Row[Any]) -> RunPart:
    if digest(row.spec) != row.spec_digest:
        raise _altered(f"run {row.id}: its specification", row.id)
    return RunPart(
        row.id,
        row.created,
        row.spec,
        row.spec_digest,
        row.content_digest,
        row.versions,
        row.status,
        row.planned,
        tags_of(connection, store.database).get(row.id, ()),
        notes_of(connection, store.database).get(row.id, ""),
        connection.execute(select(func.count()).where(RUN_TASK.c.run_id == row.id)).scalar_one(),
        connection.execute(select(func.count()).where(TRIAL.c.run_id == row.id)).scalar_one(),
    )


def _tasks(connection: Connection, run: str) -> Iterator[TaskPart]:
    c = RUN_TASK.c
    query = select(c.cell, c.task_id, c.position, c.digest, TASK.c.data).join(TASK, TASK.c.digest == c.digest)
    query = query.where(c.run_id == run).order_by(c.cell, c.position, c.task_id)
    with connection.execute(query, execution_options={"yield_per": BATCH}) as rows:
        for row in rows:
            if digest(row.data) != row.digest:
                raise _altered(f"run {run}: task '{row.task_id}'", run)
            yield TaskPart(*row)


def _attachments(connection: Connection, run: str) -> Iterator[AttachmentPart]:
    link = TRIAL_ATTACHMENT.c
    mine = select(link.sha256).join(TRIAL, TRIAL.c.id == link.trial_id).where(TRIAL.c.run_id == run).distinct()
    with connection.execute(mine.order_by(link.sha256), execution_options={"yield_per": BATCH}) as shas:
        for sha in shas.scalars():
            row = connection.execute(select(ATTACHMENT).where(ATTACHMENT.c.sha256 == sha)).one()
            if hashlib.sha256(row.data).hexdigest() != sha:
                raise _altered(f"run {run}: attachment {sha}", run)
            yield AttachmentPart(row.sha256, row.media_type, bytes(row.data))


def _trials(connection: Connection, run: str) -> Iterator[TrialPart]:
    c = TRIAL.c
    query = select(TRIAL).where(c.run_id == run).order_by(c.cell, c.task_id, c.trial, c.attempt)
    with connection.execute(query, execution_options={"yield_per": BATCH}) as rows:
        for batch in rows.partitions(TRACES_AT_ONCE):
            numbers = [row.id for row in batch]
            scores, links = _scores(connection, numbers), _links(connection, numbers)
            for row in batch:
                part = _trial(connection, row, scores.get(row.id, ()), links.get(row.id, ()))
                _check(part, run)
                yield part


def _trial(
    connection: Connection, row: Row[Any], scores: tuple[ScorePart, ...], attachments: tuple[str, ...]
) -> TrialPart:
    facts = {name: row._mapping[name] for name in FACTS}  # noqa: SLF001 - SQLAlchemy's public name for it
    trace = connection.execute(select(TRACE).where(TRACE.c.trial_id == row.id)).one_or_none()
    if trace is None:
        raise DataError(f"run {row.run_id}, trial {row.cell}/{row.task_id}/{row.trial}: its trace is missing.")
    return TrialPart(facts, row.checksum.hex(), bytes(trace.data), bytes(trace.checksums), scores, attachments)


def _check(part: TrialPart, run: str) -> None:
    if row_checksum({**part.facts, "run_id": run}).hex() != part.checksum:
        raise _altered(f"run {run}, {part}: its record", run)
    number = altered_line(part.trace, part.checksums)
    if number is not None:
        raise _altered(f"run {run}, {part}, event {number}", run)
    for score in part.scores:
        if score_checksum(score.metric, score.scorer, score.value, score.detail).hex() != score.checksum:
            raise _altered(f"run {run}, {part}: {score.metric} by {score.scorer}", run)


def _scores(connection: Connection, numbers: list[int]) -> dict[int, tuple[ScorePart, ...]]:
    c = SCORE.c
    query = select(SCORE).where(c.trial_id.in_(numbers)).order_by(c.trial_id, c.metric, c.scorer)
    found: dict[int, tuple[ScorePart, ...]] = {}
    for row in connection.execute(query):
        score = ScorePart(row.metric, row.scorer, row.scored, row.value, row.detail, row.checksum.hex())
        found[row.trial_id] = (*found.get(row.trial_id, ()), score)
    return found


def _links(connection: Connection, numbers: list[int]) -> dict[int, tuple[str, ...]]:
    c = TRIAL_ATTACHMENT.c
    found: dict[int, tuple[str, ...]] = {}
    query = select(TRIAL_ATTACHMENT).where(c.trial_id.in_(numbers)).order_by(c.trial_id, c.sha256)
    for row in connection.execute(query):
        found[row.trial_id] = (*found.get(row.trial_id, ()), row.sha256)
    return found


def _altered(what: str, run: str) -> DataError:
    return DataError(
        f"{what} is not what was stored (checksum).",
        f"`recfw replay {run}` lists all that was altered; restore a copy of the store.",
    )
