"""``recfw orchestration data``: what a store holds, where it comes from, what was left out and why."""

from pathlib import Path
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from recfw_orchestration.data.store import Counted, Data
from recfw_orchestration.stores import open_told

_COUNTED: tuple[Counted, ...] = ("items", "users", "reviews", "tips", "checkins", "pages")


@click.command()
@click.option("--data", "path", metavar="FILE", type=Path, help="A store. [default: the embedded world]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def data(path: Path | None, *, as_json: bool) -> None:
    """
    Show what a store holds: counts, files, lines that were left out and why, and its digest.

    \b
    Example:
      recfw orchestration data
      recfw orchestration data --data my.db --json
    """  # noqa: D301 - click reads \b as the character that it stands for
    found = open_told(path)
    if as_json:
        click.echo(orjson.dumps(summary(found), option=orjson.OPT_INDENT_2).decode())
    else:
        show(found)
    found.close()


def summary(found: Data) -> dict[str, Any]:
    """Return a store's path, digest, and for each domain counts, files and lines by fate."""
    domains = {}
    for domain in found.domains:
        told: Any = found.manifest[domain]
        domains[domain] = {"counts": {table: found.count(table, domain) for table in _COUNTED}, **told}
    return {"store": str(found.path), "digest": found.digest, "domains": domains}


def show(found: Data) -> None:
    """Print a store's summary as tables."""
    told = summary(found)
    console = Console()
    table = Table("domain", *_COUNTED, box=None)
    for domain, of in told["domains"].items():
        table.add_row(domain, *(f"{of['counts'][name]:,}" for name in _COUNTED))
    console.print(table)
    lost = Table("domain", "record", "left out because", "lines", box=None)
    for domain, of in told["domains"].items():
        for kind, fates in sorted(of["lines"].items()):
            for fate, n in sorted(fates.items()):
                if fate != "read":
                    lost.add_row(domain, kind, fate, f"{n:,}")
    if lost.row_count:
        console.print()
        console.print(lost)
    click.echo(f"\n{told['store']}  digest {told['digest'][:16]}")
