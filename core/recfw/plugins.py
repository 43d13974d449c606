"""
The plugin manager: discovery by the entry-point group ``recfw``, load errors in words, and calls that stay apart.

pluggy stops at the first implementation that fails, so every hook is called here one implementation at a time.
"""

import difflib
import importlib
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy
from attrs import field, frozen

from recfw.errors import PluginError, words_of
from recfw.hookspecs import PROJECT, HookRemovalWarning, commands, components, lifecycle

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

GROUP = "recfw"
DISABLE_VARIABLE = "RECFW_DISABLE_PLUGINS"
EXTRA_VARIABLE = "RECFW_PLUGINS"
CORE = "core"


@frozen
class Plugin:
    """
    A loaded plugin.

    Args:
        name: Entry point's name, or the module's for one named in ``RECFW_PLUGINS``.
        distribution: The distribution that brought it; empty for a bare module.
        version: The distribution's version; empty for a bare module.
        module: The module that holds its hooks.
    """

    name: str
    distribution: str
    version: str
    module: ModuleType = field(repr=False)


class Manager:
    """
    The loaded plugins, in order of name, and how their hooks are called.

    ``disabled`` names the plugins that are there but were not to be loaded; ``leaving`` holds a sentence for each
    argument of a hook that a plugin takes and that will be removed.

    Args:
        specs: Modules that hold the hooks' specifications.
    """

    def __init__(self, specs: Sequence[ModuleType] = (components, lifecycle, commands)) -> None:
        self.plugins: dict[str, Plugin] = {}
        self.disabled: list[str] = []
        self.leaving: list[str] = []
        self._pluggy = pluggy.PluginManager(PROJECT)
        for module in specs:
            self._pluggy.add_hookspecs(module)

    def hooks(self) -> list[str]:
        """Return the names of all hooks."""
        return sorted(name for name in vars(self._pluggy.hook) if name.startswith("recfw_"))

    def add(self, plugin: Plugin) -> None:
        """
        Register a plugin's hooks.

        An argument that will be removed is a :class:`recfw.hookspecs.HookRemovalWarning` at the hook's line.

        Raises:
            PluginError: A hook is misspelt, or takes arguments that its specification has not.
        """
        self._check_names(plugin)
        try:
            self._register(plugin)
            self._pluggy.check_pending()
        except pluggy.PluginValidationError as error:
            words = " ".join(str(error).split())
            raise PluginError(
                f"{describe(plugin)} does not fit recfw's hooks: {words}.", switch(plugin.name)
            ) from error
        except ValueError as error:
            raise PluginError(f"{describe(plugin)} is registered twice.", switch(plugin.name)) from error
        self.plugins[plugin.name] = plugin

    def _register(self, plugin: Plugin) -> None:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self._pluggy.register(plugin.module, plugin.name)
        for one in told:
            message = one.message
            if issubclass(one.category, HookRemovalWarning):
                message = one.category(f"{describe(plugin)}: {one.message}")  # whom to upgrade, or to ask
                self.leaving.append(str(message))
            warnings.warn_explicit(message, one.category, one.filename, one.lineno)

    def _check_names(self, plugin: Plugin) -> None:
        known = self.hooks()
        for name, value in vars(plugin.module).items():
            marked = hasattr(value, f"{PROJECT}_impl")
            if not marked and not (name.startswith("recfw_") and callable(value)):
                continue
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"Did you mean '{close[0]}'?" if close else "`recfw plugins list --hooks` names all hooks."
                raise PluginError(
                    f"{describe(plugin)} implements an unknown hook '{name}'. {hint}", switch(plugin.name)
                )
            if not marked:
                message = (
                    f"{describe(plugin)} defines '{name}' without the @hookimpl marker, so it would never be called."
                )
                raise PluginError(message, switch(plugin.name))

    def implementations(self, hook: str) -> Iterator[tuple[Plugin, Callable[..., Any], tuple[str, ...]]]:
        """Yield (plugin, function, names of the arguments it takes) for one hook, in order of plugin name."""
        caller: pluggy.HookCaller = getattr(self._pluggy.hook, hook)
        for impl in sorted(caller.get_hookimpls(), key=lambda impl: impl.plugin_name):
            yield self.plugins[impl.plugin_name], impl.function, tuple(impl.argnames)

    def collect(self, hook: str) -> Iterator[tuple[Plugin, Any]]:
        """
        Yield (plugin, item) for everything that plugins offer through a registering hook.

        Raises:
            PluginError: An implementation fails or returns something that cannot be iterated.
        """
        for plugin, function, _ in self.implementations(hook):
            try:
                items = list(function())
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                message = f"{describe(plugin)} fails in {hook}: {words_of(error)}."
                raise PluginError(message, switch(plugin.name)) from error
            for item in items:
                yield plugin, item

    def emit(self, hook: str, **arguments: Any) -> list[str]:
        """Call every observer of a hook; return words about those that failed."""
        failures = []
        for plugin, function, names in self.implementations(hook):
            try:
                function(**{name: arguments[name] for name in names})
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - an observer cannot break a run, whatever it raises
                failures.append(f"{describe(plugin)} fails in {hook}: {words_of(error)}")
        return failures


