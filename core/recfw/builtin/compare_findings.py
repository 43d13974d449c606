"""What a comparison computes: matched means, paired contrasts corrected over all pairs, noise floors and tiers."""

from collections.abc import Mapping, Sequence
from math import fsum

from attrs import evolve, frozen

from recfw.builtin.compare_arms import Arms
from recfw.report.figures import estimates, is_binary
from recfw.stats.contrasts import POINTS, Pairing, adjust, pair, paired_contrasts
from recfw.stats.noise import TrialNoise, noise_floor, trial_noise
from recfw.stats.power import smallest_detectable_effect
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Contrast, Estimate
from recfw.stats.signflip import sign_flip

LEVEL = 0.05
"""Holm-adjusted p values below it tell two arms apart."""

FEW_CLUSTERS = 10
"""Up to so many clusters the exact sign-flip test has its say too: the bootstrap is too sure of few."""

RESAMPLES_PER_PAIR = 30
"""The smallest adjusted p value is then at most 1 / 30, however many pairs are tested."""

_HELD = 5_000_000
"""Resampled differences held at once, 8 bytes each."""


@frozen
class Pair:
    """
    Two arms held against one another, the one with the higher mean first, in the unit of the comparison.

    Args:
        first, second: The arms.
        contrast: First minus second; ``p`` is the larger of the two below, ``p_adjusted`` is Holm's over all pairs.
        p_bootstrap: Two-sided p value of the clustered bootstrap; None where there is no interval.
        p_sign_flip: That of the exact sign-flip test over clusters; None where there are many of them, or none.
        unmatched: Tasks with a value on one side only, left out.
        floor: The noise floor of this difference; None where it cannot be estimated.
        detectable: Smallest true difference that is found with 80 % power at the level ``LEVEL`` / pairs; None where
            there is no interval, or where no cluster differs from another, which tells nothing about other samples.
    """

    first: str
    second: str
    contrast: Contrast
    p_bootstrap: float | None
    p_sign_flip: float | None
    unmatched: int
    floor: float | None
    detectable: float | None

    @property
    def significant(self) -> bool:
        """Return whether the adjusted p value is below the level."""
        return self.contrast.p_adjusted is not None and self.contrast.p_adjusted < LEVEL

    @property
    def apart(self) -> bool:
        """Return whether the arms are told apart: significantly, and by more than the noise floor."""
        value = self.contrast.value
        return self.significant and value is not None and (self.floor is None or abs(value) > self.floor)

    def turned(self) -> "Pair":
        """Return second minus first."""
        contrast = self.contrast
        value, low, high = (None if x is None else 0.0 - x for x in (contrast.value, contrast.high, contrast.low))
        turned = evolve(contrast, name=f"{self.second} - {self.first}", value=value, low=low, high=high)
        return evolve(self, first=self.second, second=self.first, contrast=turned)


@frozen
class Comparison:
    """
    The comparison of one figure.

    Args:
        figure: Its name.
        scale: By what differences are multiplied: 100 (points) for a figure whose values are 0 or 1, else 1.
        order: Names of the arms, the highest mean first: over the tasks that all arms have, or else over their own.
        common: Keys of the tasks on which all arms (but those without any value) have a value.
        means: Arm -> mean over its own tasks with its interval, unscaled.
        matched: Arm -> mean over the common tasks, unscaled; None where there is none.
        noise: Arm -> how much its trials differ.
        floors: Arm -> the noise floor between two runs of it.
        bootstrap: How differences were resampled.
        pairs: Every pair of arms, in order.
        tiers: The arms in tiers; those without any value, or without a test that could place them, are in none.
    """

    figure: str
    scale: float
    order: tuple[str, ...]
    common: tuple[str, ...]
    means: Mapping[str, Estimate]
    matched: Mapping[str, float | None]
    noise: Mapping[str, TrialNoise]
    floors: Mapping[str, float | None]
    bootstrap: Bootstrap
    pairs: tuple[Pair, ...]
    tiers: tuple[tuple[str, ...], ...]


