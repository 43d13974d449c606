"""
Every figure of `books-paper` against plain loops over the same trials, written from the specification.

Nothing here imports the analysis' own parts or recfw.stats: pass^k counts subsets of trials, sign flips are enumerated,
the bootstrap draws families with a generator and seed of its own and is compared within its Monte-Carlo error.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from statistics import mean, median
from typing import Any

import numpy as np
import pytest

from recfw_books.analysis.books_paper import BooksPaper

Trial = Mapping[str, Any]
Keep = Callable[[Trial], bool]

RESAMPLES = 20_000
LOOSE = 1.2
"""Points by which two bootstraps of 10,000 and 20,000 resamples may put an interval's end apart here."""


@pytest.fixture(scope="module")
def figures(random_experiment: Any) -> Mapping[str, Any]:
    """Return the analysis' figures of the random experiment."""
    found: Mapping[str, Any] = BooksPaper().report(random_experiment.results).figures
    return found


class Brute:
    """The trials, and plain means over them."""

    def __init__(self, random: Any) -> None:
        self.tasks = random.tasks
        self.trials = random.trials
        self.panel = {name for name, task in self.tasks.items() if task.facets["panel"] == "yes"}

    def facet(self, task: str, name: str) -> str:
        """Return a task's facet."""
        return str(self.tasks[task].facets[name])

    def pick(self, **factors: Any) -> list[Trial]:
        """Return the panel's trials with these factors; base prompt, rule-based user and all books without others."""
        wanted = {"size": 0, "prompt": "base", "user": "rules", **factors}
        return [t for t in self.trials if t["task"] in self.panel and all(t[name] == v for name, v in wanted.items())]

    def by_task(self, trials: Sequence[Trial], figure: str = "success") -> dict[str, list[float]]:
        """Return task -> values."""
        found: dict[str, list[float]] = defaultdict(list)
        for trial in trials:
            if trial[figure] is not None:
                found[trial["task"]].append(trial[figure])
        return found

    def means(self, figure: str = "success", keep: Keep = lambda _: True, **factors: Any) -> dict[str, float]:
        """Return task -> mean."""
        return {t: mean(v) for t, v in self.by_task([x for x in self.pick(**factors) if keep(x)], figure).items()}

    def clusters(self, unit: str) -> tuple[str, str]:
        """Return the family and the template of a task or a family."""
        if unit in self.tasks:
            return self.tasks[unit].cluster, self.facet(unit, "template")
        return unit, next(task.facets["template"] for task in self.tasks.values() if task.cluster == unit)


@pytest.fixture(scope="module")
def brute(random_experiment: Any) -> Brute:
    """Return the trials to loop over."""
    return Brute(random_experiment)


