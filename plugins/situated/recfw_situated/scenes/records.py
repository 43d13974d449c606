"""
The records of a scene: products, where they stand, the places one can walk to, and the geometry that is drawn.

Units are cm and degrees in Unreal's left-handed frame: X forward, Y right, Z up, yaw +90 turns right. Yaw 0 faces +X.
All records are frozen, and hold nothing but data: no file, no clock, no draw.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import attrs

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
Color = tuple[int, int, int]
Shape = Literal["box", "cylinder", "sphere", "cone"]
Faces = Literal["", "front", "both", "around", "top"]
WaypointKind = Literal["front", "back", "outside_doorway", "inside_doorway", "area"]
Role = Literal["product", "fixture", "store", "area", "structure"]

BACKGROUND: Color = (0, 0, 0)  # the mask colour of walls, floor, ceiling and furniture that is not for sale


@attrs.frozen
class Box:
    """An axis-aligned box between two corners, in cm."""

    low: Point3
    high: Point3

    @property
    def center(self) -> Point3:
        """The middle of the box."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)

    @property
    def size(self) -> Point3:
        """The extents along X, Y and Z."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return (x1 - x0, y1 - y0, z1 - z0)

    def overlaps(self, other: "Box", slack: float = 0.01) -> bool:
        """Tell whether the two boxes share more than `slack` cm along every axis."""
        return all(
            self.low[axis] + slack < other.high[axis] and other.low[axis] + slack < self.high[axis] for axis in range(3)
        )


@attrs.frozen
class Pose:
    """Where the shopper's feet stand and where it looks; the eyes are `Scene.eye_height` above. Pitch > 0 looks up."""

    x: float
    y: float
    yaw: float
    pitch: float = 0.0


@attrs.frozen
class Part:
    """
    One solid that a renderer draws, in world coordinates.

    `size` is the extent along the part's own axes before it is turned by `yaw` about its centre: a cylinder and a cone
    stand upright with size (diameter, diameter, height), the cone's tip above; a sphere's three extents are equal or
    make it an ellipsoid. `color` is its paint in RGB; `object` is the engine object that it belongs to, which alone
    decides its mask colour. `label` is text for the named `faces`: "front" is the +X face before the turn (a cylinder's
    side towards +X), "both" adds the opposite one, "around" is every side, "top" the upper face with its reading
    direction along the front's. `ink` is the text's colour, `paper` the panel's behind it (None: the paint itself).
    """

    shape: Shape
    center: Point3
    size: Point3
    color: Color
    object: str
    yaw: float = 0.0
    label: str = ""
    faces: Faces = ""
    ink: Color = (20, 20, 20)
    paper: Color | None = None

    @property
    def box(self) -> Box:
        """The axis-aligned bounds in the world; exact for turns by multiples of 90 degrees."""
        dx, dy, dz = self.size
        if round(self.yaw / 90.0) % 2:
            dx, dy = dy, dx
        x, y, z = self.center
        return Box((x - dx / 2, y - dy / 2, z - dz / 2), (x + dx / 2, y + dy / 2, z + dz / 2))


@attrs.frozen
class Look:
    """How a product is drawn: a model's name, its paints, and the large mark on the packaging."""

    model: str  # "box", "bottle", "can" … or a piece of furniture; models.py has all of them
    paint: Color
    accent: Color
    ink: Color
    mark: str


@attrs.frozen
class Product:
    """
    One catalog entry.

    `size` is (width, depth, height) in cm as seen from its front. `color` is its mask colour, unique in the scene.
    `attributes` holds, in a supermarket, `flavour`, `packaging`, `allergens` (a list), `nutrition` (a mapping with
    units in its keys, empty for what is not eaten); in a furnishings store `material`, `color`, `size_class`, `style`.
    `places` lists the fixtures or areas that hold it, in order.
    """

    id: str
    name: str
    category: str
    tags: tuple[str, ...]
    price: float
    color: Color
    size: Point3
    look: Look
    attributes: Mapping[str, Any]
    places: tuple[str, ...]


@attrs.frozen
class Instance:
    """One placement of a product. `id` is its engine object name, `position` the middle of its base, yaw its front."""

    id: str
    product: str
    place: str
    position: Point3
    yaw: float


