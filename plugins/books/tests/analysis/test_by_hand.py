"""`books-paper` on four families whose every figure is counted in the comments, and on what runs may lack."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from recfw.model.document import Note, Plot, Table
from recfw.model.results import ResultRow
from recfw.model.run import ComponentSpec, Status
from recfw.model.task import Task
from recfw.report.tables import shown_table
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults
from recfw_books.analysis.books_paper import BooksPaper, BooksPaperOptions


@pytest.fixture
def tasks(make: Any) -> list[Task]:
    """Return three families of one template each and an NVR family, all in the panel."""
    return [task for number in (1, 2, 3, 4) for task in make.family(number, nvr=number == 4, blocks=["panel"])]


KEYWORD: Mapping[str, tuple[int, int]] = {
    "b1-volunteer": (1, 1),
    "b2-volunteer": (1, 1),
    "b3-volunteer": (1, 0),
    "b4-volunteer": (1, 1),
    "b1-mixed": (1, 0),
    "b2-mixed": (0, 0),
    "b3-mixed": (1, 0),
    "b4-mixed": (1, 1),
    "b1-hidden": (0, 0),
    "b2-hidden": (0, 0),
    "b3-hidden": (0, 1),
    "b4-hidden": (0, 0),
}
"""Task -> success of its two trials on the keyword interface; on the structured one every trial succeeds."""


@pytest.fixture
def results(make: Any, tasks: list[Task]) -> MemoryResults:
    """Return a run of one agent on both interfaces, two trials a task."""
    cells = [make.cell(name, "some-model", interface=name) for name in ("structured", "keyword")]
    rows = [
        make.done(name, task.id, trial, success=float(1 if name == "structured" else KEYWORD[task.id][trial]))
        for name in ("structured", "keyword")
        for task in tasks
        for trial in (0, 1)
    ]
    run: MemoryResults = make.run(cells, tasks, rows, 2)
    return run


def figures(results: MemoryResults, **options: Any) -> Mapping[str, Any]:
    """Return the figures."""
    found: Mapping[str, Any] = BooksPaper(BooksPaperOptions(**options)).report(results).figures
    return found


def by_key(found: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the tests by key."""
    return {one["key"]: one for one in found["tests"]}


def table(results: MemoryResults, words: str, **options: Any) -> Table:
    """Return the first table whose caption holds these words."""
    blocks = BooksPaper(BooksPaperOptions(**options)).report(results).document.blocks
    return next(block for block in blocks if isinstance(block, Table) and words in block.caption)


def test_pass_k_by_hand(results: MemoryResults) -> None:
    """Keyword, satisfiable: volunteer (1 + 1 + 1/2) / 3 and 2/3, mixed 1/3 and 0, hidden 1/6 and 0."""
    found = figures(results)["tables"]["some-model keyword"]["pass_k"]["satisfiable"]
    told = {condition: [found[condition][k]["value"] for k in ("1", "2")] for condition in found}
    assert told == {
        "volunteer": pytest.approx([5 / 6, 2 / 3]),
        "mixed": pytest.approx([1 / 3, 0]),
        "hidden": pytest.approx([1 / 6, 0]),
    }


def test_the_interface_test_by_hand(results: MemoryResults) -> None:
    """
    Structured minus keyword by family, over its three tasks: 1/2 + 1 = 3/2 of family 1, 2 of 2, 3/2 of 3, 1 of 4.

    The sum is 6 over twelve tasks: 50 points. Of the 16 assignments of signs to the four templates two are as far.
    """
    one = by_key(figures(results))["interface"]
    assert (one["difference"], one["n_tasks"], one["n_families"]) == (pytest.approx(50.0), 12, 4)
    assert (one["templates"]["p"], one["templates"]["n_groups"]) == (2 / 16, 4)
    assert one["p"] == pytest.approx(1 / 10_001)


