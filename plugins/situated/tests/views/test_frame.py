"""Geometry between pixels and world."""

import numpy as np
import pytest

from recfw_situated.scenes.records import Pose


@pytest.mark.parametrize("pose", [Pose(0.0, 0.0, 0.0), Pose(30.0, -20.0, 25.0, -15.0), Pose(-50.0, 10.0, 170.0, 20.0)])
def test_unprojecting_undoes_projecting(shoot, pose):
    """A pixel at its depth is the world point that was projected there."""
    frame = shoot(pose)
    point = np.array(frame.eye) + 200 * frame.axes[0] + 30 * frame.axes[1] - 20 * frame.axes[2]
    (column,), (row,), (depth,) = frame.project([point])
    assert np.allclose(frame.unproject(column, row, depth), point)


def test_the_right_of_the_picture_is_the_right_of_the_shopper(shoot):
    """Left-handed: facing +X, +Y is to the right, at a positive bearing; yaw +90 turns towards it."""
    frame = shoot()
    (column,), (row,), _ = frame.project([(100.0, 100.0, 160.0)])
    (middle,), _, _ = shoot(Pose(0.0, 0.0, 90.0)).project([(0.0, 100.0, 160.0)])
    assert (round(frame.bearing(column)), round(row), round(middle)) == (45, 120, 160)


def test_what_is_behind_is_not_inside(shoot):
    """A point behind the eyes lies in no picture."""
    frame = shoot()
    assert not frame.inside(*frame.project([(-100.0, 0.0, 160.0)]))[0]
