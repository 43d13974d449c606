"""What is visible."""

import attrs
import numpy as np
import pytest

from recfw_situated.scenes.records import Area, Box, Pose
from recfw_situated.views.sights import Eyes, Ranges


def names(sights, kind="product"):
    """Return the ids of one kind."""
    return [sight.id for sight in sights.of(kind)]


def test_products_and_fixtures_in_view_are_seen_nearest_first(scene, shoot):
    """Sights are sorted by distance along the floor."""
    sights = Eyes(scene).see(shoot())
    assert (names(sights), names(sights, "fixture")) == (["bread", "apple", "cocoa"], ["shelf-1"])
    assert [s.distance for s in sights.all] == sorted(s.distance for s in sights.all)


def test_the_distance_of_a_product_is_that_of_its_nearest_visible_instance(scene, shoot):
    """Distance and instance are those of the nearest instance that is seen."""
    (apple,) = [s for s in Eyes(scene).see(shoot(Pose(0.0, 60.0, 0.0))).all if s.id == "apple"]
    assert (apple.instance, apple.distance) == ("apple-3", 200.0)


def test_an_instance_that_was_taken_is_not_offered(scene, shoot):
    """A taken instance is not the one that a label points at, even where the build still shows it."""
    frame = shoot(Pose(0.0, 60.0, 0.0))
    (apple,) = [s for s in Eyes(scene).see(frame, taken=["apple-3"]).all if s.id == "apple"]
    assert apple.instance == "apple-2"


def test_bearings_are_positive_to_the_right(scene, shoot):
    """Bread stands to the right of the middle of the first two apples; turning left moves it further right."""

    def bread(pose):
        return next(s.bearing for s in Eyes(scene).see(shoot(pose)).all if s.id == "bread")

    assert bread(Pose(0.0, 0.0, -30.0)) - bread(Pose(0.0, 0.0, 0.0)) == pytest.approx(30.0, abs=0.5)


def test_what_is_behind_or_out_of_range_is_not_seen(scene, shoot):
    """Depth limits what is marked, kind by kind."""
    eyes = Eyes(scene, ranges=Ranges(product=230.0))
    assert names(eyes.see(shoot())) == ["bread", "apple"]
    assert names(eyes.see(shoot(Pose(0.0, 0.0, 180.0)))) == ["dates"]


def test_large_goods_are_marked_from_twice_as_far_as_they_are_inspected(scene):
    """Groceries are marked within 5 m, furniture that is checked from 4.2 m within 8.4 m."""
    assert [Ranges.of(attrs.evolve(scene, reach=reach)).product for reach in (230.0, 420.0)] == [500.0, 840.0]


def test_small_things_are_skipped(scene, shoot):
    """A product that covers too few pixels is not marked."""
    assert names(Eyes(scene, ranges=Ranges(product_pixels=200)).see(shoot())) == ["bread", "apple"]


def test_slivers_are_skipped(scene, shoot):
    """What shows only a thin edge, such as the top of a shelf behind another, is not marked."""
    flat = Ranges(place_side=150)
    assert (names(Eyes(scene, ranges=flat).see(shoot()), "fixture"), names(Eyes(scene).see(shoot()), "fixture")) == (
        [],
        ["shelf-1"],
    )


def test_sights_do_not_depend_on_the_size_of_the_picture(scene, shoot):
    """A frame of another size gives the same things in the same order."""
    small, large = (Eyes(scene).see(shoot(size=size)) for size in ((320, 240), (640, 480)))
    assert [(s.kind, s.id) for s in small.all] == [(s.kind, s.id) for s in large.all]


def test_the_item_in_the_hand_is_the_close_up_and_no_sight(scene, shoot):
    """What is nearer than the shopper's own radius is the close-up, and hides what is behind it."""
    sights = Eyes(scene).see(shoot(close_up="dates"))
    assert (sights.close_up, "dates" in names(sights)) == ("dates", False)


@pytest.fixture(scope="module")
def with_areas(scene):
    """Return the tiny scene with three areas: one before the shelf, one behind it, one that holds the bread."""
    box = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    areas = [
        Area(name, "s", name, name, point, box, "w", color, name)
        for name, point, color in (
            ("open", (120.0, 0.0, 0.0), (31, 31, 31)),
            ("behind", (330.0, 0.0, 20.0), (31, 31, 95)),
            ("bread-corner", (-400.0, 0.0, 0.0), (31, 95, 31)),
        )
    ]
    moved = tuple(attrs.evolve(i, place="bread-corner") if i.product == "bread" else i for i in scene.instances)
    return attrs.evolve(scene, areas=tuple(areas), instances=moved)


def test_an_area_is_visible_by_its_point_or_by_a_product(with_areas, shoot):
    """A free point in view or a visible product makes an area visible; a hidden point does not."""
    sights = Eyes(with_areas).see(shoot(Pose(0.0, 0.0, 0.0, -20.0)))
    assert names(sights, "area") == ["open", "bread-corner"]


def test_an_area_out_of_range_or_frame_is_not_visible(with_areas, shoot):
    """The point must be in range and in the picture."""
    eyes = Eyes(with_areas, ranges=Ranges(area=100.0))
    assert names(eyes.see(shoot(Pose(0.0, 0.0, 0.0, -20.0))), "area") == ["bread-corner"]
    assert names(Eyes(with_areas).see(shoot(Pose(0.0, 0.0, 90.0))), "area") == []


def test_without_colours_the_same_is_seen(scene, shoot):
    """Sights need mask and depth only."""
    frame = shoot()
    assert Eyes(scene).see(attrs.evolve(frame, rgb=None)) == Eyes(scene).see(frame)


def test_an_empty_frame_shows_nothing(scene, shoot):
    """A frame of background alone has no sights."""
    frame = shoot()
    empty = attrs.evolve(frame, mask=np.zeros_like(frame.mask))
    assert Eyes(scene).see(empty).all == ()
