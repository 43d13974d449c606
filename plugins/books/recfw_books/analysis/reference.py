"""The default report of the track: pass^1 by agent and condition, beside the paper's figures."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, field, frozen, validators

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.document import Block, Document, Heading, Note, Report
from recfw.model.results import Results
from recfw.protocols import Analysis
from recfw.report.figures import COUNTING_RULE, RunTrials, facet_names, figure_names, read_trials
from recfw.report.plain import plain_estimate, plain_operational
from recfw.stats.passk import ESTIMATOR
from recfw.stats.results import DEFAULT_BOOTSTRAP
from recfw_books.analysis.document import run_blocks
from recfw_books.analysis.findings import ALLOWED, EVERYTHING, REJECTIONS, SUCCESS, Findings, Group, find
from recfw_books.analysis.paper import BLOCKS, KINDS, as_data
from recfw_books.track import BooksTrack

SPLIT_ALREADY = ("condition", "nvr")
"""Facets by which every table is split, whatever is asked for."""


@frozen
class BooksReferenceOptions:
    """
    Options of the analysis ``books-reference``.

    Args:
        k: Largest k of pass^k; never more than the trials of a task.
    """

    k: int = field(default=4, validator=validators.ge(1))


class BooksReference(Analysis):
    """
    pass^1 by agent and condition, NVR apart, beside the paper's reference agents; then counts, proposals and endings.

    It reads the setting ``split_by``: facets other than condition and NVR get a table each where the user asks for them
    (``--split-by tier``); the track's own default list does not.
    """

    name = "books-reference"
    summary = "pass^1 by agent and condition beside the paper, proposals, success within r rejections, endings."
    tracks = (BooksTrack.name,)
    Options = BooksReferenceOptions

    def __init__(self, options: BooksReferenceOptions | None = None) -> None:
        self._options = options or BooksReferenceOptions()

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            UsageError: No task has a facet that is asked for.
            DataError: Stored rows contradict the run.
        """
        runs = [read_trials(results, info) for info in results.runs]
        facets = _facets(results.settings(), runs)
        found = [find(run, facets, self._options.k) for run in runs]
        figures = {"runs": [_figures(one, facets) for one in found], "paper": as_data()}
        return Report(
            document=Document(tuple(_blocks(found, facets))),
            figures={**figures, "estimator": ESTIMATOR, "counting": COUNTING_RULE},
            operational={"runs": [plain_operational(run) for run in runs]},
        )


def _facets(settings: Mapping[str, Any], runs: list[RunTrials]) -> tuple[str, ...]:
    """Return the facets to split by beside condition and NVR: those of ``--split-by``."""
    asked = settings.get("split_by") or ()
    words = asked.split(",") if isinstance(asked, str) else [str(word) for word in asked]
    names = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    if names == tuple(BooksTrack.split_by):
        return ()
    known = sorted({name for run in runs for name in facet_names(run.tasks)})
    for name in names:
        if runs and name not in known:
            told = f"no task has a facet '{name}' (known: {', '.join(known) or 'none'})."
            raise UsageError(told, suggestion(name, known))
    return tuple(name for name in names if name not in SPLIT_ALREADY)


def _blocks(found: list[Findings], facets: tuple[str, ...]) -> list[Block]:
    if not found:
        return [Heading("No run", 1), Note("There is nothing to report, because no run was named.")]
    if len(found) == 1:
        return list(run_blocks(found[0], facets, level=1))
    blocks: list[Block] = [Heading(f"{len(found)} runs", 1)]
    for one in found:
        blocks += run_blocks(one, facets, level=2)
    return blocks


def _figures(found: Findings, facets: tuple[str, ...]) -> dict[str, Any]:
    """Return scores, counts and intervals of one run: nothing that tells it from another run of the same outcome."""
    run = found.run
    return {
        "track": run.info.spec.track,
        "tasks": len(run.tasks),
        "families": run.clusters,
        "trials_per_task": run.info.spec.trials,
        "planned": run.info.planned,
        "missing": run.missing,
        "intervals": asdict(DEFAULT_BOOTSTRAP),
        "cells": {cell.cell: _cell_figures(found, cell.cell, facets) for cell in run.cells},
    }


def _cell_figures(found: Findings, cell: str, facets: tuple[str, ...]) -> dict[str, Any]:
    whole = next(trials for trials in found.run.cells if trials.cell == cell)
    return {
        "counts": asdict(whole.counts()),
        "endings": {"completed": whole.stops(completed=True), "failed": whole.stops(completed=False)},
        "paper_agent": found.paper.get(cell),
        "blocks": {block: _block_figures(found, cell, block) for block in (EVERYTHING, *BLOCKS)},
        "split": {
            facet: {
                f"{value} {condition}": plain_estimate(estimate)
                for (of, by, value, condition), estimate in found.split.items()
                if (of, by) == (cell, facet)
            }
            for facet in facets
        },
    }


def _block_figures(found: Findings, cell: str, block: str) -> dict[str, Any]:
    """Return kind -> condition -> figures, and the curve of success within r rejections on hidden satisfiable tasks."""
    curve = {str(r): plain_estimate(found.within[cell, block, r]) for r in ALLOWED if (cell, block, r) in found.within}
    return {
        **{kind: {g.condition: _group_figures(found, cell, g) for g in found.of_block(block, kind)} for kind in KINDS},
        "within_rejections": curve if REJECTIONS in figure_names(found.run.cells) else {},
    }


def _group_figures(found: Findings, cell: str, group: Group) -> dict[str, Any]:
    trials = found.trials[cell, group]
    solved, scored = found.solved(cell, group)
    means = {name: trials.means(name) for name in figure_names([trials]) if name != SUCCESS}
    return {
        "pass_1": {**plain_estimate(found.success[cell, group]), "solved": solved, "scored": scored},
        "pass_k": {
            str(k): {**plain_estimate(estimate), "tasks_left_out": found.short[cell, group, k]}
            for (of, among, k), estimate in found.powers.items()
            if (of, among) == (cell, group)
        },
        "median_proposals_to_success": found.median_proposals(cell, group),
        "counts": asdict(trials.counts()),
        "endings": {"completed": trials.stops(completed=True), "failed": trials.stops(completed=False)},
        "means": {
            name: {"value": sum(values.values()) / len(values) if values else None, "n_tasks": len(values)}
            for name, values in means.items()
        },
    }
