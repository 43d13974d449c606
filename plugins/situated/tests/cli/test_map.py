"""``recfw situated map``: a picture of a store from above."""

import pytest
from click.testing import CliRunner
from PIL import Image

from recfw.errors import UsageError
from recfw_situated.cli.map import map_


def run(*arguments):
    """Run the command; its error is raised."""
    result = CliRunner().invoke(map_, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_a_map_is_written(tmp_path):
    """The picture has the width that was asked for, and the output says what it shows."""
    out = tmp_path / "map.png"
    said = run("--scene", "furnishings", "--role", "user", "--width", "600", "--out", str(out))
    assert f"{out}: Home furnishings store, 600 x " in said
    assert 600 == Image.open(out).width


def test_waypoints_are_listed(tmp_path):
    """With --list each fixed viewpoint has a line."""
    said = run("--list", "--out", str(tmp_path / "map.png"))
    assert 43 == len(said.splitlines())
    assert "cereal-front" in said


def test_a_store_of_ones_own_is_drawn(corner_shop, tmp_path):
    """A folder takes the place of a name; the shopper stands at a waypoint."""
    folder = str(__file__).rsplit("/", 2)[0] + "/data/corner_shop"
    assert "Corner shop" in run("--scene", folder, "--pose", "dry-front", "--out", str(tmp_path / "map.png"))


@pytest.mark.parametrize("pose", ["1,2", "nowhere", "1,2,north", "nan,0,0", "0,0,inf"])
def test_a_pose_that_is_none_is_refused(tmp_path, pose):
    """Neither numbers nor a waypoint: the error tells how to list them."""
    with pytest.raises(UsageError, match=r"neither three numbers X,Y,YAW nor a waypoint.*--list"):
        run("--pose", pose, "--out", str(tmp_path / "map.png"))


def test_a_folder_that_is_missing_is_named(tmp_path):
    """What cannot be written is an error in words."""
    with pytest.raises(UsageError, match="cannot be written"):
        run("--out", str(tmp_path / "missing" / "map.png"))