def minus(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Return differences on what both have."""
    return {name: first[name] - second[name] for name in first if name in second}


def averaged(columns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return means over the columns of what all have."""
    return {name: mean(c[name] for c in columns) for name in columns[0] if all(name in c for c in columns)}


def interface(brute: Brute, agent: str, keep: Keep = lambda _: True, **factors: Any) -> dict[str, float]:
    """Return structured minus keyword."""
    sides = [brute.means(agent=agent, interface=i, keep=keep, **factors) for i in ("structured", "keyword")]
    return minus(*sides)


def gap(brute: Brute, condition: str, *, satisfiable: bool) -> dict[str, float]:
    """Return a condition minus volunteer by family, averaged over agents and interfaces."""
    columns = []
    for agent, search in product(("m1", "m2"), ("structured", "keyword")):
        values = brute.means(agent=agent, interface=search)
        sides: list[dict[str, float]] = [{}, {}]
        for task, value in values.items():
            if satisfiable and brute.facet(task, "nvr") == "yes":
                continue
            for side, name in zip(sides, (condition, "volunteer"), strict=True):
                if brute.facet(task, "condition") == name:
                    side[brute.tasks[task].cluster] = value
        columns.append(minus(*sides))
    return averaged(columns)


def scale(brute: Brute, agent: str, search: str) -> dict[str, float]:
    """Return 5,000 books minus all of one agent."""
    return minus(*(brute.means(agent=agent, interface=search, size=size) for size in (5000, 0)))


def expected(brute: Brute) -> dict[str, dict[str, float]]:
    """Return test -> differences, of the tests that the experiment allows."""
    both = ("m1", "m2")
    scales = {search: {a: scale(brute, a, search) for a in both} for search in ("structured", "keyword")}
    return {
        "interface": averaged([interface(brute, agent) for agent in both]),
        **{f"interface of {agent}": interface(brute, agent) for agent in both},
        "mixed gap": gap(brute, "mixed", satisfiable=False),
        "hidden gap": gap(brute, "hidden", satisfiable=True),
        **{f"scale on {search}": averaged(list(each.values())) for search, each in scales.items()},
        "interface x scale": averaged([minus(scales["structured"][a], scales["keyword"][a]) for a in both]),
        "user voice": minus(
            brute.means(agent="m1", interface="structured", user="voice"),
            brute.means(agent="m1", interface="structured"),
        ),
    }


def resampled(brute: Brute, differences: Mapping[str, float], seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return means over tasks, families drawn again."""
    sums: dict[str, list[float]] = defaultdict(list)
    for unit, value in differences.items():
        sums[brute.clusters(unit)[0]].append(value)
    totals = np.array([[sum(values), len(values)] for _, values in sorted(sums.items())])
    drawn = np.random.default_rng(seed).integers(0, len(totals), (RESAMPLES, len(totals)))
    picked = totals[drawn].sum(axis=1)
    found: np.ndarray[Any, np.dtype[np.float64]] = 100 * picked[:, 0] / picked[:, 1]
    return found


def flips(brute: Brute, differences: Mapping[str, float]) -> float:
    """Return the exact two-sided p value over all assignments of signs to templates."""
    sums: dict[str, float] = defaultdict(float)
    for unit, value in differences.items():
        sums[brute.clusters(unit)[1]] += value
    values = list(sums.values())
    observed = abs(sum(values))
    signs = list(product((1, -1), repeat=len(values)))
    return sum(abs(sum(s * v for s, v in zip(sign, values, strict=True))) >= observed - 1e-9 for sign in signs) / len(
        signs
    )


def by_key(figures: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the tests by key."""
    return {one["key"]: one for one in figures["tests"]}


def test_the_set_of_tests_is_the_one_that_the_runs_allow(figures: Mapping[str, Any], brute: Brute) -> None:
    """Two agents and one voiced user: nine tests run, and the second user is listed with what is missing."""
    tests = by_key(figures)
    assert {key for key, one in tests.items() if "difference" in one} == set(expected(brute))
    lacking = {key: one["not_in_these_runs"] for key, one in tests.items() if "difference" not in one}
    assert lacking == {"user 2": "no further user that a model voices (--user NAME)"}
    assert [key for key, one in tests.items() if not one["corrected"]] == ["interface"]
    assert figures["holm_over"] == 8


def test_differences_and_flips_are_exact(figures: Mapping[str, Any], brute: Brute) -> None:
    """The mean difference in points, what it is over, and the sign-flip p value of every test."""
    for key, differences in expected(brute).items():
        one = by_key(figures)[key]
        assert one["difference"] == pytest.approx(100 * mean(differences.values())), key
        assert one["n_tasks"] == len(differences), key
        assert one["n_families"] == len({brute.clusters(unit)[0] for unit in differences}), key
        assert one["templates"]["p"] == pytest.approx(flips(brute, differences)), key
        assert one["templates"]["exact"], key


def test_intervals_and_p_values_are_those_of_another_bootstrap(figures: Mapping[str, Any], brute: Brute) -> None:
    """Within Monte-Carlo error; p = (1 + count) / (1 + B), of draws at least as far from the mean as zero is."""
    for number, (key, differences) in enumerate(expected(brute).items()):
        one, draws = by_key(figures)[key], resampled(brute, differences, 100 + number)
        observed = 100 * mean(differences.values())
        p = (1 + int(np.sum(np.abs(draws - observed) >= abs(observed) - 1e-9))) / (1 + RESAMPLES)
        assert (one["low"], one["high"]) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))), abs=LOOSE), key
        assert one["p"] == pytest.approx(p, abs=0.02), key
        assert one["standard_error"] == pytest.approx(draws.std(), rel=0.05), key
        assert one["detectable"] == pytest.approx(2.8016 * one["standard_error"], rel=1e-4), key


