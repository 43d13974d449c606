"""Stores and exports as each version wrote them are read today: migrated once and whole, the same, resumed."""

import importlib.util
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from fakes.bench import Bench
from sqlalchemy import create_engine, inspect, make_url, text

from recfw.cli.main import invoke
from recfw.errors import StoreError
from recfw.executors.conductor import versions_of
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.serialize import canonical
from recfw.store.database import Database
from recfw.store.migrations import MIGRATIONS
from recfw.store.repository import Store
from recfw.store.transfer.lines import EXPORT_SCHEMA

WITNESSES = Path(__file__).parent / "witnesses"
SCHEMAS = sorted(int(path.stem.partition("-")[2]) for path in WITNESSES.glob("schema-*.db"))
CURRENT = 1 + len(MIGRATIONS)
older = pytest.mark.parametrize("schema", [schema for schema in SCHEMAS if schema < CURRENT], indirect=True)
"""Of what only a store can show that has to be migrated."""

MIGRATE = """
import os, signal, sys
from recfw.store.database import Database
from recfw.store.migrations import MIGRATIONS

def told(connection):
    with open(sys.argv[2], "a") as file:
        file.write("migrated\\n")

def killed(connection):
    os.kill(os.getpid(), signal.SIGKILL)

last = {"once": told, "killed": killed}[sys.argv[3]]
sys.stdin.readline()
Database(sys.argv[1], migrations=[*MIGRATIONS, last]).close()
"""


