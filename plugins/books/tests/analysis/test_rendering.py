"""The report of a random experiment in every format: same trials, same bytes, whatever their order."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.model.document import Heading, Note, Plot, Report, Table
from recfw.protocols import NoOptions, Renderer
from recfw.report.render_csv import CsvOptions, CsvRenderer
from recfw.report.render_html import HtmlRenderer
from recfw.report.render_json import JsonRenderer
from recfw.report.render_latex import LatexOptions, LatexRenderer
from recfw.report.render_markdown import MarkdownRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw_books.analysis.books_paper import BooksPaper
from recfw_books.analysis.failure_modes import MODES

RENDERERS: Sequence[Renderer] = (
    TerminalRenderer(TerminalOptions(width=80, color="never")),
    MarkdownRenderer(NoOptions()),
    HtmlRenderer(NoOptions()),
    LatexRenderer(LatexOptions()),
    CsvRenderer(CsvOptions()),
    JsonRenderer(NoOptions()),
)


@pytest.fixture(scope="module")
def report(random_experiment: Any) -> Report:
    """Return the report of the random experiment."""
    return BooksPaper().report(random_experiment.results)


@pytest.fixture(scope="module")
def backwards(random_experiment: Any) -> Report:
    """Return the report of the same trials, runs and rows in reverse, attempted more often, in another time."""
    results = random_experiment.results
    rows = {run: [evolve(row, attempts=3) for row in reversed(found)] for run, found in results.rows_of.items()}
    tasks = {run: dict(reversed(found.items())) for run, found in results.tasks_of.items()}
    return BooksPaper().report(evolve(results, runs=results.runs[::-1], rows_of=rows, tasks_of=tasks))


@pytest.mark.parametrize("renderer", RENDERERS, ids=lambda one: one.name)
def test_the_same_trials_give_the_same_bytes(renderer: Renderer, report: Report, backwards: Report) -> None:
    """In every format core has; operational data apart, which attempts change."""
    first, second = (renderer.render(evolve(one, operational={})) for one in (report, backwards))
    assert first == second
    assert "table 4" in first or renderer.name == "json"


def test_the_figures_are_plain_json(report: Report) -> None:
    """Without a value that JSON has no word for."""
    assert json.loads(json.dumps(report.figures, allow_nan=False))["pairs"]["of"] == 15


def test_no_line_is_longer_than_80_columns(report: Report) -> None:
    """With two models, a voiced user and every table."""
    lines = TerminalRenderer(TerminalOptions(width=80, color="never")).render(report).splitlines()
    assert max(map(len, lines)) <= 80


def test_every_figure_of_the_paper_has_its_plot(report: Report) -> None:
    """Figures 2 (a), (b), (c) and 3, each with its table, so that no format loses a number."""
    blocks = report.document.blocks
    plots = [block for block in blocks if isinstance(block, Plot)]
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    assert {plot.title.partition(":")[0] for plot in plots} == {f"figure {n}" for n in ("2 (a)", "2 (b)", "2 (c)", "3")}
    assert all(plot.repeats and plot.title in captions for plot in plots)


def test_figure_3_shares_add_up(report: Report) -> None:
    """Each agent's bars are shares of its failures, whose number stands beside its name."""
    plots = [
        block for block in report.document.blocks if isinstance(block, Plot) and block.title.startswith("figure 3")
    ]
    assert len(plots) == 6
    for plot in plots:
        assert {one.name.partition(" (n = ")[0] for one in plot.series} <= {"m1", "m2", "popularity", "All"}
        assert all(sum(value or 0 for value in one.y) == pytest.approx(1) for one in plot.series)
    numbers = [int(one.name.partition(" (n = ")[2].rstrip(")")) for one in plots[0].series]
    assert (numbers[0] + numbers[1], len(numbers)) == (numbers[3], 4)


def test_every_mode_that_occurs_is_explained(report: Report) -> None:
    """One note holds the meaning of each."""
    shown = {
        str(row[0])
        for block in report.document.blocks
        if isinstance(block, Table) and block.caption.startswith("figure 3")
        for row in block.rows
    }
    notes = " ".join(block.text for block in report.document.blocks if isinstance(block, Note))
    assert {mode.words for mode in MODES if mode.words in shown} == {
        m.words for m in MODES if f"{m.words}: {m.meaning}" in notes
    }


def test_the_set_of_tests_is_told(report: Report) -> None:
    """How many tests it has, and how many these runs allow."""
    notes = [block.text for block in report.document.blocks if isinstance(block, Note)]
    words = "The set has 10 tests here (the paper, with four agents and two users: 12), of which these runs allow 9: 1"
    assert any(note.startswith(words) for note in notes)


def test_the_chapters(report: Report) -> None:
    """In the order of the paper."""
    headings = [block.text for block in report.document.blocks if isinstance(block, Heading)]
    assert headings[1:] == [
        "Success",
        "Tests",
        "Elicitation",
        "Proposals and rejections",
        "Prompts",
        "How trials end",
        "Time, tokens and cost",
        "Beside the paper",
    ]


def test_listing_analyses_does_not_load_scipy() -> None:
    """The class that the plugin offers is light; what computes is imported when a report is made."""
    code = "import sys, recfw_books.analysis.books_paper; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "False"
