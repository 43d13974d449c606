"""The reports on stored results whose figures were computed by hand."""

from pathlib import Path
from typing import Any

import pytest
from stored import Scores, bank, cell, number, run, together
from trajectories import call, did, episode, goal, said

from recfw.errors import UsageError
from recfw.model.document import Note, Plot, Report, Table
from recfw.model.task import Task
from recfw.testing.results import MemoryResults
from recfw_situated.analysis.situated import Situated, SituatedPaper, SituatedPaperOptions
from recfw_situated.human.forms import written
from recfw_situated.human.plan import make_plan
from recfw_situated.tasks.pool import shipped


def paper(results: MemoryResults, **options: Any) -> Report:
    """Return the report of ``situated-paper``."""
    return SituatedPaper(SituatedPaperOptions(**options)).report(results)


def table(report: Report, caption: str) -> Table:
    """Return the table whose caption begins so."""
    found = [b for b in report.document.blocks if isinstance(b, Table) and b.caption.startswith(caption)]
    assert len(found) == 1, [b.caption for b in report.document.blocks if isinstance(b, Table)]
    return found[0]


def cells(report: Report, caption: str) -> dict[str, dict[str, Any]]:
    """Return row -> column -> value of a table."""
    found = table(report, caption)
    titles = [column.title for column in found.columns]
    return {str(row[0]): dict(zip(titles[1:], row[1:], strict=True)) for row in found.rows}


def notes(report: Report) -> str:
    """Return all notes."""
    return "\n".join(block.text for block in report.document.blocks if isinstance(block, Note))


def plots(report: Report) -> list[str]:
    """Return the titles of all plots."""
    return [block.title for block in report.document.blocks if isinstance(block, Plot)]


def by_subset(cell: str, task: Task) -> Scores:
    """Return scores by subset: nobody buys in the first, everybody in the fourth; AFR is had in the first two alone."""
    n, shopper = number(task), int(task.cluster[1:])
    buys = shopper <= (0, 5, 15, 25)[n - 1]
    return {
        "success": float(buys),
        "turns": float(n),
        "turns_to_purchase": float(n) if buys else None,
        "afr": 0.5 if n < 3 else None,
        "recall_at_5": 0.2 * buys,
        "rpr": float(buys and shopper <= 10),
        "rpr_given_cart": float(shopper <= 10) if buys else None,
        "ranked": 10.0,
        "ranked_known": 10.0 - n,
        "goals": 4.0,
        "goals_seen_0": 1.0,
        **{f"goals_seen_{h}": 1.0 + (h >= 2) for h in range(1, 6)},
        "goals_seen_end": 4.0,
        "act_Greet": 1.0,
        "act_Navigate": 3.0,
    }


def test_table_3() -> None:
    """SR by subset is 0, 20, 60 and 100; turns 1 to 4; AFR has two subsets alone, and so no SD."""
    row = cells(paper(together(run("r1", [cell("guide")], bank(), by_subset))), "Table 3")["guide"]
    assert row == {
        "SR (%)": "45.0±44.3", "Turn": "2.5±1.3", "AFR (%)": "50.0", "LNSR (%)": None, "R@5 (%)": "9.0±8.9",
        "NDCG@10 (%)": "0.0±0.0", "n": 100,
    }  # fmt: skip


def test_table_8() -> None:
    """RPR is of all 100 tasks, RPR|Cart of the 45 purchases; catalog validity is pooled by subset, 90 to 60."""
    row = cells(paper(together(run("r1", [cell("guide")], bank(), by_subset))), "Table 8")["guide"]
    assert row == {
        "RPR (%)": "25.0", "RPR|Cart (%)": "55.6", "R-MRR@10 (%)": None, "Catalog (%)": "75.0±12.9", "n": 100
    }  # fmt: skip


def test_success_by_turn_is_of_all_episodes() -> None:
    """Five buy at turn 2, fifteen more at 3, twenty-five more at 4."""
    found = Situated().report(together(run("r1", [cell("guide")], bank(), by_subset)))
    curve = found.figures["settings"][0]["success_by_turn"]
    assert [curve[str(turn)] for turn in (1, 2, 3, 4, 20)] == [0.0, 5.0, 20.0, 45.0, 45.0]


