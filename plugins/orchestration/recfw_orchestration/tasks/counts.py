"""A task set in numbers, beside the paper's: levels, domains, ambiguity, tools, phrasings, flows."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from recfw.model.document import Block, Column, Document, Heading, Note, Report, Table
from recfw.model.task import Task
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.tasks.plan import COUNTS
from recfw_orchestration.tasks.pool import Pool
from recfw_orchestration.tasks.records import AMBIGUITIES, AMBIGUITY_TYPES, LEVELS, phrases_of, workflow_of

PAPER_TYPES = "40/40/20 %"


def counts_report(pool: Pool, name: str) -> Report:
    """Return a task set's numbers as a report; its figures are the same numbers by name."""
    tasks = pool.tasks
    blocks: list[Block] = [
        Heading(f"Tasks: {name}", 1),
        Note(f"Seed {pool.head.seed}, made on data {pool.head.data[:16]}, worded by {pool.head.words}."),
        Heading("Levels and domains"),
        _cells(tasks),
        Heading("Ambiguity"),
        _ambiguity(tasks),
        Heading("Workflows"),
        _workflows(tasks),
        Heading("Tools"),
        _tools(tasks),
        Heading("Phrasings"),
        _phrasings(tasks),
    ]
    return Report(Document(tuple(blocks)), {"tasks": figures(tasks)})


def figures(tasks: Sequence[Task]) -> dict[str, int]:
    """Return the number of tasks by domain, level and ambiguity (``electronics/L1/low``), in that order."""
    found = Counter("/".join(task.facets[name] for name in ("domain", "level", "ambiguity")) for task in tasks)
    return dict(sorted(found.items()))


def _cells(tasks: Sequence[Task]) -> Table:
    found = Counter((task.facets["domain"], task.facets["level"]) for task in tasks)
    rows = []
    for domain, paper in COUNTS.items():
        told = [f"{found[domain, level]} of {paper[level]}" for level in LEVELS]
        own = sum(found[domain, level] for level in LEVELS)
        rows.append((domain, *told, f"{own} of {sum(paper.values())}"))
    sums = [
        f"{sum(found[domain, level] for domain in COUNTS)} of {sum(paper[level] for paper in COUNTS.values())}"
        for level in LEVELS
    ]
    total = sum(sum(paper.values()) for paper in COUNTS.values())
    rows.append(("sum", *sums, f"{len(tasks):,} of {total:,}"))
    columns = (Column("domain"), *(Column(level) for level in LEVELS), Column("sum"))
    return Table(columns, tuple(rows), "tasks, and the paper's")


def _ambiguity(tasks: Sequence[Task]) -> Table:
    found = Counter((task.facets["level"], task.facets["ambiguity"]) for task in tasks)
    rows = []
    for level in LEVELS:
        own = sum(found[level, each] for each in AMBIGUITIES)
        shares = [f"{found[level, each]} ({100 * found[level, each] / max(1, own):.1f} %)" for each in AMBIGUITIES]
        rows.append((level, *shares))
    columns = (Column("level"), *(Column(each) for each in AMBIGUITIES))
    return Table(columns, tuple(rows), f"the paper samples low/moderate/high at {PAPER_TYPES}")


def _workflows(tasks: Sequence[Task]) -> Table:
    calls: dict[str, list[int]] = defaultdict(list)
    rounds: dict[str, list[int]] = defaultdict(list)
    flows: dict[str, set[str]] = defaultdict(set)
    for task in tasks:
        flow = workflow_of(task)
        calls[flow.level].append(len(flow.calls))
        rounds[flow.level].append(flow.rounds)
        flows[flow.level].add(flow.flow)
    rows = [
        (
            level,
            len(flows[level]),
            f"{min(calls[level])}-{max(calls[level])}",
            f"{sum(calls[level]) / len(calls[level]):.2f}",
            f"{min(rounds[level])}-{max(rounds[level])}",
            f"{sum(rounds[level]) / len(rounds[level]):.2f}",
        )
        for level in LEVELS
        if calls[level]
    ]
    names = ("level", "shapes", "calls", "mean", "rounds", "mean")
    return Table(tuple(Column(name) for name in names), tuple(rows))


def _tools(tasks: Sequence[Task]) -> Table:
    found = Counter(tool for task in tasks for tool in {call.tool for call in workflow_of(task).calls})
    rows = [(spec.name, tool, found[tool]) for spec in SERVERS.values() for tool in spec.tools]
    return Table((Column("server"), Column("tool"), Column("gold in")), tuple(rows))


def _phrasings(tasks: Sequence[Task]) -> Table:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for task in tasks:
        for phrase in phrases_of(task):
            found[phrase.type][phrase.pattern] += 1
    rows = []
    for kind in AMBIGUITY_TYPES:
        of = found[kind]
        most = max(of.values(), default=0)
        rows.append((kind, of.total(), len(of), f"{most} ({100 * most / max(1, len(tasks)):.1f} % of tasks)"))
    columns = (Column("type"), Column("phrases"), Column("distinct"), Column("most used"))
    return Table(columns, tuple(rows), "at least 30 distinct are demanded, none in more than 3 % of the tasks")
