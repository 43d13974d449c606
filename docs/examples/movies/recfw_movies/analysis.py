"""The report of the track: success by condition, and beside it each policy with the number of tasks that it is over."""

from collections.abc import Mapping, Sequence
from typing import Any

from recfw.model.document import Block, CellValue, Column, Document, Heading, Measure, Note, Report, Table
from recfw.model.results import Results, RunInfo
from recfw.protocols import Analysis, NoOptions
from recfw.report.figures import COUNTING_RULE, RunTrials, Trials, estimates, facet_values, interval_words, read_trials
from recfw.stats.results import Estimate
from recfw_movies.policies import RULES

POLICIES = (*RULES, "all_policies")
CONDITIONS = ("volunteer", "mixed", "hidden")


class MoviesReport(Analysis):
    """Success by condition and kind of task, clean success, and the policies with their n."""

    name = "movies-report"
    summary = "success by condition, and each policy with its own n"
    tracks = ("movies",)
    Options = NoOptions

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def report(self, results: Results) -> Report:
        """Compute figures and their document, one section a run."""
        blocks: list[Block] = [Heading("Movies", 1)]
        figures: list[dict[str, Any]] = []  # without run ids: equal outcomes give equal bytes
        for info in results.runs:
            run = read_trials(results, info)
            split = {name: _success(run, cell) for name, cell in _cells(run)}
            policies = {name: _policies(run, cell) for name, cell in _cells(run)}
            blocks += [*_head(info, len(run.tasks)), _success_table(split), _policy_table(policies), *_notes(run)]
            cells = {name: {"success": _plain(split[name]), "policies": _plain(policies[name])} for name in split}
            figures.append({"tasks": len(run.tasks), "planned": info.planned, "cells": cells})
        return Report(Document(tuple(blocks)), {"runs": figures})


def _cells(run: RunTrials) -> Sequence[tuple[str, Trials]]:
    return [(cell.cell, cell) for cell in run.cells]


def _success(run: RunTrials, cell: Trials) -> Mapping[str, Estimate]:
    """Return success on all tasks, in each condition and where there is no answer, and clean success."""
    answered = facet_values(run.tasks, "answer")
    conditions = facet_values(run.tasks, "condition")
    columns = {"all": cell.means("success")}
    for condition in CONDITIONS:
        columns[condition] = cell.of(conditions.get(condition, frozenset())).means("success")
    columns["no answer"] = cell.of(answered.get("no", frozenset())).means("success")
    columns["clean"] = cell.means("clean_success")
    return estimates(columns, run.tasks, run.bootstrap)


def _policies(run: RunTrials, cell: Trials) -> Mapping[str, Estimate]:
    return estimates({name: cell.means(name) for name in POLICIES}, run.tasks, run.bootstrap)


def _head(info: RunInfo, tasks: int) -> Sequence[Block]:
    text = f"Run {info.id}: {tasks} tasks, trials of each: {info.spec.trials}, content {info.content_digest[:12]}"
    return [Heading(text, 2)]


def _success_table(split: Mapping[str, Mapping[str, Estimate]]) -> Table:
    return _table("success, and clean success: solved with every policy kept", split)


def _policy_table(policies: Mapping[str, Mapping[str, Estimate]]) -> Table:
    return _table("policies, where they applied: share of tasks on which each was kept", policies)


def _table(caption: str, cells: Mapping[str, Mapping[str, Estimate]]) -> Table:
    """Return a row of measures for each cell, and below it how many tasks each is over."""
    names = list(next(iter(cells.values())))
    rows: list[tuple[CellValue, ...]] = []
    for cell, by_column in cells.items():
        rows.append((cell, *(Measure(one.value, one.low, one.high) for one in by_column.values())))
        rows.append(("  n", *(one.n_tasks for one in by_column.values())))
    return Table((Column("cell"), *(Column(name.replace("_", " ")) for name in names)), tuple(rows), caption)


def _notes(run: RunTrials) -> Sequence[Block]:
    counts = [cell.counts() for cell in run.cells]
    planned, done = sum(one.planned for one in counts), sum(one.completed for one in counts)
    failed, missing = sum(one.failed for one in counts), sum(one.missing for one in counts)
    words = interval_words(run, "family")
    return [
        Note(f"Trials: {planned} planned, {done} completed, {failed} failed, {missing} missing."),
        Note("A dash: the policy applied to no task; it is neither kept nor broken. n: tasks that the figure is over."),
        Note(f"Counting: {COUNTING_RULE}."),
        Note(f"{words[0].upper()}{words[1:]}."),
    ]


def _plain(columns: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: {"value": e.value, "low": e.low, "high": e.high, "n": e.n_tasks} for name, e in columns.items()}
