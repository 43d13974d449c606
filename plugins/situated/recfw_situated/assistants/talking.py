"""What all assistants that are code share: hearing the customer, proposing, asking, naming prices."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context
from recfw_situated import playing
from recfw_situated.assistants.reading import Wish, declines
from recfw_situated.assistants.speaking import IDLE, act, action, say

Product = Mapping[str, Any]

GREETING = "Hello, I'm your shopping assistant. What are you looking for today?"
QUESTIONS = (
    ("budget", "What is your budget?"),
    ("unwanted", "Is there anything that you would like to avoid?"),
    ("needs", "Is there anything in particular that matters to you?"),
)

PUT_BACK = ("drop_item", "do_not_add_to_cart")


@define
class Talker:
    """
    One assistant in one episode.

    Args:
        context: The episode.
        wish: What the customer wants, as far as it was heard.
        asked: Questions that were asked.
        proposed: Id of the product that was proposed last; empty for none.
        recommended: Ids of the products that were recommended.
    """

    context: Context
    wish: Wish = field(factory=Wish)
    asked: list[str] = field(factory=list)
    proposed: str = ""
    recommended: list[str] = field(factory=list)

    async def reply(self, view: View) -> Reply:
        """Say the next thing."""
        await playing.look(self.context, view)
        facts = view.facts
        dialogue = facts["dialogue"]
        if dialogue:
            self.hear(dialogue[-1]["user"], put_back=dialogue[-1]["action"] in PUT_BACK)
        return self.next(facts) if dialogue else self.greet(facts)

    def hear(self, utterance: str, *, put_back: bool = False) -> None:
        """Take in what the customer said last, and whether it put back what it held or had checked."""
        self.wish.hear(utterance)
        if (put_back or declines(utterance)) and self.proposed:
            self.wish.declined.append(self.proposed)
            self.proposed = ""

    def greet(self, facts: Mapping[str, Any]) -> Reply:
        """Open the conversation."""
        return say(GREETING, act("Greet"), IDLE, self.ranking(facts))

    def next(self, facts: Mapping[str, Any]) -> Reply:
        """Say the next thing, once the customer has spoken."""
        raise NotImplementedError

    def ranked(self, facts: Mapping[str, Any]) -> list[Product]:
        """Return the catalog, best first."""
        return self.wish.ranked(facts["catalog"])

    def ranking(self, facts: Mapping[str, Any]) -> list[str]:
        """Return the ids of the ten best products; none before anything was heard."""
        return [product["id"] for product in self.ranked(facts)[:10]] if self.wish.kind else []

    def question(self) -> str:
        """Return the next question that is still open; empty where none is."""
        known = {"budget": self.wish.budget is not None, "unwanted": bool(self.wish.refused), "needs": False}
        for topic, words in QUESTIONS:
            if topic not in self.asked and not known[topic]:
                self.asked.append(topic)
                return words
        return ""

    def inspect(self, facts: Mapping[str, Any], product: Product) -> Mapping[str, Any]:
        """Return the expected action of inspecting a product; idle where it is not in view."""
        marker = marker_of(facts, product["name"])
        if marker is None:
            return IDLE
        return action("pick_up_item" if facts["scene"] == "supermarket" else "check_item", item=marker["handle"])

    def recommend(self, facts: Mapping[str, Any], product: Product) -> Reply:
        """Recommend a product."""
        self.proposed = product["id"]
        self.recommended.append(product["id"])
        verb = "pick it up and read the package" if facts["scene"] == "supermarket" else "check it"
        words = f"I recommend the {product['name']}, because {praise(product)}. Please {verb}."
        seen = marker_of(facts, product["name"]) is not None
        annotation = act("Recommend", display_name=product["name"], visible_now=seen, reason=praise(product))
        return say(words, annotation, self.inspect(facts, product), self.ranking(facts))

    def confirm(self, facts: Mapping[str, Any], product: Product) -> Reply:
        """Say what speaks for the product in hand, and that it may go into the cart."""
        words = f"It costs ${product['price']:.2f} and it's {features(product)}. You can add it to your cart."
        return say(words, act("ConfirmPurchase"), action("add_to_cart"), self.ranking(facts))


def marker_of(facts: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """Return the marker of a visible product by its name."""
    return next((m for m in facts["markers"] if m["kind"] == "product" and m["name"] == name), None)


def by_name(facts: Mapping[str, Any], name: str) -> Product | None:
    """Return a product of the catalog by its name."""
    return next((product for product in facts["catalog"] if product["name"] == name), None)


def at_hand(facts: Mapping[str, Any]) -> Product | None:
    """Return the product that is held or was just checked."""
    name = facts["state"]["held"] or facts["state"]["checked"]
    return by_name(facts, name) if name else None


def features(product: Product) -> str:
    """Return a product's first features in words."""
    listed: Sequence[str] = product["tags"][:4]
    return ", ".join(listed) if listed else product["category"]


def praise(product: Product) -> str:
    """Return why a product is proposed."""
    return f"it costs ${product['price']:.2f} and it's {features(product)}"
