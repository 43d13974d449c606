"""Ways: free of everything solid, shortest, the same every time, and there is one to every waypoint."""

import math
from itertools import pairwise

import numpy as np
import pytest

from recfw.model.draws import Draws
from recfw_situated.planning.paths import Planner, box_of
from recfw_situated.scenes.obstacles import obstacles


@pytest.fixture(scope="module")
def planner(scene):
    """The scene's planner."""
    return Planner(scene)


@pytest.fixture(scope="module")
def scene(request):
    """Each of the two scenes in turn."""
    return request.getfixturevalue(request.param)


def pytest_generate_tests(metafunc):
    """Run what needs a scene in both."""
    if "scene" in metafunc.fixturenames:
        metafunc.parametrize("scene", ["supermarket", "furnishings"], indirect=True, scope="module")


def gap(scene, point):
    """Return the distance from a point of the floor to the nearest thing that stands in a walker's way."""
    near = math.inf
    for _, box in obstacles(scene):
        if box.low[2] < 175 and box.high[2] > 5:
            dx = max(box.low[0] - point[0], 0, point[0] - box.high[0])
            dy = max(box.low[1] - point[1], 0, point[1] - box.high[1])
            near = min(near, math.hypot(dx, dy))
    return near


def along(start, way):
    """Return points every 5 cm of a way."""
    for one, other in pairwise((start, *way)):
        for share in np.linspace(0, 1, max(2, int(math.dist(one, other) / 5))):
            yield (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]))


def spots(scene, planner, count):
    """Return free points of the floor, drawn with a fixed seed."""
    draws = Draws(7)
    wide, deep, _ = scene.bounds.high
    found = []
    while len(found) < count:
        point = (draws.random() * wide, draws.random() * deep)
        if planner.free(point):
            found.append(point)
    return found


def test_every_waypoint_can_be_walked_to_from_the_start(scene, planner):
    """There is a way from the start to each of the fixed viewpoints."""
    assert [] == [w.id for w in scene.waypoints if not planner.reachable((w.x, w.y))]


def test_ways_keep_the_radius_from_everything(scene, planner):
    """No point of a way between drawn places is nearer to anything solid than the walker's radius."""
    places = spots(scene, planner, 14)
    for start, goal in pairwise(places):
        way = planner.path(start, goal)
        if way is not None:
            assert goal == way[-1]
            assert min(gap(scene, point) for point in along(start, way)) >= scene.radius - 1e-6


def test_ways_are_as_short_in_both_directions_and_obey_the_triangle(scene, planner):
    """Going back is as long as going, and no detour over a third place is shorter."""
    places = [place for place in spots(scene, planner, 10) if planner.reachable(place)]
    for one, other, third in zip(places, places[1:], places[2:], strict=False):
        there, back = planner.path(one, other), planner.path(other, one)
        assert planner.length(one, there) == pytest.approx(planner.length(other, back))
        over = planner.length(one, planner.path(one, third)) + planner.length(third, planner.path(third, other))
        assert planner.length(one, there) <= over + 2.1  # ways turn 1 cm outside of corners
        assert planner.length(one, there) >= math.dist(one, other) - 1e-6


def test_an_open_floor_is_crossed_in_a_straight_line(supermarket):
    """Without anything between, the goal is the only turning point."""
    assert ((400.0, 1000.0),) == Planner(supermarket).path((150.0, 1000.0), (400.0, 1000.0))


def test_a_way_round_a_shelf_is_the_shortest_one(supermarket):
    """From the front of an island to its back: round the nearer end, two corners, not a straight line."""
    planner = Planner(supermarket)
    front, back = (supermarket.waypoint_by_id[f"cereal-{side}"] for side in ("front", "back"))
    box, reach = supermarket.fixture_by_id["cereal"].box, supermarket.radius + 1.0
    way = planner.path((front.x - 20, front.y), (back.x - 20, back.y))
    corners = ((box.low[0] - reach, box.high[1] + reach), (box.low[0] - reach, box.low[1] - reach))
    assert (*corners, (back.x - 20, back.y)) == way


def test_no_way_leads_into_something(scene, planner):
    """A goal inside a wall, or too near to one, has no way."""
    wall = scene.walls[0]
    assert planner.path((scene.start.x, scene.start.y), wall.center[:2]) is None
    assert planner.path((scene.start.x, scene.start.y), (scene.bounds.low[0] + 10, scene.start.y)) is None


def test_the_closest_point_of_a_fixture_is_beside_it_and_nearest(supermarket):
    """The point keeps just more than the radius from the fixture, and no free point around it is much nearer."""
    planner = Planner(supermarket)
    start = (supermarket.start.x, supermarket.start.y)
    for fixture in supermarket.fixtures:
        point = planner.closest_reachable(fixture.id, start)
        assert supermarket.radius < gap(supermarket, point) <= supermarket.radius + 6.01
        box = box_of(supermarket, fixture.id)
        nearest = (min(max(start[0], box.low[0]), box.high[0]), min(max(start[1], box.low[1]), box.high[1]))
        assert math.dist(start, point) <= math.dist(start, nearest) + supermarket.radius + 13


def test_the_same_question_has_the_same_answer(scene, planner):
    """A new planner gives the same ways."""
    one, other = spots(scene, planner, 2)
    assert planner.path(one, other) == Planner(scene).path(one, other)
