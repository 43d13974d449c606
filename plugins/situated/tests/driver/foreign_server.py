"""
An UnrealCV server that shares nothing with our simulator: another dialect, and faults on demand.

It knows no ``vbp`` unless told, measures where and how it likes, and shows colours as its tone mapping makes them.
"""

import contextlib
import io
import math
import re
import socket
import struct
import threading
import time

import numpy as np
from PIL import Image
from tiny_scene import boxes

MAGIC = 0x9E2B83C1
COMMANDS = """vget /unrealcv/commands
vget /objects
vget /camera/[uint]/location
vget /camera/[uint]/rotation
vget /camera/[uint]/lit [str]
vget /camera/[uint]/object_mask [str]
vget /camera/[uint]/depth [str]
vget /object/[str]/color
vset /camera/[uint]/location [float] [float] [float]
vset /camera/[uint]/rotation [float] [float] [float]
vset /camera/[uint]/moveto [float] [float] [float]
vset /camera/[uint]/size [uint] [uint]
vset /object/[str]/color [uint] [uint] [uint]
vset /object/[str]/show
vset /object/[str]/hide
vset /action/game/pause
vset /action/game/resume"""
GAMMA = np.rint(255 * (np.arange(256) / 255.0) ** (1 / 2.2)).astype(np.uint8)


class Drop(Exception):  # noqa: N818 - what it does
    """Hang up now."""


