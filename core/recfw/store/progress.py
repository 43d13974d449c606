"""How far runs have come, seen from outside: new attempts page by page, journals, and who carries what."""

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen
from sqlalchemy import select, text

from recfw.model.run import Status
from recfw.store.journal import Journal
from recfw.store.repository import Store
from recfw.store.tables import RUN, TRIAL

PAGE = 2000
"""Attempts read in one transaction, so that none lasts long."""


@frozen
class Attempt:
    """A stored attempt as a watcher counts it; ``number`` grows with every attempt that is stored."""

    number: int
    cell: str
    task: str
    trial: int
    status: str
    stop: str
    ended: float
    usage: dict[str, dict[str, float]]


@frozen
class Journalled:
    """A run's journal: how many attempts it holds, and the process that carries the run, or None."""

    run: str
    folder: Path
    attempts: int
    carrier: int | None


def attempts_after(store: Store, run: str, number: int) -> Iterator[Attempt]:
    """Yield the attempts of a run stored after one, interrupted ones left out, in short transactions."""
    columns = (TRIAL.c.id, TRIAL.c.cell, TRIAL.c.task_id, TRIAL.c.trial, TRIAL.c.status, TRIAL.c.stop)
    query = select(*columns, TRIAL.c.started + TRIAL.c.seconds, TRIAL.c.usage).where(
        TRIAL.c.run_id == run, TRIAL.c.status != Status.INTERRUPTED.value
    )
    while True:
        with store.database.read() as connection:
            rows = connection.execute(query.where(TRIAL.c.id > number).order_by(TRIAL.c.id).limit(PAGE)).all()
        yield from (Attempt(*row) for row in rows)
        if len(rows) < PAGE:
            return
        number = rows[-1][0]


def status_of(store: Store, run: str) -> str | None:
    """Return a run's stored status; None where the run is stored no more."""
    with store.database.read() as connection:
        found = connection.execute(select(RUN.c.status).where(RUN.c.id == run)).scalar()
    return None if found is None else str(found)


def journals(store: Store) -> list[Journalled]:
    """Return the journals beside a store, in order of their runs."""
    base = store.journals
    folders = sorted(folder for folder in base.iterdir() if folder.is_dir()) if base.is_dir() else []
    return [
        Journalled(folder.name, folder, len(list(folder.glob("*.jsonl"))), Journal(folder).carrier())
        for folder in folders
    ]


def faults(store: Store) -> list[str]:
    """Return what SQLite's quick check finds wrong; a PostgreSQL server checks its own pages."""
    if store.database.path is None:
        return []
    with store.database.read() as connection:
        found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check(10)"))]
    return [] if found == ["ok"] else found
