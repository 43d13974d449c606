"""``recfw situated map``: a scene from above, as a picture."""

import math
from pathlib import Path

import click

from recfw.errors import UsageError
from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.map import draw_map
from recfw_situated.scenes.records import Pose, Scene
from recfw_situated.views.labels import place_labels


@click.command("map")
@click.option("--scene", metavar="NAME", default="supermarket", show_default=True, help="A scene's name or folder.")
@click.option("--role", type=click.Choice(["user", "assistant"]), help="Write a role's labels before the names.")
@click.option("--pose", metavar="X,Y,YAW", help="Draw the shopper there (cm, degrees), or at a waypoint by its name.")
@click.option("--waypoints/--no-waypoints", default=True, show_default=True, help="Mark the fixed viewpoints.")
@click.option(
    "--width",
    metavar="N",
    type=click.IntRange(400, 6000),
    default=1400,
    show_default=True,
    help="Of the picture, in pixels.",
)
@click.option("--list", "listed", is_flag=True, help="List the waypoints as well.")
@click.option("--out", metavar="FILE", type=Path, required=True, help="PNG file to write.")
def map_(
    scene: str, role: str | None, pose: str | None, *, waypoints: bool, width: int, listed: bool, out: Path
) -> None:
    """
    Draw a store from above: fixtures or stores and areas with their names, and the fixed viewpoints.

    \b
    Examples:
      recfw situated map --out supermarket.png
      recfw situated map --scene furnishings --role user --out furnishings.png
      recfw situated map --pose cereal-front --list --out here.png
    """  # noqa: D301 - click reads \b as the character that it stands for
    records = load_scene(scene)
    labels: dict[tuple[str, str], str] = dict(place_labels(records, role).items()) if role else {}
    picture = draw_map(
        records,
        pose=None if pose is None else pose_of(records, pose),
        labels=labels,
        waypoints=waypoints,
        width=width,
    )
    try:
        picture.save(out, format="PNG")
    except OSError as error:
        raise UsageError(f"{out}: cannot be written ({error.strerror or error}).") from error
    click.echo(f"{out}: {records.title}, {picture.width} x {picture.height} pixels.")
    if listed:
        for one in records.waypoints:
            click.echo(f"{one.id:32} {one.kind:16} {one.x:8.1f} {one.y:8.1f} {one.yaw:6.0f}")


def pose_of(scene: Scene, words: str) -> Pose:
    """
    Return the pose that "X,Y,YAW" or a waypoint's name says.

    Raises:
        UsageError: It is neither.
    """
    if words in scene.waypoint_by_id:
        waypoint = scene.waypoint_by_id[words]
        return Pose(waypoint.x, waypoint.y, waypoint.yaw)
    try:
        numbers = [float(number) for number in words.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise UsageError(
            f"--pose {words!r} is neither three numbers X,Y,YAW nor a waypoint.",
            f"'recfw situated map --scene {scene.name} --list' lists the waypoints.",
        )
    return Pose(*numbers)
