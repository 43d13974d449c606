"""The insistent agent: the popularity agent, asking about every field in turn; what a costly user dislikes."""

from typing import ClassVar

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.popularity import MostPopular, propose
from recfw_books.agents.searching import History, search_for
from recfw_books.agents.wish import Wish

QUESTIONS = (
    "Which genre would you like?",
    "Which language would you like?",
    "Which country of origin would you like?",
    "Is there a year of publication that you would like?",
    "Which format would you like?",
)


class Insistent(ScriptAgent):
    """Asks about one field after the other, whatever the user says."""

    name: ClassVar[str] = "insistent"
    summary: ClassVar[str] = "as popularity, but asks about every field in turn, however little the user likes it"

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        wish = Wish().after(conversation.opening)
        for question in QUESTIONS:
            heard = yield from conversation.say(question)
            wish = wish.after(heard)
        history = History()
        yield from propose(conversation, MostPopular(), wish, search_for(wish, conversation, history), history)
