"""Runs every rule over a pool of tasks."""

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from recfw.protocols import Problem
from recfw_situated.scenes.records import Product, Scene
from recfw_situated.tasks.records import Goal, SituatedTask

SHIP = ("supermarket", "furnishings")
STEPS = {20: 1, 100: 5, 400: 10, 1000: 50}
SHARES = {"strict": 0, "moderate": 1, "flexible": 2}


def validate(scenes: Mapping[str, Scene], tasks: Sequence[SituatedTask], *, whole: bool = True) -> list[Problem]:
    """
    Return what is wrong with a pool of tasks.

    Args:
        scenes: Name -> scene.
        tasks: The tasks of these scenes.
        whole: Whether the pool must be a whole bank: 25 profiles of a scene that ships, any number of another's.
    """
    found: list[Problem] = []
    for name, scene in scenes.items():
        mine = [task for task in tasks if task.profile.scene == name]
        for task in mine:
            found += [Problem(task.id, rule, words) for rule, words in _task(scene, task)]
        found += _profiles(scene, mine)
        if whole:
            found += _bank(name, mine) if name in SHIP else _own_bank(name, mine)
    return found


def _task(scene: Scene, task: SituatedTask) -> Iterator[tuple[str, str]]:
    target = next((product for product in scene.products if product.id == task.target), None)
    if target is None or all(instance.product != task.target for instance in scene.instances):
        yield "target", f"'{task.target}' is no product that stands in the scene"
        return
    yield from _labels(scene, task.goal, target)
    yield from _budget(scene, task, target)
    yield from _disclosure(task.goal)
    yield from _words(task.goal, target)
    yield from _levels(task)
    yield from _background(task)


def _labels(scene: Scene, goal: Goal, target: Product) -> Iterator[tuple[str, str]]:
    categories = {product.category for product in scene.products}
    for category in goal.categories:
        if category not in categories:
            yield "category", f"no product is of the category '{category}'"
    if target.category not in goal.categories:
        yield "category", f"the target is of '{target.category}', which is not asked for"
    tags = {tag for product in scene.products for tag in product.tags}
    wanted, unwanted = [w.label for w in goal.preferences], [w.label for w in goal.unwanted]
    if not wanted:
        yield "labels", "nothing is wished for"
    for label in (*wanted, *unwanted):
        if label not in tags:
            yield "labels", f"no product has the label '{label}'"
    named = [*wanted, *unwanted]
    for label in sorted({label for label in named if named.count(label) > 1}):
        yield "conflict", f"'{label}' is named twice, perhaps as wished for and not wanted"
    for label in wanted:
        if label not in target.tags:
            yield "target-fits", f"the target is not '{label}', which is wished for"
    for label in unwanted:
        if label in target.tags:
            yield "target-fits", f"the target is '{label}', which is not wanted"


def _eligible(scene: Scene, goal: Goal) -> list[Product]:
    wanted, unwanted = {w.label for w in goal.preferences}, {w.label for w in goal.unwanted}
    return [
        product
        for product in scene.products
        if product.category in goal.categories and wanted <= set(product.tags) and not unwanted & set(product.tags)
    ]