def test_holm_by_hand(figures: Mapping[str, Any]) -> None:
    """The smallest p times 8, the next times 7 …, never below the one before, never above 1."""
    tested = [one for one in figures["tests"] if one["corrected"] and "difference" in one]
    running = 0.0
    for rank, one in enumerate(sorted(tested, key=lambda one: one["p"])):
        running = max(running, min(1.0, (8 - rank) * one["p"]))
        assert one["p_holm"] == pytest.approx(running)
    assert by_key(figures)["interface"]["p_holm"] is None


def test_the_interface_without_overflow_and_budget_endings(figures: Mapping[str, Any], brute: Brute) -> None:
    """Both sides lose the trials that ended so, and tasks that then have none are left out."""

    def keep(trial: Trial) -> bool:
        return trial["stop"] not in {"context_overflow", "agent_call_limit"}

    each = {agent: interface(brute, agent, keep) for agent in ("m1", "m2")}
    told = {"interface": averaged(list(each.values())), **{f"interface of {a}": one for a, one in each.items()}}
    for key, differences in told.items():
        kept = by_key(figures)[key]["without_overflow_and_budget"]
        assert kept["difference"] == pytest.approx(100 * mean(differences.values()))
        assert kept["templates"]["p"] == pytest.approx(flips(brute, differences))
        assert kept["difference"] != pytest.approx(by_key(figures)[key]["difference"])


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_pass_k_counts_subsets_of_trials(figures: Mapping[str, Any], brute: Brute, k: int) -> None:
    """The share of k-subsets of a task's trials that all succeed, averaged over tasks with at least k trials."""
    for agent, search in product(("m1", "m2", "popularity"), ("structured", "keyword")):
        found = figures["tables"][f"{agent} {search}"]["pass_k"]
        for kind, condition in product(("satisfiable", "nvr"), ("volunteer", "mixed", "hidden")):
            values, short = [], 0
            wanted = {
                task
                for task in brute.panel
                if (brute.facet(task, "condition"), brute.facet(task, "nvr"))
                == (condition, "yes" if kind == "nvr" else "no")
            }
            scored = brute.by_task(brute.pick(agent=agent, interface=search))
            for task in wanted:
                subsets = list(combinations(scored[task], k))
                short += not subsets
                if subsets:
                    values.append(mean(float(all(subset)) for subset in subsets))
            assert found[kind][condition][str(k)]["value"] == pytest.approx(mean(values))
            assert found[kind][condition][str(k)]["tasks_left_out"] == short


def test_tiers_and_the_average_over_rows(figures: Mapping[str, Any], brute: Brute) -> None:
    """pass^1 of satisfiable tasks by tier; the average is over the four rows of the agents of the tests."""
    for tier, condition in product(("simple", "medium", "complex"), ("volunteer", "mixed", "hidden")):
        rows = []
        for agent, search in product(("m1", "m2"), ("structured", "keyword")):
            values = [
                value
                for task, value in brute.means(agent=agent, interface=search).items()
                if (brute.facet(task, "tier"), brute.facet(task, "condition"), brute.facet(task, "nvr"))
                == (tier, condition, "no")
            ]
            rows.append(mean(values))
            assert figures["tables"][f"{agent} {search}"]["tiers"][tier][condition]["1"]["value"] == pytest.approx(
                rows[-1]
            )
        assert figures["average"]["tiers"][tier][condition]["1"]["value"] == pytest.approx(mean(rows))


