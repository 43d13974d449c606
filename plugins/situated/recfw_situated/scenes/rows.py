"""Spreads goods along a board or a stretch of floor: even gaps, facings of one product close together."""

from collections.abc import Sequence

from recfw.errors import DataError

LEAST_GAP = 0.6  # between two facings of a product, cm
CLOSE_GAP = 5.0  # the most between two facings of a product


def spread(groups: Sequence[tuple[float, int]], run: float, where: str) -> tuple[tuple[float, ...], ...]:
    """
    Return the middles of all facings, a tuple a group, from the left end of a run of some length.

    Args:
        groups: Width and number of facings of every product, from left to right.
        run: The length of the board.
        where: The board, for errors.

    Raises:
        DataError: The goods are wider than the board.
    """
    facings = sum(count for _, count in groups)
    taken = sum(width * count for width, count in groups)
    inner = facings - len(groups)
    if taken + LEAST_GAP * (inner + len(groups) + 1) > run:
        raise DataError(
            f"{where}: {facings} facings are {taken:.0f} cm wide, the board only {run:.0f} cm.",
            "Take facings away, or move a product to another board.",
        )
    gap = min(CLOSE_GAP, (run - taken) / (facings + 1)) if facings else 0.0
    between = (run - taken - gap * inner) / (len(groups) + 1)
    middles: list[tuple[float, ...]] = []
    edge = 0.0
    for width, count in groups:
        edge += between
        middles.append(tuple(edge + width / 2 + place * (width + gap) for place in range(count)))
        edge += count * width + (count - 1) * gap
    return tuple(middles)
