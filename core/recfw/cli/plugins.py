"""``recfw plugins``: what is installed, what it offers, and what is known besides."""

from typing import Any

import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.install import install, search
from recfw.cli.plugins_check import check
from recfw.cli.plugins_info import info, offers_of
from recfw.cli.plugins_new import new
from recfw.cli.root import manager_of
from recfw.cli.wrapping import hanging
from recfw.hookspecs import HOOK_API
from recfw.known import known_plugins
from recfw.plugins import Manager
from recfw.registry import Registry
from recfw.report.words import one_line


@click.group()
def plugins() -> None:
    """List, search, install, write and check plugins."""


plugins.add_command(search)
plugins.add_command(install)
plugins.add_command(new)
plugins.add_command(check)
plugins.add_command(info)


@plugins.command("list")
@click.option("--hooks", is_flag=True, help="Also list every hook and who implements it.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def list_plugins(ctx: click.Context, *, hooks: bool, as_json: bool) -> None:
    """List installed plugins, and known ones that are not installed."""
    manager, registry = manager_of(ctx), registry_of(ctx)
    if as_json:
        click.echo(orjson.dumps(_as_data(manager, registry), option=orjson.OPT_INDENT_2))
        return
    click.echo(f"hook interface {HOOK_API}")
    for plugin in manager.plugins.values():
        where = f"{plugin.distribution} {plugin.version}" if plugin.distribution else "a module, no distribution"
        offers = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in offers_of(registry, plugin.name).items())
        click.echo(hanging(f"  {one_line(plugin.name):14} ", f"{one_line(where):24} {one_line(offers)}"))
    known = known_plugins()
    for name in dict.fromkeys((*manager.disabled, *known)):
        if name not in manager.plugins:
            state = "disabled" if name in manager.disabled else "not installed"
            summary = one_line(known[name].summary) if name in known else ""
            click.echo(hanging(f"  {name:14} ", f"{state:24} {summary}".rstrip()))
    if hooks:
        for hook in manager.hooks():
            names = ", ".join(plugin.name for plugin, _, _ in manager.implementations(hook)) or "-"
            click.echo(f"  {hook:32} {names}")


def _as_data(manager: Manager, registry: Registry) -> dict[str, Any]:
    loaded = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "offers": offers_of(registry, plugin.name),
        }
        for plugin in manager.plugins.values()
    ]
    missing = [name for name in known_plugins() if name not in manager.plugins and name not in manager.disabled]
    hooks = {hook: [plugin.name for plugin, _, _ in manager.implementations(hook)] for hook in manager.hooks()}
    return {
        "hook_api": HOOK_API,
        "plugins": loaded,
        "disabled": manager.disabled,
        "not_installed": missing,
        "hooks": hooks,
    }
