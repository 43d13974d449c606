"""Correlations of assistant-level means, computed by hand."""

import pytest

from recfw_situated.human.agreement import agree, questionnaire_means
from recfw_situated.human.answers import Answer
from recfw_situated.human.forms import items
from recfw_situated.human.plan import Visit


def test_both_coefficients() -> None:
    """Of (1, 2, 3) and (1, 3, 2): covariance 1 over variances 2 and 2 is 1/2 for values and for ranks."""
    found = agree("x", {"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 10.0, "b": 30.0, "c": 20.0})
    assert (found.pearson, found.spearman) == (pytest.approx(0.5), pytest.approx(0.5))


def test_ties_get_midranks() -> None:
    """Ranks (1.5, 1.5, 3) against (1, 2, 3): 1.5 / sqrt(1.5 * 2)."""
    found = agree("x", {"a": 1.0, "b": 1.0, "c": 9.0}, {"a": 1.0, "b": 2.0, "c": 3.0})
    assert found.spearman == pytest.approx(1.5 / 3**0.5)


@pytest.mark.parametrize(("gap", "spearman"), [(1e-13, 1.5 / 3**0.5), (1e-9, 1.0)])
def test_differences_below_precision_are_ties(gap: float, spearman: float) -> None:
    """Within 1e-12 two means are equal; beyond it they are not."""
    found = agree("x", {"a": 1.0, "b": 1.0 + gap, "c": 9.0}, {"a": 1.0, "b": 2.0, "c": 3.0})
    assert found.spearman == pytest.approx(spearman)


@pytest.mark.parametrize("second", [{"a": 2.0, "b": 2.0, "c": 2.0}, {"a": 1.0}, {}])
def test_constant_or_too_few_have_none(second: dict[str, float]) -> None:
    """A constant side, or fewer than two assistants in common, has no correlation, which is not 0."""
    found = agree("x", {"a": 1.0, "b": 2.0, "c": 3.0}, dict(second))
    assert (found.pearson, found.spearman) == (None, None)


def test_assistants_that_one_side_lacks_are_left_out() -> None:
    """Only those with a mean on both sides count."""
    assert agree("x", {"a": 1.0, "b": None, "c": 3.0}, {"a": 1.0, "b": 2.0, "c": 2.0}).assistants == ("a", "c")


def test_means_are_over_all_answers_of_an_assistant() -> None:
    """Points 1, 2 and 2 have the mean 5/3, unrounded."""
    visits = [Visit(f"P{n}", 1, "t", "A", "gpt") for n in range(3)]
    answers = [Answer(v, dict.fromkeys(items(), n)) for v, n in zip(visits, (1, 2, 2), strict=True)]
    assert questionnaire_means(answers)["groundedness"] == {"gpt": 5 / 3}
