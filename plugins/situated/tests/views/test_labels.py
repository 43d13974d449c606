"""The label systems of the two roles, exactly as laid down."""

import re

import pytest

from recfw_situated.scenes.load import load_scene
from recfw_situated.views.labels import ASSISTANT, USER, letters, place_labels, product_label

FORMS = {
    (USER, "fixture"): r"[A-Z]{1,2}",
    (USER, "store"): r"[A-Z]{1,2}",
    (USER, "area"): r"[A-Z]\d+",
    (ASSISTANT, "fixture"): r"\d+",
    (ASSISTANT, "store"): r"\d+",
    (ASSISTANT, "area"): r"\d+[a-z]",
}


def test_letters_go_on_after_z():
    """AA comes after Z, BA after AZ."""
    assert [letters(n) for n in (1, 26, 27, 52, 53, 702, 703)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_products_have_numbers_for_the_user_and_letters_for_the_assistant():
    """The two roles' product labels are of different kinds."""
    assert [product_label(USER, 28), product_label(ASSISTANT, 28)] == ["28", "AB"]


@pytest.mark.parametrize("name", ["supermarket", "furnishings"])
@pytest.mark.parametrize("role", [USER, ASSISTANT])
def test_every_place_has_a_label_of_its_roles_form(name, role):
    """All fixtures, stores and areas are labelled, uniquely, in the form that the role has for their kind."""
    scene = load_scene(name)
    labels = place_labels(scene, role)
    assert len(labels) == len(set(labels.values())) == len(scene.fixtures) + len(scene.stores) + len(scene.areas)
    assert all(re.fullmatch(FORMS[role, kind], label) for (kind, _), label in labels.items())


def test_an_areas_label_begins_with_its_stores():
    """A1 lies in store A, 1a in store 1."""
    scene = load_scene("furnishings")
    for role in (USER, ASSISTANT):
        labels = place_labels(scene, role)
        assert all(labels["area", area.id].startswith(labels["store", area.store]) for area in scene.areas)


@pytest.mark.parametrize("name", ["supermarket", "furnishings"])
def test_one_roles_order_tells_nothing_of_the_others(name):
    """The n-th letter is not the n-th number: labels cannot be translated by counting."""
    scene = load_scene(name)
    user, assistant = place_labels(scene, USER), place_labels(scene, ASSISTANT)
    same = [e for e in user if e[0] != "area" and user[e] == letters(int(assistant[e]))]
    assert len(same) < 3
