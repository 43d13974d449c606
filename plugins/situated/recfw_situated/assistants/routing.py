"""Routes: from where the customer stands to a place of the location index, in words and as the expected action."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw_situated.assistants.speaking import Json, action

Place = Mapping[str, Any]
CLOSER = 150.0
"""Centimetres by which a stage on the way must bring the customer nearer."""
HERE = 90.0
"""Centimetres within which a viewpoint counts as reached."""


@frozen
class Step:
    """One instruction: the words, the expected action, and the place that it goes to now (its id), where it is one."""

    words: str
    expected: Json
    stage: str = ""
    label: str = ""
    approach: str = ""


@frozen
class Router:
    """
    Guides to places of one View.

    Args:
        markers: Visible entities in the assistant's labels.
        layout: Every place with its viewpoints.
        pose: [x, y, yaw, pitch] of the customer.
        recent: Ids of the places that were stages lately.
    """

    markers: Sequence[Mapping[str, Any]]
    layout: Sequence[Place]
    pose: Sequence[float]
    recent: Sequence[str] = ()

    def place(self, name: str) -> Place:
        """Return a place by its id."""
        return next(place for place in self.layout if place["id"] == name)

    def distance(self, place: Place) -> float:
        """Return how far the nearest viewpoint of a place is, in a straight line."""
        return min(math.dist(self.pose[:2], point) for point in place["points"].values())

    def there(self, name: str) -> bool:
        """Tell whether the customer stands at a viewpoint of a place."""
        return self.distance(self.place(name)) < HERE

    def marker(self, place: Place) -> Mapping[str, Any] | None:
        """Return the marker of a place; None where it is not in view."""
        return next((m for m in self.markers if m["kind"] == place["kind"] and m["name"] == place["name"]), None)

    def step(self, name: str, approach: str = "front", parent: str = "") -> Step:
        """
        Return the next instruction on the way to a place.

        Args:
            name: Its id.
            approach: Of a fixture, which side is wanted.
            parent: Of an area, the id of its store.
        """
        goal = self.place(name)
        marker = self.marker(goal)
        if marker is not None:
            return self._go(goal, marker, approach)
        around = self._around()
        if around is not None and around["id"] != parent:
            return self._leave(around)
        if parent and around is None:
            store = self.place(parent)
            marker = self.marker(store)
            if marker is not None:
                return self._go(store, marker, "inside_doorway")
            return self._towards(store["points"]["outside_doorway"])
        return self._towards(goal["points"].get(approach) or next(iter(goal["points"].values())))

    def _towards(self, point: Sequence[float]) -> Step:
        """Return how to get nearer to a point: by a visible place on the way, or by turning and walking."""
        bearing = self._bearing(point)
        if abs(bearing) > 40:
            return _turn(bearing)
        return (None if self._around() else self._stage(point)) or self._walk(point, bearing)

    def _around(self) -> Place | None:
        """Return the store that the customer is in; None outside of all."""
        x, y = self.pose[:2]
        stores = [place for place in self.layout if place["kind"] == "store"]
        return next((p for p in stores if p["box"][0] <= x <= p["box"][2] and p["box"][1] <= y <= p["box"][3]), None)

    def _leave(self, store: Place) -> Step:
        """Return how to get out of a store: to its doorway, then through it."""
        inside, outside = (store["points"][kind] for kind in ("inside_doorway", "outside_doorway"))
        marker = self.marker(store)
        if marker is not None:
            return self._go(store, marker, "outside_doorway")
        return self._towards(outside if math.dist(self.pose[:2], inside) < HERE else inside)

    def _go(self, place: Place, marker: Mapping[str, Any], approach: str) -> Step:
        name = place["name"]
        if place["kind"] == "area":
            expected = action("move_to_area", area=marker["handle"])
            return Step(f"Please go over to {name}.", expected, place["id"], marker["handle"], "area_point")
        offered = marker.get("approaches", [])
        if place["kind"] == "store":
            words = (
                f"Please step inside {name}."
                if approach == "inside_doorway"
                else f"Please go to the entrance of {name}."
            )
            expected = action("move_to_store", store=marker["handle"], approach=approach)
            return Step(words, expected, place["id"], marker["handle"], approach)
        chosen = approach if approach in offered else "nearest"
        side = {"front": "the front of ", "back": "the back of "}.get(chosen, "the nearest side of ")
        expected = action("move_to_fixture", fixture=marker["handle"], approach=chosen)
        return Step(f"Please walk to {side}{name}.", expected, place["id"], marker["handle"], chosen)

    def face(self, name: str) -> Step | None:
        """Return how to turn to a place beside which the customer stands; None where it lies ahead."""
        x0, y0, x1, y1 = self.place(name)["box"]
        bearing = self._bearing(((x0 + x1) / 2, (y0 + y1) / 2))
        return _turn(bearing) if abs(bearing) > 50 else None

    def _bearing(self, point: Sequence[float]) -> float:
        x, y, yaw = self.pose[:3]
        return (math.degrees(math.atan2(point[1] - y, point[0] - x)) - yaw + 180.0) % 360.0 - 180.0

    def _stage(self, point: Sequence[float]) -> Step | None:
        """Return a visible place that brings the customer nearer; None where there is none."""
        here = math.dist(self.pose[:2], point)
        found: list[tuple[float, str, Place, str]] = []
        for place in self.layout:
            if place["id"] in self.recent or place["kind"] == "area" or self.marker(place) is None:
                continue
            kinds = ("front", "back") if place["kind"] == "fixture" else ("outside_doorway",)
            points = [(kind, place["points"][kind]) for kind in kinds if kind in place["points"]]
            found += [(math.dist(at, point), place["id"], place, kind) for kind, at in points]
        if not found:
            return None
        nearest, _, place, kind = min(found, key=lambda each: each[:2])
        marker = self.marker(place)
        assert marker is not None
        return self._go(place, marker, kind) if nearest < here - CLOSER else None

    def _walk(self, point: Sequence[float], bearing: float) -> Step:
        length = min(500.0, max(60.0, math.dist(self.pose[:2], point) - 40.0))
        metres = f"{length / 100:.1f} meters"
        if abs(bearing) < 12:
            return Step(f"Please walk ahead about {metres}.", action("move_forward", distance_cm=round(length)))
        side = "right" if bearing > 0 else "left"
        words = f"Please turn {side} by {abs(bearing):.0f} degrees and walk ahead about {metres}."
        degrees = round(abs(bearing))
        return Step(words, action("turn_and_move", direction=side, angle_deg=degrees, distance_cm=round(length)))


def sidestep(turn: int) -> Step:
    """Return how to get round something that stands in the way; another side every other turn."""
    side = "right" if turn % 2 else "left"
    words = f"Something is in the way. Please turn {side} by 60 degrees and walk ahead about 2 meters."
    return Step(words, action("turn_and_move", direction=side, angle_deg=60, distance_cm=200))


def _turn(bearing: float) -> Step:
    side, degrees = ("right" if bearing > 0 else "left"), round(abs(bearing))
    expected = action("turn", direction=side, angle_deg=max(1, degrees))
    return Step(f"Please turn {side} by {degrees} degrees.", expected)
