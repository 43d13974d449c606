"""The analysis `compare`: pairing, Holm, noise floor and tiers by hand and by brute force; what sets arms apart."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.builtin.compare import Compare, CompareOptions
from recfw.builtin.compare_findings import Pair, tiers
from recfw.errors import UsageError
from recfw.model.document import Note, Plot, Report, Table
from recfw.model.results import ResultRow
from recfw.model.run import Cell, ComponentSpec, Limits, RunSpec, Status
from recfw.model.task import Task
from recfw.protocols import NoOptions
from recfw.report.render_json import JsonRenderer
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw.stats.results import Contrast
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults, memory_run

Scores = Mapping[str, Mapping[str, Sequence[float | None]]]
"""Cell -> task -> the values of its trials; None for a trial that infrastructure ended."""


def tasks_named(*names: str) -> list[Task]:
    """Return tasks, each in a cluster named by its first two letters."""
    return [Task(name, name[:2], {"side": name[-1]}) for name in names]


def rows_of(run: str, scores: Scores, scorer: str = "m@1") -> list[ResultRow]:
    """Return the rows of a run."""
    rows = []
    for cell, by_task in scores.items():
        for task, values in by_task.items():
            for trial, value in enumerate(values):
                row = ResultRow(run, cell, task, trial, Status.FAILED, "infrastructure", 2, 1.0)
                if value is not None:
                    told: Any = {"scores": {"success": value, "agent_turns": 3.0}, "scorers": {"success": scorer}}
                    row = evolve(row, status=Status.COMPLETED, stop="done", attempts=1, **told)
                rows.append(row)
    return rows


def one_run(scores: Scores, run: str = "r-aaa", tasks: Sequence[Task] = (), **changes: Any) -> MemoryResults:
    """Return a run of these scores; its tasks are those that the scores name, unless they are given."""
    names = dict.fromkeys(task for by_task in scores.values() for task in by_task)
    trials = max((len(values) for by_task in scores.values() for values in by_task.values()), default=1)
    rows = rows_of(run, scores, changes.pop("scorer", "m@1"))
    return memory_run(rows, tasks or tasks_named(*names), list(scores), trials, run, **changes)


def together(*runs: MemoryResults, **given_: Any) -> MemoryResults:
    """Return several runs as one."""
    return MemoryResults(
        tuple(info for results in runs for info in results.runs),
        {run: tasks for results in runs for run, tasks in results.tasks_of.items()},
        {run: rows for results in runs for run, rows in results.rows_of.items()},
        given_,
    )


def compared(results: MemoryResults, **options: Any) -> Report:
    """Return the comparison."""
    return Compare(CompareOptions(**options)).report(results)


def figures(results: MemoryResults, **options: Any) -> dict[str, Any]:
    """Return the comparison's figures, as JSON gives them back."""
    found = json.loads(JsonRenderer(NoOptions()).render(compared(results, **options)))["figures"]
    assert isinstance(found, dict)
    return found


def words(found: Report) -> str:
    """Return what the terminal shows."""
    return TerminalRenderer(TerminalOptions(width=80, color="never")).render(found)


def contrast(found: Mapping[str, Any], first: str, second: str) -> dict[str, Any]:
    """Return the contrast of two arms."""
    (one,) = [one for one in found["contrasts"] if (one["first"], one["second"]) == (first, second)]
    assert isinstance(one, dict)
    return one


def names(found: Mapping[str, Any]) -> list[str]:
    """Return the names of the arms, in order."""
    return [arm["name"] for arm in found["arms"]]


def warned(found: Mapping[str, Any], about: str) -> list[str]:
    """Return the warnings that hold some words."""
    return [text for text in found["warnings"] if about in text]


MANY = [f"{n:02d}" for n in range(20)]
"""Ids of twenty tasks, each a cluster of its own."""


def every(tasks: Iterable[str], values: list[Any]) -> dict[str, list[Any]]:
    """Return equal values for each task."""
    return {task: list(values) for task in tasks}


def share(successes: int, trials: int = 1) -> dict[str, list[float]]:
    """Return scores of the twenty tasks, the first of which succeed in every trial."""
    return {task: [float(n < successes)] * trials for n, task in enumerate(MANY)}


