"""Paired contrasts: differences between two conditions on the same tasks, resampled by cluster."""

from collections.abc import Mapping, Sequence
from math import fsum

import numpy as np
from attrs import evolve, frozen

from recfw.stats.intervals import Floats, Resampled, bootstrap_means
from recfw.stats.multiple import holm
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Contrast

POINTS = 100.0
"""Scale that turns a difference of proportions into points."""

P_VALUE = (
    "p = (1 + count) / (1 + B), two-sided: count of the B resampled differences that lie at least as far from the "
    "observed difference as zero does"
)


@frozen
class Pairing:
    """
    Differences on the tasks that both sides have.

    Args:
        differences: Task name -> first minus second, in order of names.
        unmatched: Names that only one side has, in order; they are left out, and reports count them.
    """

    differences: Mapping[str, float]
    unmatched: tuple[str, ...]


def pair(first: Mapping[str, float], second: Mapping[str, float]) -> Pairing:
    """Return first minus second on the tasks that both have; names are whatever the two sides are matched by."""
    differences = {task: first[task] - second[task] for task in sorted(first.keys() & second.keys())}
    return Pairing(differences, tuple(sorted(first.keys() ^ second.keys())))


def average(columns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return each task's mean over the columns, for the tasks that all columns have, in order of names."""
    if not columns:
        return {}
    shared = set(columns[0]).intersection(*columns[1:])
    return {task: fsum(column[task] for column in columns) / len(columns) for task in sorted(shared)}


def paired_contrasts(
    differences: Mapping[str, Mapping[str, float]],
    clusters: Mapping[str, str],
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    scale: float = POINTS,
) -> tuple[Contrast, ...]:
    """
    Return every named contrast's mean difference, interval and p value.

    The p value is that of the bootstrap centred on the observed difference (``P_VALUE``): the smallest possible one is
    1 / (1 + B). It and the interval come from the same draws and may disagree at the edge. With few clusters both are
    too sure; the sign-flip test over groups stands beside them.

    Args:
        differences: Contrast name -> (task name -> difference), as :func:`pair` makes them.
        clusters: Task name -> cluster name.
        bootstrap: Settings.
        scale: What values, ends and standard errors are multiplied by; > 0.

    Raises:
        DataError: A difference is not finite, or a task has no cluster.
    """
    resampled = bootstrap_means(list(differences.values()), clusters, bootstrap)
    contrasts = []
    for name, result in zip(differences, resampled, strict=True):
        value, low, high = result.estimate.value, result.estimate.low, result.estimate.high
        has_interval = value is not None and low is not None
        contrasts.append(
            Contrast(
                name=name,
                value=_scaled(value, scale),
                low=_scaled(low, scale),
                high=_scaled(high, scale),
                p=_p_value(value, result) if value is not None and has_interval else None,
                standard_error=_scaled(_standard_error(result.distribution), scale),
                n_tasks=result.estimate.n_tasks,
                n_clusters=result.estimate.n_clusters,
                method=result.estimate.method,
            )
        )
    return tuple(contrasts)


def pairwise_contrasts(
    scores: Mapping[str, Mapping[str, float]],
    clusters: Mapping[str, str],
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    scale: float = POINTS,
) -> tuple[Contrast, ...]:
    """Return the contrast of every pair of rows, named "first - second", rows in the order given."""
    rows = list(scores)
    differences = {
        f"{first} - {second}": pair(scores[first], scores[second]).differences
        for position, first in enumerate(rows)
        for second in rows[position + 1 :]
    }
    return paired_contrasts(differences, clusters, bootstrap, scale)


def adjust(contrasts: Sequence[Contrast]) -> tuple[Contrast, ...]:
    """
    Return the contrasts with Holm-adjusted p values, corrected over all of them.

    A contrast without a p value counts as one test with p = 1, so that missing data never makes the others look better.
    """
    adjusted = holm([1.0 if contrast.p is None else contrast.p for contrast in contrasts])
    return tuple(
        evolve(contrast, p_adjusted=None if contrast.p is None else p)
        for contrast, p in zip(contrasts, adjusted, strict=True)
    )


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def _p_value(observed: float, result: Resampled) -> float:
    """Count ties as at least as far, whatever rounding did to them."""
    distances = np.abs(result.distribution - observed)
    count = int(np.count_nonzero(distances >= abs(observed) - 2 * result.resolution))
    return (1 + count) / (1 + distances.size)


def _standard_error(distribution: Floats) -> float | None:
    return float(distribution.std(ddof=1)) if distribution.size > 1 else None