@attrs.frozen
class Waypoint:
    """A fixed viewpoint that faces what it belongs to (`of`: a fixture's, store's or area's id)."""

    id: str
    x: float
    y: float
    yaw: float
    kind: WaypointKind
    of: str


@attrs.frozen
class Fixture:
    """A shelf, freezer, cooler or stand. `facing` is the yaw its front looks to; `front` and `back` are waypoints."""

    id: str
    name: str
    sign: str
    kind: str
    box: Box
    facing: float
    front: str
    back: str | None
    color: Color
    object: str


@attrs.frozen
class Store:
    """A themed store inside the furnishings store: a room with one doorway, and a waypoint on each side of it."""

    id: str
    name: str
    sign: str
    theme: str
    box: Box
    facing: float
    outside_doorway: str
    inside_doorway: str
    color: Color
    object: str


@attrs.frozen
class Area:
    """
    A display area inside a store.

    It counts as visible when `point`, in free air before its goods, is in view, or one of its products is. Its sign is
    an engine object of its own.
    """

    id: str
    store: str
    name: str
    sign: str
    point: Point3
    box: Box
    waypoint: str
    color: Color
    object: str


@attrs.frozen
class Prop:
    """Something solid that is not for sale and no place: a plinth, a till, a column."""

    id: str
    kind: str
    box: Box
    facing: float = 0.0
    text: str = ""


Place = Fixture | Store | Area


@attrs.frozen(eq=False)  # one object a scene; `digest` tells whether two are the same
class Scene:
    """A whole store. `digest` is the SHA-256 of the data and of the layout that follows from it."""

    name: str
    title: str
    bounds: Box  # the inside of the building
    start: Pose
    eye_height: float
    radius: float  # of the shopper's upright capsule
    reach: float  # how far from the shopper an item may be and still be picked up or checked, measured on the floor
    walls: tuple[Box, ...]
    fixtures: tuple[Fixture, ...]
    stores: tuple[Store, ...]
    areas: tuple[Area, ...]
    products: tuple[Product, ...]
    instances: tuple[Instance, ...]
    waypoints: tuple[Waypoint, ...]
    props: tuple[Prop, ...]
    expected: Mapping[str, int]  # the counts that the data promises; `check` compares
    digest: str

    @property
    def kind(self) -> str:
        """Which of the two action sets it has: that of the ``supermarket``, or of the ``furnishings`` store."""
        return "furnishings" if self.stores else "supermarket"

    @cached_property
    def product_by_id(self) -> Mapping[str, Product]:
        """Every product by its id."""
        return {product.id: product for product in self.products}

    @cached_property
    def instance_by_id(self) -> Mapping[str, Instance]:
        """Every instance by its engine object name."""
        return {instance.id: instance for instance in self.instances}

    @cached_property
    def waypoint_by_id(self) -> Mapping[str, Waypoint]:
        """Every waypoint by its id."""
        return {waypoint.id: waypoint for waypoint in self.waypoints}

    @cached_property
    def fixture_by_id(self) -> Mapping[str, Fixture]:
        """Every fixture by its id."""
        return {fixture.id: fixture for fixture in self.fixtures}

    @cached_property
    def store_by_id(self) -> Mapping[str, Store]:
        """Every store by its id."""
        return {store.id: store for store in self.stores}

    @cached_property
    def area_by_id(self) -> Mapping[str, Area]:
        """Every display area by its id."""
        return {area.id: area for area in self.areas}

    @cached_property
    def palette(self) -> Mapping[Color, tuple[Role, str]]:
        """What each mask colour stands for: ("product", id), ("fixture", id), ("store", id) or ("area", id)."""
        held: dict[Color, tuple[Role, str]] = {product.color: ("product", product.id) for product in self.products}
        held.update({fixture.color: ("fixture", fixture.id) for fixture in self.fixtures})
        held.update({store.color: ("store", store.id) for store in self.stores})
        held.update({area.color: ("area", area.id) for area in self.areas})
        return held

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every fixture, store and area, in this order."""
        return (*self.fixtures, *self.stores, *self.areas)

    @cached_property
    def object_colors(self) -> Mapping[str, Color]:
        """The mask colour of every engine object that has one; all other objects are `BACKGROUND`."""
        held = {one.id: self.product_by_id[one.product].color for one in self.instances}
        held.update({one.object: one.color for one in self.places})
        return held
