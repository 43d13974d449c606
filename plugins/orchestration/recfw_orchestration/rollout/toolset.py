"""The tools of one task: their strict schemas, which raw arguments are held against, and who answers a call."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Protocol

import jsonschema_rs
import orjson
from attrs import frozen

from recfw.model.reply import ToolCall, ToolResult
from recfw.model.view import ToolSpec


class Answer(Protocol):
    """What a desk answers to one call (:class:`recfw_orchestration.servers.clients.CallOutcome`)."""

    @property
    def is_error(self) -> bool:
        """Whether the call failed by the caller's fault."""
        ...

    @property
    def text(self) -> str:
        """The answer, or what was wrong, in words."""
        ...

    @property
    def content(self) -> dict[str, Any] | None:
        """The answer as data."""
        ...


class Desk(Protocol):
    """Whoever answers calls: the servers' clients in a run, a fake in a test."""

    def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> Awaitable[Answer]:
        """Answer one call; never raise for what a caller sent."""
        ...


@frozen
class Toolset:
    """
    The tools that one episode offers.

    Args:
        specs: Names, descriptions and strict schemas, in the order to show them.
        desk: Answers calls.
        validators: Tool -> its compiled schema.
    """

    specs: tuple[ToolSpec, ...]
    desk: Desk
    validators: Mapping[str, Any]

    @classmethod
    def of(cls, specs: Sequence[ToolSpec], desk: Desk) -> "Toolset":
        """Return a set of tools, their schemas compiled."""
        return cls(tuple(specs), desk, {s.name: jsonschema_rs.Draft202012Validator(s.parameters) for s in specs})

    def only(self, names: Sequence[str]) -> "Toolset":
        """Return the set of some of the tools, in this set's order."""
        kept = frozenset(names)
        return Toolset(tuple(spec for spec in self.specs if spec.name in kept), self.desk, self.validators)

    def knows(self, tool: str) -> bool:
        """Tell whether the set offers a tool of this name."""
        return any(spec.name == tool for spec in self.specs)

    def fits(self, call: ToolCall) -> bool:
        """Tell whether a call's raw arguments are a JSON object that its tool's strict schema takes."""
        validator = self.validators.get(call.name)
        if validator is None:
            return False
        try:
            arguments = orjson.loads(call.arguments or "{}")
        except orjson.JSONDecodeError:
            return False
        return isinstance(arguments, dict) and bool(validator.is_valid(arguments))

    async def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> ToolResult:
        """Answer one call whose arguments fit."""
        answer = await self.desk.call(tool, arguments, deadline)
        if answer.is_error:
            return ToolResult(answer.text, error=True)
        return ToolResult(answer.text if answer.content is None else answer.content)
