"""The assistant's layout map: all places with the role's labels and the shopper's pose, as a picture and as data."""

import io
from collections.abc import Mapping
from typing import Any

from recfw_situated.scenes.map import draw_map
from recfw_situated.scenes.records import Area, Fixture, Pose, Scene, Store
from recfw_situated.views.observe import Entity

WIDTH = 1000
"""Pixels across the picture that a model is shown."""

Place = Fixture | Store | Area


def layout_picture(scene: Scene, labels: Mapping[Entity, str], pose: Pose) -> bytes:
    """Return the map as PNG, with the role's labels and the shopper's pose."""
    named: dict[tuple[str, str], str] = {(kind, name): label for (kind, name), label in labels.items()}
    plan = draw_map(scene, pose=pose, labels=named, waypoints=False, width=WIDTH)
    held = io.BytesIO()
    plan.save(held, format="PNG", compress_level=1)
    return held.getvalue()


def layout_data(scene: Scene, labels: Mapping[Entity, str], names: Mapping[Entity, str], pose: Pose) -> dict[str, Any]:
    """
    Return the map as data, in metres: places by label with name and middle, and the shopper's pose.

    Args:
        scene: The scene's records.
        labels: The role's labels of places.
        names: What their signs say.
        pose: Where the shopper stands.
    """
    low, high = scene.bounds.low, scene.bounds.high

    def metres(value: float) -> float:
        return round(value / 100, 1)

    return {
        "frame": "x to the right, y downwards on the map, metres; yaw in degrees, 0 along x, positive clockwise",
        "floor": [metres(low[0]), metres(low[1]), metres(high[0]), metres(high[1])],
        "shopper": {"x": metres(pose.x), "y": metres(pose.y), "yaw": round(pose.yaw), "pitch": round(pose.pitch)},
        "places": [
            {
                "handle": labels[kind, place.id],
                "kind": kind,
                "display_name": names[kind, place.id],
                "x": metres(place.box.center[0]),
                "y": metres(place.box.center[1]),
            }
            for kind, held in _kinds(scene)
            for place in held
        ],
    }


def _kinds(scene: Scene) -> tuple[tuple[Any, tuple[Place, ...]], ...]:
    return ("fixture", scene.fixtures), ("store", scene.stores), ("area", scene.areas)
