"""The mapping file: what a packaged build calls the things that the scene's records name, and how it measures."""

import difflib
import math
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import yaml

from recfw.errors import DataError
from recfw.serialize import from_data
from recfw_situated.views.palette import curves

CALLS: Mapping[str, str] = {
    "pose": "GetPose",
    "state": "GetState",
    "place": "PlaceAt {x} {y} {yaw}",
    "move": "MoveBy {forward} {right}",
    "move_to": "MoveTo {x} {y}",
    "follow": "FollowPath {path}",
    "turn": "TurnBy {degrees}",
    "face": "TurnTo {yaw}",
    "look": "LookBy {degrees}",
    "tilt": "LookTo {pitch}",
    "pick": "PickUp {object}",
    "drop": "DropOff",
    "show": "ShowItem {object}",
    "hide": "HideItem",
    "cart": "PutInCart {object}",
    "reset": "Reset",
}
"""Our calls on the player -> blueprint function and arguments, as the embedded simulator has them."""

ANSWERS: Mapping[str, str] = {
    "x": "X",
    "y": "Y",
    "yaw": "Yaw",
    "pitch": "Pitch",
    "moved": "Moved",
    "blocked": "Blocked",
    "hit": "Hit",
    "success": "Success",
    "reason": "Reason",
}
"""Our names of out-parameters -> the build's."""


def _one_of(*values: str) -> Any:
    """Return a validator that takes these words only."""

    def check(_: Any, attribute: Any, value: str) -> None:
        if value not in values:
            raise ValueError(f"no {attribute.name} '{value}' (known: {', '.join(values)})")

    return check


def _positive_or_zero(_: Any, attribute: Any, value: float) -> None:
    if not 0 <= value < math.inf:
        raise ValueError(f"{attribute.name} must be a number of cm, or 0, not {value}")


@attrs.frozen
class Mask:
    """How a build shows masks: the view's name, and whether the driver paints the scene's colours at the start."""

    view: str = "object_mask"
    paint: bool = True
    curve: str = attrs.field(default="auto", validator=_one_of("auto", *curves()))


@attrs.frozen
class Depth:
    """How a build measures depth: along the view axis or the ray (``auto`` finds out), and how many cm a unit is."""

    convention: str = attrs.field(default="auto", validator=_one_of("auto", "planar", "ray"))
    unit: float = attrs.field(default=0.0, validator=_positive_or_zero)  # 0 finds out


@attrs.frozen
class BuildMap:
    """
    A build, as far as it differs from the embedded simulator.

    Args:
        scene: Name of the scene records.
        player: The engine's name of the shopper's body.
        camera: Id of the camera at the shopper's eyes.
        capture: ``player`` takes pictures with that camera; ``spawn`` with one of its own, put at the same place, where
            the build can make one.
        origin: Where the records' origin lies in the level (x, y, z in cm), and how they are turned there (yaw).
        objects: Id of an instance, or object of a fixture, store or area -> the engine's name, where they differ.
        calls: Our call -> blueprint function with ``{arguments}``; null where the build has none.
        answers: Our out-parameter -> the build's.
        mask: How it shows masks.
        depth: How it measures depth.
    """

    scene: str = "supermarket"
    player: str = "User"
    camera: str = "0"
    capture: str = attrs.field(default="player", validator=attrs.validators.in_(("player", "spawn")))
    origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    objects: dict[str, str] = attrs.field(factory=dict)
    calls: dict[str, str | None] = attrs.field(factory=dict)
    answers: dict[str, str] = attrs.field(factory=dict)
    mask: Mask = attrs.field(factory=Mask)
    depth: Depth = attrs.field(factory=Depth)

    @calls.validator
    def _known_calls(self, _: Any, value: Mapping[str, str | None]) -> None:
        _refuse_unknown("call", value, CALLS)
        for name, template in value.items():
            if template is not None and (fault := _misplaced(template, CALLS[name])):
                raise ValueError(f"call '{name}' {fault}")

    @answers.validator
    def _known_answers(self, _: Any, value: Mapping[str, str]) -> None:
        _refuse_unknown("answer", value, ANSWERS)

    def call(self, name: str, **arguments: str) -> str | None:
        """Return the command that makes a call on the player, or None where the build has no such function."""
        template = self.calls.get(name, CALLS[name])
        return None if template is None else f"vbp {self.player} {template.format(**arguments)}".rstrip()

    def answer(self, name: str) -> str:
        """Return the build's name of an out-parameter."""
        return self.answers.get(name, ANSWERS[name])

    def engine_name(self, name: str) -> str:
        """Return what the engine calls an object of the records."""
        return self.objects.get(name, name)

    def to_level(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the records lies in the level."""
        ox, oy, _, yaw = self.origin
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        return ox + c * x - s * y, oy + s * x + c * y

    def from_level(self, x: float, y: float) -> tuple[float, float]:
        """Return which point of the records a point of the level is."""
        ox, oy, _, yaw = self.origin
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        return c * (x - ox) + s * (y - oy), -s * (x - ox) + c * (y - oy)


def _places(template: str) -> set[str]:
    return {place for _, place, _, _ in string.Formatter().parse(template) if place is not None}


def _misplaced(template: str, ours: str) -> str:
    """Return what is wrong with the braces of a function's template, in words; empty where nothing is."""
    known = _places(ours)
    try:
        unknown = sorted(_places(template) - known)
    except ValueError as error:
        return f"has braces that do not match ({error}): {template}"
    takes = ", ".join(f"{{{place}}}" for place in sorted(known)) or "no arguments"
    return f"cannot fill {{{unknown[0]}}}: it takes {takes}" if unknown else ""


def _refuse_unknown(what: str, given: Mapping[str, Any], known: Mapping[str, str]) -> None:
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            also = f" Did you mean '{close[0]}'?" if close else ""
            raise ValueError(f"no {what} '{name}' (known: {', '.join(sorted(known))}).{also}")


def read_mapping(path: Path) -> BuildMap:
    """
    Return the mapping that a YAML file holds.

    Raises:
        DataError: It cannot be read, is no YAML, or holds what no mapping has; the message names the place.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error}).", "Give the path of a mapping file.") from error
    except yaml.YAMLError as error:
        raise DataError(f"{path}: no valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(data, dict | None):
        raise DataError(f"{path}: a mapping file is a YAML mapping of fields such as scene, player, calls, objects.")
    return from_data(data or {}, BuildMap, str(path))
