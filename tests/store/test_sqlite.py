"""SQLite files: created, shared between processes, and refused in one clear line."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import event, select, update

from recfw.errors import ExitCode, StoreError
from recfw.model.run import RunSpec, Trial, TrialKey
from recfw.store import sqlite
from recfw.store.repository import Store
from recfw.store.tables import RUN

MakeTrial = Callable[..., Trial]
LargestFile = Callable[[int], AbstractContextManager[None]]

WRITER = """
import sys
from recfw.model.reply import Reply
from recfw.model.run import Cell, RunSpec, Status, Trial, TrialKey
from recfw.model.trace import EndEvent, ReplyEvent
from recfw.store.repository import Store

place, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = Store.open(place)
store.create_run(run, RunSpec("fake", "fake", (Cell("a", {}),)), "content", {}, count)
journal = store.journal(run)
with journal.lock():
    for number in range(count):
        key = TrialKey("a", "t1", number)
        recorder = journal.recorder()
        recorder.begin(key, 1)
        recorder.append(ReplyEvent("agent", 1, Reply(str(number))))
        print("begun", number, flush=True)
        recorder.append(EndEvent("done"))
        store.add_trial(run, Trial(key, 1, 1, Status.COMPLETED, "done", events=2, trace=recorder.packed()))
        print("stored", number, flush=True)
        journal.discard(key, 1)
"""


@pytest.fixture
def made(tmp_path: Path, spec: RunSpec) -> Path:
    """A store's file with the run ``r1``, closed."""
    path = tmp_path / "runs.db"
    with Store.open(path) as store:
        store.create_run("r1", spec, "content", {}, 1)
    return path


def refused(path: Path, **how: bool) -> str:
    """Return the one line with which a store is refused."""
    with pytest.raises(StoreError) as caught:
        Store.open(path, **how)
    assert caught.value.code == ExitCode.STORE
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


