"""The analysis `books-reference`: hand-computed figures of four families, and what it does with partial runs."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from attrs import evolve

from recfw.errors import UsageError
from recfw.model.document import Document, Note, Plot, Report, Table
from recfw.model.results import ResultRow
from recfw.model.run import Cell, ComponentSpec, RunSpec, Status
from recfw.model.task import Task
from recfw.protocols import NoOptions
from recfw.report.render_json import JsonRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw.report.tables import shown_table
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults, memory_run
from recfw_books.analysis.document import PAPER
from recfw_books.analysis.paper import AGENTS
from recfw_books.analysis.reference import BooksReference, BooksReferenceOptions
from recfw_books.track import BooksTrack

CONDITIONS = ("volunteer", "mixed", "hidden")


def family(number: int, *, nvr: bool = False, panel: bool = False, reliability: bool = False) -> list[Task]:
    """Return a family's three tasks."""
    shared = {
        "tier": "simple" if number == 1 else "complex",
        "template": "genre_from",
        "nvr": "yes" if nvr else "no",
        "panel": "yes" if panel else "no",
        "reliability": "yes" if reliability else "no",
    }
    return [Task(f"b{number}-{name}", str(number), {**shared, "condition": name}) for name in CONDITIONS]


TASKS = (
    *family(1, panel=True, reliability=True),
    *family(2, panel=True),
    *family(3),
    *family(4, nvr=True, panel=True),
)


def cell(name: str, agent: str, **options: Any) -> Cell:
    """Return a cell of an agent with the rule-based user."""
    return Cell(name, {"agent": ComponentSpec(agent), "user": ComponentSpec("books-rules")}, options)


CELLS = (cell("eliminating", "eliminating", interface="structured"), cell("model", "some-model"))


def done(where: str, task: str, trial: int, *, success: bool, proposals: int = 0, accepted: bool = True) -> ResultRow:
    """Return a completed trial; a success with proposals ends with an accepted one where ``accepted``."""
    scores: dict[str, float | None] = {
        "success": float(success),
        "proposals_to_success": float(proposals) if success else None,
        "rejections_to_success": float(max(0, proposals - accepted)) if success else None,
        "leaks": 0.0,
    }
    return ResultRow("run-1", where, task, trial, Status.COMPLETED, "recommended", 1, 0.5, {}, scores)


HIDDEN = (
    done("eliminating", "b1-hidden", 0, success=True, proposals=1),
    done("eliminating", "b1-hidden", 1, success=True, proposals=4),
    done("eliminating", "b2-hidden", 0, success=True, proposals=6),
    done("eliminating", "b2-hidden", 1, success=False),
    done("eliminating", "b3-hidden", 0, success=False),
    ResultRow("run-1", "eliminating", "b3-hidden", 1, Status.FAILED, "provider", 2, 9.0),
    done("eliminating", "b4-hidden", 0, success=True, proposals=3, accepted=False),
    done("eliminating", "b4-hidden", 1, success=False),
)
"""Successes of families 1, 2 and 3: two of two, one of two, none of one; of the NVR family one of two."""

TOLD = tuple(
    done("eliminating", task.id, trial, success=True)
    for task in TASKS
    for trial in (0, 1)
    if task.facets["condition"] != "hidden"
)
MODEL = tuple(done("model", task.id, 0, success=False) for task in TASKS)
ROWS = (*HIDDEN, *TOLD, *MODEL)
"""The model has one of its two trials of each task: a run that was stopped."""


def stored(
    rows: Sequence[ResultRow] = ROWS, tasks: Sequence[Task] = TASKS, cells: Sequence[Cell] = CELLS, **given: Any
) -> MemoryResults:
    """Return a run of two trials, with settings."""
    results = memory_run(rows, tasks, [one.name for one in cells], trials=2)
    info = evolve(results.runs[0], spec=RunSpec("books", "books", tuple(cells), trials=2))
    return evolve(results, runs=(info,), given={"split_by": list(BooksTrack.split_by), **given})


def report(results: MemoryResults, k: int = 4) -> Report:
    """Return the report."""
    return BooksReference(BooksReferenceOptions(k)).report(results)


@cache
def whole() -> Report:
    """Return the report of the whole run."""
    return report(stored())


def group(found: Report, block: str, kind: str, condition: str, where: str = "eliminating") -> Mapping[str, Any]:
    """Return one group's figures."""
    figures: Mapping[str, Any] = found.figures["runs"][0]["cells"][where]["blocks"][block][kind][condition]
    return figures


