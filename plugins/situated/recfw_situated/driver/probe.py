"""What a build offers: the way that serves each thing that the track needs, and the fall-back where it is lacking."""

import re
from collections.abc import Mapping
from typing import Literal

import attrs

from recfw_situated.driver.build import Build, refused
from recfw_situated.driver.link import Answer
from recfw_situated.driver.mapping import CALLS

Way = Literal["vbp", "camera", "object", "steps", "hide", "noted", "none"]
"""How a need is served: a blueprint call, the camera's or an object's own commands, several moves, hiding the object,
or only the driver's own notes."""

SAFE: Mapping[str, Mapping[str, str]] = {
    "pose": {},
    "turn": {"degrees": "0.0000"},
    "look": {"degrees": "0.0000"},
    "move": {"forward": "0.0000", "right": "0.0000"},
    "pick": {"object": "recfw_probe"},
    "drop": {},
    "show": {"object": "recfw_probe"},
    "hide": {},
    "cart": {"object": "recfw_probe"},
}
"""Calls that can be tried with arguments that change nothing."""

UNTRIED = tuple(name for name in CALLS if name not in SAFE)
"""Calls that would change something; they count as offered where the mapping names them and their kin is offered."""

KIN = {"place": "pose", "move_to": "move", "follow": "move", "face": "turn", "tilt": "look", "reset": "pose"} | {
    "state": "pose"
}


@attrs.frozen
class Offer:
    """
    One line of what a build offers.

    Args:
        need: What for.
        way: How it is served; "none" where it cannot be.
        needed: The track cannot run without it.
        words: What it is, for people.
        otherwise: What happens where it is not offered, for what is not needed.
    """

    need: str
    way: Way
    needed: bool
    words: str
    otherwise: str = ""

    @property
    def lacking(self) -> bool:
        """Tell whether the track cannot run for want of it."""
        return self.needed and self.way == "none"


@attrs.frozen
class Offers:
    """What a build offers, by need."""

    lines: tuple[Offer, ...]

    def way(self, need: str) -> Way:
        """Return how a need is served."""
        return next(line.way for line in self.lines if line.need == need)

    @property
    def lacking(self) -> tuple[Offer, ...]:
        """Needs that nothing serves and that the track cannot do without."""
        return tuple(line for line in self.lines if line.lacking)


def missing_function(answer: Answer) -> bool:
    """Tell whether an answer says that there is no such function, rather than that it refuses the arguments."""
    return (
        refused(answer)
        and re.search(r"function|no handler|blueprint|unknown|unsupported", str(answer).lower()) is not None
    )


async def probe(build: Build, sample: str) -> Offers:
    """
    Find out what a build offers, changing nothing in it.

    Args:
        build: The build.
        sample: The engine's name of an object that it should hold.
    """
    camera = build.mapping.camera
    calls = {name: build.mapping.call(name, **arguments) for name, arguments in SAFE.items()}
    tried = {name: command for name, command in calls.items() if command is not None}
    plain = {
        "location": f"vget /camera/{camera}/location",
        "rotation": f"vget /camera/{camera}/rotation",
        "fov": f"vget /camera/{camera}/fov",
        "size": f"vget /camera/{camera}/size",
        "color": f"vget /object/{sample}/color",
        "objects": "vget /objects",
        "mask": f"vget /camera/{camera}/{build.mapping.mask.view} png",
        "depth": f"vget /camera/{camera}/depth npy",
        "lit": f"vget /camera/{camera}/lit png",
        "commands": "vget /unrealcv/commands",
    }
    answers = dict(zip([*tried, *plain], await build.ask([*tried.values(), *plain.values()]), strict=True))
    functions = {name for name in tried if not missing_function(answers[name])}
    functions |= {
        name for name in UNTRIED if KIN[name] in functions and build.mapping.calls.get(name, CALLS[name]) is not None
    }
    works = {name for name in plain if not refused(answers[name])}
    works |= _templates(answers["commands"], camera)
    return Offers(tuple(_lines(functions, works)))


def _templates(answer: Answer, camera: str) -> set[str]:
    """Return which commands that change something a build lists; all of them where it lists none."""
    wanted = {
        "vset rotation": f"vset /camera/{camera}/rotation",
        "vset location": f"vset /camera/{camera}/location",
        "moveto": f"vset /camera/{camera}/moveto",
        "vset size": f"vset /camera/{camera}/size",
        "vset color": "vset /object/x/color",
        "hide": "vset /object/x/hide",
        "spawn": "vset /cameras/spawn",
    }
    if refused(answer) or not isinstance(answer, str):
        return set(wanted)
    heads = [_head(line) for line in answer.splitlines()]
    return {name for name, command in wanted.items() if any(head.fullmatch(command) for head in heads)}


def _head(template: str) -> re.Pattern[str]:
    """Return a pattern of a template's verb and path: ``vset /object/[str]/color [uint]`` without its arguments."""
    verb_and_path = re.escape(" ".join(template.split()[:2]))
    return re.compile(re.sub(r"\\\[.*?\\\]", "[^/ ]*", verb_and_path))


def _lines(functions: set[str], works: set[str]) -> list[Offer]:
    def first(*ways: tuple[Way, bool]) -> Way:
        return next((way for way, there in ways if there), "none")

    eyes = {"location", "rotation"} <= works
    set_eyes = {"vset location", "vset rotation"} <= works
    place = first(("vbp", "place" in functions), ("camera", set_eyes))
    move = first(("vbp", "move" in functions), ("camera", "moveto" in works))
    return [
        Offer("mask", first(("camera", "mask" in works)), True, "object masks as PNG"),
        Offer("depth", first(("camera", "depth" in works)), True, "depth as NPY"),
        Offer("lit", first(("camera", "lit" in works)), True, "pictures as PNG"),
        Offer("eyes", first(("camera", eyes)), True, "place and direction of the camera"),
        Offer(
            "size",
            first(("camera", {"size", "vset size"} <= works)),
            False,
            "pictures of any size",
            "pictures are taken in the build's own size",
        ),
        Offer("fov", first(("camera", "fov" in works)), False, "its field of view", "90 degrees are assumed"),
        Offer("color", first(("object", "color" in works)), True, "mask colours of objects"),
        Offer("paint", first(("object", "vset color" in works)), False, "painting masks", "its own colours are read"),
        Offer("objects", first(("object", "objects" in works)), False, "list of objects", "names are not checked"),
        Offer("spawn", first(("camera", "spawn" in works)), False, "a camera of its own", "the player's is used"),
        Offer("pose", first(("vbp", "pose" in functions), ("camera", eyes)), True, "where the shopper is"),
        Offer("place", place, True, "putting the shopper somewhere"),
        Offer("move", move, True, "walking with collision"),
        Offer("follow", first(("vbp", "follow" in functions), ("steps", move != "none")), True, "walking a path"),
        Offer("turn", first(("vbp", "turn" in functions), ("camera", "vset rotation" in works)), True, "turning"),
        Offer(
            "look",
            first(("vbp", "look" in functions), ("camera", "vset rotation" in works)),
            True,
            "looking up and down",
        ),
        Offer("pick", first(("vbp", "pick" in functions), ("hide", "hide" in works)), True, "picking an item up"),
        Offer("show", first(("vbp", "show" in functions), ("noted", True)), False, "an item close up"),
        Offer("cart", first(("vbp", "cart" in functions), ("noted", True)), False, "the cart in the world"),
        Offer("reset", first(("vbp", "reset" in functions), ("steps", place != "none")), True, "starting afresh"),
    ]