def compare(arms: Arms, figure: str) -> Comparison:
    """Compare the arms by one figure; no order of runs, cells or rows matters."""
    columns = {arm.name: arm.means(figure) for arm in arms.arms}
    scored = {name: column for name, column in columns.items() if column}
    common = tuple(sorted(set.intersection(*(set(column) for column in scored.values())))) if scored else ()
    matched = {name: _mean([column[task] for task in common]) if column else None for name, column in columns.items()}
    means = estimates(columns, arms.tasks)
    order = _ordered(matched if common else {name: means[name].value for name in columns})
    scale = POINTS if is_binary((arm.trials for arm in arms.arms), figure) else 1.0
    noise = {arm.name: trial_noise(arm.values(figure)) for arm in arms.arms}
    bootstrap = _bootstrap(len(order) * (len(order) - 1) // 2)
    pairs = _pairs(order, columns, noise, {key: task.cluster for key, task in arms.tasks.items()}, bootstrap, scale)
    return Comparison(
        figure=figure,
        scale=scale,
        order=order,
        common=common,
        means=means,
        matched=matched,
        noise=noise,
        floors={name: _scaled(noise_floor(one, one, one.variances), scale) for name, one in noise.items()},
        bootstrap=bootstrap,
        pairs=pairs,
        tiers=tiers([name for name in order if columns[name]], pairs),
    )


def tiers(order: Sequence[str], pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """
    Return the arms in tiers.

    The arm with the highest mean leads the first tier. Going down by mean, an arm begins the next tier, and leads it,
    if it is told apart from the leader of the tier so far and is the lower of the two; else it joins that tier. So no
    arm has two tiers, and tiers are ordered, whatever single pairs of followers may look like. An arm that has no task
    in common with any other, or none with that leader, is in no tier: nothing tells where it belongs.

    Args:
        order: The arms, by mean.
        pairs: Every pair of them, the one that comes first in order first.
    """
    by_names = {(found.first, found.second): found for found in pairs}
    matched = {name for held in pairs if held.contrast.n_tasks for name in (held.first, held.second)}
    found: list[list[str]] = []
    for name in order:
        held = by_names.get((found[-1][0], name)) if found else None
        if name not in matched or (held is not None and not held.contrast.n_tasks):
            continue
        if held is None or (held.apart and (held.contrast.value or 0.0) > 0):
            found.append([name])
        else:
            found[-1].append(name)
    return tuple(tuple(tier) for tier in found)


def _pairs(
    order: Sequence[str],
    columns: Mapping[str, Mapping[str, float]],
    noise: Mapping[str, TrialNoise],
    clusters: Mapping[str, str],
    bootstrap: Bootstrap,
    scale: float,
) -> tuple[Pair, ...]:
    names = [(first, second) for place, first in enumerate(order) for second in order[place + 1 :]]
    size = max(1, _HELD // bootstrap.n_resamples)
    found: list[Pair] = []
    for start in range(0, len(names), size):  # in batches, so that memory does not grow with the pairs
        batch = names[start : start + size]
        pairings = [pair(columns[first], columns[second]) for first, second in batch]
        differences = {str(number): pairing.differences for number, pairing in enumerate(pairings)}
        contrasts = paired_contrasts(differences, clusters, bootstrap, scale)
        found += [
            _pair(both, pairing, contrast, clusters, noise, scale)
            for both, pairing, contrast in zip(batch, pairings, contrasts, strict=True)
        ]
    adjusted = adjust([one.contrast for one in found])
    level = LEVEL / max(1, len(found))
    return tuple(
        evolve(one, contrast=contrast, detectable=detectable(contrast, level))
        for one, contrast in zip(found, adjusted, strict=True)
    )


def detectable(contrast: Contrast, level: float = LEVEL) -> float | None:
    """Return the smallest true difference that is found with 80 % power; None where the sample cannot tell."""
    return smallest_detectable_effect(contrast, alpha=level) if contrast.standard_error else None


def _pair(
    both: tuple[str, str],
    pairing: Pairing,
    contrast: Contrast,
    clusters: Mapping[str, str],
    noise: Mapping[str, TrialNoise],
    scale: float,
) -> Pair:
    few = 0 < contrast.n_clusters <= FEW_CLUSTERS
    flipped = sign_flip(pairing.differences, clusters).p if few else None
    p = contrast.p if contrast.p is None or flipped is None else max(contrast.p, flipped)
    floor = noise_floor(noise[both[0]], noise[both[1]], pairing.differences)
    return Pair(
        first=both[0],
        second=both[1],
        contrast=evolve(contrast, name=f"{both[0]} - {both[1]}", p=p),
        p_bootstrap=contrast.p,
        p_sign_flip=flipped,
        unmatched=len(pairing.unmatched),
        floor=_scaled(floor, scale),
        detectable=None,
    )


def _ordered(means: Mapping[str, float | None]) -> tuple[str, ...]:
    """Return the names, the highest mean first, equal ones by name, those without a mean last."""
    return tuple(sorted(means, key=lambda name: (means[name] is None, -(means[name] or 0.0), name)))


def _bootstrap(pairs: int) -> Bootstrap:
    return evolve(DEFAULT_BOOTSTRAP, n_resamples=max(DEFAULT_BOOTSTRAP.n_resamples, RESAMPLES_PER_PAIR * pairs))


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale
