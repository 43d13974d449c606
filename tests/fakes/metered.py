"""
A plugin whose components are metered, checked before the first trial, and told how the run is carried out.

They play the fake dialogue. FAKES_NOTES names a folder in which they note what they were told.
"""

import os
import uuid
from pathlib import Path

from attrs import field, frozen

from fakes.dialogue import Asker, Speaker
from recfw.errors import InfrastructureError, OutageError
from recfw.hookspecs import hookimpl
from recfw.model.reply import Usage
from recfw.model.score import Score
from recfw.protocols import CARRIED, Context, Judge


def note(what, words=""):
    """Leave a note."""
    if "FAKES_NOTES" in os.environ:
        (Path(os.environ["FAKES_NOTES"]) / f"{what}-{uuid.uuid4().hex}").write_text(words)


def notes(folder, what):
    """Return the notes of one kind."""
    return sorted(path.read_text() for path in Path(folder).glob(f"{what}-*"))


@frozen
class MeteredOptions:
    """
    ``price``: USD a reply, None where it is not known; ``check``: what its check comes to (``answers``, ``refused``,
    ``nothing``); ``outage``: the task on which its provider goes down; ``pace``: how fast it would ask, were it to ask.
    """

    price: float | None = 0.01
    check: str = "answers"
    outage: str = ""
    pace: int = field(default=0, metadata=CARRIED)


@frozen
class MeteredPlayer:
    """Plays as the asker does, ten tokens read and five written a reply."""

    component: "MeteredAgent"
    context: Context

    async def reply(self, view):
        options = self.component.options
        if options.outage == self.context.task:
            raise OutageError("the provider refuses the key.", "Get another.")
        note("pace", str(options.pace))
        said = await Asker.reply(self.component, view)
        usage = Usage(10, 5, cached_tokens=4, reasoning_tokens=2, cost=options.price)
        return type(said)(said.text, said.calls, usage=usage)


class MeteredAgent(Asker):
    """An agent that costs money."""

    name = "metered"
    Options = MeteredOptions
    deterministic = False

    def __init__(self, options):
        self.options = options

    def equip(self, facilities):
        note("equipped", f"{facilities.answers} {facilities.offline} {facilities.processes}")

    async def check(self):
        note("checked")
        if self.options.check == "refused":
            raise InfrastructureError("the key is refused.", "Set METERED_KEY.")
        return None if self.options.check == "nothing" else Usage(3, 1, cost=self.options.price)

    def episode(self, context):
        return MeteredPlayer(self, context)


class MeteredJudge(Judge):
    """A judge that costs money: one point for every trial."""

    name = "metered-judge"
    Options = MeteredOptions

    def __init__(self, options):
        self.options = options

    @property
    def identity(self):
        return "metered-judge@1"

    def brief(self, track):
        note("briefed", track.name)

    async def check(self):
        note("judge-checked")
        return Usage(2, 1, cost=self.options.price)

    async def judge(self, task, trace):
        if self.options.outage == task.id:
            raise OutageError("the judge's provider is down.")
        usage = {"input_tokens": 100, "output_tokens": 20, "cost": self.options.price or 0.0}
        return [Score("kindness", 1.0, self.identity, {"usage": usage}), Score("length", 2.0, self.identity)]


@hookimpl
def recfw_register_agents():
    """Offer the metered agent."""
    return [MeteredAgent]


@hookimpl
def recfw_register_users():
    """Offer a user under a name of its own."""
    return [type("OtherSpeaker", (Speaker,), {"name": "other-speaker"})]


@hookimpl
def recfw_register_judges():
    """Offer the metered judge."""
    return [MeteredJudge]
