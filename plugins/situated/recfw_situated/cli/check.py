"""``recfw situated check``: what a build behind a port offers the track, and what it lacks."""

import asyncio
from pathlib import Path

import click
from attrs import frozen

from recfw.errors import ExitCode, RecfwError, UsageError
from recfw_situated.driver.alignment import alignment
from recfw_situated.driver.mapping import BuildMap, read_mapping
from recfw_situated.driver.probe import Offer
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.scenes.files import SCENES
from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.records import Scene

OTHER = "these are the objects of"
SAME = 0.9
"""Share of another scene's objects that must be there for it to be that scene."""


@frozen
class Line:
    """One line of the table: what was looked at, how it stands (``ok``, ``instead``, ``lacks``), and in words."""

    what: str
    verdict: str
    words: str


@click.command()
@click.option("--host", metavar="HOST", default="127.0.0.1", show_default=True, help="Where the build listens.")
@click.option("--port", metavar="N", type=click.IntRange(1, 65535), default=9000, show_default=True, help="Its port.")
@click.option("--mapping", metavar="FILE", type=Path, help="YAML file that names its objects and functions.")
@click.option("--scene", metavar="NAME", help="Scene records. [default: the mapping's, or supermarket]")
@click.option(
    "--seconds",
    metavar="S",
    type=click.FloatRange(min=0.1),
    default=20.0,
    show_default=True,
    help="Deadline of connecting, and of each batch of requests.",
)
def check(host: str, port: int, mapping: Path | None, scene: str | None, seconds: float) -> None:
    """
    Tell what a build behind UnrealCV's protocol offers, and what it lacks.

    It probes the commands, looks for the objects of the scene's records, holds where they are against the records and
    the mapping's origin, paints the mask colours and sees how they come out, and measures the depth convention on the
    floor. It moves the shopper, and puts it back. Exits with 1 where the track cannot run.

    \b
    Examples:
      recfw situated check --port 9000
      recfw situated check --host 10.0.0.5 --port 9000 --mapping build.yaml
    """  # noqa: D301 - click reads \b as the character that it stands for
    build = read_mapping(mapping) if mapping is not None else BuildMap()
    records = scene_of(scene or build.scene)
    store = UnrealStore(records, host, port, build, seconds)
    lines = asyncio.run(examine(store))
    width = max(len(line.what) for line in lines)
    for line in lines:
        click.echo(f"{line.what:<{width}}  {line.verdict:<7}  {line.words}")
    lacking = [line.what for line in lines if line.verdict == "lacks"]
    if lacking:
        click.echo(f"\nThe track cannot run on {host}:{port}: {', '.join(lacking)}.")
        click.get_current_context().exit(ExitCode.FOUND)
    click.echo(f"\nThe track can run on {host}:{port}.")


def scene_of(name: str) -> Scene:
    """Return a scene's records by name; UsageError where there is none."""
    try:
        return load_scene(name)
    except (KeyError, ValueError) as error:
        raise UsageError(f"no scene '{name}'.", "Known: supermarket, furnishings.") from error


async def examine(store: UnrealStore) -> list[Line]:
    """Return the table's lines; an error only where nothing answers in UnrealCV's protocol at all."""
    await store.link.open()
    try:
        names = await _objects(store)
        if OTHER in names.words:
            return [names]
        offers = await store.find_offers()
        lines = [*map(_offered, offers.lines), names]
        if not offers.lacking:
            lines.append(await _origin(store))
        if not offers.lacking and lines[-1].verdict != "lacks":
            lines += await _measured(store)
    finally:
        await store.close()
    return lines


_WAYS = {
    "vbp": "blueprint call",
    "camera": "camera command",
    "object": "object command",
    "steps": "step by step instead",
    "hide": "the object is hidden instead",
    "noted": "only noted by the driver instead",
}


def _offered(offer: Offer) -> Line:
    if offer.way == "none":
        verdict = "lacks" if offer.needed else "instead"
        return Line(
            offer.need,
            verdict,
            f"no {offer.words.removeprefix('a ')}" + (f"; {offer.otherwise}" if offer.otherwise else ""),
        )
    verdict = "ok" if offer.way in {"vbp", "camera", "object"} else "instead"
    return Line(offer.need, verdict, f"{offer.words} ({_WAYS[offer.way]})")


async def _objects(store: UnrealStore) -> Line:
    try:
        there = set(await store.objects())
    except RecfwError as error:
        return Line("names", "instead", str(error))
    wanted = list(store.scene.object_colors)
    missing = [name for name in wanted if store.mapping.engine_name(name) not in there]
    if missing and (other := _other(store, there)):
        words = f"{len(missing)} of {len(wanted)} objects of the records; {OTHER} '{other}': add --scene {other}"
        return Line("names", "lacks", words)
    if missing:
        first = ", ".join(missing[:3])
        return Line("names", "lacks", f"{len(missing)} of {len(wanted)} objects of the records, such as {first}")
    return Line("names", "ok", f"all {len(wanted)} objects of the records")


def _other(store: UnrealStore, there: set[str]) -> str:
    """Return the name of a scene that ships whose objects are there rather than those of the records; or nothing."""
    for name in SCENES:
        wanted = load_scene(name).object_colors if name != store.scene.name else {}
        if wanted and sum(store.mapping.engine_name(one) in there for one in wanted) >= SAME * len(wanted):
            return name
    return ""


async def _origin(store: UnrealStore) -> Line:
    """Tell whether the build's things are where the records and the mapping's origin put them."""
    try:
        found = await alignment(store)
    except RecfwError as error:
        return Line("origin", "lacks", str(error))
    if found is None:
        return Line("origin", "instead", "not checked: neither objects' places nor pictures tell where things are")
    trouble = found.trouble(store.scene.name)
    return Line("origin", "lacks" if trouble else "ok", trouble or found.praise)


async def _measured(store: UnrealStore) -> list[Line]:
    """Return what the self-tests of masks and depth found."""
    try:
        await store.reset()
        await store.calibrate()
        await store.reset()
    except RecfwError as error:
        return [Line("pictures", "lacks", str(error))]
    masks, (convention, unit) = store.masks, store.depth
    altered = "as painted" if masks.curve == "none" else masks.curve
    return [
        Line("colours", "ok", f"{altered}, {masks.seen} seen, off by {masks.worst:.1f} levels at most"),
        Line("spacing", "ok", f"{masks.palette.spacing():.0f} levels between the two nearest entries of the palette"),
        Line(
            "distance", "ok", f"depth along the {'view axis' if convention == 'planar' else 'ray'}, {unit:g} cm a unit"
        ),
    ]
