"""The pleasing agent: the popularity agent, proposing what would be liked best; what soft preferences reward."""

from collections.abc import Collection
from typing import ClassVar

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.popularity import MostPopular, seek
from recfw_books.agents.searching import Search
from recfw_books.agents.wish import Item, Wish, meets


class BestLiked:
    """Chooses, of all matches, the untried one that meets most of what would be liked; of equals the more popular."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._popular = MostPopular()

    def choose(self, wish: Wish, search: Search, tried: Collection[str]) -> Exchange[Item | None]:
        """Return the next book to propose; the most popular one where nothing would be liked better."""
        if not wish.likings:
            return (yield from self._popular.choose(wish, search, tried))
        while not search.complete and self._conversation.calls_left:
            yield from search.more()
        untried = [item for item in search.items if item["id"] not in tried]
        if not untried:
            return (yield from self._popular.choose(wish, search, tried))
        return max(untried, key=lambda item: _liked(item, wish))


def _liked(item: Item, wish: Wish) -> int:
    return sum(liking.weight for liking in wish.likings if meets(item, (liking.wish,)))


class Pleasing(ScriptAgent):
    """Asks once for everything, and proposes what would be liked best of what meets all that was told."""

    name: ClassVar[str] = "pleasing"
    summary: ClassVar[str] = "as popularity, but proposes the match that meets the user's preferences best"

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        return seek(conversation, BestLiked(conversation))
