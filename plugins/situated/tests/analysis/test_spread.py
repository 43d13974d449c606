"""Four-subset means and SDs, computed by hand."""

from math import sqrt

import pytest

from recfw_situated.analysis.spread import NOTHING, mean_of, share_of


def test_the_mean_of_subset_means_and_their_sample_sd() -> None:
    """Means 0, 1, 2 and 5 have the mean 2 and the sample SD sqrt((4 + 1 + 0 + 9) / 3)."""
    found = mean_of({"1": [0.0], "2": [0.5, 1.5], "3": [2.0, 2.0, 2.0], "4": [5.0]})
    assert (found.value, found.sd, found.n) == (2.0, pytest.approx(sqrt(14 / 3)), 7)


def test_subsets_weigh_the_same_whatever_their_size() -> None:
    """Three subsets of one episode at 0 and one of three at 1: a quarter, not a half."""
    assert mean_of({"1": [0.0], "2": [0.0], "3": [0.0], "4": [1.0, 1.0, 1.0]}, 100).value == 25.0


def test_a_cohort_has_a_mean_without_sd() -> None:
    """Where one subset has no eligible episode the mean is over episodes."""
    found = mean_of({"1": [0.0], "2": [], "3": [1.0], "4": [1.0, 1.0]}, 100)
    assert (found.value, found.sd, found.n, found.subsets) == (75.0, None, 4, ())


def test_nothing_has_no_mean() -> None:
    """Without an eligible episode there is no figure, which is not 0."""
    assert (mean_of({}), mean_of({"1": []})) == (NOTHING, NOTHING)


def test_events_are_pooled_within_a_subset() -> None:
    """One of two and nine of ten: within one subset 10/12; as two of four subsets their shares are averaged."""
    pooled = share_of({"1": (1 + 9, 2 + 10)})
    apart = share_of({"1": (1, 2), "2": (9, 10), "3": (1, 1), "4": (0, 1)})
    assert (pooled.value, apart.value) == (pytest.approx(1000 / 12), pytest.approx((50 + 90 + 100 + 0) / 4))


@pytest.mark.parametrize(
    ("groups", "words"),
    [({"1": [1.0], "2": [1.0], "3": [1.0], "4": [0.0]}, "75.0±50.0"), ({"1": [0.52]}, "52.0"), ({}, None)],
)
def test_words(groups: dict[str, list[float]], words: str | None) -> None:
    """A mean is shown with its SD where it has one, and a dash stands for none."""
    assert mean_of(groups, 100).words() == words
