"""What a stub has seen: counts, and the newest requests."""

from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from attrs import asdict, define, field, frozen

from recfw.testing.provider.protocol import ChatRequest

_KEPT_BYTES = 64 * 1024 * 1024  # of recorded bodies


@frozen
class Recorded:
    """
    A chat request as it arrived.

    Args:
        headers: Header names in lower case -> values.
        body: The parsed body.
        size: Bytes of the body.
        attempt: How many equal requests came before.
        way: The way in which it went wrong, empty where it did not.
    """

    headers: dict[str, str]
    body: dict[str, Any]
    size: int
    attempt: int
    way: str


@define
class Record:
    """The newest requests, bounded in number by who adds them and in bytes."""

    _kept: deque[Recorded] = field(factory=deque)
    _bytes: int = 0

    def add(self, chat: ChatRequest, way: str, most: int) -> None:
        """Keep a request, and no more than ``most``."""
        self._kept.append(Recorded(dict(chat.headers), dict(chat.body), len(chat.raw), chat.attempt, way))
        self._bytes += len(chat.raw)
        while len(self._kept) > most or self._bytes > _KEPT_BYTES:
            self._bytes -= self._kept.popleft().size

    def __iter__(self) -> Iterator[Recorded]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: int) -> Recorded:
        return self._kept[index]

    def data(self) -> list[dict[str, Any]]:
        """Return JSON values."""
        return [asdict(one, recurse=False) for one in self]


@define
class Stats:
    """
    What a stub has done so far.

    Args:
        requests: Chat requests that arrived.
        in_flight: Those that are being answered.
        peak_in_flight: The most at a time.
        images: Pictures in them.
        prompt_tokens: Tokens of prompts, as completions that arrived whole told them.
        completion_tokens: Tokens of replies, likewise.
        faults: Way -> how often it was sent.
        statuses: HTTP status -> responses; ``none`` for those without one.
        connections: Open connections.
        seconds: Wall-clock seconds since the start.
        cpu_seconds: CPU seconds of the stub's process since the start: its own where it has a process of its own.
    """

    requests: int = 0
    in_flight: int = 0
    peak_in_flight: int = 0
    images: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    faults: Counter[str] = field(factory=Counter)
    statuses: Counter[str] = field(factory=Counter)
    connections: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def arrived(self) -> None:
        """Count a request in."""
        self.requests += 1
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)

    def data(self) -> dict[str, Any]:
        """Return JSON values."""
        return asdict(self, recurse=False)
