"""The tables of a leaderboard: what may be ranked together, means with intervals, and tiers as `recfw compare` has."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw.errors import RecfwError
from recfw.model.run import Cell
from recfw.registry import Registry
from recfw.report.words import one_line
from recfw.serialize import canonical, digest
from recfw.submission.entries import Entry, Row, RowResults
from recfw.submission.figures import report_of
from recfw.submission.verdict import OPEN

MOST = 40
"""Rows of a table that are told apart from one another; each pair of them is tested."""

NAME = 60
"""Characters of a row's name, the end that tells it from others not counted."""


@frozen
class Line:
    """
    One line of a table.

    Args:
        row: Whose.
        tier: From 1; None where it is in none.
        value, low, high: Mean of the figure, and its interval.
        passes: k -> pass^k, for k from 2.
        tasks: Tasks with a value.
        planned, completed, failed: Trials.
        verified: ``verified``, ``partly verified`` or ``not verified``.
    """

    row: Row
    tier: int | None
    value: float | None
    low: float | None
    high: float | None
    passes: Mapping[int, float | None]
    tasks: int
    planned: int
    completed: int
    failed: int
    verified: str


@frozen
class Table:
    """
    What is ranked together: the same content, tasks, options of the track, other participants, figure and scorer.

    Args:
        key: Short digest of all of that, by which links name it.
        track, figure, scorer: Of what, by which figure, given by whom.
        content, tasks: Digests of content and tasks.
        options: Options of the track.
        others: Role -> component that is not under evaluation.
        n_tasks, n_clusters: How many tasks there are, in how many clusters.
        facets: Facet -> value, of facets that all its tasks share.
        lines: The best first.
        notes: What a reader must know; the rules last.
    """

    key: str
    track: str
    figure: str
    scorer: str
    content: str
    tasks: str
    options: Mapping[str, Any]
    others: Mapping[str, str]
    n_tasks: int
    n_clusters: int
    facets: Mapping[str, str]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]


def rows_of(entries: Sequence[Entry]) -> list[Row]:
    """Return every submitted cell of every bundle, under a name of its own."""
    found = [(entry, cell) for entry in entries for cell in entry.run.spec.cells if cell.name in entry.manifest.cells]
    plain = [_clipped(f"{cell.name} ({entry.manifest.signed_off.name})") for entry, cell in found]
    rows = []
    for name, (entry, cell) in zip(plain, found, strict=True):
        unique = name if plain.count(name) == 1 else f"{name} [{digest([entry.sha256, cell.name])[:8]}]"
        rows.append(Row(unique, entry, cell))
    return rows


