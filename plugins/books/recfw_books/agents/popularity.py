"""
The popularity agent (paper, section 5): asks for everything once, then proposes popular matches until one is accepted.

It uses only what the system prompt tells. :func:`seek` is its dialogue, shared with the eliminating agent, which
differs in the choice of what to propose alone.
"""

from collections.abc import Collection
from typing import ClassVar, Protocol

from attrs import field, frozen, validators

from recfw.model.reply import ToolCall
from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.searching import BATCH, History, Search, search_for
from recfw_books.agents.wish import Item, Wish

QUESTION = (
    "Which genre, language, country of origin, year of publication and format would you like? "
    "Do you have any other requirements?"
)


@frozen
class SeekOptions:
    """
    What varies in how a reference agent searches.

    Args:
        queries: ``few``, or ``wide``: on the keyword interface, all labels told are also tried with each genre,
            language and country.
    """

    queries: str = field(default="few", validator=validators.in_(("few", "wide")))


class Choice(Protocol):
    """How an agent chooses what to propose."""

    def choose(self, wish: Wish, search: Search, tried: Collection[str]) -> Exchange[Item | None]:
        """
        Return the next book to propose, gathering more where needed; None where nothing is left to propose.

        ``tried`` holds the ids of books that were proposed and rejected.
        """
        ...


class MostPopular:
    """Chooses the first match found that was not tried: the most popular one on the structured interface."""

    def choose(
        self,
        wish: Wish,  # noqa: ARG002 - the search has seen to it
        search: Search,
        tried: Collection[str],
    ) -> Exchange[Item | None]:
        """Return the first untried match, fetching more pages, ever more at a time, while there is none."""
        batch, looked = 1, 0
        while True:
            for item in search.items[looked:]:
                if item["id"] not in tried:
                    return item
            looked = len(search.items)
            if search.complete:
                return None
            yield from search.more(batch)
            batch = min(2 * batch, BATCH)


def seek(conversation: Conversation, choice: Choice, *, heeds: bool = True) -> Exchange[None]:
    """Ask one question that names every field, then :func:`propose`."""
    heard = yield from conversation.say(QUESTION)
    wish = Wish().after(conversation.opening).after(heard)
    history = History()
    yield from propose(conversation, choice, wish, search_for(wish, conversation, history), history, heeds=heeds)


def propose(
    conversation: Conversation, choice: Choice, wish: Wish, search: Search, history: History, *, heeds: bool = True
) -> Exchange[None]:
    """
    Propose until a book is accepted, and recommend it; abstain without one.

    Where a format was named, formats are checked: on the structured interface, which filters by them, once a book was
    accepted; on the keyword interface before it is proposed. What the user tells with a verdict is taken up by a new
    search, unless the agent does not heed it.
    """
    tried = list[str]()
    while True:
        item = yield from choice.choose(wish, search, tried)
        if item is None:
            yield from conversation.recommend(None)
            return
        book = str(item["id"])
        tried.append(book)
        if conversation.keyword and not (yield from suits(conversation, wish, book)):
            search.items.remove(item)
            continue
        heard = yield from conversation.say(f"I suggest this book: [[candidate_id:{book}]].")
        if heard.verdict and (conversation.keyword or (yield from suits(conversation, wish, book))):
            yield from conversation.recommend(book)
            return
        told = wish.after(heard)
        if heeds and told != wish:
            wish, search = told, search_for(told, conversation, history)


def suits(conversation: Conversation, wish: Wish, book: str) -> Exchange[bool]:
    """Check a book's formats where some were named, and tell whether the user takes one of them."""
    if not wish.formats:
        return True
    (answer,) = yield from conversation.call([ToolCall.of("check_formats", item_id=book)])
    return answer is not None and not set(wish.formats).isdisjoint(answer["formats"])


class Popularity(ScriptAgent):
    """Asks once, filters on what was told, proposes the most popular unread match until one is accepted."""

    name: ClassVar[str] = "popularity"
    summary: ClassVar[str] = "asks once for everything, then proposes the most popular matches until one is accepted"

    Options: ClassVar[type] = SeekOptions

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        conversation.wide = self.options.queries == "wide"
        return seek(conversation, MostPopular())
