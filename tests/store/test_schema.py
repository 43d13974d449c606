"""Schema versions: older stores are brought up to date, newer ones refused, on both databases."""

from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import Connection, text, update

from recfw.errors import StoreError
from recfw.model.run import Trial
from recfw.store import database as module
from recfw.store.database import Database
from recfw.store.repository import Store
from recfw.store.tables import META

CURRENT = 1 + len(module.MIGRATIONS)
FIRST, SECOND = str(CURRENT + 1), str(CURRENT + 2)


def add_hue(connection: Connection) -> None:
    """Migrate by a column."""
    connection.execute(text("ALTER TABLE run ADD COLUMN hue VARCHAR"))


def fill_hue(connection: Connection) -> None:
    """Migrate by a value."""
    connection.execute(text("UPDATE run SET hue = 'old'"))


def fail(connection: Connection) -> None:
    """Migrate half-way."""
    fill_hue(connection)
    raise KeyboardInterrupt


def schema_and_hue(place: str, steps: Sequence[module.Migration], **how: bool) -> tuple[str | None, str | None]:
    """Open a store with these migrations; return its schema and the run's hue."""
    database = Database(place, migrations=[*module.MIGRATIONS, *steps], **how)
    with database.read() as connection:
        schema = connection.execute(text("SELECT value FROM meta WHERE key = 'schema'")).scalar()
        hue = connection.execute(text("SELECT hue FROM run")).scalar()
    database.close()
    return schema, hue


@pytest.mark.parametrize("read_only", [False, True])
def test_older_store_is_migrated(store: Store, place: str, read_only: bool) -> None:
    """Every missing step is taken, in order, once, whoever opens the store."""
    store.close()
    assert schema_and_hue(place, [add_hue, fill_hue], read_only=read_only) == (SECOND, "old")
    assert schema_and_hue(place, [add_hue, fill_hue]) == (SECOND, "old")


def test_only_missing_steps_are_taken(store: Store, place: str) -> None:
    """A store that has the first step is given the second alone."""
    store.close()
    assert schema_and_hue(place, [add_hue]) == (FIRST, None)
    assert schema_and_hue(place, [add_hue, fill_hue]) == (SECOND, "old")


def test_failed_migration_changes_nothing(store: Store, place: str) -> None:
    """A migration that is cut off leaves the store in its old schema."""
    store.close()
    with pytest.raises(KeyboardInterrupt):
        Database(place, migrations=[*module.MIGRATIONS, add_hue, fail])
    assert schema_and_hue(place, [add_hue]) == (FIRST, None)


def test_migrated_store_works(
    store: Store, place: str, make_trial: Callable[..., Trial], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store keeps its runs over a migration and takes new trials."""
    store.close()
    Database(place, migrations=[*module.MIGRATIONS, add_hue]).close()
    database = Database(place, migrations=[*module.MIGRATIONS, add_hue])
    with Store(database) as migrated:
        assert migrated.add_trial(migrated.run("r1").id, make_trial())


@pytest.mark.parametrize("how", [{}, {"read_only": True}])
def test_newer_store_is_refused(store: Store, place: str, how: dict[str, bool]) -> None:
    """A store of a newer recfw is one clear line, and is left alone."""
    with store._database.write() as connection:
        connection.execute(update(META).values(value="9"))
    with pytest.raises(StoreError) as caught:
        Store.open(place, **how)
    assert caught.value.message == f"{store.where}: has schema 9, this recfw knows schemas up to {CURRENT}."
    assert caught.value.hint.startswith("Upgrade recfw")


def test_new_store_has_the_current_schema(place: str) -> None:
    """A store made today needs no migration."""
    with Store.open(place) as store, store._database.read() as connection:
        assert connection.execute(text("SELECT value FROM meta WHERE key = 'schema'")).scalar() == str(CURRENT)
