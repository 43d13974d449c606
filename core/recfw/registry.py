"""Components by kind and name, and who provides them; duplicates, suggestions, and options checked by name and type."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_origin

import attrs

from recfw import protocols
from recfw.errors import DataError, PluginError, RecfwError, UsageError, words_of
from recfw.known import known_plugins, suggestion
from recfw.model.run import ComponentSpec
from recfw.plugins import CORE, Manager, Plugin, describe, disabled_by, switch
from recfw.protocols import NoOptions
from recfw.serialize import CONVERTER, explain

T = TypeVar("T")

KINDS: Mapping[str, tuple[str, ...]] = {
    "tracks": ("tasks", "open", "content_digest", "validate", "default_cells"),
    "agents": ("episode",),
    "users": ("episode",),
    "participants": ("episode",),
    "catalogs": ("ids", "get"),
    "retrievers": ("build", "search"),
    "judges": ("judge",),
    "metrics": ("score",),
    "analyses": ("report",),
    "renderers": ("render",),
    "executors": ("execute",),
}
"""Kind -> the methods without which a class is no such component."""

_SINGULAR = {kind: kind[:-1] for kind in KINDS} | {"analyses": "analysis"}


class Registry:
    """What the loaded plugins offer, looked up one kind at a time and only when asked."""

    def __init__(self, manager: Manager) -> None:
        self.manager = manager
        self._found: dict[str, dict[str, tuple[type[Any], Plugin]]] = {}

    def _kind(self, kind: str) -> dict[str, tuple[type[Any], Plugin]]:
        if kind not in self._found:
            found: dict[str, tuple[type[Any], Plugin]] = {}
            for plugin, item in self.manager.collect(f"recfw_register_{kind}"):
                name = _checked_name(kind, item, plugin)
                if name in found:
                    other = found[name][1]
                    message = f"{describe(other)} and {describe(plugin)} both offer the {_SINGULAR[kind]} '{name}'."
                    raise PluginError(message, switch(plugin.name))
                found[name] = (item, plugin)
            self._found[kind] = dict(sorted(found.items()))
        return self._found[kind]

    def names(self, kind: str) -> Sequence[str]:
        """Return the registered names of one kind, sorted."""
        return tuple(self._kind(kind))

    def classes(self, kind: str) -> Mapping[str, type[Any]]:
        """Return name -> class of one kind."""
        return {name: item for name, (item, _) in self._kind(kind).items()}

    def provider(self, kind: str, name: str) -> Plugin:
        """Return the plugin that offers a component."""
        self.find(kind, name)
        return self._kind(kind)[name][1]

    def find(self, kind: str, name: str) -> type[Any]:
        """
        Return a component's class.

        Raises:
            UsageError: No plugin offers it; the message lists the known names and suggests the closest, or the plugin
                that would provide it.
        """
        found = self._kind(kind)
        if name in found:
            return found[name][0]
        known = ", ".join(found) or "none"
        hint = suggestion(name, found) or suggestion_to_install(kind, name, self.manager.disabled)
        raise UsageError(f"no {_SINGULAR[kind]} '{name}' (known: {known}).", hint)

    def create(self, kind: str, spec: ComponentSpec) -> Any:
        """
        Return a new component, its options checked.

        Raises:
            UsageError: An option is unknown or of the wrong type.
            PluginError: It cannot be made, whatever it raised.
        """
        found = self.find(kind, spec.name)
        where = f"{_SINGULAR[kind]} '{spec.name}'"
        return self.call(kind, spec.name, "cannot be made", lambda: found(options_from(found, spec.options, where)))

    def call(self, kind: str, name: str, trouble: str, function: Callable[..., T], *arguments: Any) -> T:
        """
        Return what a component's code gives.

        Raises:
            RecfwError: As it raised it.
            PluginError: It raised anything else, be it SystemExit; the message names the component and its plugin.
        """
        try:
            return function(*arguments)
        except (RecfwError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise self.fault(kind, name, f"{trouble}: {words_of(error)}") from error

    def fault(self, kind: str, name: str, words: str) -> PluginError:
        """Return the error of a component that breaks its protocol; it names the component and its plugin."""
        plugin = self.provider(kind, name).name
        hint = "This is a fault of recfw itself; please report it." if plugin == CORE else switch(plugin)
        return PluginError(f"{_SINGULAR[kind]} '{name}' (plugin {plugin}) {words}.", hint)


def suggestion_to_install(kind: str, name: str, disabled: Sequence[str] = ()) -> str:
    """Return which known or disabled plugin provides a component, and how to have it; empty where none does."""
    for title, plugin in known_plugins().items():
        if name in plugin.provides.get(kind, ()):
            what = f"The {_SINGULAR[kind]} '{name}'"
            if title in disabled:
                return f"{what} is offered by the plugin '{title}', which is disabled: {disabled_by([title])}"
            return plugin.how_to_install(what)
    return f"A disabled plugin may offer it: {disabled_by(disabled)}" if disabled else ""


def _checked_name(kind: str, item: Any, plugin: Plugin) -> str:
    name = getattr(item, "name", None)
    if not isinstance(item, type) or not isinstance(name, str) or not name:
        message = f"{describe(plugin)} offers {item!r} among its {kind}, which is no class with a 'name'."
        raise PluginError(message, switch(plugin.name))
    missing = [method for method in KINDS[kind] if not _defines(item, method)]
    if missing:
        message = f"{describe(plugin)}: {_SINGULAR[kind]} '{name}' lacks {', '.join(missing)} (see recfw.protocols)."
        raise PluginError(message, switch(plugin.name))
    if not attrs.has(getattr(item, "Options", NoOptions)):
        message = f"{describe(plugin)}: the Options of {_SINGULAR[kind]} '{name}' are no attrs class."
        raise PluginError(message, switch(plugin.name))
    return name


def _defines(item: type[Any], method: str) -> bool:
    """Tell whether a class has a method of its own, not merely the empty one of the protocol that it subclasses."""
    found = getattr(item, method, None)
    return callable(found) and getattr(found, "__module__", "") != protocols.__name__


def option_fields(component: type[Any]) -> Mapping[str, "attrs.Attribute[Any]"]:
    """Return a component's options by name."""
    options = attrs.resolve_types(getattr(component, "Options", NoOptions))
    return {field.name: field for field in attrs.fields(options)}