def test_elicitation(figures: Mapping[str, Any], brute: Brute) -> None:
    """Of mixed trials: all elicited, nothing elicited, success with and without everything, as means over tasks."""
    for agent, search in product(("m1", "m2"), ("structured", "keyword")):
        found = figures["tables"][f"{agent} {search}"]["elicitation"]
        mixed = [t for t in brute.pick(agent=agent, interface=search) if brute.facet(t["task"], "condition") == "mixed"]
        parts = {"if_everything": [t for t in mixed if t["elicited_share"] == 1],
                 "if_not_everything": [t for t in mixed if t["elicited_share"] != 1]}  # fmt: skip
        for name, share in (("everything", 1), ("nothing", 0)):
            by_task: dict[str, list[float]] = defaultdict(list)
            for trial in mixed:
                by_task[trial["task"]].append(float(trial["elicited_share"] == share))
            assert found[f"elicited_{name}"]["value"] == pytest.approx(mean(map(mean, by_task.values())))
        for name, trials in parts.items():
            assert found[f"success_{name}"]["value"] == pytest.approx(mean(map(mean, brute.by_task(trials).values())))


def test_success_within_r_rejections(figures: Mapping[str, Any], brute: Brute) -> None:
    """Hidden satisfiable trials that succeed with at most r rejections, by setting and pooled over interfaces."""
    for agent, r in product(("m1", "m2"), range(6)):
        columns = []
        for search in ("structured", "keyword"):
            by_task: dict[str, list[float]] = defaultdict(list)
            for t in brute.pick(agent=agent, interface=search):
                if (brute.facet(t["task"], "condition"), brute.facet(t["task"], "nvr")) == ("hidden", "no"):
                    by_task[t["task"]].append(float(bool(t["success"]) and t["rejections_to_success"] <= r))
            columns.append({task: mean(values) for task, values in by_task.items()})
            found = figures["tables"][f"{agent} {search}"]["within_rejections"]["panel"][str(r)]["value"]
            assert found == pytest.approx(mean(columns[-1].values()))
        pooled = figures["agents"][agent]["within_rejections"]["panel"][str(r)]["value"]
        assert pooled == pytest.approx(mean(averaged(columns).values()))


CAPS = {"agent_turn_limit": "turn_cap", "context_overflow": "context", "agent_call_limit": "tool_cap"}
CHECKED = {
    "one_recommendation": "second_recommendation",
    "not_from_history": "from_history",
    "formats_checked": "formats_unchecked",
}


def mode(brute: Brute, trial: Trial) -> str:
    """Return a failed trial's mode: the first of all those that apply, as the page on them lists them."""
    mixed, nvr = (brute.facet(trial["task"], name) for name in ("condition", "nvr"))
    elicits = mixed == "mixed"
    applying = [
        (trial["stop"] in CAPS, CAPS.get(trial["stop"], "")),
        *((bool(trial["correct_ending"]) and trial[check] == 0, words) for check, words in CHECKED.items()),
        (trial["stop"] == "abstained", "abstained"),
        (nvr == "yes", "recommended_on_nvr"),
        (
            elicits and trial["fields_unasked"] and not trial["fields_asked"] and not trial["fields_missed"],
            "asked_nothing",
        ),
        (elicits and trial["fields_unasked"], "never_asked"),
        (elicits and trial["fields_missed"], "missed"),
        (elicits and trial["fields_untold"], "untold"),
        (trial["proposed_before_commit"] == 0, "untested"),
        (True, "rejected"),
    ]
    return next(words for applies, words in applying if applies)


