"""``recfw plugins info``: what a plugin or a component is for, its options and figures."""

import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any

import attrs
import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.root import manager_of
from recfw.cli.wrapping import hanging
from recfw.errors import PluginError
from recfw.known import suggestion
from recfw.plugins import Manager, Plugin, disabled_by
from recfw.registries import known_here
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


@click.command("info")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def info(ctx: click.Context, name: str, *, as_json: bool) -> None:
    """Show a plugin's or a component's summary, options and figures."""
    manager, registry = manager_of(ctx), registry_of(ctx)
    found = [(kind, registry.find(kind, name)) for kind in KINDS if name in registry.names(kind)]
    offers = offers_of(registry, name) if name in manager.plugins else {}
    for kind, names in offers.items():
        found += [(kind, registry.find(kind, n)) for n in names if (kind, registry.find(kind, n)) not in found]
    if not found and name not in manager.plugins:
        raise _not_there(name, manager, registry)
    plugin = plugin_data(manager.plugins[name]) if name in manager.plugins else None
    if as_json:
        components = [_component_data(kind, component, registry) for kind, component in found]
        click.echo(orjson.dumps({"plugin": plugin, "components": components}, option=orjson.OPT_INDENT_2))
        return
    if plugin is not None:
        click.echo(hanging("", one_line(f"plugin {name}: {plugin['summary']}"), 2))
        distribution = f"distribution {plugin['distribution'] or '-'} {plugin['version']}"
        click.echo(f"  {one_line(distribution)}")
        if homepage := plugin["homepage"]:
            beside = ", beside the registry that lists it" if homepage.startswith("./") else ""
            click.echo(f"  homepage {one_line(homepage)}{beside}")
        for kind, names in offers.items():
            click.echo(hanging(f"  {kind}: ", one_line(", ".join(names))))
    for kind, component in found:
        _describe(kind, component, registry.provider(kind, component.name).name)


def offers_of(registry: Registry, plugin: str) -> dict[str, list[str]]:
    """Return kind -> names of the components that a plugin offers."""
    found = {kind: [n for n in registry.names(kind) if registry.provider(kind, n).name == plugin] for kind in KINDS}
    return {kind: names for kind, names in found.items() if names}


def _not_there(name: str, manager: Manager, registry: Registry) -> PluginError:
    registered = known_here(os.environ)
    if name in manager.disabled:
        return PluginError(f"the plugin '{name}' is disabled.", disabled_by([name]))
    if name in registered:
        return PluginError(f"the plugin '{name}' is not installed.", registered[name].how_to_install("It"))
    names = {*manager.plugins, *registered, *(n for kind in KINDS for n in registry.names(kind))}
    return PluginError(f"no plugin or component '{name}'.", suggestion(name, names))


def plugin_data(plugin: Plugin) -> dict[str, str]:
    """
    Return what there is to say of a plugin.

    Its summary and homepage are those of its distribution, which its author wrote for people; or else of a registry;
    a summary, or else the first line of its module's docstring.
    """
    known, told = known_here(os.environ).get(plugin.name), _declared(plugin.distribution)
    line = (plugin.module.__doc__ or "").strip().split("\n")[0]
    return {
        "name": plugin.name,
        "summary": told.get("summary") or (known.summary if known else line),
        "distribution": plugin.distribution,
        "version": plugin.version,
        "homepage": told.get("homepage") or (known.homepage if known else ""),
    }


def _declared(distribution: str) -> Mapping[str, str]:
    """Return what a distribution's metadata say of ``summary`` and ``homepage``; nothing for a bare module."""
    if not distribution:
        return {}
    try:
        fields = metadata(distribution)
    except PackageNotFoundError:
        return {}
    pairs = (line.partition(",") for line in fields.get_all("Project-URL") or ())
    addresses = {label.strip().casefold(): address.strip() for label, _, address in pairs}
    found = {"summary": fields["Summary"], "homepage": addresses.get("homepage") or fields["Home-page"]}
    return {name: str(value) for name, value in found.items() if value and value != "UNKNOWN"}


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
    found = {"kind": kind, "name": name, "plugin": provider, "summary": _summary(component), "options": options}
    return {**found, "figures": _figures(component)} if kind == "metrics" else found


def _summary(component: type[Any]) -> str:
    return getattr(component, "summary", "") or (component.__doc__ or "").strip().split("\n")[0]


def _figures(component: type[Any]) -> dict[str, str]:
    """Return figure -> what it is, of a metric; judges have theirs only once they know a track."""
    figures = getattr(component, "figures", None)
    return {str(name): str(words) for name, words in figures.items()} if isinstance(figures, Mapping) else {}


def _type_name(field: "attrs.Attribute[Any]") -> str:
    return str(getattr(field.type, "__name__", field.type))


def _describe(kind: str, component: type[Any], provider: str) -> None:
    summary = f" - {words}" if (words := _summary(component)) else ""
    click.echo("\n" + hanging("", one_line(f"{kind}: {component.name} ({provider}){summary}"), 2))
    for option, field in option_fields(component).items():
        default = "required" if field.default is attrs.NOTHING else f"default {_default(field.default)}"
        words = SETTABLE.get(kind, "").format(component.name)
        click.echo(f"  {one_line(f'{words}{option}')}{'=…' if words else ''}  {_type_name(field)}, {one_line(default)}")
    for figure, meaning in _figures(component).items() if kind == "metrics" else ():
        click.echo(hanging(f"  figure {one_line(figure)}: ", one_line(meaning), 4))


def _default(value: Any) -> str:
    return repr(value.factory() if isinstance(value, attrs.Factory) else value)  # type: ignore[arg-type]  # attrs types Factory as a function