def tables(found: Report) -> list[Table]:
    """Return the tables."""
    return [block for block in found.document.blocks if isinstance(block, Table)]


def table(found: Report, words: str) -> Table:
    """Return the one table whose caption holds these words."""
    (one,) = (block for block in tables(found) if words in block.caption)
    return one


class TestBooksReference(AnalysisContract):
    """What every analysis must do."""

    component = BooksReference

    def results(self) -> Sequence[MemoryResults]:
        """Return a whole run, a partial one, one without rows, and no run at all."""
        return (stored(), stored(HIDDEN[:3]), stored(()), evolve(stored(), runs=()))


def test_the_first_table_answers() -> None:
    """Rows are agents over tasks that have an answer, then over NVR tasks, each with the paper's figures below."""
    first = tables(whole())[0]
    assert [column.title for column in first.columns] == ["agent", "tasks", *CONDITIONS]
    assert shown_table(first).rows == (
        ("eliminating", "3", "1.000 [1.00, 1.00]", "1.000 [1.00, 1.00]", "0.500 [0.00, 1.00]"),
        (PAPER, "135", "1.000 [1.00, 1.00]", "1.000 [1.00, 1.00]", "0.956 [0.92, 0.99]"),
        ("model", "3", "0.000 [0.00, 0.00]", "0.000 [0.00, 0.00]", "0.000 [0.00, 0.00]"),
        ("eliminating", "1 NVR", "1.000", "1.000", "0.500"),
        (PAPER, "15 NVR", "1.000 [1.00, 1.00]", "1.000 [1.00, 1.00]", "0.867 [0.67, 1.00]"),
        ("model", "1 NVR", "0.000", "0.000", "0.000"),
    )


def test_the_first_table_is_explained() -> None:
    """The notes below the first table say what pass^1, each condition, NVR and the paper's rows are."""
    blocks = whole().document.blocks
    assert [type(block) for block in blocks[1:3]] == [Table, Plot]
    notes = [block.text for block in blocks[3:7] if isinstance(block, Note)]
    words = [text for text in notes for word in ("pass^1:", "volunteer", "NVR tasks", PAPER) if text.count(word)]
    assert words == notes


def test_what_the_tables_answer_is_drawn() -> None:
    """Agents stand beside the paper's in each condition, and success by rejections is a line."""
    first, second = (block for block in whole().document.blocks if isinstance(block, Plot))
    assert ([one.name for one in first.series], first.repeats, second.repeats) == (
        ["eliminating", "eliminating in the paper", "model"],
        True,
        True,
    )
    ours, rejections = first.series[0], second.series[0]
    assert (ours.x, ours.y, ours.low, ours.high) == (CONDITIONS, (1.0, 1.0, 0.5), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0))
    assert (second.form, rejections.x) == ("line", (0, 1, 2, 3, 4, 5))


def test_pass_1_and_counts_by_hand() -> None:
    """Hidden: (1 + 1/2 + 0) / 3, three of five scored trials; the failed trial is counted and not scored."""
    hidden = group(whole(), "all", "satisfiable", "hidden")
    assert hidden["pass_1"] == {
        "value": 0.5,
        "low": 0.0,
        "high": 1.0,
        "n_tasks": 3,
        "n_clusters": 3,
        "solved": 3,
        "scored": 5,
    }
    counts = {"tasks": 3, "planned": 6, "attempted": 6, "completed": 5, "failed": 1, "missing": 0}
    assert (hidden["counts"], hidden["endings"]["failed"]) == (counts, {"provider": 1})


def test_nvr_is_kept_apart() -> None:
    """The NVR family's half is in no figure of the other families; one family has no interval."""
    nvr = group(whole(), "all", "nvr", "hidden")
    assert (nvr["pass_1"]["value"], nvr["pass_1"]["low"], nvr["pass_1"]["n_clusters"]) == (0.5, None, 1)


def test_pass_k_by_hand() -> None:
    """pass^2 is (1 + 0) / 2: the family with one scored trial is left out and counted."""
    power = group(whole(), "all", "satisfiable", "hidden")["pass_k"]
    assert {k: (figures["value"], figures["tasks_left_out"]) for k, figures in power.items()} == {"2": (0.5, 1)}


