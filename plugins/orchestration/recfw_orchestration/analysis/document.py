"""The report in tables and plots: the paper's tables 3 to 6 and what stands around them."""

from collections.abc import Iterable, Iterator, Sequence

from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Paragraph, Plot, Series, Table
from recfw.report.figures import COUNTING_RULE, interval_words
from recfw_orchestration.analysis import paper
from recfw_orchestration.analysis.findings import (
    BUDGET,
    EVERYWHERE,
    HEADLINE,
    Entry,
    Findings,
    asked,
    figures_of,
)
from recfw_orchestration.judging.rules import ASKED
from recfw_orchestration.metrics.component import BY_LEVEL
from recfw_orchestration.tasks.records import AMBIGUITIES
from recfw_orchestration.taxonomy import ERRORS, NONE

PAPER = "↳ paper"
"""Begins a row of the paper's figures."""

TITLES = {
    "tool_name_valid": "name valid",
    "schema_compliance": "schema",
    "execution_success": "execution",
    "selection_accuracy": "selection",
    "selection_f1": "selection F1",
    "parameter_accuracy": "parameters",
    "parallel_ratio": "parallel",
    "efficiency": "efficiency",
    "sequential_efficiency": "sequential eff.",
    "dependency_awareness": "dependency",
    "hit": "hit",
    "hit_at_3": "hit@3",
    "hit_at_5": "hit@5",
    "judged_parameters": "param. (judge)",
    "judged_grounding": "grounding (judge)",
    "judged_dependency": "dependency (judge)",
    "judged_planning": "planning (judge)",
    "judged_efficiency": "efficiency (judge)",
    "ruled_parameters": "param. (rules)",
    "ruled_grounding": "grounding (rules)",
    "ruled_dependency": "dependency (rules)",
    "ruled_planning": "planning (rules)",
    "ruled_efficiency": "efficiency (rules)",
}
"""Column titles; (judge) is a model judge's column, (rules) the rule-based judge's, which stands apart."""

TABLES = {
    "L1": ("L1: one tool", "the paper's tables 11 to 13"),
    "L2": ("L2: tools in parallel", "the paper's table 3"),
    "L3": ("L3: chains of tools", "the paper's table 4"),
    "L4": ("L4: hybrid workflows", "the paper's table 5"),
}

ERROR_TITLES = {
    "dependency_failure": "dependency failure",
    "retrieval_miss": "retrieval miss",
    "premature_end": "premature end",
    "unproductive_exploration": "unproductive",
    NONE: "no clear failure",
}


def blocks(found: Findings) -> Iterator[Block]:
    """Yield the document's blocks in reading order."""
    yield from _opening(found)
    for level in found.levels:
        yield Heading(TABLES[level][0])
        yield _level_table(found, level)
        yield from _judge_tables(found, level)
        yield _domain_table(found, level)
    yield Heading("Hit ratio")
    yield from _hits(found)
    yield Heading("Rounds and calls")
    yield from _budget(found)
    yield Heading("Errors")
    yield from _errors(found)
    yield from _agreement(found)
    yield Heading("Trials")
    yield from _trials(found.entries)
    yield from _small_print(found)


def _opening(found: Findings) -> Iterator[Block]:
    runs = {entry.run.info.id: entry.run for entry in found.entries}
    yield Heading(f"orchestration: the paper's analysis of {len(runs)} run{'s' * (len(runs) != 1)}", 1)
    counted = ", ".join(f"{level} {found.sizes[level, EVERYWHERE]}" for level in found.levels)
    tasks = sum(found.sizes[level, EVERYWHERE] for level in found.levels)
    digests = sorted({run.info.content_digest[:12] for run in runs.values()})
    yield Paragraph(f"{tasks:,} tasks ({counted}). Content {', '.join(digests)}.")
    if len(digests) > 1:
        yield Note("The runs are of different content: their rows are not of the same tasks.")
    if not found.judged:
        yield Note(
            "No model judge has rated these trials, so its columns are left out. `recfw judge --judge litellm --set "
            "judge.model=…` adds them; the rule-based judge stands in tables of its own."
        )
    named = sorted({(figure, who) for e in found.entries for figure, all_ in e.judges.items() for who in all_})
    for identity in sorted({who for figure, who in named if figure.startswith("judged_")}):
        yield Note(f"Judge: {identity}.")
    doubled = sorted(
        {f for e in found.entries for f, all_ in e.judges.items() if len(all_) > 1 and f.startswith("judged_")}
    )
    if doubled:
        words = "Trials of one row were rated by different judges"
        yield Note(f"{words} ({', '.join(doubled)}): those means mix them. Judge all trials by one.")


def _columns(found: Findings, level: str) -> tuple[str, ...]:
    """Return the figures of a level's main table: by rule, then a model judge's where there is one."""
    return (*BY_LEVEL[level], *(asked(level) if found.judged else ()))


