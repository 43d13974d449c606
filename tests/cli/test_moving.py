"""`recfw export`, `recfw import` and `recfw runs merge`, as they are typed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.errors import ExitCode
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-1.db"
KEY = "swordfish-of-mine"


@pytest.fixture
def here(recfw: Recfw, tmp_path: Path) -> Path:
    """A folder with a store of six runs."""
    shutil.copy(WITNESS, tmp_path / "runs.db")
    return tmp_path


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl", "folder"])
def test_there_and_back(recfw: Recfw, here: Path, name: str) -> None:
    """Runs are exported in the format that the name says, imported elsewhere, and report and replay the same."""
    assert recfw("export", "w1", "w2", "--out", name).out.startswith(f"Exported 2 runs to {name} (")
    done = recfw("import", name, "--store", "new.db")
    assert (done.status, done.out.splitlines()) == (
        0,
        ["Run w1-dialogue: imported, 32 attempts.", "Run w2-pictures: imported, 9 attempts."],
    )
    assert recfw("import", name, "--store", "new.db").out.splitlines() == [
        "Run w1-dialogue: is here already, 32 attempts.",
        "Run w2-pictures: is here already, 9 attempts.",
    ]
    reports = [recfw("report", "w2", "--format", "json", "--store", place).out for place in ("runs.db", "new.db")]
    assert reports[0] == reports[1]
    assert recfw("replay", "w2", "--store", "new.db").status == 0


def test_format_is_said(recfw: Recfw, here: Path) -> None:
    """--format decides where the name does not."""
    assert recfw("export", "w2", "--out", "run.data", "--format", "jsonl").status == 0
    assert json.loads((here / "run.data").read_text().splitlines()[0])["recfw_export"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["w1", "--out", "run.csv"], "run.csv: the name does not say in which format."),
        (["w1", "--out", "no/run.jsonl"], "there is no folder no. Make it first."),
        (["w1", "--out", ""], "--out is empty."),
        (["w1", "--out", "runs.db", "--format", "jsonl"], "exists already. Name another file, or say --overwrite."),
        (["w1", "--out", "taken"], "exists already, and is no empty folder."),
        (["w1", "--out", "taken", "--format", "jsonl"], "is a folder. Name a file, or say --format dir."),
        (["w9", "--out", "x.jsonl"], "no run 'w9'"),
        (["--out", "x.jsonl"], "Missing argument 'RUN...'"),
        (["w1"], "Missing option '--out'"),
    ],
)
def test_export_refuses(recfw: Recfw, here: Path, words: list[str], said: str) -> None:
    """Each mistake is an error of usage with a next step, and nothing is written."""
    (here / "taken").mkdir()
    (here / "taken" / "file").touch()
    before = sorted(here.iterdir())
    done = recfw("export", *words)
    assert (done.status, said in done.err) == (ExitCode.USAGE, True)
    assert {path.name for path in here.iterdir()} - {path.name for path in before} <= {"runs.db-shm", "runs.db-wal"}


def test_overwrite(recfw: Recfw, here: Path) -> None:
    """A file is replaced when that is said."""
    (here / "x.jsonl").write_text("old")
    assert recfw("export", "w2", "--out", "x.jsonl", "--overwrite").status == 0
    assert recfw("import", "x.jsonl", "--store", "y.db").status == 0


def test_credentials(recfw: Recfw, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that would leak a key is refused with status 4; --redact replaces it and says how often."""
    monkeypatch.setenv("ACME_API_KEY", KEY)
    recfw("runs", "note", "w2", f"made with {KEY}")
    done = recfw("export", "w2", "--out", "x.jsonl")
    assert done.status == ExitCode.DATA
    assert "run w2-pictures, record holds what looks like the value of ACME_API_KEY: swor… (17 characters)." in done.err
    assert "Say --redact" in done.err
    assert KEY not in done.err
    assert not (here / "x.jsonl").exists()
    done = recfw("export", "w2", "--out", "x.jsonl", "--redact")
    assert (done.status, done.out.splitlines()[-1]) == (0, "Replaced 1 values that look like credentials.")
    assert recfw("import", "x.jsonl", "--store", "y.db").status == 0
    assert recfw("runs", "note", "w2", "--store", "y.db").out == "made with [redacted]\n"


