"""Bundles as a leaderboard takes them in: each read once, its rows and tasks kept, its traces not."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from recfw.errors import DataError, RecfwError
from recfw.model.results import ResultRow, RunInfo
from recfw.model.run import Cell
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import Spending
from recfw.registry import Registry
from recfw.store.results import StoredResults
from recfw.store.transfer.pack import Limit
from recfw.submission.figures import apart, figures_of
from recfw.submission.manifest import RUN, Manifest
from recfw.submission.opening import Bundle, contradictions, open_bundle
from recfw.submission.verdict import CONTRADICTED, Verdict, kept

ENDING = ".tar"
"""What the names of bundles end in."""


@frozen
class Entry:
    """
    One bundle.

    Args:
        file: Its file's name.
        sha256: SHA-256 (hex) of that file.
        manifest: What it declares.
        figures: Its figures, computed anew from the stored scores and found equal to those declared.
        run: Its run.
        tasks: The run's tasks by id.
        rows: The run's trials.
        verdict: The verdict that is kept on it; None where there is none.
    """

    file: str
    sha256: str
    manifest: Manifest
    figures: Mapping[str, Any] = field(repr=False)
    run: RunInfo = field(repr=False)
    tasks: Mapping[str, Task] = field(repr=False)
    rows: Sequence[ResultRow] = field(repr=False)
    verdict: Verdict | None = None

    @property
    def run_digest(self) -> str:
        """Return the SHA-256 (hex) of the run within: two bundles of one run have the same."""
        return next(part.sha256 for part in self.manifest.parts if part.name == RUN)


@frozen
class LeftOut:
    """A file that is not ranked, and why."""

    file: str
    why: str


@define
class Gathered:
    """The bundles of a folder, in order of file names, and what was left out."""

    entries: list[Entry] = field(factory=list)
    left_out: list[LeftOut] = field(factory=list)


def bundles_in(folder: Path) -> list[Path]:
    """Return the files of a folder that may be bundles, by name; hidden ones are none."""
    found = [path for path in folder.iterdir() if path.name.endswith(ENDING) and not path.name.startswith(".")]
    return sorted(found, key=lambda path: path.name)


def gather(paths: Sequence[Path], registry: Registry, verdicts: Path | None, limit: Limit = None) -> Iterator[Gathered]:
    """
    Read bundles, one at a time; yield what was gathered so far after each.

    Args:
        paths: Their files.
        registry: Where core's analyses are found.
        verdicts: A folder of verdicts, as ``recfw verify --record`` keeps them.
        limit: Most bytes that one run may unpack to.
    """
    found = Gathered()
    for path in paths:
        try:
            entry = _read(path, registry, verdicts, limit)
            same = next((other.file for other in found.entries if other.sha256 == entry.sha256), "")
            if same:
                found.left_out.append(LeftOut(path.name, f"it is the same file as {same}"))
            else:
                found.entries.append(entry)
        except RecfwError as error:
            found.left_out.append(LeftOut(path.name, error.message.replace(f"{path}: ", "")))
        yield found


def _read(path: Path, registry: Registry, verdicts: Path | None, limit: Limit) -> Entry:
    with (
        tempfile.TemporaryDirectory(prefix="recfw-leaderboard-") as scratch,
        open_bundle(path, Path(scratch), limit) as bundle,
    ):
        results = StoredResults(bundle.store, [bundle.run.id])
        figures = figures_of(registry, results)
        verdict = kept(bundle.sha256, verdicts)
        _check(bundle, figures, verdict)
        rows = list(results.rows(bundle.run.id))
        tasks = results.tasks(bundle.run.id)
        return Entry(path.name, bundle.sha256, bundle.manifest, figures, bundle.run, tasks, rows, verdict)


def _check(bundle: Bundle, figures: Mapping[str, Any], verdict: Verdict | None) -> None:
    """Refuse a bundle that contradicts itself, or that somebody found to differ."""
    words = [*contradictions(bundle), *filter(None, [apart(bundle.figures, figures, "figures")])]
    if words:
        raise DataError(f"what it declares is not what its run says: {words[0]}.")
    if verdict is not None and verdict.word == CONTRADICTED:
        topics = sorted({finding.topic for finding in verdict.findings if finding.outcome == "differs"})
        raise DataError(f"`recfw verify` found a difference in: {', '.join(topics)}.")


@frozen
class Row:
    """One ranked line: a cell of a bundle, under a name that is unique on the page."""

    name: str
    entry: Entry
    cell: Cell


class RowResults:
    """
    The results of some rows, each as a run of a single cell: a :class:`recfw.model.results.Results`.

    Runs and cells bear the rows' names, so that no two bundles can be taken for one another, whatever they say.
    """

    def __init__(self, rows: Sequence[Row], settings: Mapping[str, Any]) -> None:
        self._rows = {row.name: row for row in rows}
        self._settings = settings
        self._runs = tuple(_run(row) for row in rows)

    @property
    def runs(self) -> tuple[RunInfo, ...]:
        """One a row."""
        return self._runs

    def tasks(self, run: str) -> Mapping[str, Task]:
        """Return the tasks by id."""
        return self._rows[run].entry.tasks

    def rows(self, run: str) -> Iterator[ResultRow]:
        """Yield the trials of the row's cell."""
        row = self._rows[run]
        for one in row.entry.rows:
            if one.cell == row.cell.name:
                yield evolve(one, run=run, cell=run)

    def spending(self, run: str) -> Spending:  # noqa: ARG002 - the protocol's signature
        """Return nothing: a leaderboard shows figures."""
        return {}

    def trace(self, row: ResultRow) -> Trace:
        """Raise: no trace is kept of a bundle that was read."""
        raise DataError(f"the trace of {row.cell}/{row.task}/{row.trial} is in its bundle, and was not kept.")

    def settings(self) -> Mapping[str, Any]:
        """Return the analysis settings."""
        return self._settings


def _run(row: Row) -> RunInfo:
    run = row.entry.run
    shared = len(row.entry.tasks) * len(run.spec.cells) * run.spec.trials == run.planned
    played = sum(one.cell == row.cell.name for one in row.entry.rows)
    spec = evolve(run.spec, cells=(evolve(row.cell, name=row.name),))
    return evolve(run, id=row.name, spec=spec, planned=len(row.entry.tasks) * run.spec.trials if shared else played)