class ForeignServer:
    """
    Serves the tiny scene.

    Args:
        scene: What is shown.
        curve: 256 levels that mask channels pass through.
        jitter: Added to every non-zero mask channel.
        ray: Depth along the ray rather than the view axis.
        unit: cm of a unit of depth.
        origin: Where the scene lies in the level.
        names: Record id -> engine name.
        lacks: Patterns of commands that are answered by an error.
        listed: Whether it lists its commands.
        size: The only size that it renders, or None for any.
        faults: Pattern of commands -> what happens: hang, drop, wrong id, broken png, truncated npy, wrong size, junk.
        greeting: What is sent on connecting, raw; None says nothing.
        fixed: Own mask colours that cannot be changed: engine name -> colour.
        places: Whether objects tell their places: the middles of their boxes.
    """

    def __init__(self, scene, **dialect):
        self.scene = scene
        self.curve = dialect.get("curve", np.arange(256, dtype=np.uint8))
        self.jitter = dialect.get("jitter", 0)
        self.ray, self.unit = dialect.get("ray", False), dialect.get("unit", 1.0)
        self.origin = dialect.get("origin", (0.0, 0.0, 0.0))
        self.names = dialect.get("names", {})
        self.lacks, self.listed = dialect.get("lacks", ()), dialect.get("listed", True)
        self.only_size = dialect.get("size")
        self.faults = dict(dialect.get("faults", {}))
        self.greeting = dialect.get("greeting", b"connected to Foreign")
        self.fixed = dialect.get("fixed")
        self.places = dialect.get("places", False)
        self.eye, self.rotation = [*self.origin[:2], self.origin[2] + 160.0], [0.0, 0.0, 0.0]
        self.frame_size = self.only_size or (160, 120)
        self.solids = {self.names.get(name, name): box for name, box in boxes(scene).items()}
        self.colors = dict(self.fixed or dict.fromkeys(self.solids, (255, 255, 255)))
        self.hidden, self.heard, self.connections = set(), [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets, self.rendered = [], None
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self):
        """Let everything go."""
        for one in (self.listener, *self.sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.sockets.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.greeting is not None:
                raw = self.greeting
                connection.sendall(raw if not raw.startswith(b"connected") else self._framed(raw))
            while True:
                head = self._exactly(connection, 8)
                assert struct.unpack("<II", head)[0] == MAGIC
                number, _, command = self._exactly(connection, struct.unpack("<II", head)[1]).partition(b":")
                self._answer(connection, int(number), command.decode())
        except (Drop, OSError, ValueError, AssertionError):
            connection.close()

    def _exactly(self, connection, count):
        data = b""
        while len(data) < count:
            more = connection.recv(count - len(data))
            if not more:
                raise Drop
            data += more
        return data

    @staticmethod
    def _framed(payload):
        return struct.pack("<II", MAGIC, len(payload)) + payload

    def _answer(self, connection, number, command):
        self.heard.append(command)
        fault = next((what for pattern, what in self.faults.items() if re.search(pattern, command)), "")
        if fault == "hang":
            time.sleep(30)
        if fault == "drop":
            raise Drop
        body = self.handle(command, fault)
        body = body.encode() if isinstance(body, str) else body
        number += 7 if fault == "wrong id" else 0
        framed = self._framed(b"%d:%s" % (number, body))
        if fault == "half":
            connection.sendall(framed[: len(framed) // 2])
            raise Drop
        connection.sendall(framed)

    def handle(self, command, fault=""):  # noqa: PLR0911 - one answer a kind of command
        """Return the answer to a command."""
        if any(re.search(pattern, command) for pattern in self.lacks):
            return f"error No handler found for URI '{command}'"
        verb, path, *arguments = command.split()
        if command == "vget /unrealcv/commands":
            listed = [line for line in COMMANDS.splitlines() if not any(re.search(p, line) for p in self.lacks)]
            return "\n".join(listed) if self.listed else f"error No handler found for URI '{command}'"
        if path.startswith("/action/game"):
            return "ok"
        if command == "vget /objects":
            return " ".join(self.solids)
        if match := re.fullmatch(r"/object/([^/]+)/(\w+)", path):
            return self._object(verb, *match.groups(), arguments)
        if match := re.fullmatch(r"/camera/0/(\w+)", path):
            return self._camera(verb, match[1], arguments, fault)
        return f"error No handler found for URI '{command}'"

    def _object(self, verb, name, what, arguments):
        if name not in self.solids:
            return "error Cannot find object"
        if what == "color" and verb == "vget":
            return "(R={},G={},B={},A=255)".format(*self.colors[name])
        if what == "location" and self.places:
            low, high = self.solids[name]
            return "{} {} {}".format(*(o + (a + b) / 2 for o, a, b in zip(self.origin, low, high, strict=True)))
        if what == "color":
            if self.fixed:
                return "error colours are fixed"
            self.colors[name] = tuple(map(int, arguments))
        elif what == "hide":
            self.hidden.add(name)
        elif what == "show":
            self.hidden.discard(name)
        return "ok"

    def _camera(self, verb, what, arguments, fault):
        if what in {"location", "moveto", "rotation"}:
            held = self.rotation if what == "rotation" else self.eye
            if verb == "vget":
                return " ".join(f"{value:.3f}" for value in held)
            wanted = [*map(float, arguments)]
            if what == "moveto":
                wanted = self._walk(wanted)
            held[:] = wanted
            return "ok"
        if what == "size":
            if verb == "vset" and not self.only_size:
                self.frame_size = tuple(map(int, arguments))
            return "{} {}".format(*self.frame_size)
        if what == "fov":
            return "90.000" if verb == "vget" else "ok"
        return self._picture(what, fault)

    def _walk(self, wanted):
        """Walk in steps of 1 cm until something is closer than 20 cm, without sliding."""
        at = np.array(self.eye)
        goal = np.array([wanted[0], wanted[1], self.eye[2]])
        steps = max(1, math.ceil(np.linalg.norm(goal - at)))
        for n in range(1, steps + 1):
            point = at + (goal - at) * n / steps
            x, y = point[0] - self.origin[0], point[1] - self.origin[1]
            for low, high in ((b.low, b.high) for b in (f.box for f in self.scene.fixtures)):
                gap = math.hypot(max(low[0] - x, 0, x - high[0]), max(low[1] - y, 0, y - high[1]))
                if gap < 20:
                    return list(at + (goal - at) * (n - 1) / steps)
        return list(goal)

    def _picture(self, what, fault):
        width, height = (32, 24) if fault == "wrong size" else self.frame_size
        key = (width, height, *self.eye, *self.rotation, *sorted(self.hidden))
        if self.rendered is None or self.rendered[0] != key:
            self.rendered = (key, self.render(width, height))
        ids, planar, stretch = self.rendered[1]
        names = ["", *self.solids]
        if what == "depth":
            depth = (planar * stretch if self.ray else planar) / self.unit
            held = io.BytesIO()
            np.save(held, depth.astype(np.float32))
            return held.getvalue()[: 500 if fault == "truncated npy" else None]
        table = np.zeros((len(names), 4), dtype=np.uint8)
        for n, name in enumerate(names[1:], 1):
            color = self.curve[np.array(self.colors[name])]
            table[n, :3] = np.clip(color.astype(int) + self.jitter * (color > 0) * (color < 250), 0, 255)
        table[:, 3] = 255
        pixels = table[ids] if what == "object_mask" else np.full((height, width, 4), 200, dtype=np.uint8)
        held = io.BytesIO()
        Image.fromarray(pixels).save(held, format="PNG")
        data = held.getvalue()
        return data[: len(data) // 3] if fault == "broken png" else data

    def render(self, width, height):
        """Return object numbers, planar depth and ray over planar of every pixel, by casting rays at boxes."""
        focal = width / 2
        rows, columns = np.mgrid[0:height, 0:width] + 0.5
        right, up = (columns - width / 2) / focal, (height / 2 - rows) / focal
        pitch, yaw = map(math.radians, self.rotation[:2])
        ahead = np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)])
        aside = np.array([-math.sin(yaw), math.cos(yaw), 0.0])
        above = np.array([-math.sin(pitch) * math.cos(yaw), -math.sin(pitch) * math.sin(yaw), math.cos(pitch)])
        rays = ahead + right[..., None] * aside + up[..., None] * above
        eye = np.array(self.eye) - np.array(self.origin)
        rays = [np.where(np.abs(ray) < 1e-9, 1e-9, ray) for ray in np.moveaxis(rays, 2, 0)]
        best = np.where(rays[2] < 0, -eye[2] / rays[2], np.inf)
        ids = np.zeros((height, width), dtype=int)
        for n, (name, (low, high)) in enumerate(self.solids.items(), 1):
            if name in self.hidden:
                continue
            enter, leave = np.zeros(ids.shape), np.full(ids.shape, np.inf)
            for axis, ray in enumerate(rays):
                one, two = (low[axis] - eye[axis]) / ray, (high[axis] - eye[axis]) / ray
                np.maximum(enter, np.minimum(one, two), out=enter)
                np.minimum(leave, np.maximum(one, two), out=leave)
            hit = (enter < leave) & (enter > 0) & (enter < best)
            best[hit], ids[hit] = enter[hit], n
        return ids, np.where(np.isfinite(best), best, 65504.0), np.sqrt(1 + right**2 + up**2)