def test_goal_visibility_is_pooled_over_goals() -> None:
    """Of four goals an episode one is in view at first, another after two turns, all by the end."""
    found = cells(paper(together(run("r1", [cell("guide")], bank(), by_subset))), "Figure 7")["guide"]
    assert found == {
        "goals": 400, "CGV(0) (%)": 25.0, "+1": 0.0, "+2": 25.0, "+3": 25.0, "+4": 25.0, "+5": 25.0, "End": 75.0
    }  # fmt: skip


def test_dialogue_actions_are_shares_of_all_replies() -> None:
    """One greeting to three navigations: a quarter and three quarters."""
    found = table(paper(together(run("r1", [cell("guide")], bank(), by_subset))), "Figure 9")
    assert dict(row[:2] for row in found.rows if row[1]) == {"Greet": 25.0, "Navigate": 75.0}  # type: ignore[misc]


def test_failed_trials_are_counted_and_left_out() -> None:
    """A trial that infrastructure ended is no episode: the mean is over the other three."""
    tasks = bank(shoppers=1)
    results = run("r1", [cell("guide")], tasks, lambda _, task: None if number(task) == 4 else {"success": 1.0})
    found = Situated().report(together(results)).figures["settings"][0]
    assert (found["episodes"], found["failed"], found["means"]["success"]["value"]) == (3, 1, 100.0)


def test_endings_are_counted_by_name() -> None:
    """The paper's reasons come in their order, others after them."""
    stops = ("success_cart_added", "motion_stall", "agent_time_limit", "turn_limit")
    results = run("r1", [cell("guide")], bank(shoppers=1), lambda *_: {}, lambda _, task: stops[number(task) - 1])
    assert [row[:2] for row in table(paper(together(results)), "Figure 11").rows] == [
        ("success_cart_added", 1), ("turn_limit", 1), ("motion_stall", 1), ("agent_time_limit", 1)
    ]  # fmt: skip


def test_a_cohort_of_another_user_has_means_alone() -> None:
    """25 tasks, one of each shopper: table 7 has the mean of the cohort and no SD."""
    first = run("r1", [cell("guide")], bank(), by_subset)
    cohort = [task for task in bank() if number(task) == 3]
    second = run("r2", [cell("guide", user="weak")], cohort, by_subset)
    row = cells(paper(together(first, second)), "Table 7, Supermarket: user weak")["guide"]
    assert (row["SR (%)"], row["Turn"], row["n"]) == ("60.0", "3.0", 25)


def test_ablations_stand_beside_the_full_context() -> None:
    """Tables 5 and 9 have a row for each condition that the runs hold, in the paper's order."""
    conditions = ["no-image-no-text", "none", "no-image"]
    results = run("r1", [cell(f"guide-{name}", model="vlm", ablation=name) for name in conditions], bank(), by_subset)
    found = paper(together(results))
    assert list(cells(found, "Table 5")) == ["Full Context", "w/o EVV", "w/o EVV & Textual Caption"]
    assert cells(found, "Table 9")["w/o EVV"]["RPR (%)"] == "25.0"
    assert list(cells(found, "Table 3")) == ["vlm"]


def test_cells_of_one_setting_are_pooled() -> None:
    """Two runs of the same assistant on different tasks stand in one row."""
    tasks = bank()
    parts = [run(f"r{n}", [cell("guide")], [t for t in tasks if number(t) == n], by_subset) for n in (1, 2, 3, 4)]
    assert cells(paper(together(*parts)), "Table 3")["guide"]["SR (%)"] == "45.0±44.3"


def test_equal_models_with_other_options_are_told_apart() -> None:
    """Two cells of one model that differ in temperature get rows of their own."""
    first, second = cell("a", model="vlm"), cell("b", model="vlm")
    second.roles["agent"].options["temperature"] = 1.0
    found = cells(paper(together(run("r1", [first, second], bank(), by_subset))), "Table 3")
    assert list(found) == ["vlm (temperature default)", "vlm (temperature 1.0)"]


