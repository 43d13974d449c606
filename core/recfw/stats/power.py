"""Power of a paired cluster design: the smallest difference that it would find, and which pairs it tells apart."""

from collections.abc import Iterable

from scipy.special import ndtri

from recfw.errors import DataError
from recfw.stats.results import Contrast


def smallest_detectable_effect(contrast: Contrast, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """
    Return the true difference that a two-sided test at level alpha finds with the given power, in the contrast's unit.

    Normal approximation: (z(1 - alpha / 2) + z(power)) times the bootstrap's standard error, 2.80 times by default. The
    standard error is taken to be the same at that difference as at the observed one, and the chance of a significant
    result of the wrong sign is neglected. It is a property of the design and of how much the tasks vary, not of how
    large the observed difference is. None where the contrast has no standard error.

    Raises:
        DataError: power or alpha outside (0, 1), or power below alpha.
    """
    if not 0 < alpha < 1 or not alpha < power < 1:
        raise DataError(f"power needs 0 < alpha < power < 1, not alpha {alpha} and power {power}.")
    if contrast.standard_error is None:
        return None
    return float(ndtri(1 - alpha / 2) + ndtri(power)) * contrast.standard_error


def separated_pairs(contrasts: Iterable[Contrast]) -> tuple[Contrast, ...]:
    """Return the contrasts whose interval lies wholly on one side of zero: the pairs that the tasks tell apart."""
    return tuple(contrast for contrast in contrasts if contrast.separated)
