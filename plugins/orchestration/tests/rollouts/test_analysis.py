"""The analysis ``orchestration-paper`` on results made by hand."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.model.document import Note, Plot, Table
from recfw.model.results import ResultRow, Results
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.report.render_html import HtmlRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults, memory_run
from recfw_orchestration.analysis.orchestration_paper import OrchestrationPaper

TASKS = [
    Task(f"{level}-{domain}-{n}", f"{level}-{domain}-{n}", {"level": level, "domain": domain, "ambiguity": ambiguity})
    for level in ("L1", "L2", "L3", "L4")
    for domain in ("electronics", "places")
    for n, ambiguity in enumerate(("low", "high"))
]
BUDGET = {"rounds": 2.0, "calls": 4.0, "expected_rounds": 1.0, "expected_calls": 3.0}
JUDGE = "litellm@1:small:orchestration:abc"


def row(cell: str, task: str, judge: str = JUDGE, **scores: float | None) -> ResultRow:
    """Return a completed trial."""
    scorers = {name: judge if name.startswith("judged_") else "orchestration@1" for name in scores}
    return ResultRow("run-1", cell, task, 0, Status.COMPLETED, "ranked", 1, 0.5, {}, {**BUDGET, **scores}, scorers)


def results(rows: Iterable[ResultRow], cells: Sequence[str] = ("one", "two"), run: str = "run-1") -> MemoryResults:
    """Return a run over all tasks."""
    versions = {"recfw": "0", "metric orchestration": "1"}
    return memory_run([evolve(one, run=run) for one in rows], TASKS, cells, run=run, versions=versions)


def figures(found: Results) -> Any:
    """Return the figures for scripts."""
    return OrchestrationPaper().report(found).figures


def tables(found: Results) -> dict[str, Table]:
    """Return the report's tables by caption."""
    blocks = OrchestrationPaper().report(found).document.blocks
    return {block.caption: block for block in blocks if isinstance(block, Table)}


def cells_of(table: Table, *start: Any) -> dict[str, Any]:
    """Return the row that begins with these values, by column."""
    found = next(one for one in table.rows if one[: len(start)] == start)
    return {column.title: value for column, value in zip(table.columns, found, strict=True)}


def test_means_are_over_tasks_by_level_and_domain() -> None:
    """One of two tasks of each domain hit at L3 in electronics, both in places: 1/2, 1, together 3/4."""
    hits = {"L3-electronics-0": 1.0, "L3-electronics-1": 0.0, "L3-places-0": 1.0, "L3-places-1": 1.0}
    told = figures(results([row("one", task, hit=value) for task, value in hits.items()]))["agents"]["one"]["L3"]
    assert {group: (one["hit"]["value"], one["hit"]["n_tasks"]) for group, one in told.items()} == {
        "all": (0.75, 4),
        "electronics": (0.5, 2),
        "places": (1.0, 2),
    }


def test_points_are_shown_as_shares_and_kept_as_points() -> None:
    """10 and 5.5 points: (9 + 4.5) / 9 / 2 = 0.75, and 7.75; a trial that could not be rated is left out."""
    rows = [
        row("one", "L2-places-0", judged_parameters=10.0),
        row("one", "L2-places-1", judged_parameters=5.5),
        row("one", "L2-electronics-0", judged_parameters=None),
    ]
    told = figures(results(rows))["agents"]["one"]["L2"]["all"]["judged_parameters"]
    assert told == {"value": 0.75, "n_tasks": 2, "points": 7.75}


def test_the_rule_based_judge_stands_in_tables_of_its_own() -> None:
    """With or without a model judge its columns are no columns of the level's table."""
    rows = [row("one", "L2-places-0", hit=1.0, ruled_parameters=10.0)]
    without, both = tables(results(rows)), tables(results([*rows, row("two", "L2-places-0", judged_parameters=1.0)]))
    main = "L2, mean over tasks (the paper's table 3)"
    own = "L2, the rule-based judge: (s - 1) / 9 of its points; no model judged here"
    for found in (without, both):
        assert not [c.title for c in found[main].columns if "(rules)" in c.title]
        assert cells_of(found[own], "one")["param. (rules)"] == 1.0
    assert "param. (judge)" not in [c.title for c in without[main].columns]
    assert cells_of(both[main], "two")["param. (judge)"] == 0.0
    assert cells_of(both["L2, the model judge's points, 1 to 10"], "two")["param. (judge)"] == 1.0