def test_suggestions_within_navigate_replies() -> None:
    """Three Navigate replies suggest turn twice, followed once, and idle once; a Greet is not counted."""
    turn = call("turn", direction="left")
    trace = episode(
        *(said(1, "Navigate", turn, goal=goal("fixture", "dairy")), did(1, turn)),
        *(said(2, "Navigate", turn, goal=goal("fixture", "dairy")), did(2, call("idle"))),
        *(said(3, "Navigate", call("idle"), goal=goal("fixture", "dairy")), did(3)),
        *(said(4, "Greet", turn), did(4, turn)),
    )
    tasks = bank(shoppers=1)[:1]
    results = together(run("r1", [cell("guide")], tasks, lambda *_: {}), traces={("guide", tasks[0].id, 0): trace})
    found = table(paper(results), "Figure 10")
    assert [row[:2] for row in found.rows] == [("turn", "66.7 (50.0)"), ("idle", "33.3 (100.0)"), ("(replies)", 3)]


def rates(*values: float) -> Scores:
    """Return a judge's ratings, all seven the same."""
    names = (
        "informativeness", "naturalness", "groundedness", "preference_alignment", "proactiveness", "non_repetition",
        "overall_satisfaction",
    )  # fmt: skip
    return dict.fromkeys(names, values[0])


def test_ratings_have_tables_and_plots() -> None:
    """A judge's points become figure 3."""
    results = together(run("r1", [cell("guide")], bank(), lambda _, task: rates(float(number(task)))))
    found = paper(results)
    assert (cells(found, "Figure 3")["guide"]["Overall"], "Figure 3" in "\n".join(plots(found))) == ("2.5±1.3", True)


def people(order: dict[str, float], user: str = "human") -> MemoryResults:
    """Return five tasks played by people, with success and ratings by assistant."""
    tasks = [task for task in bank() if task.id in {"s01.1", "s02.2", "s03.3", "s04.4", "s05.1"}]
    return run(
        "h1", [cell(name, user=user) for name in order], tasks,
        lambda name, _: {"success": order[name] / 10, **rates(order[name])},
    )  # fmt: skip


def test_table_4_correlates_means_of_two_sets() -> None:
    """Of three assistants the order is kept but for the last two: rho is 1/2; constant figures have none."""
    first = run(
        "r1", [cell(name) for name in "abc"], bank(),
        lambda name, _: {"success": {"a": 0.1, "b": 0.2, "c": 0.4}[name], **rates({"a": 1, "b": 2, "c": 4}[name])},
    )  # fmt: skip
    found = paper(together(first, people({"a": 1.0, "b": 3.0, "c": 2.0})), second="human")
    agreed = found.figures["first_against_second"]
    assert agreed["SR"]["spearman"] == pytest.approx(0.5)
    assert agreed["SR"]["pearson"] == pytest.approx(0.3273268, abs=1e-6)
    assert (agreed["AFR"]["pearson"], agreed["AFR"]["spearman"], agreed["R@5"]["spearman"]) == (None, None, None)


def test_the_second_set_is_averaged_over_all_its_trajectories() -> None:
    """Five tasks of four subsets: two of the first subset count twice as much, as among people."""
    results = people({"a": 1.0})
    scored = run("h1", results.runs[0].spec.cells, results.tasks_of["h1"].values(),
                 lambda _, task: {"success": float(number(task) == 1)})  # fmt: skip
    found = paper(together(run("r1", [cell("a")], bank(), by_subset), scored), second="h1")
    assert cells(found, "Second set")["a"]["SR (%)"] == "40.0"
    assert found.figures["first_against_second"]["SR"]["second"] == [40.0]