class TestByHand:
    """Small cases whose every number can be checked by eye."""

    def test_pair(self) -> None:
        """Three of four tasks differ: 75 points, and 4 of the 16 sign flips are as extreme."""
        found = figures(one_run({"a": every("wxyz", [1.0]), "b": {**every("wxy", [0.0]), "z": [1.0]}}))
        one = contrast(found, "a", "b")
        assert (one["difference"], one["n_tasks"], one["n_clusters"], one["unmatched"]) == (75.0, 4, 4, 0)
        assert (one["p_sign_flip"], one["p"], one["p_holm"], one["told_apart"]) == (0.25, 0.25, 0.25, False)
        assert [arm["mean"]["value"] for arm in found["arms"]] == [1.0, 0.25]
        assert (found["unit"], found["scorer"], found["tests"]["holm_over"]) == ("points", "m@1", 1)

    def test_failed_trials_are_counted_and_not_scored(self) -> None:
        """A task whose only trial failed is unmatched; a failed trial among several leaves the others' mean."""
        found = figures(one_run({"a": {"w": [1.0, None], "x": [None, None], "y": [1.0, 1.0]},
                                 "b": {"w": [0.0, 1.0], "x": [1.0, 1.0], "y": [0.0, 0.0]}}))  # fmt: skip
        one = contrast(found, "a", "b")
        assert (one["difference"], one["n_tasks"], one["unmatched"]) == (75.0, 2, 1)
        counts = {arm["name"]: (arm["counts"]["failed"], arm["scored_trials"]) for arm in found["arms"]}
        assert counts == {"a": (3, 3), "b": (0, 6)}
        assert warned(found, "infrastructure ended have no score: 3 of a.")
        assert warned(found, "1 of 3 tasks lack a value in some arm")

    def test_noise_floor_and_flip_rate(self) -> None:
        """Of two tasks one flips: half of them, and 1.96 sqrt(0.25 + 0) / 2 against an arm that never does."""
        found = figures(one_run({"a": {"w": [1.0, 0.0], "x": [1.0, 1.0]}, "b": {"w": [0.0, 0.0], "x": [1.0, 1.0]}}))
        noise = {arm["name"]: (arm["noise"]["flip_rate"], arm["noise"]["floor"]) for arm in found["arms"]}
        assert noise == {"a": (0.5, pytest.approx(100 * 1.959964 * 0.5**0.5 / 2)), "b": (0.0, 0.0)}
        assert contrast(found, "a", "b")["noise_floor"] == pytest.approx(100 * 1.959964 * 0.25**0.5 / 2)

    def test_single_trials_give_no_noise_floor(self) -> None:
        """With one trial of each task it is said that the floor cannot be had, and what clusters tell instead."""
        found = figures(one_run({"a": share(20), "b": share(10)}))
        assert [arm["noise"]["floor"] for arm in found["arms"]] == [None, None]
        (text,) = warned(found, "noise floor needs several trials of a task (--trials), which no arm has")
        effect = 2.801585 * contrast(found, "a", "b")["standard_error"]
        assert f"a true difference of {effect:.1f} points" in text

    def test_other_figures_keep_their_unit(self) -> None:
        """A figure that is no share is not turned into points."""
        found = figures(one_run({"a": {"w": [7.5], "x": [3.0]}, "b": {"w": [5.0], "x": [0.5]}}))
        assert (found["unit"], contrast(found, "a", "b")["difference"]) == (None, 2.5)

    def test_detectable_is_at_the_strictest_level(self) -> None:
        """With three pairs the level is 0.05 / 3: 2.394 + 0.842 standard errors."""
        found = figures(one_run({"a": share(15), "b": share(10), "c": share(5)}))
        one = contrast(found, "a", "b")
        assert one["detectable"] == pytest.approx((2.393980 + 0.841621) * one["standard_error"], rel=1e-6)

    def test_equal_outcomes_tell_nothing_about_others(self) -> None:
        """Where no task differs, the difference is 0 and p is 1, but nothing is said to be detectable."""
        one = figures(one_run({"a": share(15), "b": share(15)}))["contrasts"][0]
        told = [one[key] for key in ("difference", "low", "high", "p_holm", "detectable")]
        assert told == [0.0, 0.0, 0.0, 1.0, None]


