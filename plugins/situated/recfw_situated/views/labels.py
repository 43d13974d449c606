"""
The label systems of the two roles (paper, appendix B.2).

A user reads numbers on products, letters on fixtures and stores, ``A1`` on areas; an assistant reads letters on
products, numbers on fixtures and stores, ``1a`` on areas. Labels of places are fixed for a scene and in another order
for each role, so that one's label tells nothing of the other's; products are labelled anew in each observation.
"""

from collections.abc import Iterable, Mapping

from recfw_situated.scenes.records import Role as Kind
from recfw_situated.scenes.records import Scene

USER, ASSISTANT = "user", "assistant"


def letters(number: int) -> str:
    """Return 1 -> A, 26 -> Z, 27 -> AA, 28 -> AB …"""
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def product_label(role: str, number: int) -> str:
    """Return the label of the n-th product of an observation, counted from 1."""
    return str(number) if role == USER else letters(number)


def place_labels(scene: Scene, role: str) -> Mapping[tuple[Kind, str], str]:
    """Return (kind, id) -> label of every fixture, store and area, fixed for a role and scene."""
    kind: Kind = "store" if scene.stores else "fixture"
    held = scene.stores or scene.fixtures
    ids = [one.id for one in held]
    if role == ASSISTANT:
        middle = {one.id: one.box.center for one in held}
        ids.sort(key=lambda name: (round(-middle[name][1]), round(-middle[name][0]), name))
    name_of = letters if role == USER else str
    labels: dict[tuple[Kind, str], str] = {(kind, name): name_of(n) for n, name in enumerate(ids, 1)}
    counts: dict[str, int] = {}
    for area in scene.areas if role == USER else sorted(scene.areas, key=lambda a: (-a.point[1], -a.point[0], a.id)):
        counts[area.store] = n = counts.get(area.store, 0) + 1
        labels["area", area.id] = labels["store", area.store] + (str(n) if role == USER else letters(n).lower())
    return labels


def product_labels(role: str, products: Iterable[str]) -> dict[str, str]:
    """Return product id -> label, in the order given: those of one observation, stale after it."""
    return {product: product_label(role, n) for n, product in enumerate(products, 1)}