def test_the_gaps_by_hand(results: MemoryResults) -> None:
    """
    Mixed minus volunteer over all four families, averaged over interfaces: keyword -1/2, -1, 0 and 0, structured none.

    Hidden minus volunteer over the three satisfiable ones: keyword -1, -1 and 0.
    """
    tests = by_key(figures(results))
    assert tests["mixed gap"]["difference"] == pytest.approx(100 * (-0.5 - 1) / 4 / 2)
    assert tests["hidden gap"]["difference"] == pytest.approx(100 * (-1 - 1) / 3 / 2)
    assert [tests[key]["n_tasks"] for key in ("mixed gap", "hidden gap")] == [4, 3]


def test_what_the_runs_lack_is_listed(results: MemoryResults) -> None:
    """Each test that cannot be run says what is missing, in the figures and in a table."""
    found = by_key(figures(results))
    missing = {key: one["not_in_these_runs"] for key, one in found.items() if "not_in_these_runs" in one}
    assert list(missing) == ["scale on keyword", "scale on structured", "interface x scale", "user 1", "user 2"]
    assert missing["scale on keyword"] == (
        "no agent on keyword at 5,000 books and at all (--set track.size=5000 --set track.size=0)"
    )
    rows = table(results, "rests on").rows
    assert [row[-1] for row in rows if str(row[-1]).startswith("not in these runs: ")] == [
        f"not in these runs: {words}" for words in missing.values()
    ]


def test_an_agent_on_one_interface_alone_lacks_the_other(make: Any, tasks: list[Task]) -> None:
    """The test of that agent says which side is missing; the averaged one that no agent has both."""
    rows = [make.done("one", task.id, success=1.0) for task in tasks]
    found = by_key(figures(make.run([make.cell("one", "some-model", interface="keyword")], tasks, rows)))
    assert found["interface of some-model"]["not_in_these_runs"] == "some-model on structured"
    assert found["interface"]["not_in_these_runs"].startswith("no agent on both interfaces")


def test_a_voiced_user_without_the_rule_based_one_is_told(make: Any, tasks: list[Task]) -> None:
    """The tables are of the voiced user then, and its test lacks the other side; with it the difference is there."""
    voice = ComponentSpec("litellm", {"model": "voice"})
    cells = [make.cell("v", "some-model", voice), make.cell("r", "some-model")]
    rows = {
        name: [make.done(name, task.id, success=success) for task in tasks]
        for name, success in (("v", 0.0), ("r", 1.0))
    }
    alone = figures(make.run(cells[:1], tasks, rows["v"]))
    assert alone["remarks"] == ["The tables are of the user 'voice'."]
    told = "no agent with the user voice and with books-rules on the same tasks"
    assert by_key(alone)["user voice"]["not_in_these_runs"] == told
    both = make.run(cells, tasks, [*rows["v"], *rows["r"]])
    assert [by_key(figures(both, user=user))["user voice"]["difference"] for user in ("", "voice")] == [-100.0, -100.0]


def test_a_test_without_a_p_value_counts_as_one_in_holms_set(make: Any, tasks: list[Task]) -> None:
    """With one family there is no interval and no p value, and no other test looks better for that."""
    one_family = [task for task in tasks if task.cluster == "1"]
    cells = [make.cell(name, "some-model", interface=name) for name in ("structured", "keyword")]
    rows = [make.done(c.name, t.id, success=float(c.name == "structured")) for c in cells for t in one_family]
    found = figures(make.run(cells, one_family, rows))
    gap = by_key(found)["mixed gap"]
    assert (gap["difference"], gap["p"], gap["p_holm"], found["holm_over"]) == (0.0, None, None, 3)


def test_a_task_that_one_side_lacks_is_left_out_and_counted(results: MemoryResults) -> None:
    """A family without a keyword trial of its mixed task is not in that agent's gap; the other interface's has it."""
    rows = [row for row in results.rows_of["run-1"] if (row.cell, row.task) != ("keyword", "b1-mixed")]
    gap = by_key(figures(evolve(results, rows_of={"run-1": rows})))["mixed gap"]
    assert (gap["n_tasks"], gap["left_out"], gap["difference"]) == (3, 1, pytest.approx(-100 / 3 / 2))


