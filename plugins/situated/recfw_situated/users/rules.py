"""
The rule-based user ``situated-rules``: a shopper that is code and hears only the assistant's utterance.

It never reads the catalog: of a product that it has not inspected it knows the display name and the label, and whatever
the assistant said of it.
"""

from typing import ClassVar

from attrs import define, field

from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context, NoOptions, Player, UserSimulator
from recfw_situated import playing
from recfw_situated.tasks.records import goal_of, profile_of
from recfw_situated.users.shopper import Shopper


@define
class _Shopping:
    """The user at play in one episode."""

    context: Context
    _shopper: Shopper | None = field(default=None, init=False)

    async def reply(self, view: View) -> Reply:
        """Say and do one thing."""
        await playing.look(self.context, view)
        facts = view.facts
        if self._shopper is None:
            self._shopper = Shopper(facts["scene"], profile_of(facts), goal_of(facts), self.context.seed)
        utterance, call, notes = self._shopper.respond(facts)
        calls = [{"name": call.name, "arguments": call.arguments}]
        return Reply(utterance, data={"utterance": utterance, "tool_calls": calls, "notes": notes})


class SituatedRules(UserSimulator):
    """Parses utterances by a grammar, grounds them in what it sees, inspects before it buys."""

    name: ClassVar[str] = "situated-rules"
    summary: ClassVar[str] = "a shopper that is code: grammar, own eyes, inspects before it buys"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("situated",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:
        """Return a shopper for one episode."""
        return _Shopping(context)
