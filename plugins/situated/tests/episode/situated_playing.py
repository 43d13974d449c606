"""An episode over a fake store, played reply by reply."""

import asyncio

from attrs import define
from situated_fakes import FakeStore, FakeWatch

from recfw.model.reply import Reply
from recfw.protocols import Accepted, Ended
from recfw_situated.briefs import Briefs
from recfw_situated.environment import Setup, SituatedEnvironment
from recfw_situated.meaning import Meaning
from recfw_situated.planning.paths import Planner
from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks.pool import shipped
from recfw_situated.tasks.records import to_task
from recfw_situated.views.labels import ASSISTANT, USER
from recfw_situated.views.observe import Labeller

PLANNERS = {}


def assistant(utterance="Hello.", act=None, expected=None, ranking=(), **changes):
    """Return a valid reply of the assistant, changed."""
    data = {
        "utterance": utterance,
        "assistant_actions": [act or {"type": "Greet"}],
        "expected_user_action": expected or {"name": "idle", "arguments": {}},
        "ranking": list(ranking),
        "tool_calls": [],
    }
    return Reply(utterance, data=data | changes)


def user(name="idle", utterance="Hm.", **arguments):
    """Return a reply of the user with one action."""
    return Reply(utterance, data={"utterance": utterance, "tool_calls": [{"name": name, "arguments": arguments}]})


def recommend(name):
    """Return a Recommend annotation."""
    return {"type": "Recommend", "display_name": name, "visible_now": False, "reason": "it fits"}


@define
class Played:
    """An episode played reply by reply; events of all rulings are kept."""

    environment: SituatedEnvironment
    events: list
    stop: str = ""

    def say(self, role, reply):
        """Hand a reply in after the role's view; return the ruling."""

        async def both():
            await self.environment.view(role)
            return await self.environment.receive(role, reply, ())

        ruling = asyncio.run(both())
        if isinstance(ruling, Accepted | Ended):
            self.events += ruling.events
        if isinstance(ruling, Ended):
            self.stop = ruling.stop
        return ruling

    def view(self, role):
        """Return what a role sees."""
        return asyncio.run(self.environment.view(role))

    def turn(self, reply, said=None, end="no"):
        """Play one turn: the assistant, the user, the moderator where it is asked."""
        self.say("agent", said or assistant())
        ruling = self.say("user", reply)
        if not self.stop:
            self.say("moderator", Reply(data={"end": end, "reason": ""}))
        return ruling

    def last(self, name):
        """Return the data of the last event of a name."""
        return [event.data for event in self.events if event.name == name][-1]

    def label(self, kind, name, role="user"):
        """Return a role's label of something visible."""
        self.view("user")
        marker = self.environment.watch.seen[role].by_id(kind, name)
        return marker.handle if marker else None


def begin(name="supermarket", turns=20, ablation="", stuck=None, task=None, pictures="none"):
    """Begin an episode of a scene's first task, or of a named one."""
    scene = load_scene(name)
    labeller = Labeller(scene)
    planner = PLANNERS.setdefault(name, Planner(scene))
    places = {role: labeller.places(role) for role in (USER, ASSISTANT)}
    briefs = Briefs(scene, ablation, turns, 3, labeller)
    setup = Setup(scene, briefs, Meaning(scene, places), planner, labeller.names(), pictures)
    store = FakeStore(scene)
    if stuck is not None:
        store.stuck = stuck
    chosen = next(one for one in shipped() if one.scene == name and (task is None or one.id == task))
    return Played(SituatedEnvironment(to_task(chosen), setup, FakeWatch(store, labeller), turns), [])
