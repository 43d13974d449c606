"""What a component gives back once, and what a tool answers."""

from typing import Any

import orjson
from attrs import Factory, frozen


@frozen
class ToolCall:
    """
    One tool call as the component sent it.

    Args:
        name: The tool's name, unchecked.
        arguments: The raw JSON text of the arguments, unchecked: models send anything.
        id: The component's own id of the call. Answers go by position, so it may be empty or repeated.
    """

    name: str
    arguments: str = "{}"
    id: str = ""

    @classmethod
    def of(cls, tool: str, /, **arguments: Any) -> "ToolCall":
        """Return a call with the arguments as canonical JSON."""
        return cls(tool, orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS).decode())


@frozen
class Usage:
    """
    What one reply consumed. Tokens are counts, cost is in USD; None where it is not known.

    ``cached_tokens`` is the part of the input served from a cache, ``reasoning_tokens`` the part of the output spent on
    reasoning.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None
    raw: dict[str, Any] = Factory(dict)


@frozen
class Reply:
    """
    What a component says once: any of text, tool calls and structured data.

    Args:
        text: Words for the others.
        calls: Tool calls, answered by position, run in parallel.
        data: Structured output, where the View has an output schema.
        reasoning: Thoughts that no other role sees.
        finish: Why the component stopped, in the provider's words (``stop``, ``length`` …).
        usage: What it consumed, where it is metered.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    data: Any = None
    reasoning: str = ""
    finish: str = "stop"
    usage: Usage | None = None


@frozen
class ToolResult:
    """
    A tool's answer: JSON content, or words about what was wrong with the call.

    Args:
        content: Any JSON value; for an error, a sentence that the caller can act on.
        error: Whether the call failed by the caller's fault.
        notes: Facts about the call for the trace and the metrics, which no role sees.
    """

    content: Any
    error: bool = False
    notes: dict[str, Any] = Factory(dict)

    def text(self) -> str:
        """Return the content as a role reads it: a string as it is, anything else as JSON."""
        return self.content if isinstance(self.content, str) else orjson.dumps(self.content).decode()
