"""Means as the paper gives them (appendix C.1): over four subsets with the sample SD of their means, or of a cohort."""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt

from attrs import frozen

SUBSETS = 4


@frozen
class Spread:
    """
    A mean.

    Args:
        value: The mean of the subset means, or of all episodes where there are not four subsets; None of nothing.
        sd: Sample standard deviation of the four subset means; None of a cohort.
        n: Eligible episodes; entries of a pooled share.
        subsets: The subset means, by subset; empty of a cohort.
    """

    value: float | None
    sd: float | None = None
    n: int = 0
    subsets: tuple[float, ...] = ()

    def words(self, decimals: int = 1) -> str | None:
        """Return it as ``69.0±20.8``, or ``52.0`` without an SD; None of nothing."""
        if self.value is None:
            return None
        mean = f"{self.value:.{decimals}f}"
        return mean if self.sd is None else f"{mean}±{self.sd:.{decimals}f}"


NOTHING = Spread(None)


def mean_of(groups: Mapping[str, Sequence[float]], scale: float = 1.0) -> Spread:
    """
    Return the mean of episodes' values.

    Args:
        groups: Subset -> the values of its eligible episodes.
        scale: What values are multiplied by (100 for per cent).
    """
    return _spread({name: (fsum(values), len(values)) for name, values in groups.items()}, scale)


def share_of(groups: Mapping[str, tuple[float, float]], scale: float = 100.0) -> Spread:
    """
    Return a share of pooled events.

    Args:
        groups: Subset -> (events that count, all events).
        scale: 100 for per cent.
    """
    return _spread({name: (counted, int(events)) for name, (counted, events) in groups.items()}, scale)


def _spread(groups: Mapping[str, tuple[float, int]], scale: float) -> Spread:
    filled = {name: (total, n) for name, (total, n) in sorted(groups.items()) if n}
    n = sum(count for _, count in filled.values())
    if not n:
        return NOTHING
    if len(filled) != SUBSETS:
        return Spread(scale * fsum(total for total, _ in filled.values()) / n, None, n)
    means = tuple(scale * total / count for total, count in filled.values())
    mean = fsum(means) / len(means)
    sd = sqrt(fsum((one - mean) ** 2 for one in means) / (len(means) - 1))
    return Spread(mean, sd, n, means)
