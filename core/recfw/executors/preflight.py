"""Before the first trial: does everything answer that a run depends on, and what does asking cost?"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from recfw.engine.deadline import DeadlineError, held, within
from recfw.engine.stage import CLOSE_SECONDS, OPEN_SECONDS, equip, judge_of, settings_of
from recfw.errors import InfrastructureError, RecfwError, words_of
from recfw.model.reply import Usage
from recfw.model.run import ComponentSpec, RunSpec
from recfw.protocols import Facilities, Judge, Participant
from recfw.registry import Registry
from recfw.serialize import canonical

CHECK_SECONDS = 180.0
"""Deadline of one component's check: a model may have to be loaded first."""
UNASKED = "Skip this check with --no-preflight."


@frozen
class Checked:
    """What a check of one component came to: whose it is, how long it took in seconds, what it consumed."""

    role: str
    name: str
    seconds: float
    usage: Usage


async def preflight(
    registry: Registry, spec: RunSpec, facilities: Facilities, tell: Callable[[Checked], None]
) -> list[Checked]:
    """
    Let every component of a run, judges included, find out whether what it depends on answers.

    Each distinct component is asked once; one that has nothing to check is not even opened.

    Args:
        registry: Where components are found by name.
        spec: The run.
        facilities: How it is carried out.
        tell: Is told of each that answered.

    Raises:
        RecfwError: One does not answer; the message names it.
    """
    found = []
    for role, kind, component in _components(registry, spec):
        if kind == "judges":
            checked = await preflight_judge(registry, spec, component, facilities)
        else:
            made = registry.create(kind, component)
            equip(registry, kind, made, facilities)
            checked = await _check(role, component.name, made)
        if checked is not None:
            found.append(checked)
            tell(checked)
    return found


async def preflight_judge(
    registry: Registry, spec: RunSpec, component: ComponentSpec, facilities: Facilities
) -> Checked | None:
    """Let one judge of a run find out whether what it depends on answers, as :func:`preflight` does."""
    track = next(iter(settings_of(registry, spec).values())).track
    return await _check("judge", component.name, judge_of(registry, component, track, facilities))


def _components(registry: Registry, spec: RunSpec) -> Iterator[tuple[str, str, ComponentSpec]]:
    """Yield (role, kind, component) of every distinct component that has something to check."""
    roles = registry.find("tracks", spec.track).roles
    listed = [(role, roles[role].kind, filler) for cell in spec.cells for role, filler in cell.roles.items()]
    listed += [("judge", "judges", judge) for judge in spec.judges]
    seen: set[bytes] = set()
    for role, kind, component in listed:
        key = canonical([kind, component])
        if key in seen or not _has_a_check(registry.find(kind, component.name)):
            continue
        seen.add(key)
        yield role, kind, component


def _has_a_check(component: type[Any]) -> bool:
    return getattr(component, "check", Participant.check) not in {Participant.check, Judge.check}


async def _check(role: str, name: str, made: Any) -> Checked | None:
    started = time.perf_counter()
    try:
        async with held(made.open, opening=OPEN_SECONDS, closing=CLOSE_SECONDS, failed=lambda _: None):
            usage: Usage | None = await within(CHECK_SECONDS, made.check)
    except DeadlineError as error:
        raise InfrastructureError(f"{role} '{name}' did not answer within {CHECK_SECONDS:g} s.", UNASKED) from error
    except RecfwError as error:
        error.message = f"{role} '{name}': {error.message}"
        error.hint = f"{error.hint} {UNASKED}".strip() if isinstance(error, InfrastructureError) else error.hint
        raise
    except Exception as error:
        raise InfrastructureError(f"{role} '{name}' fails its check: {words_of(error)}.", UNASKED) from error
    return None if usage is None else Checked(role, name, time.perf_counter() - started, usage)
