"""A RunRequest from command-line words and a YAML file; words win over the file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recfw.engine.request import OptionValue, RunRequest, parse_setting
from recfw.errors import DataError, UsageError
from recfw.known import suggestion

KEYS = ("plugin", "track", "roles", "options", "set", "tasks", "trials", "seed", "judges")
SHORTCUTS = ("interface", "retriever", "catalog")


def read_config(path: str) -> dict[str, Any]:
    """
    Return a run file's content.

    Raises:
        DataError: It cannot be read, is no YAML mapping, or has an unknown key.
    """
    import yaml  # noqa: PLC0415 - needed only with --config

    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: the run file cannot be read ({error}).") from error
    except yaml.YAMLError as error:
        raise DataError(f"{path}: no valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(data, dict):
        raise DataError(f"{path}: a mapping with any of {', '.join(KEYS)} is expected.")
    for key in data:
        if key not in KEYS:
            hint = suggestion(str(key), KEYS)
            raise DataError(f"{path}: unknown key '{key}' (known: {', '.join(KEYS)}).", hint)
    return data


def request_from(config: Mapping[str, Any], words: Mapping[str, Any]) -> RunRequest:
    """
    Return a request.

    Args:
        config: A run file's content.
        words: Options of ``recfw run`` by parameter name; None or () where they were not given.
    """
    roles = {role: _many(names) for role, names in _mapping(config, "roles").items()}
    roles |= {role: words[role] for role in ("agent", "user") if words[role]}
    for text in words["role"]:
        role, equals, name = text.partition("=")
        if not equals:
            raise UsageError(f"--role {text}: write ROLE=NAME.")
        roles[role] = (*(roles.get(role, ()) if any(t.startswith(f"{role}=") for t in words["role"]) else ()), name)
    options: dict[str, tuple[Any, ...]] = {name: _many(value) for name, value in _mapping(config, "options").items()}
    options |= {name: words[name] for name in SHORTCUTS if words[name]}
    if "catalog" in options:
        options["catalog"] = tuple(_absolute(value) for value in options["catalog"])
    settings = [
        OptionValue(component, option, value)
        for component, chosen in _mapping(config, "set").items()
        for option, values in _mapping({component: chosen}, component).items()
        for value in _many(values)
    ]
    told = [parse_setting(text) for text in words["set"]]
    names = {(setting.component, setting.option) for setting in told}
    settings = [setting for setting in settings if (setting.component, setting.option) not in names]
    return RunRequest(
        plugin=words["plugin"] or str(config.get("plugin", "")),
        track=words["track"] or str(config.get("track", "")),
        roles=roles,
        options=options,
        settings=(*settings, *told),
        tasks=words["tasks"] or tuple(str(t) for t in _many(config.get("tasks", ()))),
        trials=_whole(config, words, "trials", 1),
        seed=_whole(config, words, "seed", 0),
        judges=words["judge"] or tuple(str(j) for j in _many(config.get("judges", ()))),
    )


def _mapping(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = config.get(key) or {}
    if not isinstance(value, dict):
        raise DataError(f"run file: '{key}' must be a mapping, not {value!r}.")
    return value


def _many(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _whole(config: Mapping[str, Any], words: Mapping[str, Any], key: str, default: int) -> int:
    value = words[key] if words[key] is not None else config.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise DataError(f"run file: '{key}' must be a whole number, not {value!r}.")
    return value


def _absolute(value: Any) -> Any:
    """Make an existing path absolute, so that a run can be resumed from another folder."""
    return str(Path(value).resolve()) if isinstance(value, str) and value and Path(value).exists() else value
