"""
Intervals of means by cluster bootstrap: whole clusters are drawn again, never single tasks.

Tasks of one cluster (a family of variants, say) are not independent, so the cluster is the unit of resampling. Clusters
may hold different numbers of tasks; the statistic is the mean over all tasks of the clusters drawn (sum of sums over
sum of counts), not the mean of the clusters' means.
"""

import warnings
from collections.abc import Mapping, Sequence
from math import fsum, isfinite

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from recfw.errors import DataError
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Estimate, Method

Floats = NDArray[np.float64]

DIGITS = 12
"""Decimal digits kept of resampled means, counted from the largest value: summation noise goes, ties become ties."""

_MAX_ELEMENTS = 2_000_000
"""Numbers held at once while resampling (8 bytes each), so that memory does not grow with the resamples."""


@frozen(eq=False)
class Resampled:
    """
    A mean and its bootstrap distribution.

    Args:
        estimate: The mean and its interval.
        distribution: The resampled means, shape (resamples,), unsorted; empty where there are fewer than two clusters.
        resolution: The step to which the distribution is rounded; 0 where it is empty.
    """

    estimate: Estimate
    distribution: Floats
    resolution: float


def cluster_interval(
    values: Mapping[str, float], clusters: Mapping[str, str], bootstrap: Bootstrap = DEFAULT_BOOTSTRAP
) -> Estimate:
    """
    Return the mean over tasks and its interval.

    Where every cluster has the same mean, the interval is that one point: it then says that the sample does not vary,
    not that the mean is known. With one cluster or none there is no interval.

    Args:
        values: Task name -> value, finite.
        clusters: Task name -> cluster name, for every task in values.
        bootstrap: Settings.

    Raises:
        DataError: A value is not finite, or a task has no cluster.
    """
    return bootstrap_means([values], clusters, bootstrap)[0].estimate


def cluster_intervals(
    columns: Mapping[str, Mapping[str, float]], clusters: Mapping[str, str], bootstrap: Bootstrap = DEFAULT_BOOTSTRAP
) -> dict[str, Estimate]:
    """Return :func:`cluster_interval` of every named column, with equal results and in less time."""
    resampled = bootstrap_means(list(columns.values()), clusters, bootstrap)
    return {name: result.estimate for name, result in zip(columns, resampled, strict=True)}


def bootstrap_means(
    columns: Sequence[Mapping[str, float]], clusters: Mapping[str, str], bootstrap: Bootstrap = DEFAULT_BOOTSTRAP
) -> list[Resampled]:
    """
    Resample each column's mean over its own clusters.

    Columns over the same clusters share their draws and are computed together; a column's result is the same whichever
    others it is computed with, and in whatever order its tasks come.

    Raises:
        DataError: A value is not finite, or a task has no cluster.
    """
    tables = [_table(values, clusters) for values in columns]
    groups: dict[tuple[str, ...], list[int]] = {}
    for position, (names, _, _) in enumerate(tables):
        groups.setdefault(names, []).append(position)
    results: dict[int, Resampled] = {}
    for names, positions in groups.items():
        if len(names) < 2:
            results.update((position, _without_interval(columns[position], len(names))) for position in positions)
            continue
        sums = np.stack([tables[position][1] for position in positions])
        counts = np.stack([tables[position][2] for position in positions])
        resampled = _resample([columns[position] for position in positions], sums, counts, bootstrap)
        results.update(zip(positions, resampled, strict=True))
    return [results[position] for position in range(len(columns))]


def decimals_kept(scale: Floats) -> Floats:
    """Return how many decimals leave ``DIGITS`` digits of values as large as scale (>= 0); negative for huge ones."""
    decimals: Floats = DIGITS - np.ceil(np.log10(np.where(scale > 0, scale, 1.0)))
    return np.minimum(decimals, 300)


def settle(values: Floats, decimals: Floats) -> Floats:
    """Round to a number of decimals that is broadcast against values, where numpy's own takes one number for all."""
    factor: Floats = 10.0**decimals
    rounded: Floats = np.rint(values * factor) / factor + 0.0  # adding 0.0 turns -0.0 into 0.0
    return rounded


