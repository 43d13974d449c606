"""What the default analysis computes of one run, before any of it is put in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw.report.figures import Counts, RunTrials, Trials, estimates, facet_values, figure_names, is_binary
from recfw.stats.results import Estimate


@frozen
class Findings:
    """
    One run's figures.

    Args:
        run: The run's trials.
        primary: The primary figure; empty where no trial has any.
        binary: Whether its values are 0 or 1, so that there is pass^k.
        sources: Who gives the other figures -> these, as :func:`by_source` orders them.
        powers: For which k pass^k was computed, from 1; none for a figure that is not binary.
        facets: Facet -> its values, in the order to show them.
        means: (cell, figure) -> mean over all tasks.
        passes: (cell, k) -> pass^k over all tasks.
        short: (cell, k) -> number of tasks left out of it.
        splits: (cell, facet, value) -> mean of the primary figure over the tasks with the value.
        split_counts: The trials of the same groups.
    """

    run: RunTrials
    primary: str
    binary: bool
    sources: Mapping[str, tuple[str, ...]]
    powers: tuple[int, ...]
    facets: Mapping[str, tuple[str, ...]]
    means: Mapping[tuple[str, str], Estimate]
    passes: Mapping[tuple[str, int], Estimate]
    short: Mapping[tuple[str, int], int]
    splits: Mapping[tuple[str, str, str], Estimate]
    split_counts: Mapping[tuple[str, str, str], Counts]

    @property
    def label(self) -> str:
        """What the primary figure's mean is called."""
        return "pass^1" if self.binary else "mean"

    @property
    def others(self) -> tuple[str, ...]:
        """The other figures, in their order."""
        return tuple(name for names in self.sources.values() for name in names)

    def has_fewer(self, figure: str) -> bool:
        """Tell whether some, but not all, of a cell's completed trials have the figure."""
        return any(0 < cell.scored(figure) < cell.counts().completed for cell in self.run.cells)


def by_source(
    cells: Sequence[Trials], names: Sequence[str], declared: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """
    Return who gives figures -> these figures.

    First come the metrics and judges that are declared, each with its figures in the order of its declaration; then, by
    name, others that gave a value; then, under the empty name, figures that nobody declares and no trial has.

    Args:
        cells: The trials.
        names: The figures, in order of names.
        declared: Metric or judge -> the figures that it can give.
    """
    left = dict.fromkeys(names)
    found: dict[str, list[str]] = {}
    for source, figures in declared.items():
        found[source] = [name for name in figures if name in left]
        left = {name: None for name in left if name not in figures}
    given = {name: {scorer for cell in cells for scorer in cell.scorers.get(name, ())} for name in left}
    sources = {name: min((scorer.partition("@")[0] for scorer in given[name]), default="") for name in left}
    for source in sorted(set(sources.values()), key=lambda source: (not source, source)):
        found.setdefault(source, []).extend(name for name in left if sources[name] == source)
    return {source: tuple(figures) for source, figures in found.items() if figures}


def find(
    run: RunTrials,
    primary: str,
    facets: tuple[str, ...],
    most_k: int,
    declared: Mapping[str, Sequence[str]] | None = None,
) -> Findings:
    """
    Compute a run's figures.

    Args:
        run: The run's trials.
        primary: The primary figure; empty where no trial has any.
        facets: By which facets to split it.
        most_k: Largest k of pass^k; never more than the run's trials of a task.
        declared: Metric or judge -> the figures that it can give, in the order to show them.
    """
    names = figure_names(run.cells)
    binary = bool(primary) and is_binary(run.cells, primary)
    powers = tuple(range(1, min(most_k, run.info.spec.trials) + 1)) if binary else ()
    groups = {
        (cell.cell, facet, value): cell.of(tasks)
        for facet in facets
        for value, tasks in facet_values(run.tasks, facet).items()
        for cell in run.cells
    }
    passed = {(cell.cell, k): cell.pass_k(primary, k) for cell in run.cells for k in powers}
    columns: dict[Any, Mapping[str, float]] = {
        **{("mean", cell.cell, name): cell.means(name) for cell in run.cells for name in names},
        **{("pass", *key): result.values for key, result in passed.items()},
        **{("split", *key): group.means(primary) for key, group in groups.items()},
    }
    found = estimates(columns, run.tasks, run.bootstrap)
    return Findings(
        run=run,
        primary=primary,
        binary=binary,
        sources=by_source(run.cells, [name for name in names if name != primary], declared or {}),
        powers=powers,
        facets={facet: tuple(facet_values(run.tasks, facet)) for facet in facets},
        means={key[1:]: estimate for key, estimate in found.items() if key[0] == "mean"},
        passes={key[1:]: estimate for key, estimate in found.items() if key[0] == "pass"},
        short={key: len(result.left_out) for key, result in passed.items()},
        splits={key[1:]: estimate for key, estimate in found.items() if key[0] == "split"},
        split_counts={key: group.counts() for key, group in groups.items()},
    )
