"""``recfw situated view``: a picture, and the marks in words."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from recfw.errors import UsageError
from recfw_situated.cli.view import view


def run(*arguments):
    """Run the command; its error is raised."""
    result = CliRunner().invoke(view, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_a_view_is_written_and_its_marks_are_listed(tmp_path):
    """The picture has the size that was asked for, and the output names what is marked in it."""
    out = tmp_path / "view.png"
    said = run("--scene", "furnishings", "--size", "320x240", "--role", "assistant", "--out", str(out))
    assert Image.open(out).size == (320, 240)
    assert "7  " in said
    assert "Atelier Prime (outside_doorway, inside_doorway)" in said


def test_a_pose_where_something_stands_is_refused(tmp_path):
    """A person who names such a pose is told so, and where to look."""
    with pytest.raises(UsageError, match="no room for the shopper"):
        run("--scene", "furnishings", "--pose", "-900,0,0", "--out", str(tmp_path / "x.png"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--pose", "1,2"], "not X,Y,YAW"),
        (["--pose", "a,b,c"], "not X,Y,YAW"),
        (["--pose", "nan,0,0"], "not X,Y,YAW"),
        (["--pose", "0,inf,0"], "not X,Y,YAW"),
        (["--waypoint", "nowhere"], "no waypoint 'nowhere'"),
        (["--pose", "0,0,0", "--waypoint", "x"], "exclude each other"),
        (["--size", "9x9"], "not WxH"),
    ],
)
def test_wrong_words_are_refused_before_a_store_is_started(tmp_path, arguments, words):
    """Options are checked first, with an example of how it is right."""
    with pytest.raises(UsageError, match=words):
        run(*arguments, "--out", str(tmp_path / "x.png"))


def test_a_store_of_ones_own_is_seen(tmp_path):
    """A folder takes the place of a name; the simulator that is started serves that folder."""
    out = tmp_path / "view.png"
    folder = Path(__file__).parents[1] / "data" / "corner_shop"
    said = run("--scene", str(folder), "--waypoint", "dry-front", "--size", "320x240", "--out", str(out))
    assert "Corner shop" in said
    assert (320, 240) == Image.open(out).size
