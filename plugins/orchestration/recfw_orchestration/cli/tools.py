"""``recfw orchestration tools``: every tool of every server, with its arguments."""

import asyncio
import sys
from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
import orjson

from recfw_orchestration.cli.serve import ALL, named
from recfw_orchestration.servers import SERVERS

if TYPE_CHECKING:
    from recfw_orchestration.servers.listing import ToolInfo


@click.command()
@click.argument("names", metavar="[SERVER]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, schemas of arguments and results included.")
def tools(names: tuple[str, ...], *, as_json: bool) -> None:
    """
    List the tools of the servers (default: of all 13) with their arguments.

    \b
    Examples:
      recfw orchestration tools
      recfw orchestration tools yelp-geo web-search
      recfw orchestration tools --json
    """  # noqa: D301 - click reads \b as the character that it stands for
    from recfw_orchestration.servers.listing import list_tools  # noqa: PLC0415 - heavy, and help does not need it

    found = asyncio.run(list_tools(named(names or (ALL,))))
    if as_json:
        click.echo(orjson.dumps([_as_data(tool) for tool in found], option=orjson.OPT_INDENT_2))
    else:
        _draw(found)


def _as_data(tool: "ToolInfo") -> dict[str, Any]:
    return {
        "name": tool.name,
        "server": tool.server,
        "description": tool.description,
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "item_ids": list(tool.ids),
    }


def _draw(found: Sequence["ToolInfo"]) -> None:
    """Print one table a server: what each tool does, and an argument a line."""
    from rich import box  # noqa: PLC0415 - only for tables
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = Console(file=StringIO(), width=get_terminal_size().columns, force_terminal=_colored())
    for server, owned in groupby(found, key=lambda tool: tool.server):
        spec = SERVERS[server]
        title = Text.assemble((server, "bold"), f"  {spec.domain or 'all domains'}, {spec.capability}")
        table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", expand=False, show_lines=True)
        table.add_column("Tool", ratio=1, max_width=38)
        table.add_column("Arguments (? may be left out)", ratio=1)
        for tool in owned:
            words = " ".join(tool.description.split())
            table.add_row(Text.assemble((tool.name, "bold"), f"\n{words}"), Text("\n".join(arguments(tool))))
        drawn.print(table)
    drawn.print(f"{len(found)} tools of {len({tool.server for tool in found})} servers.", highlight=False)
    assert isinstance(drawn.file, StringIO)
    click.echo("\n".join(line.rstrip() for line in drawn.file.getvalue().splitlines()))


def _colored() -> bool:
    """Tell whether to emphasise: where colours are wanted, or a terminal reads."""
    ctx = click.get_current_context(silent=True)
    wanted = None if ctx is None else ctx.color
    return sys.stdout.isatty() if wanted is None else wanted


def arguments(tool: "ToolInfo") -> list[str]:
    """Return a tool's arguments, each as ``name?: what it is``, with its default."""
    from recfw_orchestration.servers.faults import signature  # noqa: PLC0415 - heavy, and help does not need it

    schemas = tool.input_schema["properties"].values()
    told = []
    for name, schema in zip(signature(tool.input_schema).split(", "), schemas, strict=True):
        usual = f" [{schema['default']}]" if "default" in schema else ""
        told.append(f"{name}: {schema['description'].rstrip('.')}{usual}")
    return told
