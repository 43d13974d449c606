"""Makes a scene of its files: products, layout, mask colours, digest."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from recfw.errors import DataError
from recfw_situated.scenes.colors import mask_colors
from recfw_situated.scenes.draft import Draft, Goods
from recfw_situated.scenes.files import DATA, SCENES, Entry, folder_of, read_yaml
from recfw_situated.scenes.fixtures import facing_of, lay_fixture
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.geometry import build_parts
from recfw_situated.scenes.products import read_products
from recfw_situated.scenes.records import Area, Box, Fixture, Part, Pose, Product, Prop, Scene, Store
from recfw_situated.scenes.rooms import WALL, lay_store

COUNTS = ("products", "instances", "targets", "waypoints")


@cache
def load_scene(name: str) -> Scene:
    """
    Return a scene by the name of a shipped one or the path of a folder with scene.yaml, products.yaml and tags.yaml.

    Raises:
        UsageError: There is no such scene.
        DataError: A file is not as it must be; the words name the file and the entry.
    """
    folder = folder_of(name)
    where = f"{folder.name}/scene.yaml"
    entry = Entry(where, read_yaml(folder / "scene.yaml"))
    furnishings = bool(entry.fields.get("stores"))
    vocabulary = frozenset(tag for tags in read_tags(folder).values() for tag in tags)
    products = read_products(
        f"{folder.name}/products.yaml", read_yaml(folder / "products.yaml"), vocabulary, furnishings=furnishings
    )
    return _scene(entry, products)


def own_scene(folder: str) -> Scene:
    """
    Return the scene of a folder of one's own.

    Raises:
        UsageError: There is no such scene.
        DataError: A file is not as it must be, or it has the name of a scene that ships.
    """
    scene = load_scene(folder)
    if scene.name in SCENES:
        words = f"{folder}: the scene is called '{scene.name}', as one that ships."
        raise DataError(words, "Give it a name of its own: the field 'scene' in scene.yaml.")
    return scene


@cache
def parts(scene: Scene) -> tuple[Part, ...]:
    """Return all geometry of a scene: building, signs, fixtures and furniture, and every instance in its place."""
    return build_parts(scene)


def read_tags(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Return a scene's tag vocabulary: facet -> tags."""
    held = read_yaml(folder / "tags.yaml")
    entry = Entry(f"{folder.name}/tags.yaml", held)
    return {facet: tuple(entry.take(facet, list)) for facet in list(entry.fields)}


def vocabulary(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the tag vocabulary of a scene by its name or folder: facet -> tags."""
    return read_tags(folder_of(name))


def _scene(entry: Entry, products: tuple[Product, ...]) -> Scene:
    name, title = entry.text("scene"), entry.text("title")
    width, depth, ceiling = entry.numbers("size", 3)
    x, y, yaw = entry.numbers("start", 3)
    draft = Draft({one.id: Goods(one.id, *one.size) for one in products})
    draft.walls += _outer_walls(width, depth, ceiling)
    for number, fields in enumerate(entry.take("fixtures", list, []), 1):
        lay_fixture(draft, _named(entry.where, "fixture", number, fields))
    for number, fields in enumerate(entry.take("stores", list, []), 1):
        lay_store(draft, _named(entry.where, "store", number, fields), ceiling)
    for number, fields in enumerate(entry.take("props", list, []), 1):
        draft.props.append(_prop(_named(entry.where, "prop", number, fields)))
    expected = entry.take("expected", dict, {})
    eyes, radius = entry.number("eye_height", 160), entry.number("radius", 34)
    reach = entry.number("reach", 440 if draft.stores else 260)  # a room's rows stand deep
    entry.done()
    products, fixtures, stores, areas = _colored(draft, products)
    scene = Scene(
        name=name,
        title=title,
        bounds=Box((0.0, 0.0, 0.0), (width, depth, ceiling)),
        start=Pose(x, y, yaw),
        eye_height=eyes,
        radius=radius,
        reach=reach,
        walls=tuple(draft.walls),
        fixtures=fixtures,
        stores=stores,
        areas=areas,
        products=products,
        instances=tuple(draft.instances),
        waypoints=tuple(draft.waypoints),
        props=tuple(draft.props),
        expected={key: int(expected[key]) for key in COUNTS if key in expected},
        digest="",
    )
    return attrs.evolve(scene, digest=_digest(scene))


def _named(where: str, what: str, number: int, fields: Any) -> Entry:
    name = fields.get("id", number) if isinstance(fields, dict) else number
    return Entry(f"{where}: {what} {name}", fields)


def _outer_walls(width: float, depth: float, ceiling: float) -> list[Box]:
    return [
        Box((-WALL, -WALL, 0.0), (width + WALL, 0.0, ceiling)),
        Box((-WALL, depth, 0.0), (width + WALL, depth + WALL, ceiling)),
        Box((-WALL, 0.0, 0.0), (0.0, depth, ceiling)),
        Box((width, 0.0, 0.0), (width + WALL, depth, ceiling)),
    ]


def _prop(entry: Entry) -> Prop:
    x, y = entry.numbers("at", 2)
    width, depth, height = entry.numbers("size", 3)
    frame = Frame(x, y, facing_of(entry) if "facing" in entry.fields else 0.0)
    base = entry.number("base", 0)
    box = frame.box((-depth / 2, depth / 2), (-width / 2, width / 2), (base, base + height))
    prop = Prop(entry.text("id"), entry.text("kind"), box, frame.yaw, entry.text("text", ""))
    entry.done()
    return prop


def _colored(
    draft: Draft, products: tuple[Product, ...]
) -> tuple[tuple[Product, ...], tuple[Fixture, ...], tuple[Store, ...], tuple[Area, ...]]:
    """Deal mask colours in file order, and tell every product where it stands."""
    places: dict[str, dict[str, None]] = {}
    for one in draft.instances:
        places.setdefault(one.product, {})[one.place] = None
    colors = iter(mask_colors(len(products) + len(draft.fixtures) + len(draft.stores) + len(draft.areas)))
    return (
        tuple(attrs.evolve(one, color=next(colors), places=tuple(places.get(one.id, ()))) for one in products),
        tuple(attrs.evolve(one, color=next(colors)) for one in draft.fixtures),
        tuple(attrs.evolve(one, color=next(colors)) for one in draft.stores),
        tuple(attrs.evolve(one, color=next(colors)) for one in draft.areas),
    )


def _digest(scene: Scene) -> str:
    held = hashlib.sha256(json.dumps(attrs.asdict(scene), sort_keys=True).encode())
    for name in ("models.yaml", "paints.yaml"):
        held.update((DATA / name).read_bytes())
    return held.hexdigest()
