"""Correlations with ties and constants, and Cohen's kappa."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.stats.agreement import cohen_kappa, pearson, spearman

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


def plain_pearson(first: list[float], second: list[float]) -> float | None:
    """Linear correlation in plain Python."""
    n = len(first)
    if n < 2 or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    a, b = sum(first) / n, sum(second) / n
    covariance = sum((x - a) * (y - b) for x, y in zip(first, second, strict=True))
    return covariance / sqrt(sum((x - a) ** 2 for x in first) * sum((y - b) ** 2 for y in second))


def midranks(values: list[float]) -> list[float]:
    """Rank of each value, ties sharing the mean of theirs."""
    return [sum(y < x for y in values) + (sum(y == x for y in values) + 1) / 2 for x in values]


@settings(max_examples=100, deadline=None)
@given(pairs=PAIRS)
def test_correlations_against_plain_ones(pairs: list[tuple[int, int]]) -> None:
    """Both correlations equal their plain definitions, ties by midranks; too short or constant sides give None."""
    first, second = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    linear, ranked = plain_pearson(first, second), plain_pearson(midranks(first), midranks(second))
    assert pearson(first, second) == (None if linear is None else pytest.approx(linear, abs=1e-9))
    assert spearman(first, second) == (None if ranked is None else pytest.approx(ranked, abs=1e-9))


def test_last_bits_make_no_rank() -> None:
    """Values within 1e-12 of one another are tied, as if they were equal."""
    noisy, clean = [0.1 + 0.2, 0.3, 0.5, 0.9], [0.3, 0.3, 0.5, 0.9]
    assert spearman(noisy, [2.0, 1.0, 3.0, 4.0]) == spearman(clean, [2.0, 1.0, 3.0, 4.0])


def test_constant_up_to_last_bits_is_none() -> None:
    """A side that varies only in its last bits is constant."""
    assert (pearson([0.3, 0.1 + 0.2], [1, 2]), spearman([0.3, 0.1 + 0.2], [1, 2])) == (None, None)


def test_kappa_by_hand() -> None:
    """20 yes-yes, 15 no-no, 5 and 10 crossed: agreement 0.7, by chance 0.5, kappa 0.4."""
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


@settings(max_examples=50, deadline=None)
@given(pairs=PAIRS.filter(lambda pairs: len({x for pair in pairs for x in pair}) > 1))
def test_kappa_equals_statsmodels(pairs: list[tuple[int, int]]) -> None:
    """Kappa equals that of statsmodels on the table of pairs of labels."""
    from statsmodels.stats import inter_rater  # a declared test dependency: its absence is a failure

    table = [[pairs.count((x, y)) for y in range(7)] for x in range(7)]
    expected = inter_rater.cohens_kappa(table, return_results=False)
    assert cohen_kappa([x for x, _ in pairs], [y for _, y in pairs]) == pytest.approx(float(expected), abs=1e-9)


def test_kappa_without_choice_is_none() -> None:
    """Where both raters gave one and the same label throughout, or rated nothing, kappa is undefined."""
    assert (cohen_kappa(["y", "y"], ["y", "y"]), cohen_kappa([], [])) == (None, None)


def test_unequal_lengths_are_refused() -> None:
    """Values that do not pair are refused."""
    with pytest.raises(DataError, match="needs pairs, not 2 and 1 values"):
        pearson([1.0, 2.0], [1.0])


def test_missing_values_are_refused() -> None:
    """NaN is refused, not carried into a coefficient."""
    with pytest.raises(DataError, match="finite"):
        spearman([1.0, float("nan")], [1.0, 2.0])
