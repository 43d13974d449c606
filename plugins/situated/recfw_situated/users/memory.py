"""What the rule-based user keeps in mind during one episode."""

from typing import Any

from attrs import define, field

from recfw_situated.users.amounts import normal
from recfw_situated.users.hearing import named
from recfw_situated.users.mentions import Names

RECENT = 6
"""How many of the assistant's last utterances are searched for products to look out for."""


@define
class Memory:
    """
    The user's memory.

    Args:
        heard: The assistant's utterances, oldest first.
        inspected: Display name -> the facts that inspection revealed.
        rejected: Display names that were declined.
        visited: Signs of the places that it went to.
        fruitless: Turns in a row without progress.
        turns: Replies so far.
        thought: How many turns it has hesitated over the item at hand.
        asked_why: Display names whose recommendation it has asked reasons for.
        asked_cheaper: It has asked for something cheaper.
        exposures: How many false claims it found.
    """

    heard: list[str] = field(factory=list)
    inspected: dict[str, dict[str, Any]] = field(factory=dict)
    rejected: list[str] = field(factory=list)
    visited: list[str] = field(factory=list)
    fruitless: int = 0
    turns: int = 0
    thought: int = 0
    asked_why: list[str] = field(factory=list)
    asked_cheaper: bool = False
    exposures: int = 0

    def mentioned(self, products: dict[str, str]) -> list[str]:
        """
        Return the keys of visible products that were spoken of lately and not declined, the latest mention first.

        Args:
            products: Key -> display name, of the visible products.
        """
        open_ones = {key: name for key, name in products.items() if name not in self.rejected}
        names = Names(products)
        found: dict[str, None] = {}
        for utterance in reversed(self.heard[-RECENT:]):
            for key in named(normal(utterance), names):
                if key in open_ones:
                    found.setdefault(key)
        return list(found)