def load_make() -> Any:
    """Return the module that makes witnesses, for the function that tells what a store holds."""
    spec = importlib.util.spec_from_file_location("make_witness", WITNESSES / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def restore(address: str, schema: int) -> None:
    """Fill an empty PostgreSQL database from a witness."""
    engine = create_engine(make_url(address).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.connection.cursor().execute((WITNESSES / f"schema-{schema}.sql").read_text())
    engine.dispose()


@pytest.fixture(params=SCHEMAS)
def schema(request: pytest.FixtureRequest) -> int:
    """Each schema that there is a witness of."""
    return int(request.param)


@pytest.fixture
def file(schema: int, tmp_path: Path) -> Path:
    """A copy of the witness in SQLite."""
    return Path(shutil.copy(WITNESSES / f"schema-{schema}.db", tmp_path / "runs.db"))


@pytest.fixture
def witness(place: str, schema: int) -> str:
    """The witness in each database, in a place of its own."""
    if "://" in place:
        restore(place, schema)
    else:
        Path(place).parent.mkdir()
        shutil.copy(WITNESSES / f"schema-{schema}.db", place)
    return place


@pytest.fixture
def expected(schema: int) -> dict[str, Any]:
    """What the recfw that wrote it read in the witness."""
    found: dict[str, Any] = json.loads((WITNESSES / f"schema-{schema}.json").read_text())
    return found


def schema_of(path: Path) -> str:
    """Return the schema of a file, read without recfw."""
    with sqlite3.connect(path) as plain:
        found = str(plain.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])
    plain.close()
    return found


def lost(old: Any, new: Any, path: str = "") -> list[str]:
    """Return where what was read then is not read now; more may be told now than then."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [line for name in old for line in lost(old[name], new.get(name), f"{path}.{name}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [line for n, pair in enumerate(zip(old, new, strict=True)) for line in lost(*pair, f"{path}[{n}]")]
    return [] if old == new else [f"{path}: {old!r} -> {new!r}"]


def timeless(told: dict[str, Any]) -> dict[str, Any]:
    """Leave out what two databases, filled one after the other, do not share: the clock."""
    clock = ("started", "seconds", "created", "trace", "usage")
    return {
        run: {
            "info": {n: v for n, v in told["info"].items() if n not in clock},
            "rows": [{n: v for n, v in row.items() if n not in clock} for row in told["rows"]],
            "attempts": [
                {n: v for n, v in attempt.items() if n not in clock and n != "scores"} for attempt in told["attempts"]
            ],
            "figures": told["figures"],
        }
        for run, told in told.items()
    }


@pytest.mark.parametrize("form", ["db", "sql", "json"])
def test_every_schema_has_its_witness(form: str) -> None:
    """Of every schema there has been, today's included, a store is frozen: whoever raises the number makes one."""
    frozen = [schema for schema in range(1, CURRENT + 1) if (WITNESSES / f"schema-{schema}.{form}").is_file()]
    assert frozen == list(range(1, CURRENT + 1))


def test_every_form_of_export_has_its_witness() -> None:
    """Of every format there has been, today's included, a file and a folder are frozen."""
    found = {path.name for path in WITNESSES.glob("export-*")}
    assert found == {f"export-{n}{ending}" for n in range(1, EXPORT_SCHEMA + 1) for ending in ("", ".jsonl.gz")}


@pytest.mark.parametrize("name", sorted(path.name for path in WITNESSES.glob("export-*")))
def test_exported_witness_arrives_as_it_was(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs of a frozen export are what was read in the store that they left; who carried them out stays behind."""
    place = str(tmp_path / "new.db")
    assert invoke(["import", str(WITNESSES / name), "--store", place]) == 0
    told = json.loads((WITNESSES / "schema-2.json").read_text())  # the store that all of them left so far
    told["w6-cut"]["info"]["status"] = "interrupted"  # nobody carries it where it arrives
    arrived = load_make().told(place)
    assert sorted(arrived) == ["w2-pictures", "w4-flaky", "w6-cut"]
    assert lost({run: told[run] for run in arrived}, arrived) == []
    assert capsys.readouterr().out.count(": imported, ") == 3


def test_witness_is_read_as_it_was(file: Path, expected: dict[str, Any]) -> None:
    """Runs, tasks, rows, attempts, traces, scores, attachments and figures are what the old recfw read."""
    assert lost(expected, load_make().told(str(file))) == []
    assert schema_of(file) == str(CURRENT)


def test_witness_in_each_database(witness: str, expected: dict[str, Any]) -> None:
    """Both databases' witnesses hold the same runs but for the clock, with the same figures."""
    assert lost(timeless(expected), timeless(load_make().told(witness))) == []


def test_migrated_schema_is_that_of_a_new_store(witness: str, place: str, tmp_path: Path) -> None:
    """Tables, columns, keys and indexes are the same whether a store was migrated or made today."""

    def shape(database: Database) -> Any:
        seen = inspect(database.engine)
        return {
            name: (
                [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(name)],
                seen.get_pk_constraint(name)["constrained_columns"],
                sorted((k["constrained_columns"], k["referred_table"]) for k in seen.get_foreign_keys(name)),
                sorted(str(index["column_names"]) for index in seen.get_indexes(name)),
            )
            for name in seen.get_table_names()
        }

    migrated = Database(witness)
    found = shape(migrated)
    if migrated.path is None:
        with migrated.write() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
    migrated.close()
    new = Database(place if migrated.path is None else str(tmp_path / "new.db"))
    assert found == shape(new)
    new.close()


@pytest.mark.parametrize("run", ["w1-dialogue", "w2-pictures", "w3-rounds"])
def test_witness_replays(file: Path, run: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every stored trial plays again without a difference."""
    assert (invoke(["replay", run, "--store", str(file)]), capsys.readouterr().err) == (0, "")


def test_witness_resumes(file: Path, trouble_registry: Registry, tmp_path: Path) -> None:
    """A run that was cut off under the old recfw goes on under this one: what is whole stays, the rest is played."""
    with sqlite3.connect(file) as plain:  # the version has gone on since, and resume refuses that for good reason
        before = dict(plain.execute("SELECT task_id, checksum FROM trial WHERE run_id = 'w6-cut' AND stop = 'chosen'"))
        with Store.open(file) as store:
            versions = versions_of(trouble_registry, store.run("w6-cut").spec)
        plain.execute("UPDATE run SET versions = ? WHERE id = 'w6-cut'", (canonical(versions).decode(),))
        plain.commit()
        tally = Bench(trouble_registry, tmp_path).resume(run_id="w6-cut")
        after = dict(plain.execute("SELECT task_id, checksum FROM trial WHERE run_id = 'w6-cut'"))
    plain.close()
    assert (tally.completed, tally.failed) == (6, 0)
    assert {task: after[task] for task in before} == before
    with Store.open(file) as store:
        assert store.run("w6-cut").status == "completed"
        assert [info.attempt for info in store.trials("w6-cut", task="d2")] == [1, 2]


def test_old_store_that_cannot_be_written_is_read(unprivileged: Path, schema: int, expected: dict[str, Any]) -> None:
    """Where nothing may be written, as on a read-only disk, an old store is read as it stands and stays as it is."""
    path = unprivileged / "runs.db"
    path.write_bytes((WITNESSES / f"schema-{schema}.db").read_bytes())
    before = path.read_bytes()
    path.chmod(0o444)
    unprivileged.chmod(0o555)
    with Store.open(path, read_only=True) as store:
        assert [run.info.id for run in store.runs()] == sorted(expected)
        assert [[*run.tags] for run in store.runs()] == [told.get("tags", []) for _, told in sorted(expected.items())]
        assert store.run("w1").id == "w1-dialogue"
        assert len(list(store.rows("w1-dialogue"))) == len(expected["w1-dialogue"]["rows"])
    assert path.read_bytes() == before
    assert [item.name for item in unprivileged.iterdir()] == ["runs.db"]


def test_old_postgres_store_that_cannot_be_written_is_read(
    postgres_place: str, schema: int, expected: dict[str, Any]
) -> None:
    """The same on a server that takes no writes."""
    restore(postgres_place, schema)
    reading = f"{postgres_place}&options=-cdefault_transaction_read_only%3Don"
    with Store.open(reading, read_only=True) as store:
        assert store.run("w2").id == "w2-pictures"
        assert store.database.schema == schema
        assert store.labels.notes() == {run: told["note"] for run, told in expected.items() if told.get("note")}


def test_too_old_to_be_read(unprivileged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema that only a migration makes readable is refused where none is possible, with both reasons."""
    path = unprivileged / "runs.db"
    path.write_bytes((WITNESSES / "schema-1.db").read_bytes())
    path.chmod(0o444)
    unprivileged.chmod(0o555)
    monkeypatch.setattr("recfw.store.database.OLDEST_READABLE", CURRENT + 1)
    with pytest.raises(StoreError, match=r"It has schema 1, which must be brought up to date to be read\. Make it"):
        Store.open(path, read_only=True)


@older
def test_killed_migration_leaves_the_old_store(file: Path, schema: int, expected: dict[str, Any]) -> None:
    """After kill -9 in the middle of a migration the store has its old schema, and opens."""
    words = [sys.executable, "-c", MIGRATE, str(file), "unused", "killed"]
    assert subprocess.run(words, input="\n", text=True).returncode == -9
    assert schema_of(file) == str(schema)
    assert lost(expected, load_make().told(str(file))) == []


@older
@pytest.mark.parametrize("size", [3, 33_000, 50_000])
def test_migration_on_a_full_disk_leaves_the_old_store(
    file: Path, schema: int, size: int, largest_file: Callable[[int], AbstractContextManager[None]]
) -> None:
    """A migration that the disk has no room for says so, changes nothing, and succeeds once there is room."""
    with largest_file(size), pytest.raises(StoreError, match=r"the disk (is full|failed)"):
        Store.open(file)
    assert schema_of(file) == str(schema)
    with largest_file(size), Store.open(file, read_only=True) as store:
        assert store.run("w1").id == "w1-dialogue"
    with Store.open(file) as store:
        assert store.database.schema == CURRENT
        assert store.trace("w1-dialogue", TrialKey("fake-asker", "d1", 0)).stop == "chosen"


@older
def test_two_processes_migrate_once(witness: str, tmp_path: Path) -> None:
    """Of several processes that open an old store at once one migrates it, and all of them go on."""
    note = tmp_path / "note"
    command = [sys.executable, "-c", MIGRATE, witness, str(note), "once"]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in range(3)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.close()
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert note.read_text() == "migrated\n"