def test_failure_modes_and_commitments(figures: Mapping[str, Any], brute: Brute) -> None:
    """Counts of every mode by agent over both interfaces, and of what was committed to in failed hidden trials."""
    for group in figures["failures"]:
        for agent in ("m1", "m2"):
            counts: dict[str, int] = defaultdict(int)
            scored = 0
            for search in ("structured", "keyword"):
                for t in brute.pick(agent=agent, interface=search):
                    nvr = "nvr" if brute.facet(t["task"], "nvr") == "yes" else "satisfiable"
                    if (brute.facet(t["task"], "condition"), nvr) == (group["condition"], group["kind"]):
                        scored += 1
                        if not t["success"]:
                            counts[mode(brute, t)] += 1
            found = group["agents"][agent]
            assert (found["modes"], found["scored"], found["failed"]) == (counts, scored, sum(counts.values()))
            assert list(found["modes"]) == [name for name in figures["failure_modes"] if counts[name]]
    for agent in ("m1", "m2"):
        trials = [t for search in ("structured", "keyword") for t in brute.pick(agent=agent, interface=search)]
        hidden = [
            t
            for t in trials
            if not t["success"]
            and (brute.facet(t["task"], "condition"), brute.facet(t["task"], "nvr")) == ("hidden", "no")
        ]
        untested = [t for t in hidden if t["proposed_before_commit"] == 0]
        books = [t for t in trials if t["returned_by_search"] is not None]
        unseen = [t for t in books if not t["returned_by_search"]]
        assert figures["commitments"][agent] == {
            "failures": len(hidden),
            "untested": len(untested),
            "before_proposal": sum(t["proposals"] == 0 for t in untested),
            "after_decline": sum(t["fields_declined"] > 0 for t in untested),
            "named": sum(t["named_untagged"] > 0 for t in hidden),
            "recommended": len(books),
            "unreturned": len(unseen),
            "unreturned_solved": sum(t["success"] for t in unseen),
            "leaks": 0,
        }


def test_pairs_of_settings(figures: Mapping[str, Any], brute: Brute) -> None:
    """All fifteen pairs of six settings; separated where the interval excludes zero."""
    means = {
        f"{agent} {search}": brute.means(agent=agent, interface=search)
        for agent, search in product(("m1", "m2", "popularity"), ("structured", "keyword"))
    }
    pairs = figures["pairs"]
    assert pairs["order"] == sorted(means, key=lambda name: -mean(means[name].values()))
    assert (len(pairs["pairs"]), pairs["of"]) == (15, 15)
    for number, one in enumerate(pairs["pairs"]):
        differences = minus(means[one["first"]], means[one["second"]])
        low, high = np.quantile(resampled(brute, differences, 300 + number), (0.025, 0.975))
        assert one["difference"] == pytest.approx(100 * mean(differences.values()))
        assert (one["low"], one["high"]) == pytest.approx((low, high), abs=LOOSE)
        assert one["separated"] == (one["low"] > 0 or one["high"] < 0)
        hidden = [
            value
            for task, value in differences.items()
            if (brute.facet(task, "condition"), brute.facet(task, "nvr")) == ("hidden", "no")
        ]
        assert (one["hidden"]["difference"], one["hidden"]["n_tasks"]) == (
            pytest.approx(100 * mean(hidden)),
            len(hidden),
        )
    assert pairs["separated"] == sum(one["separated"] for one in pairs["pairs"])
    assert pairs["detectable"] == pytest.approx(
        median(2.8016 * one["standard_error"] for one in pairs["pairs"]), rel=1e-4
    )


def test_prompts_on_the_reliability_block(figures: Mapping[str, Any], brute: Brute) -> None:
    """Hidden satisfiable success of each prompt on structured search."""
    for agent, prompt in product(("m1", "m2"), ("base", "protocol")):
        values = [
            value
            for task, value in brute.means(agent=agent, interface="structured", prompt=prompt).items()
            if (brute.facet(task, "condition"), brute.facet(task, "nvr"), brute.facet(task, "reliability"))
            == ("hidden", "no", "yes")
        ]
        assert figures["agents"][agent]["hidden_by_prompt"][prompt]["value"] == pytest.approx(mean(values))