def test_failed_trials_of_infrastructure_are_counted_and_not_scored(results: MemoryResults) -> None:
    """They stay in the counts of their setting, with their kind."""
    rows = list(results.rows_of["run-1"])
    rows[0] = ResultRow("run-1", rows[0].cell, rows[0].task, rows[0].trial, Status.FAILED, "provider", 2, 1.0)
    found = figures(evolve(results, rows_of={"run-1": rows[:-1]}))["settings"]
    structured, keyword = found["some-model structured"], found["some-model keyword"]
    assert structured["counts"] == {
        "tasks": 12,
        "planned": 24,
        "attempted": 24,
        "completed": 23,
        "failed": 1,
        "missing": 0,
    }
    assert (structured["endings"]["failed"], keyword["counts"]["missing"]) == ({"provider": 1}, 1)


def test_scripted_agents_stand_beside_the_paper(make: Any, tasks: list[Task]) -> None:
    """On structured search, with the rule-based user and the embedded catalog; a script reads no prompt."""
    rows = [make.done("p", task.id, success=1.0, rejections_to_success=0.0, proposals_to_success=1.0) for task in tasks]
    run = make.run([make.cell("p", "popularity")], tasks, rows)
    shown = shown_table(table(run, "table 3")).rows
    assert shown == (
        ("popularity structured", "3", *["1.000 [1.00, 1.00]"] * 3, "-"),
        ("↳ paper", "45", "1.000", "1.000", "0.622", "-"),
    )
    assert figures(run)["paper"]["beside"] == []  # those are the figures of language models
    for changed in ({"interface": "keyword"}, {"user": "other-user"}, {"catalog": "elsewhere"}):
        other = make.run([make.cell("p", "popularity", **changed)], tasks, rows)
        assert [row[0] for row in table(other, "table 3").rows][1:] == []


def test_model_agents_stand_beside_the_papers_average(results: MemoryResults) -> None:
    """The average over the two rows of the one agent stands beside the paper's mean of eight."""
    rows = {row[0]: row[1:3] for row in table(results, "four language models").rows}
    assert rows["pass^1, mixed, satisfiable, mean of the eight rows"] == (pytest.approx(2 / 3), 0.756)
    assert rows["pass^4, hidden, satisfiable, mean of the eight rows"] == (None, 0.099)


def test_the_block_can_be_chosen(make: Any, results: MemoryResults) -> None:
    """Families outside the panel are in no table unless all are asked for; without a panel all are taken, and told."""
    outside = make.family(5)
    tasks = [*results.tasks_of["run-1"].values(), *outside]
    rows = [*results.rows_of["run-1"], *(make.done("keyword", task.id, success=0.0) for task in outside)]
    run = evolve(results, tasks_of={"run-1": {task.id: task for task in tasks}}, rows_of={"run-1": rows})
    sizes = partial(table, run, "table 3")
    assert [sizes().rows[1][1], sizes(block="all").rows[1][1]] == ["3", "4"]
    nowhere = make.run([make.cell("x", "a")], outside, [make.done("x", task.id, success=1.0) for task in outside])
    notes = [block.text for block in BooksPaper().report(nowhere).document.blocks if isinstance(block, Note)]
    assert "No run has a task of the panel, so the tables are of all families." in notes


def test_the_plots_are_the_papers(results: MemoryResults) -> None:
    """Figures 2 (a) and (b) and figure 3, each with a table of the same numbers; (c) needs a second prompt."""
    rows = [
        evolve(row, scores={**row.scores, "correct_ending": row.scores["success"], "rejections_to_success": 2.0})
        for row in results.rows_of["run-1"]
    ]
    blocks = BooksPaper().report(evolve(results, rows_of={"run-1": rows})).document.blocks
    plots = [(block.title.partition(":")[0], block.form, block.repeats) for block in blocks if isinstance(block, Plot)]
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    assert plots[:2] == [("figure 2 (a)", "points", True), ("figure 2 (b)", "line", True)]
    assert plots[2:] == [("figure 3", "bar", True)] * 4  # mixed and hidden, satisfiable and NVR: volunteer, below
    assert all(block.title in captions for block in blocks if isinstance(block, Plot))


