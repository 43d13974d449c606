"""
The computing that analyses share: trials by cell and facet, counts, means with intervals, pass^k, endings.

Rows are read once, one at a time; what is kept is a number for each score. No figure depends on the order of rows, on
how often a trial was attempted or on how long it took.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import TypeVar

from attrs import Factory, define, evolve, field, frozen

from recfw.errors import DataError
from recfw.model.results import ResultRow, Results, RunInfo
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.model.usage import Spending
from recfw.stats.passk import pass_k
from recfw.stats.results import DEFAULT_BOOTSTRAP, Bootstrap, Estimate, PassK

K = TypeVar("K", bound=Hashable)

COUNTING_RULE = (
    "a trial that failed (infrastructure) stays in the counts and has no score; a figure's mean is over tasks, of each "
    "task's mean over its completed trials that have the figure; tasks without such a trial are left out and counted"
)
"""How trials without a score are treated, for every figure here."""


@frozen
class Counts:
    """
    How many trials there are: planned = attempted + missing, attempted = completed + failed.

    Args:
        tasks: Tasks in the group.
        planned: Tasks times trials of each.
        attempted: Trials with a stored attempt.
        completed: Those that ran to a stop reason.
        failed: Those that infrastructure ended.
        missing: Those without any stored attempt.
    """

    tasks: int
    planned: int
    attempted: int
    completed: int
    failed: int
    missing: int


@frozen
class Trials:
    """
    The stored trials of one cell, of all of the run's tasks or of those of one facet's value.

    Args:
        cell: The cell's name.
        tasks: The tasks that the trials are of, by id; also those without a stored trial, where all cells share them.
        per_task: Planned trials of each task.
        endings: Task -> (status, stop reason or kind of failure) -> number of trials.
        scores: Figure -> task -> the values that completed trials have, in no particular order.
        scorers: Figure -> identities of those who gave these values; more than one where a part was scored anew.
    """

    cell: str
    tasks: Mapping[str, Task] = field(repr=False)
    per_task: int
    endings: Mapping[str, Mapping[tuple[Status, str], int]] = field(repr=False)
    scores: Mapping[str, Mapping[str, Sequence[float]]] = field(repr=False)
    scorers: Mapping[str, Collection[str]] = field(factory=dict, repr=False)

    def of(self, tasks: Collection[str]) -> "Trials":
        """Return the trials of some of the tasks."""
        kept = {name: task for name, task in self.tasks.items() if name in tasks}
        return evolve(
            self,
            tasks=kept,
            endings={task: ended for task, ended in self.endings.items() if task in kept},
            scores={
                figure: {task: values for task, values in by_task.items() if task in kept}
                for figure, by_task in self.scores.items()
            },
        )

    def counts(self) -> Counts:
        """Return how many trials were planned, attempted, completed, failed and are missing."""
        by_status = Counter[Status]()
        for ended in self.endings.values():
            for (status, _), number in ended.items():
                by_status[status] += number
        attempted, planned = by_status.total(), len(self.tasks) * self.per_task
        completed = by_status[Status.COMPLETED]
        return Counts(
            len(self.tasks), planned, attempted, completed, attempted - completed, max(0, planned - attempted)
        )

    def stops(self, completed: bool) -> dict[str, int]:
        """Return stop reason (or kind of failure) -> number of trials, the most frequent first, then by name."""
        total = Counter[str]()
        for ended in self.endings.values():
            for (status, stop), number in ended.items():
                if (status == Status.COMPLETED) == completed:
                    total[stop] += number
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))

    def scored(self, figure: str) -> int:
        """Return how many trials have a value of the figure."""
        return sum(len(values) for values in self.scores.get(figure, {}).values())

    def means(self, figure: str) -> dict[str, float]:
        """Return task -> mean of the figure over the trials that have it, for the tasks with such a trial."""
        by_task = self.scores.get(figure, {})
        return {task: fsum(by_task[task]) / len(by_task[task]) for task in sorted(by_task)}

    def pass_k(self, figure: str, k: int) -> PassK:
        """Return pass^k of a figure whose values are all 0 or 1; tasks with fewer than k values are left out."""
        by_task = self.scores.get(figure, {})
        return pass_k({task: (int(fsum(by_task.get(task, ()))), len(by_task.get(task, ()))) for task in self.tasks}, k)


@frozen
class Spent:
    """
    What a cell's trials took: operational data, never a figure.

    Args:
        trials: Stored trials.
        attempts: Stored attempts of them.
        seconds: Sum of the wall-clock times of the attempts that count.
        usage: Role -> what those attempts consumed, summed.
        costed: Role -> how many trials state a cost; the others' is not known, so a sum may be short.
    """

    trials: int
    attempts: int
    seconds: float
    usage: Mapping[str, Mapping[str, float]]
    costed: Mapping[str, int]


@frozen
class RunTrials:
    """
    A run's trials and what they took, in the order of its cells.

    ``spending`` is what all attempts of the run consumed, judges included, whether or not they count.
    ``bootstrap`` is how intervals are to be made; None where the setting ``intervals`` is False, for a quick look.
    """

    info: RunInfo
    tasks: Mapping[str, Task] = field(repr=False)
    cells: tuple[Trials, ...]
    spent: tuple[Spent, ...]
    spending: Spending = field(factory=dict, repr=False)
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP

    @property
    def missing(self) -> int:
        """How many planned trials have no stored attempt."""
        return max(0, self.info.planned - sum(spent.trials for spent in self.spent))

    @property
    def judged(self) -> dict[str, list[str]]:
        """Figure -> identities of those who gave it and are no metrics of the run: judges; in order of names."""
        metrics = {f"{name.removeprefix('metric ')}@{v}" for name, v in self.info.versions.items() if " " in name}
        given: dict[str, set[str]] = {}
        for cell in self.cells:
            for figure, scorers in cell.scorers.items():
                given.setdefault(figure, set()).update(scorers)
        others = {figure: sorted(given[figure] - metrics - {""}) for figure in sorted(given)}
        return {figure: identities for figure, identities in others.items() if identities}

    @property
    def clusters(self) -> int:
        """How many clusters the run's tasks form."""
        return len({task.cluster for task in self.tasks.values()})


