"""
The situated track's simulator: CPU of renders, of observations over the socket, and of walks.

Alone: python benchmarks/bench_situated.py. Figures are of CPU, summed over threads and, over the socket, over both
processes; each is the mean over all fixed viewpoints of a scene, taken as the better of two.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

SCENES = ("supermarket", "furnishings")
FULL, SMALL = (640, 480), (320, 240)


def situated(bench):
    """Renders, observations over the socket, walks."""
    for scene in SCENES:
        world = _opened(bench, scene)
        full = _renders(world, FULL, colours=True)
        bench.row(f"{scene}: RGB, depth and mask, 640x480", full[0], "ms", ("<=", 60.0), f"worst view {full[1]:.0f} ms")
        small = _renders(world, SMALL, colours=False)
        bench.row(f"{scene}: mask and depth, 320x240", small[0], "ms", ("<=", 12.0), f"worst view {small[1]:.0f} ms")
        bench.row(f"{scene}: a walk with collision", 1000 * _walk(world), "us", ("<=", 100.0), "spec: 50 us")
        looks = asyncio.run(_observations(scene))
        bench.row(f"{scene}: what is visible, over the socket, no pictures", looks["small"], "ms", None)
        bench.row(f"{scene}: whole observation with overlay, over the socket", looks["full"], "ms", ("<=", 150.0))


def episodes(bench):
    """Whole episodes through `recfw run`: turns per second with pictures and without; no difference in the replay."""
    for pictures, target in (("none", None), ("all", None)):
        store = bench.folder / f"{pictures}.db"
        words = ("--plugin", "situated", "--agent", "index-guided", "--tasks", "subset=supermarket 1", "--quiet")
        started = time.monotonic()
        bench.type("run", "--store", store.name, *words, "--set", f"track.pictures={pictures}")
        wall = time.monotonic() - started
        told = json.loads(bench.type("report", "--store", store.name, "--analysis", "summary", "--format", "json"))
        (cell,) = told["figures"]["runs"][0]["cells"].values()
        turns = cell["figures"]["turns"]["value"] * cell["counts"]["completed"]
        bench.row(f"turns per second of 25 episodes, pictures={pictures}", turns / wall, "/s", target, f"{wall:.0f} s")
        if pictures == "none":
            bench.type("replay", "--store", store.name)


def _opened(bench, scene):
    from recfw_situated.simulator.opening import open_world

    started = time.process_time()
    world = open_world(scene)
    took = 1000 * (time.process_time() - started)
    bench.row(f"{scene}: open, {len(world.things.drawn())} parts", took, "ms", None)
    return world


def _renders(world, size, *, colours):
    """Return the mean and the greatest CPU ms of a render over the fixed viewpoints."""
    world.cameras[0].width, world.cameras[0].height = size
    colors = world.things.packed_colors()
    spent = []
    for point in world.scene.waypoints:
        assert world.place(point.x, point.y, point.yaw), point
        tries = []
        for _ in range(2):
            started = time.process_time()
            shot = world.render(0)
            shot.depth(), shot.mask(colors)
            if colours:
                shot.rgba()
            tries.append(time.process_time() - started)
        spent.append(1000 * min(tries))
    return sum(spent) / len(spent), max(spent)


def _walk(world, count=3000):
    """Return the CPU ms of a walk to and fro."""
    start = world.scene.start
    started = time.process_time()
    for index in range(count):
        world.obstacles.walk(start.x, start.y, start.x + index % 400, start.y + index % 300)
    return 1000 * (time.process_time() - started) / count


async def _observations(scene):
    """Return CPU ms of both processes for a look without pictures and for an annotated view."""
    from recfw_situated.driver.process import start
    from recfw_situated.driver.unreal import UnrealStore
    from recfw_situated.scenes.load import load_scene
    from recfw_situated.scenes.records import Pose
    from recfw_situated.views.looking import annotated, look
    from recfw_situated.views.observe import Labeller
    from recfw_situated.views.sights import Eyes

    records = load_scene(scene)
    served = await start(scene)
    store = UnrealStore(records, served.host, served.port, trusted=True)
    eyes, labeller = Eyes(records), Labeller(records)
    spent = {"small": [], "full": []}
    try:
        await store.open()
        for _ in range(2):
            for point in records.waypoints:
                pose = await store.place(Pose(point.x, point.y, point.yaw))
                began = _cpu(served.process.pid)
                sights = await look(store, eyes, pose)
                middle = _cpu(served.process.pid)
                await annotated(store, eyes, sights, labeller.observe(sights, "user"))
                spent["small"].append(middle - began)
                spent["full"].append(_cpu(served.process.pid) - began)
        await store.close()
    finally:
        served.stop()
    half = len(records.waypoints)
    return {name: 1000 * sum(values[half:]) / half for name, values in spent.items()}


def _cpu(process):
    """Return the CPU seconds of this process and another, to 10 ms for the other."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Printed:
    """Prints rows when this file is run alone."""

    missed = 0

    def row(self, name, value, unit, target, compared=""):
        met = target is None or value <= target[1]
        self.missed += not met
        wanted = "" if target is None else f"{target[0]} {target[1]:g}  {'met' if met else 'MISSED'}"
        print(f"{name:70} {value:9.1f} {unit:3} {wanted:20} {compared}")


if __name__ == "__main__":
    printed = Printed()
    situated(printed)
    sys.exit(bool(printed.missed))
