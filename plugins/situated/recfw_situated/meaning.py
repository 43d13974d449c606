"""What annotations mean: names and labels resolved to ids of the scene's records, and unannotated recommendations."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import define, field

from recfw_situated.actions.assistant import NAVIGATE, RECOMMEND, AssistantTurn
from recfw_situated.actions.user import BY_NAME, Call, legal_names
from recfw_situated.scenes.records import Scene
from recfw_situated.views.observe import Observation

Json = dict[str, Any]

_CUE = re.compile(
    r"\b(?:recommend|suggest|would suit|suits you|go with|perfect|ideal|how about|what about|consider|great choice|"
    r"good (?:fit|match|choice|option)|best (?:fit|match|choice|option)|try)\b"
)
_WORD = re.compile(r"[a-z0-9]+")


def plain(text: str) -> str:
    """Return a name's words in lower case, single spaces between."""
    return " ".join(_WORD.findall(text.casefold().replace("&", " and ")))


@define
class Meaning:
    """
    Resolves what roles say of one scene.

    Args:
        scene: Its records.
        places: Of each role, (kind, id) -> its fixed labels.
    """

    scene: Scene
    places: Mapping[str, Mapping[Any, str]] = field(factory=dict)

    @cached_property
    def products(self) -> Mapping[str, str]:
        """Plain name or id -> id of each product."""
        held = {plain(product.name): product.id for product in self.scene.products}
        return held | {product.id.casefold(): product.id for product in self.scene.products}

    @cached_property
    def named_places(self) -> Mapping[str, tuple[str, str]]:
        """Plain name, sign or id -> (kind, id) of each fixture, store and area."""
        held: dict[str, tuple[str, str]] = {}
        kinds = (("fixture", self.scene.fixtures), ("store", self.scene.stores), ("area", self.scene.areas))
        for kind, found in kinds:
            for one in found:
                for name in (one.name, one.sign, one.id):
                    held.setdefault(plain(name), (kind, one.id))
        return held

    def product(self, text: str) -> str | None:
        """Return the id of the product that a text names, whole; None of none."""
        return self.products.get(text.strip().casefold()) or self.products.get(plain(text))

    def place(self, text: str) -> tuple[str, str] | None:
        """Return (kind, id) of the place that a text names: by its name, or by the assistant's label."""
        found = self.named_places.get(plain(text))
        if found is None:
            labels = self.places.get("assistant", {})
            wanted = text.strip().casefold()
            found = next((place for place, label in labels.items() if label.casefold() == wanted), None)
        return found

    def action(self, call: Call | None, seen: Observation | None) -> Json | None:
        """Return a call with what its label stands for; labels that are not in view count where none are shown."""
        if call is None:
            return None
        return {
            "name": call.name,
            "arguments": call.arguments,
            "legal": call.name in legal_names("furnishings" if self.scene.stores else "supermarket"),
            "target": self._target(call, seen),
            "approach": call.get("approach"),
            "direction": call.get("direction"),
        }

    def _target(self, call: Call, seen: Observation | None) -> str | None:
        if not call.marks or not isinstance(call.handle, str):
            return None
        if seen is not None:
            marker = seen.by_handle(call.handle, call.marks)
            return marker.id if marker else None
        wanted, labels = call.handle.strip().casefold(), self.places.get("assistant", {})
        return next(
            (i for (kind, i), label in labels.items() if (kind, label.casefold()) == (call.marks, wanted)), None
        )

    def goal(self, turn: AssistantTurn) -> Json | None:
        """Return the navigation goal of a turn; None where it has none."""
        if turn.act != NAVIGATE:
            return None
        found = self.place(turn.action["navigation_goal"])
        goal: Json = {"text": turn.action["navigation_goal"], "kind": None, "id": None}
        if found:
            goal |= {"kind": found[0], "id": found[1]}
        if "next_waypoint" in turn.action:
            stage = self.place(turn.action["next_waypoint"])
            goal["waypoint"] = {"text": turn.action["next_waypoint"], "id": stage[1] if stage else None}
        return goal

    def unseen(self, turn: AssistantTurn, seen: Observation) -> str:
        """Return what is wrong with a turn whose immediate target is not in view; empty where nothing is."""
        if words := unseen(turn.expected, seen):
            return words
        stage = str(turn.action.get("next_waypoint", "")).strip() if turn.act == NAVIGATE else ""
        place = self.place(stage) if stage else None
        if not stage or (place is not None and seen.by_id(*place) is not None):
            return ""
        return f"assistant_actions[0].next_waypoint: no store or area labelled '{stage[:20]}' is in your view"

    def recommended(self, turn: AssistantTurn, seen: Observation) -> Json | None:
        """Return what a turn recommends; None where it recommends nothing."""
        if turn.act != RECOMMEND:
            return None
        name = turn.action["display_name"]
        product = self.product(name)
        visible = product is not None and seen.by_id("product", product) is not None
        return {"text": name, "product": product, "visible": visible}

    def ranking(self, turn: AssistantTurn) -> tuple[list[str], list[bool]]:
        """Return the ranking with names turned into ids, and of each entry whether it is in the catalog."""
        found = [self.product(text) for text in turn.ranking]
        listed = [product or text for product, text in zip(found, turn.ranking, strict=True)]
        return listed, [product is not None for product in found]

    def unannotated(self, turn: AssistantTurn) -> list[str]:
        """Return the products that an utterance recommends by their full name without a Recommend."""
        if turn.act == RECOMMEND:
            return []
        found: dict[str, None] = {}
        for sentence in re.split(r"(?<=[.!?])\s+", turn.utterance):
            if _CUE.search(sentence.casefold()):
                said = f" {plain(sentence)} "
                found |= {i: None for name, i in self.products.items() if name != i and f" {name} " in said}
        return list(found)


def unseen(call: Call | None, seen: Observation) -> str:
    """Return what is wrong with an expected action whose target is not in view; empty where nothing is."""
    if call is None or not call.marks or not isinstance(call.handle, str):
        return ""
    if seen.by_handle(call.handle, call.marks):
        return ""
    argument = next(each.name for each in BY_NAME[call.name].arguments if each.marks)
    return f"expected_user_action.arguments.{argument}: no {call.marks} labelled '{call.handle[:20]}' is in your view"
