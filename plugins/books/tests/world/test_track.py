"""The track: options, tasks, identity, validation, and episodes in its world."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.errors import DataError, UsageError
from recfw.protocols import Context
from recfw_books import tasks as task_sets
from recfw_books.catalog.records import BookCatalog, write_catalog
from recfw_books.model import BookTask
from recfw_books.prompts import names, system_prompt
from recfw_books.search.impact import ImpactRetriever
from recfw_books.taskfile import write_tasks
from recfw_books.track import BooksOptions, BooksTrack


class Given:
    """Resources that offer the default retriever."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache

    def retriever(self, name: str, options: Mapping[str, Any] | None = None) -> ImpactRetriever:
        assert name == "impact"
        return ImpactRetriever()

    def names(self, kind: str) -> Sequence[str]:
        return ("impact",)


@pytest.fixture
def options(tmp_path: Path, few: BookCatalog, book_task: BookTask) -> BooksOptions:
    """Return options that name six books and one task on disk."""
    write_catalog(few, tmp_path / "catalog")
    write_tasks([book_task], tmp_path / "tasks.jsonl")
    return BooksOptions(catalog=str(tmp_path / "catalog"), tasks_file=str(tmp_path / "tasks.jsonl"))


def digest(options: BooksOptions, **changed: Any) -> str:
    """Return the content digest under changed options."""
    return BooksTrack(evolve(options, **changed)).content_digest()


def test_tasks_carry_facets_and_two_halves(options: BooksOptions) -> None:
    """The public half holds what the opening states, and no more."""
    (task,) = BooksTrack(options).tasks()
    assert (task.id, task.cluster) == ("b001-mixed", "001")
    assert task.facets == {
        "condition": "mixed",
        "tier": "medium",
        "template": "genre_language_from",
        "nvr": "no",
        "panel": "yes",
        "reliability": "no",
    }
    assert task.public == {
        "opening": [{"field": "genre", "op": "contains", "value": "Horror"}],
        "stated_formats": None,
    }
    assert set(task.private) == {"predicates", "accepted_formats", "formats_reveal", "history", "persona", "nvr"}


def test_a_catalogs_folder_brings_its_own_tasks(options: BooksOptions, tmp_path: Path) -> None:
    """Without a task file, the tasks.jsonl beside the records is played; with a seed, families are drawn."""
    beside = evolve(options, tasks_file="")
    (task,) = BooksTrack(options).tasks()
    write_tasks(task_sets.from_file(options.tasks_file), tmp_path / "catalog" / "tasks.jsonl")
    assert BooksTrack(beside).tasks() == (task,)
    assert digest(beside) == digest(options)
    with pytest.raises(DataError):
        BooksTrack(evolve(beside, task_seed=1)).tasks()


def test_the_default_cells_are_the_three_reference_agents() -> None:
    """Each is filled in both roles."""
    cells = BooksTrack().default_cells()
    assert [cell.name for cell in cells] == ["popularity", "eliminating", "no-ask"]
    assert all(
        {role: spec.name for role, spec in c.roles.items()} == {"agent": c.name, "user": "books-rules"} for c in cells
    )


def test_the_limits_are_the_papers() -> None:
    """20 turns, 150 calls and ten of grace in a turn, 600 s of agent time."""
    limits = BooksTrack.limits
    assert (limits.turns, limits.calls, limits.grace_calls, limits.seconds) == (
        {"agent": 20},
        {"agent": 150},
        10,
        {"agent": 600.0},
    )


def test_the_content_digest_is_stable_and_follows_the_content(options: BooksOptions, tmp_path: Path) -> None:
    """Equal options give equal digests; interface, retriever, size and tasks each change it."""
    base = digest(options)
    assert digest(options) == base
    assert digest(options, retriever="other") == base
    changed = {
        base,
        digest(options, interface="keyword"),
        digest(options, interface="keyword", retriever="other"),
        digest(options, size=5),
    }
    (task,) = task_sets.from_file(options.tasks_file)
    write_tasks([evolve(task, history=())], tmp_path / "tasks.jsonl")
    assert len(changed | {digest(options)}) == 5


