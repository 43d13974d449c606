"""How many tasks of each kind: the paper's totals by level group and domain, and how ambiguity is spread."""

from collections.abc import Mapping

from recfw.model.draws import Draws
from recfw_orchestration.data.records import Domain
from recfw_orchestration.tasks.records import AMBIGUITIES, LEVELS

COUNTS: Mapping[Domain, Mapping[str, int]] = {
    "electronics": {"L1": 100, "L2": 225, "L3": 224, "L4": 126},
    "local": {"L1": 100, "L2": 142, "L3": 143, "L4": 80},
    "places": {"L1": 100, "L2": 16, "L3": 16, "L4": 16},
}
"""Domain -> level -> tasks: 1,288 in all (orchestration.md section 3)."""

SHARES: Mapping[str, int] = {"low": 40, "moderate": 40, "high": 20}
"""Ambiguity level -> percent of each cell (paper, section B.1)."""


def scaled(percent: int, domains: tuple[Domain, ...]) -> dict[Domain, dict[str, int]]:
    """Return the counts of some domains, each cell a percentage of the paper's, rounded up."""
    return {
        domain: {level: -(-COUNTS[domain][level] * percent // 100) for level in LEVELS}
        for domain in COUNTS
        if domain in domains
    }


def spread(count: int) -> dict[str, int]:
    """Return ambiguity level -> tasks of a cell: whole numbers by largest remainder, equal remainders in order."""
    exact = {level: count * SHARES[level] for level in AMBIGUITIES}
    found = {level: value // 100 for level, value in exact.items()}
    order = sorted(AMBIGUITIES, key=lambda level: (-(exact[level] % 100), AMBIGUITIES.index(level)))
    for level in order[: count - sum(found.values())]:
        found[level] += 1
    return found


def ambiguities(count: int, draws: Draws) -> list[str]:
    """Return the ambiguity level of each task of a cell, in random order."""
    found = [level for level, many in spread(count).items() for _ in range(many)]
    draws.shuffle(found)
    return found
