"""``recfw situated view``: what a role sees from a pose, as a picture."""

import asyncio
import io
import math
from pathlib import Path

import click
from PIL import Image

from recfw.errors import InfrastructureError, UsageError
from recfw_situated.cli.check import scene_of
from recfw_situated.driver.mapping import read_mapping
from recfw_situated.driver.pool import Stores
from recfw_situated.driver.unreal import OCCUPIED, UnrealStore
from recfw_situated.scenes.records import Pose, Scene
from recfw_situated.views.looking import annotated, look
from recfw_situated.views.observe import Labeller, Observation
from recfw_situated.views.sights import Eyes

ROLES = ("user", "assistant", "none")


@click.command()
@click.option(
    "--scene", metavar="NAME", default="supermarket", show_default=True, help="A scene's name, or one's own folder."
)
@click.option("--pose", metavar="X,Y,YAW[,PITCH]", help="Where to stand (cm) and look (degrees).")
@click.option("--waypoint", metavar="ID", help="A fixed viewpoint instead, as recfw situated map names them.")
@click.option("--role", type=click.Choice(ROLES), default="user", show_default=True, help="Whose marks; none for none.")
@click.option("--hold", metavar="INSTANCE", help="Take an item into the hand first.")
@click.option("--show", metavar="INSTANCE", help="Show an item close up first.")
@click.option("--size", metavar="WxH", default="640x480", show_default=True, help="Of the picture, in pixels.")
@click.option("--out", metavar="FILE", type=Path, required=True, help="PNG file to write.")
@click.option("--host", metavar="HOST", default="127.0.0.1", show_default=True, help="Where a store listens …")
@click.option("--port", metavar="N", type=click.IntRange(1, 65535), help="… and its port. [default: start one]")
@click.option("--mapping", metavar="FILE", type=Path, help="YAML file that names that store's objects and functions.")
def view(
    scene: str,
    pose: str | None,
    waypoint: str | None,
    role: str,
    hold: str | None,
    show: str | None,
    size: str,
    out: Path,
    host: str,
    port: int | None,
    mapping: Path | None,
) -> None:
    """
    Write what a role sees from somewhere in a store, marks included, and list the marks.

    \b
    Examples:
      recfw situated view --out start.png
      recfw situated view --scene furnishings --pose 0,0,90 --out view.png
    """  # noqa: D301 - click reads \b as the character that it stands for
    records = scene_of(scene)
    at = _pose_of(records, pose, waypoint)
    pixels = _size_of(size)
    addresses = ((host, port),) if port else ()
    stores = Stores(records, addresses, read_mapping(mapping) if mapping else None, source=scene)

    async def go() -> tuple[bytes, Observation]:
        async with stores, stores.lend() as store:
            await store.place(at)
            await _hold(store, hold, show)
            return await _seen(store, role, pixels)

    try:
        data, observation = asyncio.run(go())
    except InfrastructureError as error:
        if error.kind != OCCUPIED:
            raise
        raise UsageError(error.message, error.hint) from error
    try:
        out.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror or error}).", "Choose another --out.") from error
    click.echo(f"{out}: {records.title}, x {at.x:.0f}, y {at.y:.0f}, yaw {at.yaw:.0f}, pitch {at.pitch:.0f}.")
    for marker in observation.visible if role != "none" else ():
        ways = f" ({', '.join(marker.approaches)})" if marker.approaches else ""
        click.echo(f"{marker.handle:>4}  {marker.distance / 100:5.1f} m  {marker.kind:<8} {marker.display_name}{ways}")


async def _hold(store: UnrealStore, hold: str | None, show: str | None) -> None:
    for name, act in ((hold, store.pick), (show, store.show_item)):
        if name is not None:
            if name not in store.scene.instance_by_id:
                raise UsageError(f"no instance '{name}' in {store.scene.name}.", "Instances: recfw situated stats.")
            done = await act(name)
            if not done.success:
                raise UsageError(f"'{name}' cannot be shown: {done.reason}")


async def _seen(store: UnrealStore, role: str, size: tuple[int, int]) -> tuple[bytes, Observation]:
    eyes, labeller = Eyes(store.scene, store.palette), Labeller(store.scene)
    here = await store.pose()
    sights = await look(store, eyes, here)
    observation = labeller.observe(sights, "user" if role == "none" else role)
    if role != "none":
        return await annotated(store, eyes, sights, observation, size), observation
    held = io.BytesIO()
    frame = await store.frame(*size, rgb=True)
    assert frame.rgb is not None
    Image.fromarray(frame.rgb).save(held, format="PNG")
    return held.getvalue(), observation


def _pose_of(scene: Scene, pose: str | None, waypoint: str | None) -> Pose:
    if pose is not None and waypoint is not None:
        raise UsageError("--pose and --waypoint exclude each other.", "Give one of them.")
    if waypoint is not None:
        if waypoint not in scene.waypoint_by_id:
            some = ", ".join(list(scene.waypoint_by_id)[:4])
            raise UsageError(f"no waypoint '{waypoint}' in {scene.name}.", f"Some are: {some}.")
        point = scene.waypoint_by_id[waypoint]
        return Pose(point.x, point.y, point.yaw)
    if pose is None:
        return scene.start
    try:
        numbers = [float(word) for word in pose.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in {3, 4} or not all(map(math.isfinite, numbers)):
        raise UsageError(f"--pose is '{pose}', not X,Y,YAW or X,Y,YAW,PITCH.", "Such as --pose 0,-120,90.")
    return Pose(*numbers)


def _size_of(size: str) -> tuple[int, int]:
    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 1920 and 16 <= int(height) <= 1080):
        raise UsageError(f"--size is '{size}', not WxH within 16x16 and 1920x1080.", "Such as --size 960x540.")
    return int(width), int(height)
