"""
What a shell is told while somebody types: commands, options, and values by what an option or argument takes.

Commands import much; a shell should not wait for that. So what can be typed is kept in a file of the cache folder,
with the versions and files that it was made from, and read from there until one of them changes. Only names of runs
and plugins' commands that are not in a static group are beyond it.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click
import orjson
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from recfw.errors import PluginError
from recfw.plugins import DISABLE_VARIABLE, EXTRA_VARIABLE, GROUP, Manager, build_manager

VARIABLE = "_RECFW_COMPLETE"
VERSION = 3
"""Of the file's shape and of what is put into it."""
MOST_RUNS, MOST_TRIALS = 50, 200
FORGOTTEN = 30 * 86400.0
"""Seconds after which a description that was not made anew is removed."""
PARTLY = 60.0
"""Seconds for which a description is kept that lacks what could not be loaded."""

KINDS_OF = {
    "agent": "agents",
    "user": "users",
    "judge": "judges",
    "track": "tracks",
    "analysis": "analyses",
    "format": "renderers",
    "retriever": "retrievers",
    "catalog": "catalogs",
    "executor": "executors",
    "plugin": "plugins",
    "disable-plugin": "plugins",
    "resume": "runs",
    "tag": "tags",
    "status": "statuses",
    "store": "files",
    "config": "files",
    "out": "files",
}
"""Option -> the kind of names that it takes; other options by their metavar."""
KINDS_OF_METAVARS = {
    "RUN": "runs",
    "TAG": "tags",
    "TRIAL": "trials",
    **dict.fromkeys(("FILE", "PATH", "DIR", "FOLDER", "BUNDLE", "STORE"), "files"),
}
KINDS_OF_ARGUMENTS = {"recfw plugins info": "offers", "recfw plugins install": "known"}


def complete(environ: Mapping[str, str]) -> int:
    """Answer a shell; whatever fails, answer nothing and say nothing."""
    try:
        return _answer(environ)
    except Exception:  # noqa: BLE001 - half a line has been typed below which nothing may be printed
        return 1


def _answer(environ: Mapping[str, str]) -> int:
    shell, _, instruction = environ[VARIABLE].partition("_")
    kind: type[ShellComplete] | None = get_completion_class(shell)
    if kind is None or instruction != "complete":
        return 1
    described = _described(environ)
    root = _rebuilt(described["command"], _Names(described["names"], environ))
    click.echo(kind(root, {}, "recfw", VARIABLE).complete())
    return 0


# --- What can be typed, as data ---------------------------------------------------------------------------------------