def test_the_second_set_is_no_part_of_the_first() -> None:
    """Runs that are named as the second set are left out of table 3."""
    first, second = run("r1", [cell("a")], bank(), by_subset), people({"a": 1.0}, user="rules")
    assert cells(paper(together(first, second), second="h1"), "Table 3")["a"]["n"] == 100


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"second": "nobody"}, "second: 'nobody' is no run and no user"),
        ({"user": "nobody"}, "no user 'nobody'"),
        ({"plan": "x.csv"}, "analysis.plan and analysis.answers belong together"),
        ({"film": "guide/s99.1/0"}, "film: no run of the report has the trial"),
    ],
)
def test_wrong_options_are_told(options: dict[str, str], words: str) -> None:
    """Each wrong option is a sentence."""
    with pytest.raises(UsageError, match=words):
        paper(together(run("r1", [cell("guide")], bank(shoppers=1), by_subset)), **options)


def test_tasks_of_other_content_are_refused() -> None:
    """Two runs whose task of one id differs cannot stand in one table."""
    tasks = bank(shoppers=1)
    other = [Task(task.id, task.cluster, task.facets, task.public, {"goal": "another"}) for task in tasks]
    parts = [run(f"r{n}", [cell("guide")], held, by_subset) for n, held in enumerate((tasks, other))]
    with pytest.raises(UsageError, match="has other content"):
        Situated().report(together(*parts))


def test_what_the_runs_lack_is_told_with_the_next_step() -> None:
    """Each table that cannot be made has a note that says what it needs."""
    found = notes(paper(together(run("r1", [cell("guide")], bank(), by_subset))))
    for words in ("Table 7", "recfw judge", "human-plan", "Table 4", "track.ablation=no-image"):
        assert words in found


def test_a_questionnaire_is_figure_5(tmp_path: Path) -> None:
    """Filled-in forms give means by assistant, and their agreement with the judge on the second set."""
    tasks = {task.id: task for task in shipped() if task.scene == "supermarket"}
    files = written(make_plan(list(tasks), ["a", "b"]), tasks)
    key = dict(line.split(",")[3:5] for line in files["assignment.csv"].splitlines()[1:])
    head, *lines = files["questionnaire.csv"].splitlines()
    points = {"a": "4,4,4,4,4,4,4", "b": "2,2,2,2,2,2,3"}
    filled = [f"{line.removesuffix(',' * 8)},{points[key[line.split(',')[3]]]}," for line in lines]
    (tmp_path / "plan.csv").write_text(files["assignment.csv"])
    (tmp_path / "answers.csv").write_text("\n".join([head, *filled]))
    first = run("r1", [cell("a"), cell("b")], bank(), by_subset)
    found = paper(
        together(first, people({"a": 5.0, "b": 1.0})),
        second="human", plan=str(tmp_path / "plan.csv"), answers=str(tmp_path / "answers.csv"),
    )  # fmt: skip
    assert cells(found, "Figure 5a")["b"]["Overall"] == 3.0
    assert found.figures["questionnaire_against_judge"]["Overall"]["pearson"] == pytest.approx(1.0)


def test_rows_over_different_tasks_are_told() -> None:
    """Full context on 100 tasks and an ablation on 25 stand in one table, with a note; equal tasks have none."""
    whole = run("r1", [cell("guide")], bank(), by_subset)
    part = run("r2", [cell("guide", ablation="no-image")], [t for t in bank() if number(t) == 1], by_subset)
    words = "rows are over different tasks, from 25 to 100 of them"
    assert (words in notes(paper(together(whole, part))), "different tasks" in notes(paper(together(whole)))) == (
        True,
        False,
    )


def test_no_run_is_a_report_too() -> None:
    """Without a run there is a note and no error."""
    assert "no run was named" in notes(Situated().report(MemoryResults((), {}, {})))


def test_both_scenes_stand_apart() -> None:
    """Tasks of both scenes make two tables, whose means are of their own tasks."""
    tasks = [*bank(), *bank("furnishings")]
    results = run(
        "r1", [cell("guide")], tasks, lambda _, task: {"success": float(task.facets["scene"] == "furnishings")}
    )
    found = paper(together(results))
    assert cells(found, "Table 3, Supermarket")["guide"]["SR (%)"] == "0.0±0.0"
    assert cells(found, "Table 3, Home")["guide"]["SR (%)"] == "100.0±0.0"