def cluster_sums(values: Mapping[str, float], clusters: Mapping[str, str]) -> dict[str, tuple[float, int]]:
    """
    Return cluster name -> (sum of its tasks' values, number of its tasks), in order of names.

    A sum is that of exact addition, rounded once, so that it does not depend on the order of tasks.

    Raises:
        DataError: A value is not finite, or a task has no cluster.
    """
    members: dict[str, list[float]] = {}
    for task, value in values.items():
        if not isfinite(value):
            raise DataError(f"task {task!r} has the value {value}.", "Leave tasks without a finite value out.")
        if task not in clusters:
            raise DataError(f"task {task!r} belongs to no cluster.", "Name the cluster of every task.")
        members.setdefault(clusters[task], []).append(float(value))
    return {name: (fsum(members[name]), len(members[name])) for name in sorted(members)}


def _table(values: Mapping[str, float], clusters: Mapping[str, str]) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return cluster names, and their sums and task counts, both of shape (clusters,)."""
    table = cluster_sums(values, clusters)
    sums = np.array([total for total, _ in table.values()], dtype=np.float64)
    counts = np.array([count for _, count in table.values()], dtype=np.float64)
    return tuple(table), sums, counts


def _without_interval(values: Mapping[str, float], n_clusters: int) -> Resampled:
    mean = _mean(values) if values else None
    return Resampled(Estimate(mean, None, None, len(values), n_clusters, "none"), np.empty(0), 0.0)


def _mean(values: Mapping[str, float]) -> float:
    return fsum(values.values()) / len(values)


def _resample(
    columns: Sequence[Mapping[str, float]], sums: Floats, counts: Floats, bootstrap: Bootstrap
) -> list[Resampled]:
    """Bootstrap the columns' sums and counts, both of shape (columns, clusters) with at least two clusters."""
    from scipy import stats  # noqa: PLC0415 - half of what a short run takes, and one cluster has no interval

    n_columns, n_clusters = sums.shape
    # By the largest value and not by the largest sum: a cluster's values may cancel and leave a sum of mere noise.
    decimals = decimals_kept(np.array([max(abs(x) for x in values.values()) for values in columns]))
    sizes = counts[:1] if (counts == counts[0]).all() else counts

    def mean(drawn: NDArray[np.int64], axis: int) -> Floats:  # noqa: ARG001 - scipy's signature; it is always the last
        # How often each cluster was drawn, times its sum: columns share the counting, and need no copies of their own.
        often = _times_drawn(drawn.reshape(-1, drawn.shape[-1]), n_clusters)
        ratio: Floats = (sums @ often.T) / (sizes @ often.T)
        return settle(ratio, decimals[:, np.newaxis]).reshape(n_columns, *drawn.shape[:-1])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)  # answered below, by falling back
        warnings.simplefilter("ignore", RuntimeWarning)
        result = stats.bootstrap(
            (np.arange(n_clusters),),
            mean,
            n_resamples=bootstrap.n_resamples,
            batch=max(1, min(1000, _MAX_ELEMENTS // (n_columns + n_clusters))),
            vectorized=True,
            axis=-1,
            confidence_level=bootstrap.level,
            method="BCa" if bootstrap.method == "bca" else "percentile",
            rng=np.random.default_rng(bootstrap.seed),
        )
    lows, highs = np.asarray(result.confidence_interval.low), np.asarray(result.confidence_interval.high)
    tail = (1 - bootstrap.level) / 2
    resampled = []
    for column, values in enumerate(columns):
        distribution = result.bootstrap_distribution[column]
        low, high = float(lows[column]), float(highs[column])
        method: Method = bootstrap.method
        if np.ptp(distribution) == 0:  # scipy may accelerate by rounding noise where nothing varies
            low, high, method = _mean(values), _mean(values), "percentile"
        elif not (isfinite(low) and isfinite(high)):
            low, high = (float(end) for end in np.quantile(distribution, (tail, 1 - tail)))
            method = "percentile"
        estimate = Estimate(_mean(values), low, high, len(values), n_clusters, method)
        resampled.append(Resampled(estimate, distribution, float(10.0 ** -decimals[column])))
    return resampled


def _times_drawn(drawn: NDArray[np.int64], n_clusters: int) -> Floats:
    """Return how often each cluster is among each row's draws, shape (rows, clusters)."""
    rows = len(drawn)
    places = drawn + n_clusters * np.arange(rows)[:, np.newaxis]
    times = np.bincount(places.ravel(), minlength=rows * n_clusters)
    return times.reshape(rows, n_clusters).astype(np.float64)
