"""What a build answers, as values."""

import pytest

from recfw.errors import InfrastructureError
from recfw_situated.driver.build import Build
from recfw_situated.driver.link import Link
from recfw_situated.driver.mapping import BuildMap


@pytest.fixture
def build():
    """A build that nobody has connected to."""
    return Build(Link("127.0.0.1", 1), BuildMap())


@pytest.mark.parametrize("word", ["nan", "inf", "-inf", "1e999", "there", ""])
def test_a_pose_is_made_of_finite_numbers(build, word):
    """NaN and infinities are no place, in the answer to a call and in a camera's location."""
    values = {"X": "10", "Y": word, "Yaw": "0", "Pitch": "0"}
    with pytest.raises(InfrastructureError, match="GetPose"):
        build.read_pose("vbp User GetPose", values)
    with pytest.raises(InfrastructureError, match="vget location"):
        build.numbers("vget location", f"1 {word} 2", 3)


def test_a_pose_and_a_place_are_read(build):
    """Numbers are numbers."""
    pose = build.read_pose("vbp User GetPose", {"X": "10", "Y": "-2.5", "Yaw": "270", "Pitch": "5"})
    assert (10.0, -2.5, -90.0, 5.0) == (pose.x, pose.y, pose.yaw, pose.pitch)
    assert [1.0, 2.0, 3.5] == build.numbers("vget location", "1 2 3.5", 3)
