"""The reference report in words and tables: one table that answers first, then what stands behind it."""

from collections.abc import Iterable, Sequence

from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Plot, Series, Table
from recfw.report.figures import COUNTING_RULE, facet_values, interval_words
from recfw.stats.passk import ESTIMATOR, MISSING_TRIALS
from recfw.stats.results import Estimate
from recfw_books.analysis.findings import ALLOWED, EVERYTHING, Findings, Group
from recfw_books.analysis.paper import AGENTS, BLOCKS, CONDITIONS, KINDS, TITLE, PaperAgent

PAPER = "↳ paper"
"""Begins a row of the paper's figures, below the row of the cell that plays the same agent."""

MEANING = (
    "pass^1: a task's share of trials that succeed (right ending, all five protocol checks kept), averaged over tasks.",
    (
        "A volunteer user states every requirement at once; a mixed user states one and tells the others when asked; a "
        "hidden user also withholds one or two for good: the agent must propose books and learn from the verdicts."
    ),
    "NVR tasks have no valid recommendation: the right ending is to recommend nothing. All other tasks have an answer.",
)
PAPER_MEANING = (
    f"{PAPER}: the same agent in {TITLE}, on its own catalog and families; intervals computed here from its counts."
)


def run_blocks(found: Findings, facets: Sequence[str], level: int) -> tuple[Block, ...]:
    """
    Return what there is to say of one run.

    Args:
        found: Its figures.
        facets: The facets by which pass^1 is split further.
        level: Level of the heading that names the run.
    """
    return (
        *_first(found, level),
        *_powers(found),
        *(_split(found, facet) for facet in facets),
        *_solved(found),
        *_within(found),
        *_blocks_beside_paper(found),
        *_endings(found),
        _counts(found),
        *_small_print(found),
    )


def _first(found: Findings, level: int) -> Iterable[Block]:
    run, spec = found.run, found.run.info.spec
    yield Heading(f"{spec.track}: run {run.info.id}", level)
    conditions = _conditions(found)
    rows: list[tuple[CellValue, ...]] = []
    for kind in _kinds(found):
        for cell in run.cells:
            passes = [found.success[cell.cell, group] if group else None for group in _by_condition(found, kind)]
            rows.append((cell.cell, _size(found, kind), *map(_shown, passes)))
            agent = found.paper.get(cell.cell)
            if agent:
                told = [found.in_paper[agent, kind, name] for name in conditions]
                rows.append((PAPER, _paper_size(AGENTS[agent], kind), *map(_shown, told)))
    yield Table(
        (Column("agent"), Column("tasks"), *map(Column, conditions)),
        tuple(rows),
        "pass^1 by agent and by what the user discloses"
        + (", with 95 % intervals over task families" if run.bootstrap else ""),
    )
    yield from _drawn(found)
    yield from map(Note, MEANING)
    if found.paper:
        yield Note(PAPER_MEANING)


def _drawn(found: Findings) -> Iterable[Plot]:
    """Draw what the first table holds of the tasks that have an answer."""
    conditions, series = _conditions(found), []
    for cell in found.run.cells:
        groups = _by_condition(found, "satisfiable")
        if any(groups):
            ours = [found.success[cell.cell, group] if group else None for group in groups]
            series.append(_series(cell.cell, conditions, ours))
        agent = found.paper.get(cell.cell)
        if agent and any(groups):
            theirs = [found.in_paper[agent, "satisfiable", name] for name in conditions]
            series.append(_series(f"{cell.cell} in the paper", conditions, theirs))
    if series:
        title = "pass^1 on tasks that have an answer, by what the user discloses"
        yield Plot(title, "points", "condition", "pass^1", tuple(series), repeats=True)


def _series(name: str, x: Sequence[CellValue], points: Iterable[Estimate | None]) -> Series:
    told = [(point.value, point.low, point.high) if point else (None, None, None) for point in points]
    values, low, high = zip(*told, strict=True)
    return Series(name, tuple(x), values, low, high)


def _conditions(found: Findings) -> tuple[str, ...]:
    present = {group.condition for group in found.groups}
    return tuple(name for name in CONDITIONS if name in present)


def _kinds(found: Findings) -> tuple[str, ...]:
    return tuple(kind for kind in KINDS if found.of_block(EVERYTHING, kind))


