"""The report of ``books-paper`` in tables and plots: the paper's own first, then what stands around them."""

from collections.abc import Iterable, Sequence

from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Plot, Series, Table
from recfw.report.figures import COUNTING_RULE, interval_words
from recfw.stats.contrasts import P_VALUE
from recfw.stats.passk import ESTIMATOR, MISSING_TRIALS
from recfw.stats.results import Estimate
from recfw_books.analysis.enriched import FULL, NOTHING, SUCCESS_FULL, SUCCESS_REST
from recfw_books.analysis.failures import conditions
from recfw_books.analysis.found import Findings
from recfw_books.analysis.measures import ALLOWED, AVERAGE, ELICITED
from recfw_books.analysis.pairs import KINDS
from recfw_books.analysis.paper import AGENTS
from recfw_books.analysis.paper_contrasts import contrast_blocks
from recfw_books.analysis.paper_endings import ending_blocks
from recfw_books.analysis.settings import RULES_USER, Setting
from recfw_books.analysis.study import EVERYTHING

PAPER = "↳ paper"
"""Begins a row of the paper's figures, below the row of the same agent in the same setting."""

POOLED = "agents pooled over interfaces, scripted agents on structured search"

_PROMPTS = ("base", "ask", "ask-and-verify", "protocol")


def blocks(found: Findings) -> Iterable[Block]:
    """Yield the document's blocks in reading order."""
    runs, study = found.study.runs, found.study
    yield Heading(f"{runs[0].info.spec.track}: the paper's analysis of {len(runs)} run{'s' * (len(runs) > 1)}", 1)
    for remark in study.remarks:
        yield Note(remark)
    if not study.main:
        yield Note(f"No agent played {_chosen_words(found)}.")
    else:
        yield Note(f"Tables are of {_chosen_words(found)}, unless they say otherwise.")
        yield Heading("Success")
        for kind in KINDS:
            yield from _table_3(found, kind)
        yield from _drawn(found)
        yield from _powers(found)
        yield from _tiers(found)
    yield from contrast_blocks(found)
    yield from _elicitation(found)
    yield from _within(found)
    yield from _prompts(found)
    yield from ending_blocks(found)
    yield from _beside(found)
    yield from _small_print(found)


def _chosen_words(found: Findings) -> str:
    study = found.study
    block = "all families" if study.chosen.block == EVERYTHING else f"the {study.chosen.block}'s families"
    families = len({study.tasks[name].cluster for name in study.in_block})
    chosen = study.chosen
    books = f"{chosen.size:,} books" if chosen.size else "the whole catalog"
    return f"{block} ({families}), prompt {chosen.prompt}, user {chosen.user}, {books}"


def shown(estimate: Estimate | None) -> Measure | None:
    """Return an estimate as a table's cell; None where there is none."""
    return None if estimate is None or estimate.value is None else Measure(estimate.value, estimate.low, estimate.high)


def _conditions(found: Findings, kind: str) -> tuple[str, ...]:
    present = {condition for _, among, condition, _ in found.measures.passes if among == kind}
    return tuple(name for name in conditions(found.study) if name in present)


def paper_agent(setting: Setting) -> str:
    """Return the paper's name of an agent that plays as it did there; empty where it does not."""
    alike = setting.interface == "structured" and setting.user == RULES_USER
    return (
        setting.agent
        if alike and setting.agent in AGENTS and not (setting.size or setting.catalog or setting.other)
        else ""
    )


