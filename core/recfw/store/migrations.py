"""
The steps from each schema of the result store to the next.

A step is frozen: it is SQL of its time, and knows nothing of :mod:`recfw.store.tables`, which goes on changing. All
missing steps are one transaction, on both databases: a store has its old schema or the new one, never half of it.
"""

from collections.abc import Callable

from sqlalchemy import Connection, text

Migration = Callable[[Connection], None]

OLDEST_READABLE = 1
"""The oldest schema that can be read where nothing may be written. What it lacks reads as empty."""


def _tags_and_notes(connection: Connection) -> None:
    """Schema 2: runs have tags and notes."""
    word = 'VARCHAR COLLATE "C"' if connection.dialect.name == "postgresql" else "VARCHAR"
    connection.execute(
        text(
            f"CREATE TABLE run_tag (run_id {word} NOT NULL, tag {word} NOT NULL,"
            " PRIMARY KEY (run_id, tag), FOREIGN KEY(run_id) REFERENCES run (id))"
        )
    )
    connection.execute(
        text(
            f"CREATE TABLE run_note (run_id {word} NOT NULL, note VARCHAR NOT NULL,"
            " PRIMARY KEY (run_id), FOREIGN KEY(run_id) REFERENCES run (id))"
        )
    )


MIGRATIONS: tuple[Migration, ...] = (_tags_and_notes,)
"""The step at index n takes a store from schema n + 1 to n + 2."""

LABELS = 2
"""The schema from which on runs have tags and notes."""
