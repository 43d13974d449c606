"""``recfw situated check``: a table of what a build offers, and an exit status."""

import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "driver"))  # --import-mode=importlib leaves sys.path alone

from foreign_server import GAMMA, ForeignServer
from tiny_scene import tiny_scene

from recfw.errors import DataError, InfrastructureError, UsageError
from recfw_situated.cli import check as command


@pytest.fixture
def checked(monkeypatch):
    """Return a function that serves the tiny scene in a dialect and checks it."""
    servers = []
    monkeypatch.setattr(command, "load_scene", lambda name: tiny_scene())

    def run(*arguments, **dialect):
        servers.append(ForeignServer(tiny_scene(), **dialect))
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
    assert checked("--mapping", str(mapping), lacks=["^vbp"], names={"apple-1": "BP_Apple"}).exit_code == 0


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


def test_another_service_is_told_as_such(checked):
    """A port of something else is an infrastructure error in words."""
    with pytest.raises(InfrastructureError, match="Another service listens"):
        checked(greeting=b"SSH-2.0-OpenSSH_9.2\r\n")


def test_an_unknown_scene_is_a_usage_error(monkeypatch):
    """A scene that does not exist is refused with those that do."""
    result = CliRunner().invoke(command.check, ["--scene", "moon"])
    assert isinstance(result.exception, UsageError | DataError)