def _by_condition(found: Findings, kind: str) -> list[Group | None]:
    """Return a kind's group for each condition that the run has; None where it has no such task."""
    groups = {group.condition: group for group in found.of_block(EVERYTHING, kind)}
    return [groups.get(name) for name in _conditions(found)]


def _size(found: Findings, kind: str) -> str:
    """Return how many tasks of a kind each condition has, as one number where they all have as many."""
    cell = found.run.cells[0].cell
    sizes = [len(found.trials[cell, group].tasks) for group in found.of_block(EVERYTHING, kind)]
    words = str(sizes[0]) if len(set(sizes)) == 1 else "/".join(map(str, sizes))
    return f"{words} NVR" if kind == "nvr" else words


def _paper_size(agent: PaperAgent, kind: str) -> str:
    of = agent.solved[kind, "hidden"].of
    return f"{of} NVR" if kind == "nvr" else str(of)


def _powers(found: Findings) -> Iterable[Block]:
    conditions = _conditions(found)
    rows: list[tuple[CellValue, ...]] = []
    for kind in _kinds(found):
        for cell in found.run.cells:
            for k in sorted({k for name, _, k in found.powers if name == cell.cell}):
                passes = [found.powers[cell.cell, group, k] if group else None for group in _by_condition(found, kind)]
                rows.append((cell.cell, _size(found, kind), str(k), *map(_shown, passes)))
    if rows:
        yield Table(
            (Column("agent"), Column("tasks"), Column("k"), *map(Column, conditions)),
            tuple(rows),
            "pass^k: success in all of k trials of a task",
        )


def _split(found: Findings, facet: str) -> Table:
    conditions = _conditions(found)
    rows: list[tuple[CellValue, ...]] = []
    for value in facet_values(found.run.tasks, facet):
        for cell in found.run.cells:
            estimates = [found.split.get((cell.cell, facet, value, name)) for name in conditions]
            if any(estimate and estimate.n_tasks for estimate in estimates):
                rows.append((value or "(none)", cell.cell, *map(_shown, estimates)))
    columns = (Column(facet), Column("agent"), *map(Column, conditions))
    return Table(columns, tuple(rows), f"pass^1 by {facet}, over the tasks that have an answer")


def _solved(found: Findings) -> Iterable[Block]:
    groups = [group for kind in KINDS for group in found.of_block(EVERYTHING, kind)]
    rows: list[tuple[CellValue, ...]] = []
    for cell in found.run.cells:
        counts = [found.solved(cell.cell, group) for group in groups]
        total = (sum(solved for solved, _ in counts), sum(scored for _, scored in counts))
        rows.append((cell.cell, *(f"{solved}/{scored}" for solved, scored in (*counts, total))))
        agent = found.paper.get(cell.cell)
        if agent:
            paper = [AGENTS[agent].solved[group.kind, group.condition] for group in groups]
            total = (sum(one.solved for one in paper), sum(one.of for one in paper))
            rows.append((PAPER, *(f"{one.solved}/{one.of}" for one in paper), "{}/{}".format(*total)))
    titles = [f"NVR {group.condition}" if group.kind == "nvr" else group.condition for group in groups]
    if groups:
        yield Table(
            (Column("agent"), *map(Column, titles), Column("all")), tuple(rows), "trials solved, of those with a score"
        )


def _within(found: Findings) -> Iterable[Block]:
    groups = [group for group in found.of_block(EVERYTHING, "satisfiable") if group.condition == "hidden"]
    rows: list[tuple[CellValue, ...]] = []
    for group in groups:
        for cell in found.run.cells:
            curve = [found.within[cell.cell, EVERYTHING, r].value for r in ALLOWED]
            whole = found.success[cell.cell, group].value
            rows.append((cell.cell, found.median_proposals(cell.cell, group), *curve, whole))
            agent = found.paper.get(cell.cell)
            if agent:
                told = AGENTS[agent]
                share = told.solved["satisfiable", "hidden"].share
                rows.append((PAPER, told.median_proposals, *(None for _ in ALLOWED), share))
    columns = (
        Column("agent"),
        Column("proposals", ".1f"),
        *(Column(f"r={r}", ".3f") for r in ALLOWED),
        Column("any", ".3f"),
    )
    if groups:
        yield Table(
            columns,
            tuple(rows),
            "hidden tasks that have an answer: median proposals per success, and success with at most r rejections "
            "(accepted by proposal r + 1)",
        )
        curves = [[found.within[cell.cell, EVERYTHING, r] for r in ALLOWED] for cell in found.run.cells]
        yield Plot(
            "hidden tasks that have an answer: success with at most r rejections",
            "line",
            "rejections r",
            "share solved",
            tuple(_series(cell.cell, ALLOWED, one) for cell, one in zip(found.run.cells, curves, strict=True)),
            repeats=True,
        )


