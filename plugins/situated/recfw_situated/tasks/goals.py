"""Makes a goal around a target product: wishes, an unwanted feature, a budget, policies (appendix A.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from attrs import define, frozen

from recfw.model.draws import Draws
from recfw_situated.profiles.records import HIGH, LOW, MEDIUM, Profile
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.budget import budget_for
from recfw_situated.tasks.records import (
    ALTERNATIVES,
    EXPLANATIONS,
    FLEXIBLE,
    MODERATE,
    OPENINGS,
    STRICT,
    UNSUITABLE,
    Acceptance,
    Disclosure,
    Goal,
    Wish,
)

Labels = Mapping[str, Sequence[str | None]]
"""Attribute label -> how it is said after "something" and after "nothing"; None where nobody says it so."""

_TIERS = {HIGH: (STRICT, MODERATE), MEDIUM: (STRICT, MODERATE, FLEXIBLE), LOW: (MODERATE, FLEXIBLE)}
_EXPLAINED = {LOW: EXPLANATIONS[:1], MEDIUM: EXPLANATIONS[:2], HIGH: EXPLANATIONS[1:]}
_ALTERNATIVES = {LOW: ALTERNATIVES[:1], MEDIUM: ALTERNATIVES[1:2], HIGH: ALTERNATIVES[1:]}


@cache
def task_data(name: str) -> Mapping[str, Any]:
    """Return a data file of this package, by kind of scene."""
    text = (files("recfw_situated.tasks") / "data" / name).read_text(encoding="utf-8")
    held: Mapping[str, Any] = yaml.safe_load(text)
    return held


@frozen
class Asked:
    """What an errand asks for: the request, the categories that count, how these are called, what it is for."""

    request: str
    categories: tuple[str, ...]
    words: str
    use: str


@define
class Goals:
    """
    Makes the goals of one scene.

    Args:
        scene: Its records.
        labels: How its attribute labels are said.
    """

    scene: Scene
    labels: Labels

    def group(self, categories: Sequence[str]) -> list[Product]:
        """Return the products of some categories, in catalog order."""
        return [product for product in self.scene.products if product.category in categories]

    def sayable(self, product: Product) -> list[str]:
        """Return the labels of a product that somebody may wish for."""
        return [tag for tag in product.tags if tag in self.labels and self.labels[tag][0]]

    def make(
        self, asked: Asked, target: Product, profile: Profile, likes: Sequence[str], draws: Draws
    ) -> tuple[Goal, tuple[str, ...]]:
        """Return a goal around a target, and its reference set."""
        group = self.group(asked.categories)
        wishes = self._wishes(likes, target, group, draws)
        unwanted = self._unwanted(target, group, draws)
        eligible = [product for product in group if meets(product, wishes, unwanted)]
        tier = draws.choice(_TIERS[profile.price_sensitivity])
        budget = budget_for(target.price, [product.price for product in eligible], tier)
        goal = Goal(
            request=asked.request,
            categories=asked.categories,
            category_words=asked.words,
            use=asked.use,
            preferences=tuple(wishes),
            unwanted=tuple(unwanted),
            budget=budget,
            tier=tier,
            disclosure=_disclosure(len(wishes), len(unwanted), draws),
            acceptance=Acceptance(
                draws.choice(_ALTERNATIVES[profile.substitute_willingness]),
                draws.choice(_EXPLAINED[profile.explanation_seeking]),
                draws.choice(UNSUITABLE),
            ),
        )
        return goal, tuple(product.id for product in eligible if product.price <= budget)

    def _wishes(self, likes: Sequence[str], target: Product, group: Sequence[Product], draws: Draws) -> list[Wish]:
        """Return two or three features of the target, first those that the shopper minds and that set it apart."""
        held = Counter(tag for product in group for tag in product.tags)
        labels = self.sayable(target)
        draws.shuffle(labels)
        labels.sort(key=lambda tag: (tag not in likes, held[tag] == len(group)))
        count = min(len(labels), draws.choice((2, 2, 3)))
        return [Wish(tag, self._said(tag, 0)) for tag in labels[:count]]

    def _unwanted(self, target: Product, group: Sequence[Product], draws: Draws) -> list[Wish]:
        """Return a feature that some rival of the target has and it has not; none where there is no such feature."""
        found = sorted({tag for product in group for tag in product.tags} - set(target.tags))
        spoken = [tag for tag in found if tag in self.labels and self.labels[tag][1]]
        return [Wish(tag, self._said(tag, 1)) for tag in draws.sample(spoken, min(len(spoken), 1))]

    def _said(self, tag: str, side: int) -> str:
        return str(self.labels[tag][side])


def meets(product: Product, wishes: Sequence[Wish], unwanted: Sequence[Wish]) -> bool:
    """Tell whether a product has every feature that is wished for and none that is not wanted."""
    tags = frozenset(product.tags)
    return all(wish.label in tags for wish in wishes) and not any(wish.label in tags for wish in unwanted)


def _disclosure(wishes: int, unwanted: int, draws: Draws) -> Disclosure:
    """Return how a goal is told: what the opening left out, then budget, unwanted features and needs."""
    opens = draws.choice(OPENINGS)
    left = {"category": ["use"], "use": ["category"], "both": []}[opens]
    order = [*left, "budget", *(f"unwanted:{n}" for n in range(unwanted)), *(f"need:{n}" for n in range(wishes))]
    return Disclosure(opens, tuple(order))