def test_rounds_and_calls_stand_beside_the_budget() -> None:
    """Means, gold's, and their ratios."""
    table = tables(results([row("one", "L1-places-0", hit=0.0)]))
    found = next(one for caption, one in table.items() if "table 6" in caption)
    assert found.rows[0] == ("L1", "one", 2.0, 1.0, 4.0, 3.0, 2.0, pytest.approx(4 / 3))


def test_hits_are_split_by_ambiguity_in_its_order() -> None:
    """Low before high."""
    rows = [row("one", "L1-places-0", hit=1.0), row("one", "L1-places-1", hit=0.0)]
    table = tables(results(rows))["hit ratio by level and ambiguity"]
    assert cells_of(table, "L1", "one") == {"level": "L1", "agent": "one", "low": 1.0, "high": 0.0}


def test_errors_stand_by_level_with_the_papers_row_at_l4() -> None:
    """As shares of trials."""
    rows = [
        row("one", "L4-places-0", hit=1.0, dependency_failure=1.0, no_clear_failure=0.0),
        row("one", "L4-places-1", hit=1.0, dependency_failure=0.0, no_clear_failure=1.0),
    ]
    table = tables(results(rows))["share of trials with each error, by rule; several may hold"]
    assert cells_of(table, "L4", "one")["dependency failure"] == 0.5
    assert cells_of(table, "L4", "↳ paper, GPT-5.4")["retrieval miss"] == 0.536


def test_rank_correlation_is_over_trials_and_over_agents() -> None:
    """Parameter accuracy and judged points in the same order within agents, in the reverse order between them."""
    rows = []
    for cell, base in (("one", 0.0), ("two", 0.5)):
        for n, task in enumerate(("L2-places-0", "L2-places-1")):
            points = 1.0 + n + (0 if cell == "two" else 5)
            rows.append(row(cell, task, parameter_accuracy=base + n / 4, judged_parameters=points))
    told = figures(results(rows))["spearman"]
    assert told == [
        {"level": "L2", "figure": "judged_parameters", "over_trials": pytest.approx(-0.6), "n_trials": 4,
         "over_agents": pytest.approx(-1.0)}
    ]  # fmt: skip


def test_two_judges_in_one_row_are_told() -> None:
    """Their means mix two scales of severity."""
    rows = [
        row("one", "L2-places-0", judged_parameters=9.0),
        row("one", "L2-places-1", judge="litellm@1:large:orchestration:def", judged_parameters=3.0),
    ]
    notes = [b.text for b in OrchestrationPaper().report(results(rows)).document.blocks if isinstance(b, Note)]
    assert any("rated by different judges" in text for text in notes)
    assert f"Judge: {JUDGE}." in notes


def test_cells_of_several_runs_are_told_apart() -> None:
    """By the run's id, where names meet."""
    first, second = (results([row("one", "L1-places-0", hit=1.0)], ("one",), run=name) for name in ("a-run", "b-run"))
    both = MemoryResults(
        first.runs + second.runs,
        {**first.tasks_of, **second.tasks_of},
        {**first.rows_of, **second.rows_of},
    )
    assert list(figures(both)["agents"]) == ["one (a-run)", "one (b-run)"]


def test_the_html_draws_what_the_tables_hold() -> None:
    """Hit ratio, rounds, calls and errors as plots; the terminal shows the tables."""
    report = OrchestrationPaper().report(results([row("one", "L4-places-0", hit=1.0, no_clear_failure=1.0)]))
    plots = [block.title for block in report.document.blocks if isinstance(block, Plot)]
    assert plots == ["hit ratio by level", "rounds a task by level", "calls a task by level", "errors at L4"]
    html = HtmlRenderer(None).render(report)
    assert all(title in html for title in plots)
    assert "<svg" in html
    assert "the paper's table 5" in TerminalRenderer(TerminalOptions(width=120)).render(report)


class TestOrchestrationPaper(AnalysisContract):
    """The analysis as a component."""

    component = OrchestrationPaper

    def results(self) -> Sequence[Results]:
        """Return an empty set, a run without trials, and one with some."""
        nothing = MemoryResults((), {}, {})
        return [nothing, results([]), results([row("two", task.id, hit=1.0) for task in TASKS])]
