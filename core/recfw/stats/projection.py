"""Projecting a total from a sample: what a whole run will come to, from the trials of it that were tried."""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt

from attrs import frozen

LEVEL = 0.95


@frozen
class Projection:
    """
    A projected total.

    Args:
        value: The total expected.
        low, high: The ends of its interval, in the total's unit; None where the sample has fewer than two values.
        sampled: How many were sampled.
        total: How many there are.
    """

    value: float
    low: float | None
    high: float | None
    sampled: int
    total: int


def project(samples: Mapping[str, Sequence[float]], totals: Mapping[str, int]) -> Projection:
    """
    Project the total of a stratified population from a sample without replacement.

    The value is the sum over strata of their size times their sample's mean; what was sampled is known, so only the
    rest is uncertain. The interval is Student's t with Welch-Satterthwaite degrees of freedom and the finite-population
    correction; a stratum with one value borrows the largest variance among the others. A total cannot be below what the
    sample came to already.

    Args:
        samples: Stratum -> values; every stratum with members has at least one value.
        totals: Stratum -> its size.
    """
    sizes = {name: len(values) for name, values in samples.items() if values}
    means = {name: fsum(samples[name]) / size for name, size in sizes.items()}
    variances = {name: _variance(samples[name], means[name]) for name, size in sizes.items() if size > 1}
    value = fsum(means[name] * totals[name] for name in sizes)
    sampled, total = sum(sizes.values()), sum(totals[name] for name in sizes)
    if not variances:
        return Projection(value, None, None, sampled, total)
    borrowed = max(variances.values())
    parts = {
        name: (totals[name] * max(0, totals[name] - size) * variances.get(name, borrowed) / size, max(1, size - 1))
        for name, size in sizes.items()
    }
    variance = fsum(part for part, _ in parts.values())
    known = fsum(fsum(samples[name]) for name in sizes)
    if variance <= 0:
        return Projection(value, value, value, sampled, total)
    from scipy import stats  # noqa: PLC0415 - heavy, and only a projection with an interval needs it

    freedom = variance**2 / fsum(part**2 / degrees for part, degrees in parts.values())
    half = float(stats.t.ppf((1 + LEVEL) / 2, freedom)) * sqrt(variance)
    return Projection(value, max(known, value - half), value + half, sampled, total)


def _variance(values: Sequence[float], mean: float) -> float:
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
