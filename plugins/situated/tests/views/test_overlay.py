"""The Set-of-Mark picture."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from recfw_situated.views.badges import Board, Wish, badge, overlapping
from recfw_situated.views.observe import Labeller
from recfw_situated.views.overlay import overlay
from recfw_situated.views.sights import Eyes


def drawn(scene, frame, role="user"):
    """Return the overlay of a role, the frame, and its labels."""
    eyes = Eyes(scene)
    sights = eyes.see(frame)
    labels = Labeller(scene).observe(sights, role).labels
    return overlay(frame, eyes, sights, labels), labels


def test_everything_visible_has_a_badge_and_no_two_overlap(scene, shoot):
    """Each mark is readable: every label has a plate, and none covers another."""
    made, labels = drawn(scene, shoot(size=(640, 480)))
    assert {(kind, name) for kind, name, _ in made.badges} == set(labels)
    assert overlapping([box for _, _, box in made.badges]) == 0


def test_each_region_of_a_product_has_its_own_badge(scene, shoot):
    """Separated instances carry the same label twice."""
    made, _ = drawn(scene, shoot(size=(640, 480)))
    assert [name for _, name, _ in made.badges].count("apple") == 2


def test_outside_contours_boxes_and_badges_the_picture_is_untouched(scene, shoot):
    """Marks cover little: most pixels are as they were captured."""
    frame = shoot(size=(640, 480))
    made, _ = drawn(scene, frame)
    changed = (np.asarray(made.image) != frame.rgb).any(axis=2)
    assert changed.mean() < 0.06


def test_marks_spare_the_item_in_the_hand(scene, shoot):
    """No line or badge covers the close-up."""
    frame = shoot(size=(640, 480), close_up="dates")
    made, _ = drawn(scene, frame)
    near = frame.depth < 30
    assert (np.asarray(made.image)[near] == frame.rgb[near]).all()


def test_the_two_roles_have_different_pictures(scene, shoot):
    """Labels differ by role, and so do the pictures."""
    frame = shoot(size=(640, 480))
    assert drawn(scene, frame)[0].png() != drawn(scene, frame, "assistant")[0].png()


def test_a_picture_is_the_same_every_time(scene, shoot):
    """Drawing is deterministic, to the byte."""
    frame = shoot(size=(640, 480))
    data = drawn(scene, frame)[0].png()
    assert data == drawn(scene, frame)[0].png()
    assert Image.open(io.BytesIO(data)).size == (640, 480)


WISHES = st.lists(st.tuples(st.integers(0, 600), st.integers(0, 440), st.integers(5, 40)), min_size=1, max_size=60)


@settings(max_examples=25, deadline=None)
@given(WISHES)
def test_badges_never_overlap_however_crowded_it_is(wishes):
    """Sixty badges in one corner all find a place of their own within the picture."""
    board = Board(np.zeros((480, 640), dtype=bool))
    placed = [board.place(Wish((x, y, x + w, y + w), (x + w / 2, y + w / 2), (22, 18))) for x, y, w in wishes]
    assert None not in placed
    assert overlapping(placed) == 0
    assert all(0 <= l and 0 <= t and r <= 640 and b <= 480 for l, t, r, b in placed)  # noqa: E741


def test_a_badge_that_need_not_be_placed_is_left_out_where_there_is_no_room():
    """Further regions of a product do without a badge rather than cover another's."""
    spared = np.ones((480, 640), dtype=bool)
    assert Board(spared).place(Wish((10, 10, 20, 20), (15, 15), (22, 18), must=False)) is None


@pytest.mark.parametrize("text", ["1", "28", "AA", "A12", "1a"])
def test_a_badge_is_wide_enough_for_its_text(text):
    """Plates grow with their text and have one height."""
    plate = badge(text, (0, 0, 0), (255, 255, 255), "plate", 14)
    assert plate.height == 18
    assert plate.width >= 18
