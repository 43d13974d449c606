"""The assistant that only talks: it asks, recommends by name, and never says where anything is."""

from collections.abc import Mapping
from typing import Any

from attrs import define

from recfw.model.reply import Reply
from recfw_situated.assistants.reading import wonders
from recfw_situated.assistants.speaking import IDLE, act, say
from recfw_situated.assistants.talking import Talker, at_hand, marker_of, praise


@define
class TalkOnly(Talker):
    """An assistant that does not lead."""

    def next(self, facts: Mapping[str, Any]) -> Reply:
        """Ask what is open, recommend the best product once, then wait for the customer to come across it."""
        held = at_hand(facts)
        if held is not None:
            self.proposed = held["id"]
            return self.confirm(facts, held)
        asked = self.question()
        if asked:
            return say(asked, act("AskPreference"), IDLE, self.ranking(facts))
        product = self.ranked(facts)[0]
        if wonders(facts["dialogue"][-1]["user"]):
            words = f"The {product['name']} is my choice because {praise(product)}."
            return say(words, act("Explain"), self.inspect(facts, product), self.ranking(facts))
        if product["id"] not in self.recommended:
            return self.recommend(facts, product)
        if marker_of(facts, product["name"]) is not None:
            words = f"I can see the {product['name']} from here. Please have a closer look."
            return say(words, act("AnswerQuestion"), self.inspect(facts, product), self.ranking(facts))
        words = f"Look out for the {product['name']}; {praise(product)}."
        return say(words, act("Explain"), IDLE, self.ranking(facts))
