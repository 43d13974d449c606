"""The geometry of a world as arrays: one row a part, in world coordinates, ready to be projected."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.scenes.records import Part
from recfw_situated.simulator.atlas import Atlas

BOX, CYLINDER, SPHERE, CONE = range(4)
SHAPES = {"box": BOX, "cylinder": CYLINDER, "sphere": SPHERE, "cone": CONE}

FRONT, BACK, LEFT, RIGHT, TOP, ROUND = 1, 2, 4, 8, 16, 32
FACES = {
    "": 0,
    "front": FRONT,
    "both": FRONT | BACK,
    "around": FRONT | BACK | LEFT | RIGHT | ROUND,
    "top": TOP,
}


@attrs.frozen(eq=False)
class Solids:
    """
    Parts as arrays of N rows.

    `half` are half extents along the part's own axes, `turn` the cosine and sine of its yaw, `thing` the row of the
    engine object it belongs to, `texture` a row of the atlas or -1, `faces` the bits of the faces that show it;
    `backdrop` tells parts of the building and its furniture (drawn first, they hide most of the rest) from goods.
    """

    shape: NDArray[np.uint8]
    center: NDArray[np.float64]
    half: NDArray[np.float64]
    turn: NDArray[np.float64]
    color: NDArray[np.float32]
    thing: NDArray[np.int32]
    texture: NDArray[np.int32]
    faces: NDArray[np.uint8]
    backdrop: NDArray[np.bool_]

    def __len__(self) -> int:
        """The number of parts."""
        return len(self.shape)

    def joined(self, other: "Solids") -> "Solids":
        """The parts of both, this one's first."""
        return Solids(
            **{
                field.name: np.concatenate((getattr(self, field.name), getattr(other, field.name)))
                for field in attrs.fields(Solids)
            }
        )

    def kept(self, rows: NDArray[np.bool_]) -> "Solids":
        """The parts that `rows` selects."""
        return Solids(**{field.name: getattr(self, field.name)[rows] for field in attrs.fields(Solids)})


def solids(
    parts: Sequence[Part], things: Mapping[str, int], atlas: Atlas, goods: frozenset[str], sharp: bool = False
) -> Solids:
    """
    Turn parts into arrays.

    Args:
        parts: what to draw.
        things: the row of every engine object by name.
        atlas: where the texts on the parts are painted.
        goods: engine objects that are for sale; all others count as backdrop.
        sharp: paint texts finely, for what is looked at from very near.
    """
    yaw = np.radians(np.array([part.yaw for part in parts], dtype=np.float64))
    return Solids(
        shape=np.array([SHAPES[part.shape] for part in parts], dtype=np.uint8),
        center=np.array([part.center for part in parts], dtype=np.float64).reshape(-1, 3),
        half=np.array([part.size for part in parts], dtype=np.float64).reshape(-1, 3) / 2.0,
        turn=np.stack((np.cos(yaw), np.sin(yaw)), axis=1),
        color=np.array([part.color for part in parts], dtype=np.float32).reshape(-1, 3),
        thing=np.array([things[part.object] for part in parts], dtype=np.int32),
        texture=np.array([atlas.row(part, sharp) for part in parts], dtype=np.int32),
        faces=np.array([FACES[part.faces] if part.label else 0 for part in parts], dtype=np.uint8),
        backdrop=np.array([part.object not in goods for part in parts], dtype=np.bool_),
    )
