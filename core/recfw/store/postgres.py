"""What only PostgreSQL needs: its driver, its address, and its errors in words."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError

from recfw.errors import StoreError

SCHEMES = ("postgresql://", "postgres://", "postgresql+psycopg://")
_CREATION_LOCK = 0x72656366


def is_postgres(place: str) -> bool:
    """Return whether a store's place is a PostgreSQL address."""
    return place.startswith(SCHEMES)


def public_address(url: str) -> str:
    """Return an address without its password, for messages; of a malformed one, the scheme alone."""
    try:
        return make_url(url).set(drivername="postgresql").render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return "postgresql://…"


def postgres_engine(url: str) -> Engine:
    """
    Return an engine on a PostgreSQL database.

    Raises:
        StoreError: psycopg is not installed, or the address is none.
    """
    if find_spec("psycopg") is None:
        raise StoreError(
            "PostgreSQL needs psycopg, which is not installed.", "Install it with: pip install 'psycopg[binary]'"
        )
    try:
        return create_engine(make_url(url).set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    except (ArgumentError, ValueError) as error:
        raise StoreError("The PostgreSQL address is malformed.", "Write postgresql://user@host/database.") from error


def postgres_insert() -> Callable[[Table], Any]:
    """Return what makes insertions that leave out what is there; its dialect is loaded only where it is used."""
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - 20 ms that SQLite does not need

    return postgresql.insert


def hold_creation(connection: Connection) -> None:
    """Let one process at a time create or migrate the tables; released when the transaction ends."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _CREATION_LOCK})


def postgres_fault(error: BaseException, where: str) -> StoreError:
    """Return a PostgreSQL error as a StoreError: the server's first line, and the next step."""
    words = (str(error).strip().splitlines() or ["no answer"])[0]
    match getattr(error, "sqlstate", None):
        case "53100":
            return StoreError(f"{where}: the database's disk is full.", "Free some space there.")
        case "25006":
            return StoreError(f"{where}: the database is read-only.", "Name another place with --store or RECFW_STORE.")
        case "42501":
            return StoreError(f"{where}: {words}.", "Ask for the right to create and write tables there.")
        case None if any(kind.__name__ == "OperationalError" for kind in type(error).__mro__):
            return StoreError(f"{where}: cannot be reached ({words}).", "Check the address and that the server runs.")
        case _:
            return StoreError(f"{where}: {words}.")
