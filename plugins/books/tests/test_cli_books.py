"""`recfw books …`, typed: what each command writes and prints, and one line for each mistake."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recfw.cli.main import invoke
from recfw.testing import project as typed_commands
from recfw.testing.project import Project
from recfw_books.catalog.load import load_catalog
from recfw_books.cli import COMMANDS
from recfw_books.taskfile import read_tasks
from recfw_books.tasks import shipped

project = typed_commands.project  # the fixture: an empty folder in which to type commands

HEADER = (
    *("work_id", "wikidata_qid", "title", "authors", "year", "genres", "language", "countries"),
    *("sitelinks_2026", "sitelinks_2016", "kind"),
)
ROWS = (
    ("1", "Q11", "The Glass River", "Ann Bo", "1953", "Crime|War", "English", "France", "7", "", "novel"),
    ("2", "Q12", "Night Play", "Bo Ann", "1960", "Crime", "English", "France", "7", "", "play"),
    ("3", "", "Old Night", "Cy Dee", "1400", "Crime", "English", "France", "", "", "novel"),
    ("4", "", "New Night", "Cy Dee", "1999", "Crime", "French", "France", "", "", "novel"),
)

Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Write a table of four works, of which two make a book."""
    path = tmp_path / "works.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in (HEADER, *ROWS)), encoding="utf-8")
    return path


