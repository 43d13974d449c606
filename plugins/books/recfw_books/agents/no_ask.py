"""The no-ask floor (paper, section 5): takes the opening for the whole wish and recommends without a proposal."""

from typing import ClassVar

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
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


class NoAsk(ScriptAgent):
    """Never asks: recommends the most popular unread book that matches the opening."""

    name: ClassVar[str] = "no-ask"
    summary: ClassVar[str] = "never asks: recommends the most popular unread book that matches the opening"

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        return commit(conversation)
