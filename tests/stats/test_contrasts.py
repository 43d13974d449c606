"""Paired contrasts: matching, points, the p value's rule, speed, Holm over a set, power."""

import time
from itertools import product
from math import fsum
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.stats.contrasts import P_VALUE, Pairing, adjust, average, pair, paired_contrasts, pairwise_contrasts
from recfw.stats.intervals import bootstrap_means, cluster_interval
from recfw.stats.power import separated_pairs, smallest_detectable_effect
from recfw.stats.results import Bootstrap, Contrast

QUICK = Bootstrap(n_resamples=1000)
STEPS = st.sampled_from([-1.0, -0.5, -1 / 3, -1 / 6, 0.0, 1 / 6, 1 / 3, 0.5, 1.0])


def contrast(**changes: Any) -> Contrast:
    """Return a contrast with the given fields."""
    plain = Contrast("a - b", 5.0, 1.0, 9.0, 0.01, 2.0, 10, 5, "percentile")
    return evolve(plain, **changes)


def test_pairs_by_name_and_names_the_rest() -> None:
    """Differences are taken on shared names only; names of one side are listed."""
    assert pair({"c": 1.0, "a": 0.5, "x": 1.0}, {"a": 0.25, "c": 0.0, "b": 1.0}) == Pairing(
        {"a": 0.25, "c": 1.0}, ("b", "x")
    )


def test_average_needs_every_column() -> None:
    """The mean over agents is taken for the tasks that every agent has."""
    assert average([{"a": 1.0, "b": 1.0}, {"a": 0.0}]) == {"a": 0.5}


def test_average_of_nothing_is_empty() -> None:
    """No column has no task."""
    assert average([]) == {}


def test_effect_is_in_points() -> None:
    """A mean difference of 0.25 is 25 points, and the ends are those of the interval, times 100."""
    differences = {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}
    clusters = {task: task for task in differences}
    result = paired_contrasts({"x": differences}, clusters, QUICK)[0]
    plain = cluster_interval(differences, clusters, QUICK)
    assert (plain.value, plain.low, plain.high) == (0.25, 0.0, 0.75)
    assert (result.value, result.low, result.high) == (25.0, 0.0, 75.0)


@settings(max_examples=60, deadline=None)
@given(families=st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=2, max_size=4))
@example(families=[[-1.0, 1.0], [-0.5, 1 / 6, 1 / 3]])  # sums of mere rounding noise: no difference, p is 1
def test_p_value_is_the_share_of_all_resamples(families: list[list[float]]) -> None:
    """The p value estimates the share, among all C**C resamples, of those as far from the observed as zero is."""
    tasks = {f"{f}-{t}": value for f, members in enumerate(families) for t, value in enumerate(members)}
    clusters = {task: task.split("-")[0] for task in tasks}

    def mean(drawn: tuple[list[float], ...]) -> float:
        return fsum(x for members in drawn for x in members) / sum(len(members) for members in drawn)

    observed = mean(tuple(families))
    resamples = [mean(drawn) for drawn in product(families, repeat=len(families))]
    share = sum(abs(x - observed) >= abs(observed) - 1e-9 for x in resamples) / len(resamples)
    result = paired_contrasts({"x": tasks}, clusters, QUICK)[0]
    assert result.p == pytest.approx(share, abs=5 * (share * (1 - share) / 1000) ** 0.5 + 0.002)


def test_smallest_p_value_is_one_in_b_plus_one() -> None:
    """With 10,000 resamples the smallest p value is 1/10,001, so eleven tests give at least 0.0011 after Holm."""
    tasks = {f"t{i}": 1.0 - i / 100 for i in range(30)}
    results = paired_contrasts({f"x{k}": tasks for k in range(11)}, {task: task for task in tasks})
    assert [c.p for c in results] == [1 / 10_001] * 11
    assert [c.p_adjusted for c in adjust(results)] == pytest.approx([11 / 10_001] * 11)


def test_no_difference_has_p_one() -> None:
    """Where every difference is zero, p is 1 and the interval is zero."""
    tasks = {f"t{i}": 0.0 for i in range(10)}
    result = paired_contrasts({"x": tasks}, {task: task for task in tasks}, QUICK)[0]
    assert (result.value, result.low, result.high, result.p, result.standard_error) == (0.0, 0.0, 0.0, 1.0, 0.0)


def test_standard_error_is_the_spread_of_resamples() -> None:
    """The standard error is the sample standard deviation of the resampled differences, in points."""
    tasks = {"a": 1.0, "b": 0.0, "c": 0.5}
    clusters = {task: task for task in tasks}
    few = Bootstrap(n_resamples=5)
    expected = 100 * stdev(bootstrap_means([tasks], clusters, few)[0].distribution.tolist())
    assert paired_contrasts({"x": tasks}, clusters, few)[0].standard_error == pytest.approx(expected)


def test_sign_turns_with_the_sides() -> None:
    """Exchanging the sides turns value and interval round and leaves p as it is."""
    rng = np.random.default_rng(0)
    tasks = {f"t{i}": float(x) for i, x in enumerate(rng.normal(0.2, 1, 40))}
    turned = {task: -x for task, x in tasks.items()}
    there, back = paired_contrasts({"x": tasks, "y": turned}, {task: task for task in tasks}, QUICK)
    turned_back = [None if x is None else -x for x in (back.value, back.high, back.low)]
    assert [there.value, there.low, there.high] == pytest.approx(turned_back)
    assert there.p == back.p


