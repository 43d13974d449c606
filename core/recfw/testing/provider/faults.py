"""The ways in which a request can go wrong, and the draw of which request does."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from email.utils import formatdate
from time import time
from types import MappingProxyType
from typing import Any, Literal

import orjson
from attrs import evolve, field, frozen

from recfw.errors import UsageError
from recfw.testing.provider import distortions as twist
from recfw.testing.provider.http import Outgoing
from recfw.testing.provider.protocol import ChatRequest, error_body

Kind = Literal["recoverable", "harmless", "agent", "context", "fatal"]
KINDS: Mapping[Kind, str] = MappingProxyType({
    "recoverable": "nobody's reply: the same request, sent again, gets one",
    "harmless": "the whole reply in an unusual shape: it is taken as it is",
    "agent": "the model's own doing: it stands, is repaired where its meaning is plain, or is answered to the model",
    "context": "the conversation is too long: no retry helps, and an ending of its own",
    "fatal": "nothing will succeed until a person acts",
})  # fmt: skip
"""What a harness can do about a way."""


@frozen
class Way:
    """
    One way to go wrong.

    Args:
        name: Its name.
        kind: What a harness can do about it, a key of :data:`KINDS`.
        sentence: What the client gets.
        distort: Changes the completion before it is encoded.
        send: Changes or replaces what is sent.
        needs_tool: Whether it is only possible where a tool is offered.
    """

    name: str
    kind: Kind
    sentence: str
    distort: twist.Distortion | None = field(default=None, repr=False)
    send: "Callable[[Outgoing, Faults], Outgoing] | None" = field(default=None, repr=False)
    needs_tool: bool = False

    def answer(self, sent: Outgoing, faults: "Faults") -> Outgoing:
        """Return what is sent instead of a response."""
        return sent if self.send is None else self.send(sent, faults)


def _positive(_: Any, attribute: Any, value: float) -> None:
    if not value >= 0:
        raise ValueError(f"{attribute.name} must be at least 0, not {value}")


def _share(_: Any, attribute: Any, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{attribute.name} must be between 0 and 1, not {value}")


@frozen
class Faults:
    """
    Which requests go wrong, and how.

    The draw is a hash of the seed, the request's bytes and how many equal requests came before, so it depends neither
    on the order nor on the time of arrival. Requests of equal bytes are attempts at one: conversations that are to be
    drawn for apart must differ, by their words or by the parameter ``seed`` or ``user``.

    Args:
        rate: The share of requests that go wrong.
        ways: Names of ways or kinds, drawn from evenly; empty for all ways.
        seed: Seed of the draw.
        attempts: How many of the first attempts at a request may go wrong; 0 for all.
        slow: Seconds that the ways ``slow`` and ``trickle`` take.
        retry_after: Seconds that ``Retry-After`` asks for.
    """

    rate: float = field(default=0.0, validator=_share)
    ways: tuple[str, ...] = ()
    seed: int = 0
    attempts: int = field(default=0, validator=_positive)
    slow: float = field(default=60.0, validator=_positive)
    retry_after: int = field(default=1, validator=_positive)
    _drawn: tuple[Way, ...] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_drawn", ways_of(self.ways))

    def draw(self, request: ChatRequest) -> Way | None:
        """Return the way in which a request goes wrong; None where it does not."""
        if not self.rate or (self.attempts and request.attempt >= self.attempts):
            return None
        drawn = hashlib.sha256(b"%d %d %b" % (self.seed, request.attempt, request.digest)).digest()
        if int.from_bytes(drawn[:8], "big") >= self.rate * 2**64:
            return None
        possible = self._drawn if request.tools else [way for way in self._drawn if not way.needs_tool]
        return possible[int.from_bytes(drawn[8:16], "big") % len(possible)] if possible else None


def ways_of(names: Iterable[str]) -> tuple[Way, ...]:
    """
    Return ways by their names or kinds, in the table's order; all of them where none is named.

    Raises:
        UsageError: There is no such way or kind.
    """
    wanted = set(names)
    unknown = sorted(wanted - set(WAYS) - set(KINDS))
    if unknown:
        hint = "`python -m recfw.testing.provider --list` shows all ways."
        raise UsageError(f"No way to go wrong {unknown[0]!r} (kinds: {', '.join(KINDS)}).", hint)
    return tuple(way for way in WAYS.values() if not wanted or {way.name, way.kind} & wanted)


def _status(status: int, message: str, kind: str, code: str | None = None) -> "Callable[[Outgoing, Faults], Outgoing]":
    body = error_body(message, kind, code)
    return lambda sent, _: Outgoing(status, body, delay=sent.delay)


def _limited(sent: Outgoing, headers: tuple[tuple[str, str], ...] = ()) -> Outgoing:
    message = "Rate limit reached for requests. Please try again later."
    body = error_body(message, "requests", "rate_limit_exceeded")
    return Outgoing(429, body, headers=headers, delay=sent.delay)


def _limited_seconds(sent: Outgoing, faults: Faults) -> Outgoing:
    return _limited(sent, (("Retry-After", str(faults.retry_after)),))


def _limited_date(sent: Outgoing, faults: Faults) -> Outgoing:
    # Whole seconds: one more, so that the date is never less than was asked for.
    return _limited(sent, (("Retry-After", formatdate(time() + faults.retry_after + 1, usegmt=True)),))


def _gateway(sent: Outgoing, _: Faults) -> Outgoing:
    page = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\r\n"
    return Outgoing(502, page, media="text/html", delay=sent.delay)


def _overloaded(sent: Outgoing, _: Faults) -> Outgoing:
    body = orjson.dumps({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    return Outgoing(529, body, delay=sent.delay)


def _invalid(sent: Outgoing, _: Faults) -> Outgoing:
    wrong = b'{"id": "chatcmpl-1", "choices": [}'
    if sent.pieces:
        return evolve(sent, pieces=(b"data: %b\n\n" % wrong, *sent.pieces[1:]))
    return evolve(sent, body=wrong)


def _truncated(sent: Outgoing, _: Faults) -> Outgoing:
    if sent.pieces:
        return evolve(sent, pieces=sent.pieces[: len(sent.pieces) // 2])
    return evolve(sent, body=sent.body[: len(sent.body) // 2])


def _filter_refused(sent: Outgoing, _: Faults) -> Outgoing:
    message = "The response was filtered due to the prompt triggering the content management policy."
    inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}}
    error = {"message": message, "type": None, "param": "prompt", "code": "content_filter", "status": 400}
    return Outgoing(400, orjson.dumps({"error": {**error, "innererror": inner}}), delay=sent.delay)


def _llama_context(sent: Outgoing, _: Faults) -> Outgoing:
    message = "request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it"
    error = {"code": 400, "message": message, "type": "exceed_context_size_error"}
    return Outgoing(400, orjson.dumps({"error": {**error, "n_prompt_tokens": 9001, "n_ctx": 8192}}), delay=sent.delay)


_TOO_LONG = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce "
    "the length of the messages."
)
_NO_QUOTA = "You exceeded your current quota, please check your plan and billing details."

_TABLE = (
    # Nobody's reply.
    Way("http_429", "recoverable", "429 without a word on when to come back.", send=lambda sent, _: _limited(sent)),
    Way("http_429_seconds", "recoverable", "429 with Retry-After in seconds.", send=_limited_seconds),
    Way("http_429_date", "recoverable", "429 with Retry-After as a date.", send=_limited_date),
    Way("http_500", "recoverable", "500 with an error body.",
        send=_status(500, "The server had an error while processing your request.", "server_error")),
    Way("http_502_html", "recoverable", "502 with a gateway's HTML page.", send=_gateway),
    Way("http_503", "recoverable", "503 with an error body.",
        send=_status(503, "The engine is currently overloaded, please try again later.", "server_error")),
    Way("http_529", "recoverable", "529, overloaded, with Anthropic's error body.", send=_overloaded),
    Way("slow", "recoverable", "The reply, `slow` seconds late: beyond the client's deadline.",
        send=lambda sent, faults: evolve(sent, delay=sent.delay + faults.slow)),
    Way("trickle", "recoverable", "The reply in small pieces over `slow` seconds: no read takes long, the whole does.",
        send=lambda sent, faults: evolve(sent, spread=faults.slow)),
    Way("hang", "recoverable", "Neither a byte nor an end.",
        send=lambda sent, _: evolve(sent, head=False, end="silence")),
    Way("hang_in_body", "recoverable", "Half the body, then neither a byte nor an end.",
        send=lambda sent, _: evolve(sent, share=0.5, end="silence")),
    Way("drop_before_headers", "recoverable", "The connection is closed before the first byte.",
        send=lambda sent, _: evolve(sent, head=False, end="close")),
    Way("drop_in_body", "recoverable", "The connection is closed in the middle of the body.",
        send=lambda sent, _: evolve(sent, share=0.5, end="close")),
    Way("reset", "recoverable", "The connection is reset (RST) before the first byte.",
        send=lambda sent, _: evolve(sent, head=False, end="reset")),
    Way("empty_body", "recoverable", "200 with an empty body.", send=lambda sent, _: evolve(sent, body=b"", pieces=())),
    Way("invalid_json", "recoverable", "200 with a body that is no JSON.", send=_invalid),
    Way("truncated_json", "recoverable", "200 with the first half of the body, as if it were whole.", send=_truncated),
    Way("error_in_200", "recoverable", "200 with an error for a body.",
        send=_status(200, "Upstream error from the provider.", "server_error", "502")),
    Way("empty_choices", "recoverable", "A completion without choices.", twist.empty_choices),
    Way("null_message", "recoverable", "A choice whose message is null.", twist.null_message),
    Way("null_content", "recoverable", "A message with neither content nor tool calls.", twist.null_content),
    # The whole reply, in an unusual shape.
    Way("wrong_content_type", "harmless", "The reply, as text/plain.",
        send=lambda sent, _: evolve(sent, media="text/plain")),
    Way("usage_null", "harmless", "The reply, with null for usage.", twist.usage_null),
    Way("keys_missing", "harmless", "The reply, without id, model, usage and other keys.", twist.keys_missing),
    Way("extra_fields", "harmless", "The reply, with unknown fields on every level.", twist.extra_fields),
    Way("surrogates", "harmless", "The reply, with lone surrogates around its text.", twist.surrogates),
    Way("reasoning_leaked", "harmless", "The reply, with reasoning in <think> tags before its text.", twist.leaked),
    Way("tool_ids_empty", "harmless", "Tool calls whose ids are empty.",
        twist.ids(lambda call: call.update(id="")), needs_tool=True),
    Way("tool_ids_duplicate", "harmless", "Tool calls that share one id; a single call comes twice.",
        twist.same_ids, needs_tool=True),
    Way("tool_ids_missing", "harmless", "Tool calls without ids.",
        twist.ids(lambda call: call.pop("id", None)), needs_tool=True),
    Way("tool_ids_integer", "harmless", "Tool calls whose ids are numbers.",
        twist.ids(lambda call: call.update(id=7)), needs_tool=True),
    # The model's own doing.
    Way("refusal", "agent", "A refusal, in the field of that name.", twist.refusal),
    Way("length", "agent", "Half the text, or of the last call's arguments; finish_reason is length.", twist.half),
    Way("content_filter", "agent", "No text; finish_reason is content_filter.", twist.filtered),
    Way("content_filter_400", "agent", "400 with Azure's content_filter error.", send=_filter_refused),
    Way("huge", "agent", "A text of five megabytes.", twist.huge),
    Way("arguments_not_json", "agent", "Tool arguments that are no JSON.",
        twist.arguments(lambda _: "query = whatever you like"), needs_tool=True),
    Way("arguments_trailing", "agent", 'Tool arguments with a second value behind: {}"".',
        twist.arguments(lambda text: f'{text}""'), needs_tool=True),
    Way("arguments_object", "agent", "Tool arguments as an object instead of a string.",
        twist.arguments(orjson.loads), needs_tool=True),
    Way("arguments_newlines", "agent", "Tool arguments with raw line breaks within strings.",
        twist.arguments(twist.with_newlines), needs_tool=True),
    Way("arguments_double_encoded", "agent", "Tool arguments encoded as JSON twice.",
        twist.arguments(lambda text: orjson.dumps(text).decode()), needs_tool=True),
    Way("arguments_as_strings", "agent", "Tool arguments whose numbers, lists and so on are strings.",
        twist.arguments(twist.as_strings), needs_tool=True),
    Way("unknown_tool", "agent", "A call of a tool that nobody offered.", twist.unknown_tool, needs_tool=True),
    # Too long.
    Way("context_length_exceeded", "context", "400 with OpenAI's code context_length_exceeded.",
        send=_status(400, _TOO_LONG, "invalid_request_error", "context_length_exceeded")),
    Way("context_length_llama", "context", "400 with the words of llama.cpp's server.", send=_llama_context),
    # Until a person acts.
    Way("invalid_key", "fatal", "401: the key is refused.",
        send=_status(401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key")),
    Way("forbidden", "fatal", "403: the key may not do this.",
        send=_status(403, "Your project may not use this endpoint.", "invalid_request_error", "permission_denied")),
    Way("quota", "fatal", "429 with the code insufficient_quota.",
        send=_status(429, _NO_QUOTA, "insufficient_quota", "insufficient_quota")),
    Way("model_not_found", "fatal", "404: there is no such model.",
        send=_status(404, "The model does not exist or you have no access to it.", "invalid_request_error",
                     "model_not_found")),
    Way("bad_request", "fatal", "400: a parameter is not supported.",
        send=_status(400, "Unsupported parameter: 'temperature'.", "invalid_request_error", "unsupported_parameter")),
)  # fmt: skip
WAYS: Mapping[str, Way] = MappingProxyType({way.name: way for way in _TABLE})
"""Every way to go wrong, by name."""
