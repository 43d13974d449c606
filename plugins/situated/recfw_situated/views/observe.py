"""An observation: what a role is told of the current view, in its own labels, and the ablations of it."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from recfw_situated.scenes.records import Pose, Scene
from recfw_situated.scenes.records import Role as Kind
from recfw_situated.views.labels import ASSISTANT, place_labels, product_labels
from recfw_situated.views.sights import Sights

Ablation = Literal["", "no-image", "no-image-no-text"]
"""Of the assistant's input: nothing taken away; (a) without the picture; (b) also without what is visible, in words."""

Entity = tuple[Kind, str]


@attrs.frozen
class Marker:
    """
    One line of a role's marker map.

    Args:
        handle: The label, as in the picture; good for this observation only where it is a product's.
        kind: ``product``, ``fixture``, ``store`` or ``area``.
        id: Id of the record. It stays with the runtime: roles are shown :meth:`told`.
        display_name: The product's name, or what the sign says.
        distance: Along the floor, in cm.
        bearing: Degrees from straight ahead, positive to the right.
        approaches: How one may walk there: of a fixture ``nearest``, ``front``, ``back``; of a store
            ``outside_doorway``, ``inside_doorway``.
        instance: Of a product, the nearest visible instance.
    """

    handle: str
    kind: Kind
    id: str
    display_name: str
    distance: float
    bearing: float
    approaches: tuple[str, ...] = ()
    instance: str = ""

    def told(self) -> dict[str, Any]:
        """Return what the role reads: no ids, distances in whole dm and directions in whole degrees."""
        held: dict[str, Any] = {
            "handle": self.handle,
            "kind": self.kind,
            "display_name": self.display_name,
            "distance_m": round(self.distance / 100, 1),
            "direction": direction(self.bearing),
        }
        return held | ({"approaches": list(self.approaches)} if self.approaches else {})


def direction(bearing: float) -> str:
    """Return a bearing in words: ``ahead``, ``15 degrees to the left``."""
    angle = round(abs(bearing))
    if angle < 5:
        return "ahead"
    return f"{angle} degrees to the {'right' if bearing > 0 else 'left'}"


@attrs.frozen
class Observation:
    """
    What a role sees at one moment.

    Args:
        role: ``user`` or ``assistant``.
        pose: Where the shopper stands and looks.
        visible: The marker map, nearest first.
        picture: Handle of the annotated picture, or "" where the role is not shown one.
        close_up: Product that is held or shown before the eyes, or "".
    """

    role: str
    pose: Pose
    visible: tuple[Marker, ...]
    picture: str = ""
    close_up: str = ""

    def by_handle(self, handle: str, *kinds: str) -> Marker | None:
        """Return the visible thing of a label, of these kinds (any where none is given); letters in either case."""
        wanted = handle.strip().casefold()
        for marker in self.visible:
            if marker.handle.casefold() == wanted and (not kinds or marker.kind in kinds):
                return marker
        return None

    def by_id(self, kind: str, name: str) -> Marker | None:
        """Return the visible thing of an id."""
        return next((marker for marker in self.visible if (marker.kind, marker.id) == (kind, name)), None)

    @property
    def labels(self) -> dict[Entity, str]:
        """(kind, id) -> label of all that is visible: what the overlay draws."""
        return {(marker.kind, marker.id): marker.handle for marker in self.visible}

    @property
    def surfaces(self) -> dict[str, tuple[str, ...]]:
        """Navigation surfaces: label -> approaches of all places in view (the paper's visible_fixture_nav)."""
        return {marker.handle: marker.approaches for marker in self.visible if marker.kind != "product"}

    def told(self) -> dict[str, Any]:
        """Return the marker map as the role reads it: products, and places with their approaches."""
        return {
            "products": [marker.told() for marker in self.visible if marker.kind == "product"],
            "places": [marker.told() for marker in self.visible if marker.kind != "product"],
        }

    def ablated(self, ablation: Ablation) -> "Observation":
        """Return the observation without what an ablation takes away; the pose stays, as the map keeps it."""
        if not ablation:
            return self
        visible = self.visible if ablation == "no-image" else ()
        return attrs.evolve(self, picture="", visible=visible)


class Labeller:
    """
    Turns sights into the roles' observations of one scene.

    Args:
        scene: The scene's records.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._places: dict[str, Mapping[Entity, str]] = {}
        self._names: dict[Entity, str] = {("product", one.id): one.name for one in scene.products}
        for kind, held in (("fixture", scene.fixtures), ("store", scene.stores), ("area", scene.areas)):
            self._names |= {(kind, one.id): one.sign or one.name for one in held}  # type: ignore[misc]

    def places(self, role: str) -> Mapping[Entity, str]:
        """Return (kind, id) -> label of all fixtures, stores and areas, as on the role's map."""
        if role not in self._places:
            self._places[role] = place_labels(self.scene, role)
        return self._places[role]

    @property
    def display_names(self) -> Mapping[Entity, str]:
        """(kind, id) -> the product's name, or what the sign of a place says."""
        return self._names

    def names(self) -> tuple[str, ...]:
        """Return all names that may be spoken, for the detector of spoken labels."""
        return tuple(dict.fromkeys(self._names.values()))

    def approaches(self, kind: Kind, name: str) -> tuple[str, ...]:
        """Return how one may walk to a place; none for products and areas, which have one way only."""
        if kind == "fixture":
            fixture = self.scene.fixture_by_id[name]
            return ("nearest", *(("front",) if fixture.front else ()), *(("back",) if fixture.back else ()))
        return ("outside_doorway", "inside_doorway") if kind == "store" else ()

    def observe(self, sights: Sights, role: str, picture: str = "") -> Observation:
        """
        Return a role's observation.

        Products are numbered for the user from left to right, for the assistant from near to far.

        Args:
            sights: What is visible.
            role: ``user`` or ``assistant``.
            picture: Handle of the annotated picture, where there is one.
        """
        products = sights.of("product")
        order = (
            products if role == ASSISTANT else sorted(products, key=lambda s: (round(s.bearing, 1), s.distance, s.id))
        )
        fresh = product_labels(role, [sight.id for sight in order])
        places = self.places(role)
        visible = tuple(
            Marker(
                fresh[sight.id] if sight.kind == "product" else places[sight.kind, sight.id],
                sight.kind,
                sight.id,
                self._names[sight.kind, sight.id],
                round(sight.distance, 1),
                round(sight.bearing, 1),
                self.approaches(sight.kind, sight.id),
                sight.instance,
            )
            for sight in sights.all
        )
        return Observation(role, sights.pose, visible, picture, sights.close_up)

    def static_index(self, role: str = ASSISTANT) -> list[dict[str, Any]]:
        """Return what ablation (b) is given instead: all fixtures or stores and areas with approaches, seen or not."""
        return [
            {"handle": label, "kind": kind, "display_name": self._names[kind, name]}
            | ({"approaches": list(ways)} if (ways := self.approaches(kind, name)) else {})
            for (kind, name), label in self.places(role).items()
        ]
