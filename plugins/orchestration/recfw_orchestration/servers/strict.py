"""
Tools and servers that check what they are given, whoever calls: the SDK's own ignore unknown arguments and coerce.

Raw arguments are held against the published schema before anything runs; whatever is wrong becomes a tool error that
names it and says what fits. Nothing else of an exception ever reaches a caller.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from importlib.metadata import version
from inspect import cleandoc
from typing import Any, cast

import jsonschema_rs
import orjson
from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import PrivateAttr

from recfw_orchestration.data.records import UnknownItemError, UnknownUserError
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.faults import fault_words, short, unreadable
from recfw_orchestration.servers.schemas import output_schema, tightened

logger = logging.getLogger(__name__)

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

MOST_INLINE = 20_000
"""Items up to which a store answers in a few ms, less than a thread costs; larger ones are asked in threads."""

OWN_FAULT = "recfw.orchestration/own-fault"
"""The mark, in a result's metadata, of an error that is the server's: a run counts it as nobody's but its own."""

Function = Callable[..., Any]


class StrictTool(Tool):
    """A read-only tool whose arguments must fit its schema to the letter, and whose result is structured."""

    threaded: bool = False
    _validator: Any = PrivateAttr()
    _whole: frozenset[str] = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Compile the schema."""
        super().model_post_init(context)
        self._validator = compiled(orjson.dumps(self.parameters))
        properties = self.parameters["properties"].items()
        self._whole = frozenset(name for name, schema in properties if schema.get("type") == "integer")

    @classmethod
    def of(cls, function: Function) -> "StrictTool":
        """Return a tool named and described as a function is."""
        words = cleandoc(function.__doc__ or "")
        made = Tool.from_function(function, description=words, structured_output=False)
        made.fn_metadata.output_schema = output_schema(function)
        return cls(
            fn=function,
            name=made.name,
            title=made.name.replace("_", " ").capitalize(),
            description=words,
            parameters=tightened(made.parameters, optional_nulls=False),
            fn_metadata=made.fn_metadata,
            is_async=False,
            context_kwarg=None,
            annotations=READ_ONLY,
        )

    def check(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """
        Return arguments that fit; 10.0 is a whole number in JSON Schema and becomes 10.

        Raises:
            ToolError: What does not fit, and what would.
        """
        words = unreadable(arguments)
        if words is None:
            faults = list(self._validator.iter_errors(arguments))
            if not faults:
                whole = self._whole
                return {key: int(value) if key in whole else value for key, value in arguments.items()}
            words = fault_words(faults, arguments, self.parameters)
        raise ToolError(f"The arguments of {self.name} do not fit: {words}")

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:  # noqa: ARG002 - the SDK's signature
        """Answer one call: the result, or a ToolError in words that a caller can act on."""
        try:
            checked = self.check(arguments)
            if self.threaded:
                content = await to_thread.run_sync(partial(self.fn, **checked), abandon_on_cancel=True)
            else:
                content = self.fn(**checked)
        except ToolError:
            raise
        except (UnknownItemError, UnknownUserError) as error:
            raise ToolError(str(error)) from None
        except Exception:
            logger.exception("tool %s failed", self.name)
            return self._own_fault()
        if not convert_result:
            return content
        text = orjson.dumps(content).decode()
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=content)

    def _own_fault(self) -> CallToolResult:
        words = f"{self.name} failed by a fault of its own; other calls are answered."
        return CallToolResult(content=[TextContent(type="text", text=words)], is_error=True, _meta={OWN_FAULT: True})


def is_own_fault(result: CallToolResult) -> bool:
    """Tell whether a result is an error that no caller can help."""
    return bool(result.is_error) and bool((result.meta or {}).get(OWN_FAULT))


def is_large(data: Data) -> bool:
    """Tell whether answers over a store may take long enough to hold up other calls."""
    return any(data.count("items", domain) > MOST_INLINE for domain in data.domains)


@lru_cache(maxsize=256)
def compiled(schema: bytes) -> Any:
    """Return a compiled schema, kept."""
    return jsonschema_rs.Draft202012Validator(orjson.loads(schema))


class StrictServer(MCPServer[Any]):
    """
    An MCP server of strict tools.

    Args:
        name: Its name, as clients see it.
        words: What it is for, as its instructions.
        tools: Its tools: functions, or tools of other servers.
        data: The store that they ask.
    """

    def __init__(self, name: str, words: str, tools: Iterable[Function | StrictTool], data: Data | None = None) -> None:
        made = [tool if isinstance(tool, StrictTool) else StrictTool.of(tool) for tool in tools]
        if data is not None and is_large(data):
            made = [tool.model_copy(update={"threaded": True}) for tool in made]
        with _logging_untouched():
            super().__init__(
                name, instructions=words, version=version("recfw-orchestration"), tools=cast("list[Tool]", made)
            )
        self.strict_tools: Sequence[StrictTool] = tuple(made)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Answer one call; an unknown name is an error that lists the known ones."""
        names = [tool.name for tool in self.strict_tools]
        if name not in names:
            raise ToolError(f"{self.name} has no tool {short(name)}. Its tools: {', '.join(names)}.")
        return await super().call_tool(name, arguments, context)

    async def exchange(self, sent: Any, answers: Any) -> None:
        """Answer messages of the SDK's streams until they end; :meth:`run_stdio_async` over streams of one's own."""
        server = self._lowlevel_server  # the SDK has no public way; this release is pinned
        await server.run(sent, answers, server.create_initialization_options())


class _logging_untouched:  # noqa: N801 - a context manager, used as a function
    """Undo what the SDK's constructor does to the root logger, which belongs to whoever started the process."""

    def __enter__(self) -> None:
        root = logging.getLogger()
        self._before = list(root.handlers), root.level

    def __exit__(self, *_: object) -> None:
        root = logging.getLogger()
        root.handlers[:], level = self._before
        root.setLevel(level)
