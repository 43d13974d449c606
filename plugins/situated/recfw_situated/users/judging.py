"""Judging a product by what was revealed of it: price, labels, attributes; never by the catalog."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw_situated.tasks.records import Goal, Wish

Facts = Mapping[str, Any]
"""What inspection reveals of a product: ``name``, ``category``, ``price``, ``tags``, ``attributes``."""


@frozen
class Verdict:
    """
    What is wrong with a product.

    Args:
        over: By how many USD it is over the budget; 0 where it is not.
        other: It is of no category that is wished for.
        unwanted: Unwanted features that it has.
        missing: Wishes that it does not meet.
    """

    over: float = 0.0
    other: bool = False
    unwanted: tuple[Wish, ...] = ()
    missing: tuple[Wish, ...] = ()

    @property
    def fits(self) -> bool:
        """Nothing is wrong with it."""
        return self.acceptable(0)

    def acceptable(self, misses: int) -> bool:
        """Tell whether it is affordable, of the right kind, not unwanted, and misses no more wishes than this."""
        return not (self.over or self.other or self.unwanted) and len(self.missing) <= misses


def judge(goal: Goal, facts: Facts) -> Verdict:
    """Return what is wrong with a product whose facts are known."""
    labels = frozenset(facts["tags"])
    return Verdict(
        over=round(max(0.0, float(facts["price"]) - goal.budget), 2),
        other=facts["category"] not in goal.categories,
        unwanted=tuple(wish for wish in goal.unwanted if wish.label in labels),
        missing=tuple(wish for wish in goal.preferences if wish.label not in labels),
    )


@frozen
class Claim:
    """What the assistant said of a product: a price, or a wished feature that it has, or an unwanted one it has not."""

    fact: str
    said: float | bool


@frozen
class Exposure:
    """A claim that inspection showed to be false."""

    product: str
    fact: str
    said: float | bool
    found: float | bool


def expose(goal: Goal, facts: Facts, claims: Sequence[Claim]) -> list[Exposure]:
    """Return the claims about a product that its facts contradict."""
    labels, found = frozenset(facts["tags"]), []
    known = {wish.label for wish in (*goal.preferences, *goal.unwanted)}
    for claim in claims:
        truth: float | bool = float(facts["price"]) if claim.fact == "price" else claim.fact in labels
        off = abs(claim.said - truth) >= 0.5 if claim.fact == "price" else claim.said != truth
        if off and (claim.fact == "price" or claim.fact in known):
            found.append(Exposure(facts["name"], claim.fact, claim.said, truth))
    return list(dict.fromkeys(found))
