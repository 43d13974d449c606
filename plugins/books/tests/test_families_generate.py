"""Generated task sets: every property of a family, recomputed from the records by set arithmetic."""

import hashlib
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate, Reveal
from recfw.errors import DataError
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.catalog.table import build_from_table
from recfw_books.families.generate import generate
from recfw_books.families.templates import TEMPLATES
from recfw_books.model import Book, BookTask
from recfw_books.taskfile import encode_tasks


@cache
def embedded(size: int = 20_000) -> BookCatalog:
    """Return the first books of the embedded catalog; 6,000 of them have two nested sizes and are quickly read."""
    return load_catalog().prefix(size)


class World:
    """A catalog and a task set, with the sets of book ids that predicates select, computed without bit sets."""

    def __init__(self, catalog: BookCatalog, seed: int) -> None:
        self.catalog = catalog
        self.tasks = generate(catalog, seed)
        self.prefixes = [frozenset(book.id for book in catalog.books[:size]) for size in catalog.sizes]
        self._selected: dict[tuple[str, str, str | int], frozenset[str]] = {}

    def selected(self, p: Predicate) -> frozenset[str]:
        """Return the ids of the books that meet a predicate."""
        key = (p.field, p.op.value, p.value)
        if key not in self._selected:
            books = self.catalog.books
            if p.field == "year":
                below = p.op.value == "<="
                found = [b.id for b in books if (b.year <= p.value if below else b.year >= p.value)]
            elif p.field == "genre":
                found = [b.id for b in books if p.value in b.genres]
            else:
                labels = {p.value} | self.catalog.trees[p.field].below(p.value)
                found = [b.id for b in books if getattr(b, p.field) in labels]
            self._selected[key] = frozenset(found)
        return self._selected[key]

    def matching(self, predicates: Sequence[Predicate], size: int = -1) -> frozenset[str]:
        """Return the ids in a nested catalog (by position; the whole one by default) that meet every predicate."""
        return self.prefixes[size].intersection(*(self.selected(p) for p in predicates))

    @cached_property
    def families(self) -> Mapping[str, Mapping[str, BookTask]]:
        """Return family -> condition -> task."""
        found: dict[str, dict[str, BookTask]] = defaultdict(dict)
        for task in self.tasks:
            found[task.family][task.condition] = task
        return found

    @cached_property
    def hidden(self) -> list[BookTask]:
        return [variants["hidden"] for variants in self.families.values()]

    @cached_property
    def satisfiable(self) -> list[BookTask]:
        return [task for task in self.hidden if not task.nvr]

    @cached_property
    def impossible(self) -> list[BookTask]:
        return [task for task in self.hidden if task.nvr]

    def acceptable(self, task: BookTask, size: int) -> frozenset[str]:
        """Return the answers of a nested catalog that are unread and in an accepted format."""
        answers = self.matching(task.predicates, size) - set(task.history)
        return frozenset(i for i in answers if in_accepted_format(self.catalog.by_id[i], task))


def in_accepted_format(book: Book, task: BookTask) -> bool:
    """Tell whether the task's user takes the book in a format that it has."""
    return not task.accepted_formats or bool(set(task.accepted_formats) & set(book.formats))


def split(task: BookTask) -> tuple[list[Predicate], list[Predicate]]:
    """Return the revealed and the withheld predicates."""
    hidden = [p for p in task.predicates if p.reveal is Reveal.HIDDEN]
    return [p for p in task.predicates if p.reveal is not Reveal.HIDDEN], hidden


def without_each(predicates: Sequence[Predicate]) -> list[list[Predicate]]:
    """Return the predicates but one, for each one."""
    return [[*predicates[:i], *predicates[i + 1 :]] for i in range(len(predicates))]


@pytest.fixture(scope="module", params=[20_000, 6_000])
def world(request: pytest.FixtureRequest) -> World:
    """Provide a set drawn for the embedded catalog and for the first 6,000 of its books."""
    return World(embedded(request.param), 1)