def _blocks_beside_paper(found: Findings) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for cell in found.run.cells:
        for block in BLOCKS:
            hidden = {g.kind: g for kind in KINDS for g in found.of_block(block, kind) if g.condition == "hidden"}
            if not hidden:
                continue
            sizes = "+".join(str(len(found.trials[cell.cell, group].tasks)) for group in hidden.values())
            agent = found.paper.get(cell.cell)
            told = AGENTS[agent] if agent else None
            ours = [found.success[cell.cell, hidden[kind]].value if kind in hidden else None for kind in KINDS]
            theirs = [told.panel.get((block, kind)) if told else None for kind in KINDS]
            three = told.within_three.get(block) if told else None
            within = found.within[cell.cell, block, 3].value if "satisfiable" in hidden else None
            pairs = ((ours[0], theirs[0]), (within, three), (ours[1], theirs[1]))
            figures = [figure for mine, paper in pairs for figure in (mine, paper.share if paper else None)]
            rows.append((cell.cell, f"{block} {sizes}", *figures))
    columns = (Column("agent"), Column("tasks"), *(
        Column(title, ".3f") for name in ("pass^1", "within 3", "NVR") for title in (name, "paper")
    ))  # fmt: skip
    if rows:
        yield Table(
            columns,
            tuple(rows),
            "hidden tasks of the panel and its reliability block (with an answer + NVR): pass^1, success within three "
            "rejections, and pass^1 on NVR, each beside the paper",
        )


def _endings(found: Findings) -> Iterable[Block]:
    """Rows are stop reasons, then kinds of failure, each the most frequent first."""
    rows: list[tuple[CellValue, ...]] = []
    for completed in (True, False):
        stops = [cell.stops(completed) for cell in found.run.cells]
        totals = {stop: sum(one.get(stop, 0) for one in stops) for by_stop in stops for stop in by_stop}
        for stop in sorted(totals, key=lambda name: (-totals[name], name)):
            name = stop or "(no reason)"
            rows.append((name if completed else f"failed: {name}", *(one.get(stop, 0) for one in stops)))
    if rows:
        columns = (Column("ending"), *(Column(cell.cell, ",d") for cell in found.run.cells))
        yield Table(columns, tuple(rows), "how trials ended")


def _counts(found: Findings) -> Table:
    rows: list[tuple[CellValue, ...]] = []
    for cell in found.run.cells:
        n = cell.counts()
        rows.append((cell.cell, n.tasks, n.planned, n.attempted, n.completed, n.failed, n.missing))
    titles = ("tasks", "planned", "attempted", "completed", "failed", "missing")
    return Table((Column("agent"), *(Column(title, ",d") for title in titles)), tuple(rows), "trials")


def _small_print(found: Findings) -> Iterable[Block]:
    info = found.run.info
    words = interval_words(found.run, "task families")
    yield Note(f"{words[0].upper()}{words[1:]}.")
    yield Note(f"Estimator: {ESTIMATOR}; {MISSING_TRIALS}. Counting: {COUNTING_RULE}.")
    versions = ", ".join(f"{name} {version}" for name, version in sorted(info.versions.items()))
    yield Note(
        f"Seed {info.spec.seed}, content {info.content_digest[:12]}, versions: {versions or 'not recorded'}. "
        f"More: recfw report {info.id} --analysis summary (times, costs), or --format json (every figure)."
    )


def _shown(estimate: Estimate | None) -> Measure | None:
    if estimate is None or estimate.value is None:
        return None
    return Measure(estimate.value, estimate.low, estimate.high)