class TestBooksPaper(AnalysisContract):
    """What every analysis must do."""

    component = BooksPaper

    @pytest.fixture(autouse=True)
    def _given(self, results: MemoryResults) -> None:
        self.given = results

    def results(self) -> Sequence[MemoryResults]:
        """Return a whole run, a partial one, one without rows, and no run at all."""
        rows = self.given.rows_of["run-1"]
        return (
            self.given,
            evolve(self.given, rows_of={"run-1": rows[:3]}),
            evolve(self.given, rows_of={"run-1": ()}),
            evolve(self.given, runs=()),
        )


def test_the_field_list_separates_tool_from_prompt(make: Any, tasks: list[Task]) -> None:
    """Keyword none, with fields a half, structured all: the list adds 50 points, the tool 50 more."""
    cells = [
        make.cell("s", "agent", interface="structured"),
        make.cell("k", "agent", interface="keyword"),
        make.cell("f", "agent", interface="keyword", field_list=True),
    ]
    solved = {"s": (1.0, 1.0), "k": (0.0, 0.0), "f": (1.0, 0.0)}
    rows = [
        make.done(c.name, t.id, trial, success=solved[c.name][trial]) for c in cells for t in tasks for trial in (0, 1)
    ]
    found = {one["name"]: one["difference"] for one in figures(make.run(cells, tasks, rows, 2))["exploratory"]}
    told = {
        name: found[f"agent: {name}"] for name in ("keyword with fields - without", "structured - keyword with fields")
    }
    assert told == {
        "keyword with fields - without": pytest.approx(50.0),
        "structured - keyword with fields": pytest.approx(50.0),
    }
    assert list(figures(make.run(cells, tasks, rows, 2))["tables"]) == ["agent structured", "agent keyword"]


def test_scale_effects_are_of_volunteer_and_mixed_tasks(make: Any, tasks: list[Task]) -> None:
    """Hidden tasks played at 5,000 books, too, do not enter, because the paper played none."""
    cells = [make.cell(f"{size}", "agent", interface="keyword", size=size) for size in (5000, 0)]
    rows = [
        make.done(cell.name, task.id, success=float(cell.name == "5000" and task.facets["condition"] != "mixed"))
        for cell in cells
        for task in tasks
    ]
    one = by_key(figures(make.run(cells, tasks, rows)))["scale on keyword"]
    assert (one["difference"], one["n_tasks"]) == (pytest.approx(50.0), 8)


def test_commitments_beside_the_paper(make: Any, tasks: list[Task]) -> None:
    """Of three failed hidden trials two are untested, one of these before any proposal, one after a decline."""
    wrong = {"success": 0.0, "correct_ending": 0.0, "returned_by_search": 1.0, "named_untagged": 0.0}
    hidden = [
        {"proposed_before_commit": 0.0, "proposals": 0.0, "fields_declined": 1.0, "named_untagged": 1.0},
        {"proposed_before_commit": 0.0, "proposals": 2.0, "fields_declined": 0.0},
        {"proposed_before_commit": 1.0, "proposals": 1.0, "fields_declined": 1.0, "leaks": 1.0},
    ]
    rows = [make.done("c", f"b{n}-hidden", **{**wrong, **one}) for n, one in enumerate(hidden, 1)]
    run = make.run([make.cell("c", "some-model")], tasks, rows)
    shown = {row[0]: row[1] for row in table(run, "four language models").rows}
    assert shown["failed hidden trials with an untested commitment"] == pytest.approx(2 / 3)
    assert shown["untested commitments before any proposal"] == 0.5
    assert shown["untested commitments after a decline"] == 0.5
    assert shown["failed hidden trials that had named an acceptable book without a tag"] == pytest.approx(1 / 3)
    assert shown["recommendations that search never returned"] == 0.0
    assert figures(run)["commitments"]["some-model"]["leaks"] == 1
