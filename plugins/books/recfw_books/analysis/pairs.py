"""Differences beside the twelve tests: every pair of agents, and what is exploratory (conditions, prompts, fields)."""

from collections.abc import Iterable, Mapping
from statistics import median

from attrs import frozen

from recfw.stats.contrasts import average, pair, paired_contrasts
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Contrast
from recfw_books.analysis.settings import INTERFACES
from recfw_books.analysis.study import SUCCESS, Pool, Study
from recfw_books.analysis.twelve import Column, detectable, interface_differences, units

CONDITIONS = ("volunteer", "mixed", "hidden")
KINDS = ("satisfiable", "nvr")
_NVR = {"satisfiable": "no", "nvr": "yes"}


def only(study: Study, column: Column, condition: str = "", kind: str = "") -> Column:
    """Return the values of the tasks of a condition and a kind; empty words mean any."""
    return {
        name: value
        for name, value in column.items()
        if condition in {"", study.tasks[name].facets.get("condition")}
        and (not kind or study.tasks[name].facets.get("nvr", "no") == _NVR[kind])
    }


@frozen
class Pair:
    """Two settings on the tasks that both have: first minus second, in points, and the same on hidden tasks."""

    first: str
    second: str
    contrast: Contrast
    hidden: Contrast


@frozen
class Pairs:
    """
    Every pair of settings of the main experiment, the one with the higher mean first.

    Args:
        order: Names of the settings, the highest mean first.
        pairs: Every pair, in that order.
    """

    order: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @property
    def separated(self) -> int:
        """How many pairs have an interval wholly on one side of zero."""
        return sum(one.contrast.separated for one in self.pairs)

    def detectable(self, *, hidden: bool = False) -> float | None:
        """Return the median over pairs of the smallest difference found with 80 % power, in points; None if unknown."""
        found = [detectable(one.hidden if hidden else one.contrast) for one in self.pairs]
        known = [value for value in found if value is not None]
        return median(known) if known else None


def all_pairs(study: Study, bootstrap: Bootstrap = DEFAULT_BOOTSTRAP) -> Pairs:
    """Hold every two agent-interface pairs of the main experiment against one another, on the chosen families."""
    columns = {s.name: pool.of(study.in_block).means(SUCCESS) for s, pool in study.main.items()}
    means = {name: sum(column.values()) / len(column) for name, column in columns.items() if column}
    order = sorted(means, key=lambda name: (-means[name], name))
    names = [(first, second) for place, first in enumerate(order) for second in order[place + 1 :]]
    differences: dict[str, Column] = {}
    for number, (first, second) in enumerate(names):
        both = pair(columns[first], columns[second]).differences
        differences[f"{number} all"] = both
        differences[f"{number} hidden"] = only(study, both, "hidden", "satisfiable")
    found = {c.name: c for c in paired_contrasts(differences, units(study.tasks)[0], bootstrap)}
    pairs = [Pair(*both, found[f"{n} all"], found[f"{n} hidden"]) for n, both in enumerate(names)]
    return Pairs(tuple(order), tuple(pairs))


@frozen
class Extra:
    """An exploratory difference, in points: its group, what is held against what, and over what it is averaged."""

    group: str
    name: str
    over: tuple[str, ...]
    contrast: Contrast


def extras(study: Study, bootstrap: Bootstrap = DEFAULT_BOOTSTRAP) -> tuple[Extra, ...]:
    """Return every exploratory difference that the runs allow, none of them corrected."""
    named: list[tuple[str, str, Mapping[str, Column]]] = [*_by_condition(study), *_fields(study), *_prompts(study)]
    columns = {str(number): average(list(each.values())) for number, (_, _, each) in enumerate(named)}
    found = paired_contrasts(columns, units(study.tasks)[0], bootstrap)
    return tuple(
        Extra(group, name, tuple(each), contrast)
        for (group, name, each), contrast in zip(named, found, strict=True)
        if contrast.n_tasks
    )


def _by_condition(study: Study) -> Iterable[tuple[str, str, Mapping[str, Column]]]:
    each = interface_differences(study)
    for condition in CONDITIONS:
        cut = {agent: only(study, column, condition) for agent, column in each.items()}
        yield "interface by condition", f"structured - keyword, {condition}", {a: c for a, c in cut.items() if c}


def _fields(study: Study) -> Iterable[tuple[str, str, Mapping[str, Column]]]:
    """Separate the tool from the prompt: the field list alone, and the structured tool beyond it."""
    listed = f"{study.chosen.prompt}+fields"
    for agent in study.chosen.agents:
        keyword, fields, structured = (
            _means(study.pool(agent, interface, prompt=prompt))
            for interface, prompt in (
                ("keyword", study.chosen.prompt),
                ("keyword", listed),
                ("structured", study.chosen.prompt),
            )
        )
        yield "field list", f"{agent}: keyword with fields - without", {agent: pair(fields, keyword).differences}
        yield "field list", f"{agent}: structured - keyword with fields", {agent: pair(structured, fields).differences}


def _prompts(study: Study) -> Iterable[tuple[str, str, Mapping[str, Column]]]:
    """Hold every other prompt against the chosen one, on mixed and on hidden tasks that have an answer."""
    present = sorted({s.prompt for s in study.pools if s.prompt != study.chosen.prompt and "+" not in s.prompt})
    for prompt in present:
        for condition in ("mixed", "hidden"):
            each: dict[str, Column] = {}
            for agent in study.chosen.agents:
                for interface in INTERFACES:
                    sides = _means(study.pool(agent, interface, prompt=prompt)), _means(study.pool(agent, interface))
                    column = only(study, pair(*sides).differences, condition, "satisfiable")
                    if column:
                        each[f"{agent} {interface}"] = column
            yield "prompts", f"{prompt} - {study.chosen.prompt}, {condition} (satisfiable)", each


def _means(pool: Pool | None) -> Column:
    return pool.means(SUCCESS) if pool else {}
