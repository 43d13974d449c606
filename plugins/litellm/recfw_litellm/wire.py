"""
What passes between the parts of this plugin: a request, the provider's answer, a fault, and a transport.

Requests and answers have the shape of the chat-completions protocol, which every transport speaks or is translated to,
so that a kept answer serves whichever transport asks.
"""

import hashlib
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Any, ClassVar, Protocol

import orjson
from attrs import Factory, frozen

Raw = dict[str, Any]
"""An answer as the provider sent it: ``choices`` (one), ``usage``, ``model`` … as JSON values."""


@frozen
class Request:
    """
    One question to a model.

    Args:
        model: As the transport takes it (``openai/gpt-…``, ``local``).
        messages: In the chat-completions shape; pictures as data URLs.
        tools: Function tools, likewise.
        response_format: ``{"type": "json_schema", …}``, or None.
        params: Everything else that decides the answer: temperature, seed, reasoning effort, limits, extra parameters.
        endpoint: Where it is sent, without credentials; empty for the provider's own address.
        sample: Which answer is wanted of a model that answers otherwise each time: (trial's seed, role, how often this
            was asked in the episode before).
    """

    model: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] = ()
    response_format: dict[str, Any] | None = None
    params: dict[str, Any] = Factory(dict)
    endpoint: str = ""
    sample: tuple[int | str, ...] = ()

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the request."""
        body: dict[str, Any] = {"model": self.model, "messages": list(self.messages), **self.params}
        if self.tools:
            body["tools"] = list(self.tools)
        if self.response_format is not None:
            body["response_format"] = self.response_format
        return body

    def key(self) -> str:
        """Return the SHA-256 (hex) of all that decides the answer, by which it is kept."""
        told = [self.body(), self.endpoint, list(self.sample)]
        return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Blame(StrEnum):
    """What becomes of a fault."""

    RETRY = "retry"
    """The provider or the way to it failed; the same request may succeed."""
    FATAL = "fatal"
    """No request can succeed until a person acts: the run stops."""
    REQUEST = "request"
    """The provider refuses this very request, now and always: an infrastructure failure without a retry."""
    OVERFLOW = "overflow"
    """The request does not fit into what the model can read: an ending of its own."""
    AGENT = "agent"
    """The model's own doing, such as a content filter that its words set off: an ordinary answer."""


class Fault(Exception):  # noqa: N818 - named for what it is; whoever asks turns it into an error of recfw's
    """
    A request got no answer.

    Args:
        kind: A word by which failures are counted: ``rate_limit``, ``timeout``, ``connection``, ``server_error``,
            ``malformed``, ``authentication``, ``quota``, ``model_not_found``, ``context_overflow`` …
        blame: What becomes of it.
        words: What the provider said, without credentials.
        after: Seconds after which it asked to be tried again, if it did.
    """

    def __init__(self, kind: str, blame: Blame, words: str, after: float | None = None) -> None:
        super().__init__(words)
        self.kind, self.blame, self.words, self.after = kind, blame, words, after

    def __reduce__(self) -> tuple[type["Fault"], tuple[Any, ...]]:
        return type(self), (self.kind, self.blame, self.words, self.after)


class Transport(Protocol):
    """
    A way to providers. It sends once, retries nothing, and has no memory beside its connections.

    Attributes:
        name: What people type as the component's name.
        spacing: Least seconds from one request to the next in a process: about what sending one costs it.
    """

    name: ClassVar[str]
    spacing: ClassVar[float] = 0.0

    def open(self) -> AbstractAsyncContextManager[None]:
        """Hold connections, entered and left by one task."""
        ...

    async def send(self, request: Request, seconds: float) -> Raw:
        """
        Return the provider's answer, as JSON values.

        Raises:
            Fault: There is none, after ``seconds`` at the latest.
        """
        ...

    def price(self, model: str, raw: Raw) -> float | None:
        """Return what an answer costs in USD by a price table of this machine; None where it holds no such model."""
        ...
