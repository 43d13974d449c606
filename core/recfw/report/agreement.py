"""How far a judge's scores agree with people's ratings of the same trials."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import Any

from attrs import asdict, frozen

from recfw.errors import DataError
from recfw.known import suggestion
from recfw.model.document import CellValue, Column, Document, Heading, Note, Report, Table
from recfw.model.results import ResultRow
from recfw.model.run import TrialKey
from recfw.stats.agreement import cohen_kappa, pearson, spearman

TRIAL, RATER = "trial", "rater"
MEASURES = (
    "People's ratings of one trial are averaged over raters. Pearson and Spearman (midranks for ties) are over trials; "
    "exact and kappa (Cohen's, unweighted) compare both sides rounded to whole points; bias is the judge's mean less "
    "people's. A dash: fewer than two pairs, or one side is constant."
)


@frozen
class Agreement:
    """
    How two sides agree on one figure.

    Args:
        figure: Which.
        trials: Trials that both sides rated.
        unmatched: Rated trials that have no such score.
        exact: Share of trials with the same whole points.
        kappa, pearson, spearman: As in :mod:`recfw.stats.agreement`.
        bias: Mean of the scores less that of the ratings.
    """

    figure: str
    trials: int
    unmatched: int
    exact: float | None
    kappa: float | None
    pearson: float | None
    spearman: float | None
    bias: float | None


Ratings = Mapping[str, Mapping[TrialKey, Mapping[str, float]]]
"""Figure -> trial -> rater -> rating."""


def read_ratings(text: str, where: str) -> Ratings:
    """
    Return the ratings of a CSV file.

    Its header names ``trial`` (cell/task/number), or ``cell``, ``task`` and ``trial``; perhaps ``rater``; and the
    figures, a column each. An empty cell is no rating.

    Raises:
        DataError: A column is missing, a row is short, a trial is named twice by one rater, or a rating is no number.
    """
    try:
        rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
        names = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = names
        apart = {"cell", "task"} <= set(names)
        figures = [name for name in names if name and name not in {TRIAL, RATER, *(("cell", "task") if apart else ())}]
        if TRIAL not in names or not figures or len(set(names)) < len(names):
            expected = "'trial' (cell/task/number), perhaps 'rater', and one column a figure, each named once"
            raise DataError(f"{where}: the header must name {expected}.")
        found: dict[str, dict[TrialKey, dict[str, float]]] = {figure: {} for figure in figures}
        for row in rows:
            _read_row(row, apart, found, f"{where}, line {rows.line_num}")
    except csv.Error as error:
        raise DataError(f"{where}: no valid CSV ({error}).") from error
    return found


def _read_row(
    row: Mapping[Any, Any], apart: bool, found: Mapping[str, dict[TrialKey, dict[str, float]]], where: str
) -> None:
    if None in row or None in row.values():
        raise DataError(f"{where}: the row has another number of cells than the header.")
    words = [row["cell"], row["task"], row[TRIAL]] if apart else row[TRIAL].strip().rsplit("/", 1)
    cell, task = words[:2] if apart else (words[0].partition("/")[0], words[0].partition("/")[2])
    if not (cell and task and words[-1].strip().isdecimal()):
        raise DataError(f"{where}: a trial is cell/task/number, not '{row[TRIAL]}'.")
    key, rater = TrialKey(cell.strip(), task.strip(), int(words[-1])), (row.get(RATER) or "").strip()
    for figure, ratings in found.items():
        value = row[figure].strip()
        if not value:
            continue
        if rater in ratings.setdefault(key, {}):
            raise DataError(f"{where}: {key} is rated twice by the rater '{rater}'.")
        ratings[key][rater] = _number(value, f"{where}, column '{figure}'")


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise DataError(f"{where}: '{text}' is no rating; write a number, or leave the cell empty.")
    return number


def agreement(ratings: Ratings, rows: Iterable[ResultRow], figures: Mapping[str, str]) -> list[Agreement]:
    """
    Return the agreement of each figure.

    Args:
        ratings: People's.
        rows: The run's trials.
        figures: Column of the ratings -> the figure that it is held against.

    Raises:
        DataError: No trial of the run has a figure, or none of the rated ones is the run's.
    """
    scores: dict[str, dict[TrialKey, float]] = {figure: {} for figure in figures.values()}
    known: dict[str, None] = {}
    for row in rows:
        known.update(dict.fromkeys(row.scores))
        for figure, by_trial in scores.items():
            value = row.scores.get(figure)
            if value is not None:
                by_trial[TrialKey(row.cell, row.task, row.trial)] = value
    for figure in scores:
        if figure not in known:
            raise DataError(
                f"the run has no figure '{figure}' (it has: {', '.join(known)}).", suggestion(figure, known)
            )
    return [_agree(column, figure, ratings[column], scores[figure]) for column, figure in figures.items()]


def _agree(
    column: str, figure: str, ratings: Mapping[TrialKey, Mapping[str, float]], scores: Mapping[TrialKey, float]
) -> Agreement:
    rated = {key: fsum(by.values()) / len(by) for key, by in sorted(ratings.items()) if by}
    shared = [key for key in rated if key in scores]
    people, judge = [rated[key] for key in shared], [scores[key] for key in shared]
    points = _points(people), _points(judge)
    n = len(shared)
    return Agreement(
        figure=figure if figure == column else f"{figure} ({column})",
        trials=n,
        unmatched=len(rated) - n,
        exact=sum(a == b for a, b in zip(*points, strict=True)) / n if n else None,
        kappa=cohen_kappa(*points) if n > 1 else None,
        pearson=pearson(people, judge),
        spearman=spearman(people, judge),
        bias=(fsum(judge) - fsum(people)) / n if n else None,
    )


def _points(values: Sequence[float]) -> list[int]:
    return [int(value + 0.5) if value >= 0 else -int(0.5 - value) for value in values]


def agreement_report(found: Sequence[Agreement], run: str, raters: int) -> Report:
    """Return the agreement as a report."""
    rows: list[tuple[CellValue, ...]] = [
        (a.figure, a.trials, a.unmatched, a.exact, a.kappa, a.pearson, a.spearman, a.bias) for a in found
    ]
    columns = (
        Column("figure"),
        Column("trials", ",d"),
        Column("unmatched", ",d"),
        *(Column(name, ".3f") for name in ("exact", "kappa", "Pearson", "Spearman", "bias")),
    )
    blocks = (
        Heading(f"Agreement with people: run {run}", 1),
        Table(columns, tuple(rows), f"scores of run {run} against ratings by {raters} rater{'s' * (raters != 1)}"),
        Note(MEASURES),
    )
    return Report(Document(blocks), {"raters": raters, "agreement": [asdict(a) for a in found], "measures": MEASURES})
