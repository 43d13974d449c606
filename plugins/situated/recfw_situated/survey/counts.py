"""The figures of a scene, and those of the paper (SituRecBench, table 2 and appendix A.3)."""

from collections import Counter
from collections.abc import Mapping

from recfw_situated.scenes.records import Scene

PAPER: Mapping[str, Mapping[str, int]] = {
    "supermarket": {
        "products": 233,
        "instances": 1324,
        "targets": 29,
        "waypoints": 42,
        "shelves": 12,
        "chest freezers": 3,
        "upright freezers": 8,
        "open coolers": 4,
        "produce stands": 2,
    },
    "furnishings": {"products": 222, "instances": 244, "targets": 31, "waypoints": 38, "stores": 7},
}
"""Display areas are not counted in the paper's text; they follow from its 31 targets less 7 stores."""

FAMILIES = {
    "shelf": "shelves",
    "wall shelf": "shelves",
    "chest freezer": "chest freezers",
    "upright freezer": "upright freezers",
    "open cooler": "open coolers",
    "produce stand": "produce stands",
}


def totals(scene: Scene) -> dict[str, int]:
    """Return products, instances, navigation targets and waypoints."""
    return {
        "products": len(scene.products),
        "instances": len(scene.instances),
        "targets": len(scene.fixtures) + len(scene.stores) + len(scene.areas),
        "waypoints": len(scene.waypoints),
    }


def details(scene: Scene) -> dict[str, int]:
    """Return the kinds of fixtures, stores, areas, waypoints of each kind, categories and tags."""
    held = Counter(FAMILIES[fixture.kind] for fixture in scene.fixtures)
    if scene.stores:
        held["stores"] = len(scene.stores)
        held["display areas"] = len(scene.areas)
    for kind in ("front", "back", "outside_doorway", "inside_doorway", "area"):
        count = sum(waypoint.kind == kind for waypoint in scene.waypoints)
        if count:
            held[f"{kind.replace('_', ' ')} waypoints"] = count
    held["categories"] = len({product.category for product in scene.products})
    held["tags"] = len({tag for product in scene.products for tag in product.tags})
    return dict(held)
