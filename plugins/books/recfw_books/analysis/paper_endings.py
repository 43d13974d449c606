"""How trials end, in tables and plots of ``books-paper``: failures (figure 3), commitments, exposure, time and cost."""

from collections.abc import Iterable

from recfw.model.document import Block, CellValue, Column, Heading, Note, Plot, Series, Table
from recfw.report.figures import Spent
from recfw_books.analysis.failure_modes import BY_NAME, MODES
from recfw_books.analysis.failures import Failed
from recfw_books.analysis.found import Findings
from recfw_books.analysis.measures import shares


def ending_blocks(found: Findings) -> Iterable[Block]:
    """Yield the tables and plots of endings."""
    yield Heading("How trials end")
    for one in found.failed:
        yield from _failures(one)
    if any(one.failures(agent) for one in found.failed for agent in one.modes):
        used = [
            mode for mode in MODES if any(mode.name in modes for one in found.failed for modes in one.modes.values())
        ]
        yield Note("; ".join(f"{mode.words}: {mode.meaning}" for mode in used) + ".")
    yield from _commitments(found)
    yield from _stops(found)
    yield from _counts(found)
    yield from _exposure(found)
    yield from _operational(found)


def _failures(one: Failed) -> Iterable[Block]:
    """Show one group's failed trials by mode, as counts and as shares of each agent's failures."""
    agents = list(one.modes)
    present = [mode.name for mode in MODES if any(mode.name in one.modes[agent] for agent in agents)]
    if not present:
        return
    rows: list[tuple[CellValue, ...]] = [
        (BY_NAME[name].words, *(one.modes[agent].get(name, 0) for agent in agents)) for name in present
    ]
    rows.append(("failed", *(one.failures(agent) for agent in agents)))
    rows.append(("of scored trials", *(one.scored[agent] for agent in agents)))
    title = f"figure 3: failed trials by mode, {one.name}"
    yield Table((Column("mode"), *(Column(agent, ",d") for agent in agents)), tuple(rows), title)
    words = tuple(BY_NAME[name].words for name in present)
    series = tuple(
        Series(
            f"{agent} (n = {one.failures(agent)})",
            words,
            tuple(one.modes[agent].get(name, 0) / one.failures(agent) for name in present),
        )
        for agent in agents
        if one.failures(agent)
    )
    yield Plot(title, "bar", "mode", "share of the agent's failures", series, repeats=True)


def _commitments(found: Findings) -> Iterable[Block]:
    rows = tuple(
        (
            agent,
            one.failures,
            one.untested,
            one.before_proposal,
            one.after_decline,
            one.named,
            one.recommended,
            one.unreturned,
            one.unreturned_solved,
            one.leaks,
        )
        for agent, one in found.committed.items()
    )
    titles = ("failed", "untested", "no proposal", "declined", "named", "books", "unseen", "solved", "leaks")
    if rows:
        yield Table((Column("agent"), *(Column(title, ",d") for title in titles)), rows, "commitments, in trials")
        yield Note(
            "failed: failed hidden trials that have an answer; untested: those that recommended a book never proposed, "
            "of these no proposal: before any proposal, and declined: after the user had declined a field; named: "
            "failed ones in which an acceptable book had been named without a tag. Of trials of all conditions, books: "
            "those that recommended one; unseen: one that search had never returned, and solved: of these the "
            "successes; leaks: trials in which the user gave away a hidden value."
        )


def _stops(found: Findings) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    pools = [pool.of(found.study.in_block) for pool in found.study.main.values()]
    for completed in (True, False):
        each = [pool.stops(completed=completed) for pool in pools]
        totals = {stop: sum(one.get(stop, 0) for one in each) for stops in each for stop in stops}
        for stop in sorted(totals, key=lambda name: (-totals[name], name)):
            name = stop or "(no reason)"
            rows.append((name if completed else f"failed: {name}", *(one.get(stop, 0) for one in each)))
    if rows:
        columns = (Column("ending"), *(Column(setting.name, ",d") for setting in found.study.main))
        yield Table(columns, tuple(rows), "endings")


def _counts(found: Findings) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for setting, pool in found.study.pools.items():
        n = pool.counts()
        rows.append((setting.name, n.tasks, n.planned, n.attempted, n.completed, n.failed, n.missing))
    titles = ("tasks", "planned", "attempted", "completed", "failed", "missing")
    columns = (Column("setting"), *(Column(title, ",d") for title in titles))
    yield Table(columns, tuple(rows), "trials of every setting, all families")


def _exposure(found: Findings) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for setting, pool in found.study.main.items():
        one = shares(pool.of(found.study.in_block))
        rows.append(
            (
                setting.name,
                *(one[name] for name in ("recommendations", "distinct", "top_decile", "gini", "median_rank")),
            )
        )
    if any(row[1] for row in rows):
        columns = (
            Column("agent, interface"),
            Column("books", ",d"),
            Column("distinct", ",d"),
            Column("top tenth", ".3f"),
            Column("Gini", ".3f"),
            Column("median rank", ",.0f"),
        )
        caption = (
            "exposure: recommendations, distinct books, share in the most popular tenth of the catalog, Gini "
            "coefficient over the books recommended, median rank by popularity"
        )
        yield Table(columns, tuple(rows), caption)


def _operational(found: Findings) -> Iterable[Block]:
    rows: list[tuple[CellValue, ...]] = []
    for setting, pool in found.study.main.items():
        trials = sum(spent.trials for spent in pool.spent)
        seconds = sum(spent.seconds for spent in pool.spent)
        tokens = [_used(pool.spent, name) for name in ("input_tokens", "output_tokens")]
        each = [None if value is None or not trials else value / trials for value in (seconds, *tokens)]
        replies, thought = _used(pool.spent, "replies"), _used(pool.spent, "seconds")
        step = thought / replies if thought is not None and replies else None
        costed = sum(spent.costed.get("agent", 0) for spent in pool.spent)
        cost = _used(pool.spent, "cost") if costed else None
        rows.append((setting.name, trials, each[0], step, *each[1:], cost, costed))
    if rows:
        columns = (
            Column("agent, interface"),
            Column("trials", ",d"),
            Column("seconds", ",.3f"),
            Column("a reply", ",.4f"),
            Column("tokens in", ",.0f"),
            Column("tokens out", ",.0f"),
            Column("USD in all", ",.4f"),
            Column("trials with a cost", ",d"),
        )
        yield Heading("Time, tokens and cost")
        yield Table(
            columns,
            tuple(rows),
            "all families; seconds (and of these the agent's for a reply) and the agent's tokens are means of a trial",
        )


def _used(spent: Iterable[Spent], name: str) -> float | None:
    known = [one.usage["agent"][name] for one in spent if name in one.usage.get("agent", {})]
    return sum(known) if known else None
