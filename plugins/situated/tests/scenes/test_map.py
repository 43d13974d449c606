"""The layout map: to scale, X to the right and Y down, with the shopper where it stands."""

from PIL import ImageChops

from recfw_situated.scenes.kinds import KINDS
from recfw_situated.scenes.map import MARGIN, SHOPPER, TITLE, draw_map
from recfw_situated.scenes.records import Pose


def pixel_of(scene, picture, x, y):
    """Return where a point of the floor is in the picture."""
    scale = (picture.width - 2 * MARGIN) / scene.bounds.high[0]
    return (round(MARGIN + x * scale), round(MARGIN + TITLE + y * scale))


def test_fixtures_are_where_their_boxes_are(supermarket):
    """Just inside a corner of every fixture its kind's colour is drawn."""
    picture = draw_map(supermarket)
    for fixture in supermarket.fixtures:
        low = fixture.box.low
        at = pixel_of(supermarket, picture, low[0] + 4, low[1] + 4)
        assert KINDS[fixture.kind].sign_paint == picture.getpixel(at), fixture.id


def test_the_shopper_is_drawn_at_its_pose(scene):
    """With a pose the map has the shopper's red at its place, without one it has not."""
    pose = Pose(scene.start.x + 200, scene.start.y, 0.0)
    plain, shown = draw_map(scene), draw_map(scene, pose=pose)
    at = pixel_of(scene, plain, pose.x, pose.y)
    assert (False, True) == (plain.getpixel(at) == SHOPPER, shown.getpixel(at) == SHOPPER)


def test_a_turn_to_the_right_turns_right_on_paper(supermarket):
    """The arrow of yaw 90 points down the page: its tip is below its place."""
    pose = Pose(300.0, 1000.0, 90.0)
    picture = draw_map(supermarket, pose=pose, waypoints=False)
    x, y = pixel_of(supermarket, picture, pose.x, pose.y)
    assert SHOPPER == picture.getpixel((x, y + 12))
    assert SHOPPER != picture.getpixel((x, y - 12))


def test_labels_of_a_role_are_written(scene):
    """Labels change the picture, and the same arguments give the same one."""
    labels = {("fixture" if scene.fixtures else "store", place.id): "XX" for place in scene.places}
    assert ImageChops.difference(draw_map(scene), draw_map(scene, labels=labels)).getbbox() is not None
    assert draw_map(scene, labels=labels).tobytes() == draw_map(scene, labels=labels).tobytes()
