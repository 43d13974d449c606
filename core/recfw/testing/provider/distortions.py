"""How a completion is twisted before it is sent: the ways in which a model's reply itself is off."""

from collections.abc import Callable
from typing import Any

import orjson

from recfw.testing.provider.brains import call_of
from recfw.testing.provider.protocol import ChatRequest, tool_call

Body = dict[str, Any]
Distortion = Callable[[Body, ChatRequest], None]
"""Changes a completion in place."""

_HUGE = "All work and no play makes a dull reply. " * 128_000  # 5.2 MB


def _message(body: Body) -> dict[str, Any]:
    message: dict[str, Any] = body["choices"][0]["message"]
    return message


def _text(body: Body) -> str:
    return str(_message(body)["content"] or "")


def _say(body: Body, text: str | None, finish: str = "stop") -> None:
    """Make the reply one of text alone."""
    _message(body)["content"] = text
    _message(body).pop("tool_calls", None)
    body["choices"][0]["finish_reason"] = finish


def _calls(body: Body, request: ChatRequest) -> list[dict[str, Any]]:
    """Return the reply's tool calls; one of the first tool is made up where there is none."""
    message = _message(body)
    if not message.get("tool_calls"):
        message["tool_calls"] = [tool_call(f"call_{request.digest.hex()[:24]}0", call_of(request, request.tools[0]))]
        message["content"] = None
        body["choices"][0]["finish_reason"] = "tool_calls"
    calls: list[dict[str, Any]] = message["tool_calls"]
    return calls


def arguments(change: Callable[[str], Any]) -> Distortion:
    """Return a distortion that changes the arguments of every tool call."""

    def distort(body: Body, request: ChatRequest) -> None:
        for call in _calls(body, request):
            call["function"]["arguments"] = change(call["function"]["arguments"])

    return distort


def ids(change: Callable[[dict[str, Any]], None]) -> Distortion:
    """Return a distortion of every tool call's id."""

    def distort(body: Body, request: ChatRequest) -> None:
        for call in _calls(body, request):
            change(call)

    return distort


def same_ids(body: Body, request: ChatRequest) -> None:
    """Give all calls one id; a call that is alone comes twice."""
    calls = _calls(body, request)
    if len(calls) == 1:
        calls.append({**calls[0], "function": dict(calls[0]["function"])})
    for call in calls:
        call["id"] = calls[0]["id"]


def unknown_tool(body: Body, request: ChatRequest) -> None:
    """Call a tool that nobody offered."""
    for call in _calls(body, request):
        call["function"]["name"] = "no_such_tool"


def empty_choices(body: Body, _: ChatRequest) -> None:
    """Offer no choice."""
    body["choices"] = []


def null_message(body: Body, _: ChatRequest) -> None:
    """Offer a choice without a message."""
    body["choices"][0]["message"] = None


def null_content(body: Body, _: ChatRequest) -> None:
    """Say nothing and call nothing."""
    _say(body, None)


def refusal(body: Body, _: ChatRequest) -> None:
    """Refuse, in the field that is meant for it."""
    _say(body, None)
    _message(body)["refusal"] = "I'm sorry, I can't help with that."


def half(body: Body, request: ChatRequest) -> None:
    """Break off in the middle: of the text, or of the last call's arguments."""
    message = _message(body)
    if message.get("tool_calls"):
        function = _calls(body, request)[-1]["function"]
        function["arguments"] = function["arguments"][: len(function["arguments"]) // 2]
    else:
        _say(body, _text(body)[: len(_text(body)) // 2])
    body["choices"][0]["finish_reason"] = "length"


def filtered(body: Body, _: ChatRequest) -> None:
    """Say nothing because a filter stopped it."""
    _say(body, "", "content_filter")


def huge(body: Body, _: ChatRequest) -> None:
    """Say five megabytes."""
    _say(body, _HUGE)
    body["usage"]["completion_tokens"] = len(_HUGE) // 4
    body["usage"]["total_tokens"] = body["usage"]["prompt_tokens"] + body["usage"]["completion_tokens"]


def surrogates(body: Body, _: ChatRequest) -> None:
    """Put lone surrogates around the text."""
    _message(body)["content"] = f"\ud83d{_text(body)}\udc4d"


def leaked(body: Body, _: ChatRequest) -> None:
    """Put the reasoning into the text."""
    _message(body)["content"] = f"<think>\nWhat would they like to hear?\n</think>\n\n{_text(body)}"


def usage_null(body: Body, _: ChatRequest) -> None:
    """Count no tokens."""
    body["usage"] = None


def keys_missing(body: Body, _: ChatRequest) -> None:
    """Leave out all keys that a client can do without."""
    for key in ("id", "object", "created", "model", "system_fingerprint", "usage"):
        body.pop(key, None)
    for key in ("index", "logprobs"):
        body["choices"][0].pop(key, None)
    _message(body).pop("refusal", None)


def extra_fields(body: Body, _: ChatRequest) -> None:
    """Add fields that nobody knows, on every level."""
    extra = {"x_new": {"deep": [1, None, "two"]}, "provider": "stub"}
    body.update(extra)
    body["choices"][0].update(extra)
    _message(body).update(extra)
    body["usage"].update(extra)


def with_newlines(text: str) -> str:
    """Return JSON with a raw line break in every string value, or else a backslash and an n before its last brace."""
    broken = {key: f"{value}\n" if isinstance(value, str) else value for key, value in orjson.loads(text).items()}
    raw = orjson.dumps(broken).decode().replace('\\n"', '\n"')
    return raw if "\n" in raw else f"{text[:-1]}\\n}}"


def as_strings(text: str) -> str:
    """Return an object whose values are strings: of numbers, booleans, lists, objects."""
    values = orjson.loads(text)
    told = {key: value if isinstance(value, str) else orjson.dumps(value).decode() for key, value in values.items()}
    return orjson.dumps(told).decode()
