"""
The toolbox: raw tool calls in, one answer a call out, by position.

Whatever is wrong with a call is an answer to the caller. Only an environment that breaks its contract raises.
"""

import asyncio
import difflib
import time
from collections.abc import Coroutine, Sequence
from typing import Any

import jsonschema_rs
import orjson

from recfw.engine.deadline import DeadlineError, within
from recfw.errors import InfrastructureError, words_of
from recfw.model.reply import ToolCall, ToolResult
from recfw.model.trace import ToolEvent
from recfw.model.view import ToolSpec
from recfw.protocols import Environment
from recfw.serialize import DEEPEST, clean

MOST_SHOWN = 400
"""Characters of a caller's own text that an error quotes."""
MOST_COMPILED = 1024
"""Schemas that are kept compiled; a track that makes new ones for every View would otherwise fill the memory."""


class Toolbox:
    """Validates and answers tool calls; holds compiled schemas, so one serves a whole worker."""

    def __init__(self) -> None:
        self._compiled: dict[int, tuple[dict[str, Any], Any]] = {}

    async def answer(
        self,
        environment: Environment,
        role: str,
        turn: int,
        tools: Sequence[ToolSpec],
        calls: Sequence[ToolCall],
        *,
        allowed: int,
        seconds: float,
    ) -> list[ToolEvent]:
        """
        Answer the calls of one reply, side by side.

        Args:
            environment: Who executes valid calls.
            role: Who called.
            turn: In which of its turns.
            tools: The tools that its View offered.
            calls: The calls, in order.
            allowed: How many more calls the turn's budget holds; the rest get a budget error.
            seconds: Deadline of each call.

        Returns:
            One event a call, by position.

        Raises:
            InfrastructureError: The environment raised instead of answering.
        """
        offered = {tool.name: tool for tool in tools}

        async def one(position: int, call: ToolCall) -> ToolEvent:
            started = time.perf_counter()
            arguments, result = None, self._over_budget(position, allowed)
            if result is None:
                arguments, result = self.check(offered, call)
            if result is None and arguments is not None:
                result = await _execute(environment, role, call.name, arguments, seconds)
            taken = time.perf_counter() - started
            result = result or ToolResult("", error=True)
            return ToolEvent(
                role, turn, position, clean(call.name), arguments, result.content, result.error, result.notes, taken
            )

        if len(calls) == 1:
            return [await one(0, calls[0])]
        return await _side_by_side([one(position, call) for position, call in enumerate(calls)])

    @staticmethod
    def _over_budget(position: int, allowed: int) -> ToolResult | None:
        if position < allowed:
            return None
        return ToolResult("Tool budget of this turn exhausted: no more tool calls are answered in it.", error=True)

    def check(self, offered: dict[str, ToolSpec], call: ToolCall) -> tuple[dict[str, Any] | None, ToolResult | None]:
        """Return (arguments, None) of a valid call, or (None, error result)."""
        tool = offered.get(call.name)
        if tool is None:
            close = difflib.get_close_matches(call.name[:MOST_SHOWN], offered, 1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            words = f"There is no tool '{_short(call.name)}'. Tools: {', '.join(offered) or 'none'}.{hint}"
            return None, ToolResult(words, error=True)
        try:
            arguments = orjson.loads(clean(call.arguments) or "{}")
        except (orjson.JSONDecodeError, RecursionError) as error:
            words = f"The arguments of {call.name} are no valid JSON ({error}): {_short(call.arguments)}"
            return None, ToolResult(words, error=True)
        if _too_deep(arguments):
            return None, ToolResult(f"The arguments of {call.name} are nested too deeply.", error=True)
        faults = [_fault(error) for error in self._validator(tool).iter_errors(arguments)]
        if faults or not isinstance(arguments, dict):
            words = "; ".join(faults[:5]) or "an object is expected"
            return None, ToolResult(f"The arguments of {call.name} do not fit its schema: {words}.", error=True)
        return arguments, None

    def _validator(self, tool: ToolSpec) -> Any:
        """Return the compiled schema; kept by the schema object's identity, which the entry keeps alive."""
        kept = self._compiled.get(id(tool.parameters))
        if kept is None:
            if len(self._compiled) >= MOST_COMPILED:
                self._compiled.clear()
            kept = (tool.parameters, jsonschema_rs.Draft202012Validator(tool.parameters))
            self._compiled[id(tool.parameters)] = kept
        return kept[1]


async def _side_by_side(work: Sequence[Coroutine[Any, Any, ToolEvent]]) -> list[ToolEvent]:
    """Await all; when one raises, cancel the others, so that none goes on in an episode that is over."""
    tasks = [asyncio.create_task(item) for item in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _too_deep(value: Any) -> bool:
    """Tell whether JSON is nested deeper than the trace can hold."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        if not level:
            return False
        inner = (item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer))
        level = [item for item in inner if isinstance(item, dict | list)]
    return bool(level)


def _fault(error: Any) -> str:
    path = ".".join(str(step) for step in error.instance_path)
    message = _short(str(error.message))
    return f"{path}: {message}" if path else message


def _short(text: str) -> str:
    text = clean(text)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}… ({len(text)} characters)"


async def _execute(
    environment: Environment, role: str, tool: str, arguments: dict[str, Any], seconds: float
) -> ToolResult:
    try:
        result = await within(seconds, lambda: environment.call(role, tool, arguments))
    except DeadlineError:
        return ToolResult(f"{tool} took longer than {seconds:g} s and was given up.", error=True)
    except InfrastructureError:
        raise
    except Exception as error:
        raise InfrastructureError(f"tool {tool} raised {words_of(error)}") from error
    if not isinstance(result, ToolResult):
        raise InfrastructureError(f"tool {tool} answered {type(result).__name__}, not a ToolResult.")
    return result
