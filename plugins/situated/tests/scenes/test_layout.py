"""Things stand where they can stand, and what is drawn is what the records say."""

import math

import pytest

from recfw_situated.scenes.frames import Frame
from recfw_situated.scenes.geometry import product_parts
from recfw_situated.scenes.kinds import KINDS
from recfw_situated.scenes.load import load_scene, parts
from recfw_situated.scenes.obstacles import instance_box, obstacles
from recfw_situated.scenes.rows import spread
from recfw_situated.survey.check import problems


def test_nothing_is_wrong_with_the_shipped_scenes(scene):
    """No overlap, nothing floats, no name twice, every waypoint can be walked to."""
    assert [] == problems(scene)


def test_a_scene_is_the_same_every_time(scene):
    """Loaded again from its files, a scene has the same digest and the same solids."""
    again = load_scene.__wrapped__(scene.name)
    assert scene.digest == again.digest
    assert parts(scene) == parts(again)


def test_every_instance_is_drawn_within_its_bounds(scene):
    """Each has solids of its own, none of which leaves the box that its size and place give."""
    boxes = {one.id: instance_box(scene, one) for one in scene.instances}
    drawn = set()
    for part in parts(scene):
        if part.object in boxes:
            drawn.add(part.object)
            box, bounds = part.box, boxes[part.object]
            assert all(bounds.low[axis] - 0.01 <= box.low[axis] for axis in range(3)), part
            assert all(box.high[axis] <= bounds.high[axis] + 0.01 for axis in range(3)), part
    assert set(boxes) == drawn


def test_goods_stand_on_the_boards_of_their_fixture(supermarket):
    """The base of every instance is the height of a board of its fixture's kind."""
    for one in supermarket.instances:
        kind = KINDS[supermarket.fixture_by_id[one.place].kind]
        assert one.position[2] in {board.height for board in kind.boards}


def test_signs_name_every_place(scene):
    """The sign of every fixture, store and area is drawn on solids of its own object."""
    said = {(part.object, part.label) for part in parts(scene) if part.label}
    for place in scene.places:
        assert (place.object, place.sign) in said


def test_object_names_hold_no_space_and_are_not_shared(scene):
    """Engine objects are named in commands, where a space would end the name."""
    names = [one.id for one in scene.instances] + [place.object for place in scene.places]
    assert len(names) == len(set(names))
    assert not [part.object for part in parts(scene) if " " in part.object or not part.object.isascii()]


def test_waypoints_look_at_what_they_belong_to(scene):
    """A ray from each waypoint along its yaw meets its fixture, its area, or runs through its store's doorway."""
    boxes = {place.id: place.box for place in scene.places}
    for waypoint in scene.waypoints:
        cos, sin = math.cos(math.radians(waypoint.yaw)), math.sin(math.radians(waypoint.yaw))
        box = boxes[waypoint.of]
        way = [(waypoint.x + far * cos, waypoint.y + far * sin) for far in range(0, 400, 5)]
        assert any(box.low[0] <= x <= box.high[0] and box.low[1] <= y <= box.high[1] for x, y in way), waypoint


def test_back_waypoints_are_those_of_two_sided_fixtures(supermarket):
    """A fixture has a back viewpoint exactly where its kind has goods behind."""
    for fixture in supermarket.fixtures:
        assert ("back" in KINDS[fixture.kind].sides) == (fixture.back is not None)


@pytest.mark.parametrize(("yaw", "front"), [(0, (10, 0)), (90, (0, 10)), (180, (-10, 0)), (-90, (0, -10))])
def test_a_frame_turns_right_with_growing_yaw(yaw, front):
    """Forward follows the yaw: 90 looks along Y."""
    assert front == Frame(0, 0, yaw).at(10, 0)


def test_the_left_of_a_product_is_the_left_of_who_looks_at_it(supermarket):
    """A jug's cap, right of its middle, is at the right hand of somebody before it."""
    product = next(one for one in supermarket.products if one.look.model == "jug")
    body, cap = product_parts(
        product, "x", (0.0, 0.0, 0.0), 180.0
    )  # looks to -X; who looks at it faces +X, right is +Y
    assert cap.center[1] > body.center[1]


def test_facings_are_spread_evenly_and_in_order():
    """Two groups on a board of 100 cm: facings close together, groups apart, nothing beyond the ends."""
    first, second = spread([(10, 3), (20, 2)], 100, "board")
    assert sorted([*first, *second]) == [*first, *second]
    assert first[1] - first[0] == pytest.approx(15.0)
    assert 0 < first[0] - 5
    assert second[-1] + 10 < 100


def test_goods_stand_on_a_board_as_the_file_lists_them(supermarket):
    """From left to right for who stands before the board, and as far from its left end as from its right one."""
    fixture, waypoint = supermarket.fixture_by_id["cereal"], supermarket.waypoint_by_id["cereal-front"]
    top = [one for one in supermarket.instances if one.place == "cereal" and one.position[2] == 138 and one.yaw == 90]
    right = math.radians(waypoint.yaw + 90)
    across = [one.position[0] * math.cos(right) + one.position[1] * math.sin(right) for one in top]
    assert sorted(across) == across
    assert ["berry-ridge-almond-muesli", "oat-and-ember-maple-granola"] == list(
        dict.fromkeys(one.product for one in top)
    )
    half = [supermarket.product_by_id[one.product].size[0] / 2 for one in (top[0], top[-1])]
    left, end = top[0].position[0] - half[0], top[-1].position[0] + half[1]
    assert fixture.box.center[0] == pytest.approx((left + end) / 2, abs=0.01)


def test_the_point_of_an_area_is_in_free_air_before_its_goods(furnishings):
    """From the area's viewpoint the point by which it counts as visible is seen past everything."""
    boxes = [part.box for part in parts(furnishings)]
    for area in furnishings.areas:
        waypoint = furnishings.waypoint_by_id[area.waypoint]
        eye = (waypoint.x, waypoint.y, furnishings.eye_height)
        for share in (1.0, 0.9, 0.75, 0.5, 0.25):
            spot = [eye[axis] + share * (area.point[axis] - eye[axis]) for axis in range(3)]
            assert not [box for box in boxes if all(box.low[k] < spot[k] < box.high[k] for k in range(3))], area.id


def test_furniture_is_in_the_way_and_goods_on_boards_are_not(furnishings, supermarket):
    """A walker meets sofas, but not the apples on a stand: the stand is in the way already."""
    assert "arden-three-seat-sofa_1" in dict(obstacles(furnishings))
    assert not [name for name, _ in obstacles(supermarket) if name in supermarket.instance_by_id]


def test_solids_are_affordable(scene):
    """A renderer draws every solid of a scene in each picture: at most 2,600."""
    assert len(parts(scene)) <= 2600