def _table_3(found: Findings, kind: str) -> Iterable[Block]:
    """Show pass^1 with intervals and pass^k for the largest k, by setting and condition; the paper's table 3."""
    names, top = _conditions(found, kind), found.most_k
    if not names:
        return
    rows: list[tuple[CellValue, ...]] = []
    for setting in found.study.main:
        rows.append(_table_3_row(found, setting.name, kind, names))
        rows += _paper_row(found, setting, kind, names)
    if (AVERAGE, kind, names[0], 1) in found.measures.passes:
        rows.append(_table_3_row(found, AVERAGE, kind, names))
    columns = (
        Column("agent, interface"),
        Column("tasks"),
        *(Column(name, ".3f") for name in names),
        *(Column(f"{name}^{top}", ".3f") for name in names if top > 1),
        *((Column("elic.", ".3f"),) if kind == "satisfiable" else ()),
    )
    words = "tasks that have an answer" if kind == "satisfiable" else "tasks without a valid recommendation (NVR)"
    more = f" and pass^{top}" if top > 1 else ""
    elicited = "; elic.: share of all mixed trials in which every askable fact was disclosed"
    caption = f"table 3: pass^1{more} by condition, {words}{elicited if kind == 'satisfiable' else ''}"
    yield Table(columns, tuple(rows), caption)


def _paper_row(found: Findings, setting: Setting, kind: str, names: Sequence[str]) -> Iterable[tuple[CellValue, ...]]:
    """Yield the paper's row of the same agent in the same setting: all volunteer and mixed tasks were solved there."""
    told, block = AGENTS.get(paper_agent(setting)), found.study.chosen.block
    hidden = told and (told.solved[kind, "hidden"] if block == EVERYTHING else told.panel.get((block, kind)))
    if hidden and "hidden" in names:
        solved = [hidden.share if name == "hidden" else 1.0 for name in names]
        empty = len(names) * (found.most_k > 1) + (kind == "satisfiable")
        yield (PAPER, str(hidden.of), *solved, *[None] * empty)


def _table_3_row(found: Findings, name: str, kind: str, names: Sequence[str]) -> tuple[CellValue, ...]:
    measures, top = found.measures, found.most_k
    ones = [measures.passes.get((name, kind, condition, 1)) for condition in names]
    tops = [measures.passes.get((name, kind, condition, top)) for condition in names if top > 1]
    sizes = "/".join(dict.fromkeys(str(one.n_tasks) for one in ones if one))
    row = (name, sizes, *map(shown, ones), *(one.value if one else None for one in tops))
    if kind == "nvr":
        return row
    full = measures.elicitation.get((name, FULL))
    return (*row, full.value if full else None)


def _series(name: str, x: Sequence[CellValue], points: Sequence[Estimate | None]) -> Series:
    return Series(
        name,
        tuple(x),
        tuple(one.value if one else None for one in points),
        tuple(one.low if one else None for one in points),
        tuple(one.high if one else None for one in points),
    )


def _drawn(found: Findings) -> Iterable[Block]:
    """Draw figure 2 (a): pass^1 by condition, agents pooled over their interfaces."""
    names, series = _conditions(found, "satisfiable"), []
    for agent in found.study.agents:
        points = [found.measures.pooled.get((agent, "satisfiable", name)) for name in names]
        if any(points):
            series.append(_series(agent, names, points))
    if series:
        rows = [(one.name, *(found_at(one, place) for place in range(len(names)))) for one in series]
        title = f"figure 2 (a): pass^1 by condition, tasks that have an answer, {POOLED}"
        yield Table((Column("agent"), *map(Column, names)), tuple(rows), title)
        yield Plot(title, "points", "condition", "pass^1", tuple(series), repeats=True)


def found_at(series: Series, place: int) -> Measure | None:
    """Return a series' value at a place as a table's cell."""
    y = series.y[place]
    return None if y is None else Measure(y, series.low[place], series.high[place])


def _powers(found: Findings) -> Iterable[Block]:
    if found.most_k < 2:
        return
    rows: list[tuple[CellValue, ...]] = []
    names = conditions(found.study)
    measures = found.measures
    for kind in KINDS:
        for name in (*(setting.name for setting in found.study.main), AVERAGE):
            for k in range(1, found.most_k + 1):
                each = [measures.passes.get((name, kind, condition, k)) for condition in names]
                if any(each):
                    short = sum(measures.short.get((name, kind, condition, k), 0) for condition in names)
                    rows.append((name, kind, k, *map(shown, each), short))
    columns = (
        Column("agent, interface"),
        Column("kind"),
        Column("k", "d"),
        *map(Column, names),
        Column("left out", "d"),
    )
    yield Table(columns, tuple(rows), "pass^k: success in all of k trials of a task; left out: tasks with fewer trials")


