"""What leaves a store arrives in another as it was: in every format, out of and into both databases."""

import os
from pathlib import Path

import pytest
from attrs import evolve
from fakes.moving import CONTENT, MakeTrial, fill, held, put_out, take_in
from hypothesis import given
from hypothesis import strategies as st

from recfw.errors import DataError, StoreError, UsageError
from recfw.model.run import RunSpec
from recfw.store.repository import Store
from recfw.store.transfer.pack import lines_in

FORMATS = ["out.jsonl.gz", "out.jsonl", "out"]


@pytest.mark.parametrize("name", FORMATS)
def test_run_arrives_whole(source: Store, target: Store, tmp_path: Path, name: str) -> None:
    """Record, tasks, attempts, scores, traces, attachments, tags and note are the same afterwards."""
    (arrived,) = take_in(target, put_out(source, tmp_path / name))
    assert (arrived.new, arrived.attempts, arrived.held) == (True, 7, 0)
    assert held(target) == held(source)
    assert list(target.rows("r1")) == list(source.rows("r1"))
    assert target.labels.notes() == {"r1": "two\nlines"}
    assert target.run("base").id == "r1"


def test_between_databases(store: Store, make_trial: MakeTrial, tmp_path: Path, target: Store) -> None:
    """A run goes from each database through a file to SQLite and back, and an export of it is the same file."""
    fill(store, make_trial)
    store.labels.set_note("r1", "n")
    store.set_run_status("r1", "completed")
    first = put_out(store, tmp_path / "first.jsonl.gz")
    take_in(target, first)
    store.delete_run("r1")
    take_in(store, put_out(target, tmp_path / "second.jsonl"))
    assert put_out(store, tmp_path / "third.jsonl.gz").read_bytes() == first.read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_same_bytes_each_time(source: Store, tmp_path: Path, name: str) -> None:
    """Exports of one run are equal, byte for byte."""
    (tmp_path / "other").mkdir()
    paths = [put_out(source, folder / name) for folder in (tmp_path, tmp_path / "other")]
    files = [{p.name: p.read_bytes() for p in [path, *path.rglob("*")] if p.is_file()} for path in paths]
    assert files[0] == files[1]
    assert files[0]


@pytest.mark.parametrize("folder", [True, False])
def test_what_a_killed_export_left_is_swept(source: Store, tmp_path: Path, folder: bool) -> None:
    """Parts of an export to the same place go when they are older than a day; younger ones and others' stay."""
    old, young, other = (tmp_path / name for name in (".out-a.part", ".out-b.part", ".else-a.part"))
    for part in (old, young, other):
        part.mkdir() if folder else part.write_text("half")
    for part in (old, other):
        os.utime(part, (0, 0))
    put_out(source, tmp_path / "out")
    assert [part.exists() for part in (old, young, other)] == [False, True, True]


@pytest.mark.parametrize("name", FORMATS)
def test_several_runs(
    source: Store, target: Store, spec: RunSpec, make_trial: MakeTrial, tmp_path: Path, name: str
) -> None:
    """A file or folder may hold several runs, with what they share kept once in a folder."""
    source.create_run("r0", evolve(spec, seed=8), CONTENT, {}, 6)
    fill(source, make_trial, "r0")
    arrived = take_in(target, put_out(source, tmp_path / name, "r1", "r0"))
    assert {one.run for one in arrived} == {"r1", "r0"}
    assert held(target, "r0")[1:] == held(source, "r0")[1:]


def test_another_store_is_a_source(source: Store, target: Store) -> None:
    """A store is imported as its exports would be."""
    take_in(target, source.where)
    assert held(target) == held(source)


def test_run_without_trials(target: Store, tmp_path: Path, spec: RunSpec) -> None:
    """A run that was begun and nothing more travels too."""
    with Store.open(tmp_path / "empty.db") as empty:
        empty.create_run("r1", spec, CONTENT, {}, 3, status="interrupted")
        take_in(target, put_out(empty, tmp_path / "empty.jsonl.gz"))
        assert held(target) == held(empty)


def test_running_run(source: Store, target: Store, tmp_path: Path) -> None:
    """A run is exported as it stands while it goes on; where it arrives, nobody carries it."""
    source.set_run_status("r1", "running")
    with source.journal("r1").lock():
        take_in(target, put_out(source, tmp_path / "out.jsonl.gz"))
    assert target.run("r1").status == "interrupted"


def test_half_deleted_run_is_refused(source: Store, tmp_path: Path) -> None:
    """A run that is only partly there is not exported, and no file is left."""
    source.set_run_status("r1", "deleting")
    with pytest.raises(UsageError, match="half deleted"):
        put_out(source, tmp_path / "out.jsonl.gz")
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE trial SET stop = 'x' WHERE task_id = 't1' AND trial = 2", "trial a/t1/2, attempt 1: its record"),
        (
            "UPDATE score SET value = 9 WHERE scorer = 'later:1' AND metric = 'passed'",
            "trial a/t1/0, attempt 1: passed by later:1",
        ),
        ("UPDATE score SET value = 9 WHERE scorer = 'exact:1'", "trial a/t1/0, attempt 1: passed by exact:1"),
        ("UPDATE task SET data = replace(data, 'tier', 'tear')", "task 't2'"),
        ("UPDATE attachment SET data = x'00'", "attachment "),
        ("UPDATE run SET spec = replace(spec, '7', '8')", "its specification"),
        (
            "UPDATE trace SET data = (SELECT data FROM trace WHERE trial_id = 7) WHERE trial_id = 1",
            "attempt 1, event 0",
        ),
    ],
)
def test_altered_run_is_refused(source: Store, tmp_path: Path, statement: str, named: str) -> None:
    """What is not as it was stored does not leave, and is named."""
    with source.database.write() as connection:
        assert connection.exec_driver_sql(statement).rowcount
    with pytest.raises(DataError, match="is not what was stored") as caught:
        put_out(source, tmp_path / "out.jsonl.gz")
    assert named in caught.value.message
    assert not list(tmp_path.glob("*out*"))


def test_missing_trace_is_refused(source: Store, tmp_path: Path) -> None:
    """An attempt without its trace does not leave."""
    with source.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM trace WHERE trial_id = 2")
    with pytest.raises(DataError, match="trial a/t1/1: its trace is missing"):
        put_out(source, tmp_path / "out")
    assert not list(tmp_path.glob("*out*"))


def test_full_disk(source: Store, tmp_path: Path, largest_file) -> None:  # type: ignore[no-untyped-def]
    """An export that the disk has no room for says so, and leaves nothing."""
    with largest_file(100), pytest.raises(StoreError, match="the disk is full"):
        put_out(source, tmp_path / "out.jsonl")
    assert not list(tmp_path.glob("*out*"))


@given(st.lists(st.binary(max_size=8)), st.integers(1, 9))
def test_lines_in_pieces(lines: list[bytes], size: int) -> None:
    """Lines come out as they went in, however they were cut into pieces."""
    data = b"\n".join(line.replace(b"\n", b"") for line in lines)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(lines_in(pieces, 1000)) == data.splitlines(keepends=True) or b"\r" in data or b"\x0b" in data
    assert b"".join(lines_in(pieces, 1000)) == data
