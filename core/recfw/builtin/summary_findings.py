"""What the default analysis computes of one run, before any of it is put in words."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from recfw.report.figures import Counts, RunTrials, estimates, facet_values, figure_names, is_binary
from recfw.stats.results import Estimate


@frozen
class Findings:
    """
    One run's figures.

    Args:
        run: The run's trials.
        primary: The primary figure; empty where no trial has any.
        binary: Whether its values are 0 or 1, so that there is pass^k.
        others: The other figures, in order of names.
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
    others: tuple[str, ...]
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


def find(run: RunTrials, primary: str, facets: tuple[str, ...], most_k: int) -> Findings:
    """
    Compute a run's figures.

    Args:
        run: The run's trials.
        primary: The primary figure; empty where no trial has any.
        facets: By which facets to split it.
        most_k: Largest k of pass^k; never more than the run's trials of a task.
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
        others=tuple(name for name in names if name != primary),
        powers=powers,
        facets={facet: tuple(facet_values(run.tasks, facet)) for facet in facets},
        means={key[1:]: estimate for key, estimate in found.items() if key[0] == "mean"},
        passes={key[1:]: estimate for key, estimate in found.items() if key[0] == "pass"},
        short={key: len(result.left_out) for key, result in passed.items()},
        splits={key[1:]: estimate for key, estimate in found.items() if key[0] == "split"},
        split_counts={key: group.counts() for key, group in groups.items()},
    )
