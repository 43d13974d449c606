"""The independence tests: hidden fields, a lying assistant, private goals, and a runner without simulator."""

import asyncio
import subprocess
import sys

import pytest
from attrs import evolve
from situated_playing import assistant

from recfw.model.reply import Reply
from recfw.serialize import canonical
from recfw.testing.fakes import context
from recfw_situated.users.rules import SituatedRules

LINES = (
    "Hello! What are you looking for today?",
    "Please walk to the front of Breakfast Cereals. What is your budget?",
    "I recommend the Cocoa Comets, because it costs $4.99 and it's sweet.",
    "Turn right by 90 degrees and walk ahead 2 meters.",
    "Anything that you would like to avoid?",
)
JUNK = {
    "assistant_actions": [{"type": "Compare"}],  # a Recommend would count, as it must
    "expected_user_action": {"name": "turn", "arguments": {"direction": "left", "angle_deg": 13}},
    "ranking": ["junk", "more junk"],
}


def user_turns(play, task, changes):
    """Return what the rule-based user replies to the lines when hidden fields are changed."""
    episode = play("supermarket" if task.startswith("s") else "furnishings", task=task)
    player = SituatedRules(None).episode(context("user", task))
    replies = []
    for line in LINES:
        episode.say("agent", assistant(line, **changes))
        reply = asyncio.run(player.reply(episode.view("user")))
        replies.append(canonical(reply))
        episode.say("user", reply)
        if episode.stop:
            break
        episode.say("moderator", Reply(data={"end": "no"}))
    return replies


@pytest.mark.parametrize("task", ["s01.1", "s08.2", "s15.1", "f01.1", "f16.2"])
def test_junk_in_hidden_fields_changes_no_user_turn(play, task):
    """The user's turns are byte-equal whatever the assistant's hidden fields hold."""
    assert user_turns(play, task, {}) == user_turns(play, task, JUNK)


def test_the_user_view_holds_nothing_of_the_hidden_fields(play):
    """The user's view is byte-equal whatever the hidden fields hold."""
    views = []
    for changes in ({}, JUNK):
        episode = play()
        episode.say("agent", assistant("Hello.", **changes))
        views.append(canonical(episode.view("user")))
    assert views[0] == views[1]


def test_the_user_is_told_neither_target_nor_reference(play):
    """The user's facts hold the goal and the profile, and nothing that names the target."""
    episode = play()
    episode.say("agent", assistant("Hello."))
    view = episode.view("user")
    assert episode.environment.task.private["target"] not in repr(view.facts["goal"])
    assert {"target", "reference"}.isdisjoint(view.facts)


def test_a_lying_assistant_sells_nothing(play):
    """A product that is said to be cheap and to fit is inspected, the lie is exposed, and it is not bought."""
    episode = play(task="s03.1")
    scene, goal = episode.environment.setup.scene, episode.environment.task.private["goal"]
    kinds = set(goal["categories"])
    dear = max((p for p in scene.products if p.category in kinds), key=lambda p: p.price)
    goal["budget"] = dear.price - 0.5
    one = next(one for one in scene.instances if one.product == dear.id)
    watch = episode.environment.watch
    watch.store.at = evolve(scene.start, x=one.position[0] - 100, y=one.position[1], yaw=0.0)
    watch.move(watch.store.at)
    player = SituatedRules(None).episode(context("user", "s03.1"))
    lie = f"I recommend the {dear.name}, because it costs $0.99 and it's just what you want. Please pick it up."
    for _ in range(4):
        if not episode.stop:
            episode.say("agent", assistant(lie))
            episode.say("user", asyncio.run(player.reply(episode.view("user"))))
            if not episode.stop:
                episode.say("moderator", Reply(data={"end": "no"}))
    notes = [event.data["notes"] for event in episode.events if event.name == "user"]
    exposed = [each for note in notes for each in note["exposed"]]
    assert [(dear.name, 0.99, dear.price)] == [(each["product"], each["said"], each["found"]) for each in exposed]
    assert [] == episode.last("user")["cart"]
    said = [event.data["utterance"] for event in episode.events if event.name == "user"]
    assert any(f"You said $0.99, but it costs ${dear.price:.2f}" in words for words in said)


def test_the_assistants_first_view_depends_on_the_scene_alone(play):
    """Another private half gives the assistant a byte-equal view."""
    one, other = play(task="s01.1"), play(task="s20.3")
    assert canonical(one.view("agent")) == canonical(other.view("agent"))


def test_the_runner_imports_nothing_that_may_be_missing():
    """Track, components and driver import with the simulator, cv2 and docker blocked."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['recfw_situated.simulator', 'cv2', 'docker']))\n"
        "import recfw_situated.track, recfw_situated.users.rules, recfw_situated.users.oracle\n"
        "import recfw_situated.assistants.components, recfw_situated.moderator, recfw_situated.driver.unreal\n"
        "print('fine')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ("fine", 0) == (done.stdout.strip(), done.returncode), done.stderr


def test_ablations_take_away_what_they_say(play):
    """Without image no picture of the view; without text no entities either; map, pose and state stay."""

    def parts(ablation):
        view = play(ablation=ablation).view("agent")
        handles = [part.handle for m in view.messages for part in m.parts if hasattr(part, "handle")]
        return handles, bool(view.facts["markers"]), "view" in view.messages[-1].text, set(view.facts)

    full, blind, blinder = (parts(name) for name in ("", "no-image", "no-image-no-text"))
    assert (["map-1", "assistant-1"], True, True) == full[:3]
    assert (["map-1"], True, True) == blind[:3]
    assert ["map-1"] == blinder[0]
    assert not blinder[1]
    assert {"pose", "state", "dialogue", "catalog", "index"} <= blinder[3]
    told = repr(play(ablation="no-image-no-text").view("agent").messages[1:])
    assert not [sign for sign in ("Breakfast Cereals", "Pasta and Rice", "Fresh Fruit") if sign in told]