def test_pass_k_has_a_bound() -> None:
    """No pass^k above 1 where the option forbids it, and then no table."""
    found = report(stored(), k=1)
    assert group(found, "all", "satisfiable", "hidden")["pass_k"] == {}
    assert not [one for one in tables(found) if one.caption.startswith("pass^k")]


@pytest.mark.parametrize(
    ("block", "curve"),
    [
        ("all", (1 / 6, 1 / 6, 1 / 6, 1 / 3, 1 / 3, 1 / 2)),
        ("panel", (1 / 4, 1 / 4, 1 / 4, 1 / 2, 1 / 2, 3 / 4)),
        ("reliability", (1 / 2, 1 / 2, 1 / 2, 1, 1, 1)),
    ],
)
def test_success_within_r_rejections_by_hand(block: str, curve: tuple[float, ...]) -> None:
    """Accepted by proposal r + 1: successes took 1 and 4 proposals (family 1) and 6 (family 2, one of two trials)."""
    found = whole().figures["runs"][0]["cells"]["eliminating"]["blocks"][block]["within_rejections"]
    assert [found[str(r)]["value"] for r in range(6)] == pytest.approx(curve)


def test_scores_without_rejections_have_no_curve() -> None:
    """Where the figure was never scored the curve is unknown, which is not zero."""
    rows = [
        evolve(row, scores={name: value for name, value in row.scores.items() if name != "rejections_to_success"})
        for row in ROWS
    ]
    found = report(stored(rows))
    assert found.figures["runs"][0]["cells"]["eliminating"]["blocks"]["all"]["within_rejections"] == {}
    assert table(found, "at most r rejections").rows[0] == ("eliminating", 4.0, *[None] * 6, 0.5)


def test_proposals_per_success() -> None:
    """The median of 1, 4 and 6; a failed trial's proposals do not enter."""
    found, curve = whole(), (0.5 / 3, 0.5 / 3, 0.5 / 3, 1 / 3, 1 / 3, 0.5)
    assert group(found, "all", "satisfiable", "hidden")["median_proposals_to_success"] == 4.0
    assert table(found, "median proposals").rows[:2] == (
        ("eliminating", 4.0, *curve, 0.5),
        (PAPER, 3.0, *[None] * 6, 129 / 135),
    )


def test_solved_counts_stand_beside_the_papers() -> None:
    """Successful of scored trials, in every group and in all."""
    rows = table(whole(), "trials solved").rows
    assert rows == (
        ("eliminating", "6/6", "6/6", "3/5", "2/2", "2/2", "1/2", "20/23"),
        (PAPER, "135/135", "135/135", "129/135", "15/15", "15/15", "13/15", "442/450"),
        ("model", "0/3", "0/3", "0/3", "0/1", "0/1", "0/1", "0/12"),
    )


def test_panel_and_block_stand_beside_the_papers() -> None:
    """pass^1, success within three rejections and NVR of each block, each with the paper's figure to its right."""
    rows = table(whole(), "panel").rows
    assert rows[:2] == (
        ("eliminating", "panel 2+1", 0.75, 43 / 45, 0.5, 28 / 45, 0.5, 5 / 6),
        ("eliminating", "reliability 1", 1.0, 1.0, 1.0, 11 / 15, None, None),
    )


def test_endings_and_counts_are_shown() -> None:
    """Every ending, failures after the others, and every count of trials."""
    found = whole()
    assert table(found, "how trials ended").rows == (("recommended", 23, 12), ("failed: provider", 1, 0))
    assert tables(found)[-1].rows == (("eliminating", 12, 24, 24, 23, 1, 0), ("model", 12, 24, 12, 12, 0, 12))


@pytest.mark.parametrize(
    "other",
    [
        cell("eliminating", "eliminating", interface="keyword"),
        Cell("eliminating", {"agent": ComponentSpec("eliminating"), "user": ComponentSpec("other-user")}),
        cell("eliminating", "no-ask"),
        Cell("eliminating", {}),
    ],
)
def test_only_the_papers_own_setting_has_its_figures(other: Cell) -> None:
    """A keyword cell, another user or another agent stands alone, whatever the cell is called."""
    found = report(stored(cells=(other, CELLS[1])))
    assert PAPER not in TerminalRenderer(TerminalOptions(color="never")).render(found)
    assert found.figures["runs"][0]["cells"]["eliminating"]["paper_agent"] is None


