"""The unheeding agent: the popularity agent, deaf to what a verdict brings with it; what a critiquing user is worth."""

from typing import ClassVar

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.popularity import MostPopular, seek


class Unheeding(ScriptAgent):
    """Asks once for everything; of what follows it hears the verdicts alone."""

    name: ClassVar[str] = "unheeding"
    summary: ClassVar[str] = "as popularity, but takes up nothing that the user says with a verdict"

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        return seek(conversation, MostPopular(), heeds=False)
