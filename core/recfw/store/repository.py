"""The result store itself: what can be put into it and asked of it, whichever database holds it."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Row, Subquery, delete, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from recfw.errors import DataError, StoreError
from recfw.model.results import ResultRow, RunInfo
from recfw.model.run import Attachment, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending
from recfw.serialize import altered_line, digest, from_data, unpack_trace
from recfw.store.carrying import forget_executor
from recfw.store.database import Database
from recfw.store.holders import journals_beside
from recfw.store.journal import Journal
from recfw.store.labels import Labels, notes_of, remove_labels, tags_of
from recfw.store.names import DEFAULT_PLACE, run_named
from recfw.store.reading import (
    BATCH,
    all_scores,
    altered_rows,
    endings,
    keys_named,
    last_word,
    last_words,
    rated,
    spending,
    stream_attempts,
    trial_info,
)
from recfw.store.records import AttachmentInfo, RunSummary, StoredTrial, TrialInfo
from recfw.store.tables import ATTACHMENT, RUN, RUN_TASK, SCORE, TASK, TRACE, TRIAL, TRIAL_ATTACHMENT
from recfw.store.writing import insert_scores, insert_trials, is_trial

DELETING = "deleting"
"""Status of a run whose deletion has begun."""


class Store:
    """
    Stored runs.

    Only the process that carries a run writes it; any number may read at the same time. Every method raises StoreError
    where the database refuses.

    Args:
        database: Where to keep them; :meth:`open` makes it from a path or an address.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, place: str | Path, *, create: bool = True, read_only: bool = False) -> Self:
        """
        Open a store.

        Args:
            place: A path (an SQLite file, made with its folder) or ``postgresql://…``.
            create: Make a store where there is none; otherwise that is a StoreError.
            read_only: Never write, save to bring an older schema up to date; works where nothing can be written, and an
                older schema is then read as it stands.

        Raises:
            StoreError: It cannot be opened, is no store, or a newer recfw wrote it.
        """
        return cls(Database(str(place), create=create, read_only=read_only))

    def close(self) -> None:
        """Close every connection."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def where(self) -> str:
        """The store's path, or its address without the password."""
        return self._database.where

    @property
    def database(self) -> Database:
        """The database that holds it, for the other modules of the store."""
        return self._database

    @property
    def labels(self) -> Labels:
        """Tags and notes of its runs."""
        return Labels(self._database)

    @property
    def journals(self) -> Path:
        """The folder of all journals: beside the database file, or under ``.recfw`` here for PostgreSQL."""
        return journals_beside(self._database.path or Path(DEFAULT_PLACE))

    def journal(self, run: str) -> Journal:
        """Return a run's journal."""
        return Journal(self.journals / run)

    # --- Runs ---------------------------------------------------------------------------------------------------------

    def create_run(
        self,
        run: str,
        spec: RunSpec,
        content_digest: str,
        versions: Mapping[str, str],
        planned: int,
        *,
        status: str = "running",
        created: float | None = None,
    ) -> RunInfo:
        """
        Begin a run.

        Args:
            run: A new id.
            spec: What is asked.
            content_digest: What it is asked of.
            versions: Distribution or component -> version.
            planned: How many trials it will have.
            status: Its first status, in the engine's words.
            created: Seconds since the epoch; now, unless given.
        """
        info = RunInfo(
            run,
            spec,
            digest(spec),
            content_digest,
            dict(versions),
            status,
            time.time() if created is None else created,
            planned,
        )
        with self._database.write() as connection:
            connection.execute(
                insert(RUN).values(
                    id=run,
                    created=info.created,
                    plugin=spec.plugin,
                    track=spec.track,
                    spec=spec,
                    spec_digest=info.spec_digest,
                    content_digest=content_digest,
                    versions=info.versions,
                    status=status,
                    planned=planned,
                )
            )
        return info

    def set_run_status(self, run: str, status: str) -> None:
        """Write down a run's state."""
        with self._database.write() as connection:
            connection.execute(update(RUN).where(RUN.c.id == run).values(status=status))

    def run(self, name: str) -> RunInfo:
        """
        Return a run by its id, a tag that it alone has, a unique beginning of its id, or ``latest`` (short ``@``).

        Raises:
            UsageError: No run, or more than one, has this name.
        """
        with self._database.read() as connection:
            ids = list(connection.scalars(select(RUN.c.id).order_by(RUN.c.created, RUN.c.id)))
            found = run_named(name, ids, self.where, tags_of(connection, self._database))
            return _run_info(connection.execute(select(RUN).where(RUN.c.id == found)).one())

    def runs(self) -> list[RunSummary]:
        """Return all runs and how far they got, the oldest first."""
        keys = (TRIAL.c.run_id, TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial)
        other = aliased(TRIAL)
        completed_too = exists().where(
            *(other.c[key.name] == key for key in keys), other.c.status == Status.COMPLETED.value
        )
        done = select(*keys).where(TRIAL.c.status == Status.COMPLETED.value).distinct().subquery()
        lost = select(*keys).where(TRIAL.c.status == Status.FAILED.value, ~completed_too).distinct().subquery()
        with self._database.read() as connection:
            completed, failed = _count(connection, done), _count(connection, lost)
            rows = connection.execute(select(RUN).order_by(RUN.c.created, RUN.c.id)).all()
            tags, notes = tags_of(connection, self._database), notes_of(connection, self._database)
        return [
            RunSummary(
                _run_info(row),
                completed.get(row.id, 0),
                failed.get(row.id, 0),
                tags.get(row.id, ()),
                notes.get(row.id, ""),
            )
            for row in rows
        ]

    def delete_run(self, run: str) -> None:
        """
        Delete a run with its trials, its scores, and the tasks and attachments that no other run refers to.

        It goes in steps, each a transaction; a run whose deletion was cut off has the status ``deleting``.
        """
        self.set_run_status(run, DELETING)
        while self._delete_trials(run, BATCH):
            pass
        with self._database.write() as connection:
            connection.execute(delete(RUN_TASK).where(RUN_TASK.c.run_id == run))
            connection.execute(delete(TASK).where(~exists().where(RUN_TASK.c.digest == TASK.c.digest)))
            remove_labels(connection, run)
            forget_executor(connection, run)
            connection.execute(delete(RUN).where(RUN.c.id == run))
        self._database.reclaim()

    def _delete_trials(self, run: str, limit: int) -> bool:
        with self._database.write() as connection:
            numbers = list(connection.scalars(select(TRIAL.c.id).where(TRIAL.c.run_id == run).limit(limit)))
            link = TRIAL_ATTACHMENT.c
            shas = list(connection.scalars(select(link.sha256).where(link.trial_id.in_(numbers)).distinct()))
            for table in (SCORE, TRACE, TRIAL_ATTACHMENT):
                connection.execute(delete(table).where(table.c.trial_id.in_(numbers)))
            connection.execute(delete(TRIAL).where(TRIAL.c.id.in_(numbers)))
            unused = ~exists().where(link.sha256 == ATTACHMENT.c.sha256)
            connection.execute(delete(ATTACHMENT).where(ATTACHMENT.c.sha256.in_(shas), unused))
        return bool(numbers)

    # --- Tasks --------------------------------------------------------------------------------------------------------

    def add_tasks(self, run: str, tasks: Iterable[Task], cell: str = "") -> None:
        """
        Say which tasks a run has, in order; further ones come after those it has already.

        Args:
            run: The run's id.
            tasks: Its tasks; one that another run has too is kept once.
            cell: The cell that they belong to, where cells have tasks of their own; empty for all cells.
        """
        listed = [(digest(task), task) for task in tasks]
        if not listed:
            return
        with self._database.write() as connection:
            new = [{"digest": sha, "data": task} for sha, task in listed]
            connection.execute(self._database.insert(TASK).on_conflict_do_nothing(), new)
            mine = (RUN_TASK.c.run_id == run) & (RUN_TASK.c.cell == cell)
            first = connection.execute(select(func.count()).select_from(RUN_TASK).where(mine)).scalar_one()
            links = [
                {"run_id": run, "cell": cell, "task_id": task.id, "position": position, "digest": sha}
                for position, (sha, task) in enumerate(listed, first)
            ]
            connection.execute(self._database.insert(RUN_TASK).on_conflict_do_nothing(), links)

    def tasks(self, run: str, cell: str = "") -> dict[str, Task]:
        """Return a run's tasks by id, in their order; where cells have tasks of their own, this cell's come first."""
        query = select(RUN_TASK.c.cell, RUN_TASK.c.task_id, TASK.c.data).join(TASK, TASK.c.digest == RUN_TASK.c.digest)
        query = query.where(RUN_TASK.c.run_id == run).order_by(RUN_TASK.c.cell, RUN_TASK.c.position)
        with self._database.read() as connection:
            rows = sorted(connection.execute(query).all(), key=lambda row: row.cell != cell)
        found: dict[str, Task] = {}
        for row in rows:
            found.setdefault(row.task_id, from_data(row.data, Task, f"run {run}, stored task '{row.task_id}'"))
        return found

    # --- Writing trials -----------------------------------------------------------------------------------------------

    def add_trial(self, run: str, trial: Trial) -> bool:
        """Store an attempt with its scores, trace and attachments, at once; return False where it is stored already."""
        return self.add_trials(run, (trial,)) == 1

    def add_trials(self, run: str, trials: Iterable[Trial]) -> int:
        """Store attempts in one transaction; return how many were not stored before."""
        with self._database.write() as connection:
            return insert_trials(self._database, connection, run, trials)

    def add_scores(self, run: str, scores: Mapping[tuple[TrialKey, int], Sequence[Score]]) -> None:
        """
        Add later scores to stored attempts ((key, attempt) -> scores), in one transaction.

        What a scorer gave before stays; only a None of its own is filled.

        Raises:
            StoreError: An attempt is not stored.
        """
        with self._database.write() as connection:
            found = {self._attempt(connection, run, *attempt).id: given for attempt, given in scores.items()}
            insert_scores(self._database, connection, found)

    def keep_leftovers(self, run: RunInfo, journal: Journal) -> int:
        """
        Move what a killed process left in the journal into the store, as interrupted attempts.

        An attempt that is stored already (the process died before it could drop the file) is only dropped.

        Returns:
            How many attempts are new in the store.
        """
        kept = 0
        with journal.lock():
            for left in journal.leftovers():
                kept += self.add_trial(
                    run.id,
                    Trial(
                        left.key,
                        left.attempt,
                        left.key.seed(run.spec.seed),
                        Status.INTERRUPTED,
                        "interrupted",
                        started=left.started,
                        seconds=left.seconds,
                        events=len(left.lines),
                        usage=left.usage(),
                        trace=left.packed(),
                        attachments=left.attachments,
                    ),
                )
            journal.clear()
        return kept

    # --- Reading trials -----------------------------------------------------------------------------------------------

    def done_keys(self, run: str) -> set[TrialKey]:
        """Return the trials that have a completed attempt."""
        columns = (TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial)
        query = select(*columns).where(TRIAL.c.run_id == run, TRIAL.c.status == Status.COMPLETED.value)
        with self._database.read() as connection:
            return {TrialKey(*row) for row in connection.execute(query)}

    def attempts(self, run: str) -> dict[TrialKey, int]:
        """Return trial -> the highest number among its stored attempts, interrupted ones included."""
        columns = (TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial)
        query = select(*columns, func.max(TRIAL.c.attempt)).where(TRIAL.c.run_id == run).group_by(*columns)
        with self._database.read() as connection:
            return {TrialKey(*row[:3]): row[3] for row in connection.execute(query)}

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield every trial's last word, ordered by cell, task and trial number, with a batch of them in memory."""
        with self._database.read() as connection:
            yield from last_words(connection, run)

    def trials(
        self, run: str, *, cell: str | None = None, task: str | None = None, status: Status | None = None
    ) -> Iterator[TrialInfo]:
        """Yield stored attempts, interrupted ones included, ordered by cell, task, trial and attempt."""
        wanted = {TRIAL.c.cell: cell, TRIAL.c.task_id: task, TRIAL.c.status: status}
        conditions = [column == str(value) for column, value in wanted.items() if value is not None]
        with self._database.read() as connection:
            for row in stream_attempts(connection, TRIAL.c.run_id == run, *conditions):
                yield trial_info(row)

    def keys_named(self, run: str, words: str) -> list[TrialKey]:
        """Return the trials that ``cell/task/number``, or a shorter name, may mean."""
        with self._database.read() as connection:
            return keys_named(connection, run, words)

    def trial(self, run: str, key: TrialKey, attempt: int | None = None) -> TrialInfo:
        """Return one attempt: the one asked for, or else the trial's last word; StoreError where there is none."""
        with self._database.read() as connection:
            return trial_info(self._attempt(connection, run, key, attempt))

    def packed_trace(self, run: str, key: TrialKey, attempt: int | None = None) -> bytes:
        """Return an attempt's packed trace, as :meth:`trial` picks it."""
        with self._database.read() as connection:
            number = self._attempt(connection, run, key, attempt).id
            return _trace(connection, run, key, number)[0]

    def trace(self, run: str, key: TrialKey, attempt: int | None = None) -> Trace:
        """Return an attempt's trace, as :meth:`trial` picks it; DataError that names the trial where it is damaged."""
        return unpack_trace(
            self.packed_trace(run, key, attempt), f"run {run}, trial {key}", lambda sha: self.attachment(sha).data
        )

    def scores(self, run: str, key: TrialKey, attempt: int | None = None) -> tuple[Score, ...]:
        """Return every score of an attempt, of every scorer, the oldest first."""
        with self._database.read() as connection:
            return all_scores(connection, self._attempt(connection, run, key, attempt).id)[0]

    def stored(self, run: str, key: TrialKey, attempt: int | None = None) -> StoredTrial:
        """
        Return an attempt whole, as :meth:`trial` picks it, with what of it is not as it was stored.

        Raises:
            DataError: Its trace is missing.
        """
        with self._database.read() as connection:
            row = self._attempt(connection, run, key, attempt)
            packed, checksums = _trace(connection, run, key, row.id)
            scores, altered = all_scores(connection, row.id)
        told = trial_info(row)
        trial = Trial(
            key,
            told.attempt,
            told.seed,
            told.status,
            told.stop,
            told.error,
            told.started,
            told.seconds,
            told.events,
            told.usage,
            scores,
            packed,
        )
        return StoredTrial(trial, altered_line(packed, checksums), altered)

    def rated(self, run: str, scorer: str) -> set[TrialKey]:
        """Return the trials whose newest completed attempt has scores of this scorer, none empty for a fault."""
        with self._database.read() as connection:
            return rated(connection, run, scorer)

    def spending(self, run: str) -> Spending:
        """Return what all attempts of a run consumed, failed and interrupted ones and judges included."""
        with self._database.read() as connection:
            return spending(connection, run)

    def endings(self, run: str) -> dict[str, int]:
        """Return how trials ended, as status and stop reason -> how many of them did."""
        with self._database.read() as connection:
            return endings(connection, run)

    def altered_rows(self, run: str) -> dict[TrialKey, int]:
        """Return trial -> attempt where what the store says of it (seed, status, stop, times …) was altered."""
        with self._database.read() as connection:
            return dict(altered_rows(connection, run))

    # --- Attachments --------------------------------------------------------------------------------------------------

    def attachment(self, sha256: str) -> Attachment:
        """Return an attachment; DataError where there is none of this digest, or its bytes have another."""
        with self._database.read() as connection:
            row = connection.execute(select(ATTACHMENT).where(ATTACHMENT.c.sha256 == sha256)).one_or_none()
        if row is None:
            raise DataError(f"{self.where}: there is no attachment {sha256}.")
        if hashlib.sha256(row.data).hexdigest() != sha256:
            raise DataError(f"{self.where}: the bytes of attachment {sha256} are not those that were stored.")
        return Attachment(row.sha256, row.media_type, bytes(row.data))

    def attachment_index(self, run: str, key: TrialKey, attempt: int | None = None) -> tuple[AttachmentInfo, ...]:
        """Return what an attempt refers to, by digest, without the bytes."""
        size = func.length(ATTACHMENT.c.data)
        link = TRIAL_ATTACHMENT.c
        query = select(ATTACHMENT.c.sha256, ATTACHMENT.c.media_type, size).join(
            TRIAL_ATTACHMENT, link.sha256 == ATTACHMENT.c.sha256
        )
        with self._database.read() as connection:
            number = self._attempt(connection, run, key, attempt).id
            rows = connection.execute(query.where(link.trial_id == number).order_by(ATTACHMENT.c.sha256))
            return tuple(AttachmentInfo(*row) for row in rows)

    # --- Finding attempts ---------------------------------------------------------------------------------------------

    def _attempt(self, connection: Connection, run: str, key: TrialKey, attempt: int | None) -> Row[Any]:
        rows = list(stream_attempts(connection, is_trial(run, key)))
        counting = [row for row in rows if row.status != Status.INTERRUPTED.value]
        chosen = [row for row in rows if row.attempt == attempt] if attempt is not None else counting or rows
        if not chosen:
            which = f"attempt {attempt} of trial {key}" if attempt is not None else f"trial {key}"
            raise StoreError(f"Run {run} has no {which}.", f"`recfw runs show {run}` lists its trials.")
        return last_word(chosen)


def _trace(connection: Connection, run: str, key: TrialKey, number: int) -> tuple[bytes, bytes]:
    """Return an attempt's packed trace and the checksums of its lines."""
    row = connection.execute(select(TRACE).where(TRACE.c.trial_id == number)).one_or_none()
    if row is None:
        raise DataError(f"run {run}, trial {key}: its trace is missing.", "Restore a copy of the store to read it.")
    return bytes(row.data), bytes(row.checksums)


def _run_info(row: Row[Any]) -> RunInfo:
    spec = from_data(row.spec, RunSpec, f"run {row.id}, stored specification")
    return RunInfo(
        row.id, spec, row.spec_digest, row.content_digest, row.versions, row.status, row.created, row.planned
    )


def _count(connection: Connection, keys: Subquery) -> dict[str, int]:
    """Return run -> how many of these trials it has."""
    query = select(keys.c.run_id, func.count()).group_by(keys.c.run_id)
    return {row[0]: row[1] for row in connection.execute(query)}