def test_contrasts_over_other_tasks_stand_alone() -> None:
    """Contrasts over different families have their own counts and equal those computed alone, in the order given."""
    rng = np.random.default_rng(1)
    full = {f"t{i}": float(x) for i, x in enumerate(rng.normal(size=30))}
    part = {task: x for task, x in full.items() if len(task) == 2}
    clusters = {task: task for task in full}
    together = paired_contrasts({"full": full, "part": part, "more": full}, clusters, QUICK)
    alone = tuple(paired_contrasts({n: v}, clusters, QUICK)[0] for n, v in (("full", full), ("part", part)))
    assert (together[:2], [c.n_clusters for c in together]) == (alone, [30, 10, 30])


@pytest.mark.parametrize(("tasks", "value"), [({}, None), ({"a": 0.5}, 50.0)])
def test_too_few_clusters_have_neither_interval_nor_p(tasks: dict[str, float], value: float | None) -> None:
    """With no or one cluster, everything but the value is None."""
    result = paired_contrasts({"x": tasks}, {"a": "f"})[0]
    assert result == Contrast("x", value, None, None, None, None, len(tasks), len(tasks), "none")


def test_false_positives_are_near_the_level() -> None:
    """Of 400 simulated sets without a difference about 5 % have p <= 0.05: 2 to 9 % is asked for (noise 1.1)."""
    rng = np.random.default_rng(2)
    columns = {}
    for column in range(400):
        family_effects = np.repeat(rng.normal(size=45), 3)
        columns[f"x{column}"] = {f"t{i:03}": float(x) for i, x in enumerate(family_effects + rng.normal(size=135))}
    clusters = {f"t{i:03}": f"f{i // 3}" for i in range(135)}
    results = paired_contrasts(columns, clusters, QUICK)
    assert 0.02 <= sum(c.p is not None and c.p <= 0.05 for c in results) / 400 <= 0.09


def test_twelve_contrasts_take_under_a_second() -> None:
    """10,000 resamples of 150 families of three tasks, 12 contrasts, take less than a second of processor time."""
    rng = np.random.default_rng(8)
    clusters = {f"t{i}": f"f{i // 3}" for i in range(450)}
    columns = {f"x{k}": dict(zip(clusters, rng.integers(-4, 5, 450) / 4, strict=True)) for k in range(12)}
    start = time.process_time()
    paired_contrasts(columns, clusters)
    assert time.process_time() - start < 1.0


def test_missing_test_counts_in_holm() -> None:
    """A contrast without p value still counts as a test: two others are multiplied by three, and it stays None."""
    adjusted = adjust([contrast(p=0.01), contrast(p=None), contrast(p=0.02)])
    assert [c.p_adjusted for c in adjusted] == pytest.approx([0.03, None, 0.04])


def test_detectable_effect_by_hand() -> None:
    """At 80 % power and level 0.05 it is (1.960 + 0.8416) standard errors; without one it is None."""
    effects = [smallest_detectable_effect(contrast(standard_error=error)) for error in (2.0, None)]
    assert effects == pytest.approx([5.6032, None], abs=1e-4)


def test_detectable_effect_is_detected_that_often() -> None:
    """A true difference of the detectable size is found in about 80 % of simulated designs: 72 to 88 % is asked for."""
    rng = np.random.default_rng(9)
    clusters = {f"t{i}": f"t{i}" for i in range(100)}
    noise = dict(zip(clusters, rng.normal(size=100).tolist(), strict=True))
    effect = smallest_detectable_effect(paired_contrasts({"x": noise}, clusters, scale=1.0)[0])
    assert effect is not None
    columns = {
        f"x{k}": dict(zip(clusters, (effect + float(np.std(list(noise.values()))) * rng.normal(size=100)), strict=True))
        for k in range(300)
    }
    results = paired_contrasts(columns, clusters, QUICK, scale=1.0)
    assert 0.72 <= sum(c.p is not None and c.p <= 0.05 for c in results) / 300 <= 0.88


@pytest.mark.parametrize(("power", "alpha"), [(1.0, 0.05), (0.8, 0.0), (0.04, 0.05)])
def test_power_outside_its_range_is_refused(power: float, alpha: float) -> None:
    """Power and level must lie between 0 and 1, the power above the level."""
    with pytest.raises(DataError, match="0 < alpha < power < 1"):
        smallest_detectable_effect(contrast(), power, alpha)


def test_pairs_are_separated_where_zero_is_outside() -> None:
    """Of three rows, the pairs with the clearly better one are separated, the two alike are not."""
    rng = np.random.default_rng(10)
    alike = {f"t{i}": float(x) for i, x in enumerate(rng.random(60))}
    rows = {
        "a": alike,
        "b": {task: x + float(rng.normal(0, 0.3)) for task, x in alike.items()},
        "best": {task: x + 0.5 + float(rng.normal(0, 0.3)) for task, x in alike.items()},
    }
    pairs = pairwise_contrasts(rows, {task: task for task in alike}, QUICK)
    assert [c.name for c in pairs] == ["a - b", "a - best", "b - best"]
    assert [c.name for c in separated_pairs(pairs)] == ["a - best", "b - best"]


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.1, 2.0, True), (-2.0, -0.1, True), (0.0, 2.0, False), (None, None, False)]
)
def test_an_end_at_zero_does_not_separate(low: float | None, high: float | None, expected: bool) -> None:
    """Zero must lie outside the interval, and there must be one."""
    assert contrast(low=low, high=high).separated == expected


def test_rule_of_p_is_words() -> None:
    """The p value's rule is a text that a report can print."""
    assert "(1 + count) / (1 + B)" in P_VALUE
