"""Refusals of the user's actions: each with words, recorded, and the episode goes on."""

import pytest
from attrs import evolve
from situated_playing import user


def before(episode, product, gap=100.0):
    """Put the user before an instance of a product; return the product's label."""
    watch, scene = episode.environment.watch, episode.environment.setup.scene
    one = next(one for one in scene.instances if one.product == product)
    watch.store.at = evolve(scene.start, x=one.position[0] - gap, y=one.position[1], yaw=0.0)
    watch.move(watch.store.at)
    return episode.label("product", product)


def refusal(episode, name, **arguments):
    """Let the user act; return the words of its refusal."""
    episode.turn(user(name, **arguments))
    last = episode.last("user")
    assert last["action"]["allowed"] is (last["refusal"] is None)
    assert "" == episode.stop
    return last["refusal"] or ""


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("move_forward", {"distance_cm": 900}, "between 10 and 500"),
        ("turn", {"direction": "left", "angle_deg": 0}, "between 1 and 180"),
        ("look_up_down", {"direction": "up", "angle_deg": 61}, "between 1 and 60"),
        ("pick_up_item", {"item": "999"}, "no product labelled '999'"),
        ("move_to_fixture", {"fixture": "QQ", "approach": "front"}, "no fixture labelled 'QQ'"),
        ("drop_item", {}, "hand is empty"),
        ("add_to_cart", {}, "hand is empty"),
    ],
)
def test_supermarket_refusals(play, name, arguments, words):
    """What the supermarket does not allow at the start is refused in words."""
    assert words in refusal(play(), name, **arguments)


def test_a_full_hand_and_a_far_product(play):
    """A second product cannot be picked up, nor one out of reach."""
    episode = play()
    assert "must be within" in refusal(episode, "pick_up_item", item=before(episode, "cocoa-comets", gap=700))
    assert "" == refusal(episode, "pick_up_item", item=before(episode, "cocoa-comets"))
    other = episode.label("product", "sunny-field-corn-flakes")
    assert "hand holds the Cocoa Comets" in refusal(episode, "pick_up_item", item=other)
    assert "" == refusal(episode, "drop_item")


def test_a_back_that_is_not_supported(play):
    """A fixture against the wall has no back to go to."""
    episode = play()
    scene = episode.environment.setup.scene
    wall = next(fixture for fixture in scene.fixtures if fixture.back is None and episode.label("fixture", fixture.id))
    handle = episode.label("fixture", wall.id)
    assert "cannot be approached by back" in refusal(episode, "move_to_fixture", fixture=handle, approach="back")


def test_furnishings_state_rules(play):
    """Only a just-checked product is added or declined; walking away closes the check, turning does not."""
    episode = play("furnishings")
    assert "No product was just checked" in refusal(episode, "add_to_cart")
    assert "none to decline" in refusal(episode, "do_not_add_to_cart")
    product = episode.environment.setup.scene.instances[0].product
    assert "" == refusal(episode, "check_item", item=before(episode, product))
    assert product == episode.last("user")["inspected"] == episode.last("user")["checked"]
    assert "" == refusal(episode, "turn", direction="left", angle_deg=5)
    assert product == episode.last("user")["checked"]
    assert "" == refusal(episode, "move_backward", distance_cm=20)
    assert None is episode.last("user")["checked"]
    assert "No product was just checked" in refusal(episode, "add_to_cart")


def test_declining_closes_the_check(play):
    """do_not_add_to_cart closes the check, and the product stays."""
    episode = play("furnishings")
    product = episode.environment.setup.scene.instances[0].product
    refusal(episode, "check_item", item=before(episode, product))
    assert "" == refusal(episode, "do_not_add_to_cart")
    assert (None, []) == (episode.last("user")["checked"], episode.last("user")["cart"])


def test_approaches(play):
    """front and back end at the fixed viewpoints with their facing; nearest keeps none of its own."""
    episode = play()
    scene = episode.environment.setup.scene
    handle = episode.label("fixture", "pasta")
    refusal(episode, "move_to_fixture", fixture=handle, approach="front")
    front = scene.waypoint_by_id[scene.fixture_by_id["pasta"].front]
    assert [front.x, front.y, front.yaw] == episode.last("user")["after"][:3]


def test_inspection_reveals_the_facts_to_the_user_only_then(play):
    """Before inspection the user's view holds a product's name and label; after it, price and attributes."""
    episode = play()
    label = before(episode, "cocoa-comets")
    seen = next(p for p in episode.view("user").facts["visible"]["products"] if p["handle"] == label)
    assert {"handle", "name", "distance", "bearing", "reach"} == set(seen)
    assert "4.99" not in repr(episode.view("user").messages)
    refusal(episode, "pick_up_item", item=label)
    assert 4.99 == episode.view("user").facts["held"]["price"]
