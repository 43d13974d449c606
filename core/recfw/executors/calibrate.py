"""Calibrating a run: a few of its trials are played, and the rest is projected from what they consumed."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from recfw.executors.budget import spending_of
from recfw.model.draws import Draws
from recfw.model.run import Trial, TrialKey
from recfw.stats.projection import Projection, project

FIGURES = ("cost", "tokens", "seconds")
"""What is projected: USD, tokens read and written, seconds of all trials added up."""


def calibration_sample(pending: Sequence[TrialKey], count: int, seed: int) -> tuple[TrialKey, ...]:
    """
    Return trials to try, spread evenly over the cells, drawn by the run's seed, in the order in which they are played.

    Every cell gets one at least, so that there may be more than were asked for.
    """
    by_cell: dict[str, list[TrialKey]] = {}
    for key in pending:
        by_cell.setdefault(key.cell, []).append(key)
    chosen: set[TrialKey] = set()
    for position, (cell, keys) in enumerate(sorted(by_cell.items())):
        share = count // len(by_cell) + (position < count % len(by_cell))
        chosen.update(Draws(seed, "calibration", cell).sample(keys, min(len(keys), max(1, share))))
    return tuple(key for key in pending if key in chosen)


@frozen
class Estimate:
    """What a run will come to: figure of ``FIGURES`` -> projection; one that is not known is left out."""

    projections: dict[str, Projection]


def estimate(pending: Iterable[TrialKey], tried: Iterable[Trial]) -> Estimate:
    """
    Return what the pending trials come to in all, by what those that were tried consumed, by cell.

    The cost is left out where any tried trial consumed tokens at no known price.
    """
    totals: dict[str, int] = {}
    for key in pending:
        totals[key.cell] = totals.get(key.cell, 0) + 1
    samples: dict[str, dict[str, list[float]]] = {figure: {} for figure in FIGURES}
    priced = True
    for trial in tried:
        used = spending_of(trial).values()
        tokens = sum(one.get("input_tokens", 0) + one.get("output_tokens", 0) for one in used)
        priced &= all("cost" in one for one in used if one.get("input_tokens") or one.get("output_tokens"))
        values = {"cost": sum(one.get("cost", 0.0) for one in used), "tokens": tokens, "seconds": trial.seconds}
        for figure, value in values.items():
            samples[figure].setdefault(trial.key.cell, []).append(value)
    if not priced:
        del samples["cost"]
    return Estimate({figure: project(by_cell, totals) for figure, by_cell in samples.items() if by_cell})
