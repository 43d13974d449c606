"""Projecting a total from a stratified sample."""

import random

import pytest

from recfw.stats.projection import project


def test_a_total_is_projected_by_stratum() -> None:
    """The value is each stratum's size times its mean, added up."""
    found = project({"a": [1.0, 3.0], "b": [10.0, 10.0]}, {"a": 10, "b": 5})
    assert (70.0, 4, 15) == (found.value, found.sampled, found.total)


def test_the_interval_by_hand() -> None:
    """One stratum, two of four: variance 4 * 2 * 2 / 2 = 8, one degree of freedom, t = 12.706."""
    found = project({"a": [1.0, 3.0]}, {"a": 4})
    assert 8.0 == found.value
    assert found.high == pytest.approx(8.0 + 12.7062 * 8**0.5, abs=1e-3)
    assert 4.0 == found.low  # no less than what the sample came to already


def test_a_whole_population_is_certain() -> None:
    """Where everything was sampled nothing is uncertain."""
    found = project({"a": [1.0, 3.0]}, {"a": 2})
    assert (4.0, 4.0, 4.0) == (found.value, found.low, found.high)


def test_one_value_gives_no_interval() -> None:
    """A single value tells nothing of how values spread; one stratum of several borrows."""
    assert project({"a": [1.0]}, {"a": 9}).low is None
    assert project({"a": [1.0], "b": [1.0, 3.0]}, {"a": 9, "b": 9}).low is not None


def test_the_interval_covers() -> None:
    """Of 400 samples of 8 from two skewed strata, about 95 % of the intervals hold the true total."""
    rng = random.Random(5)
    population = {"a": [rng.gammavariate(3, 2) for _ in range(200)], "b": [rng.gammavariate(3, 5) for _ in range(100)]}
    truth = sum(map(sum, population.values()))
    held = 0
    for _ in range(400):
        found = project(
            {name: rng.sample(values, 8) for name, values in population.items()},
            {name: len(values) for name, values in population.items()},
        )
        held += found.low <= truth <= found.high
    assert 0.90 <= held / 400 <= 0.99
