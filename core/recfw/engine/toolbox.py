"""
The toolbox: raw tool calls in, one answer a call out, by position.

Whatever is wrong with a call is an answer to the caller. Only an environment that breaks its contract raises.
Arguments are read strictly, then leniently (:mod:`recfw.engine.coercion`): the raw text stays in the reply, the
arguments as they were executed are in the answer's event, and its note ``coerced`` says where they differ.
"""

import asyncio
import difflib
import re
import time
from collections.abc import Collection, Coroutine, Sequence
from contextlib import suppress
from typing import Any

import jsonschema_rs
import orjson
from attrs import frozen

from recfw.engine.coercion import ROOT, coerce, with_raw_breaks
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


COERCED = "coerced"
"""The note of an answer that lists the places of its arguments that were read leniently."""


@frozen
class Read:
    """The arguments of a valid call, and the places (``tags.1``; ``$`` for the whole) that were read leniently."""

    arguments: dict[str, Any]
    coerced: tuple[str, ...] = ()


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
            read = self._over_budget(position, allowed) or self.check(offered, call)
            if isinstance(read, ToolResult):
                arguments, result, notes = None, read, read.notes
            else:
                arguments = read.arguments
                result = await _execute(environment, role, call.name, arguments, seconds)
                notes = {**result.notes, COERCED: list(read.coerced)} if read.coerced else result.notes
            taken = time.perf_counter() - started
            return ToolEvent(
                role, turn, position, clean(call.name), arguments, result.content, result.error, notes, taken
            )

        if len(calls) == 1:
            return [await one(0, calls[0])]
        return await _side_by_side([one(position, call) for position, call in enumerate(calls)])

    @staticmethod
    def _over_budget(position: int, allowed: int) -> ToolResult | None:
        if position < allowed:
            return None
        return ToolResult("Tool budget of this turn exhausted: no more tool calls are answered in it.", error=True)

    def check(self, offered: dict[str, ToolSpec], call: ToolCall) -> "Read | ToolResult":
        """Return the arguments of a valid call, or what is wrong with it as an error result."""
        tool = offered.get(call.name)
        if tool is None:
            close = _closest(call.name, offered)
            hint = f" Did you mean '{close}'?" if close else ""
            words = f"There is no tool '{_short(call.name)}'. Tools: {', '.join(offered) or 'none'}.{hint}"
            return ToolResult(words, error=True)
        text = clean(call.arguments)
        try:
            arguments, coerced = _parsed(text)
        except (ValueError, RecursionError) as error:
            words = f"The arguments of {call.name} are no valid JSON ({error}): {_short(text)}"
            return ToolResult(words, error=True)
        return self._fitting(tool, arguments, coerced)

    def _fitting(self, tool: ToolSpec, arguments: Any, coerced: tuple[str, ...]) -> "Read | ToolResult":
        if _too_deep(arguments):
            return ToolResult(f"The arguments of {tool.name} are nested too deeply.", error=True)
        validator = self._validator(tool)
        faults = [_fault(error) for error in validator.iter_errors(arguments)]
        lenient = coerce(validator, arguments) if faults else None
        if lenient is not None and not _too_deep(lenient[0]):
            arguments, faults, coerced = lenient[0], [], (*coerced, *lenient[1])
        if faults or not isinstance(arguments, dict):
            words = "; ".join(faults[:5]) or "an object is expected"
            return ToolResult(f"The arguments of {tool.name} do not fit its schema: {words}.", error=True)
        return Read(arguments, coerced)

    def _validator(self, tool: ToolSpec) -> Any:
        """Return the compiled schema; kept by the schema object's identity, which the entry keeps alive."""
        kept = self._compiled.get(id(tool.parameters))
        if kept is None:
            if len(self._compiled) >= MOST_COMPILED:
                self._compiled.clear()
            kept = (tool.parameters, jsonschema_rs.Draft202012Validator(tool.parameters))
            self._compiled[id(tool.parameters)] = kept
        return kept[1]


def _closest(name: str, offered: Collection[str]) -> str:
    """Return the offered tool that a name means, perhaps: the one behind a prefix (``server.tool``), or a near one."""
    bare = re.split(r"[.:/]", name[-MOST_SHOWN:])[-1]
    close = [bare] if bare in offered else difflib.get_close_matches(name[:MOST_SHOWN], offered, 1)
    return close[0] if close else ""


def _parsed(text: str) -> tuple[Any, tuple[str, ...]]:
    """Return the JSON of a call's text, and what of it was read leniently; ValueError where it is none."""
    try:
        return orjson.loads(text or "{}"), ()
    except orjson.JSONDecodeError:
        with suppress(ValueError, TypeError, RecursionError):
            return with_raw_breaks(text), (ROOT,)
        raise


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
