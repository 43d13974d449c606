"""
From words to a RunSpec: names resolved, options checked by type, repeated words multiplied into a matrix of cells.

A request is what a command line or a YAML file says; nothing has been looked up in it yet.
"""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from recfw.engine.plain import LARGEST, check_plain
from recfw.engine.plan import MOST_TRIALS
from recfw.errors import PluginError, UsageError
from recfw.known import suggestion
from recfw.model.run import Cell, ComponentSpec, Limits, RunSpec
from recfw.plugins import Manager, disabled_by
from recfw.protocols import Track
from recfw.registry import Registry, option_fields, option_value, options_from
from recfw.serialize import from_data, to_data

LARGEST_LIMIT = 10**9
"""Largest limit: seconds of thirty years, and more turns than any episode has."""
RETRIEVER = "retriever"
"""A track's option of this name (what ``--retriever`` sets) holds the name of a registered retriever, or nothing."""


@frozen
class OptionValue:
    """One ``component.option=value``; values from a command line are text, those from YAML are typed."""

    component: str
    option: str
    value: Any


@frozen
class RunRequest:
    """
    What a user asks for.

    Args:
        plugin: Entry point's name; may be empty where ``track`` is given.
        track: Which of the plugin's tracks; may be empty where it offers one.
        roles: Role -> component names; several make a matrix.
        options: Track option -> values (text or typed); several make a matrix.
        settings: Options of components, by role, component name, ``track`` or ``limits``; repeated ones make a matrix.
        tasks: Selection patterns; none selects all.
        trials: Trials of each task in each cell.
        seed: The run's seed.
        judges: Names of judges.
    """

    plugin: str = ""
    track: str = ""
    roles: dict[str, tuple[str, ...]] = Factory(dict)
    options: dict[str, tuple[Any, ...]] = Factory(dict)
    settings: tuple[OptionValue, ...] = ()
    tasks: tuple[str, ...] = ()
    trials: int = 1
    seed: int = 0
    judges: tuple[str, ...] = ()


def parse_setting(text: str) -> OptionValue:
    """Return the setting of one ``component.option=value``; UsageError where it has another shape."""
    name, equals, value = text.partition("=")
    component, dot, option = name.partition(".")
    if not (equals and dot and component and option):
        raise UsageError(f"'{text}' is no setting.", "Write component.option=value, as in --set agent.model=small.")
    return OptionValue(component, option, value)


def find_track(registry: Registry, plugin: str, track: str) -> tuple[str, type[Track]]:
    """
    Return (plugin name, track class).

    Raises:
        PluginError: The plugin is not installed; the message says which distribution provides it and how to install it.
        UsageError: The plugin offers no such track, none, or several without one being named.
    """
    if plugin and plugin not in registry.manager.plugins:
        raise _not_there(plugin, registry.manager)
    if track:
        found = registry.find("tracks", track)
        provider = registry.provider("tracks", track).name
        if plugin and provider != plugin:
            raise UsageError(f"the track '{track}' is offered by the plugin '{provider}', not by '{plugin}'.")
        return provider, found
    if not plugin:
        names = ", ".join(registry.names("tracks")) or "none installed"
        raise UsageError(f"nothing says what to run (tracks: {names}).", "Try: recfw run --plugin NAME")
    offered = [name for name in registry.names("tracks") if registry.provider("tracks", name).name == plugin]
    if len(offered) != 1:
        what = f"offers {len(offered)} tracks ({', '.join(offered)})" if offered else "offers no track"
        raise UsageError(f"the plugin '{plugin}' {what}.", "Name one with --track." if offered else "")
    return plugin, registry.find("tracks", offered[0])


def _not_there(plugin: str, manager: Manager) -> PluginError:
    from recfw.registries import known_here  # noqa: PLC0415 - loads yaml, which only errors need

    known = known_here(os.environ)
    if plugin in manager.disabled:
        return PluginError(f"the plugin '{plugin}' is disabled.", disabled_by([plugin]))
    if plugin in known:
        return PluginError(f"the plugin '{plugin}' is not installed.", known[plugin].how_to_install("It"))
    names = sorted({*manager.plugins, *known} - {"core"})
    return PluginError(f"no plugin '{plugin}' (known: {', '.join(names)}).", suggestion(plugin, names))


