"""``recfw plugins``: what is installed, what it offers, and what is known besides."""

from typing import Any

import attrs
import click

from recfw.cli.common import registry_of
from recfw.cli.root import manager_of
from recfw.errors import PluginError
from recfw.hookspecs import HOOK_API
from recfw.known import known_plugins, suggestion
from recfw.plugins import disabled_by
from recfw.registry import KINDS, Registry, option_fields

SETTABLE = {
    "tracks": "--set track.",
    "analyses": "--set analysis.",
    "agents": "--set {}.",
    "users": "--set {}.",
    "participants": "--set {}.",
    "judges": "--set {}.",
}
"""Kind -> how an option of it is set on a command line; those of other kinds are set by tracks and core."""


@click.group()
def plugins() -> None:
    """List plugins and what they offer."""


@plugins.command("list")
@click.option("--hooks", is_flag=True, help="Also list every hook and who implements it.")
@click.pass_context
def list_plugins(ctx: click.Context, *, hooks: bool) -> None:
    """List installed plugins, and known ones that are not installed."""
    manager, registry = manager_of(ctx), registry_of(ctx)
    click.echo(f"hook interface {HOOK_API}")
    for plugin in manager.plugins.values():
        where = f"{plugin.distribution} {plugin.version}" if plugin.distribution else "a module, no distribution"
        offers = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in _offers(registry, plugin.name).items())
        click.echo(f"  {plugin.name:14} {where:24} {offers}")
    known = known_plugins()
    for name in dict.fromkeys((*manager.disabled, *known)):
        if name not in manager.plugins:
            state = "disabled" if name in manager.disabled else "not installed"
            click.echo(f"  {name:14} {state:24} {known[name].summary if name in known else ''}".rstrip())
    if hooks:
        for hook in manager.hooks():
            names = ", ".join(plugin.name for plugin, _, _ in manager.implementations(hook)) or "-"
            click.echo(f"  {hook:32} {names}")


def _offers(registry: Registry, plugin: str) -> dict[str, list[str]]:
    found = {kind: [n for n in registry.names(kind) if registry.provider(kind, n).name == plugin] for kind in KINDS}
    return {kind: names for kind, names in found.items() if names}


@plugins.command("info")
@click.argument("name")
@click.pass_context
def info(ctx: click.Context, name: str) -> None:
    """Show a plugin's or a component's summary and options."""
    manager, registry = manager_of(ctx), registry_of(ctx)
    found = [(kind, registry.find(kind, name)) for kind in KINDS if name in registry.names(kind)]
    if name in manager.plugins:
        plugin = manager.plugins[name]
        known = known_plugins().get(name)
        click.echo(f"plugin {name}: {known.summary if known else plugin.module.__doc__ or ''}".rstrip())
        click.echo(f"  distribution {plugin.distribution or '-'} {plugin.version}".rstrip())
        for kind, names in _offers(registry, name).items():
            click.echo(f"  {kind}: {', '.join(names)}")
            found += [(kind, registry.find(kind, n)) for n in names if (kind, registry.find(kind, n)) not in found]
    elif not found:
        registered = known_plugins()
        if name in manager.disabled:
            raise PluginError(f"the plugin '{name}' is disabled.", disabled_by([name]))
        if name in registered:
            raise PluginError(f"the plugin '{name}' is not installed.", registered[name].how_to_install("It"))
        names_ = {*manager.plugins, *registered, *(n for kind in KINDS for n in registry.names(kind))}
        raise PluginError(f"no plugin or component '{name}'.", suggestion(name, names_))
    for kind, component in found:
        _describe(kind, component, registry.provider(kind, component.name).name)


def _describe(kind: str, component: type[Any], provider: str) -> None:
    summary = getattr(component, "summary", "") or (component.__doc__ or "").strip().split("\n")[0]
    click.echo(f"\n{kind}: {component.name} ({provider}) - {summary}")
    for option, field in option_fields(component).items():
        default = "required" if field.default is attrs.NOTHING else f"default {_default(field.default)}"
        words = SETTABLE.get(kind, "").format(component.name)
        click.echo(
            f"  {words}{option}{'=…' if words else ''}  {getattr(field.type, '__name__', field.type)}, {default}"
        )


def _default(value: Any) -> str:
    return repr(value.factory() if isinstance(value, attrs.Factory) else value)  # type: ignore[arg-type]  # attrs types Factory as a function