class TestTiers:
    """Who shares a tier."""

    def test_apart_and_not(self) -> None:
        """Arms that differ by one task of twenty share a tier; one that fails everywhere begins the next."""
        found = figures(one_run({"bad": share(0), "good": share(20), "nearly": share(19)}))
        assert found["tiers"] == [["good", "nearly"], ["bad"]]
        assert [(arm["name"], arm["tier"]) for arm in found["arms"]] == [("good", 1), ("nearly", 1), ("bad", 2)]

    def test_significant_within_noise_is_no_tier(self) -> None:
        """A difference that is significant but below the noise floor leaves the arms in one tier, and says so."""
        flips = {task: [float(n % 2), float(n % 2 == 0)] for n, task in enumerate(MANY)}
        ahead = {**flips, **every(MANY[:6], [1.0, 1.0])}
        report = compared(one_run({"ahead": ahead, "flips": flips}))
        one = report.figures["contrasts"][0]
        assert one["p_holm"] < 0.05
        assert (one["difference"], one["told_apart"], report.figures["tiers"]) == (15.0, False, [["ahead", "flips"]])
        assert 15.0 < one["noise_floor"]
        assert "noise" in next(row for row in table(report, "differences").rows if row[0] == "ahead - flips")

    def test_each_is_held_against_its_leader(self) -> None:
        """b is not apart from a, c is apart from a and begins a tier though it is not apart from b; d joins c."""
        apart = {("a", "c"), ("a", "d"), ("b", "d")}
        assert tiers("abcd", pairs_of("abcd", apart)) == (("a", "b"), ("c", "d"))

    def test_only_the_lower_begins_a_tier(self) -> None:
        """An arm that is apart from the leader, but above it on the tasks that both have, joins it."""
        (pair,) = pairs_of("ab", {("a", "b")})
        assert tiers("ab", [evolve(pair, contrast=evolve(pair.contrast, value=-9.0))]) == (("a", "b"),)

    def test_an_arm_that_shares_no_task_has_no_tier(self) -> None:
        """The best mean, over tasks of its own, leads no tier and hides no difference of the others; it is said."""
        first = one_run({"b": every(MANY, [0.9]), "c": every(MANY, [0.1])}, "r-aaa")
        other = {f"other-{task}": [1.0] for task in MANY}
        found = figures(together(first, one_run({"a": other}, "r-bbb")))
        assert [(arm["name"], arm["tier"]) for arm in found["arms"]] == [("a", None), ("b", 1), ("c", 2)]
        assert warned(found, "a: no tier, because no task is shared with the arm that leads it, so no test could tell.")

    def test_an_arm_that_shares_no_task_with_the_leader_has_no_tier(self) -> None:
        """c shares tasks with b alone, which does not lead."""
        pairs = pairs_of("abc", {("b", "c")})
        pairs[1] = evolve(pairs[1], contrast=evolve(pairs[1].contrast, n_tasks=0))
        assert tiers("abc", pairs) == (("a", "b"),)

    @given(st.sets(st.sampled_from([(x, y) for x, y in product("abcde", "abcde") if x < y])))
    def test_every_arm_has_one_tier(self, apart: set[tuple[str, str]]) -> None:
        """Whatever the pairs say, tiers are a partition in the order of means, none of it empty."""
        found = tiers("abcde", pairs_of("abcde", apart))
        assert [name for tier in found for name in tier] == list("abcde")
        for above, below in pairwise(found):
            assert (above[0], below[0]) in apart


def pairs_of(order: str, apart: Iterable[tuple[str, str]]) -> list[Pair]:
    """Return the pairs of one-letter arms; those told apart have an adjusted p of 0.01."""
    apart = set(apart)
    return [
        Pair(
            x,
            y,
            Contrast("", 20.0, 1.0, 30.0, 0.01, 1.0, 9, 9, "percentile", 0.01 if (x, y) in apart else 0.5),
            0.01,
            None,
            0,
            5.0,
            1.0,
        )
        for x, y in product(order, order)
        if x < y
    ]


def brute_force(columns: Mapping[str, Mapping[str, float]], clusters: Mapping[str, str]) -> dict[tuple[str, str], Any]:
    """Return (first, second) -> difference, low, high, p, Holm's p, in points: by index draws and the textbook."""
    found: dict[tuple[str, str], list[Any]] = {}
    for first, second in product(columns, columns):
        shared = sorted(set(columns[first]) & set(columns[second]))
        if first == second or not shared:
            continue
        groups = [[t for t in shared if clusters[t] == name] for name in sorted({clusters[t] for t in shared})]
        apart = {t: 100 * (columns[first][t] - columns[second][t]) for t in shared}
        observed = fmean(apart.values())
        draws = np.random.default_rng(0).integers(0, len(groups), (10_000, len(groups)))
        sums, sizes = np.array([sum(apart[t] for t in g) for g in groups]), np.array([len(g) for g in groups])
        means = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
        p = (1 + np.sum(np.abs(means - observed) >= abs(observed) - 1e-9)) / 10_001
        if len(groups) <= 10:
            flips = np.array(list(product((1, -1), repeat=len(groups)))) @ sums
            p = max(p, np.mean(np.abs(flips) >= abs(sums.sum()) - 1e-9))
        found[first, second] = [observed, *np.quantile(means, (0.025, 0.975)), p]
    half = sorted((pair for pair in found if pair[0] < pair[1]), key=lambda pair: found[pair][3])
    largest = 0.0
    for rank, (first, second) in enumerate(half):
        largest = max(largest, min(1.0, (len(half) - rank) * found[first, second][3]))
        found[first, second].append(largest)
        found[second, first].append(largest)
    return found