def build_spec(registry: Registry, request: RunRequest) -> RunSpec:
    """
    Return the RunSpec of a request.

    Raises:
        RecfwError: Anything in it is unknown, of the wrong type, or contradicts itself, by name.
    """
    plugin, track_class = find_track(registry, request.plugin, request.track)
    _check_numbers(request)
    _check_components(registry, track_class, request)
    _check_offered(registry, track_class)
    cells = _cells(registry, track_class, request)
    spec = RunSpec(
        plugin=plugin,
        track=track_class.name,
        cells=tuple(cells),
        tasks=request.tasks,
        trials=request.trials,
        seed=request.seed,
        limits=_limits(track_class, request.settings),
        judges=tuple(judge_spec(registry, name, request.settings) for name in request.judges),
    )
    check_plain(to_data(spec))
    return spec


def _check_numbers(request: RunRequest) -> None:
    if request.trials < 1:
        raise UsageError(f"{request.trials} trials: at least one is needed.")
    if request.trials > MOST_TRIALS:
        raise UsageError(f"{request.trials} trials: a run has at most {MOST_TRIALS:,}, over all cells and tasks.")
    if not 0 <= request.seed <= LARGEST:
        raise UsageError(f"seed {request.seed}: a seed is a whole number from 0 to {LARGEST}.")


def _check_offered(registry: Registry, track: type[Track]) -> None:
    """Refuse a track whose metrics or analyses nobody offers now, and not when everything has been played."""
    for kind, names in (("metrics", track.metrics), ("analyses", track.analyses)):
        for name in names:
            try:
                registry.find(kind, name)
            except UsageError as error:
                raise PluginError(f"the track '{track.name}' cannot be run: {error.message}", error.hint) from error


def _check_components(registry: Registry, track: type[Track], request: RunRequest) -> None:
    for role in request.roles:
        if role not in track.roles:
            known = ", ".join(track.roles)
            raise UsageError(
                f"the track '{track.name}' has no role '{role}' (it has: {known}).", suggestion(role, track.roles)
            )
    for option in request.options:
        if option not in option_fields(track):
            raise UsageError(
                f"the track '{track.name}' takes no --{option}.",
                f"`recfw plugins info {track.name}` lists its options.",
            )
    names = {name for chosen in request.roles.values() for name in chosen}
    names |= {spec.default for spec in track.roles.values()} | set(request.judges)
    if not request.roles:
        names |= {c.name for cell in _defaults(registry, track) for c in cell.roles.values()}
    known_components = {"track", "limits", "judge", *track.roles, *names}
    for setting in request.settings:
        if setting.component not in known_components:
            known = ", ".join(sorted(known_components))
            asked = f"--set {setting.component}.{setting.option}"
            message = f"{asked}: this run has no component '{setting.component}' (it has: {known})."
            raise UsageError(message, suggestion(setting.component, known_components))


def _defaults(registry: Registry, track: type[Track]) -> list[Cell]:
    made: Track = registry.create("tracks", ComponentSpec(track.name))
    found: list[Any] = registry.call("tracks", track.name, "fails in default_cells", lambda: list(made.default_cells()))
    for cell in found:
        if not isinstance(cell, Cell):
            raise registry.fault("tracks", track.name, f"has {type(cell).__name__} among its default cells, no Cell")
    return found


def _cells(registry: Registry, track: type[Track], request: RunRequest) -> list[Cell]:
    """Return the matrix: who fills the roles x track options x repeated component options."""
    made: list[tuple[Cell, tuple[str, ...]]] = []
    for base in _bases(registry, track, request):
        for options, option_words in _option_choices(registry, track, base, request):
            for roles, role_words in _role_choices(registry, track, base, request.settings):
                made.append((Cell("", roles, options), (*_role_names(roles), *option_words, *role_words)))
    return _named(made)


