"""What a film shows, read from a trace: where the user stood at each turn, what it held, labels, words, outcomes."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from recfw.errors import UsageError
from recfw.model.run import RunSpec
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw_situated.judging.transcript import Told
from recfw_situated.scenes.records import Pose, Role, Scene

Json = dict[str, Any]
Entity = tuple[Role, str]


@frozen
class Moment:
    """
    The store at the beginning of a turn, and what was said and done in it.

    Args:
        turn: Number of the turn; of the last moment one more than there are.
        pose: Where the user stands and looks.
        held: Instance in the hand, or empty.
        shown: Instance that is shown close up, or empty.
        cart: Instances in the cart.
        labels: Role -> (kind, id) -> label of all that is marked.
        assistant: The assistant's words; None where nobody spoke.
        act: Its dialogue action in words, with the action that it expects.
        user: The user's words; None likewise.
        action: What the user did and what came of it.
        notes: What broke a rule.
    """

    turn: int
    pose: Pose
    held: str = ""
    shown: str = ""
    cart: tuple[str, ...] = ()
    labels: Mapping[str, Mapping[Entity, str]] = field(factory=dict, repr=False)
    assistant: str | None = None
    act: str = ""
    user: str | None = None
    action: str = ""
    notes: tuple[str, ...] = ()


@frozen
class Scenario:
    """
    All moments of an episode, in order.

    Args:
        scene: Its records.
        moments: One a turn, and the last view.
        stop: How it ended.
    """

    scene: Scene = field(repr=False)
    moments: tuple[Moment, ...]
    stop: str

    @property
    def turns(self) -> int:
        """How many turns were played."""
        return sum(moment.assistant is not None or moment.user is not None for moment in self.moments)


def source_of(spec: RunSpec, cell: str, task: Task) -> str:
    """Return by what a trial's scene is loaded: its name, or the folder of a store of one's own."""
    chosen = next((str(one.options.get("scene", "")) for one in spec.cells if one.name == cell), "")
    name = str(task.public["scene"])
    return chosen if chosen and "kind" in task.public else name


def scenario(trace: Trace, scene: Scene) -> Scenario:
    """
    Return what a film of an episode shows.

    Raises:
        UsageError: Nothing was seen before the episode ended.
    """
    told = Told(scene)
    said = {event.data["turn"]: event.data for event in trace.world("assistant")}
    did = {event.data["turn"]: event.data for event in trace.world("user")}
    spoken: dict[int, list[str]] = {}
    for event in trace.world("violation"):
        words = f"the {event.data['role']} spoke labels: {', '.join(event.data['labels'])}"
        spoken.setdefault(event.data["turn"], []).append(words)
    moments: list[Moment] = []
    before: Json | None = None
    for event in trace.world("observed"):
        data = event.data
        turn = data["turn"]
        held, shown, cart = _items(data, before, moments[-1] if moments else None)
        moments.append(
            Moment(
                turn=turn,
                pose=_pose(data["pose"]),
                held=held,
                shown=shown,
                cart=cart,
                labels=_labels(data["markers"]),
                assistant=said[turn]["utterance"] if turn in said else None,
                act=_act(said[turn], told) if turn in said else "",
                user=did[turn]["utterance"] if turn in did else None,
                action=told.action(did[turn]) if turn in did else "",
                notes=tuple(spoken.get(turn, ())),
            )
        )
        before = data
    if not moments:
        raise UsageError("the episode ended before anything was seen, so there is nothing to show.")
    return Scenario(scene, tuple(moments), trace.stop)


def _pose(numbers: list[float]) -> Pose:
    x, y, yaw, pitch = numbers
    return Pose(x, y, yaw, pitch)


def _labels(markers: list[Json]) -> dict[str, dict[Entity, str]]:
    return {
        role: {(marker["kind"], marker["id"]): marker[role] for marker in markers if marker[role] is not None}
        for role in ("user", "assistant")
    }


def _items(data: Json, before: Json | None, last: Moment | None) -> tuple[str, str, tuple[str, ...]]:
    """Return what is held, shown and in the cart, as instances: products are told apart by where they were taken."""
    held = data["held"]["instance"] if data["held"] else ""
    shown = ""
    if data["checked"]:
        same = before is not None and before["checked"] == data["checked"] and last is not None
        shown = last.shown if same and last is not None else _nearest(data["checked"], before)
    cart = last.cart if last is not None else ()
    if last is not None and len(data["cart"]) > len(cart):
        cart = (*cart, last.held or last.shown)
    return held, shown, tuple(one for one in cart if one)


def _nearest(product: str, before: Json | None) -> str:
    """Return the instance of a product that was in reach before, which is the one that an action took."""
    markers = before["markers"] if before is not None else []
    return next((str(m["instance"]) for m in markers if m["id"] == product and m.get("instance")), "")


def _act(data: Json, told: Told) -> str:
    if data["neutral"]:
        return "no valid reply"
    words = [data["act"] or ""]
    if data["goal"]:
        words.append(f"to {data['goal']['text']}")
    if data["recommended"]:
        words.append(data["recommended"]["text"])
    if data["expected"]:
        expected = data["expected"]
        named = expected["target"] or expected["name"].startswith(("move_to", "pick_up", "check"))
        parts = [expected["name"], *([told.name(expected["target"])] if named else [])]
        parts += [str(expected[key]) for key in ("approach", "direction") if expected[key]]
        words.append(f"expects {', '.join(parts)}")
    return " · ".join(word for word in words if word)