@define
class _Cell:
    seen: set[tuple[str, int]] = Factory(set)
    endings: dict[str, Counter[tuple[Status, str]]] = Factory(dict)
    scores: dict[str, dict[str, list[float]]] = Factory(dict)
    scorers: dict[str, set[str]] = Factory(dict)
    attempts: int = 0
    seconds: list[float] = Factory(list)
    usage: dict[str, Counter[str]] = Factory(dict)
    costed: Counter[str] = Factory(Counter)

    def add(self, row: ResultRow) -> None:
        self.seen.add((row.task, row.trial))
        self.endings.setdefault(row.task, Counter())[row.status, row.stop] += 1
        if row.status == Status.COMPLETED:
            for figure, value in row.scores.items():
                by_task = self.scores.setdefault(figure, {})
                if value is not None and isfinite(value):
                    by_task.setdefault(row.task, []).append(value)
                    self.scorers.setdefault(figure, set()).add(row.scorers.get(figure, ""))
        self.attempts += row.attempts
        self.seconds.append(row.seconds)
        for role, used in row.usage.items():
            self.usage.setdefault(role, Counter()).update(used)
            self.costed[role] += "cost" in used

    def trials(self, name: str, tasks: Mapping[str, Task], per_task: int, shared: bool) -> Trials:
        own = tasks if shared else {task: tasks[task] for task in sorted(self.endings)}
        return Trials(name, own, per_task, self.endings, self.scores, self.scorers)

    def spent(self) -> Spent:
        usage = {role: dict(sorted(self.usage[role].items())) for role in sorted(self.usage)}
        costed = dict(sorted(self.costed.items()))
        return Spent(len(self.seen), self.attempts, fsum(self.seconds), usage, costed)