def check_counts(world: World) -> None:
    """Assert the fixed numbers of a set: families, variants, tiers, templates, histories, formats, panel, block."""
    assert [task.id for task in world.tasks] == [
        f"b{n:03d}-{condition}" for n in range(1, 151) for condition in ("volunteer", "mixed", "hidden")
    ]
    assert Counter(t.template for t in world.hidden) == {t.name: t.satisfiable + t.nvr for t in TEMPLATES}
    assert Counter((t.tier, t.nvr) for t in world.hidden) == {
        (tier, nvr): 5 if nvr else 45 for tier in ("simple", "medium", "complex") for nvr in (False, True)
    }
    assert sum(bool(t.history) for t in world.satisfiable) == 48
    assert sum(bool(t.history) and len(split(t)[1]) == 2 for t in world.satisfiable) == 17
    assert sum(len(t.accepted_formats) == 1 for t in world.satisfiable) == 36
    assert {t.accepted_formats for t in world.impossible} == {()}
    assert {t.history for t in world.impossible} == {()}
    assert Counter(t.nvr for t in world.hidden if t.panel) == {False: 45, True: 6}
    assert Counter(t.nvr for t in world.hidden if t.reliability) == {False: 15, True: 3}
    assert all(t.panel for t in world.hidden if t.reliability)
    assert {t.template for t in world.hidden if t.panel} == {t.name for t in TEMPLATES}


def check_variants(world: World) -> None:
    """Assert that a family's variants differ in the reveal tags alone, and how."""
    for family in world.families.values():
        bare = {
            (
                *[(p.field, p.op, p.value) for p in t.predicates],
                *(t.tier, t.template, t.nvr, t.accepted_formats, t.history, t.persona, t.panel, t.reliability),
            )
            for t in family.values()
        }
        assert len(bare) == 1
        tags = {condition: [p.reveal for p in task.predicates] for condition, task in family.items()}
        assert set(tags["volunteer"]) == {Reveal.STATED}
        assert sorted(tags["mixed"]) == [*[Reveal.ON_ASK] * (len(tags["mixed"]) - 1), Reveal.STATED]
        hidden = tags["hidden"].count(Reveal.HIDDEN)
        assert hidden in ({1} if family["hidden"].nvr else {1, 2})
        for mixed, now in zip(tags["mixed"], tags["hidden"], strict=True):
            assert now == mixed or (now is Reveal.HIDDEN and mixed is Reveal.ON_ASK)


def check_material(world: World) -> None:
    """Assert that dropping any predicate adds a book and 5 % at each size, and an acceptable answer in the first."""
    for task in world.satisfiable:
        assert world.acceptable(task, 0)
        for size in range(len(world.prefixes)):
            answers = len(world.matching(task.predicates, size))
            for rest in without_each(task.predicates):
                wider = len(world.matching(rest, size))
                assert wider - answers >= max(1, 0.05 * wider)


def check_hidden(world: World) -> None:
    """Assert that the withheld predicates rule out half of the revealed matches, each of them a quarter."""
    for task in world.satisfiable:
        revealed, hidden = split(task)
        for size in range(len(world.prefixes)):
            assert 2 * len(world.matching(task.predicates, size)) <= len(world.matching(revealed, size))
        matches = world.matching(revealed)
        assert len(matches) <= 3_000
        assert len(world.matching(task.predicates)) <= 0.1 * len(matches)
        assert all(4 * len(matches & world.selected(p)) <= 3 * len(matches) for p in hidden)
        assert [p.field for p in hidden].count("year") < 2


def check_impossible(world: World) -> None:
    """Assert no answer, three matches without any one predicate at each size, and a bounded hidden variant."""
    few = 0
    for task in world.impossible:
        assert world.matching(task.predicates) == frozenset()
        for size in range(len(world.prefixes)):
            assert all(len(world.matching(rest, size)) >= 3 for rest in without_each(task.predicates))
        revealed, (hidden,) = split(task)
        matches = [world.catalog.by_id[i] for i in world.matching(revealed)]
        if len(matches) < 25:
            few += 1
            assert len(matches) <= 18
        if hidden.field != "genre":
            assert len({getattr(book, hidden.field) for book in matches}) <= 16
    assert few == 2


