"""
The tables of the result store, for SQLite and PostgreSQL alike.

Words that decide an order are compared byte by byte on both (PostgreSQL's "C" collation), so that no report depends on
a database's locale. JSON is kept as the text that orjson wrote. Traces and attachments have tables of their own, so
that listing trials never reads a blob. (No ``from __future__ import annotations`` here: sqlmodel reads
the annotations.)
"""

from typing import Any, ClassVar

from sqlalchemy import BigInteger, Dialect, Index, LargeBinary, String, Table, Text, TypeDecorator, UniqueConstraint
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel

from recfw.serialize import canonical, parse


class Json(TypeDecorator[Any]):
    """JSON values, as text with sorted keys: the same bytes in every database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:  # noqa: ARG002 - SQLAlchemy's signature
        """Write a record as JSON text."""
        return canonical(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002 - SQLAlchemy's signature
        """Read JSON values; DataError where the text is none."""
        return None if value is None else parse(value, "a stored record")


class Word(TypeDecorator[str]):
    """Text that is compared and sorted by its bytes."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """SQLite compares bytes anyway; PostgreSQL is told to."""
        return dialect.type_descriptor(String(collation="C" if dialect.name == "postgresql" else None))


class Base(SQLModel, registry=registry()):
    """What the store's tables share: a registry of their own, apart from other users of sqlmodel."""


class Meta(Base, table=True):
    """Facts about the store itself: ``schema`` is its version, ``executor RUN`` is who carried a run out last."""

    __tablename__ = "meta"
    key: str = Field(primary_key=True)
    value: str


class RunRow(Base, table=True):
    """A run: what was asked (``spec``), of what content, and its state; ``created`` is in seconds since the epoch."""

    __tablename__ = "run"
    id: str = Field(primary_key=True, sa_type=Word)
    created: float
    plugin: str
    track: str
    spec: Any = Field(sa_type=Json)
    spec_digest: str
    content_digest: str
    versions: Any = Field(sa_type=Json)
    status: str
    planned: int


class RunTagRow(Base, table=True):
    """A word by which people find a run again; a tagged run is spared when old ones are pruned."""

    __tablename__ = "run_tag"
    run_id: str = Field(primary_key=True, foreign_key="run.id", sa_type=Word)
    tag: str = Field(primary_key=True, sa_type=Word)


class RunNoteRow(Base, table=True):
    """What somebody wrote down about a run."""

    __tablename__ = "run_note"
    run_id: str = Field(primary_key=True, foreign_key="run.id", sa_type=Word)
    note: str


class TaskRow(Base, table=True):
    """A task, kept once for all runs that have it: ``digest`` is the SHA-256 of ``data``, the whole task."""

    __tablename__ = "task"
    digest: str = Field(primary_key=True)
    data: Any = Field(sa_type=Json)


class RunTaskRow(Base, table=True):
    """Which tasks a run has, in order; ``cell`` is empty for a task that all its cells share."""

    __tablename__ = "run_task"
    run_id: str = Field(primary_key=True, foreign_key="run.id", sa_type=Word)
    cell: str = Field(primary_key=True, sa_type=Word)
    task_id: str = Field(primary_key=True, sa_type=Word)
    position: int
    digest: str = Field(foreign_key="task.digest", index=True)


class TrialRow(Base, table=True):
    """
    One attempt of a trial. ``started`` is in seconds since the epoch, ``seed`` has 63 bits.

    ``checksum`` (:func:`recfw.store.writing.row_checksum`) is that of the other columns.
    """

    __tablename__ = "trial"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("run_id", "cell", "task_id", "trial", "attempt"),
        Index("ix_trial_status", "run_id", "status", "cell", "task_id", "trial"),
    )
    id: int | None = Field(default=None, primary_key=True)
    run_id: str = Field(foreign_key="run.id", sa_type=Word)
    cell: str = Field(sa_type=Word)
    task_id: str = Field(sa_type=Word)
    trial: int
    attempt: int
    seed: int = Field(sa_type=BigInteger)
    status: str
    stop: str
    error: str
    started: float
    seconds: float
    events: int
    usage: Any = Field(sa_type=Json)
    checksum: bytes = Field(sa_type=LargeBinary)


class TraceRow(Base, table=True):
    """An attempt's packed trace; ``checksums`` holds 8 bytes of SHA-256 for each of its lines, in order."""

    __tablename__ = "trace"
    trial_id: int = Field(primary_key=True, foreign_key="trial.id")
    data: bytes = Field(sa_type=LargeBinary)
    checksums: bytes = Field(sa_type=LargeBinary)


class ScoreRow(Base, table=True):
    """
    One figure of one attempt by one scorer; ``value`` is null where it could not be had.

    ``scored`` tells newer scorers from older ones: 0 came with the trial, later ones count upwards. ``checksum`` is
    that of metric, scorer, value and detail.
    """

    __tablename__ = "score"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    trial_id: int = Field(primary_key=True, foreign_key="trial.id")
    metric: str = Field(primary_key=True, sa_type=Word)
    scorer: str = Field(primary_key=True, sa_type=Word)
    scored: int
    value: float | None
    detail: Any = Field(sa_type=Json)
    checksum: bytes = Field(sa_type=LargeBinary)


class AttachmentRow(Base, table=True):
    """A picture or a large payload, kept once."""

    __tablename__ = "attachment"
    sha256: str = Field(primary_key=True)
    media_type: str
    data: bytes = Field(sa_type=LargeBinary)


class TrialAttachmentRow(Base, table=True):
    """Which attempt refers to which attachments."""

    __tablename__ = "trial_attachment"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    trial_id: int = Field(primary_key=True, foreign_key="trial.id")
    sha256: str = Field(primary_key=True, foreign_key="attachment.sha256", index=True)


METADATA = Base.metadata


def _table(name: str) -> Table:
    return METADATA.tables[name]


META, RUN, TASK, RUN_TASK = _table("meta"), _table("run"), _table("task"), _table("run_task")
RUN_TAG, RUN_NOTE = _table("run_tag"), _table("run_note")
TRIAL, TRACE, SCORE = _table("trial"), _table("trace"), _table("score")
ATTACHMENT, TRIAL_ATTACHMENT = _table("attachment"), _table("trial_attachment")
