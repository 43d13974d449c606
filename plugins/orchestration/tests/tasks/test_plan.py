"""How many tasks of each kind."""

import pytest

from recfw.model.draws import Draws
from recfw_orchestration.tasks.plan import COUNTS, ambiguities, scaled, spread


def test_counts_are_the_papers():
    """1,288 in all; 675, 465 and 148 by domain; 300 at L1 and 988 beyond."""
    domains = {domain: sum(levels.values()) for domain, levels in COUNTS.items()}
    single = sum(levels["L1"] for levels in COUNTS.values())
    assert (domains, single, sum(domains.values())) == ({"electronics": 675, "local": 465, "places": 148}, 300, 1288)


@pytest.mark.parametrize(
    ("count", "low", "moderate", "high"),
    [(100, 40, 40, 20), (225, 90, 90, 45), (224, 90, 89, 45), (143, 57, 57, 29), (16, 7, 6, 3), (1, 1, 0, 0)],
)
def test_ambiguity_is_spread_by_largest_remainder(count, low, moderate, high):
    """Equal remainders go to the lower level first; nothing is lost."""
    found = spread(count)
    assert (found, sum(found.values())) == ({"low": low, "moderate": moderate, "high": high}, count)


def test_ambiguities_hold_the_spread_in_random_order():
    """Equal draws, equal order."""
    found = ambiguities(100, Draws(1))
    assert (sorted(found), found == sorted(found), found) == (
        sorted(["low"] * 40 + ["moderate"] * 40 + ["high"] * 20),
        False,
        ambiguities(100, Draws(1)),
    )


def test_a_share_is_rounded_up_in_each_cell():
    """So no level of a domain is left out."""
    assert scaled(1, ("places",)) == {"places": {"L1": 1, "L2": 1, "L3": 1, "L4": 1}}
