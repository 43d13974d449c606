"""Whether the user may do what it asks for, now: ranges, visibility, reach, and the state rules of both scenes."""

from attrs import frozen

from recfw_situated.actions.state import Interaction
from recfw_situated.actions.user import BY_NAME, Call
from recfw_situated.scenes.records import Scene
from recfw_situated.views.observe import Marker, Observation

_NOUNS = {"fixture": "fixture", "store": "store", "area": "display area", "product": "product"}


@frozen
class Ruling:
    """Whether an action is allowed: ``refusal`` says in words why not; ``marker`` is what its label stands for."""

    refusal: str = ""
    marker: Marker | None = None


def rule(call: Call, scene: Scene, seen: Observation, state: Interaction) -> Ruling:
    """
    Return whether an action is allowed.

    Args:
        call: The action, of the right shape.
        scene: The scene's records.
        seen: The user's own observation.
        state: What it holds, has checked, and has in the cart.
    """
    if words := _out_of_range(call):
        return Ruling(words)
    marker = None
    if call.marks:
        marker = seen.by_handle(str(call.handle), call.marks)
        if marker is None:
            noun = _NOUNS[call.marks]
            return Ruling(f"There is no {noun} labelled '{str(call.handle)[:20]}' in your current view.")
        if words := _unsupported(call, marker):
            return Ruling(words, marker)
    return Ruling(_STATE_RULES.get(call.name, _free)(marker, scene, state), marker)


def _out_of_range(call: Call) -> str:
    for argument in BY_NAME[call.name].arguments:
        if argument.high:
            value = float(call.arguments[argument.name])
            if not argument.low <= value <= argument.high:
                limits = f"between {argument.low:g} and {argument.high:g}"
                return f"{argument.name} must be {limits}, not {value:g}."
    return ""


def _unsupported(call: Call, marker: Marker) -> str:
    approach = call.get("approach")
    if approach is None or approach in marker.approaches:
        return ""
    offered = ", ".join(marker.approaches) or "none"
    return f"'{marker.display_name}' cannot be approached by {approach} (supported: {offered})."


def _free(marker: Marker | None, scene: Scene, state: Interaction) -> str:  # noqa: ARG001 - the rules' common signature
    return ""


def _pick(marker: Marker | None, scene: Scene, state: Interaction) -> str:
    assert marker is not None
    if held := state.product(state.held):
        return f"Your hand holds the {held.name}: drop it or add it to the cart first."
    return _reach(marker, scene, "picked up")


def _check(marker: Marker | None, scene: Scene, state: Interaction) -> str:  # noqa: ARG001 - the rules' common signature
    assert marker is not None
    return _reach(marker, scene, "checked")


def _reach(marker: Marker, scene: Scene, done: str) -> str:
    if marker.distance <= scene.reach:
        return ""
    away = f"{marker.distance / 100:.1f} m away"
    return f"The {marker.display_name} is {away}; it must be within {scene.reach / 100:.1f} m to be {done}."


def _drop(marker: Marker | None, scene: Scene, state: Interaction) -> str:  # noqa: ARG001 - the rules' common signature
    return "" if state.held else "Your hand is empty: there is nothing to put back."


def _add(marker: Marker | None, scene: Scene, state: Interaction) -> str:  # noqa: ARG001 - the rules' common signature
    if scene.stores:
        return "" if state.checked else "No product was just checked: check one before you add it to the cart."
    return "" if state.held else "Your hand is empty: pick a product up before you add it to the cart."


def _decline(marker: Marker | None, scene: Scene, state: Interaction) -> str:  # noqa: ARG001 - the rules' common signature
    return "" if state.checked else "No product was just checked, so there is none to decline."


_STATE_RULES = {
    "pick_up_item": _pick,
    "check_item": _check,
    "drop_item": _drop,
    "add_to_cart": _add,
    "do_not_add_to_cart": _decline,
}
