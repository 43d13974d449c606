"""Trajectories written by hand: events as the environment documents them, built without any of its code."""

from typing import Any

from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace, WorldEvent

Json = dict[str, Any]


def call(
    name: str, target: str | None = None, approach: str | None = None, direction: str | None = None, **more: Any
) -> Json:
    """Return an action with what its label stands for."""
    held = {"name": name, "arguments": {}, "legal": True, "target": target, "approach": approach}
    return {**held, "direction": direction, **more}


def said(turn: int, act: str | None = "Greet", expected: Json | None = None, **more: Any) -> WorldEvent:
    """Return the assistant's half of a turn; ``ranking`` entries that begin with ? are not in the catalog."""
    ranking = list(more.pop("ranking", ()))
    data = {
        "turn": turn,
        "utterance": "",
        "act": act,
        "action": {},
        "goal": None,
        "recommended": None,
        "expected": expected,
        "ranking": ranking,
        "known": [not one.startswith("?") for one in ranking],
        "recommends": 0,
        "unannotated": [],
        "repaired": False,
        "neutral": False,
    }
    return WorldEvent("assistant", {**data, **more})


def neutral(turn: int) -> WorldEvent:
    """Return the assistant's half of a turn in which both its replies were invalid."""
    return said(turn, None, None, neutral=True)


def did(turn: int, action: Json | None = None, cart: tuple[str, ...] = (), **more: Any) -> WorldEvent:
    """Return the user's half of a turn; idle unless told."""
    data = {
        "turn": turn,
        "utterance": "",
        "action": {"allowed": True, **(action or call("idle"))},
        "calls": 1,
        "refusal": None,
        "before": [0.0, 0.0, 0.0, 0.0],
        "after": [0.0, 0.0, 0.0, 0.0],
        "moved": 0.0,
        "blocked": False,
        "held": None,
        "checked": None,
        "cart": list(cart),
        "inspected": None,
        "notes": {},
        "repaired": False,
        "neutral": False,
    }
    return WorldEvent("user", {**data, **more})


def observed(turn: int, *seen: str, final: bool = False) -> WorldEvent:
    """Return what was in view at the beginning of a turn, as words ``kind:id``."""
    markers = [dict(zip(("kind", "id"), word.split(":"), strict=True)) for word in seen]
    data: Json = {"turn": turn, "final": final, "pose": [0.0, 0.0, 0.0, 0.0], "held": None, "checked": None}
    return WorldEvent("observed", {**data, "cart": [], "markers": markers, "approaches": {}})


def goal(kind: str | None, name: str | None) -> Json:
    """Return a navigation goal."""
    return {"text": name or "somewhere", "kind": kind, "id": name}


def violation(turn: int, role: str, *labels: str) -> WorldEvent:
    """Return labels that a role spoke."""
    return WorldEvent("violation", {"turn": turn, "role": role, "labels": list(labels)})


def episode(*events: WorldEvent, stop: str = "turn_limit") -> Trace:
    """Return a finished trace."""
    return Trace((*events, EndEvent(stop)))


def task(scene: str = "supermarket", reference: tuple[str, ...] = (), name: str = "s01.1") -> Task:
    """Return a task."""
    private: Json = {"reference": list(reference)}
    return Task(name, name.partition(".")[0], {"scene": scene}, {"scene": scene}, private)
