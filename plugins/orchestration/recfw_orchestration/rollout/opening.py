"""The user of this track: it says the request, and is not heard again."""

from typing import ClassVar

from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context, NoOptions, Player, UserSimulator


class Opening(UserSimulator):
    """Says the task's request word for word."""

    name = "orchestration-opening"
    summary = "says the request, and is silent"
    Options: ClassVar[type] = NoOptions
    tracks = ("orchestration",)
    deterministic = True

    def __init__(self, options: NoOptions | None = None) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - every episode opens alike
        """Return a player for one episode."""
        return _Says()


class _Says:
    async def reply(self, view: View) -> Reply:
        """Say the request."""
        return Reply(str(view.facts["request"]))
