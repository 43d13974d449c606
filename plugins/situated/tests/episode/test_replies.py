"""Invalid replies: one retry that quotes the error, then a neutral turn; and what a trace says of annotations."""

import pytest
from situated_playing import assistant, recommend, user

from recfw.model.reply import Reply
from recfw.protocols import Refused
from recfw_situated.actions.assistant import NEUTRAL_UTTERANCE


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply("hello"), "one JSON object"),
        (assistant(tool_calls=[{"name": "turn"}]), "tool_calls must be an empty list"),
        (assistant(assistant_actions=[]), "exactly one object"),
        (assistant(assistant_actions=[{"type": "Sing"}]), "'Sing'"),
        (assistant(act={"type": "Recommend", "display_name": "x", "reason": "y"}), "visible_now is missing"),
        (assistant(act={"type": "Greet", "reason": "y"}), "'reason'"),
        (assistant(expected_user_action={"name": "fly", "arguments": {}}), "'fly'"),
        (assistant(expected_user_action={"name": "turn", "arguments": {"direction": "left"}}), "angle_deg is missing"),
        (assistant(ranking=[str(n) for n in range(11)]), "10 at most"),
        (assistant("  "), "utterance"),
        (assistant(expected={"name": "pick_up_item", "arguments": {"item": "ZZZ"}}), "'ZZZ' is in your view"),
    ],
)
def test_an_invalid_assistant_is_told_what_is_wrong(play, reply, words):
    """The first invalid reply is refused, and the next view quotes the error."""
    episode = play()
    ruling = episode.say("agent", reply)
    assert isinstance(ruling, Refused)
    assert words in ruling.words
    assert words in episode.view("agent").messages[-1].text


def test_a_second_invalid_reply_is_a_neutral_turn(play):
    """After two invalid replies the user hears the fixed utterance; no ranking, no expected action are kept."""
    episode = play()
    episode.say("agent", Reply("hello"))
    episode.say("agent", Reply("hello"))
    said = episode.last("assistant")
    assert (NEUTRAL_UTTERANCE, None, [], None, True) == tuple(
        said[name] for name in ("utterance", "expected", "ranking", "act", "neutral")
    )
    assert NEUTRAL_UTTERANCE == episode.view("user").facts["utterance"]


def test_a_target_out_of_view_is_accepted_the_second_time_without_a_target(play):
    """An expected action on something unseen is quoted once, then recorded without a target."""
    episode, reply = play(), assistant(expected={"name": "pick_up_item", "arguments": {"item": "ZZZ"}})
    episode.say("agent", reply)
    episode.say("agent", reply)
    assert (None, False, True) == (
        episode.last("assistant")["expected"]["target"],
        episode.last("assistant")["neutral"],
        episode.last("assistant")["repaired"],
    )


def test_the_first_stage_of_a_way_must_be_in_view(play):
    """In the furnishings store next_waypoint names a place in view, by label or sign, or nothing; else it is quoted."""
    episode = play("furnishings")
    markers = [each for each in episode.view("agent").facts["markers"] if each["kind"] == "store"]
    hidden = {store.name for store in episode.environment.setup.scene.stores} - {each["name"] for each in markers}
    act = {"type": "Navigate", "navigation_goal": "The Plant", "target_approach": "outside_doorway", "reason": "plants"}
    for stage in (markers[0]["handle"], markers[0]["name"], ""):
        episode.turn(user(), assistant(act={**act, "next_waypoint": stage}))
        assert False is episode.last("assistant")["repaired"]
    for stage in ("99", min(hidden, default="Nowhere")):
        ruling = episode.say("agent", assistant(act={**act, "next_waypoint": stage}))
        assert isinstance(ruling, Refused)
        assert f"next_waypoint: no store or area labelled '{stage}' is in your view" in ruling.words
        episode.say("agent", assistant())
        episode.say("user", user())
        episode.say("moderator", Reply(data={"end": "no"}))


def test_a_blind_assistant_may_use_labels_out_of_view(play):
    """Under the second ablation labels need not be in view, and a pick-up needs no product."""
    episode = play(ablation="no-image-no-text")
    places = episode.view("agent").facts["places"]
    handle = next(place["handle"] for place in places if place["display_name"] == "Frozen Fish")
    episode.say(
        "agent", assistant(expected={"name": "move_to_fixture", "arguments": {"fixture": handle, "approach": "front"}})
    )
    assert "fish" == episode.last("assistant")["expected"]["target"]
    episode.say("user", user())
    episode.say("moderator", Reply(data={"end": "no"}))
    episode.say("agent", assistant(expected={"name": "pick_up_item", "arguments": {"item": ""}}))
    assert False is episode.last("assistant")["repaired"]


