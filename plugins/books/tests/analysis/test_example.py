"""The paper's experiment without a language model, as the run file in docs/examples says it, and its report's speed."""

import json
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from attrs import evolve

from recfw.cli.main import invoke
from recfw_books.analysis.books_paper import BooksPaper

EXAMPLE = Path(__file__).resolve().parents[4] / "docs" / "examples" / "books-paper.yaml"


def test_the_example_is_the_papers_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three agents, two interfaces, three sizes: 18 cells of 450 tasks, four trials each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_STORE", "runs.db")
    assert invoke(["run", "--config", str(EXAMPLE), "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("books, track books: 32400 trials (4 of each task in each cell)")
    cells = [line.strip().partition(":")[0] for line in lines if line.startswith("  ")]
    agents = ("popularity", "eliminating", "no-ask")
    assert cells == [" ".join(one) for one in product(agents, ("structured", "keyword"), ("5000", "10000", "0"))]


def test_a_run_of_the_command_line_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Played, stored and reported from the command line: the interface test of both agents, and an HTML file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_STORE", "runs.db")
    words = ["--plugin", "books", "--agent", "no-ask", "--agent", "popularity", "--set", "track.size=5000"]
    for interface in ("structured", "keyword"):
        assert invoke(["run", *words, "--interface", interface, "--tasks", "b00?-*"]) == 0
    capsys.readouterr()
    assert invoke(["runs", "list", "--json"]) == 0
    runs = [run["id"] for run in json.loads(capsys.readouterr().out)]
    assert len(runs) == 2
    words = ["report", *runs, "--analysis", "books-paper", "--set", "analysis.block=all"]
    assert invoke(words) == 0
    assert "the paper's analysis of 2 runs" in capsys.readouterr().out
    assert invoke([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["figures"]
    tests = {one["key"]: one for one in found["tests"]}
    assert tests["interface of popularity"]["n_families"] == 9
    assert "The tables are of catalogs of 5,000 books." in found["remarks"]
    assert invoke(["report", *runs, "--analysis", "books-paper", "--out", "paper.html"]) == 0
    assert "table 4" in Path("paper.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_33_000_trials_are_reported_in_90_seconds(make: Any, random_experiment: Any) -> None:
    """Rows of four agents on both interfaces, three sizes, 150 families: what is computed takes a part of the time."""
    names = [f"m{number}" for number in range(4)]
    tasks = [
        task
        for number in range(150)
        for task in make.family(
            number, nvr=number < 15, template=f"t{number % 13}", blocks=["panel"] if number < 51 else []
        )
    ]
    cells = [
        make.cell(f"{agent}-{interface}-{size}", agent, interface=interface, size=size)
        for agent, interface, size in product(names, ("structured", "keyword"), (5000, 10000, 0))
    ]
    some = random_experiment.results.rows_of["a"]
    rows = [
        evolve(some[(place * 7 + trial) % len(some)], cell=cell.name, task=task.id, trial=trial)
        for place, (cell, task) in enumerate(product(cells, tasks))
        for trial in range(4)
    ]
    assert len(rows) > 33_000
    started = process_time()
    assert BooksPaper().report(make.run(cells, tasks, rows, 4)).document.blocks
    assert process_time() - started < 90
