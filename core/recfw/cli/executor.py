"""Who carries a run's trials to workers: the executor that is asked for, its options, and how many at a time."""

import os
from collections.abc import Collection, Mapping
from typing import Any

from attrs import evolve

from recfw.engine.plain import check_plain
from recfw.engine.request import RunRequest, setting_value
from recfw.errors import UsageError
from recfw.model.run import ComponentSpec, RunSpec
from recfw.registry import Registry, option_fields, options_from

LOCAL = "local"
"""The executor where nothing is said."""
SETTINGS = "executor"
"""What its options are set by, as in ``--set executor.OPTION=VALUE``; or by its own name, unless it is ``local``."""
LANES = ("concurrency", "workers")
"""Options of ``recfw run`` that are handed to the executor, where it has an option of this name."""
CONCURRENCY = 8
"""Episodes at a time, where nothing is said."""


def choose(
    registry: Registry, request: RunRequest, roles: Collection[str], asked: str | None, kept: ComponentSpec | None
) -> tuple[ComponentSpec, RunRequest]:
    """
    Return the executor with the options that were set for it, and the request without those settings.

    Args:
        registry: Where executors are found by name.
        request: What is asked for; what it sets by the name of a role is never the executor's.
        roles: Those of the run's track.
        asked: The executor's name; None where nothing is said.
        kept: Who carried the run out last, where it is resumed.

    Raises:
        UsageError: There is no such executor or option, a value has another type, or several are given.
    """
    name = asked or (kept.name if kept else LOCAL)
    try:
        found = registry.find("executors", name)
    except UsageError as error:
        if not asked:
            error.hint = f"{error.hint} It carried this run out before; --executor {LOCAL} goes on without it.".strip()
        raise
    words = ({SETTINGS} if name == LOCAL else {SETTINGS, name}) - set(roles)
    mine = [setting for setting in request.settings if setting.component in words]
    where, told = f"executor '{name}'", dict[str, Any]()
    for setting in mine:
        if setting.option in LANES:
            raise UsageError(f"{setting.component}.{setting.option} is said by --{setting.option}.")
        if setting.option in told:
            message = f"{setting.component}.{setting.option} has several values, but one executor carries all cells."
            raise UsageError(message, "Give one.")
        told[setting.option] = setting_value(found, setting.option, setting.value, where)
    options = {**(kept.options if kept and kept.name == name else {}), **told}
    check_plain(options, where)
    options_from(found, options, where)
    rest = tuple(setting for setting in request.settings if setting not in mine)
    return ComponentSpec(name, options), evolve(request, settings=rest)


def check_lanes(registry: Registry, chosen: ComponentSpec, typed: Collection[str]) -> None:
    """Refuse ``--concurrency`` and ``--workers`` that somebody typed where the executor has no such option."""
    fields = option_fields(registry.find("executors", chosen.name))
    for name in typed:
        if name not in fields:
            has = f"it has: {', '.join(fields)}" if fields else "it has none"
            raise UsageError(f"the executor '{chosen.name}' takes no --{name} ({has}).", "Leave it out.")


def with_lanes(
    registry: Registry, chosen: ComponentSpec, spec: RunSpec, words: Mapping[str, Any], total: int
) -> ComponentSpec:
    """
    Return the executor with how many trials are played at a time, and in how many processes.

    The local one is given no more of either than there are trials, and worker processes of itself where a component
    says that it is CPU-heavy; any other is told what was asked, and decides the rest.
    """
    fields = option_fields(registry.find("executors", chosen.name))
    asked = {name: words[name] for name in LANES if words[name] is not None and name in fields}
    if chosen.name == LOCAL:
        asked = {"concurrency": CONCURRENCY, "workers": _heavy(registry, spec), **asked}
        return ComponentSpec(LOCAL, {name: min(number, total) for name, number in asked.items()})
    return ComponentSpec(chosen.name, {**chosen.options, **asked})


def _heavy(registry: Registry, spec: RunSpec) -> int:
    """Return how many processes a run wants by itself: one a processor where a component is CPU-heavy."""
    roles = registry.find("tracks", spec.track).roles
    used = {(roles[role].kind, c.name) for cell in spec.cells for role, c in cell.roles.items()}
    heavy = any(getattr(registry.find(kind, name), "heavy", False) for kind, name in used)
    return (os.cpu_count() or 1) if heavy else 0


def executor_words(chosen: ComponentSpec) -> str:
    """Return an executor's name and the options that were set for it."""
    options = ", ".join(f"{name}={value}" for name, value in chosen.options.items())
    return f"{chosen.name} ({options})" if options else chosen.name
