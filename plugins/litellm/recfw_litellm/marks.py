"""Marks on what a provider may cache, for those that cache only what is marked."""

import re
from collections.abc import Sequence
from typing import Any

MARK = {"type": "ephemeral"}

_MARKED = re.compile(
    r"^(anthropic/|claude-|(bedrock|vertex_ai|azure_ai|openrouter)/.*(anthropic|claude))", re.IGNORECASE
)


def marked(model: str, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Return messages with marks behind the system message (and so the tools before it) and the newest message.

    Only Anthropic's models want them, wherever they run; others cache by themselves or refuse them, and get the
    messages as they are. A conversation grows at its end, so the newest message ends what the next request begins with.
    """
    sent = list(messages)
    if not _MARKED.match(model):
        return sent
    places = {0} if sent and sent[0]["role"] == "system" else set()
    places |= {len(sent) - 1} if sent else set()
    for place in places:
        sent[place] = _mark(sent[place])
    return sent


def _mark(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if message["role"] == "tool":
        return {**message, "cache_control": MARK}
    if isinstance(content, str) and content:
        return {**message, "content": [{"type": "text", "text": content, "cache_control": MARK}]}
    if isinstance(content, list) and content:
        return {**message, "content": [*content[:-1], {**content[-1], "cache_control": MARK}]}
    return message
