"""Draws tasks for a store of one's own: shoppers of the bank, with errands made of what the store has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from attrs import define, evolve, field, frozen

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_situated.profiles.roles import Role, draw_profile, roles
from recfw_situated.scenes.files import Entry, read_yaml
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.generate import SEED, SUBSET_SEED, deal
from recfw_situated.tasks.goals import Asked, Goals, Labels, task_data
from recfw_situated.tasks.records import SituatedTask

MOST = 4
"""Tasks of a shopper; fewer where the store has fewer products that a task can be made around."""
SHOPPERS = 25
"""Shoppers of a whole bank: as many as there are roles of a kind of store."""
WORDS = "words.yaml"
"""Where a store may say how shoppers speak of its goods, in its folder."""


@frozen
class Words:
    """
    How shoppers speak of a store's goods.

    Args:
        categories: Category -> how it is called, with an article: "some biscuits".
        labels: Attribute label -> as for the stores that ship.
        uses: What products may be for, to follow "for".
    """

    categories: Mapping[str, str]
    labels: Labels
    uses: tuple[str, ...]


def read_words(scene: Scene, folder: Path) -> Words:
    """
    Return a store's words: those of its ``words.yaml``, if it has one, before those that every store is given.

    Raises:
        DataError: The file is not as it must be, or speaks of a category or label that no product has.
    """
    entry = Entry(f"{folder.name}/{WORDS}", read_yaml(folder / WORDS) if (folder / WORDS).exists() else {})
    categories, labels = entry.take("categories", dict, {}), entry.take("labels", dict, {})
    uses = entry.take("uses", list, []) or task_data("own.yaml")[scene.kind]["uses"]
    entry.done()
    kinds = list(dict.fromkeys(product.category for product in scene.products))
    tags = list(dict.fromkeys(tag for product in scene.products for tag in product.tags))
    for what, told, known in (("category", categories, kinds), ("label", labels, tags)):
        for name in told:
            if name not in known:
                raise entry.error(f"no product has the {what} '{name}'.")
    for name, said in categories.items():
        if not isinstance(said, str):
            raise entry.error(f"category '{name}' must be words, such as 'some biscuits', not {said!r}.")
    for name, said in labels.items():
        if not isinstance(said, list) or len(said) != 2 or not all(one is None or isinstance(one, str) for one in said):
            raise entry.error(f'label \'{name}\' must be [after "something", after "nothing"] or null, not {said!r}.')
    if not all(isinstance(use, str) for use in uses):
        raise entry.error("'uses' must be a list of texts.")
    known_labels = task_data("labels.yaml")[scene.kind]
    spoken = {tag: labels.get(tag, known_labels.get(tag, [f"marked as {tag}"] * 2)) for tag in tags}
    return Words({kind: categories.get(kind, f"something in the way of {kind}") for kind in kinds}, spoken, tuple(uses))


def prefix_of(scene: Scene) -> str:
    """Return what the ids of a store's shoppers begin with: its name in lower case, letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", scene.name.lower()).strip("-") or "store"


def draw_own(scene: Scene, words: Words, seed: int = SEED, shoppers: int = SHOPPERS) -> list[SituatedTask]:
    """
    Return tasks for a store of one's own: up to four a shopper, each around a different product.

    Args:
        scene: Its records.
        words: How its goods are spoken of.
        seed: Of all draws but the subsets'.
        shoppers: How many, at most :data:`SHOPPERS`.

    Raises:
        DataError: The store has no product that a task could be made around.
    """
    bank = _Own(Goals(scene, words.labels), words, seed)
    if not bank.able:
        hint = "A task is made around a product that stands somewhere and has a tag that shoppers speak of."
        raise DataError(f"{scene.name}: no product is fit for a task.", hint)
    shuffle, prefix = Random(SUBSET_SEED), prefix_of(scene)
    found: list[SituatedTask] = []
    for role in roles(scene.kind)[:shoppers]:
        found += bank.shopper(role, f"{prefix}-{role.number:02d}", deal(shuffle))
    return found


@define
class _Own:
    """The tasks of one store being drawn."""

    goals: Goals
    words: Words
    seed: int
    used: Counter[str] = field(factory=Counter)
    able: tuple[Product, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        products = self.goals.scene.products
        self.able = tuple(one for one in products if one.places and self.goals.sayable(one))

    def shopper(self, role: Role, name: str, subsets: Sequence[int]) -> list[SituatedTask]:
        """Return the tasks of one shopper."""
        scene = self.goals.scene
        drawn = draw_profile(role, self.seed)
        profile = evolve(drawn, id=name, scene=scene.name, theme=f"errands in {scene.title}")
        found: list[SituatedTask] = []
        chosen: list[Product] = []
        for number in range(min(MOST, len(self.able))):
            draws = Draws(self.seed, "own", name, number)
            target = self._target(role, chosen, draws)
            use, called = draws.choice(self.words.uses), self.words.categories[target.category]
            asked = Asked(f"Something that will do for {use}.", (target.category,), called, use)
            goal, reference = self.goals.make(asked, target, profile, role.likes, draws)
            found.append(SituatedTask(f"{name}.{number + 1}", profile, goal, target.id, reference, subsets[number]))
            chosen.append(target)
        return found

    def _target(self, role: Role, chosen: Sequence[Product], draws: Draws) -> Product:
        """Return a product that the shopper has no task of, best of another place and category, seldom used before."""
        liked = frozenset(role.likes)
        places = {place for one in chosen for place in one.places}
        kinds = {one.category for one in chosen}
        left = [one for one in self.able if one not in chosen]

        def cost(one: Product) -> float:
            near = 4.0 * (not places.isdisjoint(one.places)) + 2.0 * (one.category in kinds)
            return 1.5 * self.used[one.id] + near - min(2, len(liked.intersection(one.tags)))

        if len(places) == 1 and (elsewhere := [one for one in left if places.isdisjoint(one.places)]):
            left = elsewhere
        least = min(map(cost, left))
        target = draws.choice([one for one in left if cost(one) <= least + 1.0])
        self.used[target.id] += 1
        return target