def test_a_part_of_the_tasks() -> None:
    """Without mixed and NVR tasks there is no column and no row of them."""
    tasks = [task for task in TASKS if task.facets["condition"] != "mixed" and task.facets["nvr"] == "no"]
    kept = {task.id for task in tasks}
    first = tables(report(stored([row for row in ROWS if row.task in kept], tasks)))[0]
    assert [column.title for column in first.columns] == ["agent", "tasks", "volunteer", "hidden"]
    assert [row[:2] for row in first.rows] == [("eliminating", "3"), (PAPER, "135"), ("model", "3")]


def test_unequal_parts_are_told() -> None:
    """Where the conditions have different numbers of tasks, each is given."""
    tasks = TASKS[2:9]
    kept = {task.id for task in tasks}
    first = tables(report(stored([row for row in ROWS if row.task in kept], tasks)))[0]
    assert first.rows[0][:2] == ("eliminating", "2/2/3")


def test_another_facet_is_split_by_when_asked_for() -> None:
    """--split-by gives a table of the facet; condition and NVR, and the track's own list, give none."""
    found = report(stored(split_by=["tier", "condition"]))
    assert shown_table(table(found, "pass^1 by tier")).rows[0] == (
        *("complex", "eliminating", "1.000 [1.00, 1.00]", "1.000 [1.00, 1.00]", "0.250 [0.00, 0.50]"),
    )
    assert found.figures["runs"][0]["cells"]["eliminating"]["split"]["tier"]["simple hidden"]["value"] == 1.0
    assert not [one for one in tables(whole()) if one.caption.startswith("pass^1 by tier")]


def test_an_unknown_facet_is_refused() -> None:
    """The message names the nearest."""
    with pytest.raises(UsageError, match=r"no task has a facet 'teir' .*Did you mean 'tier'\?"):
        report(stored(split_by=["teir"]))


def test_several_runs_have_a_section_each() -> None:
    """Two runs are two entries of the figures and two first tables."""
    one = stored()
    both = evolve(
        one,
        runs=(one.runs[0], evolve(one.runs[0], id="run-2")),
        tasks_of={"run-1": one.tasks_of["run-1"], "run-2": one.tasks_of["run-1"]},
        rows_of={"run-1": ROWS, "run-2": [evolve(row, run="run-2") for row in ROWS]},
    )
    found = report(both)
    assert [len(found.figures["runs"]), len([t for t in tables(found) if t.caption.startswith("pass^1 by")])] == [2, 2]
    assert found.figures["runs"][0] == found.figures["runs"][1]


def test_figures_hold_nothing_operational() -> None:
    """Order, attempts, times, run id and state of a resumed run leave no trace in the figures' bytes."""
    one = stored()
    rows = [evolve(row, attempts=3, seconds=9.0) for row in reversed(ROWS)]
    other = evolve(stored(rows), runs=(evolve(one.runs[0], created=5.0, status="incomplete"),))

    def text(results: MemoryResults) -> str:
        return JsonRenderer(NoOptions()).render(evolve(report(results), operational={}))

    assert text(one) == text(other)


def lines(found: Report) -> Iterator[str]:
    """Yield the lines of the report on a terminal of 80 columns."""
    yield from TerminalRenderer(TerminalOptions(width=80, color="never")).render(found).splitlines()


def test_fits_80_columns() -> None:
    """No line is longer, and the first table, with the default agents' names, keeps intervals beside their means."""
    found = whole()
    assert max(map(len, lines(found))) <= 80
    first = TerminalRenderer(TerminalOptions(width=80, color="never")).render(Report(Document((tables(found)[0],))))
    assert "1.000 [1.00, 1.00]  0.956 [0.92, 0.99]" in first


def test_the_papers_figures_are_consistent() -> None:
    """Rounded as the paper prints them, the counts give its shares."""
    popularity, eliminating = AGENTS["popularity"], AGENTS["eliminating"]
    told = (
        popularity.within_three["panel"],
        eliminating.within_three["panel"],
        popularity.panel["reliability", "satisfiable"],
        eliminating.panel["reliability", "satisfiable"],
        eliminating.within_three["reliability"],
    )
    assert [round(counted.share, 3) for counted in told] == [0.311, 0.622, 0.6, 1.0, 0.733]
    assert [sum(counted.solved for counted in agent.solved.values()) for agent in (popularity, eliminating)] == [
        386,
        442,
    ]
