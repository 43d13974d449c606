"""Computing figures: counts, means, pass^k and intervals by hand, whatever the order of rows."""

from collections.abc import Iterable

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.results import ResultRow
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.report.figures import (
    Counts,
    Trials,
    estimates,
    facet_names,
    facet_values,
    figure_names,
    interval_words,
    is_binary,
    read_trials,
)
from recfw.stats.results import Estimate
from recfw.testing.results import memory_run

TASKS = (
    Task("a1", "a", {"tier": "10"}),
    Task("a2", "a", {"tier": "10"}),
    Task("b1", "b", {"tier": "9", "odd": "yes"}),
    Task("c1", "c", {"tier": "9"}),
)


def done(task: str, trial: int, success: float | None, **others: float | None) -> ResultRow:
    """Return a completed trial."""
    scores = {"success": success, **others}
    return ResultRow("run-1", "x", task, trial, Status.COMPLETED, "ended", 1, 1.0, {}, scores)


FAILED = ResultRow("run-1", "x", "b1", 1, Status.FAILED, "timeout", 2, 9.0)
ROWS = (
    done("a1", 0, 1.0, turns=2.0),
    done("a1", 1, 1.0, turns=4.0),
    done("a2", 0, 1.0, turns=None),
    done("a2", 1, 0.0, turns=8.0),
    done("b1", 0, 0.0),
    FAILED,
    done("c1", 1, 1.0),
)
"""Of eight trials one failed and one (c1, 0) is missing."""


def read(rows: Iterable[ResultRow] = ROWS) -> Trials:
    """Return the trials of the one cell."""
    results = memory_run(rows, TASKS, ["x"], trials=2)
    return read_trials(results, results.runs[0]).cells[0]


def test_counts_by_hand() -> None:
    """Failed trials are attempted but not completed, and what was never attempted is missing."""
    assert read().counts() == Counts(tasks=4, planned=8, attempted=7, completed=6, failed=1, missing=1)


def test_pass_k_by_hand() -> None:
    """pass^1 is over each task's completed trials; pass^2 leaves out the tasks with only one."""
    first, second = read().pass_k("success", 1), read().pass_k("success", 2)
    assert (first.value, first.left_out, second.values, second.left_out) == (
        (1.0 + 0.5 + 0.0 + 1.0) / 4,
        (),
        {"a1": 1.0, "a2": 0.0},
        ("b1", "c1"),
    )


def test_a_failed_trial_is_no_failure_of_the_agent() -> None:
    """Without the failed row, the means are the same: it has no score."""
    kept = [row for row in ROWS if row is not FAILED]
    assert read(kept).means("success") == read().means("success")


def test_scores_of_a_failed_trial_do_not_count() -> None:
    """Even where a failed trial carries a score, no figure sees it."""
    scored = evolve(FAILED, scores={"success": 1.0})
    assert read([scored if row is FAILED else row for row in ROWS]).means("success") == read().means("success")


def test_none_is_not_zero() -> None:
    """A value that is None leaves the task's mean to its other trials, and is not counted as scored."""
    cell = read()
    assert (cell.means("turns"), cell.scored("turns")) == ({"a1": 3.0, "a2": 8.0}, 3)


def test_what_is_not_finite_is_no_value() -> None:
    """NaN from a store that can hold it is treated like None."""
    cell = read([done("a1", 0, float("nan")), done("a1", 1, 1.0)])
    assert cell.means("success") == {"a1": 1.0}


def test_a_figure_that_is_always_none_is_named() -> None:
    """A figure without any value is still one of the figures."""
    assert figure_names([read([done("a1", 0, None)])]) == ("success",)


def test_intervals_by_hand() -> None:
    """Of the 27 equally likely draws of three clusters one is all b (0) and one all c (1): the ends at 95 %."""
    cell = read()
    found = estimates({"success": cell.means("success")}, cell.tasks)
    assert found == {"success": Estimate(0.625, 0.0, 1.0, 4, 3, "percentile")}


def test_one_cluster_has_no_interval() -> None:
    """Nothing can be resampled from one cluster."""
    cell = read().of({"a1", "a2"})
    found = estimates({"success": cell.means("success")}, cell.tasks)
    assert found == {"success": Estimate(0.75, None, None, 2, 1, "none")}


def test_a_part_of_the_tasks() -> None:
    """The trials of some tasks have those tasks' counts, endings and scores only."""
    part = read().of({"b1", "c1"})
    assert (part.counts(), part.stops(completed=True), part.means("success")) == (
        Counts(tasks=2, planned=4, attempted=3, completed=2, failed=1, missing=1),
        {"ended": 2},
        {"b1": 0.0, "c1": 1.0},
    )


