"""Defaults of ``recfw run`` that nobody typed: kept apart from words, weaker than a run file, no part of a resume."""

from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

from recfw.cli.request import request_from
from recfw.cli.runfile import SHORTCUTS

MANY = ("agent", "user", "role", "judge", "interface", "retriever", "catalog", "data", "tasks", "set")
ONE = ("plugin", "track", "trials", "seed", "concurrency", "workers", "executor")
OF_A_TRACK = ("agent", "user", "role", "interface", "retriever", "catalog", "data", "tasks", "set")
"""Options whose values belong to one track."""
_AMBIENT = {ParameterSource.ENVIRONMENT, ParameterSource.DEFAULT_MAP}


def take_defaults(ctx: click.Context, words: dict[str, Any]) -> dict[str, Any]:
    """
    Take out of the words what environment variables and configuration files say, and return it.

    Both have the same names afterwards; what is not said is None, or () where several may be said. Options that say
    neither what is asked nor how much at a time stay among the words: it does not matter where those come from.
    """
    empty: dict[str, Any] = {**dict.fromkeys(MANY, ()), **dict.fromkeys(ONE)}
    found = dict(empty)
    for name, nothing in empty.items():
        if ctx.get_parameter_source("set_" if name == "set" else name) in _AMBIENT:
            found[name], words[name] = words[name], nothing
    for option in ctx.command.params:
        if option.name in ("plugin", "track") and found[option.name] is None:  # whose the others are, though not used
            found[option.name] = option.value_from_envvar(ctx) or ctx.lookup_default(option.name)
    return found


def under(defaults: Mapping[str, Any], config: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a run file's content with defaults where neither it nor the words say anything, key by key.

    A default plugin or track is left out where one is named: the two belong together. Where that is another one, what
    was chosen for the default track (roles, options, tasks, settings) is left out too.
    """
    if _another(defaults, config, words):
        defaults = {**defaults, **dict.fromkeys(OF_A_TRACK, ())}
    request = request_from({}, defaults)
    named = any(words[name] or config.get(name) for name in ("plugin", "track"))
    found: dict[str, Any] = dict(config)
    if not named:
        found |= {name: defaults[name] for name in ("plugin", "track") if defaults[name]}
    found |= {name: defaults[name] for name in ("trials", "seed") if name not in config and defaults[name] is not None}
    found |= {name: told for name, key in (("tasks", "tasks"), ("judges", "judge"))
              if (told := defaults[key]) and name not in config}  # fmt: skip
    settings: dict[str, dict[str, Any]] = {name: dict(options) for name, options in config.get("set", {}).items()}
    options = {name: told for name in SHORTCUTS if (told := defaults[name]) and name not in settings.get("track", {})}
    options |= config.get("options", {})
    for told in request.settings:
        taken = told.component in config.get("set", {}) and told.option in config["set"][told.component]
        if not taken and not (told.component == "track" and told.option in options):
            inner = settings.setdefault(told.component, {})
            inner[told.option] = (*inner.get(told.option, ()), told.value)
    roles = {**request.roles, **config.get("roles", {})}
    found |= {name: told for name, told in (("roles", roles), ("options", options), ("set", settings)) if told}
    return found


def _another(defaults: Mapping[str, Any], config: Mapping[str, Any], words: Mapping[str, Any]) -> bool:
    """Tell whether another plugin or track is asked for than the defaults are for."""
    return any(
        defaults[name] and (asked := words[name] or config.get(name)) and asked != defaults[name]
        for name in ("plugin", "track")
    )
