"""The camera that pictures are taken with: its size, its field of view, and how it measures depth."""

import re

import attrs
import numpy as np
from numpy.typing import NDArray

from recfw_situated.driver.build import Build, number, refused
from recfw_situated.driver.calibrate import fit_depth, to_planar
from recfw_situated.driver.decode import decode_depth, decode_png
from recfw_situated.driver.link import Answer
from recfw_situated.scenes.records import Point3, Pose
from recfw_situated.views.frame import Frame

FOV = 90.0
"""Horizontal field of view in degrees where a build does not tell it: Unreal's default."""


class Capture:
    """
    Takes pictures of one moment.

    Args:
        build: The build.
        pause: Stop the game while the pictures of a moment are taken; our own simulator never moves by itself.
    """

    def __init__(self, build: Build, *, pause: bool) -> None:
        self.build, self._pause = build, pause
        self._own = ""
        self._size: tuple[int, int] | None = None
        self._fov = FOV
        self.depth = (build.mapping.depth.convention, build.mapping.depth.unit)

    @property
    def camera(self) -> str:
        """Id of the camera: one of our own, or the shopper's."""
        return self._own or self.build.mapping.camera

    async def open(self, *, spawn: bool) -> None:
        """Make a camera of our own where that is wanted, and read the field of view."""
        self._own, self._size = "", None
        if spawn:
            (name,) = await self.build.tell("vset /cameras/spawn")
            found = re.search(r"(\d+)\s*$", name)
            if found is None:
                raise self.build.fault("vset /cameras/spawn", name)
            self._own = found[1]
        (answer,) = await self.build.ask([f"vget /camera/{self.camera}/fov"])
        if not refused(answer):
            (self._fov,) = self.build.numbers("vget fov", answer, 1)

    def forget_size(self) -> None:
        """Ask for the size anew: whoever reset the world may have changed it."""
        self._size = None

    def eyes(self, place: Answer, rotation: Answer) -> tuple[Pose, Point3]:
        """Return the pose and the eye in the records' frame from a camera's place and rotation."""
        x, y, z = self.build.numbers("vget location", place, 3)
        pitch, yaw, _ = self.build.numbers("vget rotation", rotation, 3)
        pose = self.build.pose_of((x, y), (pitch, yaw))
        return pose, (pose.x, pose.y, z - self.build.mapping.origin[2])

    async def frame(self, width: int, height: int, *, rgb: bool = False) -> Frame:
        """Take pictures from the shopper's eyes, with planar depth in cm."""
        frame, raw = await self._raw(width, height, rgb=rgb)
        convention, unit = self.depth
        return attrs.evolve(frame, depth=to_planar(raw, convention, unit or 1.0, frame.fov))

    async def measure(self, where: str) -> None:
        """Find the depth convention from the floor that is in view, unless the mapping names it."""
        convention, unit = self.build.mapping.depth.convention, self.build.mapping.depth.unit
        frame, raw = await self._raw(320, 240)
        fit = fit_depth(frame, raw, where)
        self.depth = (fit.convention if convention == "auto" else convention, unit or fit.unit)

    async def _raw(self, width: int, height: int, *, rgb: bool = False) -> tuple[Frame, NDArray[np.float32]]:
        """Return a frame, and its depth as the build gave it."""
        if self._size != (width, height):
            await self._resize(width, height)
        if self._own:
            await self._put_at_the_eyes()
        size, camera = self._size or (width, height), self.camera
        asked = [
            f"vget /camera/{camera}/location",
            f"vget /camera/{camera}/rotation",
            f"vget /camera/{camera}/{self.build.mapping.mask.view} png",
            f"vget /camera/{camera}/depth npy",
            *([f"vget /camera/{camera}/lit png"] if rgb else []),
        ]
        if self._pause:
            asked = ["vset /action/game/pause", *asked, "vset /action/game/resume"]
        answers = await self.build.ask(asked)
        place, rotation, mask, depth, *rest = answers[1:] if self._pause else answers
        pose, eye = self.eyes(place, rotation)
        raw = decode_depth(depth, size)
        picture = decode_png(rest[0], "colour", size) if rgb else None
        return Frame(decode_png(mask, "mask", size), raw, pose, eye, self._fov, picture), raw

    async def _put_at_the_eyes(self) -> None:
        """Put our own camera where the shopper's is."""
        eyes = self.build.mapping.camera
        place, rotation = await self.build.tell(f"vget /camera/{eyes}/location", f"vget /camera/{eyes}/rotation")
        where = " ".join(map(number, self.build.numbers("vget location", place, 3)))
        turned = " ".join(map(number, self.build.numbers("vget rotation", rotation, 3)))
        await self.build.tell(
            f"vset /camera/{self._own}/location {where}", f"vset /camera/{self._own}/rotation {turned}"
        )

    async def _resize(self, width: int, height: int) -> None:
        """Ask for a size and read back what the build made of it."""
        camera = self.camera
        commands = [f"vset /camera/{camera}/size {width} {height}", f"vget /camera/{camera}/size"]
        _, answer = await self.build.ask(commands)
        if refused(answer):
            self._size = (width, height)
            return
        across, down = self.build.numbers("vget size", answer, 2)
        self._size = (int(across), int(down))
