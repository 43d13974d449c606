"""pass^k: how often an agent succeeds in all of k trials of a task, estimated without bias from n >= k trials."""

from collections.abc import Mapping
from math import comb, fsum

from recfw.errors import DataError
from recfw.stats.results import PassK

ESTIMATOR = (
    "pass^k: mean over tasks of C(c, k) / C(n, k), with c successes among the n scored trials of a task (unbiased)"
)
MISSING_TRIALS = "a task with fewer than k scored trials is left out of pass^k and counted beside it"


def task_pass_k(successes: int, trials: int, k: int) -> float | None:
    """
    Return C(successes, k) / C(trials, k), in [0, 1]; None where trials < k, because no unbiased estimate exists then.

    Raises:
        DataError: k < 1, or not 0 <= successes <= trials.
    """
    if k < 1:
        raise DataError(f"pass^k needs k >= 1, not {k}.")
    if not 0 <= successes <= trials:
        raise DataError(f"pass^k: {successes} successes among {trials} trials is impossible.")
    return None if trials < k else comb(successes, k) / comb(trials, k)


def pass_k(counts: Mapping[str, tuple[int, int]], k: int) -> PassK:
    """
    Estimate pass^k over tasks, by the rules that ``ESTIMATOR`` and ``MISSING_TRIALS`` put in words.

    Args:
        counts: Task name -> (successes, scored trials).
        k: Trials that must all succeed, at least 1; the usual ones are 1 to 4.

    Raises:
        DataError: k < 1, or impossible counts, with the task's name.
    """
    values: dict[str, float] = {}
    left_out: list[str] = []
    for task in sorted(counts):
        try:
            value = task_pass_k(*counts[task], k)
        except DataError as error:
            raise DataError(f"task {task!r}: {error.message}", "Rescore its trials.") from error
        if value is None:
            left_out.append(task)
        else:
            values[task] = value
    mean = fsum(values.values()) / len(values) if values else None
    return PassK(k=k, value=mean, values=values, left_out=tuple(left_out))
