"""The structured reply of an assistant that is code."""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw.model.reply import Reply

Json = Mapping[str, Any]
IDLE: Json = {"name": "idle", "arguments": {}}


def act(kind: str, **fields: Any) -> Json:
    """Return a dialogue action."""
    return {"type": kind, **fields}


def action(name: str, **arguments: Any) -> Json:
    """Return an expected user action."""
    return {"name": name, "arguments": arguments}


def say(utterance: str, annotation: Json, expected: Json, ranking: Sequence[str]) -> Reply:
    """Return a reply."""
    data = {
        "utterance": utterance,
        "assistant_actions": [dict(annotation)],
        "expected_user_action": dict(expected),
        "ranking": list(ranking)[:10],
        "tool_calls": [],
    }
    return Reply(utterance, data=data)
