"""The default analysis in words and tables."""

from collections.abc import Iterable, Mapping, Sequence

from recfw.builtin.summary_findings import Findings
from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Paragraph, Plot, Series, Table
from recfw.report.figures import COUNTING_RULE, Spent, facet_values, interval_words
from recfw.report.words import counted
from recfw.stats.passk import ESTIMATOR, MISSING_TRIALS
from recfw.stats.results import Estimate

FEWER = "(trials)"
"""The row that tells how many trials the figure above is over."""

TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


def run_blocks(found: Findings, clustered_by: str, level: int) -> tuple[Block, ...]:
    """
    Return what there is to say of one run.

    Args:
        found: Its figures.
        clustered_by: What a cluster is, in a word; may be empty.
        level: Level of the heading that names the run.
    """
    return (
        *_identity(found, clustered_by, level),
        *(_primary(found, level + 1) if found.primary else ()),
        _trials(found),
        _endings(found),
        *_others(found),
        *_notes(found, clustered_by),
        *_operational(found, level + 1),
    )


def _identity(found: Findings, clustered_by: str, level: int) -> Iterable[Block]:
    run, spec = found.run, found.run.info.spec
    of = f" ({clustered_by})" if clustered_by else ""
    versions = ", ".join(f"{name} {version}" for name, version in sorted(run.info.versions.items()))
    yield Heading(f"{spec.track}: run {run.info.id}", level)
    yield Paragraph(
        f"Track {spec.track} of plugin {spec.plugin}. {counted(len(run.tasks), 'task')} in "
        f"{counted(run.clusters, 'cluster')}{of}, {counted(len(run.cells), 'cell')}, "
        f"{counted(spec.trials, 'trial')} of each task, seed {spec.seed}. "
        f"Content {run.info.content_digest[:12]}. Versions: {versions or 'not recorded'}."
    )


def _primary(found: Findings, level: int) -> Iterable[Block]:
    yield Heading(f"{found.primary}: {found.label}", level)
    scale = _scale((*found.splits.values(), *(found.means[cell.cell, found.primary] for cell in found.run.cells)))
    for facet, values in found.facets.items() or [("", ())]:
        yield _by_facet(found, facet, values, scale)
        yield _drawn(found, facet, values)
    if len(found.powers) > 1:
        yield Table(
            columns=(Column("cell"), *(Column(f"pass^{k}") for k in found.powers)),
            rows=tuple(
                (cell.cell, *(_shown(found.passes[cell.cell, k], 1.0) for k in found.powers))
                for cell in found.run.cells
            ),
            caption=f"pass^k of {found.primary}: success in all of k trials",
        )


def _by_facet(found: Findings, facet: str, values: tuple[str, ...], scale: float) -> Table:
    """Rows are cells, then how many tasks each column is over."""
    rows: list[tuple[CellValue, ...]] = []
    for cell in found.run.cells:
        whole = found.means[cell.cell, found.primary]
        parts = [found.splits[cell.cell, facet, value] for value in values]
        rows.append((cell.cell, *(_shown(estimate, scale) for estimate in (whole, *parts))))
    groups = facet_values(found.run.tasks, facet)
    rows.append(("(tasks)", len(found.run.tasks), *(len(groups[value]) for value in values)))
    return Table(
        columns=(Column("cell"), Column("all"), *(Column(value or "(none)") for value in values)),
        rows=tuple(rows),
        caption=f"{found.label} of {found.primary} by cell" + (f" and {facet}" if facet else ""),
    )


def _drawn(found: Findings, facet: str, values: tuple[str, ...]) -> Plot:
    """Draw what the table of a facet holds: a group for each of its values, and in it a point for each cell."""
    groups = [("all", None), *((value or "(none)", value) for value in values)]
    series = []
    for cell in found.run.cells:
        points = [
            found.means[cell.cell, found.primary] if value is None else found.splits[cell.cell, facet, value]
            for _, value in groups
        ]
        series.append(_series(cell.cell, tuple(label for label, _ in groups), points))
    title = f"{found.label} of {found.primary}" + (f" by {facet}" if facet else "")
    return Plot(title, "points", facet, found.label, tuple(series), repeats=True)


def _series(name: str, x: tuple[str, ...], points: Sequence[Estimate]) -> Series:
    low, high = tuple(point.low for point in points), tuple(point.high for point in points)
    return Series(name, x, tuple(point.value for point in points), low, high)


def _trials(found: Findings) -> Table:
    rows: list[tuple[CellValue, ...]] = []
    for cell in found.run.cells:
        n, means = cell.counts(), cell.means(found.primary)
        without = n.tasks - len(means)
        scored = cell.scored(found.primary)
        rows.append((cell.cell, n.planned, n.attempted, n.completed, scored, n.failed, n.missing, without))
    titles = ("planned", "attempted", "completed", "scored", "failed", "missing", "unscored tasks")
    return Table((Column("cell"), *(Column(title, ",d") for title in titles)), tuple(rows), "trials by cell")


def _endings(found: Findings) -> Table:
    """Rows are stop reasons, then kinds of failure, each the most frequent first."""
    rows: list[tuple[CellValue, ...]] = []
    for completed in (True, False):
        stops = [cell.stops(completed) for cell in found.run.cells]
        totals: dict[str, int] = {}
        for stop in (stop for by_stop in stops for stop in by_stop):
            totals[stop] = sum(by_stop.get(stop, 0) for by_stop in stops)
        for stop in sorted(totals, key=lambda name: (-totals[name], name)):
            name = stop or "(no reason)"
            rows.append((name if completed else f"failed: {name}", *(by_stop.get(stop, 0) for by_stop in stops)))
    return Table((Column("ending"), *_cell_columns(found, ",d")), tuple(rows), "how trials ended")