def test_an_invalid_user_idles(play):
    """After two invalid replies the user idles; after two of several calls the first is taken."""
    episode = play()
    episode.say("agent", assistant())
    assert isinstance(episode.say("user", Reply("I walk.")), Refused)
    episode.say("user", Reply("I walk."))
    assert ("idle", True) == (episode.last("user")["action"]["name"], episode.last("user")["neutral"])
    episode.say("moderator", Reply(data={"end": "no"}))
    episode.say("agent", assistant())
    turn = {"name": "turn", "arguments": {"direction": "left", "angle_deg": 30}}
    several = Reply(data={"utterance": "", "tool_calls": [turn, turn]})
    episode.say("user", several)
    episode.say("user", several)
    assert ("turn", 2) == (episode.last("user")["action"]["name"], episode.last("user")["calls"])


def test_the_trace_resolves_both_roles_labels(play):
    """Expected and actual actions on one fixture have one target, whatever label each role knows it by."""
    episode = play()
    mine, theirs = episode.label("fixture", "pasta"), episode.label("fixture", "pasta", "assistant")
    assert mine != theirs
    said = assistant(expected={"name": "move_to_fixture", "arguments": {"fixture": theirs, "approach": "front"}})
    episode.turn(user("move_to_fixture", fixture=mine, approach="front"), said)
    assert "pasta" == episode.last("assistant")["expected"]["target"] == episode.last("user")["action"]["target"]


def test_spoken_recommendations_without_annotation_are_counted(play):
    """A product that is recommended by name without Recommend is noted, and does not count as a recommendation."""
    episode = play()
    episode.turn(user(), assistant("I recommend the Cocoa Comets. They are over there."))
    assert (["cocoa-comets"], 0) == tuple(episode.last("assistant")[name] for name in ("unannotated", "recommends"))
    episode.turn(user(), assistant("I recommend the Cocoa Comets.", recommend("Cocoa Comets")))
    assert ([], 1) == tuple(episode.last("assistant")[name] for name in ("unannotated", "recommends"))


def test_spoken_labels_are_violations(play):
    """Labels that either role speaks are recorded; they do not end the episode."""
    episode = play()
    episode.turn(user(utterance="I'll take item 12."), assistant("Please go to marker 3."))
    found = [(e.data["role"], e.data["labels"]) for e in episode.events if e.name == "violation"]
    assert [("assistant", ["3"]), ("user", ["12"])] == found
    assert {"user": 1, "assistant": 1} == episode.environment.summary()["violations"]


def test_the_ranking_keeps_what_is_no_product(play):
    """Names and ids in a ranking become ids; what the catalog does not know stands as it was sent."""
    episode = play()
    episode.turn(user(), assistant(ranking=["cocoa-comets", "Sunny Field Corn Flakes", "Moon Dust"]))
    said = episode.last("assistant")
    assert (["cocoa-comets", "sunny-field-corn-flakes", "Moon Dust"], [True, True, False]) == (
        said["ranking"],
        said["known"],
    )


def test_navigation_goals_are_resolved(play):
    """A navigation goal that names a place has its kind and id; any other has none."""
    episode = play()
    for text, found in (("Frozen Fish", ("fixture", "fish")), ("the moon", (None, None))):
        episode.turn(user(), assistant(act={"type": "Navigate", "navigation_goal": text, "reason": "fish"}))
        goal = episode.last("assistant")["goal"]
        assert found == (goal["kind"], goal["id"])


def test_a_view_holds_the_turns_that_are_over(play):
    """Both roles read what was said and done before, in their own view of it, without labels of actions."""
    episode = play()
    label = episode.label("fixture", "pasta")
    episode.turn(user("move_to_fixture", "On my way.", fixture=label, approach="front"), assistant("Go to the pasta."))
    for role in ("agent", "user"):
        told = "\n".join(message.text for message in episode.view(role).messages[1:-1])
        assert "Go to the pasta." in told
        assert "On my way.\n[action: move_to_fixture (approach front; moved" in told.replace(");", ";")


def test_the_turn_limit_is_told_to_the_assistant(play):
    """The brief names the limit that is in force."""
    assert "after 7 turns" in play(turns=7).view("agent").messages[0].text
