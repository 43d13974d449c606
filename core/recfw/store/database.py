"""A connection to the result store's database: transactions whose errors are StoreErrors, and the schema's version."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, insert, inspect, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from recfw.errors import StoreError, UsageError
from recfw.store.faults import READ_ONLY_HINT
from recfw.store.migrations import MIGRATIONS, OLDEST_READABLE, Migration
from recfw.store.postgres import (
    SCHEMES,
    hold_creation,
    is_postgres,
    postgres_engine,
    postgres_fault,
    postgres_insert,
    public_address,
)
from recfw.store.sqlite import reclaim, sqlite_engine, sqlite_fault
from recfw.store.tables import META, METADATA

_SQLITE = "sqlite:///"


class Database:
    """
    An open database.

    Args:
        place: A path or a PostgreSQL address.
        create: Make what is missing; otherwise its absence is an error.
        read_only: Refuse every write. An older schema is brought up to date; where that cannot be written, it is read
            as it stands.
        migrations: Steps from older schemas to the current one.

    Attributes:
        schema: The schema that the store has: the current one, or an older one that is read as it stands.

    Raises:
        UsageError: The place is an address of another kind.
        StoreError: It cannot be opened, is no store, or a newer recfw wrote it.
    """

    def __init__(
        self, place: str, *, create: bool = True, read_only: bool = False, migrations: Sequence[Migration] = MIGRATIONS
    ) -> None:
        _check_kind(place)
        self.read_only = read_only
        self.schema = 0
        self._place = place
        self._migrations = migrations
        self.path = None if is_postgres(place) else Path(place.removeprefix(_SQLITE))
        self.where = public_address(place) if self.path is None else str(self.path)
        missing = self.path is not None and not self.path.exists()
        if missing and (read_only or not create):
            raise self._absent()
        self.engine: Engine = (
            postgres_engine(place) if self.path is None else sqlite_engine(self.path, read_only=read_only)
        )
        self._insert = sqlite.insert if self.path else postgres_insert()
        try:
            self._prepare(create=create and not read_only)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store."""
        with self._faults(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is stored whole or not at all; StoreError where the store was opened for reading."""
        if self.read_only:
            raise StoreError(f"{self.where}: the result store was opened for reading only.", READ_ONLY_HINT)
        with self._faults(), self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection

    def insert(self, table: Table) -> Any:
        """Return an INSERT that takes ON CONFLICT clauses, which both databases write alike."""
        return self._insert(table)

    def reclaim(self) -> None:
        """Give the space of deleted rows back, where the database does not do so by itself."""
        if self.path is not None:
            reclaim(self.engine, self.where)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            cause = error.orig or error
            fault = sqlite_fault if self.path else postgres_fault
            raise fault(cause, self.where) from error

    def _absent(self) -> StoreError:
        return StoreError(
            f"{self.where}: there is no result store.",
            "`recfw run` makes one; name another place with --store or RECFW_STORE.",
        )

    # --- Schema -------------------------------------------------------------------------------------------------------

    def _prepare(self, *, create: bool) -> None:
        wanted = 1 + len(self._migrations)
        with self.read() as connection:
            found = self._version(connection)
        if found is None and not create:
            raise self._absent()
        self._check_known(found, wanted)
        self.schema = wanted
        if found == wanted:
            return
        if not self.read_only:
            self._bring_up_to(wanted)
        elif found is not None:
            self._bring_up_elsewhere(found)

    def _check_known(self, found: int | None, wanted: int) -> None:
        if found is not None and found > wanted:
            raise StoreError(
                f"{self.where}: has schema {found}, this recfw knows schemas up to {wanted}.",
                "Upgrade recfw, or name another store with --store or RECFW_STORE.",
            )

    def _bring_up_elsewhere(self, found: int) -> None:
        """Bring the schema up to date over a connection that may write; go on with the older one where none may."""
        self.engine.dispose()  # with no reader left, the migration moves its log into the file
        try:
            Database(self._place, create=False, migrations=self._migrations).close()
        except StoreError as error:
            if found < OLDEST_READABLE:
                error.hint = f"It has schema {found}, which must be brought up to date to be read. {error.hint}"
                raise
            self.schema = found

    def _bring_up_to(self, wanted: int) -> None:
        with self.write() as connection:
            if self.path is None:
                hold_creation(connection)
            found = self._version(connection)  # another process may have been faster
            self._check_known(found, wanted)
            if found is None:
                METADATA.create_all(connection)
                connection.execute(insert(META).values(key="schema", value=str(wanted)))
                return
            for step in self._migrations[found - 1 :]:
                step(connection)
            connection.execute(update(META).where(META.c.key == "schema").values(value=str(wanted)))

    def _version(self, connection: Connection) -> int | None:
        """Return the schema's version, or None where there are no tables yet; StoreError where they are not ours."""
        names = set(inspect(connection).get_table_names())
        if META.name in names:
            columns = {column["name"] for column in inspect(connection).get_columns(META.name)}
            if set(META.c.keys()) <= columns:
                value = connection.execute(select(META.c.value).where(META.c.key == "schema")).scalar()
                if value is not None and value.isdecimal():
                    return int(value)
        elif not names & (set(METADATA.tables) if self.path is None else names):
            return None
        raise StoreError(
            f"{self.where}: holds other tables, not a result store.", "Name another place with --store or RECFW_STORE."
        )


def _check_kind(place: str) -> None:
    """Refuse addresses of other databases, which would be taken for paths."""
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", place)
    if scheme and not is_postgres(place) and not place.startswith(_SQLITE):
        hint = f"Name a file, {_SQLITE}PATH, or {SCHEMES[0]}USER@HOST/DATABASE."
        raise UsageError(f"a result store cannot be kept in {scheme[0]}….", hint)