class TestBruteForce:
    """Pairing, resampling and correction, computed again without any code of the framework's."""

    @pytest.mark.parametrize("families", [5, 14])
    def test_agrees(self, families: int) -> None:
        """Five arms that lack tasks here and there, in clusters of several sizes, few and many."""
        rng = np.random.default_rng(families)
        tasks = [f"{n:02d}{letter}" for n in range(families) for letter in "abc"[: 1 + n % 3]]
        scores: dict[str, dict[str, list[float | None]]] = {
            f"arm{n}": {t: [float(x < 0.3 + n / 8) for x in rng.random(3)] for t in tasks if rng.random() < 0.9}
            for n in range(5)
        }
        columns = {arm: {t: fmean(x for x in v if x is not None) for t, v in s.items()} for arm, s in scores.items()}
        expected = brute_force(columns, {task: task[:2] for task in tasks})
        found = figures(one_run(scores))
        assert len(found["contrasts"]) == 10
        for one in found["contrasts"]:
            told = [one["difference"], one["low"], one["high"], one["p"], one["p_holm"]]
            assert told == pytest.approx(expected[one["first"], one["second"]], abs=1e-7)
            mine, other = set(columns[one["first"]]), set(columns[one["second"]])
            assert (one["n_tasks"], one["unmatched"]) == (len(mine & other), len(mine ^ other))


OUTCOMES = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=2)
SCORES = st.dictionaries(st.sampled_from(["aax", "aay", "bbx", "ccx", "ddx"]), OUTCOMES, min_size=1)


class TestOrder:
    """Nothing depends on the order in which runs, cells and rows come."""

    @settings(max_examples=25)
    @given(one=SCORES, two=SCORES, three=SCORES, draws=st.randoms(use_true_random=False))
    def test_order_changes_nothing(self, one: Any, two: Any, three: Any, draws: Any) -> None:
        """Figures and document are the same, byte for byte, in whatever order runs and rows are read."""
        named = tasks_named("aax", "aay", "bbx", "ccx", "ddx")
        runs = [one_run({"x": one, "y": two}, "r-aaa", named), one_run({"x": three}, "r-bbb", named)]
        expected = compared(together(*runs))
        shuffled = together(*reversed(runs))
        mixed = {run: draws.sample(list(rows), len(rows)) for run, rows in shuffled.rows_of.items()}
        found = compared(evolve(shuffled, rows_of=mixed))
        assert JsonRenderer(NoOptions()).render(found) == JsonRenderer(NoOptions()).render(expected)
        assert words(found) == words(expected)

    @settings(max_examples=25)
    @given(one=SCORES, two=SCORES)
    def test_swapped_arms_flip_signs(self, one: Any, two: Any) -> None:
        """Where two arms change places, the difference from the baseline and its interval change signs."""
        named = tasks_named("aax", "aay", "bbx", "ccx", "ddx")
        ahead = contrast(figures(one_run({"x": one, "y": two}, tasks=named), baseline="x"), "y", "x")
        behind = contrast(figures(one_run({"x": two, "y": one}, tasks=named), baseline="x"), "y", "x")

        def flipped(value: float | None) -> Any:
            return None if value is None else pytest.approx(-value, abs=1e-9)

        assert ahead["difference"] == flipped(behind["difference"])
        assert (ahead["low"], ahead["high"]) == (flipped(behind["high"]), flipped(behind["low"]))
        assert (ahead["p"], ahead["p_holm"]) == (behind["p"], behind["p_holm"])


def spec(agent: str = "agent-a", user: str = "user-a", **changes: Any) -> RunSpec:
    """Return what a run of one cell was asked."""
    roles = {
        "agent": ComponentSpec(agent, changes.pop("agent_options", {"depth": 1})),
        "user": ComponentSpec(user, changes.pop("user_options", {"patience": 3})),
    }
    plain = RunSpec("fake", "fake-track", (Cell("cell", roles, changes.pop("options", {"size": 8})),))
    return evolve(plain, **changes)


