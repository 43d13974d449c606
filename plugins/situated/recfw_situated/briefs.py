"""What each role is briefed with and shown: system words, and the facts of a turn, as messages of a View."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import orjson
from attrs import define, frozen

from recfw.model.view import SYSTEM, Message, Part, PicturePart, TextPart
from recfw.serialize import to_data
from recfw_situated.actions.user import Call
from recfw_situated.profiles.records import Profile
from recfw_situated.prompts import fill
from recfw_situated.scenes.catalog import catalog, location_index
from recfw_situated.scenes.records import Area, Fixture, Pose, Scene, Store
from recfw_situated.tasks.records import Goal
from recfw_situated.views.observe import Labeller, Observation

INSPECT = {
    False: "picking a product up shows its price, flavour, packaging, allergens and nutrition",
    True: "checking a product shows its price, material, color, size and style",
}
MODERATOR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "end": {"type": "string", "enum": ["yes", "no"]},
        "reason": {"type": "string", "description": "a few words"},
    },
    "required": ["end", "reason"],
    "additionalProperties": False,
}


def json_of(value: Any) -> str:
    """Return a value as compact JSON."""
    return orjson.dumps(value).decode()


@frozen
class Exchange:
    """One turn that is over: what was said, what the user did, what came of it, and what was seen before it."""

    turn: int
    assistant: str
    user: str
    call: Call
    outcome: str
    seen: Mapping[str, Observation]
    pictures: Mapping[str, str]

    @property
    def done(self) -> str:
        """The action and its outcome, in words without labels."""
        arguments = {name: value for name, value in self.call.arguments.items() if value != self.call.handle}
        told = ", ".join(f"{name} {value}" for name, value in arguments.items())
        return f"[action: {self.call.name}{f' ({told})' if told else ''}; {self.outcome}]"


@define
class Briefs:
    """
    Writes the messages of one scene.

    Args:
        scene: Its records.
        ablation: What is taken from the assistant's input.
        turns: The turn limit.
        kept: How many past views keep their picture.
    """

    scene: Scene
    ablation: str
    turns: int
    kept: int
    labeller: Labeller

    @property
    def blind(self) -> bool:
        """The assistant sees no entities."""
        return self.ablation == "no-image-no-text"

    @cached_property
    def catalog(self) -> list[dict[str, Any]]:
        """The full catalog."""
        return catalog(self.scene)

    @cached_property
    def index(self) -> list[dict[str, Any]]:
        """The location index."""
        return location_index(self.scene)

    @cached_property
    def layout(self) -> list[dict[str, Any]]:
        """What the layout map shows, as data: every place with its fixed viewpoints; for assistants that are code."""
        points = self.scene.waypoints
        names: dict[str, Fixture | Store | Area] = {}
        for of_kind in (self.scene.fixture_by_id, self.scene.store_by_id, self.scene.area_by_id):
            names.update(of_kind)
        held: dict[str, dict[str, Any]] = {}
        for point in points:
            of = names[point.of]
            kind = "fixture" if point.of in self.scene.fixture_by_id else "area" if point.kind == "area" else "store"
            box = [*of.box.low[:2], *of.box.high[:2]]
            found = {"id": point.of, "kind": kind, "name": of.sign or of.name, "box": box, "points": {}}
            place = held.setdefault(point.of, found)
            place["points"][point.kind] = [point.x, point.y]
        return list(held.values())

    @cached_property
    def places(self) -> list[dict[str, Any]]:
        """All places with labels and approaches, seen or not; for an assistant that sees none."""
        return self.labeller.static_index()

    @cached_property
    def assistant(self) -> str:
        """The assistant's system words, catalog and index included."""
        furnishings = bool(self.scene.stores)
        text = fill(
            "assistant",
            title=self.scene.title,
            picture="" if self.ablation else " (a picture)",
            visible="" if self.blind else "What it names must be in the current view; the final goal need not.",
            inspect=INSPECT[furnishings],
            turns=str(self.turns),
            scene_rules=fill("rules-furnishings" if furnishings else "rules-supermarket"),
        )
        parts = [text]
        if self.blind:
            parts += [fill("assistant-blind"), "Places:\n" + "\n".join(map(json_of, self.places))]
        parts.append("Catalog (one product a line):\n" + "\n".join(map(json_of, self.catalog)))
        parts.append("Location index:\n" + "\n".join(map(json_of, self.index)))
        return "\n\n".join(parts)

    def user(self, profile: Profile, goal: Goal) -> str:
        """Return the user's system words."""
        furnishings = bool(self.scene.stores)
        return fill(
            "user",
            title=self.scene.title,
            profile=profile_text(profile),
            goal=goal_text(goal),
            inspect=INSPECT[furnishings][0].upper() + INSPECT[furnishings][1:],
            scene_rules=fill("rules-furnishings" if furnishings else "rules-supermarket"),
        )

    def past(self, role: str, exchanges: Sequence[Exchange]) -> list[Message]:
        """Return the turns that are over as a role remembers them."""
        messages: list[Message] = []
        for exchange in exchanges:
            key = "assistant" if role == "agent" else "user"
            recent = exchange.turn > len(exchanges) - self.kept
            messages.append(Message(SYSTEM, self._remembered(exchange, key, recent=recent)))
            messages.append(Message.say("agent", exchange.assistant))
            messages.append(Message.say("user", f"{exchange.user}\n{exchange.done}".strip()))
        return messages

    def _remembered(self, exchange: Exchange, key: str, *, recent: bool) -> tuple[Part, ...]:
        seen = exchange.seen[key]
        names = list(dict.fromkeys(marker.display_name for marker in seen.visible))
        told = f" In view: {'; '.join(names)}." if names else ""
        picture = exchange.pictures.get(key, "")
        shown: tuple[Part, ...] = (PicturePart(picture, "the view then"),) if picture and recent else ()
        return (*shown, TextPart(f"Turn {exchange.turn}.{told}"))

    def now(self, turn: int, seen: Observation, pictures: Sequence[PicturePart], state: Mapping[str, Any]) -> Message:
        """Return what a role sees at this turn."""
        told: dict[str, Any] = {"turn": turn, "of": self.turns}
        if not (self.blind and seen.role == "assistant"):
            told["view"] = seen.told()
        return Message(SYSTEM, (*pictures, TextPart(json_of(told | dict(state)))))


