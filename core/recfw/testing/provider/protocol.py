"""The OpenAI protocol: what a chat request says, and the bodies of completions, streams and errors."""

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import orjson
from attrs import define, field, frozen

_CREATED = 1_700_000_000  # a constant, so that equal requests get equal bytes
_SPLIT = 4  # pieces into which a streamed text is cut
_PER_TOKEN = 4  # characters


@frozen
class Call:
    """A tool call: the tool's name and its arguments."""

    name: str
    arguments: dict[str, Any] = field(factory=dict)


@frozen
class Answer:
    """
    What the model says to one request.

    Args:
        text: Text; None or empty where it only calls tools.
        calls: Tool calls, in order.
        reasoning: Reasoning, sent as ``reasoning_content`` and counted as reasoning tokens.
        finish: ``finish_reason``; by default ``tool_calls`` where there are calls, or else ``stop``.
        usage: Entries of ``usage`` that are to differ from what is counted.
        fault: A way of :data:`recfw.testing.provider.WAYS` in which the answer goes wrong.
        attempts: How often: later requests with the same body get the answer.
        delay: Seconds, on top of the script's latency.
    """

    text: str | None = None
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    finish: str = ""
    usage: dict[str, Any] = field(factory=dict)
    fault: str = ""
    attempts: int = 1
    delay: float = 0.0


@define(slots=False)
class ChatRequest:
    """
    One chat request.

    Args:
        body: The parsed body.
        raw: The body's bytes.
        attempt: How many requests with the same bytes came before.
        headers: Header names in lower case -> values.
    """

    body: Mapping[str, Any]
    raw: bytes = b""
    attempt: int = 0
    headers: Mapping[str, str] = field(factory=dict)

    @cached_property
    def digest(self) -> bytes:
        """A hash of the body's bytes."""
        return hashlib.sha256(self.raw).digest()

    @cached_property
    def tag(self) -> str:
        """A hash of the messages alone, in hexadecimal: what built-in brains draw from."""
        return hashlib.sha256(orjson.dumps(self.messages)).hexdigest()

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages."""
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The functions that may be called: name, description, parameters."""
        if self.body.get("tool_choice") == "none":
            return []
        return [tool["function"] for tool in self.body.get("tools") or () if tool.get("type") == "function"]

    @property
    def turns(self) -> int:
        """How many replies of the model the conversation holds."""
        return sum(message.get("role") == "assistant" for message in self.messages)

    @property
    def called(self) -> int:
        """How many replies of the model that call tools the conversation holds."""
        return sum(bool(message.get("tool_calls")) for message in self.messages)

    @property
    def last_text(self) -> str:
        """The text of the newest message of the user, or else of the newest message."""
        said = [message for message in self.messages if message.get("role") == "user"] or self.messages
        return " ".join(part.get("text", "") for part in _parts(said[-1]))

    @cached_property
    def images(self) -> list[str]:
        """The URLs of the pictures, data URLs whole."""
        parts = (part for message in self.messages for part in _parts(message))
        return [str(part["image_url"].get("url", "")) for part in parts if part.get("type") == "image_url"]

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema that the reply must satisfy; None where there is none."""
        wanted = self.body.get("response_format") or {}
        if wanted.get("type") == "json_schema":
            found: Mapping[str, Any] = wanted["json_schema"].get("schema", {})
            return found
        return {"type": "object"} if wanted.get("type") == "json_object" else None

    @property
    def streams(self) -> bool:
        """Whether the reply is to be streamed."""
        return bool(self.body.get("stream"))


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    if isinstance(content, list):
        return [part for part in content if isinstance(part, dict)]
    return [{"type": "text", "text": content}] if content else []


def completion(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    """Return the body of a completion, as data that a fault may still twist."""
    name = request.digest.hex()[:24]
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [tool_call(f"call_{name}{n}", call) for n, call in enumerate(answer.calls)]
    finish = answer.finish or ("tool_calls" if answer.calls else "stop")
    return {
        "id": f"chatcmpl-{name}",
        "object": "chat.completion",
        "created": _CREATED,
        "model": request.model,
        "system_fingerprint": "stub",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {**_usage(request, answer), **answer.usage},
    }


def tool_call(name: str, call: Call) -> dict[str, Any]:
    """Return a tool call as the protocol writes it."""
    arguments = orjson.dumps(call.arguments).decode()
    return {"id": name, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _usage(request: ChatRequest, answer: Answer) -> dict[str, Any]:
    """Return tokens by a rule of thumb: four bytes each; half the prompt is cached once the model has spoken."""
    prompt = max(1, (len(request.raw) - sum(map(len, request.images))) // _PER_TOKEN)
    reasoning = -(-len(answer.reasoning) // _PER_TOKEN)
    said = len(answer.text or "") + sum(len(call.name) + len(str(call.arguments)) for call in answer.calls)
    spoken = 1 + said // _PER_TOKEN + reasoning
    return {
        "prompt_tokens": prompt,
        "completion_tokens": spoken,
        "total_tokens": prompt + spoken,
        "prompt_tokens_details": {"cached_tokens": prompt // 2 if request.turns else 0},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def encode(body: Any) -> bytes:
    """Return JSON; lone surrogates, which UTF-8 cannot hold, become escapes."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body, separators=(",", ":")).encode()


def stream(request: ChatRequest, body: Mapping[str, Any]) -> tuple[bytes, ...]:
    """Return a completion as server-sent events."""
    rest = {key: value for key, value in body.items() if key not in {"choices", "usage"}}
    rest["object"] = "chat.completion.chunk"
    events: list[Any] = []
    for choice in body["choices"]:
        deltas = _deltas(choice["message"])
        steps = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        steps.append({"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]})
        events += [{**rest, "choices": [step]} for step in steps]
    if not events:
        events.append({**rest, "choices": []})
    if (request.body.get("stream_options") or {}).get("include_usage") and "usage" in body:
        events.append({**rest, "choices": [], "usage": body["usage"]})
    return (*(b"data: %b\n\n" % encode(event) for event in events), b"data: [DONE]\n\n")


def _deltas(message: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    if message is None:
        return []
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for key in ("reasoning_content", "content", "refusal"):
        deltas += [{key: piece} for piece in _cut(message.get(key) or "")]
    for index, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        pieces: list[Any] = _cut(function["arguments"]) if isinstance(function["arguments"], str) else []
        opened = "" if pieces else function["arguments"]
        first = {**call, "index": index, "function": {**function, "arguments": opened}}
        deltas.append({"tool_calls": [first]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces]
    return deltas


def _cut(text: str) -> list[str]:
    step = max(1, -(-len(text) // _SPLIT))
    return [text[start : start + step] for start in range(0, len(text), step)]


def error_body(message: str, kind: str, code: str | None = None, param: str | None = None) -> bytes:
    """Return an error's body as OpenAI writes it."""
    return orjson.dumps({"error": {"message": message, "type": kind, "param": param, "code": code}})
