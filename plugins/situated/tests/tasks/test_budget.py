"""Budgets, by hand (appendix A.3, step 4)."""

import pytest

from recfw_situated.tasks.budget import budget_for


@pytest.mark.parametrize(
    ("target", "eligible", "tier", "budget"),
    [
        (4.49, [4.49], "strict", 5.0),
        (5.0, [5.0], "strict", 6.0),
        (19.5, [19.5], "strict", 20.0),
        (20.0, [20.0], "strict", 25.0),
        (99.0, [], "strict", 100.0),
        (100.0, [], "strict", 110.0),
        (399.0, [], "strict", 400.0),
        (400.0, [], "strict", 450.0),
        (999.0, [], "strict", 1000.0),
        (1000.0, [], "strict", 1100.0),
        (4.0, [4.0, 5.2, 6.3, 7.4], "moderate", 6.0),  # index ceil(3/3)-1 = 0
        (4.0, [4.0, 5.2, 6.3, 7.4], "flexible", 7.0),  # index ceil(6/3)-1 = 1
        (4.0, [7.4, 5.2], "moderate", 6.0),  # index ceil(2/3)-1 = 0
        (4.0, [7.4, 5.2], "flexible", 8.0),  # index ceil(4/3)-1 = 1
        (4.0, [5.0, 6.0, 7.0, 8.0], "moderate", 6.0),  # index ceil(4/3)-1 = 1
        (4.0, [5.0, 6.0, 7.0, 8.0], "flexible", 7.0),  # index ceil(8/3)-1 = 2
        (4.0, [3.0, 4.0], "flexible", 5.0),  # none dearer
        (19.0, [19.0, 23.0], "moderate", 25.0),
        (0.3, [0.3], "strict", 1.0),
    ],
)
def test_budget(target, eligible, tier, budget):
    """The tier's price is rounded up by its range's increment, above the target's price."""
    assert budget == budget_for(target, eligible, tier)