def _clipped(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= NAME else f"{line[: NAME - 1]}…"


def tables_of(rows: Sequence[Row], registry: Registry) -> list[Table]:
    """Return the tables, ordered by track and digests: what differs in either is never ranked together."""
    groups: dict[bytes, list[Row]] = {}
    for row in rows:
        groups.setdefault(canonical(_kind(row, registry)), []).append(row)
    tables = [_table(group, registry) for _, group in sorted(groups.items())]
    return sorted(tables, key=lambda table: (table.track, -len(table.lines), table.key))


def _kind(row: Row, registry: Registry) -> list[Any]:
    """Return all that rows of one table must have in common, as JSON values."""
    manifest = row.entry.manifest
    figure = str(row.entry.figures.get("primary") or "")
    return [
        manifest.track,
        manifest.digests.content.get(manifest.track, ""),
        manifest.digests.tasks,
        row.cell.options,
        _others(row.cell, _evaluated(registry, manifest.track)),
        figure,
        sorted({one.scorers.get(figure, "") for one in row.entry.rows if one.cell == row.cell.name and one.scores}),
    ]


def _evaluated(registry: Registry, track: str) -> str:
    """Return the role under evaluation; ``agent`` where the track is not installed."""
    known = registry.classes("tracks").get(track)
    return "agent" if known is None else next(role for role, spec in known.roles.items() if spec.evaluated)


def _others(cell: Cell, evaluated: str) -> dict[str, str]:
    return {role: part.name for role, part in sorted(cell.roles.items()) if role != evaluated}


def _table(rows: Sequence[Row], registry: Registry) -> Table:
    kind = _kind(rows[0], registry)
    track, content, tasks, options, others, figure, scorers = kind
    summary = report_of(registry, RowResults(rows, {"split_by": []})).figures["runs"]
    found = dict(zip([row.name for row in rows], summary, strict=True))
    means = {name: one["cells"][name]["figures"].get(figure, {}).get("value") for name, one in found.items()}
    best = sorted(rows, key=lambda row: (means[row.name] is None, -(means[row.name] or 0.0), row.name))
    tiers, order, notes = _compared(best[:MOST], registry, track, figure)
    if len(rows) > MOST:
        notes.append(f"Only the {MOST} rows with the highest means are in tiers, of {len(rows)}.")
    places = {name: place for place, name in enumerate(order)}
    best.sort(key=lambda row: places.get(row.name, len(places)))
    first = summary[0]
    return Table(
        key=digest(kind)[:12],
        track=track,
        figure=figure,
        scorer=", ".join(scorers),
        content=content,
        tasks=tasks,
        options=options,
        others=others,
        n_tasks=first["tasks"],
        n_clusters=first["clusters"],
        facets=_shared(rows[0].entry),
        lines=tuple(_line(row, found[row.name], figure, tiers.get(row.name)) for row in best),
        notes=(*notes, *_same_run(rows)),
    )


def _shared(entry: Entry) -> dict[str, str]:
    """Return the facets that have one value in all of a bundle's tasks."""
    facets = [task.facets for task in entry.tasks.values()]
    first = sorted(facets[0].items()) if facets else ()
    return {name: value for name, value in first if all(other.get(name) == value for other in facets)}


def _line(row: Row, figures: Mapping[str, Any], figure: str, tier: int | None) -> Line:
    cell = figures["cells"][row.name]
    mean, counts, verdict = cell["figures"].get(figure, {}), cell["counts"], row.entry.verdict
    return Line(
        row=row,
        tier=tier,
        value=mean.get("value"),
        low=mean.get("low"),
        high=mean.get("high"),
        passes={int(k): found["value"] for k, found in cell["pass_k"].items() if int(k) > 1},
        tasks=mean.get("n_tasks", 0),
        planned=counts["planned"],
        completed=counts["completed"],
        failed=counts["failed"],
        verified=OPEN if verdict is None else verdict.word,
    )


def _compared(
    rows: Sequence[Row], registry: Registry, track: str, figure: str
) -> tuple[dict[str, int], list[str], list[str]]:
    """Return row -> tier, the rows by mean, and notes: what `recfw compare` says of these rows."""
    if len(rows) < 2 or not figure:
        return {row.name: 1 for row in rows}, [row.name for row in rows], []
    settings = {"evaluated": _evaluated(registry, track)}
    try:
        found = report_of(registry, RowResults(rows, settings), "compare").figures
    except RecfwError as error:
        return {}, [row.name for row in rows], [f"There are no tiers: {error.message}"]
    tiers = {arm["name"]: arm["tier"] for arm in found["arms"] if arm["tier"] is not None}
    names = [arm["name"] for arm in found["arms"]]
    return tiers, names, [f"{line[:1].upper()}{line[1:]}" for line in found["warnings"]]


def _same_run(rows: Sequence[Row]) -> list[str]:
    """Return a note for each run that several bundles hold."""
    files: dict[str, list[str]] = {}
    for row in rows:
        files.setdefault(row.entry.run_digest, []).append(row.entry.file)
    several = [sorted(set(names)) for names in files.values() if len(set(names)) > 1]
    return [f"{', '.join(names)} hold one and the same run." for names in sorted(several)]
