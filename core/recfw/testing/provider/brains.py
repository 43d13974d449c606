"""What the model says: a script of replies, a function of the request, or one of a few simple models by name."""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from recfw.errors import UsageError
from recfw.testing.provider.instances import smallest
from recfw.testing.provider.protocol import Answer, Call, ChatRequest

Brain = Callable[[ChatRequest], Answer | str]
"""A pure function from a request to what the model says; a string is an answer of that text."""


def echo(request: ChatRequest) -> Answer:
    """Say something that names the newest message of the user; an instance where a JSON schema is asked for."""
    if request.schema is not None:
        text = orjson.dumps(smallest(request.schema, _word(request))).decode()
    else:
        text = f"Reply {request.tag[:8]} to: {request.last_text[:80]}"
    effort = request.body.get("reasoning_effort")
    return Answer(text, reasoning=f"Thought {request.tag[8:16]}." if effort not in {None, "none"} else "")


def tool_loop(request: ChatRequest, count: int) -> Answer:
    """Call the first tool in each of ``count`` replies, then talk."""
    return _calls(request, request.tools[:1]) if request.called < count else echo(request)


def each_tool(request: ChatRequest, count: int) -> Answer:
    """Call each tool in turn, ``count`` times, one a reply, then talk."""
    at = request.called // count if count else len(request.tools)
    return _calls(request, request.tools[at : at + 1])


def all_tools(request: ChatRequest, count: int) -> Answer:
    """Call all tools at once in each of ``count`` replies, then talk."""
    return _calls(request, request.tools) if request.called < count else echo(request)


def recite(request: ChatRequest, replies: Sequence[Answer]) -> Answer:
    """Say the reply whose place is the number of the model's replies so far; the last one from there on."""
    return replies[min(request.turns, len(replies) - 1)]


_COUNTING: Mapping[str, Callable[[ChatRequest, int], Answer]] = {
    "tool-loop": tool_loop,
    "each-tool": each_tool,
    "all-tools": all_tools,
}
BRAINS = ("echo", *(f"{name}:N" for name in _COUNTING))


def find_brain(words: str) -> Brain:
    """
    Return a brain by name.

    Args:
        words: ``echo``; ``tool-loop:N``, ``each-tool:N`` or ``all-tools:N``; or ``module:function``.

    Raises:
        UsageError: There is no such brain, or its module cannot be imported.
    """
    name, _, argument = words.partition(":")
    if words == "echo":
        return _obedient(echo)
    if name in _COUNTING and argument.isascii() and argument.isdecimal():
        return _obedient(_counting(name, int(argument)))
    if not argument or name in _COUNTING:
        raise UsageError(f"No brain {words!r} (known: {', '.join(BRAINS)}).", "Or name a function as module:function.")
    try:
        found: Brain = getattr(importlib.import_module(name), argument)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"No brain {words!r}: {error}.", "Its module must be importable where the stub runs."
        ) from None
    return found


def _counting(name: str, count: int) -> Callable[[ChatRequest], Answer]:
    return lambda request: _COUNTING[name](request, count)


def call_of(request: ChatRequest, tool: Mapping[str, Any]) -> Call:
    """Return a call of a tool, with the smallest arguments that satisfy its schema."""
    return Call(tool["name"], smallest(tool.get("parameters") or {"type": "object"}, _word(request)) or {})


def _calls(request: ChatRequest, tools: Sequence[Mapping[str, Any]]) -> Answer:
    return Answer(calls=tuple(call_of(request, tool) for tool in tools)) if tools else echo(request)


def _obedient(brain: Callable[[ChatRequest], Answer]) -> Brain:
    """Return a brain that calls a tool where ``tool_choice`` demands one."""

    def answer(request: ChatRequest) -> Answer:
        said = brain(request)
        choice = request.body.get("tool_choice")
        if said.calls or not (choice == "required" or isinstance(choice, dict)):
            return said
        if choice == "required":
            return _calls(request, request.tools[:1])
        return _calls(request, [tool for tool in request.tools if tool["name"] == choice["function"]["name"]])

    return answer


def _word(request: ChatRequest) -> str:
    """Return a word of the user's newest message, so that searches differ between conversations."""
    words = re.findall(r"[A-Za-z]{3,20}", request.last_text[:400])
    return words[int(request.tag[:8], 16) % len(words)] if words else "a"
