"""The results of statistics, as frozen records of plain numbers: what reports store, print and compare."""

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen, validators

Method = Literal["percentile", "bca", "none"]


@frozen
class Bootstrap:
    """
    Settings of a cluster bootstrap.

    Args:
        n_resamples: How often the clusters are drawn again.
        level: Confidence level of the interval, in (0, 1).
        method: ``percentile`` or ``bca`` (bias-corrected and accelerated; where it is undefined, percentile is used).
        seed: Seed of the numpy generator; equal seeds and equal values give equal results.
    """

    n_resamples: int = field(default=10_000, validator=validators.ge(1))
    level: float = field(default=0.95, validator=[validators.gt(0), validators.lt(1)])
    method: Literal["percentile", "bca"] = field(default="percentile", validator=validators.in_(("percentile", "bca")))
    seed: int = field(default=0, validator=validators.ge(0))


DEFAULT_BOOTSTRAP = Bootstrap()


@frozen
class PassK:
    """
    pass^k of one set of tasks.

    Args:
        k: Number of trials that must all succeed.
        value: Mean over the tasks kept, in [0, 1]; None where none is kept.
        values: Each kept task's own estimate, by name, in order of names: what is paired and resampled.
        left_out: Names of the tasks with fewer than k trials, in order.
    """

    k: int
    value: float | None
    values: Mapping[str, float]
    left_out: tuple[str, ...]


@frozen
class Estimate:
    """
    A mean over tasks with its interval, in the unit of the values.

    Args:
        value: The mean; None where there is no task.
        low, high: Ends of the interval; None where there are fewer than two clusters.
        n_tasks, n_clusters: What the mean is over and what was resampled.
        method: How the interval was made; ``none`` where there is none.
    """

    value: float | None
    low: float | None
    high: float | None
    n_tasks: int
    n_clusters: int
    method: Method


@frozen
class Contrast:
    """
    A mean paired difference with its interval and p value, in points (hundredths) unless another scale was asked for.

    Args:
        name: What is contrasted.
        value: The mean difference; None where no task is matched.
        low, high: Ends of the interval; None where there are fewer than two clusters.
        p: Two-sided p value of the bootstrap; None where there is no interval.
        standard_error: Standard deviation of the resampled differences; None where there is no interval.
        n_tasks, n_clusters: What the difference is over and what was resampled.
        method: How the interval was made; ``none`` where there is none.
        p_adjusted: The p value after Holm's correction over a named set of tests; None before it.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    standard_error: float | None
    n_tasks: int
    n_clusters: int
    method: Method
    p_adjusted: float | None = None

    @property
    def separated(self) -> bool:
        """Return whether the interval lies wholly on one side of zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@frozen
class SignFlip:
    """
    A sign-flip test over groups.

    Args:
        p: Two-sided p value; None where there is no group.
        n_groups: How many groups' signs were flipped.
        n_flips: How many assignments of signs the p value rests on: 2**n_groups when exact.
        exact: True where every assignment was counted, False where they were sampled.
    """

    p: float | None
    n_groups: int
    n_flips: int
    exact: bool
