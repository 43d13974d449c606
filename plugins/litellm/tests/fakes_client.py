"""What tests of the client share: a transport that says what it is told, and what counts excused time."""

import asyncio
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from recfw.protocols import Facilities
from recfw_litellm.client import Client
from recfw_litellm.options import ModelOptions
from recfw_litellm.wire import Blame, Fault, Request

URL = "http://127.0.0.1:1/v1"
ASKED = Request("m", ({"role": "user", "content": "Hello"},), endpoint=URL, sample=(7, "agent", 1))
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 40}}
FAILED = Fault("server_error", Blame.RETRY, "HTTP 500: no")
REFUSED = Fault("rate_limit", Blame.RETRY, "HTTP 429: too many")
KEY = Fault("authentication", Blame.FATAL, "HTTP 401: the key is refused")


def raw(text: str = "Hi", **usage: Any) -> dict[str, Any]:
    """Return a completion."""
    message = {"role": "assistant", "content": text}
    return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {**USAGE, **usage}}


class Said:
    """A transport that gives what it was told, one a request, and the last one from there on."""

    name = "said"
    spacing = 0.0

    def __init__(self, *said: Any) -> None:
        self.said, self.sent, self.opened = list(said or (raw(),)), [], 0

    @asynccontextmanager
    async def open(self):
        """Count how often it is open."""
        self.opened += 1
        yield
        self.opened -= 1

    async def send(self, request, seconds):
        """Give what is next: an answer, a fault, or what a function of the request gives."""
        self.sent.append(request)
        given = self.said[min(len(self.sent), len(self.said)) - 1]
        if callable(given):
            given = await given(request, seconds)
        if isinstance(given, BaseException):
            raise given
        return given

    def price(self, model, raw):
        """No price is known."""
        return


class Told:
    """Adds up what is excused."""

    def __init__(self) -> None:
        self.forgiven, self.waited = 0.0, 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Add a block's time."""
        started = asyncio.get_running_loop().time()
        try:
            yield
        finally:
            self.waited += asyncio.get_running_loop().time() - started

    def forgive(self, seconds: float) -> None:
        """Add time that has passed."""
        self.forgiven += seconds

    def charge(self, seconds: float) -> None:
        """Take time back."""
        self.waited -= seconds


QUICK = {"model": "m", "api_base": URL, "max_wait": 0.01, "timeout": 0.2}


def client(*said: Any, facilities: Facilities | None = None, **options: Any) -> tuple[Client, Said]:
    """Return a client that does not wait for long, and its transport."""
    transport = Said(*said)
    return Client(transport, ModelOptions(**{**QUICK, **options}), facilities or Facilities()), transport


def asking(made: Client, *requests: Request, waits: Any = None) -> list[Any]:
    """Ask one after the other, in a loop of its own; return answers and faults."""

    async def ask() -> list[Any]:
        found: list[Any] = []
        async with made.open():
            for request in requests or (ASKED,):
                try:
                    found.append(await (made.ask(request, waits) if waits else made.ask(request)))
                except Exception as error:
                    found.append(error)
        return found

    return asyncio.run(ask())