def _bases(registry: Registry, track: type[Track], request: RunRequest) -> list[Cell]:
    if not request.roles:
        cells = _defaults(registry, track)
        if not cells:
            raise PluginError(
                f"the track '{track.name}' has no default cells.", "Name who fills its roles, as in --agent."
            )
        return cells
    names = [request.roles.get(role) or (spec.default,) for role, spec in track.roles.items()]
    return [
        Cell("", {role: ComponentSpec(name) for role, name in zip(track.roles, chosen, strict=True)})
        for chosen in product(*names)
    ]


def _option_choices(
    registry: Registry, track: type[Track], base: Cell, request: RunRequest
) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    where = f"track '{track.name}'"
    asked: dict[str, list[Any]] = {name: list(values) for name, values in request.options.items()}
    for setting in request.settings:
        if setting.component == "track":
            asked.setdefault(setting.option, []).append(setting.value)
    choices = []
    for values in product(*asked.values()):
        chosen = {name: setting_value(track, name, value, where) for name, value in zip(asked, values, strict=True)}
        resolved = to_data(options_from(track, {**base.options, **chosen}, where))
        check_plain(resolved, "options")
        if resolved.get(RETRIEVER):
            registry.find("retrievers", resolved[RETRIEVER])
        choices.append((resolved, tuple(str(resolved[name]) for name in asked)))
    return choices


def _role_choices(
    registry: Registry, track: type[Track], base: Cell, settings: Sequence[OptionValue]
) -> list[tuple[dict[str, ComponentSpec], tuple[str, ...]]]:
    fillers = {role: base.roles.get(role, ComponentSpec(spec.default)) for role, spec in track.roles.items()}
    asked: dict[tuple[str, str], list[Any]] = {}
    for setting in settings:
        for role, filler in fillers.items():
            found = registry.find(track.roles[role].kind, filler.name)
            if setting.component in {role, filler.name} and _takes(found, setting, fillers, role):
                typed = setting_value(found, setting.option, setting.value, f"{role} '{filler.name}'")
                asked.setdefault((role, setting.option), []).append(typed)
    choices = []
    for values in product(*asked.values()):
        options: dict[str, dict[str, Any]] = {role: dict(filler.options) for role, filler in fillers.items()}
        for (role, option), value in zip(asked, values, strict=True):
            options[role][option] = value
        roles = {}
        for role, filler in fillers.items():
            found = registry.find(track.roles[role].kind, filler.name)
            _check_track(found, track)
            resolved = options_from(found, options[role], f"{role} '{filler.name}'")
            roles[role] = ComponentSpec(filler.name, to_data(resolved))
        words = tuple(str(v) for (_, values_), v in zip(asked.items(), values, strict=True) if len(values_) > 1)
        choices.append((roles, words))
    return choices


def _takes(found: type[Any], setting: OptionValue, fillers: Mapping[str, ComponentSpec], role: str) -> bool:
    """A setting by role reaches the fillers that have the option; by component name it must fit."""
    fields = option_fields(found)
    if setting.option in fields:
        return True
    where = f"{role} '{fillers[role].name}'"
    has = f"it has: {', '.join(fields)}" if fields else "it has none"
    raise UsageError(f"{where} has no option '{setting.option}' ({has}).", suggestion(setting.option, fields))


def _check_track(found: type[Any], track: type[Track]) -> None:
    serves = tuple(getattr(found, "tracks", ()))
    if serves and track.name not in serves:
        raise UsageError(f"'{found.name}' does not play the track '{track.name}' (it plays: {', '.join(serves)}).")


def setting_value(component: type[Any], option: str, value: Any, where: str) -> Any:
    """Return a setting's value by the option's type, a path that exists made absolute; UsageError where it is none."""
    typed = _read(component, option, value, where)
    field = option_fields(component).get(option)
    is_path = field is not None and field.metadata.get("path") and isinstance(typed, str) and typed
    return str(Path(typed).resolve()) if is_path and Path(typed).exists() else typed


