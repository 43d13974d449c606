"""What the reference report computes of one run, before any of it is put in words."""

from collections.abc import Iterable, Mapping
from math import fsum
from statistics import median
from typing import Any

from attrs import frozen

from recfw.model.run import Cell
from recfw.model.task import Task
from recfw.report.figures import RunTrials, Trials, estimates, facet_values
from recfw.stats.results import Bootstrap, Estimate
from recfw_books.analysis.paper import AGENTS, BLOCKS, CONDITIONS, KINDS

SUCCESS, REJECTIONS, PROPOSALS = "success", "rejections_to_success", "proposals_to_success"
ALLOWED = range(6)
"""For which numbers of rejections the curve is given."""

EVERYTHING = "all"

_NVR_FACET = {"satisfiable": "no", "nvr": "yes"}


@frozen
class Group:
    """Some tasks of a run: a block of families (``all``, ``panel`` …), of one kind, in one condition."""

    block: str
    kind: str
    condition: str


@frozen
class Findings:
    """
    One run's figures.

    Args:
        run: The run's trials.
        paper: Cell -> the name of its agent in the paper, for the cells whose agent the paper has.
        groups: The groups that have tasks, in order of block, kind and condition.
        trials: (cell, group) -> its trials.
        success: (cell, group) -> pass^1.
        powers: (cell, group, k) -> pass^k, from k = 2, over all families.
        short: The same keys -> number of tasks with too few trials.
        within: (cell, block, r) -> share of hidden satisfiable tasks solved with at most r rejections.
        split: (cell, facet, value, condition) -> pass^1 over satisfiable tasks.
        in_paper: (agent, kind, condition) -> the paper's pass^1, with the interval that its counts give.
    """

    run: RunTrials
    paper: Mapping[str, str]
    groups: tuple[Group, ...]
    trials: Mapping[tuple[str, Group], Trials]
    success: Mapping[tuple[str, Group], Estimate]
    powers: Mapping[tuple[str, Group, int], Estimate]
    short: Mapping[tuple[str, Group, int], int]
    within: Mapping[tuple[str, str, int], Estimate]
    split: Mapping[tuple[str, str, str, str], Estimate]
    in_paper: Mapping[tuple[str, str, str], Estimate]

    def of_block(self, block: str, kind: str) -> tuple[Group, ...]:
        """Return a block's groups of a kind, by condition."""
        return tuple(group for group in self.groups if (group.block, group.kind) == (block, kind))

    def solved(self, cell: str, group: Group) -> tuple[int, int]:
        """Return a group's successful and scored trials."""
        scored = self.trials[cell, group].scores.get(SUCCESS, {}).values()
        return int(fsum(value for values in scored for value in values)), sum(map(len, scored))

    def median_proposals(self, cell: str, group: Group) -> float | None:
        """Return the median number of proposals of a group's successful trials; None where there is none."""
        counts = [n for values in self.trials[cell, group].scores.get(PROPOSALS, {}).values() for n in values]
        return median(counts) if counts else None


def find(run: RunTrials, facets: Iterable[str], most_k: int) -> Findings:
    """
    Compute a run's figures.

    Args:
        run: The run's trials.
        facets: Further facets by which to split pass^1.
        most_k: Largest k of pass^k; never more than the run's trials of a task.
    """
    members = _groups(run.tasks)
    trials = {(cell.cell, group): cell.of(tasks) for cell in run.cells for group, tasks in members.items()}
    passed = {
        (*key, k): part.pass_k(SUCCESS, k)
        for key, part in trials.items()
        for k in range(2, min(most_k, run.info.spec.trials) + 1)
        if key[1].block == EVERYTHING
    }
    hidden = {group.block: group for group in members if (group.kind, group.condition) == ("satisfiable", "hidden")}
    columns: dict[Any, Mapping[str, float]] = {
        **{("success", *key): part.means(SUCCESS) for key, part in trials.items()},
        **{("power", *key): result.values for key, result in passed.items()},
        **{
            ("within", cell.cell, block, r): _within(trials[cell.cell, group], r)
            for cell in run.cells
            for block, group in hidden.items()
            for r in ALLOWED
        },
        **{("split", *key): means for key, means in _splits(run, trials, facets).items()},
    }
    found = estimates(columns, run.tasks, run.bootstrap)
    parts = {
        name: {key[1:]: estimate for key, estimate in found.items() if key[0] == name}
        for name in ("success", "power", "within", "split")
    }
    paper = _paper_of(run.info.spec.cells)
    return Findings(
        run=run,
        paper=paper,
        groups=tuple(members),
        trials=trials,
        success=parts["success"],
        powers=parts["power"],
        short={key: len(result.left_out) for key, result in passed.items()},
        within=parts["within"],
        split=parts["split"],
        in_paper=_in_paper(sorted(set(paper.values())), run.bootstrap),
    )


def _groups(tasks: Mapping[str, Task]) -> dict[Group, frozenset[str]]:
    """Return the groups that have tasks; the blocks are parts of all families."""
    blocks = {EVERYTHING: frozenset(tasks)}
    blocks |= {block: facet_values(tasks, block).get("yes", frozenset()) for block in BLOCKS}
    kinds, conditions = facet_values(tasks, "nvr"), facet_values(tasks, "condition")
    found = {
        Group(block, kind, condition): chosen & kinds.get(_NVR_FACET[kind], frozenset()) & conditions[condition]
        for block, chosen in blocks.items()
        for kind in KINDS
        for condition in CONDITIONS
        if condition in conditions
    }
    return {group: members for group, members in found.items() if members}


def _within(trials: Trials, allowed: int) -> dict[str, float]:
    """Return task -> share of its scored trials that succeed with at most so many rejections; empty where unknown."""
    if REJECTIONS not in trials.scores:
        return {}
    rejections = trials.scores[REJECTIONS]
    return {
        task: sum(n <= allowed for n in rejections.get(task, ())) / len(scored)
        for task, scored in sorted(trials.scores.get(SUCCESS, {}).items())
    }


def _splits(
    run: RunTrials, trials: Mapping[tuple[str, Group], Trials], facets: Iterable[str]
) -> dict[tuple[str, str, str, str], Mapping[str, float]]:
    return {
        (cell, facet, value, group.condition): part.of(tasks).means(SUCCESS)
        for facet in facets
        for value, tasks in facet_values(run.tasks, facet).items()
        for (cell, group), part in trials.items()
        if (group.block, group.kind) == (EVERYTHING, "satisfiable")
    }


def _paper_of(cells: Iterable[Cell]) -> dict[str, str]:
    """Return cell -> the paper's name of its agent, for those played as there: structured search, rule-based user."""
    return {
        cell.name: cell.roles["agent"].name
        for cell in cells
        if "agent" in cell.roles
        and cell.roles["agent"].name in AGENTS
        and ("user" not in cell.roles or cell.roles["user"].name == "books-rules")
        and cell.options.get("interface") in {None, "structured"}
    }


def _in_paper(agents: Iterable[str], bootstrap: Bootstrap | None) -> dict[tuple[str, str, str], Estimate]:
    """Return the paper's shares with intervals: one trial a family is all that its counts need to be resampled."""
    columns = {
        (agent, *key): {f"{number:03d}": float(number < counted.solved) for number in range(counted.of)}
        for agent in agents
        for key, counted in AGENTS[agent].solved.items()
    }
    families = sorted({name for column in columns.values() for name in column})
    return estimates(columns, {name: Task(name, name) for name in families}, bootstrap)
