"""Draws the 200 tasks: a target for each errand of each role, needs around it, and a budget (appendix A.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

import yaml
from attrs import define, field

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_situated.actions.user import SCENES
from recfw_situated.profiles.records import HIGH, LOW, MEDIUM, Profile
from recfw_situated.profiles.roles import Errand, Role, draw_profile, roles
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
    SituatedTask,
    Wish,
)

SEED = 42
"""Of the tasks that ship."""
SUBSET_SEED = 42
"""Of the four subsets (appendix C.1)."""

_TIERS = {HIGH: (STRICT, MODERATE), MEDIUM: (STRICT, MODERATE, FLEXIBLE), LOW: (MODERATE, FLEXIBLE)}
_EXPLAINED = {LOW: EXPLANATIONS[:1], MEDIUM: EXPLANATIONS[:2], HIGH: EXPLANATIONS[1:]}
_ALTERNATIVES = {LOW: ALTERNATIVES[:1], MEDIUM: ALTERNATIVES[1:2], HIGH: ALTERNATIVES[1:]}


@cache
def _data(name: str, scene: str) -> Mapping[str, Any]:
    text = (files("recfw_situated.tasks") / "data" / name).read_text(encoding="utf-8")
    held: Mapping[str, Any] = yaml.safe_load(text)[scene]
    return held


def draw_tasks(scenes: Mapping[str, Scene], seed: int = SEED) -> list[SituatedTask]:
    """
    Return all tasks of both scenes, in the bank's order.

    Args:
        scenes: Name -> scene, of each scene that tasks are wanted for.
        seed: Of all draws but the subsets'.

    Raises:
        DataError: An errand has no product that it could be made around.
    """
    found: list[SituatedTask] = []
    for name in SCENES:
        if name in scenes:
            found += _Bank(scenes[name], name, seed).draw()
    return found


@define
class _Bank:
    """The tasks of one scene being drawn."""

    scene: Scene
    name: str
    seed: int
    used: Counter[str] = field(factory=Counter)

    def draw(self) -> list[SituatedTask]:
        shuffle = Random(SUBSET_SEED)  # the paper's own seed; its shuffle() has been the same since Python 3.2
        found: list[SituatedTask] = []
        for role in roles(self.name):
            profile = draw_profile(role, self.seed)
            order = [0, 1, 2, 3]
            shuffle.shuffle(order)
            places: set[str] = set()
            for number, errand in enumerate(role.errands):
                task = self._task(role, profile, errand, number, order.index(number) + 1, places)
                places.update(self.scene.product_by_id[task.target].places)
                found.append(task)
        return found

    def _task(
        self, role: Role, profile: Profile, errand: Errand, number: int, subset: int, places: set[str]
    ) -> SituatedTask:
        draws = Draws(self.seed, "task", role.id, number)
        words, *categories = _data("groups.yaml", self.name)[errand.group]
        group = [product for product in self.scene.products if product.category in categories]
        target = self._target(role, group, draws, places, f"{role.id}: {errand.group}")
        wishes = self._wishes(role, target, group, draws)
        unwanted = self._unwanted(target, group, draws)
        eligible = [product for product in group if meets(product, wishes, unwanted)]
        tier = draws.choice(_TIERS[profile.price_sensitivity])
        budget = budget_for(target.price, [product.price for product in eligible], tier)
        goal = Goal(
            request=f"{errand.request[0].upper()}{errand.request[1:]}.",
            categories=tuple(categories),
            category_words=words,
            use=errand.use,
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
        reference = tuple(product.id for product in eligible if product.price <= budget)
        return SituatedTask(f"{role.id}.{number + 1}", profile, goal, target.id, reference, subset)

    def _target(self, role: Role, group: Sequence[Product], draws: Draws, places: set[str], where: str) -> Product:
        """Return a product that suits the role, seldom used before, and in a place that the role has no target in."""
        able = [product for product in group if len(self._sayable(product)) >= 2 and product.places]
        if not able:
            raise DataError(f"{where}: the catalog has no product that this errand could be made around.")
        liked = frozenset(role.likes)

        def cost(product: Product) -> float:
            fresh = 0.0 if not places.intersection(product.places) else 2.0
            return 1.5 * self.used[product.id] + fresh - len(liked.intersection(product.tags))

        least = min(map(cost, able))
        chosen = draws.choice([product for product in able if cost(product) <= least + 1.0])
        self.used[chosen.id] += 1
        return chosen

    def _sayable(self, product: Product) -> list[str]:
        words = _data("labels.yaml", self.name)
        return [tag for tag in product.tags if tag in words and words[tag][0]]

    def _wishes(self, role: Role, target: Product, group: Sequence[Product], draws: Draws) -> list[Wish]:
        """Return two or three features of the target, first those that the role minds and that set it apart."""
        words = _data("labels.yaml", self.name)
        held = Counter(tag for product in group for tag in product.tags)
        labels = self._sayable(target)
        draws.shuffle(labels)
        labels.sort(key=lambda tag: (tag not in role.likes, held[tag] == len(group)))
        count = min(len(labels), draws.choice((2, 2, 3)))
        return [Wish(tag, words[tag][0]) for tag in labels[:count]]

    def _unwanted(self, target: Product, group: Sequence[Product], draws: Draws) -> list[Wish]:
        """Return a feature that some rival of the target has and it has not; none where there is no such feature."""
        words = _data("labels.yaml", self.name)
        found = sorted({tag for product in group for tag in product.tags} - set(target.tags))
        spoken = [tag for tag in found if tag in words and words[tag][1]]
        return [Wish(tag, words[tag][1]) for tag in draws.sample(spoken, min(len(spoken), 1))]


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
