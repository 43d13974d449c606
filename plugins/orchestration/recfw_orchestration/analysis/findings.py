"""What the analysis computes of stored runs, before any of it is put in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum

from attrs import field, frozen

from recfw.model.rubric import Criterion
from recfw.report.figures import RunTrials, Trials, estimates
from recfw.stats.agreement import spearman
from recfw.stats.results import Estimate
from recfw_orchestration.judging.rubric import rubric
from recfw_orchestration.judging.rules import ASKED
from recfw_orchestration.metrics.component import BY_LEVEL
from recfw_orchestration.tasks.records import LEVELS
from recfw_orchestration.taxonomy import ERRORS, NONE

LEVEL, DOMAIN, AMBIGUITY = "level", "domain", "ambiguity"
EVERYWHERE = ""
"""In the place of a domain: all of them."""

BUDGET = ("rounds", "expected_rounds", "calls", "expected_calls")
HEADLINE = ("selection_accuracy", "selection_f1", "parameter_accuracy", "hit")
"""Figures that are shown with an interval."""
LOWEST, HIGHEST = 1.0, 10.0
"""Ends of the scale of the rule-based judge; a model judge's are those of the rubric."""

ACCURACY = "parameter_accuracy"
COMPARED = ("judged_parameters", "ruled_parameters")


@frozen
class Entry:
    """
    A row of the tables: one cell of one run.

    Args:
        name: The cell's name; with the run's id where several runs have a cell of this name.
        run: Its run.
        trials: Its trials.
        judges: Figure -> identities of the judges that gave it.
    """

    name: str
    run: RunTrials = field(repr=False)
    trials: Trials = field(repr=False)
    judges: Mapping[str, Sequence[str]] = field(repr=False)


Group = tuple[str, str, str]
"""Entry, level, domain (:data:`EVERYWHERE` for all)."""


@frozen
class Findings:
    """
    Every figure of the report.

    Args:
        entries: The rows, in the order of runs and cells.
        domains: The domains among the tasks, in order of names.
        means: (group, figure) -> mean over tasks and how many; judges' points as (s - 1) / 9.
        raw: (group, judge's figure) -> mean of the points themselves.
        intervals: (entry, level, figure) -> the mean with its interval, of :data:`HEADLINE`.
        ambiguity: (entry, level, ambiguity) -> hit ratio and number of tasks.
        sizes: (level, domain) -> number of tasks.
        correlations: (level, compared figure) -> of parameter accuracy with it: over trials, how many, over entries.
    """

    entries: tuple[Entry, ...]
    domains: tuple[str, ...]
    means: Mapping[tuple[Group, str], tuple[float, int]]
    raw: Mapping[tuple[Group, str], float]
    intervals: Mapping[tuple[str, str, str], Estimate]
    ambiguity: Mapping[tuple[str, str, str], tuple[float, int]]
    sizes: Mapping[tuple[str, str], int]
    correlations: Mapping[tuple[str, str], tuple[float | None, int, float | None]]

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that any task has, in order."""
        return tuple(level for level in LEVELS if self.sizes.get((level, EVERYWHERE)))

    def mean(self, entry: str, level: str, figure: str, domain: str = EVERYWHERE) -> float | None:
        """Return a mean; None where no trial has the figure."""
        found = self.means.get(((entry, level, domain), figure))
        return found[0] if found else None

    @property
    def judged(self) -> bool:
        """Whether any trial was rated by a model judge."""
        return any(figure in scales() for _, figure in self.raw)


def scales() -> Mapping[str, Criterion]:
    """Return the figures of the track's rubric."""
    return {criterion.name: criterion for criterion in rubric().criteria}


def asked(level: str) -> tuple[str, ...]:
    """Return what a model judge is asked at a level."""
    return tuple(name for name, one in scales().items() if level in one.where.get(LEVEL, LEVELS))


def figures_of(level: str) -> tuple[str, ...]:
    """Return every figure that a level has, the judges' included."""
    return (*BY_LEVEL[level], *asked(level), *ASKED[level], *BUDGET, *ERRORS, NONE)


def normalised(figure: str, points: float) -> float:
    """Return points on a judge's scale as a share of the scale, (s - 1) / 9; any other figure as it is."""
    one = scales().get(figure)
    low, high = (one.low, one.high) if one else (LOWEST, HIGHEST)
    return (points - low) / (high - low) if _is_points(figure) else points


def _is_points(figure: str) -> bool:
    return figure.startswith(("judged_", "ruled_"))


