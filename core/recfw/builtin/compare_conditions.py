"""What sets the arms of a comparison apart: components, options, limits, seeds, versions, digests, one by one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw.model.results import RunInfo
from recfw.model.run import Cell, ComponentSpec
from recfw.serialize import canonical, to_data

ABSENT = "absent"

CONTENT, SPEC, VERSION = "content digest", "spec digest", "version of "

_UNTELLING = {CONTENT, SPEC, "plugin", "attempts"}

LONGEST_VALUE = 20
"""Characters of a value that can stand in an arm's name."""


@frozen
class Difference:
    """
    One thing in which arms differ.

    Args:
        what: Its name: ``user``, ``user.OPTION``, ``track.OPTION``, ``seed``, ``limits.turns.agent``, ``version of X``.
        compared: Whether it belongs to the role under evaluation, which is what a comparison is about.
        values: Value -> the arms that have it, in order of values.
    """

    what: str
    compared: bool
    values: Mapping[str, tuple[str, ...]]


def conditions(run: RunInfo, cell: Cell, evaluated: str) -> dict[str, str]:
    """Return all that decides an arm's figures, by name, as text; the role under evaluation comes first."""
    spec = run.spec
    found: dict[str, str] = {}
    for role in sorted(cell.roles, key=lambda name: (name != evaluated, name)):
        found[role] = cell.roles[role].name
        found.update(_flat(cell.roles[role].options, role))
    found.update(_flat(cell.options, "track"))
    found.update({"seed": str(spec.seed), "trials": str(spec.trials), "tasks": ", ".join(spec.tasks) or "all"})
    found.update({"attempts": str(spec.attempts), "plugin": spec.plugin, "judges": _judges(spec.judges)})
    found.update(_flat(to_data(spec.limits), "limits"))
    found.update({f"{VERSION}{name}": version for name, version in sorted(run.versions.items())})
    return {**found, CONTENT: run.content_digest, SPEC: run.spec_digest}


def _judges(judges: Sequence[ComponentSpec]) -> str:
    return (
        ", ".join(f"{judge.name} {_text(judge.options)}" if judge.options else judge.name for judge in judges) or "none"
    )


def _flat(value: Any, path: str) -> dict[str, str]:
    """Return an object's values by path; what is no object, or an empty one, is a value."""
    if not isinstance(value, Mapping) or not value:
        return {} if isinstance(value, Mapping) else {path: _text(value)}
    return {name: text for key in sorted(value) for name, text in _flat(value[key], f"{path}.{key}").items()}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value).decode()


def differences(
    arms: Mapping[str, Mapping[str, str]], evaluated: str, roles: Sequence[str] = ()
) -> tuple[Difference, ...]:
    """
    Return everything in which arms differ, what belongs to the evaluated role first.

    An option of a component, and a version, is held only against arms that have it: that another arm has another
    component is a difference of its own.

    Args:
        arms: Arm -> its :func:`conditions`.
        evaluated: The role under evaluation.
        roles: All roles.
    """
    names = list(dict.fromkeys(what for found in arms.values() for what in found))
    told = [_difference(arms, what, evaluated, roles) for what in names]
    found = [difference for difference in told if len(difference.values) > 1]
    return tuple(sorted(found, key=lambda difference: not difference.compared))


def _difference(arms: Mapping[str, Mapping[str, str]], what: str, evaluated: str, roles: Sequence[str]) -> Difference:
    role, _, option = what.partition(".")
    only_holders = (option and role in roles) or what.startswith(VERSION)
    by_value: dict[str, list[str]] = {}
    for arm, found in arms.items():
        if what in found or not only_holders:
            by_value.setdefault(found.get(what, ABSENT), []).append(arm)
    values = {value: tuple(by_value[value]) for value in sorted(by_value)}
    return Difference(what, role == evaluated, values)


def arm_names(arms: Sequence[tuple[str, str]], found: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """
    Return a short name for each arm: its cell's, and where several runs have such a cell, what sets these apart.

    That is the first of role, option, seed, trials or tasks that has another value in each of them, or else the end of
    the run's id.

    Args:
        arms: (run id, cell name) of each.
        found: The :func:`conditions` of each.
    """
    groups: dict[str, list[int]] = {}
    for place, (_, cell) in enumerate(arms):
        groups.setdefault(cell, []).append(place)
    tails = {run: run.rpartition("-")[2] for run, _ in arms}
    if len(set(tails.values())) < len(tails):
        tails = {run: run for run in tails}
    names = [cell for _, cell in arms]
    for cell, places in groups.items():
        if len(places) > 1:
            words = next(
                _apart([found[place] for place in places]), [f"run {tails[arms[place][0]]}" for place in places]
            )
            for place, text in zip(places, words, strict=True):
                names[place] = f"{cell} ({text})"
    if len(set(names)) < len(names):  # a cell has the name that another arm was given
        return tuple(f"{cell} (run {run})" for run, cell in arms)
    return tuple(names)


def _apart(found: Sequence[Mapping[str, str]]) -> Iterator[list[str]]:
    """Yield words for each arm from one condition that alone tells them all apart."""
    for what in found[0]:
        if what.startswith((VERSION, "limits.")) or what in _UNTELLING:
            continue
        values = [other.get(what, "") for other in found]
        if len(set(values)) == len(values) and all(0 < len(value) <= LONGEST_VALUE for value in values):
            yield [f"{what.rpartition('.')[2]} {value}" for value in values]
