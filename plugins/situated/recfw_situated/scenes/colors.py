"""Mask colours: unique, far apart in at least one channel, dealt so that neighbours in a file differ widely."""

from recfw.errors import DataError
from recfw_situated.scenes.records import BACKGROUND, Color

LEVELS = 7
MOST_LEVELS = 16
_GOLDEN = 0.6180339887498949


def mask_colors(count: int) -> tuple[Color, ...]:
    """
    Return `count` mask colours, none of them the background's black.

    Every channel takes one of seven values 42.5 apart (more, closer ones only where there are more than 342 things), so
    that the nearest palette entry survives an error of 20 in every channel, and a colour curve applied by an engine
    keeps values apart.

    Raises:
        DataError: There are more things than colours that a mask can tell apart.
    """
    levels = LEVELS
    while levels**3 - 1 < count:
        levels += 1
    if levels > MOST_LEVELS:
        raise DataError(
            f"{count} things need mask colours, but only {MOST_LEVELS**3 - 1} can be told apart.",
            "Leave products out, or make two scenes of it.",
        )
    values = [round(255 * step / (levels - 1)) for step in range(levels)]
    grid = [(r, g, b) for r in values for g in values for b in values if (r, g, b) != BACKGROUND]
    stride = _coprime(len(grid))
    return tuple(grid[(place + 1) * stride % len(grid)] for place in range(count))


def _coprime(size: int) -> int:
    """Return the step nearest above the golden section that visits every entry of a ring once."""
    stride = round(size * _GOLDEN)
    while any(size % divisor == 0 and stride % divisor == 0 for divisor in range(2, size)):
        stride += 1
    return stride
