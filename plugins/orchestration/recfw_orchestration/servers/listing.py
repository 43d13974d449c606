"""What tools there are: names, words, strict schemas and where results name items; known without a store."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from attrs import frozen

from recfw_orchestration.data.store import Data
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.servers.schemas import item_paths


@frozen
class ToolInfo:
    """
    One tool, as its server lists it.

    Args:
        name: Its name, unique among all servers.
        server: Whose it is.
        description: What it does, for callers.
        input_schema: Strict JSON Schema of its arguments.
        output_schema: JSON Schema of its result.
        ids: Where item ids stand in its result, such as ``items[].item_id``.
    """

    name: str
    server: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    ids: tuple[str, ...]

    @classmethod
    def of(cls, server: str, tool: Any) -> "ToolInfo":
        """Return a tool of a server, given as a client of the SDK lists it."""
        output = dict(tool.output_schema or {})
        return cls(tool.name, server, tool.description or "", dict(tool.input_schema), output, item_paths(output))


async def list_tools(names: Iterable[str] | None = None) -> Sequence[ToolInfo]:
    """Return the tools of servers (default: all), in order; a server asks its store for nothing until it is called."""
    none = cast("Data", None)
    wanted = list(SERVERS) if names is None else list(dict.fromkeys(names))
    return [ToolInfo.of(name, tool) for name in wanted for tool in await SERVERS[name].build(none).list_tools()]
