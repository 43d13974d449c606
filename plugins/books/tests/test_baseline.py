"""`recfw books baseline`: signatures of a task set, and drift named field by field."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.cli.main import invoke
from recfw.elicitation import Predicate
from recfw_books.audit.baseline import baseline, drift
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import BookTask
from recfw_books.tasks import shipped

Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def catalog() -> BookCatalog:
    """Return the first 5,000 embedded books."""
    return load_catalog(None).prefix(5000)


@pytest.fixture(scope="module")
def tasks() -> list[BookTask]:
    """Return six shipped tasks."""
    return list(shipped()[:6])


@pytest.fixture
def recfw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Invoke:
    """Give what runs `recfw books` in this process and an empty folder; it returns status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = invoke(["books", *words])
        return (status, *capsys.readouterr())

    return run


def test_nothing_drifts_from_itself(catalog: BookCatalog, tasks: list[BookTask]) -> None:
    """A baseline that went through JSON equals a new one."""
    kept = json.loads(json.dumps(baseline(catalog, tasks)))
    assert [] == list(drift(kept, baseline(catalog, tasks)))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tier": "complex"}, "tier"),
        ({"template": "other"}, "template"),
        ({"nvr": True}, "nvr"),
        ({"persona": "You are long-winded."}, "persona"),
        ({"panel": None}, "panel"),
        ({"reliability": None}, "reliability"),
        ({"family": "999"}, "family"),
        ({"condition": "other"}, "condition"),
    ],
)
def test_a_changed_field_is_named(
    changes: dict[str, Any], field: str, catalog: BookCatalog, tasks: list[BookTask]
) -> None:
    """Whatever of a task changes, one line names the task and that field, and no other."""
    changed = evolve(tasks[0], **changes)
    lines = list(drift(baseline(catalog, tasks), baseline(catalog, [changed, *tasks[1:]])))
    assert [f"{tasks[0].id}: {field} was "] == [line[: len(f"{tasks[0].id}: {field} was ")] for line in lines]


def test_what_changes_the_answers_is_named_with_them(catalog: BookCatalog, tasks: list[BookTask]) -> None:
    """Another requirement, format or history shows in its own field and in the number of answers."""
    first = tasks[0]
    stricter = evolve(first, predicates=(*first.predicates, Predicate("year", ">=", 2020)))
    fields = [
        line.split(" was ")[0] for line in drift(baseline(catalog, tasks), baseline(catalog, [stricter, *tasks[1:]]))
    ]
    assert [f"{first.id}: predicates", f"{first.id}: answers"] == fields
    assert "year >= 2020 [stated]" in baseline(catalog, [stricter])["tasks"][first.id]["predicates"]


def test_tasks_that_are_gone_or_new_are_named(catalog: BookCatalog, tasks: list[BookTask]) -> None:
    """A set that lost or gained tasks says which."""
    lines = list(drift(baseline(catalog, tasks[:3]), baseline(catalog, tasks[1:4])))
    assert [f"{tasks[0].id}: gone", f"{tasks[3].id}: new"] == lines


def test_another_catalog_is_named(catalog: BookCatalog, tasks: list[BookTask]) -> None:
    """The catalog's size and digest are told apart from the tasks'."""
    lines = list(drift(baseline(catalog, tasks), baseline(catalog.prefix(4000), tasks)))
    assert "catalog books was 5000, is 4000" == lines[0]
    assert lines[1].startswith("catalog sha256 was ")


def test_a_tampered_signature_is_drift(catalog: BookCatalog, tasks: list[BookTask]) -> None:
    """A signature that does not belong to its fields is told, too."""
    kept = baseline(catalog, tasks)
    kept["tasks"][tasks[0].id]["signature"] = "0" * 12
    (line,) = drift(kept, baseline(catalog, tasks))
    assert line.startswith(f"{tasks[0].id}: signature was '000000000000', is ")


def test_write_check_and_drift_at_the_command_line(recfw: Invoke) -> None:
    """A written baseline checks with status 0; with a prompt and a task altered, both are named, with status 1."""
    assert 0 == recfw("baseline", "--write", "b.json")[0]
    status, out, _ = recfw("baseline", "--check", "b.json")
    assert (0, "No drift: 450 tasks beside b.json.\n") == (status, out)
    kept = json.loads(Path("b.json").read_bytes())
    kept["prompts"]["base/keyword"] = "0"
    kept["tasks"]["b001-mixed"]["tier"] = "odd"
    Path("b.json").write_text(json.dumps(kept), encoding="utf-8")
    status, out, _ = recfw("baseline", "--check", "b.json")
    assert 1 == status
    assert out.startswith("prompts base/keyword was '0', is ")
    assert "b001-mixed: tier was 'odd', is '" in out
    assert out.endswith("2 differences: 450 tasks beside b.json.\n")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--check", "none.json"), 4, "none.json: cannot be read"),
        (("--check", "bad.json"), 4, "bad.json: not JSON"),
        (("--check", "list.json"), 4, "list.json: no baseline. Write one with"),
        (("--check", "empty.json"), 4, "empty.json: this is no baseline. Write one with"),
        (("--write", "no/b.json"), 4, "no/b.json: cannot be written"),
        (("--write", "a", "--check", "b"), 2, "--write and --check are two commands."),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], status: int, told: str, recfw: Invoke) -> None:
    """Each mistake has its status and a sentence."""
    for name, text in (("bad.json", "{"), ("list.json", "[]"), ("empty.json", "{}")):
        Path(name).write_text(text, encoding="utf-8")
    found, _, errors = recfw("baseline", *words)
    assert status == found
    assert told in errors
    assert 1 == len(errors.strip().splitlines())
