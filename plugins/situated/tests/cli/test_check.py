"""``recfw situated check``: a table of what a build offers, and an exit status."""

import asyncio
import sys
import time
from pathlib import Path

import attrs
import pytest
import yaml
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "driver"))  # --import-mode=importlib leaves sys.path alone

from foreign_server import GAMMA, ForeignServer
from tiny_scene import tiny_scene

from recfw.errors import DataError, InfrastructureError, UsageError
from recfw_situated.cli import check as command
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.driver.pool import Stores
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.scenes.load import load_scene

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def checked(monkeypatch):
    """Return a function that serves the tiny scene in a dialect and checks it."""
    servers = []
    monkeypatch.setattr(command, "load_scene", lambda name: tiny_scene())

    def run(*arguments, **dialect):
        servers.append(ForeignServer(dialect.pop("shown", tiny_scene()), **dialect))
        result = CliRunner().invoke(command.check, ["--port", str(servers[-1].port), "--seconds", "5", *arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    yield run
    for server in servers:
        server.stop()


def verdicts(result):
    """Return what -> verdict of the table."""
    rows = [line.split() for line in result.output.split("\n\n")[0].splitlines()]
    return {row[0]: row[1] for row in rows}


def test_a_build_that_can_be_used_is_told_with_its_fall_backs(checked):
    """Without blueprint functions everything is served somehow, and the exit status is 0."""
    result = checked(lacks=["^vbp"], curve=GAMMA, ray=True, unit=100.0)
    table = verdicts(result)
    assert (result.exit_code, table["pick"], table["follow"], table["mask"]) == (0, "instead", "instead", "ok")
    assert "gamma 1/2.2" in result.output
    assert "depth along the ray, 100 cm a unit" in result.output


def test_what_is_lacking_is_named_and_exits_with_1(checked):
    """A build without masks and walking is refused, and both stand in the last line."""
    result = checked(lacks=["^vbp", "object_mask", "moveto"])
    assert (result.exit_code, verdicts(result)["mask"]) == (1, "lacks")
    assert "The track cannot run on 127.0.0.1" in result.output
    assert result.output.strip().endswith("mask, move, follow.")


def test_objects_that_the_records_name_and_the_build_does_not_have_are_counted(checked):
    """Missing names are told with examples, and the mapping file mends them."""
    result = checked(lacks=["^vbp"], names={"apple-1": "BP_Apple"})
    assert (result.exit_code, verdicts(result)["names"]) == (1, "lacks")
    assert "1 of 8 objects of the records, such as apple-1" in result.output


def test_a_mapping_file_names_what_a_build_calls_otherwise(checked, tmp_path):
    """With the right mapping the same build passes."""
    mapping = tmp_path / "build.yaml"
    mapping.write_text(yaml.safe_dump({"objects": {"apple-1": "BP_Apple"}}))
    dialect = {"lacks": ["^vbp"], "names": {"apple-1": "BP_Apple"}, "places": True}
    assert checked("--mapping", str(mapping), **dialect).exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("calls: {mvoe: Go}", "no call 'mvoe'.*Did you mean 'move'"),
        ("player: 3", "wrong type"),
        ("oops: 1", "oops"),
        ("a: [", "no valid YAML"),
        ("- 1", "build.yaml"),
    ],
)
def test_a_wrong_mapping_file_is_refused_with_the_place(checked, tmp_path, text, words):
    """Unknown keys and wrong types are told before anything is connected."""
    mapping = tmp_path / "build.yaml"
    mapping.write_text(text)
    with pytest.raises(DataError, match=words):
        checked("--mapping", str(mapping))


def origin_line(result):
    """Return the line on the origin."""
    return next(line for line in result.output.splitlines() if line.startswith("origin"))


@pytest.mark.parametrize("places", [True, False])
def test_a_wrong_origin_is_found_and_the_right_one_told(checked, tmp_path, places):
    """A level that lies elsewhere is found by what objects or pictures tell; what is written then passes."""
    dialect = {"lacks": ["^vbp"], "origin": (300.0, -120.0, 0.0), "places": places}
    wrong = checked(**dialect)
    assert (wrong.exit_code, verdicts(wrong)["origin"]) == (1, "lacks")
    told = origin_line(wrong).partition("`")[2].partition("`")[0]
    assert "off by 32" in origin_line(wrong) or "off by 31" in origin_line(wrong)
    mapping = tmp_path / "build.yaml"
    mapping.write_text(told)
    right = checked("--mapping", str(mapping), **dialect)
    assert (right.exit_code, verdicts(right)["origin"]) == (0, "ok"), right.output


