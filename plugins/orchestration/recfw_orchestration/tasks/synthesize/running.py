"""Live calls, each distinct one made once: tools are read-only and answer alike."""

from collections.abc import Mapping
from typing import Any, Protocol

from recfw.serialize import canonical

Content = Mapping[str, Any]

SECONDS = 60.0
"""Deadline of one call."""


class Answered(Protocol):
    """What a desk answers."""

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        ...

    @property
    def content(self) -> dict[str, Any] | None:
        """The result as data."""
        ...


class Calls(Protocol):
    """Whoever answers calls: the servers' clients."""

    async def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> Answered:
        """Answer one call."""
        ...


class Runner:
    """
    Runs calls on the servers and keeps their answers.

    Args:
        desk: The servers' clients.
        most: Answers to keep; beyond, all are forgotten.
    """

    def __init__(self, desk: Calls, most: int = 20_000) -> None:
        self._desk, self._most = desk, most
        self._kept: dict[bytes, Content | None] = {}

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Content | None:
        """Return a call's result; None where the tool refused it."""
        key = canonical([tool, dict(arguments)])
        if key not in self._kept:
            if len(self._kept) >= self._most:
                self._kept.clear()
            outcome = await self._desk.call(tool, dict(arguments), SECONDS)
            self._kept[key] = None if outcome.is_error else outcome.content
        return self._kept[key]