def options_from(component: type[Any], values: Mapping[str, Any], where: str) -> Any:
    """
    Return a component's options from plain data.

    Raises:
        UsageError: A name is unknown, a value has the wrong type, or a required option is missing.
    """
    fields = option_fields(component)
    for name in values:
        if name not in fields:
            has = f"it has: {', '.join(fields)}" if fields else "it has none"
            raise UsageError(f"{where} has no option '{name}' ({has}).", suggestion(name, fields))
    kind = getattr(component, "Options", NoOptions)
    try:
        return CONVERTER.structure(dict(values), kind)
    except (UsageError, DataError) as error:
        blamed = _blamed(kind, fields, values, error)
        words = f"option '{blamed}': {error.message}" if blamed and blamed not in error.message else error.message
        raise UsageError(f"{where}: {words}", error.hint) from error
    except Exception as error:
        raise UsageError(f"{where}: {_fault(explain(error), values, _blamed(kind, fields, values, error))}.") from error


def _fault(words: str, values: Mapping[str, Any], blamed: str) -> str:
    """Return a structuring fault as a sentence about an option: "… @ $.size" tells where cattrs met it."""
    what, _, path = words.rpartition(" @ $")
    name = path.lstrip(".")
    if not name:
        what = (what or words).rstrip(".")
        if blamed and f"'{blamed}'" not in what:
            return f"option '{blamed}': {what}"
        return f"option {what}" if blamed else what
    if what == "required field missing":
        return f"option '{name}' is required"
    kind = what.removeprefix("wrong type, expected ")
    given = f", not {values[name]!r}" if name in values else ""
    return f"option '{name}': {what}" if kind == what else f"option '{name}' needs {kind}{given}"


def _blamed(
    kind: type[Any], fields: Mapping[str, "attrs.Attribute[Any]"], values: Mapping[str, Any], error: Exception
) -> str:
    """Return the option that brings an error without the others, too; empty where it takes several."""
    needed = {name: value for name, value in values.items() if fields[name].default is attrs.NOTHING}
    for name, value in {**needed, **values}.items():
        try:
            CONVERTER.structure({**needed, name: value}, kind)
        except Exception as alone:  # noqa: BLE001 - a validator may raise anything
            if (name not in needed or len(needed) == 1) and explain(alone) == explain(error):
                return name
    return ""


def option_value(component: type[Any], name: str, text: str, where: str) -> Any:
    """
    Return an option's value from the text of ``--set``, read by the option's type.

    Raises:
        UsageError: The option is unknown, or the text is no such value.
    """
    fields = option_fields(component)
    if name not in fields:
        options_from(component, {name: text}, where)
    kind: Any = fields[name].type
    kinds = get_args(kind) if get_origin(kind) not in {None, list, tuple, dict} else (kind,)
    if type(None) in kinds and text.lower() in {"none", "null"}:
        return None
    for wanted in kinds:
        try:
            return _read(wanted, text)
        except ValueError:
            continue
    raise UsageError(f"{where}: option '{name}' needs {_words(kind)}, not '{text}'.")


def _read(kind: Any, text: str) -> Any:
    if kind is bool:
        words = {
            "true": True,
            "yes": True,
            "1": True,
            "on": True,
            "false": False,
            "no": False,
            "0": False,
            "off": False,
        }
        if text.lower() not in words:
            raise ValueError(text)
        return words[text.lower()]
    if kind is float and not math.isfinite(float(text)):
        raise ValueError(text)
    if kind in {int, float}:
        return kind(text)
    if kind is type(None):
        raise ValueError(text)
    if get_origin(kind) in {list, tuple}:
        inner = get_args(kind)[0] if get_args(kind) else str
        return [_read(inner, part.strip()) for part in text.split(",") if part.strip()]
    if get_origin(kind) is dict or kind is Any:
        import yaml  # noqa: PLC0415 - needed only for options that are objects

        try:
            return yaml.safe_load(text)
        except (yaml.YAMLError, RecursionError) as error:
            raise ValueError(text) from error
    return text


def _words(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))
