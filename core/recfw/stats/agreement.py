"""Agreement of two raters or two measures: rank and linear correlation, and Cohen's kappa."""

from collections.abc import Hashable, Sequence

import numpy as np
from scipy import stats

from recfw.errors import DataError
from recfw.stats.intervals import Floats

TIE = 1e-12
"""Values this close to a neighbour in order are equal: means of equal scores summed in another order differ so."""


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """
    Return the linear correlation, in [-1, 1]; None with fewer than two pairs or where one side is constant.

    Raises:
        DataError: Unequal lengths, or a value that is not finite.
    """
    sides = _paired(first, second)
    if sides is None:
        return None
    return float(np.clip(stats.pearsonr(*sides).statistic, -1, 1))


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """
    Return the rank correlation with midranks for ties, in [-1, 1]; None as in :func:`pearson`.

    Raises:
        DataError: Unequal lengths, or a value that is not finite.
    """
    sides = _paired(first, second)
    if sides is None:
        return None
    return float(np.clip(stats.spearmanr(*sides).statistic, -1, 1))


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """
    Return Cohen's unweighted kappa, at most 1; None with no pair, or where chance agreement is complete.

    Args:
        first: One rater's labels.
        second: The other's labels of the same items, in the same order.

    Raises:
        DataError: Unequal lengths.
    """
    _check_lengths(first, second)
    n = len(first)
    agreed = sum(a == b for a, b in zip(first, second, strict=True))
    # Whole numbers up to the one division: n * n times the agreement that the raters' label shares give by chance.
    chance = sum(list(first).count(label) * list(second).count(label) for label in set(first))
    return None if chance == n * n else (n * agreed - chance) / (n * n - chance)


def _check_lengths(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second):
        raise DataError(f"agreement needs pairs, not {len(first)} and {len(second)} values.")


def _paired(first: Sequence[float], second: Sequence[float]) -> tuple[Floats, Floats] | None:
    _check_lengths(first, second)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise DataError("agreement needs finite values.", "Leave pairs with a missing value out.")
    sides = _tied(first), _tied(second)
    return None if len(first) < 2 or any(np.ptp(side) == 0 for side in sides) else sides


def _tied(values: Sequence[float]) -> Floats:
    """Return the values, each replaced by the lowest of those it is tied with."""
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, kind="stable")
    ordered = array[order]
    starts = np.diff(ordered, prepend=-np.inf) > TIE
    tied = np.empty_like(array)
    tied[order] = ordered[np.maximum.accumulate(np.where(starts, np.arange(array.size), 0))]
    return tied