def _others(found: Findings) -> Iterable[Block]:
    """Yield a table for each metric or judge that gives other figures, in the order of these figures."""
    for source, names in found.sources.items():
        rows: list[tuple[CellValue, ...]] = []
        for name in names:
            estimates = [found.means[cell.cell, name] for cell in found.run.cells]
            rows.append((name, *(_shown(estimate, _scale(estimates)) for estimate in estimates)))
            if found.has_fewer(name):
                rows.append((FEWER, *(cell.scored(name) for cell in found.run.cells)))
        caption = f"means of the figures of {source}" if source else "means of the other figures"
        yield Table((Column("figure"), *_cell_columns(found)), tuple(rows), caption)


def _cell_columns(found: Findings, form: str = "") -> tuple[Column, ...]:
    return tuple(Column(cell.cell, form) for cell in found.run.cells)


def _notes(found: Findings, clustered_by: str) -> Iterable[Note]:
    run = found.run
    counts = [cell.counts() for cell in run.cells]
    completed, failed = sum(n.completed for n in counts), sum(n.failed for n in counts)
    yield Note(
        f"Trials: {run.info.planned:,} planned, {completed + failed:,} attempted, {completed:,} completed, "
        f"{failed:,} failed, {run.missing:,} missing."
    )
    if not found.primary:
        yield Note("There is no figure, because no completed trial has a score.")
        return
    if found.binary:
        yield Note(f"Estimator: {ESTIMATOR}; {MISSING_TRIALS}{_left_out(found)}.")
    yield Note(f"Counting: {COUNTING_RULE}.")
    for identity, figures in _by_judge(run.judged).items():
        yield Note(f"Judged by {identity}: {', '.join(figures)}. Figures of different judges are not comparable.")
    if any(found.has_fewer(name) for name in found.others):
        yield Note(f"{FEWER}: the completed trials that have the figure above, where not all of a cell's have it.")
    words = interval_words(run, clustered_by)
    yield Note(f"{words[0].upper()}{words[1:]}.")


def _by_judge(judged: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return judge -> its figures, judges by name."""
    found: dict[str, list[str]] = {}
    for figure, identities in judged.items():
        for identity in identities:
            found.setdefault(identity, []).append(figure)
    return dict(sorted(found.items()))


def _left_out(found: Findings) -> str:
    """Say how many tasks pass^k leaves out, by k; only where it leaves out any."""
    short = {k: sum(found.short[cell.cell, k] for cell in found.run.cells) for k in found.powers}
    words = ", ".join(f"{number:,} from pass^{k}" for k, number in short.items() if number)
    return f" (over all cells: {words})" if words else ""


def _operational(found: Findings, level: int) -> Iterable[Block]:
    times: list[tuple[CellValue, ...]] = []
    metered: list[tuple[CellValue, ...]] = []
    for cell, spent in zip(found.run.cells, found.run.spent, strict=True):
        each = spent.seconds / spent.trials if spent.trials else None
        times.append((cell.cell, "all", spent.attempts, spent.seconds, each, None))
        for role, used in spent.usage.items():
            tokens = [used.get(name) for name in TOKENS]
            if not (any(tokens) or spent.costed.get(role)):
                continue
            seconds, replies = used.get("seconds"), used.get("replies")
            step = seconds / replies if seconds is not None and replies else None
            times.append((cell.cell, role, None, seconds, None, step))
            metered.append((cell.cell, role, *tokens, _cost(spent, role, used)))
    yield Heading("Time, tokens and cost", level)
    yield Table(
        (
            Column("cell"),
            Column("role"),
            Column("attempts", ",d"),
            Column("seconds", ",.1f"),
            Column("per trial", ",.3f"),
            Column("per reply", ",.3f"),
        ),
        tuple(times),
        "seconds of the attempts that count, added up, however many ran at once",
    )
    if metered:
        counts = tuple(Column(title, ",.0f") for title in ("tokens in", "cached", "tokens out", "reasoning"))
        yield Table(
            (Column("cell"), Column("role"), *counts, Column("USD")),
            tuple(metered),
            "tokens and cost of the attempts that count; cached are among those read, reasoning among those written",
        )
    if words := _all_attempts(found):
        yield Note(f"All attempts, failed and repeated ones and every judgement included: {words}.")


def _all_attempts(found: Findings) -> str:
    """Return what was consumed in all, by role; empty where nothing is metered."""
    words = []
    for role, used in sorted(found.run.spending.items()):
        tokens = [used.get(name, 0) for name in ("input_tokens", "output_tokens")]
        if any(tokens) or "cost" in used:
            cost = f", {used['cost']:.4f} USD" if "cost" in used else ", cost not known"
            words.append(f"{role} {tokens[0]:,.0f} + {tokens[1]:,.0f} tokens{cost}")
    return "; ".join(words)


def _cost(spent: Spent, role: str, used: Mapping[str, float]) -> str | None:
    """Return a role's cost, with the number of trials that state one, of all, where not all do."""
    stated = spent.costed.get(role, 0)
    if not stated:
        return None
    cost = f"{used.get('cost', 0.0):.4f}"
    return cost if stated == spent.trials else f"{cost} ({stated}/{spent.trials})"


def _scale(estimates: Iterable[Estimate]) -> float:
    return max((abs(estimate.value) for estimate in estimates if estimate.value is not None), default=1.0)


def _shown(estimate: Estimate, scale: float) -> Measure | None:
    return None if estimate.value is None else Measure(estimate.value, estimate.low, estimate.high, scale)
