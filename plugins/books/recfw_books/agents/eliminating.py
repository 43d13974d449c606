"""
The eliminating agent (paper, section 5): the popularity agent's dialogue, with the protocol's meaning added.

A declined field holds a requirement, and a rejected book fails at least one; so every hypothesis that a rejected book
satisfies is dropped, and the book that fits most of those left is proposed.
"""

from collections.abc import Collection
from typing import ClassVar

import numpy as np
from attrs import field, frozen, validators
from numpy.typing import NDArray

from recfw_books.agents.conversation import Conversation, Exchange, ScriptAgent
from recfw_books.agents.hypotheses import Hypotheses
from recfw_books.agents.popularity import MostPopular, SeekOptions, seek
from recfw_books.agents.searching import Search
from recfw_books.agents.wish import Item, Wish


@frozen
class EliminationOptions(SeekOptions):
    """
    What varies in how hypotheses are counted.

    Args:
        weights: ``share`` weighs a hypothesis by the matches that meet it [ours]; ``equal`` counts each once, as the
            paper's words read.
        pairs: ``after`` lets hypotheses of one value go before those of two [ours]; ``together`` counts both at
            once, as the paper's words read.
    """

    weights: str = field(default="share", validator=validators.in_(("share", "equal")))
    pairs: str = field(default="after", validator=validators.in_(("after", "together")))


class Elimination:
    """
    Chooses what fits most of the hypotheses left; the most popular match where nothing was declined.

    It gathers all matches first, as far as the calls of a turn allow, and goes on in later turns. While the list is
    incomplete it proposes from what it has, and never concludes that nothing fits.
    """

    def __init__(self, conversation: Conversation, options: EliminationOptions | None = None) -> None:
        self._conversation = conversation
        self._options = options or EliminationOptions()
        self._popular = MostPopular()
        self._search: Search | None = None
        self._hypotheses: Hypotheses | None = None
        self._positions: dict[str, int] = {}
        self._untried: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def choose(self, wish: Wish, search: Search, tried: Collection[str]) -> Exchange[Item | None]:
        """Return the book that fits most of the hypotheses left; None where all matches are known and none fits any."""
        if not wish.declined:
            return (yield from self._popular.choose(wish, search, tried))
        while not search.complete and self._conversation.calls_left:
            yield from search.more()
        while True:
            hypotheses = self._known(wish, search, tried)
            best = hypotheses.best(self._untried)
            if best is not None:
                return search.items[best]
            if search.complete and hypotheses.whole:
                return None
            if search.complete or self._untried.any():
                return (yield from self._popular.choose(wish, search, tried))
            yield from search.more()

    def _known(self, wish: Wish, search: Search, tried: Collection[str]) -> Hypotheses:
        """Return the hypotheses over all matches found, with every rejection taken."""
        if self._hypotheses is None or self._search is not search or len(self._positions) != len(search.items):
            self._search = search
            self._hypotheses = Hypotheses(
                wish, search.items, equal=self._options.weights == "equal", together=self._options.pairs == "together"
            )
            self._positions = {item["id"]: position for position, item in enumerate(search.items)}
            self._untried = np.ones(len(self._positions), dtype=np.bool_)
        for book in tried:
            position = self._positions.get(book)
            if position is not None and self._untried[position]:
                self._untried[position] = False
                self._hypotheses.reject(position)
        return self._hypotheses


class Eliminating(ScriptAgent):
    """Infers hidden requirements from declines and rejections by systematic elimination."""

    name: ClassVar[str] = "eliminating"
    summary: ClassVar[str] = "asks once, then rules out hidden requirements by what is rejected"

    Options: ClassVar[type] = EliminationOptions

    def script(self, conversation: Conversation) -> Exchange[None]:
        """Return the script of one episode."""
        conversation.wide = self.options.queries == "wide"
        return seek(conversation, Elimination(conversation, self.options))
