"""
The books that match what an agent was told, gathered through the search tool of either interface.

Both searches share a shape: ``items`` grows by :meth:`more` until ``complete``; a read book never enters.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from recfw.model.reply import ToolCall
from recfw_books.agents.conversation import Conversation, Exchange
from recfw_books.agents.reading import COUNTRY, GENRE, LANGUAGE
from recfw_books.agents.wish import Item, Wish, meets
from recfw_books.model import GENRES

BATCH = 50
"""Most calls that one reply holds."""


class Search(Protocol):
    """Where candidates come from."""

    items: list[Item]
    complete: bool

    def more(self, most: int = BATCH) -> Exchange[None]:
        """Gather further matches by at most ``most`` calls."""
        ...


class History:
    """The books that the user has read, asked for once an episode."""

    def __init__(self) -> None:
        self.ids: frozenset[str] | None = None

    def calls(self) -> list[ToolCall]:
        """Return the call to make, or none where the history is known."""
        return [ToolCall("get_reading_history")] if self.ids is None else []

    def take(self, answers: Sequence[dict[str, Any] | None]) -> None:
        """Read the answers to :meth:`calls`; a failed call leaves the history to be asked for again."""
        for answer in answers:
            if answer is not None:
                self.ids = frozenset(item["id"] for item in answer["items"])

    def unread(self, items: Iterable[Item]) -> list[Item]:
        """Return the books that are known to be unread: none before the history is known."""
        ids = self.ids
        return [] if ids is None else [item for item in items if item["id"] not in ids]


def search_for(wish: Wish, conversation: Conversation, history: History) -> Search:
    """Return a search for a wish on the interface in play."""
    made = KeywordSearch if conversation.keyword else FilterSearch
    return made(wish, conversation, history)


class FilterSearch:
    """
    The structured interface: pages of the matches, the most popular first.

    With several genres told, one filters and the others are looked up in the items; the one with the fewest matches is
    taken, by its first page.
    """

    def __init__(self, wish: Wish, conversation: Conversation, history: History) -> None:
        self._wish, self._conversation, self._history = wish, conversation, history
        self._filters: dict[str, Any] = {}
        self._pages = 0
        self._next = 0
        self.items: list[Item] = []
        self.complete = False

    def more(self, most: int = BATCH) -> Exchange[None]:
        """Fetch the first page, later at most ``most`` further ones; pages from a failed call on are left for later."""
        if not self._next:
            yield from self._open()
            return
        most = min(most, self._conversation.calls_left or most)
        pages = range(self._next, min(self._next + most, self._pages + 1))
        answers = yield from self._conversation.call([_search(**self._filters, page=page) for page in pages])
        for answer in answers:
            if answer is None:
                break
            self._take(answer)

    def _open(self) -> Exchange[None]:
        wanted = self._history.calls()
        choices = self._wish.filters()
        answers = yield from self._conversation.call([*wanted, *(_search(**choice) for choice in choices)])
        self._history.take(answers[: len(wanted)])
        if self._history.ids is None:
            return
        found = [(answer["total"] if answer else 0, position) for position, answer in enumerate(answers[len(wanted) :])]
        _, best = min(found)
        self._filters = choices[best]
        self._next = 1
        answer = answers[len(wanted) + best]
        if answer is None:
            self.complete = True
            return
        self._pages = answer["pages"]
        self._take(answer)

    def _take(self, answer: dict[str, Any]) -> None:
        needed = self._wish.left_open(self._filters)
        self.items += [item for item in self._history.unread(answer["items"]) if meets(item, needed)]
        self._next += 1
        self.complete = self._next > self._pages


class KeywordSearch:
    """
    The keyword interface: the best 20 of each of several queries, those kept whose metadata meet what was told.

    Queries, in waves [ours]: all labels told, together (each genre, where no label was told); all but one of them; and
    where a field was declined (of a wide search: always), all labels told with each genre, or with each language or
    country seen so far. Books
    count as found in the order of queries and ranks; popularity is not shown here. ``complete`` says that no query is
    left, not that every match was found: the interface cannot tell.
    """

    def __init__(self, wish: Wish, conversation: Conversation, history: History) -> None:
        self._wish, self._conversation, self._history = wish, conversation, history
        self._asked: set[str] = set()
        self._found: dict[str, Item] = {}
        self._wave = 0
        self._waiting: list[str] = []
        self.items: list[Item] = []
        self.complete = False

    def more(self, most: int = BATCH) -> Exchange[None]:
        """Ask at most ``most`` further queries."""
        wanted = self._history.calls()
        self._refill()
        queries, self._waiting = self._waiting[:most], self._waiting[most:]
        if not queries:
            self.complete = True
            return
        answers = yield from self._conversation.call(
            [*wanted, *(ToolCall.of("search_books", query=query) for query in queries)]
        )
        self._history.take(answers[: len(wanted)])
        for answer in answers[len(wanted) :]:
            self._take(answer)

    def _take(self, answer: dict[str, Any] | None) -> None:
        for item in self._history.unread(answer["items"] if answer else ()):
            if item["id"] not in self._found:
                self._found[item["id"]] = item
                if meets(item, self._wish.requirements):
                    self.items.append(item)

    def _refill(self) -> None:
        waves = (self._together, self._without_one, self._with_values)
        while not self._waiting and self._wave < len(waves):
            self._waiting = [query for query in dict.fromkeys(waves[self._wave]()) if query not in self._asked]
            self._asked.update(self._waiting)
            self._wave += 1

    def _together(self) -> list[str]:
        labels = self._wish.labels()
        return [" ".join(labels)] if labels else list(GENRES)

    def _without_one(self) -> list[str]:
        labels = self._wish.labels()
        return [" ".join((*labels[:i], *labels[i + 1 :])) for i in range(len(labels))] if len(labels) > 1 else []

    def _with_values(self) -> list[str]:
        seen = {
            GENRE: GENRES,
            **{name: sorted({str(item[name]) for item in self._found.values()}) for name in (LANGUAGE, COUNTRY)},
        }
        fields = seen if self._conversation.wide else self._wish.declined
        values = [value for field in fields for value in seen.get(field, ())]
        labels = self._wish.labels()
        return [" ".join((*labels, value)) for value in values if value not in labels]


def _search(**arguments: Any) -> ToolCall:
    return ToolCall.of("search_books", **arguments)
