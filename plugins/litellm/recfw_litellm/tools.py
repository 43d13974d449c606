"""Tools and tool calls as the chat-completions protocol writes them: names, ids and arguments that providers take."""

import re
from collections.abc import Iterable
from typing import Any

import orjson

from recfw.model.reply import ToolCall
from recfw.model.view import ToolSpec
from recfw.serialize import clean, plain

LONGEST_NAME = 64
_LEGAL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")


class Names:
    """
    Tool names as providers take them, both ways: letters, digits, ``_`` and ``-``, a letter or ``_`` first, at most 64.

    A legal name stays; another is spelt with ``_`` and, where that is taken, with a number behind.
    """

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self._sent: dict[str, str] = {}
        self._offered: dict[str, str] = {}
        for tool in sorted(tools, key=lambda tool: not _LEGAL.fullmatch(tool.name)):
            spelt, number = legal(tool.name), 1
            while self._offered.get(spelt, tool.name) != tool.name:
                number += 1
                spelt = f"{legal(tool.name)[: LONGEST_NAME - 4]}_{number}"
            self._sent[tool.name], self._offered[spelt] = spelt, tool.name

    def sent(self, name: str) -> str:
        """Return a name as it is sent; one that is not offered, too, is made legal."""
        return self._sent.get(name) or legal(name)

    def offered(self, name: str) -> str:
        """Return the offered name that a model meant; a name that was not sent stays as it is."""
        return self._offered.get(name, name)


def legal(name: str) -> str:
    """Return a name with what providers refuse replaced."""
    spelt = _ILLEGAL.sub("_", name)
    if not re.match(r"[a-zA-Z_]", spelt):
        spelt = f"_{spelt}"
    return spelt[:LONGEST_NAME]


def tool_of(tool: ToolSpec, names: Names) -> dict[str, Any]:
    """Return a tool as it is offered to a model."""
    function = {"description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": {"name": names.sent(tool.name), **plain(function)}}


def call_id(number: int) -> str:
    """
    Return the id of a conversation's n-th call.

    Whatever the model called it: ids go missing, repeat or are numbers. Nine letters and digits are what the strictest
    chat templates demand.
    """
    return f"call{number:05d}"


def call_of(call: ToolCall, number: int, names: Names) -> dict[str, Any]:
    """Return a call of an earlier reply as it is sent back."""
    function = {"name": names.sent(call.name), "arguments": arguments_of(call)}
    return {"id": call_id(number), "type": "function", "function": function}


def arguments_of(call: ToolCall) -> str:
    """Return a call's arguments as a JSON object: its own text, or one that holds it where it is none."""
    text = clean(call.arguments) or "{}"
    try:
        fine = isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        fine = False
    return text if fine else orjson.dumps({"invalid_arguments": text}).decode()


def calls_in(message: dict[str, Any], names: Names) -> tuple[ToolCall, ...]:
    """Return the calls of a provider's message, their arguments as the model wrote them."""
    listed = message.get("tool_calls")
    found = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    if not found and isinstance(message.get("function_call"), dict):
        found = [{"function": message["function_call"]}]
    return tuple(_read(call, names) for call in found if isinstance(call.get("function"), dict))


def _read(call: dict[str, Any], names: Names) -> ToolCall:
    function = call["function"]
    name, arguments, told = function.get("name"), function.get("arguments"), call.get("id")
    if arguments is None:
        arguments = "{}"
    elif not isinstance(arguments, str):
        arguments = orjson.dumps(plain(arguments)).decode()
    named = names.offered(name) if isinstance(name, str) else ""
    return ToolCall(clean(named), clean(arguments), "" if told is None else clean(str(told)))
