"""Marker maps, stable and per-observation labels, and the ablations."""

import pytest

from recfw_situated.scenes.records import Pose
from recfw_situated.views.observe import Labeller, direction
from recfw_situated.views.sights import Eyes

START = Pose(0.0, 0.0, 0.0)


@pytest.fixture
def observe(scene, shoot):
    """Return a function that observes the tiny scene."""
    return lambda role, pose=START: Labeller(scene).observe(Eyes(scene).see(shoot(pose)), role, "p1")


def test_handles_stand_for_the_same_things_in_both_roles_under_different_labels(observe):
    """Users read numbers from left to right, assistants letters from near to far; both mean the same products."""
    user, assistant = observe("user"), observe("assistant")
    assert {m.handle: m.id for m in user.visible} == {"1": "cocoa", "2": "apple", "3": "bread", "A": "shelf-1"}
    assert {m.handle: m.id for m in assistant.visible} == {"A": "bread", "B": "apple", "C": "cocoa", "1": "shelf-1"}


def test_labels_of_products_are_assigned_anew_and_those_of_places_stay(observe):
    """After turning round, 1 is another product, and the shelf would still be A."""
    before, after = observe("user"), observe("user", Pose(0.0, 0.0, 180.0))
    assert (before.by_handle("1").id, after.by_handle("1").id) == ("cocoa", "dates")
    assert (before.by_handle("A").id, after.by_handle("B").id) == ("shelf-1", "stand-1")


def test_a_stale_label_stands_for_nothing(observe):
    """A label of an earlier observation is not found in a later one."""
    assert observe("user", Pose(0.0, 0.0, 180.0)).by_handle("3") is None


def test_a_handle_of_another_kind_is_not_taken(observe):
    """A fixture's label is no product's."""
    seen = observe("user")
    assert (seen.by_handle("A", "product"), seen.by_handle(" a ", "fixture").id) == (None, "shelf-1")


def test_approaches_are_those_that_a_place_supports(observe):
    """The stand has no back; what is not in view is no surface."""
    assert observe("user").surfaces == {"A": ("nearest", "front", "back")}
    assert observe("user", Pose(0.0, 0.0, 180.0)).surfaces == {"B": ("nearest", "front")}


def test_roles_are_told_names_and_handles_and_nothing_else_of_a_product(observe):
    """Before inspection a product is its display name and handle, and where it is."""
    told = observe("user").told()
    assert set(told["products"][0]) == {"handle", "kind", "display_name", "distance_m", "direction"}
    assert told["products"][0]["display_name"] == "Bread"


def test_without_the_picture_the_words_stay(observe):
    """Ablation (a) takes the picture only."""
    seen = observe("assistant")
    cut = seen.ablated("no-image")
    assert (cut.picture, cut.visible) == ("", seen.visible)


def test_without_picture_and_words_only_the_pose_is_left(observe):
    """Ablation (b) also takes what is visible and where one can walk; the pose stays for the map."""
    cut = observe("assistant").ablated("no-image-no-text")
    assert (cut.picture, cut.visible, cut.surfaces, cut.pose) == ("", (), {}, Pose(0.0, 0.0, 0.0))


def test_the_static_index_lists_every_place_whatever_is_in_view(scene):
    """Ablation (b) is given all fixtures with their approaches, without visibility."""
    assert Labeller(scene).static_index() == [
        {"handle": "1", "kind": "fixture", "display_name": "Snacks", "approaches": ["nearest", "front", "back"]},
        {"handle": "2", "kind": "fixture", "display_name": "Fruit", "approaches": ["nearest", "front"]},
    ]


@pytest.mark.parametrize(
    ("bearing", "words"),
    [(0.0, "ahead"), (-4.2, "ahead"), (12.4, "12 degrees to the right"), (-30.0, "30 degrees to the left")],
)
def test_directions_are_told_in_words(bearing, words):
    """Small bearings are ahead."""
    assert direction(bearing) == words
