"""
The user's physical actions: names, arguments, ranges and units (the paper, appendix B.2; ranges are this track's).

Every reply of the user holds words and exactly one of these, in its own handles; the assistant's expected user action
has the same shape, in the assistant's.
"""

import sys
from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen

SUPERMARKET, FURNISHINGS = "supermarket", "furnishings"
SCENES = (SUPERMARKET, FURNISHINGS)

SIDES = ("left", "right")
HEIGHTS = ("up", "down")
FIXTURE_APPROACHES = ("nearest", "front", "back")
STORE_APPROACHES = ("outside_doorway", "inside_doorway")

Json = dict[str, Any]


class Malformed(ValueError):  # noqa: N818 - named for what a reply is; its words are quoted to who sent it
    """A reply does not have the shape that its role was asked for."""


@frozen
class Argument:
    """
    One argument of an action.

    Args:
        name: Its key.
        words: What it means, with its unit.
        choices: Its values, where it is a word.
        low: Least value, where it is a number.
        high: Greatest value.
        marks: What kind of entity its marker label stands for, where it is one.
    """

    name: str
    words: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    marks: str = ""

    def schema(self) -> Json:
        """Return its JSON Schema; ranges stand in words, since strict structured output takes no others."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices), "description": self.words}
        if self.marks:
            return {"type": "string", "description": self.words}
        return {"type": "number", "description": f"{self.words}, from {self.low:g} to {self.high:g}"}

    def fault(self, value: Any) -> str:
        """Return what keeps a value from being one of this argument's, in words; empty where nothing does."""
        if self.choices:
            return "" if value in self.choices else f"must be one of {', '.join(self.choices)}"
        if self.marks:
            return "" if isinstance(value, str) else "must be a string"
        number = isinstance(value, int | float) and not isinstance(value, bool)
        finite = number and abs(value) <= sys.float_info.max  # also of integers that no float holds
        return "" if finite else "must be a number"


@frozen
class ActionSpec:
    """One action: its name, what it does, what it needs, and the scenes that have it."""

    name: str
    words: str
    arguments: tuple[Argument, ...] = ()
    scenes: tuple[str, ...] = SCENES

    def schema(self) -> Json:
        """Return the JSON Schema of a call of it."""
        properties = {argument.name: argument.schema() for argument in self.arguments}
        return {
            "type": "object",
            "description": self.words,
            "properties": {"name": {"const": self.name, "type": "string"}, "arguments": _closed(properties)},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }


def _closed(properties: Mapping[str, Json]) -> Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_SIDE = Argument("direction", "to which side", choices=SIDES)
_ANGLE = Argument("angle_deg", "how far to turn, in degrees", low=1, high=180)


def _distance(high: float) -> Argument:
    return Argument("distance_cm", "how far, in centimetres", low=10, high=high)


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("move_forward", "Walk straight ahead.", (_distance(500),)),
    ActionSpec("move_backward", "Walk backwards, facing ahead.", (_distance(300),)),
    ActionSpec("turn_and_move", "Turn on the spot, then walk ahead.", (_SIDE, _ANGLE, _distance(500))),
    ActionSpec("move_and_turn", "Walk ahead, then turn on the spot.", (_distance(500), _SIDE, _ANGLE)),
    ActionSpec("side_step", "Step sideways, facing ahead.", (_SIDE, _distance(200))),
    ActionSpec("turn", "Turn on the spot.", (_SIDE, _ANGLE)),
    ActionSpec(
        "look_up_down",
        "Raise or lower the eyes; they go between 60 degrees up and 60 down.",
        (
            Argument("direction", "which way", choices=HEIGHTS),
            Argument("angle_deg", "by how much, in degrees", low=1, high=60),
        ),
    ),
    ActionSpec(
        "move_to_fixture",
        "Go to a fixture that is visible now: to its nearest reachable point, or to its front or back where supported.",
        (
            Argument("fixture", "label of a visible fixture", marks="fixture"),
            Argument("approach", "where to stand", choices=FIXTURE_APPROACHES),
        ),
        (SUPERMARKET,),
    ),
    ActionSpec(
        "pick_up_item",
        "Take a visible product in reach into the empty hand and read its package.",
        (Argument("item", "label of a visible product", marks="product"),),
        (SUPERMARKET,),
    ),
    ActionSpec("drop_item", "Put the held product back.", (), (SUPERMARKET,)),
    ActionSpec(
        "move_to_store",
        "Go to the doorway of a store that is visible now.",
        (
            Argument("store", "label of a visible store", marks="store"),
            Argument("approach", "on which side of the doorway to stand", choices=STORE_APPROACHES),
        ),
        (FURNISHINGS,),
    ),
    ActionSpec(
        "move_to_area",
        "Go to the fixed point of a display area that is visible now.",
        (Argument("area", "label of a visible display area", marks="area"),),
        (FURNISHINGS,),
    ),
    ActionSpec(
        "check_item",
        "Look closely at a visible product and read its card.",
        (Argument("item", "label of a visible product", marks="product"),),
        (FURNISHINGS,),
    ),
    ActionSpec("add_to_cart", "Put the held product, or the one just checked, into the cart: this buys it."),
    ActionSpec("do_not_add_to_cart", "Decline the product that was just checked.", (), (FURNISHINGS,)),
    ActionSpec("idle", "Stay as you are; for a turn of words alone."),
)
BY_NAME: Mapping[str, ActionSpec] = {spec.name: spec for spec in ACTIONS}

