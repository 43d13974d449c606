"""pass^k: the estimator, its missing-trial rule, and what it leaves out."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import comb

from recfw.errors import DataError
from recfw.stats.passk import ESTIMATOR, MISSING_TRIALS, pass_k, task_pass_k


@pytest.mark.parametrize(("k", "expected"), [(1, 0.75), (2, 0.5), (3, 0.25), (4, 0.0)])
def test_three_of_four_by_hand(k: int, expected: float) -> None:
    """Three successes in four trials give 3/4, 3/6, 1/4 and 0."""
    assert task_pass_k(3, 4, k) == expected


@given(outcomes=st.lists(st.booleans(), max_size=7), k=st.integers(1, 4))
def test_equals_the_share_of_trial_sets_that_all_succeed(outcomes: list[bool], k: int) -> None:
    """The estimate is the share of all sets of k trials in which every trial succeeds, and None where no set exists."""
    sets = [all(chosen) for chosen in combinations(outcomes, k)]
    expected = float(Fraction(sum(sets), len(sets))) if sets else None
    assert task_pass_k(sum(outcomes), len(outcomes), k) == expected


@given(n=st.integers(1, 60), k=st.integers(1, 4), data=st.data())
def test_equals_scipy(n: int, k: int, data: st.DataObject) -> None:
    """The quotient is the one that scipy's binomial coefficients give."""
    c = data.draw(st.integers(0, n))
    expected = comb(c, k) / comb(n, k) if n >= k else None
    assert task_pass_k(c, n, k) == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_is_unbiased() -> None:
    """Over all outcomes of n independent trials with success rate 1/4, the estimate's expectation is (1/4)**k."""
    n, k, rate = 5, 3, Fraction(1, 4)
    expectation = sum(
        int(comb(n, c)) * rate**c * (1 - rate) ** (n - c) * Fraction(task_pass_k(c, n, k) or 0.0).limit_denominator(100)
        for c in range(n + 1)
    )
    assert expectation == rate**k


def test_mean_over_tasks_leaves_short_tasks_out_and_names_them() -> None:
    """A task with fewer than k trials enters neither the sum nor the denominator, and is named."""
    result = pass_k({"z": (2, 2), "a": (1, 4), "short": (1, 1)}, 2)
    assert (result.value, dict(result.values), result.left_out) == (0.5, {"a": 0.0, "z": 1.0}, ("short",))


def test_order_of_tasks_does_not_show() -> None:
    """The same counts in another order give an equal result, value by value in order of names."""
    counts = {f"t{i}": (i % 5, 4) for i in range(20)}
    first, second = pass_k(counts, 2), pass_k(dict(reversed(counts.items())), 2)
    assert (first, list(first.values)) == (second, sorted(counts))


def test_no_task_left_is_none() -> None:
    """Where every task is short, the value is None and not NaN."""
    assert pass_k({"a": (1, 1)}, 4).value is None


@pytest.mark.parametrize("counts", [(3, 2), (-1, 2)])
def test_impossible_counts_name_the_task(counts: tuple[int, int]) -> None:
    """More successes than trials, or fewer than none, is an error that names the task."""
    with pytest.raises(DataError, match=r"task 'a': pass\^k: -?\d successes among 2 trials is impossible\."):
        pass_k({"a": counts}, 1)


def test_k_below_one_is_refused() -> None:
    """pass^0 is no figure."""
    with pytest.raises(DataError, match="needs k >= 1, not 0"):
        task_pass_k(1, 1, 0)


def test_rules_are_words() -> None:
    """The estimator's formula and the missing-trial rule are texts that a report can print."""
    assert ("C(c, k) / C(n, k)" in ESTIMATOR, "fewer than k" in MISSING_TRIALS) == (True, True)