def pose_words(pose: Pose) -> dict[str, Any]:
    """Return a pose as the assistant is told it."""
    return {"x_cm": round(pose.x), "y_cm": round(pose.y), "facing_deg": round(pose.yaw), "eyes_deg": round(pose.pitch)}


def profile_text(profile: Profile) -> str:
    """Return a profile as a model reads it."""
    data = to_data(profile)
    traits = ", ".join(f"{name} {point}" for name, point in data.pop("traits").items())
    told = {"role": data.pop("role"), **data, "Big Five, 1 to 5": traits}
    return "\n".join(
        f"- {name.replace('_', ' ')}: {value}" for name, value in told.items() if name not in {"id", "scene"}
    )


def goal_text(goal: Goal) -> str:
    """Return a goal as a model reads it."""
    accepts = goal.acceptance
    told = {
        "request": f"{goal.request} Looking for {goal.category_words}, for {goal.use}.",
        "something": "; ".join(wish.words for wish in goal.preferences),
        "nothing": "; ".join(wish.words for wish in goal.unwanted) or "in particular that is unwanted",
        "at most": f"${goal.budget:g}",
        "open with": goal.disclosure.opens_with,
        "then tell, in this order": ", ".join(goal.disclosure.order),
        "alternatives that miss one wish": accepts.alternatives,
        "explanation needed before accepting": accepts.explanation,
        "unsuitable suggestions": f"say why, and {accepts.unsuitable}",
    }
    return "\n".join(f"- {name}: {value}" for name, value in told.items())
