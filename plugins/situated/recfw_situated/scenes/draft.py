"""What a layout has placed so far: the mutable half-finished scene that the layout modules add to."""

from collections.abc import Mapping

import attrs

from recfw.errors import DataError
from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.records import Area, Box, Fixture, Instance, Prop, Store, Waypoint


@attrs.frozen
class Goods:
    """What a layout must know of a product: how large it is."""

    id: str
    width: float
    depth: float
    height: float


@attrs.define
class Draft:
    """A scene under construction."""

    goods: Mapping[str, Goods]
    fixtures: list[Fixture] = attrs.Factory(list)
    stores: list[Store] = attrs.Factory(list)
    areas: list[Area] = attrs.Factory(list)
    waypoints: list[Waypoint] = attrs.Factory(list)
    walls: list[Box] = attrs.Factory(list)
    props: list[Prop] = attrs.Factory(list)
    instances: list[Instance] = attrs.Factory(list)
    counts: dict[str, int] = attrs.Factory(dict)

    def size_of(self, product: str, where: str) -> Goods:
        """Return a product's size; an error names the place that asks for it."""
        if product not in self.goods:
            raise DataError(f"{where}: no product '{product}' in products.yaml.")
        return self.goods[product]

    def put(self, product: str, place: str, frame: Frame, forward: float, right: float, up: float) -> None:
        """Stand one more instance of a product at a local point, facing where the frame faces."""
        number = self.counts.get(product, 0) + 1
        self.counts[product] = number
        position = tuple(round(value, 3) for value in frame.point(forward, right, up))
        self.instances.append(
            Instance(f"{product}_{number}", product, place, (position[0], position[1], position[2]), frame.yaw)
        )

    def waypoint(self, name: str, frame: Frame, forward: float, kind: str, of: str) -> str:
        """Add a viewpoint before something, that looks at it; return its id."""
        x, y = frame.at(forward, 0.0)
        yaw = frame.moved(0, 0, 180).yaw
        self.waypoints.append(Waypoint(name, round(x, 3), round(y, 3), yaw, kind, of))  # type: ignore[arg-type]
        return name
