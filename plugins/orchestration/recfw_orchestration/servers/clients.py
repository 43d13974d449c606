"""
All servers in process, each behind a client of the official SDK: opened once a run, not once an episode.

Each client is entered and left by one task of its own, since the SDK's cancel scopes must not cross tasks; calls come
from any task. Whatever a caller sent, a call is answered; only a broken server raises.
"""

import asyncio
import difflib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import orjson
from attrs import frozen
from mcp import Client, MCPError
from mcp_types import (
    INVALID_PARAMS,
    REQUEST_TIMEOUT,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    TextContent,
)

from recfw.errors import InfrastructureError, words_of
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.faults import short, unreadable
from recfw_orchestration.servers.listing import ToolInfo
from recfw_orchestration.servers.strict import compiled, is_own_fault

__all__ = ("CallOutcome", "Desk", "ToolInfo", "open_servers")

OPENING_SECONDS = 30.0
"""Deadline for one server to open and list its tools."""


@frozen
class CallOutcome:
    """What came of a call: whether it failed by the caller's fault, the words, and the result as data (None: none)."""

    is_error: bool
    text: str
    content: dict[str, Any] | None


class Desk:
    """
    Every tool of the open servers.

    Args:
        clients: Server -> its client.
        tools: All tools, in the servers' order.
    """

    def __init__(self, clients: Mapping[str, Client], tools: Iterable[ToolInfo]) -> None:
        self._tools = tuple(tools)
        self._client_of = {tool.name: clients[tool.server] for tool in self._tools}
        self._validators = {tool.name: compiled(orjson.dumps(tool.output_schema)) for tool in self._tools}

    def tools(self) -> Sequence[ToolInfo]:
        """Return all tools, in the servers' order."""
        return self._tools

    async def call(self, tool: str, arguments: dict[str, Any], deadline: float) -> CallOutcome:
        """
        Answer one call; it never raises for what a caller sent.

        Args:
            tool: A tool's name; an unknown one is answered with an error.
            arguments: Raw arguments, checked by the server.
            deadline: Seconds.

        Raises:
            InfrastructureError: The server is gone, failed by a fault of its own, or broke its schema.
        """
        words = self._refusal(tool, arguments)
        if words is not None:
            return _failed(words)
        try:
            result = await _called(self._client_of[tool], tool, arguments, deadline)
        except MCPError as error:
            return _failed(_told(tool, error, deadline))
        text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        if is_own_fault(result):
            raise InfrastructureError(text, "The log has what happened.")
        if result.is_error:
            return _failed(text)
        for fault in self._validators[tool].iter_errors(result.structured_content):
            raise InfrastructureError(f"The server of {tool} broke its own schema: {fault.message}.")
        return CallOutcome(is_error=False, text=text, content=result.structured_content)

    def _refusal(self, tool: object, arguments: object) -> str | None:
        """Return why a call cannot even be sent; None where it can."""
        if not isinstance(tool, str) or tool not in self._client_of:
            return self._unknown(tool)
        if not isinstance(arguments, dict):
            return f"The arguments of {tool} must be one JSON object, not {short(arguments)}."
        words = unreadable(arguments)
        return None if words is None else f"The arguments of {tool} do not fit: {words}"

    def _unknown(self, tool: object) -> str:
        close = difflib.get_close_matches(tool[:100], self._client_of, 1) if isinstance(tool, str) else []
        hint = f" Did you mean '{close[0]}'?" if close else f" Tools: {', '.join(self._client_of)}."
        return f"There is no tool {short(tool)}.{hint}"


async def _called(client: Client, tool: str, arguments: dict[str, Any], deadline: float) -> CallToolResult:
    """
    Send one call, and leave out what ``client.call_tool`` adds: its check of the result costs 1 ms for ten items.

    The desk makes that check itself, with a compiled schema.
    """
    request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
    return await client.session.send_request(request, CallToolResult, request_read_timeout_seconds=deadline)


def _told(tool: str, error: MCPError, deadline: float) -> str:
    """Return an error of the protocol that is the caller's, in words; InfrastructureError for any other."""
    if error.code == REQUEST_TIMEOUT:
        return f"{tool} took longer than {deadline:g} s and was given up."
    if error.code == INVALID_PARAMS:
        return f"The arguments of {tool} do not fit: {error}"
    raise InfrastructureError(f"The server of {tool} failed: {words_of(error)}.") from error


def _failed(words: str) -> CallOutcome:
    return CallOutcome(is_error=True, text=words, content=None)


@asynccontextmanager
async def open_servers(data: Data, names: Iterable[str] | None = None) -> AsyncIterator[Desk]:
    """
    Open servers in process over a store, and close them in the end.

    Args:
        data: The store; it stays open.
        names: Which servers; all of them by default.

    Yields:
        The desk that answers calls; from any task, until the block is left.

    Raises:
        InfrastructureError: A server did not open in time.
    """
    wanted = list(SERVERS) if names is None else list(dict.fromkeys(names))
    owners = [_Owner(name, data) for name in wanted]
    tasks = [asyncio.create_task(owner.own(), name=f"owner of {owner.name}") for owner in owners]
    try:
        opened = [await owner.ready for owner in owners]
        clients = {owner.name: client for owner, (client, _) in zip(owners, opened, strict=True)}
        yield Desk(clients, [tool for _, tools in opened for tool in tools])
    finally:
        for owner in owners:
            owner.leave.set()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Owner:
    """The one task that opens a client and closes it again."""

    def __init__(self, name: str, data: Data) -> None:
        self.name, self._data = name, data
        self.leave = asyncio.Event()
        self.ready: asyncio.Future[tuple[Client, list[ToolInfo]]] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def own(self) -> None:
        """Open the client, wait until the desk is left, and close it."""
        try:
            server = SERVERS[self.name].build(self._data)
            async with asyncio.timeout(OPENING_SECONDS) as deadline, Client(server) as client:
                tools = [ToolInfo.of(self.name, tool) for tool in (await client.list_tools()).tools]
                deadline.reschedule(None)
                self.ready.set_result((client, tools))
                await self.leave.wait()
        except Exception as error:
            if self.ready.done():
                raise
            words = f"The server '{self.name}' did not open: {words_of(error)}."
            self.ready.set_exception(InfrastructureError(words))
        finally:
            self.ready.cancel()
