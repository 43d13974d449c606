"""One render: the colours, the planar depth and the engine object of every pixel, from one pass over the world."""

from collections.abc import Iterator

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.simulator import shade
from recfw_situated.simulator.atlas import Atlas
from recfw_situated.simulator.camera import View
from recfw_situated.simulator.curved import Rays, rays
from recfw_situated.simulator.planes import Faces, faces, shows_text
from recfw_situated.simulator.raster import Canvas
from recfw_situated.simulator.solids import Solids

NOTHING = 65504.0  # the depth where no surface is hit, cm
_BLACK = 0xFF000000
_TEXT, _CURVED, _FLOOR = 1, 2, 4  # what a surface needs beyond its paint
_SEAM = np.uint32(176)  # how bright a seam between parts is, of 256


@attrs.frozen(eq=False)
class Layer:
    """Surfaces drawn together: flat ones from number `start`, curved ones after them."""

    solids: Solids
    view: View
    atlas: Atlas
    close: bool
    start: int
    flat: Faces
    bent: Rays

    @property
    def middle(self) -> int:
        """The first curved surface's number."""
        return self.start + len(self.flat)

    @property
    def end(self) -> int:
        """The number after the last."""
        return self.middle + len(self.bent)


class Shot:
    """A picture being looked at: geometry at once, colours and masks when asked for, each computed once."""

    def __init__(self, solids: Solids, view: View, atlas: Atlas, close: tuple[Solids, Atlas] | None = None) -> None:
        """
        Find what is nearest at every pixel: the close-up, the backdrop, then the goods that these do not hide.

        Args:
            solids: the world.
            view: the camera.
            atlas: the texts on the parts.
            close: what is held before the camera, in the camera's own frame, and the texts on it.
        """
        self.view = view
        self._canvas = Canvas(view.width, view.height)
        self._layers: list[Layer] = []
        if close is not None:
            before = attrs.evolve(view, x=0, y=0, z=0, pitch=0, yaw=0)
            self._draw(close[0], np.ones(len(close[0]), dtype=np.bool_), before, close[1], close=True)
        self._draw(solids, solids.backdrop, view, atlas)
        self._draw(solids, ~solids.backdrop, view, atlas)
        self._rgba: NDArray[np.uint8] | None = None

    def _draw(
        self, solids: Solids, chosen: NDArray[np.bool_], view: View, atlas: Atlas, *, close: bool = False
    ) -> None:
        """Draw the chosen parts that are not hidden by what is drawn already, as a layer of their own."""
        rows = np.nonzero(chosen)[0].astype(np.int32)
        rows = rows[~self._canvas.hidden(solids, rows, view)]
        start = self._layers[-1].end if self._layers else 1
        layer = Layer(solids, view, atlas, close, start, faces(solids, rows, view), rays(solids, rows, view))
        self._canvas.draw_faces(layer.flat, layer.start)
        self._canvas.draw_rays(layer.bent, layer.middle)
        self._layers.append(layer)

    def depth(self) -> NDArray[np.float32]:
        """Planar depth in cm, (H, W) float32."""
        inverse = self._canvas.depth_inverse
        empty = inverse == 0
        found: NDArray[np.float32] = np.reciprocal(np.where(empty, np.float32(1.0), inverse))
        found[empty] = NOTHING
        return found.reshape(self.view.height, self.view.width)

    def things(self) -> NDArray[np.int32]:
        """The row of the engine object at every pixel, -1 where there is none, (H, W)."""
        table = np.concatenate([np.array([-1], dtype=np.int32), *self._things()])
        found: NDArray[np.int32] = table[self._canvas.surface]
        return found.reshape(self.view.height, self.view.width)

    def mask(self, colors: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """The mask, (H, W, 4): `colors` holds the packed mask colour of every object; black where there is none."""
        table = np.concatenate([np.array([_BLACK], dtype=np.uint32), *(colors[rows] for rows in self._things())])
        found: NDArray[np.uint32] = table[self._canvas.surface]
        return found.view(np.uint8).reshape(self.view.height, self.view.width, 4)

    def _things(self) -> Iterator[NDArray[np.int32]]:
        """The objects of all surfaces from number 1 on."""
        for layer in self._layers:
            yield layer.solids.thing[layer.flat.part]
            yield layer.solids.thing[layer.bent.part]

    def normals(self) -> NDArray[np.uint8]:
        """The world's directions that surfaces look in, each of -1..1 as 0..255, (H, W, 4); black where nothing is."""
        surface = self._canvas.surface.astype(np.int64)
        found = np.zeros((len(surface), 4), dtype=np.uint8)
        found[:, 3] = 255
        for layer in self._layers:
            for first, end in ((layer.start, layer.middle), (layer.middle, layer.end)):
                pixel = np.nonzero((surface >= first) & (surface < end))[0]
                if len(pixel):
                    owner = surface[pixel] - first
                    if first == layer.start:
                        normal = shade.face_normals(layer.solids, layer.flat)[owner]
                    else:
                        depth = np.float32(1.0) / self._canvas.depth_inverse[pixel]
                        normal = shade.ray_normals(layer.solids, layer.bent, layer.view, owner, pixel, depth)[1]
                    found[pixel, :3] = np.clip((normal + 1.0) * 127.5 + 0.5, 0, 255).astype(np.uint8)
        return found.reshape(self.view.height, self.view.width, 4)

    def rgba(self) -> NDArray[np.uint8]:
        """The picture, (H, W, 4)."""
        if self._rgba is None:
            self._rgba = self._painted()
        return self._rgba

    def _painted(self) -> NDArray[np.uint8]:
        """Look up the paint of flat faces, then work out what bears a text or is curved, then draw the seams."""
        surface = self._canvas.surface.astype(np.int64)
        base, kind = [np.array([_BLACK], dtype=np.uint32)], [np.zeros(1, dtype=np.uint8)]
        texts: list[NDArray[np.bool_]] = []
        lights: list[NDArray[np.uint32]] = []
        for layer in self._layers:
            layer.atlas.settle()
            lights.append(shade.face_light(layer.solids, layer.flat, lamp=layer.close))
            texts.append(shows_text(layer.solids, layer.flat))
            paint = shade.packed(layer.solids.color[layer.flat.part])
            base += [shade.scaled(paint, lights[-1]), np.zeros(len(layer.bent), dtype=np.uint32)]
            kind += [
                texts[-1].astype(np.uint8) + np.uint8(_FLOOR) * shade.floors(layer.solids, layer.flat),
                np.full(len(layer.bent), _CURVED, dtype=np.uint8),
            ]
        color = np.concatenate(base)[surface]
        kinds = np.concatenate(kind)[surface]
        bearing, bent = np.nonzero(kinds == _TEXT)[0], np.nonzero(kinds == _CURVED)[0]
        floor = np.nonzero(kinds == _FLOOR)[0]
        color[floor] = shade.scaled(
            color[floor], shade.tile_joints(self.view, floor, np.float32(1.0) / self._canvas.depth_inverse[floor])
        )
        for layer, shown, bright in zip(self._layers, texts, lights, strict=True):
            self._write_texts(color, surface, bearing, layer, shown, bright)
            self._write_curved(color, surface, bent, layer)
        self._draw_seams(color, surface)
        return color.view(np.uint8).reshape(self.view.height, self.view.width, 4)

    def _write_texts(
        self,
        color: NDArray[np.uint32],
        surface: NDArray[np.int64],
        bearing: NDArray[np.int64],
        layer: Layer,
        shown: NDArray[np.bool_],
        bright: NDArray[np.uint32],
    ) -> None:
        """Colour the pixels of flat faces with a text."""
        mine = surface[bearing]
        pixel = bearing[(mine >= layer.start) & (mine < layer.middle)]
        if len(pixel):
            owner = surface[pixel] - layer.start
            depth = np.float32(1.0) / self._canvas.depth_inverse[pixel]
            texel = shade.face_texts(layer.solids, layer.flat, layer.view, layer.atlas, shown, owner, pixel, depth)
            color[pixel] = shade.scaled(texel, shade.lit_text(bright)[owner])

    def _write_curved(
        self, color: NDArray[np.uint32], surface: NDArray[np.int64], bent: NDArray[np.int64], layer: Layer
    ) -> None:
        """Colour the pixels of curved parts."""
        mine = surface[bent]
        pixel = bent[(mine >= layer.middle) & (mine < layer.end)]
        if len(pixel):
            owner = surface[pixel] - layer.middle
            depth = np.float32(1.0) / self._canvas.depth_inverse[pixel]
            color[pixel] = shade.ray_pixels(layer.solids, layer.bent, layer.view, layer.atlas, owner, pixel, depth)

    def _draw_seams(self, color: NDArray[np.uint32], surface: NDArray[np.int64]) -> None:
        """Darken the pixels right of and below an edge between surfaces, so that equal neighbours stay apart."""
        width = self.view.width
        edge = np.zeros(len(surface), dtype=np.bool_)
        edge[1:] = surface[1:] != surface[:-1]
        edge[width:] |= surface[width:] != surface[:-width]
        edge[::width] = False
        pixel = np.nonzero(edge)[0]
        color[pixel] = shade.scaled(color[pixel], np.full(len(pixel), _SEAM, dtype=np.uint32))
