"""An agent's side of one episode as a script: what it says and calls, and what comes back."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import Any, ClassVar, TypeVar

import orjson

from recfw.model.reply import Reply, ToolCall
from recfw.model.view import TOOL, Message, View
from recfw.protocols import Agent, Context, Player
from recfw_books.agents.reading import Heard, read

T = TypeVar("T")

Exchange = Generator[Reply, View, T]
"""Part of a script: it yields replies, is sent the Views that follow, and comes to a value."""

MOST_CALLS = 140
"""Calls that an agent allows itself in one turn; a trial gives 150 before errors."""

_STILL_LOOKING = "I am still looking through the catalog."


class Conversation:
    """
    One episode: reads each new message once and counts the calls of the turn.

    Args:
        first: The first View; the user has spoken.

    Attributes:
        keyword: Whether books are found by words, and not by filters.
        wide: Whether keyword search asks more queries than it would by itself.
    """

    def __init__(self, first: View) -> None:
        self.wide = False
        self.keyword = any("query" in tool.parameters["properties"] for tool in first.tools)
        self.opening = _heard(first.messages)
        self._seen = len(first.messages)
        self._calls = 0

    @property
    def calls_left(self) -> int:
        """How many calls the agent still allows itself in this turn."""
        return MOST_CALLS - self._calls

    def say(self, text: str) -> Exchange[Heard]:
        """Say something to the user and return what it answers; the next turn begins."""
        view = yield Reply(text)
        self._calls = 0
        return _heard(self._new(view))

    def call(self, calls: Sequence[ToolCall]) -> Exchange[list[dict[str, Any] | None]]:
        """Call tools side by side and return their answers by position, None for one that failed."""
        if len(calls) > self.calls_left:
            yield from self.say(_STILL_LOOKING)
        view = yield Reply(calls=tuple(calls))
        self._calls += len(calls)
        answers: list[dict[str, Any] | None] = [None] * len(calls)
        for message in self._new(view):
            if message.speaker == TOOL and not message.error and message.call is not None:
                answers[message.call] = _content(message.text)
        return answers

    def recommend(self, item_id: str | None) -> Exchange[None]:
        """Recommend a book, or none, and be done; where that is not taken, recommend none."""
        yield Reply(calls=(ToolCall.of("recommend", **({"item_id": item_id} if item_id else {})),))
        while True:
            yield Reply(calls=(ToolCall.of("recommend"),))

    def _new(self, view: View) -> Sequence[Message]:
        new = view.messages[self._seen :]
        self._seen = len(view.messages)
        return new


def _heard(messages: Sequence[Message]) -> Heard:
    return read(" ".join(message.text for message in messages if message.speaker == "user"))


def _content(text: str) -> dict[str, Any] | None:
    try:
        content = orjson.loads(text)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


class ScriptPlayer:
    """
    Plays a script in one episode.

    Args:
        script: Makes the script once the first View is there; it never ends by itself.
    """

    def __init__(self, script: Callable[[Conversation], Exchange[None]]) -> None:
        self._make = script
        self._script: Exchange[None] | None = None

    async def reply(self, view: View) -> Reply:
        """Go on with the script."""
        if self._script is None:
            self._script = self._make(Conversation(view))
            return next(self._script)
        return self._script.send(view)


class ScriptAgent(Agent):
    """A reference agent: a subclass says its name and its script. Nothing is drawn, so it repeats itself."""

    tracks: ClassVar[tuple[str, ...]] = ("books",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: Any = None) -> None:
        self.options = options if options is not None else self.Options()

    @abstractmethod
    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode; it never ends by itself."""

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return a player for one episode."""
        return ScriptPlayer(self.script)
