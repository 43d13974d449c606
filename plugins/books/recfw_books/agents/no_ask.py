"""The no-ask floor (paper, section 5): takes the opening for the whole wish and recommends without a proposal."""

from typing import Any, ClassVar

from recfw.protocols import Agent, Context, NoOptions, Player
from recfw_books.agents.conversation import Conversation, Exchange, ScriptPlayer
from recfw_books.agents.popularity import MostPopular, suits
from recfw_books.agents.searching import History, search_for
from recfw_books.agents.wish import Wish


def commit(conversation: Conversation) -> Exchange[None]:
    """Recommend the most popular unread book that matches the opening, in a format that it names; else abstain."""
    wish = Wish().after(conversation.opening)
    search, passed = search_for(wish, conversation, History()), set[str]()
    while True:
        item = yield from MostPopular().choose(wish, search, passed)
        if item is None:
            yield from conversation.recommend(None)
            return
        book = str(item["id"])
        if (yield from suits(conversation, wish, book)):
            yield from conversation.recommend(book)
            return
        passed.add(book)


class NoAsk(Agent):
    """Never asks: recommends the most popular unread book that matches the opening."""

    name: ClassVar[str] = "no-ask"
    summary: ClassVar[str] = "never asks: recommends the most popular unread book that matches the opening"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return a player for one episode."""
        return ScriptPlayer(commit)
