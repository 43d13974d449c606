"""A store behind UnrealCV's protocol: the embedded simulator, or a packaged build with a mapping file."""

import math
from collections.abc import Mapping, Sequence

import attrs

from recfw.errors import InfrastructureError
from recfw_situated.driver import probe
from recfw_situated.driver.build import Build, number, refused, wrapped
from recfw_situated.driver.capture import Capture
from recfw_situated.driver.link import SECONDS, Link
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.driver.masks import Masks, masks_of
from recfw_situated.driver.store import Done, Moved
from recfw_situated.scenes.records import Color, Pose, Scene
from recfw_situated.views.frame import Frame
from recfw_situated.views.palette import Palette

ARRIVED = 2.0
"""Distance (cm) from where a translation was to end within which it counts as arrived."""

OCCUPIED = "occupied"
"""Kind of the failure to put the shopper where something stands."""

DOWN = -45.0
"""Pitch at which the floor is looked at to calibrate depth."""


class UnrealStore:
    """
    The :class:`~recfw_situated.driver.store.Store` of one server.

    Args:
        scene: The records of what the build shows.
        host: Where it listens.
        port: At which port.
        mapping: What it calls things.
        seconds: Deadline of each batch of requests.
        trusted: It is our own simulator: neither probed nor calibrated, and reset is its own.
    """

    def __init__(
        self,
        scene: Scene,
        host: str,
        port: int,
        mapping: BuildMap | None = None,
        seconds: float = SECONDS,
        *,
        trusted: bool = False,
    ) -> None:
        self.scene, self.mapping = scene, mapping or BuildMap(scene=scene.name)
        self.link = Link(host, port, seconds)
        self.build = Build(self.link, self.mapping)
        self.trusted = trusted
        self.held, self.shown = "", ""
        self._taken: set[str] = set()
        self._pose = scene.start
        self._capture = Capture(self.build, pause=not trusted)
        self.offers: probe.Offers | None = None
        self.masks = Masks(Palette.of(scene), "none", 0.0, 0)

    @property
    def palette(self) -> Palette:
        """How this build's masks are decoded."""
        return self.masks.palette

    @property
    def depth(self) -> tuple[str, float]:
        """The build's depth convention, and how many cm its unit is."""
        return self._capture.depth

    @property
    def taken(self) -> frozenset[str]:
        """Instances that are not in their places."""
        return frozenset(self._taken)

    def state(self) -> tuple[object, ...]:
        """Return what decides the picture besides the pose."""
        return (self.scene.digest, self.held, self.shown, tuple(sorted(self._taken)))

    # --- Life ---------------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """
        Connect, find out what the build offers, and check masks and depth.

        Raises:
            InfrastructureError: It lacks something that the track needs, or its pictures make no sense.
        """
        await self.link.open()
        if self.trusted:
            self._capture.depth = ("planar", 1.0)
            await self._capture.open(spawn=False)
            return
        await self.find_offers()
        if self.offers is not None and self.offers.lacking:
            lacks = ", ".join(offer.words for offer in self.offers.lacking)
            hint = "Name its functions in the mapping file; recfw situated check tells what is there."
            raise InfrastructureError(f"The store at {self.link.where} offers no {lacks}.", hint, kind="capability")
        await self._capture.open(spawn=self.mapping.capture == "spawn" and self._way("spawn") == "camera")
        await self.reset()
        await self.calibrate()
        await self.reset()

    async def find_offers(self) -> probe.Offers:
        """Probe the build, once."""
        if self.offers is None:
            sample = next(iter(self.scene.object_colors))
            self.offers = await probe.probe(self.build, self.mapping.engine_name(sample))
        return self.offers

    async def calibrate(self) -> None:
        """Find out what the build does to mask colours, and how it measures depth."""
        await self.measure_depth()
        self.masks = await masks_of(self)

    async def measure_depth(self) -> None:
        """Find out how the build measures depth, unless the mapping says it, on the floor before the shopper's feet."""
        if self.mapping.depth.convention == "auto" or not self.mapping.depth.unit:
            await self.face(self._pose.yaw, DOWN)
            await self._capture.measure(self.link.where)
            await self.face(self._pose.yaw, 0.0)

    async def close(self) -> None:
        """Let the connection go."""
        await self.link.close()

    async def reset(self) -> Pose:
        """Put everything in its place and the shopper at the start."""
        hidden = [name for name in sorted(self._taken) if self._way("pick") == "hide"]
        self.held, self.shown = "", ""
        self._taken.clear()
        self._capture.forget_size()
        if self._way("reset") == "vbp":
            return self._keep(await self.build.call("reset"), "reset")
        if hidden:
            await self.build.tell(*(f"vset /object/{self.mapping.engine_name(name)}/show" for name in hidden))
        return await self.place(self.scene.start)

    def _way(self, need: str) -> str:
        return "vbp" if self.offers is None else self.offers.way(need)

    # --- Where the shopper is ----------------------------------------------------------------------------------------

    def _keep(self, values: Mapping[str, str], command: str) -> Pose:
        self._pose = self.build.read_pose(command, values)
        return self._pose

    async def pose(self) -> Pose:
        """Ask where the shopper is."""
        if self._way("pose") == "vbp":
            return self._keep(await self.build.call("pose"), "pose")
        camera = self.mapping.camera
        asked = (f"vget /camera/{camera}/location", f"vget /camera/{camera}/rotation")
        place, rotation = await self.build.tell(*asked)
        self._pose, _ = self._capture.eyes(place, rotation)
        return self._pose

    async def place(self, pose: Pose) -> Pose:
        """Put the shopper somewhere at once; InfrastructureError where something stands there."""
        x, y = self.mapping.to_level(pose.x, pose.y)
        yaw = wrapped(pose.yaw + self.mapping.origin[3])
        if self._way("place") == "vbp":
            values = await self.build.call("place", x=number(x), y=number(y), yaw=number(yaw))
            if values.get(self.mapping.answer("success"), "true").lower() == "false":
                words = f"The store at {self.link.where} has no room for the shopper at x {pose.x:.0f}, y {pose.y:.0f}."
                raise InfrastructureError(words, "Something stands there: see recfw situated map.", kind=OCCUPIED)
            self._keep(values, "place")
            return await self.face(self._pose.yaw, pose.pitch) if pose.pitch else self._pose
        height = self.scene.eye_height + self.mapping.origin[2]
        camera = self.mapping.camera
        await self.build.tell(
            f"vset /camera/{camera}/location {number(x)} {number(y)} {number(height)}",
            f"vset /camera/{camera}/rotation {number(pose.pitch)} {number(yaw)} {number(0)}",
        )
        return await self.pose()

    async def turn(self, degrees: float) -> Pose:
        """Turn by an angle, positive to the right."""
        if self._way("turn") == "vbp":
            return self._keep(await self.build.call("turn", degrees=number(degrees)), "turn")
        return await self._rotate(self._pose.yaw + degrees, self._pose.pitch)

    async def look(self, degrees: float) -> Pose:
        """Tilt the head by an angle, positive upwards."""
        if self._way("look") == "vbp":
            return self._keep(await self.build.call("look", degrees=number(degrees)), "look")
        return await self._rotate(self._pose.yaw, min(80.0, max(-80.0, self._pose.pitch + degrees)))

    async def face(self, yaw: float, pitch: float = 0.0) -> Pose:
        """Face a direction of the world."""
        if self._way("turn") != "vbp" or self._way("look") != "vbp":
            return await self._rotate(yaw, pitch)
        await self.build.call("face", yaw=number(wrapped(yaw + self.mapping.origin[3])))
        return self._keep(await self.build.call("tilt", pitch=number(pitch)), "tilt")

    async def _rotate(self, yaw: float, pitch: float) -> Pose:
        level = wrapped(yaw + self.mapping.origin[3])
        command = f"vset /camera/{self.mapping.camera}/rotation {number(pitch)} {number(level)} {number(0)}"
        await self.build.tell(command)
        return await self.pose()

    # --- Walking ------------------------------------------------------------------------------------------------------

    async def move(self, forward: float, right: float) -> Moved:
        """Walk straight, relative to where the shopper faces, sliding along obstacles."""
        if self._way("move") == "vbp":
            before = self._pose
            values = await self.build.call("move", forward=number(forward), right=number(right))
            return self._moved(before, values, "move")
        yaw = math.radians(self._pose.yaw)
        x = self._pose.x + forward * math.cos(yaw) - right * math.sin(yaw)
        y = self._pose.y + forward * math.sin(yaw) + right * math.cos(yaw)
        return await self._walk_to(x, y)

    async def _walk_to(self, x: float, y: float) -> Moved:
        before = self._pose
        level = self.mapping.to_level(x, y)
        if self._way("move") == "vbp":
            values = await self.build.call("move_to", x=number(level[0]), y=number(level[1]))
            return self._moved(before, values, "move_to")
        height = self.scene.eye_height + self.mapping.origin[2]
        command = f"vset /camera/{self.mapping.camera}/moveto {number(level[0])} {number(level[1])} {number(height)}"
        answers = await self.build.ask([command])
        after = await self.pose()
        short = math.dist((after.x, after.y), (x, y)) > ARRIVED
        return Moved(after, _between(before, after), blocked=short or refused(answers[0]))

    def _moved(self, before: Pose, values: Mapping[str, str], command: str) -> Moved:
        after = self._keep(values, command)
        blocked = values.get(self.mapping.answer("blocked"), "false").lower() == "true"
        return Moved(after, _between(before, after), blocked, values.get(self.mapping.answer("hit"), ""))

    async def follow(self, path: Sequence[tuple[float, float]], yaw: float | None = None) -> Moved:
        """Walk along points of the floor, then face a direction, or that of the last leg."""
        before = self._pose
        if not path:
            moved = Moved(before, 0.0, blocked=False)
        elif self._way("follow") == "vbp":
            legs = (self.mapping.to_level(x, y) for x, y in path)
            text = ";".join(f"{number(x)},{number(y)}" for x, y in legs)
            moved = self._moved(before, await self.build.call("follow", path=text), "follow")
        else:
            moved = await self._leg_by_leg(path)
        if yaw is not None:
            moved = attrs.evolve(moved, pose=await self.face(yaw))
        return attrs.evolve(moved, distance=_between(before, moved.pose))

    async def _leg_by_leg(self, path: Sequence[tuple[float, float]]) -> Moved:
        moved = Moved(self._pose, 0.0, blocked=False)
        for x, y in path:
            start = self._pose
            moved = await self._walk_to(x, y)
            if moved.distance > ARRIVED:
                heading = math.degrees(math.atan2(moved.pose.y - start.y, moved.pose.x - start.x))
                moved = attrs.evolve(moved, pose=await self.face(heading))
            if moved.blocked:
                break
        return moved

    # --- Items --------------------------------------------------------------------------------------------------------

    async def pick(self, instance: str) -> Done:
        """Take an instance into the hand."""
        name = self.mapping.engine_name(instance)
        if self._way("pick") == "vbp":
            done = self._done(await self.build.call("pick", object=name))
        else:
            await self.build.tell(f"vset /object/{name}/hide")
            done = Done(success=True)
        if done.success:
            self.held = instance
            self._taken.add(instance)
        return done

    async def drop(self) -> Done:
        """Put the held instance back."""
        if self._way("pick") == "vbp":
            done = self._done(await self.build.call("drop"))
        else:
            await self.build.tell(f"vset /object/{self.mapping.engine_name(self.held)}/show")
            done = Done(success=True)
        if done.success:
            self._taken.discard(self.held)
            self.held = ""
        return done

    async def show_item(self, instance: str | None) -> Done:
        """Show an instance close up while it stays in its place; None ends that."""
        done = Done(success=True)
        if self._way("show") == "vbp":
            name = self.mapping.engine_name(instance or "")
            values = await (self.build.call("show", object=name) if instance else self.build.call("hide"))
            done = self._done(values)
        if done.success:
            self.shown = instance or ""
        return done

    async def cart(self, instance: str | None = None) -> Done:
        """Put the held instance (None) or one that stays on display into the cart."""
        done = Done(success=True)
        if self._way("cart") == "vbp":
            name = self.mapping.engine_name(instance) if instance else ""
            done = self._done(await self.build.call("cart", object=name))
        if done.success and instance is None:
            self.held = ""
        return done

    def _done(self, values: Mapping[str, str]) -> Done:
        success = values.get(self.mapping.answer("success"), "true").lower() != "false"
        return Done(success, values.get(self.mapping.answer("reason"), ""))

    # --- Pictures -----------------------------------------------------------------------------------------------------

    async def frame(self, width: int, height: int, *, rgb: bool = False) -> Frame:
        """Take pictures of one moment from the shopper's eyes."""
        return await self._capture.frame(width, height, rgb=rgb)

    # --- What there is ------------------------------------------------------------------------------------------------

    async def objects(self) -> tuple[str, ...]:
        """Return the names of the build's objects."""
        (answer,) = await self.build.tell("vget /objects")
        return tuple(answer.split())

    async def colors(self, names: Sequence[str]) -> Mapping[str, Color]:
        """Return the mask colours of objects by the records' names."""
        commands = [f"vget /object/{self.mapping.engine_name(name)}/color" for name in names]
        answers = await self.build.ask(commands)
        pairs = zip(names, commands, answers, strict=True)
        return {name: self.build.color_of(command, answer) for name, command, answer in pairs}

    async def paint(self, colors: Mapping[str, Color]) -> bool:
        """Give objects mask colours, by the records' names; False where the build does not let them be changed."""
        commands = [
            f"vset /object/{self.mapping.engine_name(name)}/color {red} {green} {blue}"
            for name, (red, green, blue) in colors.items()
        ]
        return not any(map(refused, await self.build.ask(commands)))


def _between(before: Pose, after: Pose) -> float:
    return math.dist((before.x, before.y), (after.x, after.y))
