"""The track and its components satisfy core's contracts, over the embedded simulator."""

import asyncio

from situated_playing import assistant, begin, user

from recfw.model.reply import Reply
from recfw.testing.contracts import ParticipantContract, TrackContract
from recfw_situated.assistants.components import IndexGuidedAssistant, TalkOnlyAssistant, WandererAssistant
from recfw_situated.moderator import SituatedModerator
from recfw_situated.track import SituatedTrack
from recfw_situated.users.rules import SituatedRules


class TestTrack(TrackContract):
    """The track, one scene, few tasks: its simulator costs seconds."""

    component, options, sample = SituatedTrack, {"scene": "supermarket"}, 2


class AssistantContract(ParticipantContract):
    """What each assistant that is code must do."""

    def views(self):
        """Views of a short episode with a user that says little."""
        episode, found = begin(), []
        for said in ("I need a breakfast cereal.", "Nothing sweet.", "Why the Cocoa Comets?"):
            found.append(episode.view("agent"))
            episode.turn(user(utterance=said))
        return [*found, episode.view("agent")]


class TestIndexGuided(AssistantContract):
    """The index-guided assistant."""

    component = IndexGuidedAssistant


class TestTalkOnly(AssistantContract):
    """The talk-only assistant."""

    component = TalkOnlyAssistant


class TestWanderer(AssistantContract):
    """The wanderer."""

    component = WandererAssistant


class TestRules(ParticipantContract):
    """The rule-based user."""

    component, role = SituatedRules, "user"

    def views(self):
        """Views of a user who is asked, led and offered something."""
        episode, found = begin(), []
        for said in ("What do you need?", "Please go to Breakfast Cereals.", "I recommend the Cocoa Comets."):
            episode.say("agent", assistant(said))
            found.append(episode.view("user"))
            episode.say("user", user())
            episode.say("moderator", Reply(data={"end": "no"}))
        return found


class TestModerator(ParticipantContract):
    """The rule-based moderator."""

    component, role = SituatedModerator, "moderator"

    def views(self):
        """The view after one exchange."""
        episode = begin()
        episode.say("agent", assistant())
        episode.say("user", user())
        return [episode.view("moderator")]


def test_pictures_on_request_are_looked_at_by_components_that_are_code():
    """With pictures=all every view lists its pictures, and the assistant and the user look at them."""
    episode, looked = begin(pictures="all"), []

    async def look(handle):
        looked.append(handle)
        return await episode.environment.picture(handle)

    from recfw.protocols import Context

    for role, component in (("agent", IndexGuidedAssistant), ("user", SituatedRules)):
        player = component(None).episode(Context(role, "s01.1", 1, look=look))
        episode.say(role, asyncio.run(player.reply(episode.view(role))))
    assert (["map-1", "assistant-1", "user-1"], 3) == (looked, episode.environment.summary()["captures"])
