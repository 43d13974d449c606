"""The default analysis: what any track's runs came to, with intervals, endings and all that has no score."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict, field, frozen, validators

from recfw.builtin.metrics import Effort
from recfw.builtin.summary_document import run_blocks
from recfw.builtin.summary_findings import Findings, find
from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.document import Block, Document, Heading, Note, Report
from recfw.model.results import Results
from recfw.protocols import Analysis
from recfw.report.figures import COUNTING_RULE, RunTrials, Trials, facet_names, figure_names, read_trials
from recfw.report.plain import plain_estimate, plain_operational
from recfw.stats.passk import ESTIMATOR
from recfw.stats.results import DEFAULT_BOOTSTRAP

PREFERRED = "success"

FEWEST_VALUES, MOST_VALUES = 2, 6
"""How many values a facet has that tables split by when no facet is asked for."""


@frozen
class SummaryOptions:
    """
    Options of the analysis ``summary``.

    Args:
        figure: The primary figure; empty for ``success``, or else the first by name that does not merely count effort.
        k: Largest k of pass^k; never more than the trials of a task.
    """

    figure: str = ""
    k: int = field(default=4, validator=validators.ge(1))


class Summary(Analysis):
    """
    The primary figure by cell and facet, pass^k, all other figures, endings, counts and costs of any track's runs.

    Settings that it reads: ``split_by``, names of facets (a list, or words with commas between; without it, every facet
    with 2 to 6 values); ``clustered_by``, what a cluster is, in a word; ``figures``, metric -> its figures in the order
    to show them (those of other metrics and of judges follow, each under who gave them).
    """

    name = "summary"
    summary = "The primary figure by cell and facet, other figures, endings, counts, costs."
    Options = SummaryOptions

    def __init__(self, options: SummaryOptions) -> None:
        self._options = options

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            UsageError: A figure or facet asked for is in none of the runs.
            DataError: Stored rows contradict the run.
        """
        runs = [read_trials(results, info) for info in results.runs]
        settings = results.settings()
        check_figure((cell for run in runs for cell in run.cells), self._options.figure)
        split_by = _split_by(settings, runs)
        found = [
            find(run, self._primary(run), _facets(run, split_by), self._options.k, settings.get("figures"))
            for run in runs
        ]
        clustered_by = str(settings.get("clustered_by") or "")
        return Report(
            document=Document(tuple(_blocks(found, clustered_by))),
            figures={"runs": [_figures(one) for one in found], "estimator": ESTIMATOR, "counting": COUNTING_RULE},
            operational={"runs": [plain_operational(run) for run in runs]},
        )

    def _primary(self, run: RunTrials) -> str:
        return primary_figure(run.cells, self._options.figure)


def check_figure(cells: Iterable[Trials], wanted: str) -> None:
    """Check that a figure asked for, if one is, is among those that trials have; UsageError where it is not."""
    known = figure_names(cells)
    if wanted and known and wanted not in known:
        raise UsageError(f"no figure '{wanted}' (known: {', '.join(known)}).", suggestion(wanted, known))


def primary_figure(cells: Iterable[Trials], wanted: str = "") -> str:
    """Return the figure that a report is about: the one wanted, ``success``, or one that does not count effort."""
    names = figure_names(cells)
    for name in (wanted, PREFERRED):
        if name in names:
            return name
    telling = [name for name in names if name not in Effort.figures]
    return next(iter((*telling, *names)), "")


def _split_by(settings: Mapping[str, Any], runs: list[RunTrials]) -> tuple[str, ...] | None:
    """Return the facets asked for, or None where none are."""
    asked = settings.get("split_by")
    if asked is None:
        return None
    words = asked.split(",") if isinstance(asked, str) else [str(word) for word in asked]
    facets = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    known = sorted({name for run in runs for name in facet_names(run.tasks)})
    for facet in facets:
        if runs and facet not in known:
            raise UsageError(
                f"no task has a facet '{facet}' (known: {', '.join(known) or 'none'}).", suggestion(facet, known)
            )
    return facets


def _facets(run: RunTrials, split_by: tuple[str, ...] | None) -> tuple[str, ...]:
    if split_by is None:
        return facet_names(run.tasks, FEWEST_VALUES, MOST_VALUES)
    known = facet_names(run.tasks)
    return tuple(facet for facet in split_by if facet in known)


def _blocks(found: list[Findings], clustered_by: str) -> list[Block]:
    if not found:
        return [Heading("No run", 1), Note("There is nothing to report, because no run was named.")]
    if len(found) == 1:
        return list(run_blocks(found[0], clustered_by, level=1))
    blocks: list[Block] = [Heading(f"{len(found)} runs", 1)]
    for one in found:
        blocks += run_blocks(one, clustered_by, level=2)
    return blocks


def _figures(found: Findings) -> dict[str, Any]:
    """Return scores, counts and intervals of one run: nothing that tells it from another run of the same outcome."""
    run = found.run
    return {
        "track": run.info.spec.track,
        "tasks": len(run.tasks),
        "clusters": run.clusters,
        "trials_per_task": run.info.spec.trials,
        "planned": run.info.planned,
        "missing": run.missing,
        "primary": found.primary or None,
        "binary": found.binary,
        "intervals": asdict(DEFAULT_BOOTSTRAP),
        "judged": run.judged,
        "cells": {cell.cell: _cell_figures(found, cell) for cell in run.cells},
    }


def _cell_figures(found: Findings, cell: Trials) -> dict[str, Any]:
    name = cell.cell
    figures = {
        figure: {**plain_estimate(estimate), "n_trials": cell.scored(figure)}
        for (of, figure), estimate in found.means.items()
        if of == name
    }
    return {
        "counts": asdict(cell.counts()),
        "endings": {"completed": cell.stops(completed=True), "failed": cell.stops(completed=False)},
        "figures": figures,
        "pass_k": {
            str(k): {**plain_estimate(found.passes[name, k]), "tasks_left_out": found.short[name, k]}
            for k in found.powers
        },
        "by": {
            facet: {
                value: {
                    **plain_estimate(found.splits[name, facet, value]),
                    **asdict(found.split_counts[name, facet, value]),
                }
                for value in values
            }
            for facet, values in found.facets.items()
        },
    }