def read_trials(results: Results, info: RunInfo) -> RunTrials:
    """
    Read a run's rows.

    Raises:
        DataError: A row is of a task or cell that the run does not have, or a trial comes twice.
    """
    tasks = dict(sorted(results.tasks(info.id).items()))
    found = {cell.name: _Cell() for cell in info.spec.cells}
    for row in results.rows(info.id):
        if row.cell not in found or row.task not in tasks:
            raise DataError(
                f"run {info.id} holds a trial of cell {row.cell!r} and task {row.task!r}, which it never had."
            )
        if (row.task, row.trial) in found[row.cell].seen:
            raise DataError(f"run {info.id} holds trial {row.cell}/{row.task}/{row.trial} twice.")
        found[row.cell].add(row)
    # Cells whose options make tasks of their own do not share the run's; then those seen are all that is known.
    shared = len(tasks) * len(found) * info.spec.trials == info.planned
    return RunTrials(
        info=info,
        tasks=tasks,
        cells=tuple(cell.trials(name, tasks, info.spec.trials, shared) for name, cell in found.items()),
        spent=tuple(cell.spent() for cell in found.values()),
        spending=results.spending(info.id),
        bootstrap=DEFAULT_BOOTSTRAP if results.settings().get("intervals", True) else None,
    )


def figure_names(cells: Iterable[Trials]) -> tuple[str, ...]:
    """Return the names of all figures that any completed trial names, in order of names."""
    return tuple(sorted({figure for cell in cells for figure in cell.scores}))


def is_binary(cells: Iterable[Trials], figure: str) -> bool:
    """Return whether every value of a figure is 0 or 1, so that pass^k is defined; True where there is no value."""
    return all(
        value in {0.0, 1.0} for cell in cells for values in cell.scores.get(figure, {}).values() for value in values
    )


def facet_values(tasks: Mapping[str, Task], facet: str) -> dict[str, frozenset[str]]:
    """
    Return value -> ids of the tasks that have it; numbers first, by size, then words by name.

    Tasks without the facet come under the empty value.
    """
    groups: dict[str, set[str]] = {}
    for name, task in tasks.items():
        groups.setdefault(task.facets.get(facet, ""), set()).add(name)
    return {value: frozenset(groups[value]) for value in sorted(groups, key=_natural)}


def _natural(value: str) -> tuple[int, float, str]:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    return (0, number, value) if isfinite(number) else (1, 0.0, value)


def facet_names(tasks: Mapping[str, Task], least: int = 1, most: int | None = None) -> tuple[str, ...]:
    """Return the facets with at least ``least`` and at most ``most`` values among the tasks, in order of names."""
    names = sorted({facet for task in tasks.values() for facet in task.facets})
    sizes = {name: len(facet_values(tasks, name)) for name in names}
    return tuple(name for name in names if least <= sizes[name] and (most is None or sizes[name] <= most))


def estimates(
    columns: Mapping[K, Mapping[str, float]],
    tasks: Mapping[str, Task],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> dict[K, Estimate]:
    """
    Return each column's mean over tasks with its cluster bootstrap interval; clusters are those of the tasks.

    Args:
        columns: Any key -> task -> value.
        tasks: The tasks by id.
        bootstrap: Settings; the seed is a constant, so equal scores give equal intervals. None leaves intervals out.
    """
    clusters = {name: task.cluster for name, task in tasks.items()}
    if bootstrap is None:
        return {key: _mean(column, clusters) for key, column in columns.items()}
    from recfw.stats.intervals import bootstrap_means  # noqa: PLC0415 - loads scipy, which a quick look must not wait for

    resampled = bootstrap_means(list(columns.values()), clusters, bootstrap)
    return {key: result.estimate for key, result in zip(columns, resampled, strict=True)}


def _mean(column: Mapping[str, float], clusters: Mapping[str, str]) -> Estimate:
    value = fsum(column.values()) / len(column) if column else None
    return Estimate(value, None, None, len(column), len({clusters[task] for task in column}), "none")


def interval_words(run: RunTrials, clustered_by: str = "") -> str:
    """Return how intervals were made, as a clause; ``clustered_by`` says what a cluster is, in a word."""
    bootstrap = run.bootstrap
    if bootstrap is None:
        return "`recfw report` gives the intervals, which were left out here"
    if run.clusters < 2:
        return "there are no intervals, because the tasks form fewer than two clusters"
    clusters = f"{run.clusters:,} clusters" + (f" ({clustered_by})" if clustered_by else "")
    return (
        f"intervals are {bootstrap.level:.0%} {bootstrap.method} cluster bootstrap over {clusters}, "
        f"{bootstrap.n_resamples:,} resamples, seed {bootstrap.seed}"
    )