def test_a_turned_level_is_found(checked, tmp_path):
    """A yaw in the mapping that the level has not is told in degrees."""
    mapping = tmp_path / "build.yaml"
    mapping.write_text("origin: [0, 0, 0, 30]")
    wrong = checked("--mapping", str(mapping), lacks=["^vbp"], places=True)
    assert (wrong.exit_code, verdicts(wrong)["origin"]) == (1, "lacks")
    assert "turned by -30.0 degrees" in origin_line(wrong)
    assert "`origin: [0, 0, 0, 0]`" in origin_line(wrong)


def test_a_level_that_shows_something_else_is_told(checked, monkeypatch):
    """Where no origin brings things to their places, the records are not those of the build."""
    scene = tiny_scene()
    moved = [
        attrs.evolve(one, position=(90.0 * n * n, 400.0 * (n % 2), 100.0)) for n, one in enumerate(scene.instances)
    ]
    result = checked(lacks=["^vbp"], places=True, shown=attrs.evolve(scene, instances=tuple(moved)))
    assert (result.exit_code, verdicts(result)["origin"]) == (1, "lacks")
    assert "even under the best origin" in origin_line(result)


@pytest.mark.parametrize("wanted", ["supermarket", "furnishings"])
def test_the_other_scenes_build_is_named(wanted):
    """Where the build of the other scene is connected, one is told to say so, and nothing else is looked at."""
    other = {"supermarket": "furnishings", "furnishings": "supermarket"}[wanted]

    async def go():
        async with Stores(load_scene(other)) as stores, stores.lend() as store:
            await store.link.close()
            return await command.examine(UnrealStore(load_scene(wanted), "127.0.0.1", store.link.port))

    (line,) = asyncio.run(go())
    assert ("names", "lacks") == (line.what, line.verdict)
    assert line.words.endswith(f"these are the objects of '{other}': add --scene {other}")


@pytest.mark.parametrize("wrong", [(0.0, 0.0, 0.0, 0.0), (500.0, -250.0, 0.0, 15.0)])
def test_our_own_simulator_tells_its_origin(corner_shop, wrong):
    """The embedded simulator tells where its objects are, so that a wrong origin is known exactly."""

    async def go():
        async with Stores(corner_shop, source=str(DATA / "corner_shop")) as stores, stores.lend() as store:
            await store.link.close()
            mapping = BuildMap(scene="corner-shop", origin=wrong)
            lines = await command.examine(UnrealStore(corner_shop, "127.0.0.1", store.link.port, mapping))
            return next(line for line in lines if line.what == "origin")

    line = asyncio.run(go())
    right = "9 objects within 0.1 cm of where the records have them (median)"
    moved = "off by 559 cm along the floor, turned by -15.0 degrees; write `origin: [0, 0, 0, 0]` in the mapping"
    assert (line.words == right) if not any(wrong) else line.words == moved, line.words


@pytest.mark.parametrize("greeting", [None, b""])
def test_seconds_bound_connecting_too(checked, greeting):
    """A port that says nothing is given up within the seconds that were asked for."""
    begun = time.monotonic()
    with pytest.raises(InfrastructureError):
        checked("--seconds", "1", greeting=greeting)
    assert time.monotonic() - begun < 1.5


def test_another_service_is_told_as_such(checked):
    """A port of something else is an infrastructure error in words."""
    with pytest.raises(InfrastructureError, match="Another service listens"):
        checked(greeting=b"SSH-2.0-OpenSSH_9.2\r\n")


def test_an_unknown_scene_is_a_usage_error(monkeypatch):
    """A scene that does not exist is refused with those that do."""
    result = CliRunner().invoke(command.check, ["--scene", "moon"])
    assert isinstance(result.exception, UsageError | DataError)
