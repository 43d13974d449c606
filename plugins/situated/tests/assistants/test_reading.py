"""What the assistants that are code make of a customer's words, and where they lead."""

from recfw_situated.assistants.reading import Wish, declines, wants_cheaper, wonders
from recfw_situated.assistants.routing import Router
from recfw_situated.scenes.catalog import catalog

LAYOUT = [
    {"id": "cereal", "kind": "fixture", "name": "Cereals", "box": [0, 0, 1, 1], "points": {"front": [1000.0, 0.0]}},
    {"id": "fish", "kind": "fixture", "name": "Fish", "box": [0, 0, 1, 1], "points": {"front": [2000.0, 0.0]}},
]


def marker(name, handle):
    """Return a fixture's marker."""
    return {"kind": "fixture", "name": name, "handle": handle, "distance": 1, "bearing": 0, "approaches": ["front"]}


def test_a_wish_grows_and_ranks(supermarket):
    """Category, need, refusal and budget move the right product to the top."""
    wish = Wish()
    wish.hear("I'm looking for a breakfast cereal.")
    wish.hear("I want nothing sweet.")
    wish.hear("I'd like something whole grain.")
    wish.hear("I'd like to spend no more than $6.")
    best = wish.ranked(catalog(supermarket))[0]
    assert (6.0, "harvest-lane-bran-squares") == (wish.budget, best["id"])


def test_over_the_budget_and_declined_products_go_last(supermarket):
    """What costs too much or was declined is below everything else."""
    wish = Wish(kind=frozenset({"cereal"}), budget=4.0, declined=["sunny-field-corn-flakes"])
    ranked = [product["id"] for product in wish.ranked(catalog(supermarket))]
    assert "sunny-field-corn-flakes" == ranked[-1]
    assert ranked.index("cocoa-comets") > 60


def test_reactions():
    """Refusals, questions for reasons and for less money are heard."""
    assert declines("I'll pass on the Cod, because it is over my budget.")
    assert not declines("I'd like something low in salt.")
    assert wonders("Why the Cod?")
    assert wants_cheaper("It would do. Is there anything cheaper?")


def test_a_visible_goal_is_named():
    """A place in view is named, with its own label in the expected action."""
    step = Router([marker("Fish", "3")], LAYOUT, [0.0, 0.0, 0.0, 0.0]).step("fish")
    assert ("Please walk to the front of Fish.", "3") == (step.words, step.expected["arguments"]["fixture"])


def test_a_goal_out_of_view_is_turned_to_or_reached_by_stages():
    """Behind the customer lies a turn; ahead, a visible place on the way, else a walk."""
    assert "turn" == Router([], LAYOUT, [0.0, 0.0, 120.0, 0.0]).step("fish").expected["name"]
    assert "cereal" == Router([marker("Cereals", "1")], LAYOUT, [0.0, 0.0, 0.0, 0.0]).step("fish").stage
    assert "move_forward" == Router([], LAYOUT, [0.0, 0.0, 0.0, 0.0]).step("fish").expected["name"]
