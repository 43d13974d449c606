"""A RunRequest from command-line words and a run file; words win over the file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from recfw.cli.runfile import ROLES, SHORTCUTS
from recfw.engine.request import OptionValue, RunRequest, parse_setting
from recfw.errors import UsageError


def request_from(config: Mapping[str, Any], words: Mapping[str, Any]) -> RunRequest:
    """
    Return a request.

    Args:
        config: A run file's content (:func:`recfw.cli.runfile.read_config`).
        words: Options of ``recfw run`` by parameter name; None or () where they were not given.
    """
    told = [parse_setting(text) for text in words["set"]]
    named = {(setting.component, setting.option) for setting in told}
    named |= {("track", name) for name in SHORTCUTS if words[name]}
    options = {name: values for name, values in config.get("options", {}).items() if ("track", name) not in named}
    options |= {name: words[name] for name in SHORTCUTS if words[name]}
    return RunRequest(
        plugin=words["plugin"] or config.get("plugin", ""),
        track=words["track"] or config.get("track", ""),
        roles={**config.get("roles", {}), **_roles(words)},
        options=options,
        settings=(*_settings(config.get("set", {}), named), *told),
        tasks=words["tasks"] or config.get("tasks", ()),
        trials=config.get("trials", 1) if words["trials"] is None else words["trials"],
        seed=config.get("seed", 0) if words["seed"] is None else words["seed"],
        judges=words["judge"] or config.get("judges", ()),
    )


def _roles(words: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    roles: dict[str, tuple[str, ...]] = {role: words[role] for role in ROLES if words[role]}
    for text in words["role"]:
        role, equals, name = text.partition("=")
        if not (role and equals):
            raise UsageError(f"--role {text}: write ROLE=NAME.")
        roles[role] = (*roles.get(role, ()), name)
    return roles


def _settings(
    chosen: Mapping[str, Mapping[str, Sequence[Any]]], named: Collection[tuple[str, str]]
) -> Iterator[OptionValue]:
    for component, options in chosen.items():
        for option, values in options.items():
            if (component, option) not in named:
                yield from (OptionValue(component, option, value) for value in values)
