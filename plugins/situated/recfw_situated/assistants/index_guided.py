"""
The index-guided assistant: reads the location index, leads to the best product, recommends it when it is in view.

It asks while it walks; a reason for which something was declined becomes part of the wish.
"""

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from recfw.model.reply import Reply
from recfw_situated.assistants.reading import wants_cheaper, wonders
from recfw_situated.assistants.routing import Router, Step, sidestep
from recfw_situated.assistants.speaking import IDLE, act, action, say
from recfw_situated.assistants.talking import Product, Talker, at_hand, features, marker_of, praise

MANY = 4
"""Turns at a place after which a product that did not come into view is given up."""


@define
class IndexGuided(Talker):
    """An assistant that reads the index."""

    stages: list[str] = field(factory=list)
    tried: dict[str, int] = field(factory=dict)
    missing: list[str] = field(factory=list)

    def next(self, facts: Mapping[str, Any]) -> Reply:
        """Confirm what is at hand, explain, recommend what is in view, or lead on."""
        last = facts["dialogue"][-1]["user"]
        held = at_hand(facts)
        if held is not None:
            return self._with(facts, held, last)
        product = self._goal(facts)
        if wonders(last) and product["id"] == self.proposed:
            words = f"I chose the {product['name']} because {praise(product)}."
            return say(words, act("Explain"), self.inspect(facts, product), self.ranking(facts))
        if len(facts["dialogue"]) == 1 and not self.wish.needs:
            return self._ask(facts)
        marker = marker_of(facts, product["name"])
        if marker is not None and marker["reach"]:
            if product["id"] in self.recommended:
                words = f"Please have a closer look at the {product['name']}; it's right there."
                return say(words, act("AnswerQuestion"), self.inspect(facts, product), self.ranking(facts))
            return self.recommend(facts, product)
        return self._lead(facts, product, marker)

    def _with(self, facts: Mapping[str, Any], held: Product, last: str) -> Reply:
        if wants_cheaper(last):
            words = f"It's the best match within your wishes: ${held['price']:.2f}, {features(held)}."
            return say(words, act("AnswerQuestion"), action("add_to_cart"), self.ranking(facts))
        self.proposed = held["id"]
        return self.confirm(facts, held)

    def _ask(self, facts: Mapping[str, Any]) -> Reply:
        return say(self.question() or "Please tell me more.", act("ClarifyNeed"), IDLE, self.ranking(facts))

    def _goal(self, facts: Mapping[str, Any]) -> Product:
        """Return the product to lead to: the best one that was not missing where it should stand."""
        ranked = self.ranked(facts)
        kept = next((p for p in ranked if p["id"] == self.proposed), None)
        if kept is not None:
            return kept
        return next((p for p in ranked if p["id"] not in self.missing), ranked[0])

    def _lead(self, facts: Mapping[str, Any], product: Product, marker: Mapping[str, Any] | None) -> Reply:
        name, parent = self._place(facts, product)
        router = Router(facts["markers"], facts["layout"], facts["pose"], self.stages[-4:])
        title = router.place(name)["name"]
        if router.there(name):
            step = router.face(name) if facts["scene"] == "supermarket" and marker is None else None
            step = step or self._search(product, marker)
        else:
            step = router.step(name, self._side(product), parent)
            blocked = "in the way" in facts["dialogue"][-1]["outcome"]
            if blocked and step.expected["name"] in {"move_forward", "turn_and_move"}:
                step = sidestep(facts["turn"])
        if step.stage:
            self.stages.append(step.stage)
        asked = self.question()
        words = f"{step.words} We're heading for {title}." if step.stage != name else step.words
        words = f"{words} {asked}".strip()
        fields = {"navigation_goal": title, "reason": f"the {product['category']} are there"}
        if facts["scene"] == "furnishings":
            fields |= {"next_waypoint": step.label, "target_approach": step.approach or "area_point"}
        return say(words, act("Navigate", **fields), step.expected, self.ranking(facts))

    def _side(self, product: Product) -> str:
        return "back" if self.tried.get(product["id"], 0) >= 3 else "front"

    def _search(self, product: Product, marker: Mapping[str, Any] | None) -> Step:
        """Return how to find a product where it should stand: down, up, from the other side, by turning."""
        tries = self.tried.get(product["id"], 0)
        self.tried[product["id"]] = tries + 1
        if marker is not None:
            side = "right" if marker["bearing"] > 0 else "left"
            degrees, length = max(1, abs(marker["bearing"])), max(30, min(500, marker["distance"] - 100))
            words = f"Please turn {side} by {degrees} degrees and walk ahead about {length / 100:.1f} meters."
            expected = action("turn_and_move", direction=side, angle_deg=degrees, distance_cm=length)
            return Step(words, expected)
        if tries >= MANY:
            self.missing.append(product["id"])
        if tries == 0:
            return Step("Please look down a little.", action("look_up_down", direction="down", angle_deg=25))
        if tries == 1:
            return Step("Please look up by 50 degrees.", action("look_up_down", direction="up", angle_deg=50))
        return Step("Please turn right by 60 degrees.", action("turn", direction="right", angle_deg=60))

    def _place(self, facts: Mapping[str, Any], product: Product) -> tuple[str, str]:
        """Return the id of a place that holds a product by the index, and of the store that the place is in."""
        for entry in facts["index"]:
            if product["id"] in entry.get("products", ()):
                return entry["id"], ""
            for area in entry.get("areas", ()):
                if product["id"] in area["products"]:
                    return area["id"], entry["id"]
        return facts["layout"][0]["id"], ""
