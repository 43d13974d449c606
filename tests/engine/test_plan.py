"""Which tasks a selection names, and which trials a run has."""

import pytest

from recfw.engine.plan import select, trials
from recfw.errors import UsageError
from recfw.model.run import Cell, RunSpec, TrialKey
from recfw.model.task import Task

TASKS = [
    Task(f"f{n}-{condition}", f"f{n}", {"condition": condition, "tier": str(n)})
    for n in (1, 2, 3)
    for condition in ("open", "hidden")
]


def ids(*patterns: str) -> list[str]:
    """Return the ids that a selection names."""
    return [task.id for task in select(TASKS, patterns)]


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        ((), [task.id for task in TASKS]),
        (("f2-open",), ["f2-open"]),
        (("f2-open", "f1-hidden"), ["f1-hidden", "f2-open"]),
        (("*-hidden",), ["f1-hidden", "f2-hidden", "f3-hidden"]),
        (("f[12]-open",), ["f1-open", "f2-open"]),
        (("condition=hidden",), ["f1-hidden", "f2-hidden", "f3-hidden"]),
        (("condition=h*", "tier=1"), ["f1-hidden"]),
        (("tier=1", "tier=2", "condition=open"), ["f1-open", "f2-open"]),
        (("f1-*", "f2-*", "condition=open"), ["f1-open", "f2-open"]),
    ],
)
def test_a_selection_names_tasks(patterns: tuple[str, ...], found: list[str]) -> None:
    """Ids, globs and facets select, in the track's order: within one facet or the ids wider, across them narrower."""
    assert ids(*patterns) == found


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        (("f2-opne",), "no task 'f2-opne'. Did you mean 'f2-open'?"),
        (("zzz*",), "no task 'zzz*'."),
        (("F2-open",), "no task 'F2-open'."),
        (("conditoin=open",), "no task has a facet 'conditoin' (known: condition, tier). Did you mean 'condition'?"),
        (("condition=hiden",), "no task has condition=hiden (known: hidden, open). Did you mean 'hidden'?"),
        (("tier=9*",), "no task has tier=9* (known: 1, 2, 3)."),
        (("f1-open", "tier=2"), "no task matches f1-open tier=2. `recfw run --dry-run` lists"),
    ],
)
def test_a_selection_of_nothing_is_an_error(patterns: tuple[str, ...], words: str) -> None:
    """Each pattern must name something; what is close is suggested."""
    with pytest.raises(UsageError) as caught:
        ids(*patterns)
    assert str(caught.value).startswith(words)


def test_trials_compare_cells_on_the_same_tasks_first() -> None:
    """Trial numbers come first, then tasks, then cells: a run cut short has every cell on the same tasks."""
    spec = RunSpec("p", "t", (Cell("a", {}), Cell("b", {})), trials=2)
    keys = list(trials(spec, {"a": TASKS[:2], "b": TASKS[1:2]}))
    assert keys == [
        TrialKey("a", "f1-open", 0), TrialKey("a", "f1-hidden", 0), TrialKey("b", "f1-hidden", 0),
        TrialKey("a", "f1-open", 1), TrialKey("a", "f1-hidden", 1), TrialKey("b", "f1-hidden", 1),
    ]  # fmt: skip
