"""The wanderer: leads from place to place at random, and recommends whatever it comes upon that fits a little."""

from collections.abc import Mapping
from typing import Any

from attrs import define

from recfw.model.reply import Reply
from recfw_situated.assistants.routing import Router
from recfw_situated.assistants.speaking import act, action, say
from recfw_situated.assistants.talking import Talker, at_hand

LIKELY = 0.25
"""How often it recommends something that is in reach."""


@define
class Wanderer(Talker):
    """An assistant without a plan."""

    def next(self, facts: Mapping[str, Any]) -> Reply:
        """Confirm what is at hand, recommend something in reach now and then, else go anywhere."""
        draws = self.context.draws("wander", facts["turn"])
        held = at_hand(facts)
        if held is not None:
            return self.confirm(facts, held)
        near = {m["name"] for m in facts["markers"] if m["kind"] == "product" and m["reach"]}
        fits = [product for product in self.ranked(facts) if product["name"] in near]
        fits = [product for product in fits if product["id"] not in self.recommended]
        if fits and draws.random() < LIKELY:
            return self.recommend(facts, draws.choice(fits[:5]))
        return self._wander(facts, draws)

    def _wander(self, facts: Mapping[str, Any], draws: Any) -> Reply:
        router = Router(facts["markers"], facts["layout"], facts["pose"])
        seen = [place for place in facts["layout"] if router.marker(place) is not None]
        seen = [place for place in seen if not router.there(place["id"])]
        if not seen or draws.random() < LIKELY:
            side = draws.choice(("left", "right"))
            expected = action("turn", direction=side, angle_deg=90)
            fields = self._fields(facts, facts["layout"][0]["name"], "", "area_point")
            return say(f"Please turn {side}.", act("Navigate", **fields), expected, self.ranking(facts))
        place = draws.choice(seen)
        approach = {"fixture": "front", "store": "inside_doorway"}.get(place["kind"], "")
        step = router.step(place["id"], approach)
        fields = self._fields(facts, place["name"], step.label, step.approach)
        words = f"{step.words} Let's see what is there."
        return say(words, act("Navigate", **fields), step.expected, self.ranking(facts))

    def _fields(self, facts: Mapping[str, Any], goal: str, label: str, approach: str) -> dict[str, str]:
        fields = {"navigation_goal": goal, "reason": "there may be something for you"}
        if facts["scene"] == "furnishings":
            fields |= {"next_waypoint": label, "target_approach": approach or "area_point"}
        return fields