def _read(component: type[Any], option: str, value: Any, where: str) -> Any:
    return option_value(component, option, value, where) if isinstance(value, str) else value


def judge_spec(registry: Registry, name: str, settings: Sequence[OptionValue]) -> ComponentSpec:
    """Return a judge with the options that settings give it as ``judge`` or by name; UsageError where one is off."""
    return _resolved(registry, "judges", name, settings, {name, "judge"})


def _resolved(
    registry: Registry, kind: str, name: str, settings: Sequence[OptionValue], words: Iterable[str]
) -> ComponentSpec:
    found = registry.find(kind, name)
    where = f"{name!r}"
    options = {s.option: setting_value(found, s.option, s.value, where) for s in settings if s.component in words}
    return ComponentSpec(name, to_data(options_from(found, options, where)))


def _limits(track: type[Track], settings: Sequence[OptionValue]) -> Limits:
    data: dict[str, Any] = to_data(track.limits)
    told: set[str] = set()
    for setting in settings:
        if setting.component != "limits":
            continue
        if setting.option in told:
            message = f"limits.{setting.option} has several values, but limits are the same in all cells."
            raise UsageError(message, "Give one; other limits make another run.")
        told.add(setting.option)
        name, _, role = setting.option.partition(".")
        _check_limit(track, setting, data)
        number = _number(setting)
        data[name] = {**data[name], role: number} if role else number
    return from_data(data, Limits, "limits")


def _check_limit(track: type[Track], setting: OptionValue, data: Mapping[str, Any]) -> None:
    name, dot, role = setting.option.partition(".")
    by_role = {n for n, value in data.items() if isinstance(value, dict)}
    if name not in data or (name in by_role) != bool(dot):
        known = ", ".join(f"{n}.ROLE" if n in by_role else n for n in data)
        hint = suggestion(name, data)
        if name in by_role:
            first = next((r for r, spec in track.roles.items() if spec.evaluated), next(iter(track.roles)))
            hint = f"It is set by role, as in --set limits.{name}.{first}={setting.value}."
        elif name in data:
            hint = f"It has no roles: --set limits.{name}={setting.value}."
        raise UsageError(f"there is no limit '{setting.option}' (limits: {known}).", hint)
    if dot and role not in track.roles:
        has = f"the track '{track.name}' has no role '{role}' (it has: {', '.join(track.roles)})."
        raise UsageError(f"--set limits.{setting.option}: {has}", suggestion(role, track.roles))


def _number(setting: OptionValue) -> int | float:
    where = f"--set limits.{setting.option}"
    try:
        number = math.nan if isinstance(setting.value, bool) else float(setting.value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{where}: a number is needed, not '{setting.value}'.") from None
    if not (math.isfinite(number) and 0 <= number <= LARGEST_LIMIT):
        raise UsageError(f"{where}: a limit is a finite number from 0 to {LARGEST_LIMIT:,}.")
    if number.is_integer():
        return int(number)
    if not setting.option.partition(".")[0].endswith("seconds"):
        raise UsageError(f"{where}: a whole number is needed, not '{setting.value}'.")
    return number


def _role_names(roles: Mapping[str, ComponentSpec]) -> tuple[str, ...]:
    return tuple(component.name for component in roles.values())


def _named(made: Sequence[tuple[Cell, tuple[str, ...]]]) -> list[Cell]:
    """Name each cell by the words in which the cells differ, or by the first role's component."""
    if len({words for _, words in made}) < len(made):
        raise UsageError("the same cell is asked for twice.", "Leave the repeated option out.")
    width = max(len(words) for _, words in made)
    padded = [(cell, words + ("",) * (width - len(words))) for cell, words in made]
    varying = [i for i in range(width) if len({words[i] for _, words in padded}) > 1]
    shown = sorted({0, *varying})
    return [
        evolve(cell, name=" ".join(words[i].replace("/", "_") for i in shown if words[i])) for cell, words in padded
    ]