def two_runs(**changes: Any) -> MemoryResults:
    """Return two runs of one cell, the second of which differs by these fields of its RunInfo."""
    first = one_run({"cell": share(20)}, "r-aaa", spec=spec())
    return together(first, one_run({"cell": share(12)}, "r-bbb", **{"spec": spec(), **changes}))


class TestWhatDiffers:
    """Whatever sets arms apart is named."""

    @pytest.mark.parametrize(
        ("changes", "what", "values", "name"),
        [
            ({"spec": spec(user="user-b")}, "user", ["user-a", "user-b"], "cell (user user-b)"),
            ({"spec": spec(user_options={"patience": 9})}, "user.patience", ["3", "9"], "cell (patience 9)"),
            ({"spec": spec(options={"size": 9})}, "track.size", ["8", "9"], "cell (size 9)"),
            ({"spec": spec(options={})}, "track.size", ["8", "absent"], "cell (run bbb)"),
            ({"spec": spec(seed=7)}, "seed", ["0", "7"], "cell (seed 7)"),
            ({"spec": spec(tasks=("b0?",))}, "tasks", ["all", "b0?"], "cell (tasks b0?)"),
            ({"spec": spec(attempts=5)}, "attempts", ["2", "5"], "cell (run bbb)"),
            (
                {"spec": spec(limits=Limits(turns={"agent": 4}))},
                "limits.turns.agent",
                ["4", "absent"],
                "cell (run bbb)",
            ),
            ({"spec": spec(limits=Limits(repairs=1))}, "limits.repairs", ["1", "3"], "cell (run bbb)"),
            ({"spec": spec(judges=(ComponentSpec("strict"),))}, "judges", ["none", "strict"], "cell (judges strict)"),
            ({"spec": spec(plugin="other")}, "plugin", ["fake", "other"], "cell (run bbb)"),
            ({"versions": {"recfw": "0.1"}}, "version of recfw", ["0.0", "0.1"], "cell (run bbb)"),
            ({"content_digest": "d" * 64}, "content digest", ["c" * 64, "d" * 64], "cell (run bbb)"),
            ({"spec_digest": "6" * 64}, "spec digest", ["5" * 64, "6" * 64], "cell (run bbb)"),
        ],
    )
    def test_is_named(self, changes: Any, what: str, values: list[str], name: str) -> None:
        """Each component, option, limit, version and digest that differs is warned of with its values."""
        found = figures(two_runs(**changes))
        assert [(one["what"], one["compared"]) for one in found["differences"]] == [(what, False)]
        assert [one["value"] for one in found["differences"][0]["values"]] == values
        assert warned(found, f"arms differ not only in the agent, but also in: {what}.")
        assert name in names(found)

    def test_agent_is_what_is_compared(self) -> None:
        """Another agent, or another option of it, is named but not warned of; another agent's options are its own."""
        other = figures(two_runs(spec=spec(agent="agent-b", agent_options={"width": 2})))
        assert [(one["what"], one["compared"]) for one in other["differences"]] == [("agent", True)]
        assert names(other) == ["cell (agent agent-a)", "cell (agent agent-b)"]
        option = figures(two_runs(spec=spec(agent_options={"depth": 2})))
        assert [(one["what"], one["compared"]) for one in option["differences"]] == [("agent.depth", True)]
        assert warned(other, "differ not only") == warned(option, "differ not only") == []

    def test_role_under_evaluation_is_told_by_a_setting(self) -> None:
        """A track that evaluates its user is compared by users, and then agents are what is warned of."""
        found = figures(evolve(two_runs(spec=spec(agent="agent-b")), given={"evaluated": "user"}))
        assert warned(found, "arms differ not only in the user, but also in: agent.")

    def test_versions_of_components_that_one_run_lacks_are_no_difference(self) -> None:
        """A component that only one run uses has no other version to differ from."""
        versions = {"recfw": "0.0", "agent agent-b": "2"}
        assert figures(two_runs(versions=versions))["differences"] == []

    def test_alike_runs_are_told_apart_by_id(self) -> None:
        """Runs that differ in nothing are named by the end of their id, or by all of it where ends are equal."""
        assert names(figures(two_runs())) == ["cell (run aaa)", "cell (run bbb)"]
        runs = [one_run({"cell": share(9), "alone": share(3)}, "x-a"), one_run({"cell": share(5)}, "y-a")]
        assert names(figures(together(*runs))) == ["cell (run x-a)", "cell (run y-a)", "alone"]

    def test_a_cell_may_have_the_name_that_another_is_given(self) -> None:
        """Names stay unique even where a cell is called as another arm would be."""
        runs = [
            one_run({"c": share(3), "c (run bbb)": share(2)}, "r-aaa"),
            one_run({"c": share(1)}, "r-bbb"),
        ]
        assert sorted(names(figures(together(*runs)))) == ["c (run bbb) (run r-aaa)", "c (run r-aaa)", "c (run r-bbb)"]

    def test_document_shows_values(self) -> None:
        """The table names value and arms, digests shortened."""
        rows = table(compared(two_runs(content_digest="d" * 64)), "what sets the arms apart").rows
        assert rows == (("content digest", "c" * 12, "cell (run aaa)"), ("", "d" * 12, "cell (run bbb)"))


