"""How long a retry waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw_litellm.waiting import pause


@pytest.mark.parametrize(
    ("failures", "wait"), [(0, 0.5), (1, 0.5), (2, 1.0), (3, 2.0), (7, 32.0), (8, 60.0), (99, 60.0)]
)
def test_it_doubles_up_to_a_bound(failures: int, wait: float) -> None:
    """Half a second, one, two … and no longer than the longest."""
    assert wait == pytest.approx(pause(failures, None, 60.0, 1.0 - 1e-12))


@given(st.integers(1, 50), st.floats(0, 1, exclude_max=True))
def test_half_of_it_at_most_is_jitter(failures: int, draw: float) -> None:
    """Who failed together does not come back together, and nobody at once."""
    whole = pause(failures, None, 1e9, 1.0)
    assert whole / 2 <= pause(failures, None, 1e9, draw) <= whole


def test_two_waits_differ() -> None:
    """Without a draw of the caller's, each wait is its own."""
    assert 20 == len({pause(3, None, 60.0) for _ in range(20)})


@given(st.floats(0, 1e6), st.floats(0, 1, exclude_max=True))
def test_it_is_no_shorter_than_the_provider_asks(after: float, draw: float) -> None:
    """Retry-After is honoured, a tenth more at most where it is what decides."""
    assert after <= pause(1, after, 1e9, draw) <= max(after * 1.1 + 1e-9, 0.5)


@given(st.integers(1, 50), st.one_of(st.none(), st.floats(0, 1e12)), st.floats(0, 100))
def test_i5138_nothing_makes_it_longer_than_the_longest(failures: int, after: float | None, most: float) -> None:
    """A provider that asks for an hour does not get it."""
    assert 0.0 <= pause(failures, after, most) <= most