def test_endings_are_ordered_by_frequency_then_name() -> None:
    """Completed trials and failures are counted apart."""
    rows = [evolve(row, stop=stop) for row, stop in zip(ROWS, ("b", "a", "z", "z", "z", "down", "b"), strict=True)]
    cell = read(rows)
    assert [*cell.stops(completed=True).items(), *cell.stops(completed=False).items()] == [
        ("z", 3),
        ("b", 2),
        ("a", 1),
        ("down", 1),
    ]


@settings(deadline=None)
@given(st.permutations(ROWS), st.integers(1, 9), st.floats(0.1, 100))
def test_nothing_depends_on_order_attempts_or_time(rows: list[ResultRow], attempts: int, seconds: float) -> None:
    """However rows come, how often trials were attempted and how long they took, means and counts are the same."""
    cell = read(evolve(row, attempts=attempts, seconds=seconds) for row in rows)
    plain = read()
    for figure in ("success", "turns"):
        assert list(cell.means(figure).items()) == list(plain.means(figure).items())
    assert (cell.counts(), cell.stops(completed=True)) == (plain.counts(), plain.stops(completed=True))


def test_what_trials_took() -> None:
    """Seconds, attempts and usage add up by cell, and it is known how many trials state a cost."""
    used = {"agent": {"input_tokens": 10.0, "cost": 0.5}}
    results = memory_run(
        [evolve(ROWS[0], usage=used), evolve(ROWS[1], usage={"agent": {"input_tokens": 1.0}}), FAILED],
        TASKS,
        ["x"],
        trials=2,
    )
    (spent,) = read_trials(results, results.runs[0]).spent
    assert (spent.trials, spent.attempts, spent.seconds, spent.usage, spent.costed) == (
        3,
        4,
        11.0,
        {"agent": {"cost": 0.5, "input_tokens": 11.0}},
        {"agent": 1},
    )


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (ROWS[0], "holds trial x/a1/0 twice"),
        (evolve(ROWS[0], task="zz"), "cell 'x' and task 'zz', which it never had"),
        (evolve(ROWS[0], cell="zz"), "cell 'zz' and task 'a1', which it never had"),
    ],
)
def test_rows_that_contradict_the_run_are_errors(extra: ResultRow, words: str) -> None:
    """A doubled trial and one of an unknown task or cell are named, never counted."""
    with pytest.raises(DataError, match=words):
        read([*ROWS, extra])


def test_cells_with_tasks_of_their_own() -> None:
    """Where cells do not share the run's tasks, a cell has those that it was seen to play."""
    rows = [done("a1", 0, 1.0), evolve(done("b1", 0, 1.0), cell="y")]
    results = memory_run(rows, TASKS, ["x", "y"], planned=5)
    run = read_trials(results, results.runs[0])
    assert ([list(cell.tasks) for cell in run.cells], run.missing) == ([["a1"], ["b1"]], 3)


def test_facets_by_number_of_values() -> None:
    """A facet that some tasks lack has the empty value too; numbers are ordered by size."""
    tasks = {task.id: task for task in TASKS}
    assert (
        facet_names(tasks),
        facet_names(tasks, least=3),
        list(facet_values(tasks, "tier")),
        facet_values(tasks, "odd"),
    ) == (
        ("odd", "tier"),
        (),
        ["9", "10"],
        {"": frozenset({"a1", "a2", "c1"}), "yes": frozenset({"b1"})},
    )


@pytest.mark.parametrize(("values", "expected"), [((1.0, 0.0), True), ((1.0, 0.5), False), ((None, None), True)])
def test_what_is_binary(values: tuple[float | None, ...], expected: bool) -> None:
    """A figure of zeros and ones is binary, and so is one without any value."""
    assert is_binary([read(done("a1", trial, value) for trial, value in enumerate(values))], "success") == expected


def test_the_words_about_intervals() -> None:
    """They hold level, method, clusters, resamples and seed; with one cluster they say that there are none."""
    results = memory_run(ROWS, TASKS, ["x"], trials=2)
    single = memory_run((), TASKS[:2], ["x"])
    words = [interval_words(read_trials(one, one.runs[0]), "families") for one in (results, single)]
    assert words == [
        "intervals are 95% percentile cluster bootstrap over 3 clusters (families), 10,000 resamples, seed 0",
        "there are no intervals, because the tasks form fewer than two clusters",
    ]