class TestTasks:
    """Which tasks are matched."""

    def test_same_id_other_content_is_not_matched(self) -> None:
        """A task whose content differs is left out of the pair, counted and named."""
        named = tasks_named("aax", "bbx", "ccx")
        changed = [evolve(named[0], private={"goal": 1}), *named[1:]]
        scores = {task.id: [1.0] for task in named}
        runs = [one_run({"c": scores}, "r-aaa", named), one_run({"c": {**scores, "aax": [0.0]}}, "r-bbb", changed)]
        found = figures(together(*runs))
        assert found["tasks"] == {"any_arm": 4, "all_arms_with_a_value": 2, "clusters": 3, "other_content": ["aax"]}
        one = found["contrasts"][0]
        assert (one["difference"], one["n_tasks"], one["unmatched"]) == (0.0, 2, 2)
        assert warned(found, "1 task differs in content between runs and is not matched: aax.")

    def test_no_shared_task_is_refused(self) -> None:
        """Runs of other tasks altogether cannot be compared."""
        with pytest.raises(UsageError, match=r"no two arms have a task in common"):
            compared(together(one_run({"a": {"w": [1.0]}}, "r-aaa"), one_run({"a": {"x": [1.0]}}, "r-bbb")))

    def test_selected_tasks(self) -> None:
        """Patterns select tasks as they do for a run, and one that names none is refused."""
        runs = one_run(
            {"a": {"aax": [1.0], "aay": [1.0], "bbx": [0.0]}, "b": {"aax": [0.0], "aay": [0.0], "bbx": [0.0]}}
        )
        assert figures(evolve(runs, given={"tasks": ["side=x"]}))["contrasts"][0]["difference"] == 50.0
        assert figures(evolve(runs, given={"tasks": ["aa*"]}))["contrasts"][0]["difference"] == 100.0
        with pytest.raises(UsageError, match="no task 'zz"):
            compared(evolve(runs, given={"tasks": ["zz*"]}))

    def test_pattern_that_only_one_run_has(self) -> None:
        """A pattern may name tasks of one of the runs alone; the others have none of them."""
        first, second = one_run({"a": {"aax": [1.0], "bbx": [1.0]}}, "r-aaa"), one_run({"a": {"aax": [0.0]}}, "r-bbb")
        found = figures(together(first, second, tasks=["aax", "bb*"]))
        assert (found["contrasts"][0]["n_tasks"], found["contrasts"][0]["unmatched"]) == (1, 1)

    def test_missing_trials_are_said(self) -> None:
        """A run that is not finished is named by its arms, since its id is no figure, with what it lacks."""
        part = one_run(
            {"a": {"aax": [1.0]}, "b": {"aax": [1.0]}}, tasks=tasks_named("aax", "bbx"), status="interrupted"
        )
        assert warned(figures(part), "the run of a, b lacks 2 of 4 trials. `recfw run --resume RUN` plays them.")


