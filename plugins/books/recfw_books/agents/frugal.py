"""
The frugal agent: the popularity agent, with few questions instead of one broad one; what a costly user rewards.

It asks about one field at a time, those first that narrow most, never about one that the opening stated and never about
the format, which a verdict covers; it stops once few books are left or the user has had enough.
"""

from typing import ClassVar

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.popularity import MostPopular, propose
from recfw_books.agents.reading import COUNTRY, GENRE, LANGUAGE, YEAR_MAX, YEAR_MIN
from recfw_books.agents.searching import History, Search, search_for
from recfw_books.agents.wish import Wish

FEW = 5
"""At most so many matches left are proposed rather than asked about."""

QUESTIONS = (
    ((YEAR_MIN, YEAR_MAX), "Is there a year of publication that you would like?"),
    ((LANGUAGE,), "Which language would you like?"),
    ((COUNTRY,), "Which country of origin would you like?"),
    ((GENRE,), "Which genre would you like?"),
)


class Frugal(ScriptAgent):
    """Asks about one field at a time, and only while that is worth it."""

    name: ClassVar[str] = "frugal"
    summary: ClassVar[str] = "as popularity, but asks about one field at a time, no more than it needs to"

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        history = History()
        wish = Wish().after(conversation.opening)
        search = search_for(wish, conversation, history)
        for fields, question in QUESTIONS:
            if any(wish.values(field) for field in fields):
                continue
            if (yield from _few(search)):
                break
            heard = yield from conversation.say(question)
            told = wish.after(heard)
            if told != wish:
                wish, search = told, search_for(told, conversation, history)
            if heard.tired:
                break
        yield from propose(conversation, MostPopular(), wish, search, history)


def _few(search: Search) -> Exchange[bool]:
    """Look at the first matches, and tell whether there are few."""
    if not search.items and not search.complete:
        yield from search.more(1)
    return search.complete and len(search.items) <= FEW
