"""The analysis `summary`: golden pages, hand-computed figures, and what it does with little or nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.builtin.summary import Summary, SummaryOptions
from recfw.errors import UsageError
from recfw.model.document import Heading, Measure, Note, Plot, Report, Table
from recfw.model.results import ResultRow
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.protocols import NoOptions
from recfw.report.render_json import JsonRenderer
from recfw.report.render_markdown import MarkdownRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw.testing.results import MemoryResults, memory_run

GOLDEN = Path(__file__).parent / "golden"

TASKS = (
    Task("a1", "a", {"tier": "1", "unique": "1"}),
    Task("a2", "a", {"tier": "1", "unique": "1"}),
    Task("b1", "b", {"tier": "2", "unique": "1"}),
    Task("c1", "c", {"tier": "2", "unique": "1"}),
)


def done(cell: str, task: str, trial: int, success: float | None, turns: float | None = None) -> ResultRow:
    """Return a completed trial."""
    stop = "answered" if success else "agent_turn_limit"
    usage = {"agent": {"seconds": 0.25, "input_tokens": 1000.0, "output_tokens": 50.0, "cost": 0.001}}
    scores = {"success": success, "agent_turns": turns}
    return ResultRow("run-1", cell, task, trial, Status.COMPLETED, stop, 1, 0.5, usage, scores)


ROWS = (
    done("careful", "a1", 0, 1.0, 3.0),
    done("careful", "a1", 1, 1.0, 5.0),
    done("careful", "a2", 0, 1.0, 12.0),
    done("careful", "a2", 1, 0.0, 20.0),
    done("careful", "b1", 0, 0.0, 20.0),
    ResultRow("run-1", "careful", "b1", 1, Status.FAILED, "infrastructure", 2, 9.0),
    done("careful", "c1", 1, 1.0, 4.0),
    *(done("hasty", task.id, trial, 1.0, 1.0) for task in TASKS for trial in (0, 1)),
)
"""Cell `careful`: one of eight trials failed and one (c1, 0) is missing. Cell `hasty` succeeds always."""


def stored(rows: tuple[ResultRow, ...] | list[ResultRow] = ROWS, **settings: Any) -> MemoryResults:
    """Return the run with settings."""
    return evolve(memory_run(rows, TASKS, ["careful", "hasty"], trials=2), given=settings)


def report(results: MemoryResults, options: SummaryOptions | None = None) -> Report:
    """Return the summary."""
    return Summary(options or SummaryOptions()).report(results)


def as_json(found: Report) -> str:
    """Return the JSON of the figures alone."""
    return JsonRenderer(NoOptions()).render(evolve(found, operational={}))


def captions(found: Report) -> list[str]:
    """Return the tables' captions."""
    return [block.caption for block in found.document.blocks if isinstance(block, Table)]


@pytest.mark.parametrize("suffix", ["txt", "md", "json"])
def test_golden(suffix: str) -> None:
    """The three formats of a small run are those in the folder `golden`."""
    found = report(stored(clustered_by="families", figures={"effort": ["agent_turns"]}))
    pages = {
        "txt": TerminalRenderer(TerminalOptions(width=80, color="never")).render(found),
        "md": MarkdownRenderer(NoOptions()).render(found),
        "json": JsonRenderer(NoOptions()).render(found),
    }
    assert pages[suffix] == (GOLDEN / f"summary.{suffix}").read_text(encoding="utf-8")


def test_figures_by_hand() -> None:
    """pass^1 is (1 + 1/2 + 0 + 1) / 4; pass^2 is (1 + 0) / 2, two tasks left out; tier 2 is (0 + 1) / 2."""
    cell = report(stored()).figures["runs"][0]["cells"]["careful"]
    assert (cell["figures"]["success"], cell["pass_k"]["2"], cell["by"]["tier"]["2"]) == (
        {"value": 0.625, "low": 0.0, "high": 1.0, "n_tasks": 4, "n_clusters": 3, "n_trials": 6},
        {"value": 0.5, "low": None, "high": None, "n_tasks": 2, "n_clusters": 1, "tasks_left_out": 2},
        {
            "value": 0.5,
            "low": 0.0,
            "high": 1.0,
            "n_tasks": 2,
            "n_clusters": 2,
            "tasks": 2,
            "planned": 4,
            "attempted": 3,
            "completed": 2,
            "failed": 1,
            "missing": 1,
        },
    )


def test_a_failed_trial_stays_in_the_counts() -> None:
    """All counts are given, those of failed and missing trials too, and failures have endings of their own."""
    cell = report(stored()).figures["runs"][0]["cells"]["careful"]
    assert (cell["counts"], cell["endings"]) == (
        {"tasks": 4, "planned": 8, "attempted": 7, "completed": 6, "failed": 1, "missing": 1},
        {"completed": {"answered": 4, "agent_turn_limit": 2}, "failed": {"infrastructure": 1}},
    )


