"""``recfw plugins``: what is installed, what it offers, and what is known besides."""

from typing import Any

import attrs
import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.install import install, search
from recfw.cli.plugins_check import check
from recfw.cli.plugins_new import new
from recfw.cli.root import manager_of
from recfw.errors import PluginError
from recfw.hookspecs import HOOK_API
from recfw.known import known_plugins, suggestion
from recfw.plugins import Manager, disabled_by
from recfw.registry import KINDS, Registry, option_fields
from recfw.report.words import one_line

SETTABLE = {
    "tracks": "--set track.",
    "analyses": "--set analysis.",
    "agents": "--set {}.",
    "users": "--set {}.",
    "participants": "--set {}.",
    "judges": "--set {}.",
    "renderers": "--set {}.",
}
"""Kind -> how an option of it is set on a command line; those of other kinds are set by tracks and core."""


@click.group()
def plugins() -> None:
    """List, search, install, write and check plugins."""


plugins.add_command(search)
plugins.add_command(install)
plugins.add_command(new)
plugins.add_command(check)


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
        offers = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in _offers(registry, plugin.name).items())
        click.echo(f"  {plugin.name:14} {where:24} {offers}")
    known = known_plugins()
    for name in dict.fromkeys((*manager.disabled, *known)):
        if name not in manager.plugins:
            state = "disabled" if name in manager.disabled else "not installed"
            click.echo(f"  {name:14} {state:24} {one_line(known[name].summary) if name in known else ''}".rstrip())
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
            "offers": _offers(registry, plugin.name),
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


def _offers(registry: Registry, plugin: str) -> dict[str, list[str]]:
    found = {kind: [n for n in registry.names(kind) if registry.provider(kind, n).name == plugin] for kind in KINDS}
    return {kind: names for kind, names in found.items() if names}


@plugins.command("info")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def info(ctx: click.Context, name: str, *, as_json: bool) -> None:
    """Show a plugin's or a component's summary and options."""
    manager, registry = manager_of(ctx), registry_of(ctx)
    found = [(kind, registry.find(kind, name)) for kind in KINDS if name in registry.names(kind)]
    offers = _offers(registry, name) if name in manager.plugins else {}
    for kind, names in offers.items():
        found += [(kind, registry.find(kind, n)) for n in names if (kind, registry.find(kind, n)) not in found]
    if not found and name not in manager.plugins:
        raise _not_there(name, manager, registry)
    if as_json:
        plugin = _plugin_data(manager, name) if name in manager.plugins else None
        components = [_component_data(kind, component, registry) for kind, component in found]
        click.echo(orjson.dumps({"plugin": plugin, "components": components}, option=orjson.OPT_INDENT_2))
        return
    if name in manager.plugins:
        data = _plugin_data(manager, name)
        click.echo(f"plugin {name}: {data['summary']}".rstrip())
        click.echo(f"  distribution {data['distribution'] or '-'} {data['version']}".rstrip())
        for kind, names in offers.items():
            click.echo(f"  {kind}: {', '.join(names)}")
    for kind, component in found:
        _describe(kind, component, registry.provider(kind, component.name).name)


def _not_there(name: str, manager: Manager, registry: Registry) -> PluginError:
    registered = known_plugins()
    if name in manager.disabled:
        return PluginError(f"the plugin '{name}' is disabled.", disabled_by([name]))
    if name in registered:
        return PluginError(f"the plugin '{name}' is not installed.", registered[name].how_to_install("It"))
    names = {*manager.plugins, *registered, *(n for kind in KINDS for n in registry.names(kind))}
    return PluginError(f"no plugin or component '{name}'.", suggestion(name, names))


def _plugin_data(manager: Manager, name: str) -> dict[str, Any]:
    plugin, known = manager.plugins[name], known_plugins().get(name)
    summary = known.summary if known else plugin.module.__doc__ or ""
    return {"name": name, "summary": summary, "distribution": plugin.distribution, "version": plugin.version}


def _component_data(kind: str, component: type[Any], registry: Registry) -> dict[str, Any]:
    options = {
        option: {
            "type": _type_name(field),
            "required": field.default is attrs.NOTHING,
            "default": None if field.default is attrs.NOTHING else _default(field.default),
        }
        for option, field in option_fields(component).items()
    }
    name, provider = component.name, registry.provider(kind, component.name).name
    return {"kind": kind, "name": name, "plugin": provider, "summary": _summary(component), "options": options}


def _summary(component: type[Any]) -> str:
    return getattr(component, "summary", "") or (component.__doc__ or "").strip().split("\n")[0]


def _type_name(field: "attrs.Attribute[Any]") -> str:
    return str(getattr(field.type, "__name__", field.type))


def _describe(kind: str, component: type[Any], provider: str) -> None:
    click.echo(f"\n{kind}: {component.name} ({provider}) - {_summary(component)}")
    for option, field in option_fields(component).items():
        default = "required" if field.default is attrs.NOTHING else f"default {_default(field.default)}"
        words = SETTABLE.get(kind, "").format(component.name)
        click.echo(f"  {words}{option}{'=…' if words else ''}  {_type_name(field)}, {default}")


def _default(value: Any) -> str:
    return repr(value.factory() if isinstance(value, attrs.Factory) else value)  # type: ignore[arg-type]  # attrs types Factory as a function
