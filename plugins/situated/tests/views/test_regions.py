"""Regions: what shares a contour, and what gets its own."""

import numpy as np

from recfw_situated.scenes.records import Pose
from recfw_situated.views.regions import regions, spread
from recfw_situated.views.sights import Eyes

APPLE, SHELF = ("product", "apple"), ("fixture", "shelf-1")


def parts(scene, frame, *wanted):
    """Return the regions of some things."""
    return regions(frame, Eyes(scene), wanted).all


def test_adjacent_instances_share_a_contour_and_separated_ones_have_their_own(scene, shoot):
    """Two apples a centimetre apart are one region, the third is another, under one id."""
    found = parts(scene, shoot(size=(640, 480)), APPLE)
    assert [(region.id, region.part > 0) for region in found] == [("apple", True), ("apple", True)]
    assert found[0].center[0] < 320 < found[1].center[0]


def test_a_fixture_has_one_box_around_all_of_it(scene, shoot):
    """A fixture is marked by its bounds, whatever stands before it."""
    frame = shoot(size=(640, 480))
    (shelf,) = parts(scene, frame, SHELF)
    ids = Eyes(scene).indices(frame)
    rows, columns = np.nonzero(ids == Eyes(scene).palette.index[SHELF])
    assert shelf.box == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)


def test_only_what_is_wanted_has_regions(scene, shoot):
    """What is not among the sights is not drawn."""
    assert {region.id for region in parts(scene, shoot(), ("product", "bread"))} == {"bread"}


def test_a_thing_that_is_only_small_still_has_its_largest_region(scene, shoot):
    """Small regions are skipped unless they are all that there is of a product."""
    found = parts(scene, shoot(Pose(-200.0, 0.0, 0.0), size=(320, 240)), ("product", "cocoa"))
    assert len(found) == 1


def test_the_item_in_the_hand_has_no_region(scene, shoot):
    """A close-up is not marked: it is the hand's, not the shelf's."""
    assert parts(scene, shoot(close_up="dates"), ("product", "dates")) == ()


def test_spreading_fills_gaps_and_overwrites_nothing():
    """Growth ends where another thing begins."""
    ids = np.zeros((1, 12), dtype=np.int16)
    ids[0, 2], ids[0, 9] = 5, 7
    assert spread(ids, 2)[0].tolist() == [5, 5, 5, 5, 5, 0, 0, 7, 7, 7, 7, 7]
