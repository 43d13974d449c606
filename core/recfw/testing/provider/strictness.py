"""What a real provider refuses in a request: malformed tools and histories whose tool calls are not answered."""

import re
from collections.abc import Mapping
from typing import Any

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def complaint(body: Any) -> str:
    """Return why a chat request is refused, empty where it is not."""
    if not isinstance(body, dict):
        return "We could not parse the JSON body of your request."
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "Invalid 'messages': empty array. Expected an array with minimum length 1."
    if not isinstance(body.get("model"), str):
        return "you must provide a model parameter"
    return _of_tools(body.get("tools") or []) or _of_messages(messages)


def _of_tools(tools: Any) -> str:
    names = set()
    for n, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"Invalid 'tools[{n}].function.name': expected a string that matches '^[a-zA-Z0-9_-]{{1,64}}$'."
        if name in names:
            return f"Invalid 'tools[{n}].function.name': {name!r} is there twice."
        names.add(name)
    return ""


def _of_messages(messages: list[Any]) -> str:
    waiting: set[str] = set()
    for n, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role not in _ROLES:
            return f"Invalid 'messages[{n}].role': {role!r}."
        if role == "tool":
            if message.get("tool_call_id") not in waiting:
                return f"Invalid 'messages[{n}]': a 'tool' message must answer a preceding message with 'tool_calls'."
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            return _unanswered(waiting)
        said = _of_calls(n, message) if message.get("tool_calls") else _of_content(n, message)
        if said:
            return said
        waiting = {call["id"] for call in message.get("tool_calls") or ()}
    return _unanswered(waiting) if waiting else ""


def _unanswered(ids: set[str]) -> str:
    return (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        f"The following tool_call_ids did not have response messages: {', '.join(sorted(ids))}"
    )


def _of_content(n: int, message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str) or (isinstance(content, list) and content):
        return ""
    if content is None and message.get("refusal"):
        return ""
    return f"Invalid value for 'messages[{n}].content': expected a string or an array of parts, got {content!r}."


def _of_calls(n: int, message: Mapping[str, Any]) -> str:
    if message["role"] != "assistant":
        return f"Invalid 'messages[{n}]': only the assistant may have 'tool_calls'."
    ids = set()
    for m, call in enumerate(message["tool_calls"]):
        where = f"'messages[{n}].tool_calls[{m}]"
        name, function = call.get("id"), call.get("function") or {}
        if not isinstance(name, str) or not name or name in ids:
            return f"Invalid {where}.id': expected a string of its own, got {name!r}."
        if not _NAME.fullmatch(str(function.get("name", ""))):
            return f"Invalid {where}.function.name': expected a string that matches '^[a-zA-Z0-9_-]{{1,64}}$'."
        if not isinstance(function.get("arguments"), str):
            return f"Invalid type for {where}.function.arguments': expected a string."
        ids.add(name)
    return ""
