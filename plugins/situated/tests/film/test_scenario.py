"""What a film shows, read from trajectories written by hand."""

from typing import Any

import pytest
from trajectories import call, did, episode, goal, neutral, said, violation

from recfw.errors import UsageError
from recfw.model.trace import WorldEvent
from recfw_situated.film.scenario import Scenario, scenario
from recfw_situated.film.stills import telling
from recfw_situated.scenes.records import Instance, Pose, Scene


def view(turn: int, *markers: tuple[Instance, str, str], **state: Any) -> WorldEvent:
    """Return an observation whose products have (instance, user's label, assistant's label)."""
    held = [
        {"kind": "product", "id": one.product, "user": user, "assistant": other, "instance": one.id}
        for one, user, other in markers
    ]
    data = {"turn": turn, "final": False, "pose": [10.0, 20.0, 90.0, -5.0], "held": None, "checked": None, "cart": []}
    return WorldEvent("observed", {**data, "markers": held, "approaches": {}, **state})


@pytest.fixture(scope="module")
def goods(supermarket: Scene) -> Instance:
    """A product on its shelf."""
    return supermarket.instances[0]


def test_a_held_item_and_the_cart_are_instances(supermarket: Scene, goods: Instance) -> None:
    """The trace tells which instance is in the hand; the cart's is the one that was held before."""
    held = {"instance": goods.id, "product": goods.product}
    film = scenario(
        episode(
            *(view(1, (goods, "1", "A")), said(1), did(1, call("pick_up_item", goods.product))),
            *(view(2, held=held), said(2), did(2, call("add_to_cart"), (goods.product,))),
            view(3, cart=[goods.product], final=True),
        ),
        supermarket,
    )
    assert [(m.held, m.cart) for m in film.moments] == [("", ()), (goods.id, ()), ("", (goods.id,))]


def test_a_checked_item_is_the_one_that_was_in_reach(furnishings: Scene) -> None:
    """The trace names the checked product; its instance is that which was in reach when it was checked, and stays."""
    item = furnishings.instances[0]
    film = scenario(
        episode(
            *(view(1, (item, "1", "A")), said(1), did(1, call("check_item", item.product))),
            *(view(2, checked=item.product), said(2), did(2)),
            *(view(3, checked=item.product), said(3), did(3, call("add_to_cart"), (item.product,))),
            view(4, cart=[item.product], final=True),
        ),
        furnishings,
    )
    assert [(m.shown, m.cart) for m in film.moments] == [("", ()), (item.id, ()), (item.id, ()), ("", (item.id,))]


def test_labels_are_those_of_the_roles_then(supermarket: Scene, goods: Instance) -> None:
    """Each role's labels are read from the trace, not given anew."""
    film = scenario(episode(view(1, (goods, "7", "KQ")), said(1), did(1)), supermarket)
    key = ("product", goods.product)
    assert film.moments[0].labels == {"user": {key: "7"}, "assistant": {key: "KQ"}}


def test_poses_are_read(supermarket: Scene) -> None:
    """A pose is x, y, yaw and pitch."""
    assert scenario(episode(view(1)), supermarket).moments[0].pose == Pose(10.0, 20.0, 90.0, -5.0)


def test_words_acts_and_outcomes(supermarket: Scene) -> None:
    """What was said and meant, what was done and came of it, what broke a rule."""
    fixture = supermarket.fixtures[0]
    expected = call("move_to_fixture", fixture.id, "front")
    film = scenario(
        episode(
            view(1),
            said(1, "Navigate", expected, utterance="Come.", goal={**goal("fixture", fixture.id), "text": "there"}),
            violation(1, "assistant", "12"),
            did(1, call("turn", direction="left"), utterance="Yes."),
            *(view(2), neutral(2), did(2)),
            stop="turn_limit",
        ),
        supermarket,
    )
    first, second = film.moments
    assert first.act == f"Navigate · to there · expects move_to_fixture, {fixture.name}, front"
    assert (first.assistant, first.user, first.action) == ("Come.", "Yes.", "turn, left; done")
    assert (first.notes, second.act) == (("the assistant spoke labels: 12",), "no valid reply")
    assert (film.turns, film.stop) == (2, "turn_limit")


def test_an_episode_without_a_view_has_no_film(supermarket: Scene) -> None:
    """There is nothing to show, and that is told."""
    with pytest.raises(UsageError, match="before anything was seen"):
        scenario(episode(), supermarket)


def played(scene: Scene, goods: Instance) -> Scenario:
    """Return six moments; the item is in the hand at the third and fourth."""
    held = {"instance": goods.id, "product": goods.product}
    views = [view(turn, held=held if turn in {3, 4} else None) for turn in range(1, 7)]
    return scenario(episode(*views), scene)


def test_stills_are_the_telling_moments(supermarket: Scene, goods: Instance) -> None:
    """First and last, before and after the last inspection."""
    assert [moment.turn for moment in telling(played(supermarket, goods).moments)] == [1, 2, 3, 6]


def test_stills_of_an_episode_without_inspection(supermarket: Scene) -> None:
    """Then there are the first and the last alone."""
    film = scenario(episode(*(view(turn) for turn in range(1, 5))), supermarket)
    assert [moment.turn for moment in telling(film.moments)] == [1, 4]
