"""Correction for several tests at once: Holm's step-down method."""

from collections.abc import Sequence

from recfw.errors import DataError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """
    Return adjusted p values in the order given: reject those at or below the level, and the family-wise error is held.

    Source: S. Holm, A simple sequentially rejective multiple test procedure (1979).

    Raises:
        DataError: A p value lies outside [0, 1].
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise DataError(f"p values lie in [0, 1]: {list(p_values)}.", "Leave tests without a p value out.")
    adjusted, running = [0.0] * len(p_values), 0.0
    for rank, position in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = running
    return tuple(adjusted)
