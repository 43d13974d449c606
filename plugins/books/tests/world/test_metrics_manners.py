"""The figures of users beyond the paper, from traces made by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation import Predicate
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace, WorldEvent
from recfw.testing.contracts import MetricContract
from recfw_books.goal import to_task
from recfw_books.metrics_manners import BooksManners
from recfw_books.model import BookTask

YEAR = {"field": "year", "op": ">=", "value": 1990}
FRENCH = {"field": "language", "op": "==", "value": "French"}
WAR = {"field": "genre", "op": "contains", "value": "War", "weight": 3.0}
BOOK_TASK = BookTask(
    id="b001-hidden",
    family="001",
    condition="hidden",
    tier="simple",
    template="genre_from",
    nvr=False,
    predicates=(
        Predicate("genre", "contains", "Horror", "stated"),
        Predicate("year", ">=", 1990, "hidden"),
        Predicate("year", "<=", 1999, "hidden"),
    ),
    accepted_formats=(),
    history=(),
    persona="",
    panel=False,
    reliability=False,
)
TASK = to_task(BOOK_TASK)


def told(name: str, **added: Any) -> WorldEvent:
    """Return a report of the user that a manner adds something to."""
    empty: dict[str, Any] = {"asked": [], "revealed": [], "formats": None, "declined": [], "no_preference": []}
    return WorldEvent(name, {**empty, "settled": [], **added})


def figures(*events: WorldEvent, stop: str = "recommended", task: Task = TASK) -> dict[str, float | None]:
    """Return the figures that apply to a trial."""
    found = BooksManners().score(task, Trace((*events, EndEvent(stop))))
    return {name: value for name, value in found.items() if value is not None}


class TestBooksManners(MetricContract):
    """The metric."""

    component = BooksManners

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return a trial of a critiquing user and one of another."""
        events = (told("opening", critiqued=[]), told("asked", critiqued=[YEAR]), EndEvent("recommended"))
        return [(TASK, Trace(events)), (TASK, Trace((told("opening"), EndEvent("abstained"))))]


def test_other_users_have_no_figure_at_all() -> None:
    """A trial of the paper's user is not stored with empty figures."""
    assert {} == BooksManners().score(TASK, Trace((told("opening"), told("asked"), EndEvent("recommended"))))


def test_figures_of_another_manner_are_none() -> None:
    """With a manner, every figure is named, those of the others as None."""
    found = BooksManners().score(TASK, Trace((told("opening", critiqued=[]), EndEvent("recommended"))))
    assert set(BooksManners.figures) == set(found)
    assert {"critiques", "hidden_told"} == {name for name, value in found.items() if value is not None}


def test_critiques_and_the_share_of_hidden_requirements() -> None:
    """Formats count as critiques; only hidden predicates count for the share, each once."""
    formats = {"field": "format", "values": ["ebook"]}
    events = [told("opening", critiqued=[]), *(told("asked", critiqued=[each]) for each in (FRENCH, YEAR, formats))]
    assert {"critiques": 3.0, "hidden_told": 0.5} == figures(*events)


def test_no_share_where_nothing_is_hidden() -> None:
    """A task without hidden requirements has no share of them."""
    task = to_task(evolve(BOOK_TASK, predicates=BOOK_TASK.predicates[:1]))
    assert {"critiques": 0.0} == figures(told("opening", critiqued=[]), task=task)


@pytest.mark.parametrize(("stop", "left"), [("user_left", 1.0), ("recommended", 0.0)])
def test_patience(stop: str, left: float) -> None:
    """What was used, what was refused, and whether the user left."""
    events = (
        told("opening", patience={"of": 3, "used": 0}, unanswered=[], left=False),
        told("asked", patience={"of": 3, "used": 3}, unanswered=["year", "format"], left=False),
        told("asked", patience={"of": 3, "used": 3}, unanswered=["year"], left=stop == "user_left"),
    )
    assert {"patience_used": 3.0, "fields_refused": 3.0, "user_left": left} == figures(*events, stop=stop)


@pytest.mark.parametrize(
    ("ending", "found"),
    [
        ({"item": "wd_Q1", "grade": 0.5}, {"grade": 0.5, "graded_success": 0.5}),
        ({"item": "wd_Q1", "grade": 0.0}, {"grade": 0.0, "graded_success": 0.0}),
        ({"item": "wd_Q1", "grade": None}, {"graded_success": 0.0}),
        ({"item": None}, {"graded_success": 0.0}),
        (None, {"graded_success": 0.0}),
    ],
)
def test_grades(ending: dict[str, Any] | None, found: dict[str, float]) -> None:
    """The grade is that of an acceptable book; without one there is none, and the graded success is 0."""
    events = (told("opening", preferred=[]), told("asked", preferred=[WAR]), told("asked", preferred=[WAR]))
    chosen = () if ending is None else (WorldEvent("recommended", ending),)
    assert {"preferences_told": 1.0, **found} == figures(*events, *chosen)


def test_no_grade_where_nothing_is_right() -> None:
    """NVR tasks have no preferences and no grade."""
    task = to_task(evolve(BOOK_TASK, nvr=True))
    assert {"preferences_told": 0.0} == figures(told("opening", preferred=[]), task=task)
