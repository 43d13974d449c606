"""What an assistant knows of a scene beforehand: the full catalog and the location index."""

from collections.abc import Mapping
from typing import Any

from recfw_situated.scenes.records import Product, Scene


def catalog(scene: Scene) -> list[dict[str, Any]]:
    """Return every product as plain data, in the scene's order: all that the assistant may know of it."""
    return [card(product) for product in scene.products]


def card(product: Product) -> dict[str, Any]:
    """Return one product as plain data: id, name, category, price in USD, tags, attributes."""
    return {
        "id": product.id,
        "name": product.name,
        "category": product.category,
        "price": product.price,
        "tags": list(product.tags),
        "attributes": dict(product.attributes),
    }


def location_index(scene: Scene) -> list[dict[str, Any]]:
    """
    Return where everything stands, as plain data.

    In a supermarket one entry a fixture: id, name, kind, approaches (``front``, and ``back`` where it has one),
    products (ids). In a furnishings store one entry a store: id, name, theme, approaches (its two doorway points) and
    areas, each with id, name and products.
    """
    held = goods_by_place(scene)
    if scene.stores:
        return [
            {
                "id": store.id,
                "name": store.name,
                "theme": store.theme,
                "approaches": ["outside_doorway", "inside_doorway"],
                "areas": [
                    {"id": area.id, "name": area.name, "products": list(held[area.id])}
                    for area in scene.areas
                    if area.store == store.id
                ],
            }
            for store in scene.stores
        ]
    return [
        {
            "id": fixture.id,
            "name": fixture.name,
            "kind": fixture.kind,
            "approaches": ["front", *(["back"] if fixture.back else [])],
            "products": list(held[fixture.id]),
        }
        for fixture in scene.fixtures
    ]


def goods_by_place(scene: Scene) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the products in every fixture, store and area, in the catalog's order."""
    held: dict[str, list[str]] = {one.id: [] for one in scene.places}
    for product in scene.products:
        for place in product.places:
            held[place].append(product.id)
        for store in dict.fromkeys(
            scene.area_by_id[place].store for place in product.places if place in scene.area_by_id
        ):
            held[store].append(product.id)
    return {place: tuple(ids) for place, ids in held.items()}
