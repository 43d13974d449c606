"""
Which executor carried a run out last, and the options that were set for it.

It decides no figure: it is no part of a run's specification, and stays behind where a run is exported. Among the facts
about the store itself (one JSON text a run), where stores of every schema have room for it.
"""

from sqlalchemy import Connection, delete, select

from recfw.model.run import ComponentSpec
from recfw.serialize import canonical, from_data, parse
from recfw.store.database import Database
from recfw.store.tables import META


def executor_of(database: Database, run: str) -> ComponentSpec | None:
    """Return the executor that carried a run out last; None where that was not written down."""
    with database.read() as connection:
        text = connection.execute(select(META.c.value).where(META.c.key == _key(run))).scalar()
    where = f"run {run}, stored executor"
    return None if text is None else from_data(parse(text, where), ComponentSpec, where)


def keep_executor(database: Database, run: str, executor: ComponentSpec) -> None:
    """Write down who carries a run out from now on."""
    with database.write() as connection:
        forget_executor(connection, run)
        connection.execute(META.insert().values(key=_key(run), value=canonical(executor).decode()))


def forget_executor(connection: Connection, run: str) -> None:
    """Remove what was written down, with a run that is deleted."""
    connection.execute(delete(META).where(META.c.key == _key(run)))


def _key(run: str) -> str:
    return f"executor {run}"