def check_circumstances(world: World) -> None:
    """Assert what histories hold and that a single format matters in the smallest catalog."""
    for task in world.satisfiable:
        if task.history:
            _, hidden = split(task)
            missed = [
                tuple(p for p in task.predicates if identifier not in world.selected(p)) for identifier in task.history
            ]
            assert sorted(missed, key=repr) == sorted([(), *((p,) for p in hidden)], key=repr)
            assert set(task.history) <= world.prefixes[0]
            assert all(in_accepted_format(world.catalog.by_id[i], task) for i in task.history)
        if task.accepted_formats:
            answers = world.matching(task.predicates, 0) - set(task.history)
            assert answers - world.acceptable(task, 0)


def check_predicates(world: World) -> None:
    """Assert that each family follows its template and that no two families ask for the same."""
    shapes = {
        t.name: [
            *["genre"] * t.genres,
            *([t.place] if t.place else []),
            *([">="] if t.year_from else []),
            *(["<="] if t.year_until else []),
        ]
        for t in TEMPLATES
    }
    asked = set()
    for task in world.hidden:
        shape = [p.op.value if p.field == "year" else p.field for p in task.predicates]
        assert shape == shapes[task.template]
        asked.add(frozenset((p.field, p.op, p.value) for p in task.predicates))
    assert len(asked) == 150


CHECKS = (
    check_counts,
    check_variants,
    check_material,
    check_hidden,
    check_impossible,
    check_circumstances,
    check_predicates,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_set_holds(world: World, check: Callable[[World], None]) -> None:
    """A generated set has this group of properties."""
    check(world)


@given(seed=st.integers(min_value=0, max_value=2**63 - 1))
@settings(max_examples=3, deadline=None, derandomize=True, phases=[Phase.generate], database=None)
def test_any_seed_holds(seed: int) -> None:
    """Whatever the seed, a generated set has every property."""
    world = World(embedded(6_000), seed)
    for check in CHECKS:
        check(world)


def test_real_table_holds(shared_data: Path) -> None:
    """A set drawn for the real table has every property at each of its nested sizes."""
    catalog, _ = build_from_table(shared_data / "books" / "books_20k.tsv.gz", "librarydata")
    world = World(catalog, 1)
    for check in CHECKS:
        check(world)


def test_same_bytes_in_another_process() -> None:
    """Another process with another hash seed and locale draws the same bytes."""
    code = (
        "import hashlib; from test_families_generate import *; "
        "print(hashlib.sha256(encode_tasks(generate(embedded(6_000), 3))).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed, locale in (("1", "C"), ("2", "C.UTF-8"))
    }
    assert found == {hashlib.sha256(encode_tasks(generate(embedded(6_000), 3))).hexdigest()}


def test_seeds_differ() -> None:
    """Two seeds draw two sets."""
    assert encode_tasks(generate(embedded(6_000), 1)) != encode_tasks(generate(embedded(6_000), 2))


def test_too_small_catalog_is_refused() -> None:
    """A catalog that cannot carry a family is refused with size, family, template and the missing property."""
    with pytest.raises(DataError, match=r"a catalog of 40 books carries no family \d{3} .*no draw had "):
        generate(embedded(40), 1)


def test_catalog_of_one_country_and_language_is_refused() -> None:
    """A large catalog of one country and one language is refused for what it lacks."""
    books = tuple(evolve(book, language="English", country="United States") for book in embedded(6_000).books)
    catalog = BookCatalog(books, {"country": LabelTree(), "language": LabelTree()})
    with pytest.raises(DataError, match=r"'genre_country': no draw had .* every predicate material"):
        generate(catalog, 1)