def test_exposure(figures: Mapping[str, Any], brute: Brute) -> None:
    """Share in the most popular tenth, and the Gini coefficient as half the mean absolute difference over the mean."""
    ranks = [t["exposure_rank"] for t in brute.pick(agent="m1", interface="keyword") if t["exposure_rank"]]
    often = [ranks.count(rank) for rank in set(ranks)]
    found = figures["tables"]["m1 keyword"]["exposure"]
    assert (found["recommendations"], found["distinct"]) == (len(ranks), len(often))
    assert found["top_decile"] == pytest.approx(sum(rank <= 20 for rank in ranks) / len(ranks))
    assert found["gini"] == pytest.approx(mean(abs(a - b) for a in often for b in often) / (2 * mean(often)))
    assert found["median_rank"] == median(ranks)


def test_the_reliability_block(figures: Mapping[str, Any], brute: Brute) -> None:
    """pass^1 of its satisfiable tasks, over the eight trials that two runs add up to."""
    for agent, search in product(("m1", "m2", "popularity"), ("structured", "keyword")):
        for condition in ("volunteer", "mixed", "hidden"):
            values = {
                task: value
                for task, value in brute.means(agent=agent, interface=search).items()
                if (brute.facet(task, "condition"), brute.facet(task, "nvr"), brute.facet(task, "reliability"))
                == (condition, "no", "yes")
            }
            found = figures["tables"][f"{agent} {search}"]["reliability_block"][condition]
            assert (found["value"], found["n_tasks"]) == (pytest.approx(mean(values.values())), len(values))
            assert max(len(v) for v in brute.by_task(brute.pick(agent=agent, interface=search)).values()) == 8


def test_exploratory_differences(figures: Mapping[str, Any], brute: Brute) -> None:
    """The interface by condition, and the protocol prompt against the base one on structured search."""
    found = {one["name"]: one for one in figures["exploratory"]}
    whole = averaged([interface(brute, agent) for agent in ("m1", "m2")])
    expected: dict[str, dict[str, float]] = {
        f"structured - keyword, {name}": {t: d for t, d in whole.items() if brute.facet(t, "condition") == name}
        for name in ("volunteer", "mixed", "hidden")
    }
    each = [
        minus(*(brute.means(agent=agent, interface="structured", prompt=prompt) for prompt in ("protocol", "base")))
        for agent in ("m1", "m2")
    ]
    for name in ("mixed", "hidden"):
        expected[f"protocol - base, {name} (satisfiable)"] = {
            task: value
            for task, value in averaged(each).items()
            if (brute.facet(task, "condition"), brute.facet(task, "nvr")) == (name, "no")
        }
    assert set(found) == set(expected)
    for name, differences in expected.items():
        assert found[name]["difference"] == pytest.approx(100 * mean(differences.values())), name
        assert found[name]["p_holm"] is None


def test_figure_2_pools_interfaces_but_for_scripts(figures: Mapping[str, Any], brute: Brute) -> None:
    """Agents over both interfaces, the scripted agent on structured search alone, as in the paper."""
    for agent, searches in (("m1", ("structured", "keyword")), ("popularity", ("structured",))):
        column = averaged([brute.means(agent=agent, interface=search) for search in searches])
        for kind, condition in product(("satisfiable", "nvr"), ("volunteer", "mixed", "hidden")):
            wanted = (condition, "yes" if kind == "nvr" else "no")
            values = [v for t, v in column.items() if (brute.facet(t, "condition"), brute.facet(t, "nvr")) == wanted]
            found = figures["agents"][agent]["pooled_pass_1"][f"{kind} {condition}"]
            assert found["value"] == pytest.approx(mean(values))