def _tiers(found: Findings) -> Iterable[Block]:
    measures, names = found.measures, conditions(found.study)
    tiers = sorted({tier for _, tier, _, _ in measures.tiers}, key=lambda t: (t != "simple", t != "medium", t))
    rows: list[tuple[CellValue, ...]] = []
    for tier in tiers:
        for name in (*(setting.name for setting in found.study.main), AVERAGE):
            each = [measures.tiers.get((name, tier, condition, 1)) for condition in names]
            if any(each):
                rows.append((tier, name, *map(shown, each)))
    if rows:
        columns = (Column("tier"), Column("agent, interface"), *map(Column, names))
        yield Table(columns, tuple(rows), "pass^1 by tier, tasks that have an answer")


def _elicitation(found: Findings) -> Iterable[Block]:
    figures = {
        FULL: "all",
        NOTHING: "nothing",
        ELICITED: "mean share",
        SUCCESS_FULL: "if all",
        SUCCESS_REST: "if not all",
    }
    rows = [
        (setting.name, *(shown(found.measures.elicitation.get((setting.name, figure))) for figure in figures))
        for setting in found.study.main
        if (setting.name, FULL) in found.measures.elicitation
    ]
    if rows:
        yield Heading("Elicitation")
        caption = (
            "mixed tasks: share of trials in which every askable fact was disclosed, and none; mean share disclosed; "
            "success where all was disclosed, and where not"
        )
        yield Table((Column("agent, interface"), *map(Column, figures.values())), tuple(rows), caption)


def _within(found: Findings) -> Iterable[Block]:
    """Show figure 2 (b): hidden success within r rejections; by setting, and drawn for agents over their interfaces."""
    measures, block = found.measures, found.study.chosen.block
    rows: list[tuple[CellValue, ...]] = []
    for setting in found.study.main:
        curve = [measures.within.get((setting.name, block, r)) for r in ALLOWED]
        whole = measures.passes.get((setting.name, "satisfiable", "hidden", 1))
        if whole is None:
            continue
        proposals = measures.proposals.get((setting.name, "satisfiable", "hidden"), (None, 0))
        rows.append((setting.name, proposals[0], *(one.value if one else None for one in curve), whole.value))
        told = AGENTS.get(paper_agent(setting))
        if told:
            three, solved = told.within_three.get(block), told.panel.get((block, "satisfiable"))
            in_paper = [three.share if three and r == 3 else None for r in ALLOWED]
            rows.append((PAPER, told.median_proposals, *in_paper, solved.share if solved else None))
    if not rows:
        return
    yield Heading("Proposals and rejections")
    columns = (Column("agent, interface"), Column("proposals", ".1f"), *(Column(f"r={r}", ".3f") for r in ALLOWED),
               Column("any", ".3f"))  # fmt: skip
    caption = (
        "hidden tasks that have an answer: median proposals per success, and success with at most r rejections "
        "(accepted by proposal r + 1)"
    )
    yield Table(columns, tuple(rows), caption)
    curves = {agent: [measures.within.get((agent, block, r)) for r in ALLOWED] for agent in found.study.agents}
    series = tuple(_series(agent, ALLOWED, curve) for agent, curve in curves.items() if any(curve))
    title = f"figure 2 (b): hidden tasks that have an answer, success within r rejections, {POOLED}"
    pooled = tuple((one.name, *(found_at(one, r) for r in ALLOWED)) for one in series)
    yield Table((Column("agent"), *(Column(f"r={r}") for r in ALLOWED)), pooled, title)
    yield Plot(title, "line", "rejections r", "share solved", series, repeats=True)
    yield from _reliability(found)
    yield from _proposals(found)


