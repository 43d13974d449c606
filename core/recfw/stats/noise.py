"""The noise floor: how far apart two runs of one agent come out, because trials of one task differ by chance."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from statistics import NormalDist

from attrs import field, frozen

NOISE_FLOOR = (
    "the noise floor is the difference of means that two runs of one agent on the same tasks stay below in 95 of 100 "
    "cases: 1.96 times the square root of the summed variances of both sides' task means, divided by the number of "
    "tasks; a task's variance is that of its trials, over their number (a task with a single trial takes the mean "
    "variance of the others)"
)


@frozen
class TrialNoise:
    """
    How much the trials of one task differ.

    Args:
        n_tasks: Tasks with a value.
        n_repeated: Those with two or more.
        n_flipped: Those of them whose values are not all equal.
        variances: Task -> variance of the task's mean over its trials; empty where no task was repeated, because a
            single trial says nothing about the next.
    """

    n_tasks: int
    n_repeated: int
    n_flipped: int
    variances: Mapping[str, float] = field(repr=False)

    @property
    def flip_rate(self) -> float | None:
        """Return the share of repeated tasks whose outcome differs between trials, in [0, 1]; None without any."""
        return self.n_flipped / self.n_repeated if self.n_repeated else None


def trial_noise(values: Mapping[str, Sequence[float]]) -> TrialNoise:
    """
    Return how much the trials of each task differ.

    Args:
        values: Task -> the finite values of its trials, in any order; a task without a value is left out.
    """
    scored = {task: values[task] for task in sorted(values) if values[task]}
    variances = {task: _variance(trials) for task, trials in scored.items() if len(trials) > 1}
    if not variances:
        return TrialNoise(len(scored), 0, 0, {})
    usual = fsum(variances.values()) / len(variances)
    return TrialNoise(
        n_tasks=len(scored),
        n_repeated=len(variances),
        n_flipped=sum(min(scored[task]) != max(scored[task]) for task in variances),
        variances={task: variances.get(task, usual) / len(trials) for task, trials in scored.items()},
    )


def noise_floor(first: TrialNoise, second: TrialNoise, tasks: Iterable[str], level: float = 0.95) -> float | None:
    """
    Return the noise floor of a difference of means over some tasks, in the unit of the values (``NOISE_FLOOR``).

    Trials of different tasks are taken to be independent once the tasks are given; what tasks have in common is the
    business of the clustered interval, not of this floor.

    Args:
        first: One side; the same as the other for two runs of one agent.
        second: The other side.
        tasks: Tasks that both sides have.
        level: How often two runs of one agent stay below it, in (0, 1).

    Returns:
        None where there is no task, or a side repeated none.
    """
    names = list(tasks)
    if not names or not first.variances or not second.variances:
        return None
    variance = fsum(side.variances[task] for side in (first, second) for task in names)
    return NormalDist().inv_cdf((1 + level) / 2) * sqrt(variance) / len(names)


def _variance(trials: Sequence[float]) -> float:
    """Return the unbiased variance; exact sums, so that it does not depend on the order of trials."""
    mean = fsum(trials) / len(trials)
    return fsum((value - mean) ** 2 for value in trials) / (len(trials) - 1)