OTHERS = {"success": 1.0, "z": 1.0, "a": 0.5, "kept": None, "fast": 2.0, "grade": 3.0, "lost": None}
GIVEN = {"z": "quality@2", "a": "quality@2", "kept": "quality@2", "fast": "effort@1", "grade": "judge@1@model"}
DECLARED = {"met": ["success"], "quality": ["z", "kept", "a"], "effort": ["fast", "never"]}


def tables_of_others(**settings: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Return caption -> rows of the tables of other figures; `kept` is had by one of two trials of one cell."""
    first, second = (evolve(done("hasty", name, 0, 1.0), scores=OTHERS, scorers=GIVEN) for name in ("a1", "b1"))
    rows = [first, evolve(second, scores={**OTHERS, "kept": 1.0}), evolve(first, cell="careful")]
    blocks = report(stored(rows, **settings)).document.blocks
    found = [block for block in blocks if isinstance(block, Table) and block.caption.startswith("means")]
    return {table.caption: [(row[0], *row[1:]) for row in table.rows] for table in found}


def test_other_figures_stand_by_metric_in_the_order_declared() -> None:
    """The metrics and their figures come as declared, then judges by name, then what nobody declares or gives."""
    found = {caption: [row[0] for row in rows] for caption, rows in tables_of_others(figures=DECLARED).items()}
    assert list(found.items()) == [
        ("means of the figures of quality", ["z", "kept", "(trials)", "a"]),
        ("means of the figures of effort", ["fast"]),
        ("means of the figures of judge", ["grade"]),
        ("means of the other figures", ["lost"]),
    ]


def test_without_a_declaration_figures_stand_by_who_gave_them() -> None:
    """Where the track is not installed, the names of scorers and figures order them."""
    found = {caption: [row[0] for row in rows] for caption, rows in tables_of_others().items()}
    assert list(found.items()) == [
        ("means of the figures of effort", ["fast"]),
        ("means of the figures of judge", ["grade"]),
        ("means of the figures of quality", ["a", "kept", "(trials)", "z"]),
        ("means of the other figures", ["lost"]),
    ]


def test_the_trials_below_a_figure_are_those_that_have_it() -> None:
    """Of the cells, one has the figure in one of its two trials, the other in none; full figures have no such row."""
    rows = tables_of_others(figures=DECLARED)["means of the figures of quality"]
    assert rows[1:3] == [("kept", None, Measure(1.0)), ("(trials)", 0, 1)]


@settings(deadline=None, max_examples=30)
@given(
    rows=st.permutations(ROWS), attempts=st.integers(1, 5), seconds=st.floats(0.001, 1000), run=st.sampled_from("ab")
)
def test_figures_of_a_resumed_run_are_equal(rows: list[ResultRow], attempts: int, seconds: float, run: str) -> None:
    """Neither the order of rows, nor attempts, times, usage, run id, date or state show in the figures' bytes."""
    changed = [evolve(row, attempts=attempts, seconds=seconds, usage={}) for row in rows]
    resumed = memory_run(changed, TASKS, ["careful", "hasty"], trials=2, run=run, created=seconds, status="incomplete")
    assert as_json(report(resumed)) == as_json(report(stored()))


def test_nothing_operational_is_in_the_figures() -> None:
    """Times, cost, attempts, identity and date are in the operational half alone."""
    found = report(stored())
    operational = found.operational["runs"][0]
    careful = operational["cells"]["careful"]
    words = ("seconds", "cost", 'attempts"', "created", "run-1")
    assert ([word for word in words if word in as_json(found)], operational["run"], careful["attempts"]) == (
        [],
        "run-1",
        8,
    )


def test_trials_per_second_are_of_the_time_of_trials() -> None:
    """Seven trials that took six halves and nine seconds."""
    careful = report(stored()).operational["runs"][0]["cells"]["careful"]
    assert (careful["seconds"], careful["trials_per_second"]) == (12.0, 7 / 12)


def test_facets_with_few_values_by_default() -> None:
    """A facet with one value splits nothing."""
    assert captions(report(stored()))[0] == "pass^1 of success by cell and tier"


@pytest.mark.parametrize("split_by", ["unique, tier", ["unique", "tier"]])
def test_facets_that_are_asked_for(split_by: Any) -> None:
    """They come in the order asked for, whether as a list or as words with commas."""
    found = captions(report(stored(split_by=split_by)))
    assert found[:2] == ["pass^1 of success by cell and unique", "pass^1 of success by cell and tier"]


def test_no_facet_is_asked_for() -> None:
    """An empty choice gives one table without a split."""
    assert captions(report(stored(split_by=[])))[0] == "pass^1 of success by cell"


def test_an_unknown_facet_is_refused() -> None:
    """The message names the known ones and the nearest."""
    with pytest.raises(UsageError, match=r"no task has a facet 'teir' \(known: tier, unique\)\. Did you mean 'tier'\?"):
        report(stored(split_by="teir"))


def test_another_primary_figure() -> None:
    """A figure that is not of zeros and ones has a mean and no pass^k."""
    found = report(stored(), SummaryOptions(figure="agent_turns"))
    run = found.figures["runs"][0]
    assert (captions(found)[0], run["binary"], run["cells"]["careful"]["pass_k"]) == (
        "mean of agent_turns by cell and tier",
        False,
        {},
    )


def test_an_unknown_figure_is_refused() -> None:
    """The message names the known ones."""
    with pytest.raises(UsageError, match=r"no figure 'sucess' \(known: agent_turns, success\)\. Did you mean"):
        report(stored(), SummaryOptions(figure="sucess"))


def test_without_success_the_first_telling_figure_is_primary() -> None:
    """Counts of effort are primary only where there is nothing else."""
    rows = [evolve(row, scores={"agent_turns": 1.0, "z": 0.5} if row.scores else {}) for row in ROWS]
    bare = [evolve(row, scores={"agent_turns": 1.0} if row.scores else {}) for row in ROWS]
    found = [report(stored(chosen)).figures["runs"][0]["primary"] for chosen in (rows, bare)]
    assert found == ["z", "agent_turns"]


def test_k_has_a_bound() -> None:
    """pass^k is given up to the option's k, and never beyond the trials of a task."""
    found = [
        list(report(stored(), SummaryOptions(k=k)).figures["runs"][0]["cells"]["hasty"]["pass_k"]) for k in (1, 2, 9)
    ]
    assert found == [["1"], ["1", "2"], ["1", "2"]]


@pytest.mark.parametrize("rows", [[], [row for row in ROWS if row.status == Status.FAILED]])
def test_a_run_without_a_completed_trial(rows: list[ResultRow]) -> None:
    """There is no figure, which is said, and the counts are given."""
    found = report(stored(rows))
    notes = [block.text for block in found.document.blocks if isinstance(block, Note)]
    counts = found.figures["runs"][0]["cells"]["careful"]["counts"]
    assert (notes[1], counts["attempted"], counts["missing"]) == (
        "There is no figure, because no completed trial has a score.",
        len(rows),
        8 - len(rows),
    )


def test_a_figure_without_any_value() -> None:
    """Where every score is None, every mean is null and shown as a dash."""
    found = report(stored([done("hasty", "a1", 0, None)]))
    mean = found.figures["runs"][0]["cells"]["hasty"]["figures"]["success"]
    table = next(block for block in found.document.blocks if isinstance(block, Table))
    assert (mean["value"], mean["n_trials"], table.rows[1]) == (None, 0, ("hasty", None, None, None))


def test_one_task() -> None:
    """One task has a mean without an interval."""
    results = memory_run([done("only", "a1", 0, 1.0)], TASKS[:1], ["only"])
    found = report(results)
    table = next(block for block in found.document.blocks if isinstance(block, Table))
    assert table.rows == (("only", Measure(1.0)), ("(tasks)", 1))


def test_several_runs() -> None:
    """Each has a section and figures of its own, in the order asked for."""
    first, second = stored(), memory_run([done("only", "a1", 0, 1.0)], TASKS[:1], ["only"], run="run-2")
    both = MemoryResults(
        first.runs + second.runs, {**first.tasks_of, **second.tasks_of}, {**first.rows_of, **second.rows_of}
    )
    found = report(both)
    headings = [block.text for block in found.document.blocks if isinstance(block, Heading) and block.level < 3]
    assert (headings, [list(run["cells"]) for run in found.figures["runs"]]) == (
        ["2 runs", "fake-track: run run-1", "fake-track: run run-2"],
        [["careful", "hasty"], ["only"]],
    )


def test_no_run() -> None:
    """Nothing to report is said."""
    found = report(MemoryResults((), {}, {}))
    assert (len(found.document.blocks), found.figures["runs"]) == (2, [])


@settings(deadline=None, max_examples=30)
@given(st.text())
def test_hostile_names_are_carried(name: str) -> None:
    """Stop reasons, facets, figures and cells of any spelling give a report that every format can show."""
    task = Task("t", name, {name: name, "f": name})
    other = Task("u", "c", {name: "x"})
    row = ResultRow("r", name, "t", 0, Status.COMPLETED, name, 1, 0.0, {name: {"cost": 1.0}}, {name: 1.0})
    found = report(memory_run([row], [task, other], [name]))
    TerminalRenderer(TerminalOptions(80, "never")).render(found)
    MarkdownRenderer(NoOptions()).render(found)
    cells = json.loads(JsonRenderer(NoOptions()).render(found))["figures"]["runs"][0]["cells"]
    assert len(cells) == 1


def test_the_primary_figure_is_drawn() -> None:
    """Each table by facet is drawn with its intervals, a group for each value and a series for each cell."""
    (plot,) = (block for block in report(stored()).document.blocks if isinstance(block, Plot))
    careful = plot.series[0]
    assert (plot.repeats, [one.name for one in plot.series], careful.x, careful.y, careful.low, careful.high) == (
        *(True, ["careful", "hasty"], ("all", "1", "2")),
        *((0.625, 0.75, 0.5), (0.0, None, 0.0), (1.0, None, 1.0)),
    )
