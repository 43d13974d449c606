"""Every ending, told apart and in order (the paper, appendix B.3)."""

import pytest
from situated_playing import assistant, recommend, user

from recfw.model.reply import Reply
from recfw_situated.endings import Progress, reason_of


def hold(episode, product):
    """Put the user before a product and let it pick it up."""
    environment = episode.environment
    scene = environment.setup.scene
    one = next(one for one in scene.instances if one.product == product)
    from attrs import evolve

    x, y = one.position[:2]
    environment.watch.store.at = evolve(scene.start, x=x - 100, y=y, yaw=0.0)
    environment.watch.move(environment.watch.store.at)
    episode.turn(user("pick_up_item", item=episode.label("product", product)))


def test_adding_to_the_cart_is_success(play):
    """A purchase ends the episode as success_cart_added, with the product in the cart."""
    episode = play()
    hold(episode, "cocoa-comets")
    episode.turn(user("add_to_cart"))
    assert ("success_cart_added", ["cocoa-comets"]) == (episode.stop, episode.last("ended")["cart"])


def test_three_recommends_end_after_the_action(play):
    """The third Recommend annotation ends the episode after the user's action, not consecutive ones included."""
    episode = play()
    for n in range(5):
        said = assistant(act=recommend("Cocoa Comets")) if n % 2 == 0 else assistant()
        episode.turn(user(), said)
    assert ("recommendation_exhausted", 5) == (episode.stop, episode.last("ended")["turns"])


def test_the_third_offer_can_still_be_bought(play):
    """A purchase in the turn of the third recommendation is a success."""
    episode = play()
    hold(episode, "cocoa-comets")
    for _ in range(2):
        episode.turn(user(), assistant(act=recommend("Cocoa Comets")))
    episode.turn(user("add_to_cart"), assistant(act=recommend("Cocoa Comets")))
    assert "success_cart_added" == episode.stop


def test_the_turn_limit(play):
    """After the limit's last turn the episode ends as turn_limit."""
    episode = play(turns=3)
    for _ in range(3):
        episode.turn(user())
    assert ("turn_limit", 3) == (episode.stop, episode.last("ended")["turn"])


def test_three_walks_against_something_are_a_stall(play):
    """Three free translations in a row under 10 cm end the episode as motion_stall."""
    episode = play(stuck=4.0)
    for name in ("move_forward", "move_backward", "move_forward"):
        episode.turn(user(name, distance_cm=100))
    assert "motion_stall" == episode.stop


def test_any_other_action_resets_the_stall(play):
    """A turn between them keeps walks against something from being a stall."""
    episode = play(stuck=4.0)
    for name, arguments in (
        ("move_forward", {"distance_cm": 100}),
        ("move_forward", {"distance_cm": 100}),
        ("turn", {"direction": "left", "angle_deg": 10}),
        ("move_forward", {"distance_cm": 100}),
    ):
        episode.turn(user(name, **arguments))
    assert "" == episode.stop


def test_the_moderator_ends(play):
    """A yes of the moderator ends the episode as moderator_termination, with a last observation."""
    episode = play()
    episode.turn(user(), end="yes")
    assert ("moderator_termination", True) == (episode.stop, episode.last("observed")["final"])


def test_the_moderator_is_not_asked_when_a_rule_holds(play):
    """On the last turn the limit decides, and the moderator never gets the floor."""
    episode = play(turns=1)
    episode.turn(user(), end="yes")
    assert ("turn_limit", []) == (episode.stop, [e for e in episode.events if e.name == "moderated"])


def test_an_invalid_moderator_is_asked_again_then_taken_for_no(play):
    """Two invalid answers of a moderator count as no."""
    episode = play()
    episode.say("agent", assistant())
    episode.say("user", user())
    assert "yes or no" in episode.say("moderator", Reply("hm")).words
    episode.say("moderator", Reply("hm"))
    assert (False, "agent") == (episode.last("moderated")["end"], episode.environment.next_role())


@pytest.mark.parametrize(
    ("progress", "cart", "turns", "reason"),
    [
        (Progress(3, 3), True, 20, "success_cart_added"),
        (Progress(3, 3), False, 20, "recommendation_exhausted"),
        (Progress(2, 3), False, 20, "turn_limit"),
        (Progress(2, 3), False, 19, "motion_stall"),
        (Progress(2, 2), False, 19, ""),
    ],
)
def test_the_order_of_endings(progress, cart, turns, reason):
    """Cart before recommendations before turns before stall."""
    assert reason == reason_of(progress, cart=cart, turns=turns, limit=20)
