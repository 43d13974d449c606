"""Draws the 200 tasks: a target for each errand of each role, needs around it, and a budget (appendix A.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from attrs import define, field

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_situated.actions.user import SCENES
from recfw_situated.profiles.records import Profile
from recfw_situated.profiles.roles import Errand, Role, draw_profile, roles
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.goals import Asked, Goals, task_data
from recfw_situated.tasks.records import SituatedTask

SEED = 42
"""Of the tasks that ship."""
SUBSET_SEED = 42
"""Of the four subsets (appendix C.1)."""


def draw_tasks(scenes: Mapping[str, Scene], seed: int = SEED) -> list[SituatedTask]:
    """
    Return all tasks of the scenes that ship, in the bank's order.

    Args:
        scenes: Name -> scene, of each scene that tasks are wanted for.
        seed: Of all draws but the subsets'.

    Raises:
        DataError: An errand has no product that it could be made around.
    """
    found: list[SituatedTask] = []
    for name in SCENES:
        if name in scenes:
            found += _Bank(Goals(scenes[name], task_data("labels.yaml")[name]), name, seed).draw()
    return found


def deal(shuffle: Random) -> list[int]:
    """Return the subset, 1 to 4, of each of the next shopper's four tasks."""
    order = [0, 1, 2, 3]
    shuffle.shuffle(order)
    return [order.index(number) + 1 for number in range(4)]


@define
class _Bank:
    """The tasks of one scene being drawn."""

    goals: Goals
    name: str
    seed: int
    used: Counter[str] = field(factory=Counter)

    def draw(self) -> list[SituatedTask]:
        shuffle = Random(SUBSET_SEED)  # the paper's own seed; its shuffle() has been the same since Python 3.2
        found: list[SituatedTask] = []
        for role in roles(self.name):
            profile = draw_profile(role, self.seed)
            subsets = deal(shuffle)
            places: set[str] = set()
            for number, errand in enumerate(role.errands):
                task = self._task(role, profile, errand, number, subsets[number], places)
                places.update(self.goals.scene.product_by_id[task.target].places)
                found.append(task)
        return found

    def _task(
        self, role: Role, profile: Profile, errand: Errand, number: int, subset: int, places: set[str]
    ) -> SituatedTask:
        draws = Draws(self.seed, "task", role.id, number)
        words, *categories = task_data("groups.yaml")[self.name][errand.group]
        group = self.goals.group(categories)
        target = self._target(role, group, draws, places, f"{role.id}: {errand.group}")
        request = f"{errand.request[0].upper()}{errand.request[1:]}."
        asked = Asked(request, tuple(categories), words, errand.use)
        goal, reference = self.goals.make(asked, target, profile, role.likes, draws)
        return SituatedTask(f"{role.id}.{number + 1}", profile, goal, target.id, reference, subset)

    def _target(self, role: Role, group: Sequence[Product], draws: Draws, places: set[str], where: str) -> Product:
        """Return a product that suits the role, seldom used before, and in a place that the role has no target in."""
        able = [product for product in group if len(self.goals.sayable(product)) >= 2 and product.places]
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