def describe(plugin: Plugin) -> str:
    """Return how errors name a plugin."""
    if not plugin.distribution:
        return f"Plugin '{plugin.name}'"
    return f"Plugin '{plugin.name}' (distribution {plugin.distribution} {plugin.version})"


def switch(name: str) -> str:
    """Return how to go on without a plugin."""
    return f"To go on without it: recfw --disable-plugin {name} …, or {DISABLE_VARIABLE}={name}."


def disabled_by(names: Sequence[str]) -> str:
    """Return what keeps plugins from being loaded, and how to have them again."""
    return f"--disable-plugin or {DISABLE_VARIABLE} names {', '.join(names)}: leave that out to have it."


def _names(environ: Mapping[str, str], variable: str) -> list[str]:
    return [name.strip() for name in environ.get(variable, "").split(",") if name.strip()]


def build_manager(environ: Mapping[str, str] | None = None, failures: dict[str, PluginError] | None = None) -> Manager:
    """
    Load every installed plugin and those that the environment names, in order of name.

    Args:
        environ: Where ``RECFW_DISABLE_PLUGINS`` and ``RECFW_PLUGINS`` (comma-separated) are read.
        failures: Takes the errors of plugins that cannot be loaded, by name, for who goes on without them.

    Raises:
        PluginError: A plugin cannot be loaded, with its name, distribution, cause and the switch that disables it;
            unless ``failures`` takes it.
    """
    environ = os.environ if environ is None else environ
    disabled = set(_names(environ, DISABLE_VARIABLE))
    manager = Manager()
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=_rank):
        if entry.name in disabled:
            manager.disabled = list(dict.fromkeys((*manager.disabled, entry.name)))
            continue
        other = found.setdefault(entry.name, entry)
        if _rank(other) != _rank(entry):
            message = f"{_title(other)} and {_title(entry)} both call themselves so."
            _tell(PluginError(message, switch(entry.name)), entry.name, failures)
    wanted = list(found.values())
    for module in _names(environ, EXTRA_VARIABLE):
        if module in disabled:
            manager.disabled.append(module)
        else:
            wanted.append(EntryPoint(module, module, GROUP))
    for entry in wanted:
        try:
            manager.add(_load(entry))
        except PluginError as error:
            _tell(error, entry.name, failures)
    return manager


def _tell(error: PluginError, name: str, failures: dict[str, PluginError] | None) -> None:
    if failures is None:
        raise error
    failures.setdefault(name, error)


def _rank(entry: EntryPoint) -> tuple[str, str]:
    return entry.name, entry.dist.name if entry.dist else ""


def _title(entry: EntryPoint) -> str:
    return describe(_named(entry, ModuleType("unloaded")))


def _named(entry: EntryPoint, module: ModuleType) -> Plugin:
    name, version = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")
    return Plugin(entry.name, name, version, module)


def _load(entry: EntryPoint) -> Plugin:
    try:
        module = importlib.import_module(entry.module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message = f"{_title(entry)} cannot be loaded: {words_of(error)}."
        raise PluginError(message, switch(entry.name)) from error
    return _named(entry, module)


def declared_core(found: Distribution) -> "SpecifierSet | None":
    """Return the versions of recfw that a distribution requires; None where it does not require recfw."""
    from packaging.requirements import InvalidRequirement, Requirement  # noqa: PLC0415 - seldom needed, slow to import
    from packaging.specifiers import SpecifierSet  # noqa: PLC0415

    wanted = []
    for text in found.requires or ():
        try:
            each = Requirement(text)
        except InvalidRequirement:
            continue
        if each.name == "recfw":
            wanted.append(each.specifier)
    return SpecifierSet(",".join(str(each) for each in wanted if each)) if wanted else None