def _budget(scene: Scene, task: SituatedTask, target: Product) -> Iterator[tuple[str, str]]:
    goal, eligible = task.goal, _eligible(scene, task.goal)
    above = sorted(product.price for product in eligible if product.price > target.price)
    thirds = SHARES[goal.tier]
    base = above[-(-thirds * len(above) // 3) - 1] if above and thirds else target.price
    step = next((step for limit, step in STEPS.items() if base < limit), 100)
    right = math.ceil(base / step - 1e-9) * step
    right += step if right <= target.price else 0
    if goal.budget != right:
        yield "budget", f"the {goal.tier} budget is ${goal.budget:g}; the prices make it ${right:g}"
    if goal.budget <= target.price:
        yield "budget", f"the budget ${goal.budget:g} does not exceed the target's price ${target.price:g}"
    reference = [product.id for product in eligible if product.price <= goal.budget]
    if list(task.reference) != reference:
        yield "reference", f"the reference set is {list(task.reference)}; it should be {reference}"
    if target.id not in task.reference:
        yield "reference", "the target is not in the reference set"


def _disclosure(goal: Goal) -> Iterator[tuple[str, str]]:
    opens = goal.disclosure.opens_with
    first = {"category": ["use"], "use": ["category"], "both": []}[opens]
    unwanted = [f"unwanted:{n}" for n in range(len(goal.unwanted))]
    needs = [f"need:{n}" for n in range(len(goal.preferences))]
    right = [*first, "budget", *unwanted, *needs]
    if list(goal.disclosure.order) != right:
        yield "disclosure", f"the order is {list(goal.disclosure.order)}; it should be {right}"


def _words(goal: Goal, target: Product) -> Iterator[tuple[str, str]]:
    spoken = {
        "request": goal.request,
        "category_words": goal.category_words,
        "use": goal.use,
        **{f"words of '{wish.label}'": wish.words for wish in (*goal.preferences, *goal.unwanted)},
    }
    for name, words in spoken.items():
        if not words.strip():
            yield "words", f"{name} is empty"
        if target.name.casefold() in words.casefold() or f"{target.price:.2f}" in words:
            yield "words", f"{name} gives the target or its price away"


ALLOWED = {
    "price_sensitivity": {
        "high": {"strict", "moderate"},
        "medium": {"strict", "moderate", "flexible"},
        "low": {"moderate", "flexible"},
    },
    "substitute_willingness": {
        "low": {"none"},
        "medium": {"after rejection"},
        "high": {"after rejection", "open"},
    },
    "explanation_seeking": {
        "low": {"none"},
        "medium": {"none", "a reason"},
        "high": {"a reason", "a reason and a fact"},
    },
}


def _levels(task: SituatedTask) -> Iterator[tuple[str, str]]:
    goal = task.goal
    values = (goal.tier, goal.acceptance.alternatives, goal.acceptance.explanation)
    for (setting, allowed), value in zip(ALLOWED.items(), values, strict=True):
        level = getattr(task.profile, setting)
        if value not in allowed[level]:
            yield "levels", f"'{value}' does not go with {setting.replace('_', ' ')} '{level}'"


def _background(task: SituatedTask) -> Iterator[tuple[str, str]]:
    who = task.profile
    if who.employment == "retired" and who.age_group in {"18 to 24", "25 to 34", "35 to 44"}:
        yield "background", f"a retired person of {who.age_group}"
    if who.employment == "a student" and who.age_group in {"55 to 64", "65 or older"}:
        yield "background", f"a student of {who.age_group}"
    if "retired" in who.occupation and who.employment != "retired":
        yield "background", f"'{who.occupation}' is {who.employment}"
    if "student room" in who.housing and "family" in who.household:
        yield "background", f"{who.household} in {who.housing}"


def _profiles(scene: Scene, tasks: Sequence[SituatedTask]) -> list[Problem]:
    found: list[Problem] = []
    held: dict[str, list[SituatedTask]] = defaultdict(list)
    for task in tasks:
        held[task.profile.id].append(task)
    places = {instance.product: instance.place for instance in scene.instances}
    for profile, mine in held.items():
        targets = [task.target for task in mine]
        if len(set(targets)) < len(targets):
            found.append(Problem(profile, "coverage", "two tasks have the same target"))
        elsewhere = len({places.get(product.id) for product in scene.products if product.id in places}) > 1
        if len(mine) > 1 and elsewhere and len({places.get(target) for target in targets}) < 2:
            found.append(Problem(profile, "coverage", "all targets stand in one place"))
        if scene.name in SHIP and len(mine) == 4:
            found += [Problem(profile, "coverage", words) for words in _narrow(scene, mine)]
    return found


def _narrow(scene: Scene, tasks: Sequence[SituatedTask]) -> Iterator[str]:
    """Yield in what the four tasks of a profile are too much alike."""
    targets = [product for task in tasks for product in scene.products if product.id == task.target]
    kinds, places = {product.category for product in targets}, {product.places for product in targets}
    for what, least, found in (
        ("categories", 3, kinds),
        ("sets of places", 3, places),
        ("uses", 4, {task.goal.use for task in tasks}),
    ):
        if len(found) < least:
            yield f"the four tasks are of {len(found)} {what}, fewer than {least}"


def _bank(name: str, tasks: Sequence[SituatedTask]) -> Iterator[Problem]:
    wanted = [f"{name[0]}{n:02d}.{k}" for n in range(1, 26) for k in range(1, 5)]
    if [task.id for task in tasks] != wanted:
        yield Problem(name, "bank", f"the bank holds {len(tasks)} tasks, not the 100 from {wanted[0]} to {wanted[-1]}")
        return
    for task in tasks:
        if task.profile.id != task.id[:3]:
            yield Problem(task.id, "bank", f"it belongs to the profile '{task.profile.id}'")
    yield from _dealt([tasks[start : start + 4] for start in range(0, 100, 4)])


def _own_bank(name: str, tasks: Sequence[SituatedTask]) -> Iterator[Problem]:
    """Check the bank of a store of one's own: every shopper has its tasks together, numbered, as many as the others."""
    held = [list(mine) for _, mine in groupby(tasks, key=lambda task: task.profile.id)]
    if not held:
        yield Problem(name, "bank", "there are no tasks")
        return
    count = len(held[0])
    wanted = [f"{mine[0].profile.id}.{k}" for mine in held for k in range(1, count + 1)]
    if [task.id for task in tasks] != wanted or len(set(wanted)) < len(wanted) or count > 4:
        words = f"the bank holds {len(tasks)} tasks, not up to four of each shopper, as many of every one, in order"
        yield Problem(name, "bank", words)
        return
    yield from _dealt(held)


def _dealt(shoppers: Sequence[Sequence[SituatedTask]]) -> Iterator[Problem]:
    dealt = random.Random(42)
    for mine in shoppers:
        order = list(range(4))
        dealt.shuffle(order)
        for place, number in enumerate(order, 1):
            if number < len(mine) and mine[number].subset != place:
                yield Problem(mine[number].id, "subset", f"it is in subset {mine[number].subset}, not {place}")