def _level_table(found: Findings, level: str) -> Table:
    names = _columns(found, level)
    rows: list[tuple[CellValue, ...]] = []
    for entry in found.entries:
        tasks = found.means.get(((entry.name, level, EVERYWHERE), "hit"), (0.0, 0))[1]
        rows.append((entry.name, tasks, *(_cell(found, entry, level, name) for name in names)))
    columns = (Column("agent"), Column("tasks", ",d"), *(Column(TITLES[name], ".3f") for name in names))
    return Table(columns, tuple(rows), f"{level}, mean over tasks ({TABLES[level][1]})")


def _cell(found: Findings, entry: Entry, level: str, figure: str) -> CellValue:
    estimate = found.intervals.get((entry.name, level, figure)) if figure in HEADLINE else None
    if estimate is not None and estimate.value is not None:
        return Measure(estimate.value, estimate.low, estimate.high)
    return found.mean(entry.name, level, figure)


def _judge_tables(found: Findings, level: str) -> Iterator[Block]:
    """Show the rule-based judge in a table of its own, and the points of both where a model judged."""
    columns = (Column("agent"), *(Column(TITLES[name], ".3f") for name in ASKED[level]))
    rows = tuple(
        (entry.name, *(found.mean(entry.name, level, name) for name in ASKED[level])) for entry in found.entries
    )
    yield Table(columns, rows, f"{level}, the rule-based judge: (s - 1) / 9 of its points; no model judged here")
    names = asked(level)
    if found.judged:
        points = tuple(
            (entry.name, *(found.raw.get(((entry.name, level, EVERYWHERE), name)) for name in names))
            for entry in found.entries
        )
        titles = (Column("agent"), *(Column(TITLES[name], ".2f") for name in names))
        yield Table(titles, points, f"{level}, the model judge's points, 1 to 10")


def _domain_table(found: Findings, level: str) -> Table:
    names = _columns(found, level)
    rows: list[tuple[CellValue, ...]] = []
    for domain in found.domains:
        for entry in found.entries:
            tasks = found.means.get(((entry.name, level, domain), "hit"), (0.0, 0))[1]
            cells = (found.mean(entry.name, level, name, domain) for name in names)
            rows.append((domain, entry.name, tasks, *cells))
    columns = (
        Column("domain"),
        Column("agent"),
        Column("tasks", ",d"),
        *(Column(TITLES[name], ".3f") for name in names),
    )
    return Table(columns, tuple(rows), f"{level} by domain")


def _hits(found: Findings) -> Iterator[Block]:
    rows: list[tuple[CellValue, ...]] = [
        (entry.name, *(_cell(found, entry, level, "hit") for level in found.levels)) for entry in found.entries
    ]
    models = dict.fromkeys(model for by_model in paper.HITS.values() for model in by_model)
    rows += [
        (f"{PAPER}, {model}", *(paper.HITS.get(level, {}).get(model) for level in found.levels)) for model in models
    ]
    yield Table((Column("agent"), *(Column(level, ".3f") for level in found.levels)), tuple(rows), "hit ratio by level")
    yield _hit_plot(found)
    yield _hits_by_ambiguity(found)


def _hit_plot(found: Findings) -> Plot:
    series = []
    for entry in found.entries:
        each = [found.intervals.get((entry.name, level, "hit")) for level in found.levels]
        series.append(
            Series(
                entry.name,
                found.levels,
                tuple(one.value if one else None for one in each),
                tuple(one.low if one else None for one in each),
                tuple(one.high if one else None for one in each),
            )
        )
    return Plot("hit ratio by level", "points", "level", "hit ratio", tuple(series), repeats=True)


def _hits_by_ambiguity(found: Findings) -> Table:
    present = {ambiguity for _, _, ambiguity in found.ambiguity}
    order = [name for name in AMBIGUITIES if name in present]
    order += sorted(present - set(AMBIGUITIES))
    rows: list[tuple[CellValue, ...]] = []
    for level in found.levels:
        for entry in found.entries:
            shares = [found.ambiguity.get((entry.name, level, name)) for name in order]
            rows.append((level, entry.name, *(share[0] if share else None for share in shares)))
    columns = (Column("level"), Column("agent"), *(Column(name or "(none)", ".3f") for name in order))
    return Table(columns, tuple(rows), "hit ratio by level and ambiguity")