def test_a_catalog_is_loaded_once_until_its_files_change(
    options: BooksOptions, tmp_path: Path, catalog: BookCatalog
) -> None:
    """Tracks of one process share the object; a rebuilt catalog is read again."""
    before = BooksTrack(options).content_digest()
    assert BooksTrack(options)._whole is BooksTrack(evolve(options, interface="keyword"))._whole
    write_catalog(catalog, tmp_path / "catalog")
    assert len(BooksTrack(options)._whole.books) == 2000
    assert BooksTrack(options).content_digest() != before


@pytest.mark.parametrize("changed", [{"interface": "voice"}, {"prompt": "beg"}, {"size": -1}])
def test_an_option_that_cannot_be_is_refused(options: BooksOptions, changed: dict[str, Any]) -> None:
    """Interface, prompt and size are checked before anything is loaded."""
    with pytest.raises(UsageError):
        BooksTrack(evolve(options, **changed))


def test_a_catalog_or_task_file_that_is_not_there_is_refused(options: BooksOptions) -> None:
    """The error names it."""
    with pytest.raises(DataError, match="nowhere"):
        BooksTrack(evolve(options, tasks_file="nowhere.jsonl")).tasks()
    with pytest.raises(DataError, match="nowhere"):
        BooksTrack(evolve(options, catalog="nowhere")).content_digest()


def test_validation_reports_what_the_validator_found(options: BooksOptions) -> None:
    """A single mixed task of six books breaks rules, each named with its family."""
    found = BooksTrack(options).validate()
    assert ("001", "material") in {(problem.where, problem.rule) for problem in found}
    assert not [problem for problem in found if problem.rule.startswith("tool-")]


@pytest.mark.parametrize(("interface", "query"), [("structured", {"genre": "horror"}), ("keyword", {"query": "title"})])
def test_an_episode_answers_the_interfaces_search(
    options: BooksOptions, tmp_path: Path, interface: str, query: dict[str, Any]
) -> None:
    """The world opens once and gives environments whose tools search the catalog in play."""
    track = BooksTrack(evolve(options, interface=interface, size=4))
    (task,) = track.tasks()

    async def found() -> list[str]:
        async with (
            track.open(Given(tmp_path)) as world,  # type: ignore[arg-type]  # offers what this track asks for
            world.episode(task, Context("agent", task.id, 0)) as environment,
        ):
            result = await environment.call("agent", "search_books", query)
            view = await environment.view("agent")
            assert view.messages[0].text == system_prompt("base", interface)
            assert view.tools[0].name == "search_books"
            return sorted(item["id"] for item in result.content["items"])

    assert asyncio.run(found()) == ["wd_Q1", "wd_Q2", "wd_Q3", "wd_Q4"]


def test_generated_tasks_are_kept_for_the_next_run(
    catalog: BookCatalog, book_task: BookTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Families are drawn once for a catalog and seed, and again for another seed."""
    drawn = []

    def generate(_: BookCatalog, seed: int) -> list[BookTask]:
        drawn.append(seed)
        return [evolve(book_task, persona=f"You are {seed}.")]

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(task_sets, "generate", generate)
    found = [task_sets.generated(catalog, seed) for seed in (1, 1, 2)]
    assert [tasks[0].persona for tasks in found] == ["You are 1.", "You are 1.", "You are 2."]
    assert drawn == [1, 2]


def test_a_cache_that_cannot_be_written_is_passed_over(
    catalog: BookCatalog, book_task: BookTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Families are drawn all the same."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(task_sets, "generate", lambda *_: [book_task])
    assert list(task_sets.generated(catalog, 1)) == [book_task]


def test_the_prompts_tell_neither_caps_nor_what_a_rejection_means() -> None:
    """Every prompt differs between interfaces in the search line alone and lists fields for the structured one only."""
    for name in names():
        structured, keyword = (system_prompt(name, interface).splitlines() for interface in ("structured", "keyword"))
        (differing,) = [(one, other) for one, other in zip(structured, keyword, strict=True) if one != other]
        assert "year_min" in differing[0]
        assert not any(word in differing[1] for word in ("genre", "language", "country", "year"))
        assert not any(word in " ".join(structured) for word in ("20 turns", "150", "600", "{"))
