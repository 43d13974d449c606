"""One client of a query service: a request at a time, tried again with patience, and whole responses only."""

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import httpx
from attrs import frozen

from recfw.errors import DataError, InfrastructureError
from recfw_books.wikidata.responses import Row, parse_response
from recfw_books.wikidata.waiting import Patience, retry_after

_CONNECT, _READ = 15.0, 90.0
"""Seconds to wait for a connection, and for the next bytes; the public service itself gives up after 60."""
_DEADLINE = 300.0
"""Seconds that one response may take as a whole."""
_LARGEST = 256 * 1024 * 1024
"""Bytes that one response may have."""
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Statuses after which another try may do better."""
_SLOW = frozenset({408, 500, 504, 524})
"""Those of them that a query service gives where a query takes too long."""
_QUOTED = 120
"""Characters of a refusal that are quoted."""


@frozen
class Answer:
    """A whole response: its bytes and its rows."""

    data: bytes
    rows: tuple[Row, ...]


class _Passing(Exception):  # noqa: N818 - never leaves this module
    """
    What went wrong in a way that may pass, in words.

    Args:
        words: What.
        wait: The seconds that the server asks for.
        heavy: Whether it may be that the query asks for too much at once.
    """

    def __init__(self, words: str, wait: float | None = None, *, heavy: bool = False) -> None:
        super().__init__(words)
        self.wait = wait
        self.heavy = heavy


class Client:
    """
    A client of one query service.

    Args:
        endpoint: Its address.
        user_agent: Who asks; Wikimedia's policy wants a way to reach a person in it.
        patience: How it waits.
        say: Is told in words of every wait that is no usual pause.
        sleep: Waits some seconds.
    """

    def __init__(
        self,
        endpoint: str,
        user_agent: str,
        patience: Patience,
        say: Callable[[str], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._say = say
        self._sleep = sleep
        self._pause = 0.0
        self._http = httpx.Client(
            headers={"User-Agent": user_agent, "Accept": "application/sparql-results+json"},
            timeout=httpx.Timeout(_READ, connect=_CONNECT),
            limits=httpx.Limits(max_connections=1),
            follow_redirects=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, query: str) -> Answer:
        """
        Return the whole response to a query.

        Raises:
            InfrastructureError: The service refuses it, asks for a very long wait, or gave no whole response in as many
                tries as patience allows.
        """
        for tried in range(1, self._patience.tries + 1):
            self._sleep(self._pause)
            self._pause = 0.0
            start = time.monotonic()
            try:
                answer = self._once(query)
            except _Passing as trouble:
                self._wait(trouble, tried)
            else:
                self._pause = self._patience.between(time.monotonic() - start)
                return answer
        raise AssertionError("unreachable: the last try either returns or raises")

    def _wait(self, trouble: _Passing, tried: int) -> None:
        """Say what went wrong and set the pause; raise where it makes no sense to wait."""
        if tried == self._patience.tries:
            tries = "one try" if tried == 1 else f"{tried} tries"
            raise InfrastructureError(
                f"{self._endpoint} gave no whole response in {tries}; the last time: {trouble}.",
                "It may take too long to answer: ask for less at once by a smaller --page-size."
                if trouble.heavy
                else "",
            )
        pause = self._patience.again(tried, trouble.wait)
        if pause > self._patience.longest:
            raise InfrastructureError(f"{self._endpoint} asks to be left alone for {pause:,.0f} s ({trouble}).")
        self._say(f"{trouble}; waiting {pause:.1f} s, then try {tried + 1} of {self._patience.tries}")
        self._pause = pause

    def _once(self, query: str) -> Answer:
        try:
            with self._http.stream("GET", self._endpoint, params={"query": query, "format": "json"}) as response:
                if response.status_code in _PASSING:
                    wait = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
                    words = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
                    raise _Passing(words, wait, heavy=response.status_code in _SLOW)
                data = self._whole(response)
        except (httpx.TimeoutException, TimeoutError) as error:
            raise _Passing(f"no answer in time ({type(error).__name__})", heavy=True) from error
        except httpx.UnsupportedProtocol as error:
            raise InfrastructureError(f"{self._endpoint} cannot be asked: {error}.") from error
        except httpx.RequestError as error:
            raise _Passing(f"the connection failed ({error or type(error).__name__})") from error
        if not response.is_success:
            raise self._refusal(response.status_code, response.reason_phrase, data)
        try:
            return Answer(data, tuple(parse_response(data, "the response")))
        except DataError as error:
            raise _Passing(error.message.rstrip("."), heavy=True) from error

    def _whole(self, response: httpx.Response) -> bytes:
        deadline = time.monotonic() + _DEADLINE
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if time.monotonic() > deadline:
                raise _Passing(f"the response took longer than {_DEADLINE:.0f} s", heavy=True)
            if len(data) > _LARGEST:
                raise InfrastructureError(f"{self._endpoint} sends more than {_LARGEST:,} bytes for one query.")
        return bytes(data)

    def _refusal(self, status: int, phrase: str, data: bytes) -> InfrastructureError:
        words = " ".join(data.decode("utf-8", "replace").split())[:_QUOTED]
        hint = ""
        if status in {401, 403}:
            hint = "It may want to know who asks: give a --user-agent with an address of yours."
        return InfrastructureError(f"{self._endpoint} refuses the query (HTTP {status} {phrase}: {words}).", hint)


def chance() -> float:
    """Return a number in [0, 1) that need not be the same twice."""
    return random.random()
