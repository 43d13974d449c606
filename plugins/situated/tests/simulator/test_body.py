"""The body never enters anything, slides along what it meets, and stops where it must."""

import math
import random

import pytest
import small_store
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw_situated.scenes.records import Box
from recfw_situated.simulator.body import SKIN, Obstacles

RADIUS = 30.0
BLOCK = Obstacles([("Block", Box((100, -50, 0), (200, 50, 100)))], RADIUS)


def distance(x: float, y: float, box: Box) -> float:
    """From a point to a box on the floor, worked out on its own."""
    dx = max(box.low[0] - x, 0.0, x - box.high[0])
    dy = max(box.low[1] - y, 0.0, y - box.high[1])
    return math.hypot(dx, dy)


def test_a_straight_walk_stops_at_the_radius() -> None:
    """Head on there is nothing to slide along."""
    walk = BLOCK.walk(0.0, 0.0, 300.0, 0.0)
    assert ("Block", True) == (walk.hit, walk.blocked)
    assert walk.x == pytest.approx(100.0 - RADIUS, abs=2 * SKIN)
    assert walk.y == 0.0


def test_a_slanting_walk_slides_and_goes_on_past_the_end() -> None:
    """What is left of the way goes along the side, and round the end of it."""
    walk = BLOCK.walk(0.0, 0.0, 100.0, 40.0)
    assert (walk.x, walk.y) == (pytest.approx(100.0 - RADIUS, abs=0.2), pytest.approx(40.0, abs=0.2))
    past = BLOCK.walk(walk.x, walk.y, 120.0, 120.0)
    assert past.y > 50.0 + RADIUS / 2


def test_a_corner_is_round() -> None:
    """Past a corner at 45 degrees the body keeps exactly its radius."""
    walk = BLOCK.walk(60.0, -90.0, 100.0, -50.0)
    assert math.hypot(walk.x - 100.0, walk.y + 50.0) == pytest.approx(RADIUS, abs=2 * SKIN)


def test_two_walls_in_a_corner_stop_the_body() -> None:
    """It neither trembles out nor slips through."""
    corner = Obstacles(
        [("A", Box((100, -500, 0), (120, 500, 300))), ("B", Box((-500, 100, 0), (500, 120, 300)))], RADIUS
    )
    walk = corner.walk(0.0, 0.0, 400.0, 380.0)
    assert walk.blocked
    assert (walk.x, walk.y) == (pytest.approx(70.0, abs=0.2), pytest.approx(70.0, abs=0.2))


def test_what_hangs_high_or_lies_flat_is_no_obstacle() -> None:
    """One walks under signs and over mats."""
    free = Obstacles([("Sign", Box((50, -50, 200), (60, 50, 240))), ("Mat", Box((50, -50, 0), (60, 50, 1)))], RADIUS)
    assert not free.walk(0.0, 0.0, 100.0, 0.0).blocked


def test_a_walk_of_no_length_ends_where_it_began() -> None:
    """Nothing is met by standing still, even in contact."""
    touching = BLOCK.walk(0.0, 0.0, 300.0, 0.0)
    walk = BLOCK.walk(touching.x, touching.y, touching.x, touching.y)
    assert (touching.x, touching.y, False, "") == (walk.x, walk.y, walk.blocked, walk.hit)


def test_ten_thousand_random_walks_never_enter_anything() -> None:
    """Seeded steps of up to 3 m in the small store keep the radius from every box."""
    draw = random.Random(7)
    obstacles = Obstacles(small_store.obstacles(), RADIUS)
    boxes = [box for _, box in small_store.obstacles()]
    x, y, moved = 100.0, 200.0, 0.0
    for _ in range(10_000):
        angle, length = draw.uniform(0, 2 * math.pi), draw.choice((0.001, 1.0, 30.0, 120.0, 300.0))
        walk = obstacles.walk(x, y, x + length * math.cos(angle), y + length * math.sin(angle))
        moved += math.hypot(walk.x - x, walk.y - y)
        x, y = walk.x, walk.y
        assert min(distance(x, y, box) for box in boxes) >= RADIUS - 1e-6
    assert moved > 100_000


@settings(max_examples=150, deadline=None)
@given(
    boxes=st.lists(
        st.tuples(st.integers(-300, 300), st.integers(-300, 300), st.integers(1, 200), st.integers(1, 200)), max_size=8
    ),
    steps=st.lists(st.tuples(st.floats(-400, 400), st.floats(-400, 400)), max_size=12),
)
def test_whatever_the_boxes_no_walk_ends_inside_or_leaps(
    boxes: list[tuple[int, int, int, int]], steps: list[tuple[float, float]]
) -> None:
    """From a free place, no walk ends nearer than the radius or goes further than asked."""
    solid = [Box((x, y, 0), (x + w, y + h, 200)) for x, y, w, h in boxes]
    obstacles = Obstacles([(str(index), box) for index, box in enumerate(solid)], RADIUS)
    x, y = 0.0, 0.0
    if not obstacles.free(x, y):
        return
    for dx, dy in steps:
        walk = obstacles.walk(x, y, x + dx, y + dy)
        assert all(distance(walk.x, walk.y, box) >= RADIUS - 1e-6 for box in solid)
        assert math.hypot(walk.x - x, walk.y - y) <= math.hypot(dx, dy) + 1e-6
        x, y = walk.x, walk.y
