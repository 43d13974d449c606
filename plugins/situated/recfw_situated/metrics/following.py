"""Whether users do what the assistant expects of them: AFR by the action's name, LNSR by its local parameters too."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recfw.model.task import Task
from recfw_situated.metrics.played import Turn

_SHARED = (
    "move_forward", "move_backward", "turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down",
    "add_to_cart", "idle",
)  # fmt: skip
LEGAL: Mapping[str, tuple[str, ...]] = {
    "supermarket": (*_SHARED, "move_to_fixture", "pick_up_item", "drop_item"),
    "furnishings": (*_SHARED, "move_to_store", "move_to_area", "check_item", "do_not_add_to_cart"),
}
"""The complete action sets of the two scenes, 12 and 13 names, written out as in the paper's appendix C.1."""

NAMES = tuple(dict.fromkeys(name for names in LEGAL.values() for name in names))
"""All of them."""

DIRECTIONAL = ("turn_and_move", "move_and_turn", "side_step", "turn", "look_up_down")
"""Actions of which the direction alone is compared."""
TARGETED = ("move_to_fixture", "move_to_store", "move_to_area")
"""Actions of which the target is compared, and of ``move_to_store`` the approach too where it is expected."""
DIRECTIONS = ("left", "right", "up", "down")


def kind_of(task: Task) -> str:
    """Return which of the two action sets a task's scene has: it says so, or is one that ships."""
    return str(task.public.get("kind", task.public["scene"]))


def suggested(turns: Iterable[Turn], kind: str) -> list[Turn]:
    """Return the turns whose expected action has a name that is legal in such a scene (the paper's V)."""
    return [turn for turn in turns if turn.expected is not None and turn.expected["name"] in LEGAL[kind]]


def same_name(turn: Turn) -> bool:
    """Return whether the user's first call has the expected name; False where it made none."""
    return turn.action is not None and turn.expected is not None and turn.action["name"] == turn.expected["name"]


def comparable(expected: Mapping[str, Any]) -> bool:
    """Return whether an expected action has a local parameter to compare: one of five directions, or a known target."""
    if expected["name"] in DIRECTIONAL:
        return expected["direction"] in DIRECTIONS
    return expected["name"] in TARGETED and expected["target"] is not None


def aligned(turn: Turn) -> bool:
    """Return whether name and local parameters of the user's call are the expected ones."""
    expected, action = turn.expected, turn.action
    if expected is None or action is None or action["name"] != expected["name"]:
        return False
    if expected["name"] in DIRECTIONAL:
        return bool(action["direction"] == expected["direction"])
    if action["target"] != expected["target"]:
        return False
    asked = expected["approach"] if expected["name"] == "move_to_store" else None
    return asked is None or action["approach"] == asked


def following_rate(turns: Sequence[Turn], kind: str) -> float | None:
    """Return an episode's AFR: of the suggested actions, the share whose name the user chose; None without any."""
    events = suggested(turns, kind)
    return sum(map(same_name, events)) / len(events) if events else None


def local_alignment(turns: Sequence[Turn], kind: str) -> float | None:
    """Return an episode's LNSR: of the comparable suggestions, the share that the user met; None without any."""
    events = [turn for turn in suggested(turns, kind) if turn.expected and comparable(turn.expected)]
    return sum(map(aligned, events)) / len(events) if events else None