class TestRefused:
    """What cannot be compared is refused with a next step."""

    def test_single_arm(self) -> None:
        """One run of one cell leaves nothing to compare."""
        with pytest.raises(UsageError, match=r"run r-aaa has a single cell.*recfw compare r-aaa RUN"):
            compared(one_run({"a": share(1)}))

    def test_no_run(self) -> None:
        """Nor does no run."""
        with pytest.raises(UsageError, match="no run was named"):
            compared(together())

    def test_other_track(self) -> None:
        """Runs of two tracks are named with them."""
        other = RunSpec("fake", "other-track", (Cell("a", {}),))
        with pytest.raises(UsageError, match=r"'fake-track': r-aaa; 'other-track': r-bbb"):
            compared(together(one_run({"a": share(1)}), one_run({"a": share(1)}, "r-bbb", spec=other)))

    def test_other_scorer(self) -> None:
        """A figure that another scorer gave is not compared; both are named."""
        runs = together(one_run({"a": share(1)}), one_run({"a": share(1)}, "r-bbb", scorer="m@2"))
        with pytest.raises(UsageError, match=r"m@1: a \(run aaa\); m@2: a \(run bbb\).*--figure"):
            compared(runs)

    def test_partly_scored_anew(self) -> None:
        """Nor is an arm whose trials were scored by two."""
        runs = one_run({"a": share(1), "b": share(1)})
        rows = [evolve(row, scorers={"success": "m@2"}) if row.task == "03" else row for row in runs.rows_of["r-aaa"]]
        with pytest.raises(UsageError, match="different scorers"):
            compared(evolve(runs, rows_of={"r-aaa": rows}))

    def test_unknown_figure(self) -> None:
        """A figure that no trial has is refused."""
        with pytest.raises(UsageError, match=r"no figure 'succes'.*Did you mean 'success'"):
            compared(one_run({"a": share(1), "b": share(1)}), figure="succes")

    def test_no_score_at_all(self) -> None:
        """Where every trial failed, it is said that there is nothing to compare."""
        found = compared(one_run({"a": {"w": [None]}, "b": {"w": [None]}}))
        assert (found.figures["figure"], found.figures["tiers"]) == (None, [])
        assert "nothing to compare, because no completed trial has a score" in words(found).replace("\n", " ")

    def test_arm_without_a_score_has_no_tier(self) -> None:
        """An arm whose trials all failed is shown last, in no tier, and its pairs have no test."""
        found = figures(one_run({"a": every(MANY, [None]), "b": share(3), "c": share(20)}))
        assert [(arm["name"], arm["tier"]) for arm in found["arms"]] == [("c", 1), ("b", 2), ("a", None)]
        assert (contrast(found, "c", "a")["p_holm"], contrast(found, "c", "a")["n_tasks"]) == (None, 0)

    @pytest.mark.parametrize(("scores", "alone"), [({"w": [1.0]}, 1.0), ({"w": [1.0], "x": [1.0]}, 0.5)])
    def test_too_few_clusters(self, scores: Any, alone: float) -> None:
        """With one or two clusters nothing is told apart, however large the difference."""
        found = figures(one_run({"a": scores, "b": {task: [0.0] for task in scores}}))
        assert found["contrasts"][0]["p_sign_flip"] == alone
        assert found["tiers"] == [["a", "b"]]
        assert warned(found, f"so few clusters the smallest adjusted p is {alone:g}.")

    def test_enough_clusters(self) -> None:
        """With six clusters two arms can be told apart, and nothing is said of too few; with five it is."""
        told = []
        for number in (5, 6):
            found = figures(one_run({"a": every(MANY[:number], [1.0]), "b": every(MANY[:number], [0.0])}))
            told.append((len(found["tiers"]), len(warned(found, "so few clusters"))))
        assert told == [(1, 1), (2, 0)]


class TestBaseline:
    """One arm that the others are held against."""

    RUNS = together(one_run({"a": share(20), "b": share(9)}), one_run({"c": share(12)}, "r-bbb"))

    @pytest.mark.parametrize("said", ["b", "r-aaa:b", "r-a:b"])
    def test_is_subtracted(self, said: str) -> None:
        """Named by itself or by its run and cell, it is the second of each pair that it is in."""
        report = compared(self.RUNS, baseline=said)
        found = report.figures
        assert found["baseline"] == "b"
        pairs = {(p["first"], p["second"]): round(p["difference"], 9) for p in found["contrasts"]}
        assert pairs == {("a", "c"): 40.0, ("a", "b"): 55.0, ("c", "b"): 15.0}
        assert [row[0] for row in table(report, "differences").rows] == ["a - b", "c - b"]

    def test_lower_arm_comes_first_too(self) -> None:
        """Against the best arm, differences are negative, and their intervals are turned with them."""
        found = figures(self.RUNS, baseline="a")
        one, plain = contrast(found, "b", "a"), contrast(figures(self.RUNS), "a", "b")
        assert (one["difference"], one["low"], one["high"]) == tuple(
            -plain[end] for end in ("difference", "high", "low")
        )
        assert round(one["difference"], 9) == -55.0
        assert found["tiers"] == figures(self.RUNS)["tiers"]

    def test_run_of_one_cell(self) -> None:
        """A run alone names its only cell."""
        assert figures(self.RUNS, baseline="r-bbb")["baseline"] == "c"

    @pytest.mark.parametrize(
        ("said", "told"), [("r-aaa", "means 2 arms: a, b"), ("x", "no arm 'x' (arms: a, b, c)"), (":a", "no arm ':a'")]
    )
    def test_unclear(self, said: str, told: str) -> None:
        """A name of no arm, or of several, is refused with their names."""
        with pytest.raises(UsageError) as raised:
            compared(self.RUNS, baseline=said)
        assert told in str(raised.value)