class TestFiles:
    """How a file is opened and kept."""

    @pytest.mark.parametrize("name", ["runs.db", "a b%20?#.db", "ü/x.db"])
    def test_any_file_name(self, tmp_path: Path, name: str) -> None:
        """The file that was named is the file that is made, and nothing is left beside it."""
        Store.open(tmp_path / name).close()
        assert [path.name for path in (tmp_path / name).parent.iterdir()] == [Path(name).name]

    def test_relative_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The default place is under the current folder."""
        monkeypatch.chdir(tmp_path)
        Store.open(".recfw/runs.db").close()
        assert (tmp_path / ".recfw" / "runs.db").is_file()

    def test_settings(self, made: Path) -> None:
        """Connections log ahead, wait for others and sync as promised."""
        with Store.open(made) as store, store._database.read() as connection:
            names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "auto_vacuum")
            values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
        assert values == ["wal", 1, 30_000, 1, 2]

    def test_deleting_gives_space_back(self, made: Path, make_trial: MakeTrial) -> None:
        """The file shrinks when a run is deleted."""
        before = made.stat().st_size
        with Store.open(made) as store:
            store.add_trials("r1", [make_trial(trial=n, trace=os.urandom(5000)) for n in range(100)])
            store.delete_run("r1")
        assert made.stat().st_size <= before

    def test_two_processes_write_at_once(self, tmp_path: Path) -> None:
        """Runs of two processes into one file wait for each other and both arrive whole."""
        path = tmp_path / "runs.db"
        commands = [[sys.executable, "-c", WRITER, str(path), run, "60"] for run in ("r1", "r2")]
        writers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
        assert [writer.wait(60) for writer in writers] == [0, 0]
        with Store.open(path) as store:
            assert [(run.info.id, run.completed) for run in sorted(store.runs(), key=lambda run: run.info.id)] == [
                ("r1", 60),
                ("r2", 60),
            ]

    @pytest.mark.parametrize("moment", ["begun", "stored"])
    def test_killed_process_loses_nothing(self, tmp_path: Path, moment: str) -> None:
        """After kill -9 every trial said to be stored is stored, and the one in progress can be read."""
        path = tmp_path / "runs.db"
        command = [sys.executable, "-c", WRITER, str(path), "r1", "100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for line in writer.stdout:
                if line == f"{moment} 20\n":
                    writer.send_signal(signal.SIGKILL)
                    break
            said = {int(line.split()[1]) for line in writer.stdout if line.startswith("stored ")}
        with Store.open(path) as store:
            before = store.done_keys("r1")
            store.keep_leftovers(store.run("r1"), store.journal("r1"))
            attempts = [info.key.trial for info in store.trials("r1")]
            assert {key.trial for key in before} >= said | set(range(20))
            assert attempts == list(range(len(attempts)))
            assert len(attempts) - len(before) in {0, 1}
            assert all(store.trace("r1", TrialKey("a", "t1", n)).replies("agent") for n in attempts)
            assert not store.journal("r1").folder.exists()


class TestRefusals:
    """What cannot be opened or written is one clear line with a next step."""

    def test_missing(self, tmp_path: Path) -> None:
        """A store that is to be read must be there; nothing is made in its place."""
        words = "there is no result store. `recfw run` makes one; name another place with --store or RECFW_STORE."
        path = tmp_path / "x" / "runs.db"
        assert [refused(path, create=False), refused(path, read_only=True)] == [words, words]
        assert not path.parent.exists()

    def test_folder(self, tmp_path: Path) -> None:
        """A folder is no store."""
        assert refused(tmp_path) == "is a folder, not a result store. Name the file within it, such as runs.db."

    @pytest.mark.parametrize("read_only", [False, True])
    def test_no_database(self, tmp_path: Path, read_only: bool) -> None:
        """A file of something else is left alone."""
        path = tmp_path / "notes.txt"
        path.write_text("not a database at all, but long enough to have a header" * 50)
        before = path.read_bytes()
        words = "is not a result store. Name another file with --store or RECFW_STORE."
        assert refused(path, read_only=read_only) == words
        assert path.read_bytes() == before

    @pytest.mark.parametrize("table", ["meta", "other"])
    def test_other_database(self, tmp_path: Path, table: str) -> None:
        """Somebody else's database is not written to."""
        path = tmp_path / "other.db"
        with sqlite3.connect(path) as other:
            other.execute(f"CREATE TABLE {table} (key TEXT, value TEXT)")
        other.close()
        assert refused(path).startswith("holds other tables, not a result store.")

    def test_empty_file_becomes_a_store(self, tmp_path: Path, spec: RunSpec) -> None:
        """A file of no bytes (mktemp makes such) is filled, but is no store to read from."""
        path = tmp_path / "empty.db"
        path.touch()
        assert refused(path, read_only=True).startswith("there is no result store.")
        with Store.open(path) as store:
            assert store.runs() == []

    def test_damaged_file(self, made: Path, make_trial: MakeTrial) -> None:
        """A file with pages overwritten says that it is damaged."""
        with Store.open(made) as store:
            store.add_trials("r1", [make_trial(trial=n) for n in range(500)])
        data = made.read_bytes()
        made.write_bytes(data[: sqlite.PAGE_SIZE * 3] + b"\xff" * (len(data) - sqlite.PAGE_SIZE * 3))
        with (
            pytest.raises(StoreError, match=r"runs\.db: the file is damaged\. Restore a copy"),
            Store.open(made) as store,
        ):
            list(store.rows("r1"))

    def test_disk_full(self, made: Path, make_trial: MakeTrial) -> None:
        """A trial that the disk has no room for is refused whole; what was stored stays readable."""
        with Store.open(made) as store:
            event.listen(
                store._database.engine, "connect", lambda plain, _: plain.execute("PRAGMA max_page_count = 40")
            )
            store._database.engine.dispose()
            store.add_trial("r1", make_trial())
            with pytest.raises(StoreError, match="the disk is full") as caught:
                store.add_trial("r1", make_trial(trial=1, trace=os.urandom(1 << 20)))
            assert caught.value.hint == "Free some space."
            assert [info.key.trial for info in store.trials("r1")] == [0]

    def test_full_disk_before_the_first_write(self, made: Path, largest_file: LargestFile) -> None:
        """A store that the disk has no room to open says so, and does not speak of a run to resume."""
        with largest_file(3):
            assert refused(made) == "the disk is full. Free some space."

    def test_full_disk_can_be_read(self, made: Path, make_trial: MakeTrial, largest_file: LargestFile) -> None:
        """A store that was closed is read where the disk has no room for the log's index, more than once."""
        with Store.open(made) as store:
            store.add_trial("r1", make_trial())
        with largest_file(3):
            for _ in range(2):
                with Store.open(made, read_only=True) as store:
                    assert [row.task for row in store.rows("r1")] == ["t1"]

    def test_full_disk_with_a_log(self, made: Path, make_trial: MakeTrial, largest_file: LargestFile) -> None:
        """A store with a log that was not moved into it cannot be read without that room, and says so."""
        with Store.open(made) as store:
            store.add_trial("r1", make_trial())
            left = made.with_name("left.db")
            for suffix in ("", "-wal"):
                shutil.copy(f"{made}{suffix}", f"{left}{suffix}")
        with largest_file(3):
            assert refused(left, read_only=True) == "the disk is full. Free some space."
        with Store.open(left, read_only=True) as store:
            assert [row.task for row in store.rows("r1")] == ["t1"]

    def test_locked(self, made: Path, spec: RunSpec, monkeypatch: pytest.MonkeyPatch) -> None:
        """A process that keeps the store to itself is waited for, then named as the cause."""
        monkeypatch.setattr(sqlite, "BUSY_MS", 20)
        other = sqlite3.connect(made, isolation_level=None)
        with Store.open(made) as store:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="another process has been writing to the result store"):
                store.create_run("r2", spec, "content", {}, 1)
            assert store.run("r1").id == "r1"
            other.rollback()
            assert store.create_run("r2", spec, "content", {}, 1).id == "r2"
        other.close()

    def test_write_that_begins_with_reading(self, made: Path, spec: RunSpec, monkeypatch: pytest.MonkeyPatch) -> None:
        """A write keeps others out from its beginning, so that what it has read still holds when it writes."""
        monkeypatch.setattr(sqlite, "BUSY_MS", 20)
        with Store.open(made) as store, Store.open(made) as other:
            with store._database.write() as connection:
                assert connection.execute(select(RUN.c.status)).scalar() == "running"
                with pytest.raises(StoreError, match="another process"):
                    other.set_run_status("r1", "other")
                connection.execute(update(RUN).values(status="mine"))
            assert other.run("r1").status == "mine"

    def test_folder_cannot_be_made(self, unprivileged: Path) -> None:
        """A folder that may not be made is one clear error."""
        unprivileged.chmod(0o555)
        with pytest.raises(StoreError, match=r"own/x: cannot be written \(Permission denied\)\. Make it writable"):
            Store.open(unprivileged / "x" / "runs.db")

    def test_file_cannot_be_made(self, unprivileged: Path) -> None:
        """A folder in which no file may be made is one clear error."""
        unprivileged.chmod(0o555)
        assert refused(unprivileged / "runs.db").startswith("the result store cannot be opened or created. Make it")

    def test_read_only_file(self, unprivileged: Path, spec: RunSpec) -> None:
        """A file that may not be written is refused in one line, and can be read."""
        path = unprivileged / "runs.db"
        with Store.open(path) as store:
            store.create_run("r1", spec, "content", {}, 1)
        path.chmod(0o444)
        assert refused(path).startswith("the result store is read-only. Make it writable")
        with Store.open(path, read_only=True) as store:
            assert store.run("r1").id == "r1"

    def test_read_only_folder_can_be_read(self, unprivileged: Path, spec: RunSpec, make_trial: MakeTrial) -> None:
        """A store in a folder that cannot be written is read without a trace of the reading."""
        path = unprivileged / "runs.db"
        with Store.open(path) as store:
            store.create_run("r1", spec, "content", {}, 1)
            store.add_trial("r1", make_trial())
        path.chmod(0o444)
        unprivileged.chmod(0o555)
        with Store.open(path, read_only=True) as store:
            assert [row.task for row in store.rows("r1")] == ["t1"]
            with pytest.raises(StoreError, match="opened for reading only"):
                store.create_run("r2", spec, "content", {}, 1)
        assert [item.name for item in unprivileged.iterdir()] == ["runs.db"]