def entries_of(runs: Sequence[RunTrials]) -> tuple[Entry, ...]:
    """Return the rows, each with a name of its own."""
    names = [trials.cell for run in runs for trials in run.cells]
    made = []
    for run in runs:
        for trials in run.cells:
            apart = f" ({run.info.id[:8]})" if names.count(trials.cell) > 1 else ""
            made.append(Entry(trials.cell + apart, run, trials, run.judged))
    return tuple(made)


def find(runs: Sequence[RunTrials]) -> Findings:
    """Compute everything."""
    entries = entries_of(runs)
    tasks = {name: task for run in runs for name, task in run.tasks.items()}
    domains = tuple(sorted({task.facets.get(DOMAIN, "") for task in tasks.values()} - {""}))
    members: dict[tuple[str, str], set[str]] = {}
    for name, task in tasks.items():
        for domain in (EVERYWHERE, task.facets.get(DOMAIN, "")):
            members.setdefault((task.facets.get(LEVEL, ""), domain), set()).add(name)
    means: dict[tuple[Group, str], tuple[float, int]] = {}
    raw: dict[tuple[Group, str], float] = {}
    for entry in entries:
        for (level, domain), names in members.items():
            if level in LEVELS:
                _add_means((entry.name, level, domain), entry.trials.of(names), means, raw)
    return Findings(
        entries=entries,
        domains=domains,
        means=means,
        raw=raw,
        intervals=_intervals(entries, members),
        ambiguity=dict(_ambiguity(entries)),
        sizes={group: len(names) for group, names in members.items()},
        correlations=dict(_correlations(entries, members, means)),
    )


def _add_means(
    group: Group, trials: Trials, means: dict[tuple[Group, str], tuple[float, int]], raw: dict[tuple[Group, str], float]
) -> None:
    for figure in figures_of(group[1]):
        by_task = trials.means(figure)
        if by_task:
            value = fsum(by_task.values()) / len(by_task)
            means[group, figure] = (normalised(figure, value), len(by_task))
            if _is_points(figure):
                raw[group, figure] = value


def _intervals(
    entries: Iterable[Entry], members: Mapping[tuple[str, str], set[str]]
) -> dict[tuple[str, str, str], Estimate]:
    found: dict[tuple[str, str, str], Estimate] = {}
    for entry in entries:
        columns = {}
        for level in LEVELS:
            trials = entry.trials.of(members.get((level, EVERYWHERE), set()))
            for figure in HEADLINE:
                if figure in BY_LEVEL[level] and (by_task := trials.means(figure)):
                    columns[entry.name, level, figure] = by_task
        found |= estimates(columns, entry.run.tasks, entry.run.bootstrap)
    return found


def _ambiguity(entries: Iterable[Entry]) -> Iterator[tuple[tuple[str, str, str], tuple[float, int]]]:
    for entry in entries:
        groups: dict[tuple[str, str], list[float]] = {}
        for name, value in entry.trials.means("hit").items():
            facets = entry.trials.tasks[name].facets
            groups.setdefault((facets.get(LEVEL, ""), facets.get(AMBIGUITY, "")), []).append(value)
        for (level, ambiguity), values in sorted(groups.items()):
            yield (entry.name, level, ambiguity), (fsum(values) / len(values), len(values))


def _correlations(
    entries: Sequence[Entry],
    members: Mapping[tuple[str, str], set[str]],
    means: Mapping[tuple[Group, str], tuple[float, int]],
) -> Iterator[tuple[tuple[str, str], tuple[float | None, int, float | None]]]:
    """Yield rank correlations of parameter accuracy with what judges say of parameters, where both are to be had."""
    for level in LEVELS:
        names = members.get((level, EVERYWHERE), set())
        for figure in COMPARED:
            if ACCURACY not in BY_LEVEL[level] or figure not in (*asked(level), *ASKED[level]):
                continue
            pairs = [pair for entry in entries for pair in _pairs(entry.trials.of(names), figure)]
            groups = [(entry.name, level, EVERYWHERE) for entry in entries]
            both = [
                (means[group, ACCURACY][0], means[group, figure][0])
                for group in groups
                if (group, ACCURACY) in means and (group, figure) in means
            ]
            if pairs:
                yield (level, figure), (_rho(pairs), len(pairs), _rho(both))


def _pairs(trials: Trials, figure: str) -> list[tuple[float, float]]:
    first, second = trials.means(ACCURACY), trials.means(figure)
    return [(first[task], second[task]) for task in first if task in second]


def _rho(pairs: Sequence[tuple[float, float]]) -> float | None:
    return spearman([one for one, _ in pairs], [other for _, other in pairs]) if len(pairs) > 1 else None