@pytest.fixture
def recfw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Invoke:
    """Give what runs `recfw books` in this process and an empty folder; it returns status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = invoke(["books", *words])
        return (status, *capsys.readouterr())

    return run


def test_every_command_loads(recfw: Invoke) -> None:
    """Each command that the group names exists and explains itself."""
    assert [recfw(ref.name, "--help")[0] for ref in COMMANDS] == [0] * len(COMMANDS)


def test_a_misspelt_command_is_answered(recfw: Invoke) -> None:
    """The nearest name is suggested."""
    status, _, errors = recfw("exprot")
    assert (status, errors.splitlines()[-1].split(". ")[-1]) == (2, "Did you mean 'export'?")


def test_the_group_is_listed_and_light(project: Project) -> None:
    """`recfw --help` names the group, and neither it nor the group's help imports numpy or a command."""
    assert "Build, generate, validate and inspect books" in project.type("--help").out
    code = (
        "import sys; from recfw.cli.main import invoke; invoke(['books', '--help']); "
        "print(sorted({'numpy', 'scipy', 'sqlmodel', 'recfw_books.cli.build'} & set(sys.modules)))"
    )
    done = subprocess.run([project.command()[0], "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_build_counts_every_step(project: Project, table: Path) -> None:
    """The table of counts adds up, and the manifest that is named holds the same counts."""
    typed = project.type("books", "build", "--table", "works.tsv", "--preset", "librarydata", "--out", "made")
    counts = {
        line.rsplit(None, 1)[0]: line.rsplit(None, 1)[1] for line in typed.out.splitlines() if line[-1:].isdigit()
    }
    assert (typed.status, counts["rows"], counts["dropped: kind play"], counts["kept"]) == (0, "4", "1", "2")
    assert "Manifest: made/manifest.json" in typed.out
    manifest = json.loads((project.folder / "made" / "manifest.json").read_text())
    assert {name: str(count) for name, count in manifest["counts"].items()}.items() <= counts.items()
    assert len(load_catalog(str(project.folder / "made")).books) == 2


@pytest.mark.parametrize(
    ("changed", "status", "words"),
    [
        ({"--table": "nix.tsv"}, 4, "nix.tsv: the table cannot be read (No such file or directory)."),
        ({"--table": "readme.txt"}, 4, "readme.txt: line 1: no column 'work_id'."),
        ({"--preset": "librarydat"}, 2, "no preset 'librarydat' (known: librarydata). Did you mean 'librarydata'?"),
        ({"--labels": "nix.json"}, 4, "nix.json: the labels cannot be read (No such file or directory)."),
        ({"--out": "taken"}, 2, "taken exists already. Choose another --out, or replace it with --force."),
        ({"--out": "readme.txt/made"}, 4, "readme.txt/made: cannot be written"),
    ],
)
def test_build_tells_a_mistake_in_one_line(
    recfw: Invoke, table: Path, changed: dict[str, str], status: int, words: str
) -> None:
    """A missing file, a file that is no table, an unknown preset, an output that exists or cannot be made."""
    Path("readme.txt").write_text("Just words.\n")
    Path("taken").mkdir()
    words_typed = {"--table": str(table), "--preset": "librarydata", "--out": "made", **changed}
    found = recfw("build", *(word for pair in words_typed.items() for word in pair))
    assert (found[0], found[2].count("\n")) == (status, 1)
    assert found[2].startswith(f"Error: {words}")


def test_export_writes_the_shipped_set(project: Project) -> None:
    """Catalog and tasks can be read again and are those that ship; each file's rows have exactly the named fields."""
    typed = project.type("books", "export", "--out", "plain")
    folder = project.folder / "plain"
    assert (typed.status, sorted(path.name for path in folder.iterdir())) == (
        0,
        ["catalog.jsonl", "labels.json", "tasks.jsonl"],
    )
    assert load_catalog(str(folder)).digest == load_catalog().digest
    assert read_tasks(folder / "tasks.jsonl") == tuple(shipped())
    book, task = (json.loads(next((folder / name).open())) for name in ("catalog.jsonl", "tasks.jsonl"))
    assert set(book) == {
        *("id", "title", "authors", "year", "genres"),
        *("language", "country", "sitelinks", "formats"),
    }
    assert list(task) == [
        *("id", "family", "condition", "tier", "template", "nvr", "predicates", "accepted_formats", "history"),
        *("persona", "panel", "reliability"),
    ]
    assert set(task["predicates"][0]) == {"field", "op", "value", "reveal"}
    labels = json.loads((folder / "labels.json").read_text())
    assert (set(labels), "England" in labels["country"]["United Kingdom"]) == ({"language", "country"}, True)


def test_generate_draws_a_set_that_validates(recfw: Invoke) -> None:
    """Fresh families differ from the shipped ones, are drawn with progress, and the validator finds nothing."""
    status, out, errors = recfw("generate", "--seed", "11", "--out", "fresh")
    assert (status, errors.splitlines()[0]) == (0, "Drawing 150 families for 20,000 books, seed 11 …")
    assert out.splitlines()[1] == "Play them: recfw run --plugin books --catalog fresh"
    assert read_tasks(Path("fresh/tasks.jsonl")) != tuple(shipped())
    status, out, _ = recfw("validate", "--catalog", "fresh")
    assert (status, out.split("; ")[0]) == (0, "No problem in 150 families, 450 tasks (fresh/tasks.jsonl)")


@pytest.mark.parametrize("command", [("export",), ("generate", "--seed", "1")])
@pytest.mark.parametrize(
    ("out", "status", "words"),
    [
        ("taken", 2, "taken exists already. Choose another --out, or replace it with --force."),
        ("file/made", 4, "file/made: cannot be written (a file is in the way). Choose a folder that can be."),
    ],
)
def test_an_output_that_cannot_be_made(
    recfw: Invoke, command: tuple[str, ...], out: str, status: int, words: str
) -> None:
    """It is told in one line, before anything is drawn."""
    Path("taken").mkdir()
    Path("file").write_text("")
    assert recfw(*command, "--out", out) == (status, "", f"Error: {words}\n")


def test_force_replaces_a_set_and_nothing_else(recfw: Invoke) -> None:
    """A folder with another file in it is left alone; a set that was written before is replaced whole."""
    Path("other").mkdir()
    Path("other/diary.txt").write_text("dear")
    status, _, errors = recfw("export", "--out", "other", "--force")
    assert (status, errors.startswith("Error: other holds other things")) == (2, True)
    Path("old").mkdir()
    Path("old/manifest.json").write_text("{}")
    assert recfw("export", "--out", "old", "--force")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == ["old", "other"]
    assert not Path("old/manifest.json").exists()


def test_validate_finds_nothing_in_the_shipped_set(recfw: Invoke) -> None:
    """One summary line with families, sizes, rules and seconds; exit status 0."""
    status, out, _ = recfw("validate")
    parts = out.split("; ")
    assert (status, parts[0], parts[1]) == (
        0,
        "No problem in 150 families, 450 tasks (the shipped tasks)",
        "sizes 5,000, 10,000, 20,000",
    )
    assert parts[2].endswith("rules checked")


def change_task(path: Path, line: int, **changes: Any) -> None:
    """Write the shipped tasks with one line changed."""
    rows = [json.loads(row) for row in path.read_bytes().splitlines()]
    rows[line - 1] |= changes
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Write the shipped tasks to a file."""
    from recfw_books.taskfile import write_tasks

    path = tmp_path / "tasks.jsonl"
    write_tasks(shipped(), path)
    return path


def test_validate_names_family_and_rule(recfw: Invoke, tasks: Path) -> None:
    """A persona that one variant alone has breaks a rule of its family; exit status 1."""
    change_task(tasks, 2, persona="You are somebody else.")
    status, out, _ = recfw("validate", "--tasks", "tasks.jsonl")
    first, *_, last = out.splitlines()
    assert (status, first.split(": ")[:2]) == (1, [shipped()[1].family, "same-but-reveal"])
    assert last.startswith("1 problem in 150 families")


def test_validate_runs_the_structured_tool(recfw: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that raises is found, by family and rule."""
    from recfw_books.search.structured import Filters, StructuredSearch

    def broken(self: StructuredSearch, filters: Filters) -> None:
        raise ValueError("broken on purpose")

    monkeypatch.setattr(StructuredSearch, "search", broken)
    status, out, _ = recfw("validate")
    assert (status, "tool-runs" in out, "broken on purpose" in out) == (1, True, True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"nvr": "no"}, "tasks.jsonl: must be true or false, not 'no' @ line 3: nvr"),
        ({"goal": 1}, "tasks.jsonl: unknown field @ line 3: goal"),
        ({"predicates": [{"field": "genre"}]}, "tasks.jsonl: required field missing @ line 3: predicates[0].op"),
    ],
)
def test_a_malformed_task_file_names_line_and_field(
    recfw: Invoke, tasks: Path, changes: dict[str, Any], words: str
) -> None:
    """One line with file, line and field; exit status 4."""
    change_task(tasks, 3, **changes)
    assert recfw("validate", "--tasks", "tasks.jsonl") == (4, "", f"Error: {words}\n")


