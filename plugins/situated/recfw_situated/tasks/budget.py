"""What a shopper may spend (appendix A.3, step 4; the exact positions and increments are this track's decision)."""

import math
from collections.abc import Sequence

from recfw_situated.tasks.records import FLEXIBLE, MODERATE

_INCREMENTS = ((20.0, 1.0), (100.0, 5.0), (400.0, 10.0), (1000.0, 50.0))
"""(below this price, rounded up to a multiple of this); 100 from 1,000 on."""


def increment(price: float) -> float:
    """Return to multiples of what a price is rounded up."""
    return next((step for limit, step in _INCREMENTS if price < limit), 100.0)


def base_price(target: float, eligible: Sequence[float], tier: str) -> float:
    """
    Return the price that a budget is rounded up from.

    Args:
        target: The target's price.
        eligible: Prices of the products that meet the labels, in any order; the target's may be among them.
        tier: strict, moderate or flexible.
    """
    dearer = sorted(price for price in eligible if price > target)
    if tier not in {MODERATE, FLEXIBLE} or not dearer:
        return target
    parts = 1 if tier == MODERATE else 2
    return dearer[math.ceil(parts * len(dearer) / 3) - 1]


def budget_for(target: float, eligible: Sequence[float], tier: str) -> float:
    """Return the budget: the base price rounded up, and always above the target's price."""
    base = base_price(target, eligible, tier)
    step = increment(base)
    budget = math.ceil(round(base / step, 9)) * step
    return budget if budget > target else budget + step