FREE_MOVES = ("move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step")
"""Translations of a length that the user names: those that the stall rule counts."""
GUIDED_MOVES = ("move_to_fixture", "move_to_store", "move_to_area")
"""Translations to a fixed point."""
NEUTRAL_ACTION = "idle"


@frozen
class Call:
    """An action as a role sent it: its name may be unknown, its arguments have the right shape where it is not."""

    name: str
    arguments: Json

    def get(self, name: str) -> Any:
        """Return an argument, or None."""
        return self.arguments.get(name)

    @property
    def handle(self) -> str | None:
        """The marker label that the action names, or None where it names none."""
        spec = BY_NAME.get(self.name)
        marked = next((each.name for each in spec.arguments if each.marks), None) if spec else None
        return self.arguments.get(marked) if marked else None

    @property
    def marks(self) -> str:
        """The kind of entity that the label stands for; empty where the action names none."""
        spec = BY_NAME.get(self.name)
        return next((each.marks for each in spec.arguments if each.marks), "") if spec else ""


IDLE = Call(NEUTRAL_ACTION, {})


def legal_names(scene: str) -> tuple[str, ...]:
    """Return the names of a scene's actions: 12 in the supermarket, 13 in the furnishings store."""
    return tuple(spec.name for spec in ACTIONS if scene in spec.scenes)


def call_schema(scene: str) -> Json:
    """Return the JSON Schema of one call in a scene."""
    return {"anyOf": [spec.schema() for spec in ACTIONS if scene in spec.scenes]}


def read_call(value: Any, scene: str, where: str, optional: frozenset[str] = frozenset()) -> Call:
    """
    Return a call as a role sent it.

    Args:
        value: What was sent.
        scene: Which actions there are.
        where: Its place in the reply, for words.
        optional: Names of arguments that may be left out or empty.

    Raises:
        Malformed: It has not the shape of a call of this scene; the words tell what is wrong.
    """
    if not isinstance(value, dict):
        raise Malformed(f"{where} must be an object with name and arguments")
    if extra := sorted(set(value) - {"name", "arguments"}):
        raise Malformed(f"{where} has an unknown key {extra[0]!r}")
    name, arguments = value.get("name"), value.get("arguments", {})
    known = legal_names(scene)
    if name not in known:
        raise Malformed(f"{where}.name must be one of {', '.join(known)}, not {str(name)[:40]!r}")
    if not isinstance(arguments, dict):
        raise Malformed(f"{where}.arguments must be an object")
    spec = BY_NAME[name]
    names = {argument.name for argument in spec.arguments}
    if extra := sorted(set(arguments) - names):
        raise Malformed(f"{where}.arguments has an unknown key {extra[0]!r}; {name} takes {_told(names)}")
    for argument in spec.arguments:
        given = arguments.get(argument.name)
        if given in (None, "") and argument.name in optional:
            continue
        if given is None:
            raise Malformed(f"{where}.arguments.{argument.name} is missing; {name} takes {_told(names)}")
        if fault := argument.fault(given):
            raise Malformed(f"{where}.arguments.{argument.name} {fault}, not {str(given)[:40]!r}")
    return Call(name, dict(arguments))


def _told(names: set[str]) -> str:
    return ", ".join(sorted(names)) if names else "no arguments"


def reply_schema(scene: str) -> Json:
    """Return the JSON Schema of the user's reply: words, and one call."""
    return _closed(
        {
            "utterance": {"type": "string", "description": "what you say to the assistant, in plain words"},
            "tool_calls": {
                "type": "array",
                "description": "exactly one action, with labels of your own current view",
                "items": call_schema(scene),
            },
        }
    )


@frozen
class UserTurn:
    """What a reply of the user says and does; ``calls`` counts all that it held."""

    utterance: str
    call: Call
    calls: int = 1
    notes: Json = Factory(dict)


def read_user(data: Any, scene: str, *, lenient: bool = False) -> UserTurn:
    """
    Return what a user's reply means.

    Args:
        data: Its structured data; a user that is code may add ``notes``, an object.
        scene: Which actions there are.
        lenient: Take the first of several calls.

    Raises:
        Malformed: It has not the shape of :func:`reply_schema`.
    """
    if not isinstance(data, dict):
        raise Malformed("the reply must be one JSON object with utterance and tool_calls")
    if extra := sorted(set(data) - {"utterance", "tool_calls", "notes"}):
        raise Malformed(f"the reply has an unknown key {extra[0]!r}")
    utterance, calls, notes = data.get("utterance"), data.get("tool_calls"), data.get("notes", {})
    if not isinstance(utterance, str):
        raise Malformed("utterance must be a string")
    if not isinstance(calls, list) or not calls:
        raise Malformed("tool_calls must be a list of exactly one action")
    if len(calls) > 1 and not lenient:
        raise Malformed(f"tool_calls must hold exactly one action, not {len(calls)}")
    if not isinstance(notes, dict):
        raise Malformed("notes must be an object")
    return UserTurn(utterance.strip(), read_call(calls[0], scene, "tool_calls[0]"), len(calls), notes)