def test_damaged_file(recfw: Recfw, here: Path) -> None:
    """A damaged export is refused with status 4 before a store is made."""
    recfw("export", "w2", "--out", "x.jsonl.gz")
    data = (here / "x.jsonl.gz").read_bytes()
    (here / "x.jsonl.gz").write_bytes(data[:-100])
    done = recfw("import", "x.jsonl.gz", "--store", "new.db")
    assert (done.status, done.err.splitlines()[-1].startswith("Error: x.jsonl.gz: is ")) == (ExitCode.DATA, True)
    assert not (here / "new.db").exists()


def test_size_limit(recfw: Recfw, here: Path) -> None:
    """--max-size bounds what is read; what is no size is an error of usage."""
    recfw("export", "w2", "--out", "x.jsonl.gz")
    assert "holds more than 1,000 bytes" in recfw("import", "x.jsonl.gz", "--max-size", "1kB", "--store", "n.db").err
    assert recfw("import", "x.jsonl.gz", "--max-size", "1.5 MB", "--store", "n.db").status == 0
    assert recfw("import", "x.jsonl.gz", "--max-size", "much").status == ExitCode.USAGE


def test_other_store(recfw: Recfw, here: Path) -> None:
    """A store is imported whole, or merged run by run, and tags come along."""
    recfw("runs", "tag", "w2", "paper")
    assert recfw("runs", "merge", "runs.db", "w1", "paper", "--store", "new.db").out.splitlines() == [
        "Run w1-dialogue: imported, 32 attempts.",
        "Run w2-pictures: imported, 9 attempts.",
    ]
    done = recfw("import", "runs.db", "--store", "new.db")
    assert done.out.splitlines()[0] == "Run w1-dialogue: is here already, 32 attempts."
    assert done.out.splitlines()[-1] == "Run w6-cut: imported, 3 attempts."
    assert "w2-pictures" in recfw("runs", "list", "--tag", "paper", "--store", "new.db").out


def test_a_folder_that_cannot_be_written(recfw: Recfw, here: Path) -> None:
    """Where the file cannot be made, the next step is another --out: the store is not to blame."""
    # /proc takes no file, whoever asks
    done = recfw("export", "w2", "--out", "/proc/self/run.jsonl.gz")
    assert done.status == ExitCode.STORE
    assert done.err.rstrip().endswith("ame another place with --out.")
    assert "--store" not in done.err


def test_merge_of_what_contradicts(recfw: Recfw, here: Path) -> None:
    """A run of the same id with other content is refused with status 4 and the difference."""
    import sqlite3

    shutil.copy(WITNESS, here / "other.db")
    with sqlite3.connect(here / "other.db") as plain:
        plain.execute(f"UPDATE run SET content_digest = '{'0' * 64}' WHERE id = 'w1-dialogue'")
    plain.close()
    done = recfw("runs", "merge", "other.db", "w1")
    assert done.status == ExitCode.DATA
    assert "run w1-dialogue is there already, with another content digest:" in done.err
    assert done.err.rstrip().endswith("Import it into a store of its own with --store.")


@pytest.mark.parametrize(
    ("words", "status"), [(["import", "no.jsonl"], ExitCode.USAGE), (["runs", "merge", "no.db"], ExitCode.STORE)]
)
def test_nothing_there(recfw: Recfw, words: list[str], status: ExitCode) -> None:
    """What is not there is one clear error, and no store is made."""
    done = recfw(*words)
    assert done.status == status
    assert "there is no " in done.err
    assert not Path("runs.db").exists()


def test_import_of_an_empty_name(recfw: Recfw) -> None:
    """The name of nothing, as that of a variable that was not set, is not the current folder."""
    done = recfw("import", "")
    assert (done.status, done.err) == (2, "Error: a PATH is empty. Name a file, a folder or a store.\n")
