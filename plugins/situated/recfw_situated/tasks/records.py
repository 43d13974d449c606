"""A shopping goal (the paper, appendix A.2): request, preferences, budget, disclosure and acceptance; and its task."""

from typing import Any

from attrs import field, frozen, validators

from recfw.model.task import Task
from recfw.serialize import from_data, to_data
from recfw_situated.profiles.records import Profile
from recfw_situated.scenes.files import SCENES
from recfw_situated.scenes.records import Scene

STRICT, MODERATE, FLEXIBLE = "strict", "moderate", "flexible"
TIERS = (STRICT, MODERATE, FLEXIBLE)
OPENINGS = ("category", "use", "both")
ALTERNATIVES = ("none", "after rejection", "open")
"""Whether it takes a product that misses one wish: never; once another was unsuitable; from the start."""
EXPLANATIONS = ("none", "a reason", "a reason and a fact")
UNSUITABLE = ("reject", "ask", "compare")
"""What it does about an unsuitable suggestion, besides giving its reason."""


@frozen
class Wish:
    """
    One feature that is wished for, or not wanted.

    Args:
        label: Attribute label of the catalog.
        words: As a shopper says it, to follow "something" or "nothing": "made of oak", "with nuts in it".
    """

    label: str
    words: str


@frozen
class Disclosure:
    """
    How the goal is told: with what it opens, and in which order details follow, at most one new one a turn.

    ``order`` holds keys: ``category``, ``use``, ``budget``, ``unwanted:N``, ``need:N``.
    """

    opens_with: str = field(validator=validators.in_(OPENINGS))
    order: tuple[str, ...]


@frozen
class Acceptance:
    """When something is bought: alternatives, the explanation needed before, and what is done about unsuitable ones."""

    alternatives: str = field(validator=validators.in_(ALTERNATIVES))
    explanation: str = field(validator=validators.in_(EXPLANATIONS))
    unsuitable: str = field(validator=validators.in_(UNSUITABLE))


@frozen
class Goal:
    """
    What one shopper wants, as far as the user is told: nothing here names the target product.

    Args:
        request: The errand in the first person.
        categories: Categories of the catalog that count as what is asked for.
        category_words: As a shopper says it, with an article: "some fresh fruit".
        use: What it is for, to follow "for": "quick weekday breakfasts".
        preferences: Wishes, all of which a reference product meets.
        unwanted: Features that no reference product has.
        budget: Most that is paid, USD.
        tier: Budget tier.
        disclosure, acceptance: Policies.
    """

    request: str
    categories: tuple[str, ...]
    category_words: str
    use: str
    preferences: tuple[Wish, ...]
    unwanted: tuple[Wish, ...]
    budget: float
    tier: str = field(validator=validators.in_(TIERS))
    disclosure: Disclosure
    acceptance: Acceptance


@frozen
class SituatedTask:
    """
    One task of the pool.

    Args:
        id: ``<profile>.<1 to 4>``.
        profile: The shopper.
        goal: What it wants.
        target: Product that the goal was made around.
        reference: Products that meet the labels, have nothing unwanted and are within the budget, in catalog order.
        subset: Which of the four subsets of the scene it is in, 1 to 4.
    """

    id: str
    profile: Profile
    goal: Goal
    target: str
    reference: tuple[str, ...]
    subset: int

    @property
    def scene(self) -> str:
        """Where it is played."""
        return self.profile.scene


def public_of(scene: Scene) -> dict[str, Any]:
    """
    Return the public half of a scene's tasks: its name.

    Of a store of one's own also what figures need to know of it, since it may not be at hand where a trace is scored:
    ``kind``, and ``homes``, product -> ids of the stores and areas that it stands in.
    """
    if scene.name in SCENES:
        return {"scene": scene.name}
    homes: dict[str, list[str]] = {}
    for product in scene.products:
        areas = [scene.area_by_id[place] for place in product.places if place in scene.area_by_id]
        if areas:
            homes[product.id] = sorted({name for area in areas for name in (area.id, area.store)})
    return {"scene": scene.name, "kind": scene.kind, "homes": homes}


def to_task(task: SituatedTask, public: dict[str, Any] | None = None) -> Task:
    """Return a task as core holds it; its public half is the scene's name unless told (:func:`public_of`)."""
    profile = task.profile
    facets = {"scene": task.scene, "subset": f"{task.scene} {task.subset}", "tier": task.goal.tier}
    private: dict[str, Any] = {
        "profile": to_data(profile),
        "goal": to_data(task.goal),
        "target": task.target,
        "reference": list(task.reference),
    }
    return Task(task.id, profile.id, facets, public or {"scene": task.scene}, private)


def goal_of(private: dict[str, Any]) -> Goal:
    """Return the goal of a task's private half."""
    return from_data(private["goal"], Goal, "goal")


def profile_of(private: dict[str, Any]) -> Profile:
    """Return the profile of a task's private half."""
    return from_data(private["profile"], Profile, "profile")