def _budget(found: Findings) -> Iterator[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for level in found.levels:
        for entry in found.entries:
            mean = {name: found.mean(entry.name, level, name) for name in BUDGET}
            ratios = [_ratio(mean[what], mean[f"expected_{what}"]) for what in ("rounds", "calls")]
            rows.append((level, entry.name, *mean.values(), *ratios))
    columns = (
        Column("level"),
        Column("agent"),
        *(Column(title, ".2f") for title in ("rounds", "expected", "calls", "expected", "rounds ratio", "calls ratio")),
    )
    yield Table(columns, tuple(rows), "mean rounds and calls a task against the gold workflow's (the paper's table 6)")
    for what in ("rounds", "calls"):
        series = [
            Series(e.name, found.levels, tuple(found.mean(e.name, level, what) for level in found.levels))
            for e in found.entries
        ]
        first = found.entries[0].name if found.entries else ""
        budget = tuple(found.mean(first, level, f"expected_{what}") for level in found.levels)
        series.append(Series("expected", found.levels, budget))
        yield Plot(f"{what} a task by level", "line", "level", what, tuple(series), repeats=True)


def _ratio(used: float | None, expected: float | None) -> float | None:
    return used / expected if used is not None and expected else None


def _errors(found: Findings) -> Iterator[Block]:
    names = (*ERRORS, NONE)
    rows: list[tuple[CellValue, ...]] = []
    for level in found.levels:
        rows += [
            (level, entry.name, *(found.mean(entry.name, level, name) for name in names)) for entry in found.entries
        ]
        if level == "L4":
            rows.append((level, f"{PAPER}, GPT-5.4", *(paper.ERRORS[name] for name in names)))
    columns = (Column("level"), Column("agent"), *(Column(ERROR_TITLES[name], ".3f") for name in names))
    yield Table(columns, tuple(rows), "share of trials with each error, by rule; several may hold")
    last = found.levels[-1] if found.levels else ""
    titles = tuple(ERROR_TITLES[name] for name in names)
    series = tuple(
        Series(entry.name, titles, tuple(found.mean(entry.name, last, name) for name in names))
        for entry in found.entries
    )
    if last:
        yield Plot(f"errors at {last}", "bar", "error", "share of trials", series, repeats=True)


def _agreement(found: Findings) -> Iterator[Block]:
    rows: list[tuple[CellValue, ...]] = [
        (level, TITLES[figure], trials, over_trials, over_entries)
        for (level, figure), (over_trials, trials, over_entries) in found.correlations.items()
    ]
    if not rows:
        return
    yield Heading("Parameters: rule against judges")
    columns = (
        Column("level"),
        Column("compared"),
        Column("trials", ",d"),
        Column("over trials", ".3f"),
        Column("over agents", ".3f"),
    )
    caption = "Spearman's rank correlation of rule-based parameter accuracy with judged appropriateness"
    yield Table(columns, tuple(rows), caption)
    yield Note(f"The paper found {paper.SPEARMAN} over its models at L2. A dash: one side is constant, or one pair.")


def _trials(entries: Sequence[Entry]) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for entry in entries:
        n = entry.trials.counts()
        rows.append((entry.name, n.planned, n.attempted, n.completed, n.failed, n.missing))
    titles = ("planned", "attempted", "completed", "failed", "missing")
    yield Table((Column("agent"), *(Column(title, ",d") for title in titles)), tuple(rows), "trials")
    stops: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        for completed in (True, False):
            for stop, number in entry.trials.stops(completed).items():
                name = stop if completed else f"failed: {stop}"
                stops.setdefault(name, [0] * len(entries))[place] += number
    order = sorted(stops, key=lambda name: (-sum(stops[name]), name))
    columns = (Column("ending"), *(Column(entry.name, ",d") for entry in entries))
    yield Table(columns, tuple((name, *stops[name]) for name in order), "how trials ended")


def _small_print(found: Findings) -> Iterator[Block]:
    yield Note(
        "Each figure's definition, with a worked example, stands in docs/explanation/orchestration.md. Judges' points "
        "s are shown as (s - 1) / 9; a trial that a judge could not rate has no score, and is left out of its mean."
    )
    for run in {entry.run.info.id: entry.run for entry in found.entries}.values():
        words = interval_words(run, "task")
        yield Note(f"{words[0].upper()}{words[1:]}. Counting: {COUNTING_RULE}.")


def plain(found: Findings) -> dict[str, object]:
    """Return the figures for scripts: agent -> level -> figure -> mean, number of tasks, points, interval."""
    told: dict[str, object] = {}
    for entry in found.entries:
        levels: dict[str, object] = {}
        for level in found.levels:
            groups = {}
            for domain in (EVERYWHERE, *found.domains):
                groups[domain or "all"] = _group(found, entry, level, domain)
            levels[level] = groups
        told[entry.name] = levels
    return told


def _group(found: Findings, entry: Entry, level: str, domain: str) -> dict[str, object]:
    group = (entry.name, level, domain)
    figures: dict[str, object] = {}
    for name in figures_of(level):
        if (group, name) not in found.means:
            continue
        value, tasks = found.means[group, name]
        one: dict[str, object] = {"value": value, "n_tasks": tasks}
        if (group, name) in found.raw:
            one["points"] = found.raw[group, name]
        estimate = found.intervals.get((entry.name, level, name)) if domain == EVERYWHERE else None
        if estimate is not None:
            one |= {"low": estimate.low, "high": estimate.high}
        figures[name] = one
    return figures
