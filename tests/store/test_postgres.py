"""PostgreSQL addresses: what is missing or unreachable is one clear line, and no password is shown."""

import importlib.util
from collections.abc import Callable
from urllib.parse import quote

import pytest
from sqlalchemy import text

from recfw.errors import StoreError
from recfw.model.run import RunSpec, Trial
from recfw.store import postgres
from recfw.store.postgres import is_postgres, public_address
from recfw.store.repository import Store

MakeTrial = Callable[..., Trial]


def refused(address: str) -> str:
    """Return the one line with which an address is refused."""
    with pytest.raises(StoreError) as caught:
        Store.open(address)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("postgresql://u@h/d", True),
        ("postgres://u@h/d", True),
        ("postgresql+psycopg://u@h/d", True),
        ("postgres/runs.db", False),
        ("/x/postgresql:/d", False),
    ],
)
def test_addresses(place: str, expected: bool) -> None:
    """An address is told from a path by its scheme."""
    assert is_postgres(place) is expected


def test_password_is_hidden() -> None:
    """Messages show where the store is, without the password."""
    assert public_address("postgres://me:secret@host:1/db") == "postgresql://me:***@host:1/db"


def test_unreachable_server() -> None:
    """A server that does not answer is one line with the address and a next step."""
    words = refused("postgresql://me:secret@127.0.0.1:1/db?connect_timeout=2")
    assert words.startswith("postgresql://me:***@127.0.0.1:1/db?connect_timeout=2: cannot be reached (")
    assert words.endswith("Check the address and that the server runs.")
    assert "secret" not in words


def test_malformed_address() -> None:
    """An address that is none says how to write one, and shows nothing of it."""
    assert (
        refused("postgresql://me:secret@host:port/db")
        == "The PostgreSQL address is malformed. Write postgresql://user@host/database."
    )


def test_driver_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg the command that installs it is named."""
    monkeypatch.setattr(
        postgres, "find_spec", lambda name: None if name == "psycopg" else importlib.util.find_spec(name)
    )
    words = refused("postgresql://me@host/db")
    assert words == "PostgreSQL needs psycopg, which is not installed. Install it with: pip install 'psycopg[binary]'"


def test_other_tables_may_share_the_database(postgres_place: str) -> None:
    """A database that holds other applications' tables takes a store, but not one over tables of its names."""
    with Store.open(postgres_place) as store, store._database.write() as connection:
        connection.execute(text("CREATE TABLE other (id INT)"))
    with Store.open(postgres_place) as store:
        assert store.runs() == []
        with store._database.write() as connection:
            connection.execute(text("DROP TABLE meta"))
    assert "holds other tables, not a result store." in refused(postgres_place)


def test_order_is_by_bytes_whatever_the_locale(postgres_place: str) -> None:
    """Columns that decide an order carry the collation that compares bytes."""
    query = "SELECT column_name FROM information_schema.columns WHERE collation_name = 'C' AND table_name = 'trial'"
    with Store.open(postgres_place) as store, store._database.read() as connection:
        assert set(connection.scalars(text(query))) == {"run_id", "cell", "task_id"}


def test_order_does_not_depend_on_the_plan(postgres_place: str, spec: RunSpec, make_trial: MakeTrial) -> None:
    """Rows and attempts are in order though the server sorts by itself and walks no index."""
    scan = "-cenable_indexscan=off -cenable_indexonlyscan=off -cenable_bitmapscan=off"
    with Store.open(f"{postgres_place}&options={quote(scan)}") as store:
        store.create_run("r1", spec, "content", {}, 40)
        store.add_trials(
            "r1", [make_trial(trial=n, attempt=m, stop=str(m)) for n in reversed(range(40)) for m in (3, 1, 2)]
        )
        assert [(row.trial, row.stop) for row in store.rows("r1")] == [(n, "3") for n in range(40)]


def test_missing_store(postgres_place: str) -> None:
    """A database without a store is not filled by a reader."""
    with pytest.raises(StoreError, match="there is no result store"):
        Store.open(postgres_place, read_only=True)
    with pytest.raises(StoreError, match="there is no result store"):
        Store.open(postgres_place, create=False)


def test_server_that_refuses_writes(postgres_place: str) -> None:
    """A server in read-only mode is one clear line."""
    Store.open(postgres_place).close()
    reading = f"{postgres_place}&options=-cdefault_transaction_read_only%3Don"
    with Store.open(reading) as store, pytest.raises(StoreError, match=r"the database is read-only\. Name another"):
        store.delete_run("r1")
