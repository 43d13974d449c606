"""How long to wait before a request is sent again: exponential back-off with jitter, or what the provider asks."""

import random

FIRST = 0.5
"""Seconds before the first retry, before jitter."""


def pause(failures: int, after: float | None, most: float, draw: float | None = None) -> float:
    """
    Return the seconds to wait after a failed attempt.

    The wait doubles from ``FIRST``, of which a random part, half at most, is taken off, so that many who failed
    together do not come back together. It is no shorter than what the provider asked for, plus a tenth at most, nor
    longer than ``most``.

    Args:
        failures: How many attempts failed so far, this one included.
        after: Seconds that the provider asked for, if it did.
        most: Longest wait.
        draw: A number in [0, 1) in the place of a random one: no figure depends on it.
    """
    share = random.random() if draw is None else draw
    backed_off = FIRST * 2.0 ** min(max(failures, 1) - 1, 30) * (0.5 + share / 2)
    asked = 0.0 if after is None else after * (1 + share / 10)
    return min(most, max(backed_off, asked))
