"""Whether each action is allowed, by range, label, reach and state: the rules alone, without a store."""

import pytest

from recfw_situated.actions.legality import rule
from recfw_situated.actions.state import Interaction, facts_of
from recfw_situated.actions.user import FURNISHINGS, SUPERMARKET, Call, legal_names
from recfw_situated.scenes.load import load_scene
from recfw_situated.views.observe import Marker, Observation

RANGES = {
    "move_forward": ("distance_cm", 10, 500),
    "move_backward": ("distance_cm", 10, 300),
    "turn_and_move": ("distance_cm", 10, 500),
    "move_and_turn": ("distance_cm", 10, 500),
    "side_step": ("distance_cm", 10, 200),
    "turn": ("angle_deg", 1, 180),
    "look_up_down": ("angle_deg", 1, 60),
}
MIDDLE = {"distance_cm": 50, "angle_deg": 30, "direction": "left"}
TARGETS = {
    "move_to_fixture": {"fixture": "A", "approach": "front"},
    "move_to_store": {"store": "B", "approach": "inside_doorway"},
    "move_to_area": {"area": "A1"},
    "pick_up_item": {"item": "1"},
    "check_item": {"item": "1"},
}
EMPTY, FULL = False, True
"""The hand (supermarket) or the check (furnishings)."""
ALLOWED = {
    SUPERMARKET: {"pick_up_item": (True, False), "drop_item": (False, True), "add_to_cart": (False, True)},
    FURNISHINGS: {"check_item": (True, True), "do_not_add_to_cart": (False, True), "add_to_cart": (False, True)},
}
"""Action -> whether it is allowed with an empty hand or no check, and with a full one; of others always."""


def call(name):
    """Return an action with arguments that are in range and in view."""
    held = dict(TARGETS.get(name, {}))
    if name in RANGES:
        held = {"distance_cm": 50, "direction": "up" if name == "look_up_down" else "left", "angle_deg": 30}
    return Call(name, held)


def view(scene, distance=100.0):
    """Return a user's view of a product, a fixture, a store and an area."""
    product = scene.instances[0]
    near = ("nearest", "front")
    markers = [
        Marker("1", "product", product.product, "a product", distance, 0.0, instance=product.id),
        Marker("A", "fixture", "a-fixture", "Tea", 900.0, 0.0, near),
        Marker("B", "store", "a-store", "Lamps", 900.0, 0.0, ("outside_doorway", "inside_doorway")),
        Marker("A1", "area", "an-area", "Shades", 900.0, 0.0),
    ]
    return Observation("user", scene.start, tuple(markers))


def ruled(name, kind, full=EMPTY, distance=100.0, **changes):
    """Return the refusal of an action, empty where it is allowed."""
    scene = load_scene(kind)
    state, one = Interaction(scene), scene.instances[-1].id
    if full:
        state = Interaction(scene, held=one) if kind == SUPERMARKET else Interaction(scene, checked=one)
    wanted = call(name)
    return rule(Call(name, {**wanted.arguments, **changes}), scene, view(scene, distance), state).refusal


@pytest.mark.parametrize("full", [EMPTY, FULL])
@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in (SUPERMARKET, FURNISHINGS) for name in legal_names(kind)]
)
def test_each_action_with_an_empty_and_with_a_full_hand(kind, name, full):
    """Each of the 12 and of the 13 actions is allowed as the state rules say, and refused in a sentence otherwise."""
    allowed = ALLOWED[kind].get(name, (True, True))[full]
    refusal = ruled(name, kind, full)
    assert allowed is (refusal == "")
    assert allowed or (refusal[0].isupper() and refusal.endswith("."))


@pytest.mark.parametrize(("name", "argument", "low", "high"), [(name, *limits) for name, limits in RANGES.items()])
def test_a_number_is_in_its_range(name, argument, low, high):
    """Both ends of a range are allowed; what is beyond them is refused with the range."""
    assert ["", ""] == [ruled(name, SUPERMARKET, **{argument: value}) for value in (low, high)]
    for value in (low - 0.1, high + 0.1, -high, 0):
        assert f"{argument} must be between {low} and {high}, not {value:g}." == ruled(
            name, SUPERMARKET, **{argument: value}
        )


@pytest.mark.parametrize(
    ("kind", "name", "argument", "noun"),
    [
        (SUPERMARKET, "move_to_fixture", "fixture", "fixture"),
        (SUPERMARKET, "pick_up_item", "item", "product"),
        (FURNISHINGS, "move_to_store", "store", "store"),
        (FURNISHINGS, "move_to_area", "area", "display area"),
        (FURNISHINGS, "check_item", "item", "product"),
    ],
)
def test_a_label_stands_for_something_of_its_kind_in_view(kind, name, argument, noun):
    """A label that is not in view is refused, and so is one of another kind; spaces and case do not matter."""
    other = "A1" if argument != "area" else "1"
    for label in ("ZZ", other, ""):
        assert f"There is no {noun} labelled '{label}' in your current view." == ruled(name, kind, **{argument: label})
    label = str(TARGETS[name][argument])
    assert "" == ruled(name, kind, **{argument: f" {label.lower()} "})


@pytest.mark.parametrize(("kind", "name"), [(SUPERMARKET, "pick_up_item"), (FURNISHINGS, "check_item")])
def test_a_product_is_in_reach(kind, name):
    """A product is taken or checked up to the scene's reach and no further."""
    reach = load_scene(kind).reach
    assert "" == ruled(name, kind, distance=reach)
    assert f"it must be within {reach / 100:.1f} m" in ruled(name, kind, distance=reach + 1)


def test_an_approach_is_one_that_the_place_supports():
    """A back that a fixture does not have is refused, with what it has."""
    words = ruled("move_to_fixture", SUPERMARKET, approach="back")
    assert words == "'Tea' cannot be approached by back (supported: nearest, front)."


def test_inspection_reveals_a_product_whole_but_for_its_ids():
    """The facts of a product are its name, category, price, tags and attributes; nothing has none."""
    product = load_scene(SUPERMARKET).products[0]
    facts = facts_of(product)
    assert facts is not None
    assert {"name", "category", "price", "tags", "attributes"} == set(facts)
    assert (product.name, product.price) == (facts["name"], facts["price"])
    assert facts_of(None) is None