def test_a_missing_catalog_is_told(recfw: Invoke) -> None:
    """Every command that reads a catalog says that there is none, and what to do."""
    found = [recfw(*words, "--catalog", "nix") for words in (("validate",), ("stats",), ("export", "--out", "x"))]
    assert [(status, errors.count("\n")) for status, _, errors in found] == [(4, 1)] * 3
    assert all(errors.startswith("Error: no catalog at 'nix'") for *_, errors in found)
    assert list(Path().iterdir()) == []


def test_rules_are_listed(recfw: Invoke) -> None:
    """Every rule with its sentence."""
    from recfw_books.validate import RULES

    status, out, _ = recfw("validate", "--rules")
    assert (status, [name for name in RULES if f"\n{name} " not in out]) == (0, [])


def test_fields_answers_line_by_line(project: Project) -> None:
    """Each JSON line of a text gives one of fields; the first bad line ends it with its number."""
    lines = b'{"text": "Which genre, and what language?"}\n{"text": "Hello."}\n{"words": 1}\n'
    done = subprocess.run(
        project.command("books", "fields"), input=lines, capture_output=True, check=False, env=project.env()
    )
    assert (done.returncode, done.stdout) == (4, b'{"fields": ["genre", "language"]}\n{"fields": []}\n')
    assert done.stderr.startswith(b"Error: line 3: no object with a text.")


def test_fields_reads_utf_8_in_any_locale(project: Project) -> None:
    """What is no UTF-8 is told by its line; what is, is read even where the locale is plain ASCII."""
    env = {**project.env(), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    lines = '\ufeff{"text": "Quel siècle? Which year?"}\n'.encode() + b"\xff\n"
    done = subprocess.run(project.command("books", "fields"), input=lines, capture_output=True, check=False, env=env)
    assert (done.returncode, done.stdout) == (4, b'{"fields": ["year"]}\n')
    assert done.stderr.startswith(b"Error: line 2: not UTF-8")


def test_a_run_reports_beside_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The track's default report is its own analysis, with words on the terminal and every figure in JSON."""
    monkeypatch.setenv("RECFW_STORE", str(tmp_path / "runs.db"))
    status = invoke(["run", "--plugin", "books", "--tasks", "b00[12]-*", "--agent", "popularity"])
    out = capsys.readouterr().out
    assert (status, "↳ paper" in out, out.splitlines()[0][:10]) == (0, True, "books: run")
    assert 0 == invoke(["report", "--split-by", "tier", "--format", "json"])
    cell = json.loads(capsys.readouterr().out)["figures"]["runs"][0]["cells"]["popularity"]
    assert (cell["paper_agent"], list(cell["split"])) == ("popularity", ["tier"])