def table(found: Report, caption: str) -> Table:
    """Return the table whose caption begins so."""
    (one,) = [b for b in found.document.blocks if isinstance(b, Table) and b.caption.startswith(caption)]
    return one


class TestDocument:
    """What people see."""

    def test_plot_repeats_the_table_of_pairs(self) -> None:
        """The plot holds the differences shown, with their intervals."""
        found = compared(one_run({"a": share(20), "b": share(9), "c": share(10)}))
        (plot,) = [block for block in found.document.blocks if isinstance(block, Plot)]
        (series,) = plot.series
        one = contrast(found.figures, "a", "b")
        assert series.x == ("a - c", "a - b", "c - b")
        assert (series.y[1], series.low[1], series.high[1]) == (one["difference"], one["low"], one["high"])
        assert plot.repeats

    def test_warnings_stand_before_figures(self) -> None:
        """Every warning is a note above the first table."""
        found = compared(two_runs(spec=spec(user="user-b")))
        kinds = [type(block) for block in found.document.blocks]
        notes = [block.text for block in found.document.blocks[: kinds.index(Table)] if isinstance(block, Note)]
        assert notes == [f"Careful: {text}" for text in found.figures["warnings"]] != []

    def test_fits_80_columns(self) -> None:
        """No line is wider than the terminal, long names included."""
        long = "a-very-long-name-of-a-model/with-a-provider:and-a-date-2026-11-30"
        text = words(compared(one_run({long: share(20), f"{long}-b": share(9, 2)})))
        assert max(map(len, text.splitlines())) <= 80

    def test_many_arms_show_what_decided_the_tiers(self) -> None:
        """Of more than ten pairs, one is shown for each arm but the first, unless all are asked for."""
        runs = one_run({f"arm{n}": share(20 - 2 * n) for n in range(6)})
        assert [len(table(compared(runs, **o), "differences").rows) for o in ({}, {"all_pairs": True})] == [5, 15]
        assert "5 of 15 pairs: those that decide the tiers" in table(compared(runs), "differences").caption
        assert len(figures(runs)["contrasts"]) == 15


@pytest.mark.parametrize(
    ("arms", "pairs", "resamples", "seconds"),
    [(30, 435, 13_050, 10), pytest.param(50, 1225, 36_750, 20, marks=pytest.mark.slow)],
)
def test_many_arms_are_quick(arms: int, pairs: int, resamples: int, seconds: float) -> None:
    """Hundreds of pairs on 300 tasks take seconds, and enough resamples that the smallest p survives correction."""
    rng = np.random.default_rng(1)
    every = [f"{n:02d}{letter}" for n in range(50) for letter in "abcdef"]
    scores: Any = {
        f"arm{n:02d}": {task: [float(x < n / arms)] for task, x in zip(every, rng.random(300), strict=True)}
        for n in range(arms)
    }
    runs, started = one_run(scores), time.process_time()
    found = compared(runs).figures
    assert time.process_time() - started < seconds
    assert (len(found["contrasts"]), found["intervals"]["n_resamples"]) == (pairs, resamples)
    assert min(one["p_holm"] for one in found["contrasts"]) < 0.05
    assert len(found["tiers"]) > 2


class TestContract(AnalysisContract):
    """What every analysis must do."""

    component = Compare

    def results(self) -> list[MemoryResults]:
        """A whole run, one with lost trials, and an empty one."""
        lost: Scores = {"a": {"w": [1.0], "x": [None]}, "b": {"w": [0.0], "x": [1.0]}}
        empty = memory_run([], tasks_named("w"), ["a", "b"])
        return [one_run({"a": share(3), "b": share(9)}), one_run(lost), empty]
