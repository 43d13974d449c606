"""The sign-flip test: exact against counting all assignments, sampled above the bound."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.stats.results import SignFlip
from recfw.stats.signflip import MAX_EXACT_GROUPS, SAMPLED_FLIPS, sign_flip

STEPS = st.sampled_from([Fraction(n, 12) for n in range(-12, 13)])
GROUPS = st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=1, max_size=9)


@settings(max_examples=150, deadline=None)
@given(groups=GROUPS)
@example(groups=[[Fraction(1, 3)], [Fraction(1, 3)], [Fraction(-1, 6), Fraction(-1, 2)], [Fraction(1, 12)]])
@example(groups=[[Fraction(-1, 2), Fraction(1, 6), Fraction(1, 3)]] * 2)  # sums of mere rounding noise
def test_exact_p_counts_all_assignments(groups: list[list[Fraction]]) -> None:
    """The p value is the share of all sign assignments whose sum, in exact fractions, is at least as far from zero."""
    tasks = {f"{g}-{t}": float(x) for g, members in enumerate(groups) for t, x in enumerate(members)}
    sums = [sum(members, Fraction(0)) for members in groups]
    observed = abs(sum(sums, Fraction(0)))
    flipped = [
        abs(sum((s * x for s, x in zip(signs, sums, strict=True)), Fraction(0)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    expected = Fraction(sum(x >= observed for x in flipped), len(flipped))
    result = sign_flip(tasks, {task: task.split("-")[0] for task in tasks})
    assert result.p == pytest.approx(float(expected), abs=1e-12)
    assert (result.n_groups, result.n_flips, result.exact) == (len(groups), 2 ** len(groups), True)


def test_thirteen_groups_are_exact() -> None:
    """Thirteen groups of one sign have p = 2 / 8192, the smallest there is."""
    tasks = {f"t{i}": 0.1 + i / 50 for i in range(13)}
    assert sign_flip(tasks, {task: task for task in tasks}) == SignFlip(2 / 8192, 13, 8192, True)


def test_the_bound_itself_is_exact() -> None:
    """The largest number of groups that is said to be exact has the smallest exact p value."""
    tasks = {f"t{i}": 1.0 + i for i in range(MAX_EXACT_GROUPS)}
    expected = SignFlip(2 / 2**MAX_EXACT_GROUPS, MAX_EXACT_GROUPS, 2**MAX_EXACT_GROUPS, True)
    assert sign_flip(tasks, {task: task for task in tasks}) == expected


def test_more_groups_are_sampled_and_say_so() -> None:
    """Above the bound p comes from a stated number of draws, is near the exact one, and repeats with the seed."""
    tasks = {f"t{i}": (-1.0 if i < 4 else 1.0) for i in range(18)}  # 14 of 18 positive: p = 2 P(X >= 14) = 0.0309
    groups = {task: task for task in tasks}
    result = sign_flip(tasks, groups, seed=1)
    assert result.p == pytest.approx(0.0309, abs=0.004)
    assert (result.n_groups, result.n_flips, result.exact) == (18, SAMPLED_FLIPS, False)
    assert sign_flip(tasks, groups, seed=1) == result


def test_no_group_has_no_p() -> None:
    """Without groups there is no test."""
    assert sign_flip({}, {}) == SignFlip(None, 0, 1, True)


def test_task_without_group_is_refused() -> None:
    """A task that no group holds is refused by name."""
    with pytest.raises(DataError, match="task 'a' belongs to no cluster"):
        sign_flip({"a": 1.0}, {})
