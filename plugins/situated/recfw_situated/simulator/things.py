"""The engine objects of a world: their parts, places, mask colours, and which of them are shown."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.scenes.records import Color, Part, Point3
from recfw_situated.simulator.atlas import Atlas
from recfw_situated.simulator.solids import Solids, solids

_CUBE = 20.0  # cm a side of what a client spawns


@attrs.frozen
class Stand:
    """Where an object is: its location, its yaw, its scale."""

    location: Point3
    yaw: float
    scale: Point3 = (1.0, 1.0, 1.0)


def packed_color(color: Color) -> int:
    """A mask colour as little-endian RGBA."""
    return color[0] | (color[1] << 8) | (color[2] << 16) | 0xFF000000


class Things:
    """All engine objects by name; `version` grows with every change that a picture could show."""

    def __init__(
        self,
        parts: Sequence[Part],
        stands: Mapping[str, Stand],
        colors: Mapping[str, Color],
        goods: frozenset[str],
        atlas: Atlas,
    ) -> None:
        """
        Take over a scene's parts.

        Args:
            parts: everything that is drawn.
            stands: places of the objects that have one of their own; others stand amid their parts.
            colors: mask colours; objects without one are black.
            goods: the objects that are for sale.
            atlas: where texts are painted.
        """
        self.version = 0
        self._atlas = atlas
        self._parts: dict[str, list[Part]] = {}
        for part in parts:
            self._parts.setdefault(part.object, []).append(part)
        self._row = {name: row for row, name in enumerate(self._parts)}
        self._goods = goods
        self._colors = {name: colors.get(name, (0, 0, 0)) for name in self._parts}
        self._hidden: set[str] = set()
        self._taken: set[str] = set()
        self._home = {name: stands.get(name) or Stand(_middle(own), 0.0) for name, own in self._parts.items()}
        self._stand = dict(self._home)
        ordered = [part for own in self._parts.values() for part in own]
        self._still = solids(ordered, self._row, atlas, goods)  # as the scene has them
        self._now = self._still
        self._drawn: tuple[int, Solids] | None = None
        self._first, self._first_row, self._first_still = dict(self._colors), dict(self._row), self._still

    @property
    def names(self) -> list[str]:
        """The names of all objects, in the order of their first part."""
        return list(self._parts)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such an object."""
        return name in self._parts

    @property
    def spawned(self) -> int:
        """How many objects were spawned since the last reset, destroyed ones included."""
        return len(self._row) - len(self._first)

    def row(self, name: str) -> int:
        """The number by which parts know their object."""
        return self._row[name]

    def rows(self) -> Mapping[str, int]:
        """The number of every object."""
        return self._row

    def parts(self, name: str) -> Sequence[Part]:
        """An object's parts as the scene has them."""
        return self._parts[name]

    def stand(self, name: str) -> Stand:
        """Where an object is."""
        return self._stand[name]

    def home(self, name: str) -> Stand:
        """Where an object was when the scene was loaded or the object spawned."""
        return self._home[name]

    def color(self, name: str) -> Color:
        """An object's mask colour."""
        return self._colors[name]

    def paint(self, name: str, color: Color) -> None:
        """Change an object's mask colour. Geometry and pictures stay, masks do not."""
        self._colors[name] = color
        self.version += 1

    def show(self, name: str, shown: bool) -> None:
        """Show or hide an object."""
        (self._hidden.discard if shown else self._hidden.add)(name)
        self.version += 1

    def take(self, name: str, taken: bool) -> None:
        """Take an object from its place or put it back, whatever `show` said."""
        (self._taken.add if taken else self._taken.discard)(name)
        self.version += 1

    def present(self, name: str) -> bool:
        """Tell whether an object is where it stands, neither hidden nor taken."""
        return name in self._parts and name not in self._hidden and name not in self._taken

    def move(self, name: str, stand: Stand) -> None:
        """Put an object elsewhere; its parts keep their places relative to it."""
        home = self._home[name]
        self._stand[name] = stand
        rows = np.nonzero(self._still.thing == self._row[name])[0]
        if self._now is self._still:
            self._now = attrs.evolve(
                self._still,
                center=self._still.center.copy(),
                half=self._still.half.copy(),
                turn=self._still.turn.copy(),
            )
        turn = np.radians(stand.yaw - home.yaw)
        cos, sin = np.cos(turn), np.sin(turn)
        offset = (self._still.center[rows] - home.location) * stand.scale
        x, y = offset[:, 0] * cos - offset[:, 1] * sin, offset[:, 0] * sin + offset[:, 1] * cos
        self._now.center[rows] = np.stack((x, y, offset[:, 2]), axis=1) + stand.location
        self._now.half[rows] = self._still.half[rows] * stand.scale
        old_cos, old_sin = self._still.turn[rows, 0], self._still.turn[rows, 1]
        self._now.turn[rows] = np.stack((old_cos * cos - old_sin * sin, old_sin * cos + old_cos * sin), axis=1)
        self.version += 1

    def spawn(self, name: str) -> None:
        """Add a cube at the origin under a new name, black in masks."""
        part = Part("box", (0.0, 0.0, 0.0), (_CUBE, _CUBE, _CUBE), (200, 200, 200), name)
        self._parts[name] = [part]
        self._retire(name)
        self._row[name] = len(self._row)
        self._colors[name] = (0, 0, 0)
        self._home[name] = self._stand[name] = Stand((0.0, 0.0, 0.0), 0.0)
        more = solids([part], self._row, self._atlas, frozenset([name]))
        moved = self._now is not self._still
        self._now = self._now.joined(more) if moved else self._now
        self._still = self._still.joined(more)
        self._now = self._now if moved else self._still
        self.version += 1

    def _retire(self, name: str) -> None:
        """Let the rows of a destroyed object keep a name that nothing has, so that its own can be used again."""
        if name in self._row:
            retired = f"{name} {self._row[name]}"  # no command can say a name with a space
            self._row = {retired if known == name else known: row for known, row in self._row.items()}
            self._colors[retired] = self._colors[name]

    def reset(self) -> None:
        """Everything as the scene has it."""
        self._row, self._colors = dict(self._first_row), dict(self._first)
        self._parts = {name: self._parts[name] for name in self._first_row}
        self._home = {name: self._home[name] for name in self._first_row}
        self._stand = dict(self._home)
        self._hidden, self._taken = set(), set()
        self._still = self._now = self._first_still
        self.version += 1

    def destroy(self, name: str) -> None:
        """Remove an object until the next reset."""
        if name in self._first:
            self.show(name, False)
            return
        del self._parts[name]
        self.version += 1

    def drawn(self) -> Solids:
        """The parts of all objects that are present."""
        if self._drawn is None or self._drawn[0] != self.version:
            gone = [row for name, row in self._row.items() if not self.present(name)]
            kept = ~np.isin(self._now.thing, np.array(gone, dtype=np.int32))
            self._drawn = (self.version, self._now.kept(kept))
        return self._drawn[1]

    def packed_colors(self) -> NDArray[np.uint32]:
        """The mask colour of every object by row, as little-endian RGBA."""
        return np.array([packed_color(self._colors[name]) for name in self._row], dtype=np.uint32)

    def bounds(self, name: str) -> tuple[Point3, Point3]:
        """The lowest and highest corner of an object's box along the world's axes."""
        rows = self._now.thing == self._row[name]
        cos, sin = np.abs(self._now.turn[rows, 0]), np.abs(self._now.turn[rows, 1])
        half = self._now.half[rows]
        reach = np.stack((half[:, 0] * cos + half[:, 1] * sin, half[:, 0] * sin + half[:, 1] * cos, half[:, 2]), axis=1)
        low, high = (self._now.center[rows] - reach).min(axis=0), (self._now.center[rows] + reach).max(axis=0)
        return (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2]))


def _middle(parts: Sequence[Part]) -> Point3:
    """The middle of the base of a set of parts."""
    boxes = [part.box for part in parts]
    low = [min(box.low[axis] for box in boxes) for axis in range(3)]
    high = [max(box.high[axis] for box in boxes) for axis in range(3)]
    return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2])
