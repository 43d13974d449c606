"""The soft preferences of families: what they are drawn from, and that they can be met."""

import pytest
from attrs import evolve

from recfw.elicitation import Reveal, grade, holds
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.goal import Goal, to_task
from recfw_books.model import BookTask
from recfw_books.preferences import FamilyPreferences
from recfw_books.tasks import shipped


@pytest.fixture(scope="module")
def embedded() -> BookCatalog:
    """Return the embedded catalog."""
    return load_catalog(None)


def goal_of(task: BookTask) -> Goal:
    """Return a task's goal."""
    return Goal.read(to_task(task).private)


def test_every_satisfiable_family_has_preferences_that_can_all_be_met(embedded: BookCatalog) -> None:
    """Some acceptable book of the smallest catalog meets all of a family's preferences; NVR families have none."""
    drawn, smallest = FamilyPreferences(embedded), embedded.prefix(5000)
    by_family = {task.family: task for task in shipped()}
    for number, (family, task) in enumerate(by_family.items()):
        goal = goal_of(task)
        found = drawn.of(family, goal)
        assert task.nvr == (not found)
        if task.nvr or number % 10:
            continue  # the check by itself takes 0.1 s
        acceptable = [book for book in smallest.books if goal.check(book, smallest.trees).accepted]
        assert 1.0 in {grade(found, book.fields(), smallest.trees) for book in acceptable}


def test_preferences_add_to_the_requirements(embedded: BookCatalog) -> None:
    """None repeats a requirement, all are told when asked, the weights are 3, 2 and 1, the heaviest first."""
    drawn = FamilyPreferences(embedded)
    for task in shipped():
        found = drawn.of(task.family, goal_of(task))
        demands = {(p.field, p.op, p.value) for p in task.predicates}
        assert not demands & {(each.field, each.predicate.op, each.predicate.value) for each in found}
        assert [3, 2, 1][: len(found)] == [each.weight for each in found]
        assert all(each.predicate.reveal is Reveal.ON_ASK for each in found)


def test_the_variants_and_sizes_of_a_family_share_them(embedded: BookCatalog) -> None:
    """They depend on the family and the smallest catalog alone."""
    tasks = [task for task in shipped() if task.family in {"001", "040", "120"}]
    for task in tasks:
        expected = FamilyPreferences(embedded).of(task.family, goal_of(task))
        for size in (5000, 10000):
            assert expected == FamilyPreferences(embedded.prefix(size)).of(task.family, goal_of(task))


def test_most_preferences_tell_acceptable_books_apart(embedded: BookCatalog) -> None:
    """What every acceptable book has is taken as a preference only where nothing else is left."""
    drawn, smallest = FamilyPreferences(embedded), embedded.prefix(5000)
    task = next(t for t in shipped() if not t.nvr and not t.history)
    goal = goal_of(task)
    acceptable = [book for book in smallest.books if goal.check(book, smallest.trees).accepted]
    first = drawn.of(task.family, goal)[0]
    assert {True, False} == {holds(first.predicate, book.fields(), smallest.trees) for book in acceptable}


def test_read_books_are_nobodys_ideal(few: BookCatalog, book_task: BookTask) -> None:
    """The ideal is an unread acceptable book; without one there are no preferences."""
    goal = goal_of(evolve(book_task, history=("wd_Q1", "wd_Q2", "wd_Q3")))
    assert () == FamilyPreferences(few).of("001", goal)
    assert FamilyPreferences(few).of("001", goal_of(book_task))
