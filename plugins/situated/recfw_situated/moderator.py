"""The rule-based moderator: the paper's yes and no conditions (appendix B.3) by plain phrases."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context, NoOptions, Participant, Player

_GIVES_UP = re.compile(
    r"\b(?:i(?:'ll| will) leave it|i give up|i(?:'m| am) (?:done|leaving)|never ?mind|forget (?:it|about it)|"
    r"i(?:'ll| will) (?:go|come back|look) (?:elsewhere|another (?:day|time))|i don't need (?:any|your) (?:more )?help|"
    r"no more help|stop helping|that's all|that will be all|nothing (?:else|more),? thanks?)\b"
)
_TAKES_LEAVE = re.compile(
    r"\b(?:good ?bye|bye(?: bye)?|see you|have a (?:nice|good|great|lovely) (?:day|evening|one))\b"
)
_BOUGHT = re.compile(
    r"\b(?:i(?:'ll| will) take (?:it|this|that)|i(?:'ve| have) (?:bought|got) it|it's in (?:the|my) cart)\b"
)
_SETTLED = re.compile(r"\b(?:enjoy|thank you for (?:shopping|your purchase)|glad (?:i|we) could help|you're all set)\b")
_GOES_ON = re.compile(
    r"\?|\b(?:looking for|is there|do you have|where|which|another|compare|let me (?:see|have a look))\b"
)
_STILL = ("pick_up_item", "check_item", "move_to_fixture", "move_to_store", "move_to_area", "drop_item")


def decide(dialogue: Sequence[Mapping[str, Any]]) -> tuple[bool, str]:
    """
    Return whether a conversation is over, and why.

    Args:
        dialogue: Turns so far: {assistant, user, action, outcome}, the latest last.
    """
    latest = dialogue[-1]
    assistant, user = (latest[role].casefold().replace("\u2019", "'") for role in ("assistant", "user"))
    if _GIVES_UP.search(user) and not _GOES_ON.search(user):
        return True, "the customer gives up or declines further help"
    if latest["action"] in _STILL or _GOES_ON.search(user):
        return False, "the customer still explores, compares or asks"
    if _TAKES_LEAVE.search(user):
        return True, "the customer takes leave"
    if _BOUGHT.search(user) and (_SETTLED.search(assistant) or _TAKES_LEAVE.search(assistant)):
        return True, "both have settled the purchase"
    return False, "the conversation goes on"


class _Watching:
    async def reply(self, view: View) -> Reply:
        """Say whether the conversation is over."""
        ends, reason = decide(view.facts["dialogue"])
        return Reply(data={"end": "yes" if ends else "no", "reason": reason})


class SituatedModerator(Participant):
    """Ends a conversation that both sides have finished, or that the customer gives up."""

    name: ClassVar[str] = "situated-moderator"
    summary: ClassVar[str] = "ends conversations that the customer gives up or both have closed"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("situated",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - it remembers nothing
        """Return a moderator for one episode."""
        return _Watching()
