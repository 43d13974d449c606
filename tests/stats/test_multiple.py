"""Holm's correction: by hand and against statsmodels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.stats.multiple import holm


def test_by_hand() -> None:
    """0.01, 0.04, 0.03 become 0.03, 0.06 (not below its predecessor's 0.06) and 0.06."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05, 1.0]), min_size=1, max_size=15)


@given(p_values=P_VALUES)
def test_equals_the_definition(p_values: list[float]) -> None:
    """An adjusted value is the largest product of p and tests not yet rejected, up to its own rank."""
    m = len(p_values)
    ordered = sorted(p_values)
    expected = [max(min(1.0, (m - j) * q) for j, q in enumerate(ordered) if q <= p) for p in p_values]
    assert holm(p_values) == tuple(expected)


@settings(max_examples=50, deadline=None)
@given(p_values=P_VALUES)
def test_equals_statsmodels(p_values: list[float]) -> None:
    """Adjusted values equal those of multipletests, ties and ones included."""
    from statsmodels.stats import multitest  # a declared test dependency: its absence is a failure

    assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1].tolist(), abs=1e-12)


def test_no_test_is_no_value() -> None:
    """An empty set of tests has an empty answer."""
    assert holm([]) == ()


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(bad: float) -> None:
    """A number outside [0, 1] is refused."""
    with pytest.raises(DataError, match=r"lie in \[0, 1\]"):
        holm([0.5, bad])
