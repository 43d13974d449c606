"""
The assistant's structured reply: an utterance that the user hears, and annotations that it does not (appendix B.2).

``assistant_actions`` holds exactly one of ten dialogue actions, ``expected_user_action`` what the assistant expects the
user to do, in the assistant's own labels, ``ranking`` its internal Top-10 of products, and ``tool_calls`` is always
empty: the assistant only talks.
"""

from collections.abc import Sequence
from typing import Any

from attrs import Factory, frozen

from recfw_situated.actions.user import (
    FIXTURE_APPROACHES,
    FURNISHINGS,
    STORE_APPROACHES,
    Call,
    Json,
    Malformed,
    call_schema,
    read_call,
)

PLAIN_ACTS = (
    "Greet",
    "AskPreference",
    "ClarifyNeed",
    "Explain",
    "AnswerQuestion",
    "Compare",
    "HandleRejection",
    "ConfirmPurchase",
)
"""Dialogue actions that are annotated by their type alone."""
NAVIGATE, RECOMMEND = "Navigate", "Recommend"
ACTS = (
    "Greet",
    "AskPreference",
    "ClarifyNeed",
    NAVIGATE,
    RECOMMEND,
    "Explain",
    "AnswerQuestion",
    "Compare",
    "HandleRejection",
    "ConfirmPurchase",
)
"""All ten, in the paper's order."""
MOST_RANKED = 10
NEUTRAL_UTTERANCE = "Please go on; I am here to help."
"""What the user hears where two replies in a row were invalid."""

_RECOMMEND = ("display_name", "visible_now", "reason")
_NAVIGATE = ("navigation_goal", "reason")
_NAVIGATE_FURNISHINGS = ("navigation_goal", "next_waypoint", "target_approach", "reason")
AREA_APPROACH = "area_point"
APPROACHES = {"supermarket": FIXTURE_APPROACHES, FURNISHINGS: (*STORE_APPROACHES, AREA_APPROACH)}


@frozen
class AssistantTurn:
    """
    What a reply of the assistant says.

    Args:
        utterance: What the user hears.
        act: One of :data:`ACTS`; empty where the reply was invalid twice.
        action: The annotation without its type.
        expected: The expected user action, or None.
        ranking: Product ids or names, as they were sent.
    """

    utterance: str
    act: str = ""
    action: Json = Factory(dict)
    expected: Call | None = None
    ranking: tuple[str, ...] = ()


NEUTRAL = AssistantTurn(NEUTRAL_UTTERANCE)


def _text(words: str) -> Json:
    return {"type": "string", "description": words}


def _act_schema(act: str, properties: Json, words: str) -> Json:
    held = {"type": {"const": act, "type": "string"}, **properties}
    return {
        "type": "object",
        "description": words,
        "properties": held,
        "required": list(held),
        "additionalProperties": False,
    }


def _acts_schema(scene: str) -> list[Json]:
    plain = {
        "type": "object",
        "description": "any other dialogue action",
        "properties": {"type": {"type": "string", "enum": list(PLAIN_ACTS)}},
        "required": ["type"],
        "additionalProperties": False,
    }
    navigate: Json = {"navigation_goal": _text("name of the final goal as on its sign; it may be out of view")}
    if scene == FURNISHINGS:
        navigate |= {
            "next_waypoint": _text(
                "your label of the store or area to go to first; it must be in view; empty where none is"
            ),
            "target_approach": {"type": "string", "enum": list(APPROACHES[FURNISHINGS])},
        }
    recommend: Json = {
        "display_name": _text("the product's name in the catalog"),
        "visible_now": {"type": "boolean", "description": "whether it is in the current view"},
        "reason": _text("why it suits this user"),
    }
    return [
        plain,
        _act_schema(NAVIGATE, {**navigate, "reason": _text("why go there")}, "guidance to a place"),
        _act_schema(RECOMMEND, recommend, "any spoken recommendation of one specific product"),
    ]