def _described(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return what can be typed, from the cache where it is of today's code, or else anew."""
    base = Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME") or "~").expanduser() / ".cache")
    path = base / "recfw" / f"completion-{_fingerprint(environ)[:16]}.json"
    try:
        kept = dict(orjson.loads(path.read_bytes()))
        if kept["whole"] or abs(time.time() - path.stat().st_mtime) < PARTLY:
            return kept
    except (OSError, ValueError, KeyError):
        pass  # there is none, or a damaged one
    found = _describe_all()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob("completion-*.json"):  # other environments keep theirs
            if time.time() - old.stat().st_mtime > FORGOTTEN:
                old.unlink(missing_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        partial.write_bytes(orjson.dumps(found))
        partial.replace(path)
    except OSError:
        pass  # the answer is right all the same, and slow again the next time
    return found


def _fingerprint(environ: Mapping[str, str]) -> str:
    """Return a digest of what decides commands and names: versions and files of recfw and plugins, variables."""
    parts: list[str] = [str(VERSION), *(environ.get(name, "") for name in (DISABLE_VARIABLE, EXTRA_VARIABLE))]
    folders = {Path(__file__).parent, Path(__file__).parents[1] / "builtin"}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        parts += [entry.name, entry.value, entry.dist.version if entry.dist else ""]
        folders |= _folders(entry.module)
    for module in environ.get(EXTRA_VARIABLE, "").split(","):
        folders |= _folders(module.strip())
    for folder in sorted(folders):
        parts += [f"{file} {file.stat().st_mtime_ns}" for file in sorted(folder.glob("*.py"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _folders(module: str) -> set[Path]:
    """Return the folder of a plugin's package, found without importing what is in it."""
    from importlib.util import find_spec  # noqa: PLC0415

    spec = find_spec(module.partition(".")[0]) if module else None
    places = list(spec.submodule_search_locations or []) if spec else []
    return {Path(place) for place in places}


def _describe_all() -> dict[str, Any]:
    """Return what can be typed, and whether that is the whole: what cannot be loaded today is left out."""
    from recfw.cli.root import cli  # noqa: PLC0415 - all that a shell should not wait for
    from recfw.known import known_plugins  # noqa: PLC0415
    from recfw.registry import KINDS, Registry  # noqa: PLC0415
    from recfw.store.records import STATUSES  # noqa: PLC0415

    faults: dict[str, PluginError] = {}
    manager = build_manager(failures=faults)
    root = click.Context(cli, info_name="recfw", obj=manager, **cli.context_settings)
    names: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for plugin in manager.plugins.values():
        alone = Manager()  # so that one that fails takes no other with it
        alone.add(plugin)
        for kind in KINDS:
            try:
                names[kind] += Registry(alone).names(kind)
            except PluginError as error:
                faults[plugin.name] = error
    names["offers"] = sorted({*manager.plugins, *(name for kind in KINDS for name in names[kind])})
    names["plugins"] = list(manager.plugins)
    names["statuses"] = list(STATUSES)
    names["known"] = [name for name in known_plugins() if name not in manager.plugins]
    return {"command": _describe(cli, root, faults), "names": names, "whole": not faults}


def _describe(command: click.Command, context: click.Context, faults: dict[str, PluginError]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": context.info_name,
        "help": command.get_short_help_str(80),
        "params": [_describe_parameter(p, context) for p in command.get_params(context) if not getattr(p, "hidden", 0)],
    }
    if isinstance(command, click.Group):
        data["commands"] = []
        for name in command.list_commands(context):
            try:
                found = command.get_command(context, name)
            except PluginError as error:
                faults[f"{context.command_path} {name}"] = error
                continue
            if found is not None:
                inner = click.Context(found, info_name=name, parent=context)
                data["commands"].append(_describe(found, inner, faults))
    return data


def _describe_parameter(parameter: click.Parameter, context: click.Context) -> dict[str, Any]:
    choices = list(parameter.type.choices) if isinstance(parameter.type, click.Choice) else []
    data: dict[str, Any] = {
        "name": parameter.name,
        "choices": [str(choice) for choice in choices],
        "nargs": parameter.nargs,
    }
    if not isinstance(parameter, click.Option):
        metavar = parameter.make_metavar(context).strip("[].")
        kind = KINDS_OF_ARGUMENTS.get(context.command_path) or KINDS_OF_METAVARS.get(metavar, "")
        return data | {"kind": kind, "opts": [str(parameter.name)]}
    long = max(parameter.opts, key=len).lstrip("-")
    return data | {
        "kind": KINDS_OF.get(long) or KINDS_OF_METAVARS.get(parameter.metavar or "", ""),
        "opts": list(parameter.opts),
        "secondary": list(parameter.secondary_opts),
        "flag": bool(parameter.is_flag or parameter.count),
        "multiple": parameter.multiple,
        "help": parameter.help or "",
    }


# --- And back again, as commands that click completes -----------------------------------------------------------------


class _Names:
    """The names that options and arguments take, by kind."""

    def __init__(self, known: Mapping[str, list[str]], environ: Mapping[str, str]) -> None:
        self._known, self._environ = known, environ

    def of(self, kind: str, typed: Mapping[str, Any], beginning: str) -> Iterable[str]:
        """Return the names of a kind; those of runs, their tags and trials are looked up in the store."""
        if kind not in {"runs", "tags", "trials"}:
            return self._known.get(kind, [])
        from recfw.store.glance import newest_runs, tags_in, trials_in  # noqa: PLC0415 - only where a run is named

        place = typed.get("place") or typed.get("store") or _default_place(self._environ)
        first = ["latest"] if kind == "runs" else []
        if "://" in place:
            return first  # a server may take longer than a shell should wait
        if kind == "trials":
            return trials_in(Path(place), typed.get("name") or "latest", beginning, MOST_TRIALS)
        return [*first, *(newest_runs(Path(place), MOST_RUNS) if kind == "runs" else tags_in(Path(place)))]


def _default_place(environ: Mapping[str, str]) -> str:
    from recfw.cli.settings import read_settings  # noqa: PLC0415

    told = read_settings().values.get("store")
    return environ.get("RECFW_STORE") or (str(told.value) if told else ".recfw/runs.db")


def _rebuilt(data: Mapping[str, Any], names: _Names) -> click.Command:
    params = [_parameter(item, names) for item in data["params"]]
    if "commands" not in data:
        return click.Command(data["name"], params=params, help=data["help"], add_help_option=False)
    below = {item["name"]: _rebuilt(item, names) for item in data["commands"]}
    return click.Group(data["name"], below, params=params, help=data["help"], add_help_option=False)


def _parameter(data: Mapping[str, Any], names: _Names) -> click.Parameter:
    kind = click.Choice(data["choices"]) if data["choices"] else click.STRING
    shown = None if data["choices"] else _shower(data["kind"], names)
    if "flag" not in data:
        return click.Argument(data["opts"], type=kind, nargs=data["nargs"], required=False, shell_complete=shown)
    declared = [*data["opts"], data["name"]]
    if data["flag"]:
        if data["secondary"]:
            declared[0] = f"{data['opts'][0]}/{data['secondary'][0]}"
        return click.Option(declared, is_flag=True, help=data["help"], expose_value=False)
    return click.Option(
        declared,
        type=kind,
        nargs=data["nargs"],
        multiple=data["multiple"],
        help=data["help"],
        shell_complete=shown,
    )


def _shower(
    kind: str, names: _Names
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]] | None:
    """Return what gives the completions of one kind of names."""
    if not kind:
        return None

    def show(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        if kind == "files":
            return [CompletionItem(incomplete, type="file")]
        first = next(iter(ctx.args), None)  # where click leaves an argument behind which an option's value is typed
        typed = ctx.params | {"name": ctx.params.get("name") or first}
        found = names.of(kind, typed, incomplete)
        return [CompletionItem(name) for name in found if name.startswith(incomplete)]

    return show