def _reliability(found: Findings) -> Iterable[Block]:
    """Show the reliability block's tasks that have an answer, beside the paper's hidden ones."""
    measures, names = found.measures, conditions(found.study)
    rows: list[tuple[CellValue, ...]] = []
    for setting in found.study.main:
        each = [measures.reliability.get((setting.name, name)) for name in names]
        three = measures.within.get((setting.name, "reliability", 3))
        if any(each):
            rows.append((setting.name, str(next(one.n_tasks for one in each if one)), *map(shown, each), shown(three)))
        told = AGENTS.get(paper_agent(setting))
        if any(each) and told:
            solved, within = told.panel.get(("reliability", "satisfiable")), told.within_three.get("reliability")
            hidden = solved.share if solved else None
            paper = [hidden if name == "hidden" else 1.0 for name in names]
            rows.append((PAPER, "15", *paper, within.share if within else None))
    if rows:
        columns = (Column("agent, interface"), Column("tasks"), *(Column(name, ".3f") for name in names),
                   Column("within 3", ".3f"))  # fmt: skip
        caption = (
            "the reliability block's tasks that have an answer: pass^1, and hidden success within three rejections"
        )
        yield Table(columns, tuple(rows), caption)


def _proposals(found: Findings) -> Iterable[Block]:
    names = [(kind, condition) for kind in KINDS for condition in _conditions(found, kind)]
    rows = [
        (
            setting.name,
            *(value for key in names for value in found.measures.proposals.get((setting.name, *key), (None, 0))),
        )
        for setting in found.study.main
    ]
    titles = [f"{condition}{' NVR' if kind == 'nvr' else ''}" for kind, condition in names]
    columns = [column for title in titles for column in (Column(title, ".1f"), Column("n", ",d"))]
    yield Table((Column("agent, interface"), *columns), tuple(rows), "median proposals per success; n: successes")


def _prompts(found: Findings) -> Iterable[Block]:
    """Show figure 2 (c): hidden success by prompt on the reliability block, structured search."""
    measures = found.measures
    present = {prompt for _, prompt in measures.prompts}
    prompts = [*(p for p in _PROMPTS if p in present), *sorted(present - set(_PROMPTS))]
    if len(prompts) < 2:
        return
    agents = [agent for agent in found.study.agents if any((agent, prompt) in measures.prompts for prompt in prompts)]
    each = {agent: [measures.prompts.get((agent, prompt)) for prompt in prompts] for agent in agents}
    rows: list[tuple[CellValue, ...]] = [(agent, *map(shown, points)) for agent, points in each.items()]
    where = f"{measures.prompts_block} families, structured search"
    title = f"figure 2 (c): hidden tasks that have an answer by prompt, {where}"
    yield Heading("Prompts")
    yield Table((Column("agent"), *map(Column, prompts)), tuple(rows), title)
    series = tuple(_series(agent, prompts, points) for agent, points in each.items())
    yield Plot(title, "points", "prompt", "pass^1", series, repeats=True)


def _beside(found: Findings) -> Iterable[Block]:
    if not found.beside:
        return
    yield Heading("Beside the paper")
    rows = tuple((one.told.name, one.ours, one.told.value, one.told.where) for one in found.beside)
    columns = (Column("figure"), Column("here", ".4g"), Column("paper", ".4g"), Column("in the paper"))
    yield Table(columns, rows, "the paper's figures of its four language models, with ours; other agents are others")


def _small_print(found: Findings) -> Iterable[Block]:
    words = interval_words(found.study.runs[0], "task families")
    yield Note(f"{words[0].upper()}{words[1:]}.")
    yield Note(f"Estimator: {ESTIMATOR}; {MISSING_TRIALS}. Counting: {COUNTING_RULE}.")
    yield Note(f"{P_VALUE[0].upper()}{P_VALUE[1:]}. Differences are in points, hundredths of pass^1.")