def reply_schema(scene: str) -> Json:
    """Return the JSON Schema of the assistant's reply; counts stand in words, so that strict providers take it."""
    properties: Json = {
        "utterance": _text("what you say to the user; never a marker label"),
        "assistant_actions": {
            "type": "array",
            "description": "exactly one dialogue action",
            "items": {"anyOf": _acts_schema(scene)},
        },
        "expected_user_action": {
            **call_schema(scene),
            "description": "the one action that you expect of the user now, with your own labels",
        },
        "ranking": {
            "type": "array",
            "description": f"ids of at most {MOST_RANKED} catalog products, best first; the user never sees it",
            "items": {"type": "string"},
        },
        "tool_calls": {"type": "array", "description": "always empty", "items": {"type": "string"}},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_assistant(data: Any, scene: str, *, blind: bool = False) -> AssistantTurn:
    """
    Return what an assistant's reply means.

    Args:
        data: Its structured data.
        scene: Which actions there are.
        blind: The assistant sees no entities, and may expect a pick-up without naming the product.

    Raises:
        Malformed: It has not the shape of :func:`reply_schema`; the words tell what is wrong.
    """
    if not isinstance(data, dict):
        raise Malformed("the reply must be one JSON object of the schema")
    keys = {"utterance", "assistant_actions", "expected_user_action", "ranking", "tool_calls"}
    if missing := sorted(keys - set(data)):
        raise Malformed(f"{missing[0]} is missing")
    if extra := sorted(set(data) - keys):
        raise Malformed(f"the reply has an unknown key {extra[0]!r}")
    utterance = data["utterance"]
    if not isinstance(utterance, str) or not utterance.strip():
        raise Malformed("utterance must be a string with words in it")
    if data["tool_calls"] != []:
        raise Malformed("tool_calls must be an empty list: only the user acts")
    act, action = _read_act(data["assistant_actions"], scene)
    optional = frozenset({"item"}) if blind else frozenset[str]()
    expected = read_call(data["expected_user_action"], scene, "expected_user_action", optional)
    return AssistantTurn(utterance.strip(), act, action, expected, _read_ranking(data["ranking"]))


def _read_act(value: Any, scene: str) -> tuple[str, Json]:
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], dict):
        raise Malformed("assistant_actions must be a list of exactly one object")
    action = dict(value[0])
    act = action.pop("type", None)
    if act not in ACTS:
        raise Malformed(f"assistant_actions[0].type must be one of {', '.join(ACTS)}, not {str(act)[:40]!r}")
    _check_keys(act, action, _keys_of(act, scene))
    if act == RECOMMEND and not isinstance(action["visible_now"], bool):
        raise Malformed("assistant_actions[0].visible_now must be true or false")
    for name, text in action.items():
        if name != "visible_now" and not isinstance(text, str):
            raise Malformed(f"assistant_actions[0].{name} must be a string")
    if "target_approach" in action and action["target_approach"] not in APPROACHES[scene]:
        raise Malformed(f"assistant_actions[0].target_approach must be one of {', '.join(APPROACHES[scene])}")
    return act, action


def _keys_of(act: str, scene: str) -> tuple[str, ...]:
    if act == RECOMMEND:
        return _RECOMMEND
    if act == NAVIGATE:
        return _NAVIGATE_FURNISHINGS if scene == FURNISHINGS else _NAVIGATE
    return ()


def _check_keys(act: str, action: Json, keys: Sequence[str]) -> None:
    if missing := [name for name in keys if name not in action]:
        raise Malformed(f"assistant_actions[0].{missing[0]} is missing: {act} needs {', '.join(keys)}")
    if extra := sorted(set(action) - set(keys)):
        raise Malformed(f"assistant_actions[0] has a key {extra[0]!r} that {act} does not take")


def _read_ranking(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Malformed("ranking must be a list of product ids")
    if len(value) > MOST_RANKED:
        raise Malformed(f"ranking holds {len(value)} products; {MOST_RANKED} at most")
    return tuple(value)
