"""The sign-flip test over groups: would so large a difference appear if each group's sign were a coin's fall?"""

from collections.abc import Mapping
from math import fsum

import numpy as np
from scipy import stats

from recfw.stats.intervals import Floats, cluster_sums, decimals_kept, settle
from recfw.stats.results import SignFlip

MAX_EXACT_GROUPS = 16
"""Up to 2**16 assignments of signs are all counted; above, they are sampled."""

SAMPLED_FLIPS = 50_000
"""How many assignments are drawn where not all are counted; p is then (1 + count) / (1 + drawn)."""


def sign_flip(differences: Mapping[str, float], groups: Mapping[str, str], seed: int = 0) -> SignFlip:
    """
    Test the mean difference over tasks by flipping the sign of whole groups (templates, say), two-sided.

    All tasks of a group flip together, and the statistic is the one of the paired contrasts: the mean over tasks. So
    a group weighs as much as its tasks' differences add up to. The smallest exact p value of n groups is 2 / 2**n.

    Args:
        differences: Task name -> difference, finite.
        groups: Task name -> group name, for every task in differences.
        seed: Seed of the draws where assignments are sampled (more than ``MAX_EXACT_GROUPS`` groups).

    Raises:
        DataError: A difference is not finite, or a task has no group.
    """
    table = cluster_sums(differences, groups)
    n_groups = len(table)
    if n_groups < 2:
        return SignFlip(p=1.0 if n_groups else None, n_groups=n_groups, n_flips=2**n_groups, exact=True)
    sums = np.array([total for total, _ in table.values()], dtype=np.float64)
    decimals = decimals_kept(np.asarray(fsum(abs(difference) for difference in differences.values())))

    def statistic(flipped: Floats, axis: int) -> Floats:
        # Rounded, because equal sums of thirds and sixths differ in their last bits and a tie must count.
        return settle(flipped.sum(axis=axis), decimals)

    exact = n_groups <= MAX_EXACT_GROUPS
    n_flips = 2**n_groups if exact else SAMPLED_FLIPS
    result = stats.permutation_test(
        (sums,),
        statistic,
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_flips,  # all assignments, once each, where there are no more than this
        batch=10_000,
        alternative="two-sided",
        axis=-1,
        rng=np.random.default_rng(seed),
    )
    return SignFlip(p=float(result.pvalue), n_groups=n_groups, n_flips=n_flips, exact=exact)
