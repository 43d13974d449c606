"""Correlations of assistant-level means between two sources (appendix C.2): people and judge, people and simulation."""

from collections.abc import Mapping, Sequence
from math import fsum

from attrs import field, frozen

from recfw.stats.agreement import pearson, spearman
from recfw_situated.human.answers import Answer
from recfw_situated.human.forms import items


@frozen
class Agreement:
    """
    How two sources agree on one figure.

    Args:
        figure: Which.
        assistants: Over which assistants, those that both have.
        first, second: Their means, unrounded, in this order.
        pearson: Linear correlation; None where one side is constant or there are fewer than two assistants.
        spearman: Rank correlation with midranks, differences within 1e-12 being ties; None likewise.
    """

    figure: str
    assistants: tuple[str, ...]
    first: tuple[float, ...] = field(repr=False)
    second: tuple[float, ...] = field(repr=False)
    pearson: float | None
    spearman: float | None


def agree(figure: str, first: Mapping[str, float | None], second: Mapping[str, float | None]) -> Agreement:
    """Return the agreement of two mappings from assistant to mean."""
    both = tuple(name for name, value in first.items() if value is not None and second.get(name) is not None)
    one = tuple(float(first[name] or 0.0) for name in both)
    other = tuple(float(second[name] or 0.0) for name in both)
    return Agreement(figure, both, one, other, pearson(one, other), spearman(one, other))


def questionnaire_means(answers: Sequence[Answer]) -> dict[str, dict[str, float]]:
    """Return item -> assistant -> mean points over the trajectories that were rated, assistants in order of names."""
    names = sorted({answer.visit.assistant for answer in answers})
    return {
        item: {
            name: fsum(points) / len(points)
            for name in names
            if (points := [one.points[item] for one in answers if one.visit.assistant == name])
        }
        for item in items()
    }
